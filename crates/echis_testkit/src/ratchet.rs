//! A list of programs that are known to fail. It may only shrink: a listed program that passes is an error, and so is
//! an unlisted one that fails.

use crate::repository;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Clone)]
pub struct Ratchet {
    file: PathBuf,
    /// Program → reason.
    known: BTreeMap<String, String>,
}

/// The result for one program.
pub struct Row {
    pub name: String,
    /// The deviation from the expected result.
    pub wrong: Option<String>,
    pub time: Duration,
}

/// Environment variable: if set, the list is rewritten to match the current results; new entries still need a reason.
pub const UPDATE: &str = "ECHIS_UPDATE_RATCHET";

const HEADING: &str = "program\treason";
/// Programs with this prefix in the reason are skipped, because their results depend on the speed of the machine.
const SLOW: &str = "slow: ";
/// The time from which a program counts as slow when the list is rewritten.
const SLOW_FROM: Duration = Duration::from_secs(12);

impl Ratchet {
    /// An empty list.
    pub fn none() -> Self {
        Ratchet { file: PathBuf::new(), known: BTreeMap::new() }
    }

    /// Reads a list from the `tests` folder of the repository.
    pub fn read(name: &str) -> Self {
        let file = repository().join("tests").join(name);
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        let rows = text.lines().skip(1).filter(|line| !line.is_empty());
        let split = |row: &str| match row.split_once('\t') {
            Some((name, reason)) => (name.to_string(), reason.to_string()),
            None => (row.to_string(), String::new()),
        };
        Ratchet { file, known: rows.map(split).collect() }
    }

    /// Whether the program is skipped. When the list is rewritten, all programs run.
    pub fn is_left_out(&self, name: &str) -> bool {
        std::env::var_os(UPDATE).is_none() && self.known.get(name).is_some_and(|reason| reason.starts_with(SLOW))
    }

    pub fn is_known(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// Describes how a result contradicts the list, if it does.
    pub fn surprise(&self, row: &Row) -> Option<String> {
        match (&row.wrong, self.is_known(&row.name)) {
            _ if std::env::var_os(UPDATE).is_some() => None,
            (Some(wrong), false) => Some(format!("{} fails: {wrong}", row.name)),
            (None, true) => Some(format!("{} passes: remove it from {}", row.name, self.file.display())),
            _ => None,
        }
    }

    /// All contradictions between the results and the list. With [`UPDATE`] set, rewrites the list instead.
    pub fn compare(&self, rows: &[Row]) -> Vec<String> {
        self.update(rows);
        rows.iter().filter_map(|row| self.surprise(row)).collect()
    }

    /// Rewrites the list to match the results if [`UPDATE`] is set.
    pub fn update(&self, rows: &[Row]) {
        if std::env::var_os(UPDATE).is_none() {
            return;
        }
        let mut known = self.known.clone();
        for Row { name, wrong, time } in rows {
            let slow = *time >= SLOW_FROM;
            if !slow && known.get(name).is_some_and(|reason| reason.starts_with(SLOW)) {
                known.remove(name);
            }
            match wrong {
                _ if slow => {
                    let outcome = wrong.as_deref().unwrap_or("as expected");
                    known.insert(name.clone(), format!("{SLOW}{outcome}"));
                }
                Some(wrong) => {
                    known.entry(name.clone()).or_insert_with(|| format!("not examined: {wrong}"));
                }
                None => {
                    known.remove(name);
                }
            }
        }
        let rows = known.iter().map(|(name, reason)| format!("{name}\t{reason}\n"));
        let text = format!("{HEADING}\n{}", rows.collect::<String>());
        std::fs::write(&self.file, text).expect("the list is writable");
    }
}
