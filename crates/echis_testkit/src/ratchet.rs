//! The list of programs that are known to fail. It may only shrink: a listed program that passes is an error, as is an
//! unlisted one that fails.

use crate::repository;
use std::collections::BTreeMap;
use std::path::PathBuf;

pub struct Ratchet {
    file: PathBuf,
    /// Program → reason.
    known: BTreeMap<String, String>,
}

/// With this variable set the list is rewritten to what is true today; new entries still need a reason.
pub const UPDATE: &str = "ECHIS_UPDATE_RATCHET";

const HEADING: &str = "program\treason";

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

    pub fn is_known(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// What does not agree with the list, given each program that ran and what was wrong with it.
    pub fn compare(&self, results: &[(String, Option<String>)]) -> Vec<String> {
        if std::env::var_os(UPDATE).is_some() {
            self.rewrite(results);
            return Vec::new();
        }
        let surprise = |(name, wrong): &(String, Option<String>)| match (wrong, self.is_known(name)) {
            (Some(wrong), false) => Some(format!("{name} fails: {wrong}")),
            (None, true) => Some(format!("{name} passes: remove it from {}", self.file.display())),
            _ => None,
        };
        results.iter().filter_map(surprise).collect()
    }

    fn rewrite(&self, results: &[(String, Option<String>)]) {
        let mut known = self.known.clone();
        for (name, wrong) in results {
            match wrong {
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
