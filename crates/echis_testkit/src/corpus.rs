//! The programs of the conformance tests, each with its expected errors.

use crate::expectation::{Expectations, judge};
use crate::{files_below, repository};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// One program.
pub struct Case {
    /// A path such as `viper/all/basic/x.vpr`, the same on every machine.
    pub name: String,
    pub path: PathBuf,
    pub wanted: Wanted,
}

/// The errors that should be reported.
pub enum Wanted {
    /// Comments in the program, interpreted leniently: known deviations of other tools are accepted.
    Comments(Expectations),
    /// Exactly these error ids at these lines.
    Exactly(Vec<(u32, String)>),
}

/// The result of comparing reported with expected errors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Opinion {
    Right,
    /// An expected error was not reported: a possible unsoundness.
    Missed(String),
    Wrong(String),
}

impl Case {
    pub fn judge(&self, reported: &[(u32, String)]) -> Opinion {
        match &self.wanted {
            Wanted::Comments(expectations) => {
                let judgement = judge(expectations, reported);
                match (judgement.lenient, judgement.missed.first()) {
                    (true, _) => Opinion::Right,
                    (false, Some(missed)) => Opinion::Missed(format!("{}@{}", missed.error, missed.line)),
                    (false, None) => Opinion::Wrong(format!("extra {}", show(&judgement.extra))),
                }
            }
            Wanted::Exactly(wanted) => exactly(wanted, reported),
        }
    }

    pub fn expects_errors(&self) -> bool {
        match &self.wanted {
            Wanted::Comments(expectations) => !expectations.expected.is_empty(),
            Wanted::Exactly(wanted) => !wanted.is_empty(),
        }
    }

    /// The errors expected before verification, with their lines.
    pub fn wanted_before_verification(&self) -> Vec<(u32, String)> {
        let mut wanted: Vec<(u32, String)> = match &self.wanted {
            Wanted::Comments(found) => found.expected.iter().map(|one| (one.line, one.error.clone())).collect(),
            Wanted::Exactly(wanted) => wanted.clone(),
        };
        wanted.retain(|(_, id)| is_before_verification(id));
        wanted.sort();
        wanted.dedup();
        wanted
    }
}

/// Whether this is an error id of the front end; those have no reason part.
pub fn is_before_verification(id: &str) -> bool {
    matches!(id, "parser.error" | "typechecker.error" | "consistency.error")
}

fn exactly(wanted: &[(u32, String)], reported: &[(u32, String)]) -> Opinion {
    let lacks = |these: &[(u32, String)], those: &[(u32, String)]| -> Vec<(u32, String)> {
        these.iter().filter(|one| !those.contains(one)).cloned().collect()
    };
    let missed = lacks(wanted, reported);
    let extra = lacks(reported, wanted);
    if missed.is_empty() && extra.is_empty() {
        Opinion::Right
    } else if !missed.is_empty() && extra.is_empty() {
        Opinion::Missed(show(&missed))
    } else {
        Opinion::Wrong(format!("wanted {}, got {}", show(&missed), show(&extra)))
    }
}

pub fn show(errors: &[(u32, String)]) -> String {
    let shown: Vec<String> = errors.iter().take(4).map(|(line, id)| format!("{id}@{line}")).collect();
    if shown.is_empty() { "nothing".into() } else { shown.join(" ") }
}

/// The folder of the shared corpus, if available.
pub fn corpus_folder() -> Option<PathBuf> {
    let folder = repository().parent()?.join("shared").join("corpus");
    folder.is_dir().then_some(folder)
}

/// The programs of this repository, which cover every language feature, both verified and failing.
pub fn own_programs() -> Vec<Case> {
    let mut cases = programs_below(&["tests/programs", "examples"]);
    cases.retain(|case| !case.name.starts_with(TEXTBOOK));
    cases
}

/// The programs of the textbook: larger than those for single features, and all verified.
pub fn textbook() -> Vec<Case> {
    programs_below(&[TEXTBOOK])
}

/// The folder of the textbook, with a page that describes the programs.
pub const TEXTBOOK: &str = "examples/textbook";

fn programs_below(folders: &[&str]) -> Vec<Case> {
    let root = repository();
    let files = folders.iter().flat_map(|folder| files_below(&root.join(folder), &root));
    let files = files.filter(|name| name.ends_with(".vpr"));
    files.map(|name| with_comments(name.clone(), root.join(name))).collect()
}

/// Environment variable: if set, only programs whose names contain its value are run.
pub const ONLY: &str = "ECHIS_CORPUS_ONLY";

/// All programs of the shared corpus with a known outcome.
pub fn corpus(folder: &Path) -> Vec<Case> {
    let mut cases = Vec::new();
    for name in files_below(&folder.join("viper"), folder).into_iter().filter(|name| name.ends_with(".vpr")) {
        cases.push(with_comments(name.clone(), folder.join(name)));
    }
    cases.retain(|case| match &case.wanted {
        Wanted::Comments(found) => {
            !found.ignored_by.iter().any(|tool| tool.contains("silicon") || tool.contains("silver"))
        }
        Wanted::Exactly(_) => true,
    });
    for collection in ["micro", "semantics"] {
        let table = table(&folder.join(collection).join("expected.tsv"));
        cases.extend(table.iter().map(|row| listed(folder, collection, &row[0], row.get(1).map_or("", |text| text))));
    }
    let table = table(&folder.join("frontends").join("manifest.tsv"));
    let known = table.iter().filter(|row| row.get(1).is_some_and(|verdict| verdict != "timeout"));
    cases.extend(known.map(|row| listed(folder, "frontends", &row[0], row.get(3).map_or("", |text| text))));
    if let Ok(only) = std::env::var(ONLY) {
        cases.retain(|case| case.name.contains(&only));
    }
    cases
}

fn with_comments(name: String, path: PathBuf) -> Case {
    let text = std::fs::read(&path).unwrap_or_default();
    let wanted = Wanted::Comments(Expectations::read(&String::from_utf8_lossy(&text)));
    Case { name, path, wanted }
}

fn listed(folder: &Path, collection: &str, file: &str, outcome: &str) -> Case {
    let name = format!("{collection}/{file}");
    Case { path: folder.join(&name), name, wanted: Wanted::Exactly(outcomes(outcome)) }
}

/// Parses `OK`, or a list of `id@line` and `id@line.column--line.column` separated by spaces.
fn outcomes(text: &str) -> Vec<(u32, String)> {
    let one = |word: &str| {
        let (id, place) = word.split_once('@')?;
        // An error without a position has a dash instead.
        let line = place.split(['.', '-']).next()?.parse().unwrap_or(0);
        Some((line, id.to_string()))
    };
    text.split_whitespace().filter_map(one).collect()
}

/// The rows of a table, without the heading.
fn table(path: &Path) -> Vec<Vec<String>> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.lines().skip(1).map(|line| line.split('\t').map(str::to_string).collect()).collect()
}

/// The collection that a program belongs to, taken from its name.
pub fn collection(name: &str) -> &str {
    name.split('/').next().unwrap_or(name)
}

/// Counts for each collection how many programs pass.
pub fn tally<'a>(results: impl Iterator<Item = (&'a str, bool)>) -> String {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (name, right) in results {
        let count = counts.entry(collection(name)).or_default();
        count.0 += usize::from(right);
        count.1 += 1;
    }
    let shown: Vec<String> = counts.iter().map(|(name, (right, all))| format!("{name} {right} of {all}")).collect();
    shown.join(", ")
}
