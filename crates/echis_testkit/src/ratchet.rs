//! The list of programs that are known to fail. It may only shrink: a listed program that passes is an error, as is an
//! unlisted one that fails.

use crate::repository;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

pub struct Ratchet {
    file: PathBuf,
    /// Program → reason.
    known: BTreeMap<String, String>,
}

/// With this variable set the list is rewritten to what is true today; new entries still need a reason.
pub const UPDATE: &str = "ECHIS_UPDATE_RATCHET";

const HEADING: &str = "program\treason";
/// Programs with this reason are not run: what they do depends on how fast the machine is.
const SLOW: &str = "slow: ";
/// What counts as slow when the list is rewritten.
const SLOW_FROM: Duration = Duration::from_secs(12);

impl Ratchet {
    /// A list in the folder `tests` of the repository.
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

    /// Whether the program is left out. While the list is rewritten every program is tried.
    pub fn is_left_out(&self, name: &str) -> bool {
        std::env::var_os(UPDATE).is_none() && self.known.get(name).is_some_and(|reason| reason.starts_with(SLOW))
    }

    pub fn is_known(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// What does not agree with the list, given each program that ran and what was wrong with it.
    pub fn compare(&self, results: &[(String, Option<String>, Duration)]) -> Vec<String> {
        if std::env::var_os(UPDATE).is_some() {
            self.rewrite(results);
            return Vec::new();
        }
        let surprise = |(name, wrong, _): &(String, Option<String>, Duration)| match (wrong, self.is_known(name)) {
            (Some(wrong), false) => Some(format!("{name} fails: {wrong}")),
            (None, true) => Some(format!("{name} passes: remove it from {}", self.file.display())),
            _ => None,
        };
        results.iter().filter_map(surprise).collect()
    }

    fn rewrite(&self, results: &[(String, Option<String>, Duration)]) {
        let mut known = self.known.clone();
        for (name, wrong, time) in results {
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
        std::fs::write(&self.file, text).expect("the list can be written when somebody asks for that");
    }
}
