//! The front end on the corpora, if available (`ECHIS_CORPUS`, or `../shared/corpus` next to the repository). Errors
//! are compared by id and exact range if the range is known, otherwise by id and line. Every valid program satisfies
//! the invariants of typed programs. `exceptions.tsv` lists the exceptions with reasons.

use echis_base::{Severity, SourceFile, SourceMap};
use echis_program::{check_program, validate};
use echis_syntax::{Loader, ReadError, decode, parse_program};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

struct Disk;

impl Loader for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        std::fs::read(path).map_err(|_| ReadError::Missing(path.to_string()))
    }
}

/// The reported errors: `id@line.column--line.column`, and `id@line`.
struct Outcome {
    exact: BTreeSet<String>,
    lines: BTreeSet<String>,
    broken_promises: Vec<String>,
}

fn run(path: &Path) -> Outcome {
    let text = decode(&fs::read(path).expect("the corpus can be read"));
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new(path.to_string_lossy(), text));
    let (ast, mut diagnostics) = parse_program(&mut sources, main, &Disk);
    let mut broken_promises = Vec::new();
    if diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error) {
        let (program, more) = check_program(&ast);
        diagnostics.extend(more);
        broken_promises = program.iter().flat_map(validate).collect();
    }
    let mut outcome = Outcome { exact: BTreeSet::new(), lines: BTreeSet::new(), broken_promises };
    for error in diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error) {
        let position = error.span.map(|span| sources.position(span));
        let range = position.as_ref().map_or("-".into(), |found| format!("{}--{}", found.start, found.end));
        let line = position.as_ref().map_or("-".into(), |found| found.start.line.to_string());
        outcome.exact.insert(format!("{}@{range}", error.id));
        outcome.lines.insert(format!("{}@{line}", error.id));
    }
    outcome
}

fn is_before_verification(id: &str) -> bool {
    ["parser.error", "typechecker.error", "consistency.error"].iter().any(|before| id.starts_with(before))
}

fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("ECHIS_CORPUS").map_or(beside, PathBuf::from);
    if !folder.is_dir() {
        println!("no corpus at {}: nothing is tested here", folder.display());
        return None;
    }
    Some(folder)
}

/// Maps programs to the reason why they deviate from the expectation.
fn exceptions() -> BTreeMap<String, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/exceptions.tsv");
    let text = fs::read_to_string(path).expect("the list of exceptions is there");
    let rows = text.lines().skip(1).filter_map(|row| row.split_once('\t'));
    rows.map(|(name, reason)| (name.to_owned(), reason.to_owned())).collect()
}

/// Compares deviations with the list of exceptions, which may only shrink.
fn judge(collection: &str, results: Vec<(String, Option<String>)>) {
    let exceptions = exceptions();
    let right = results.iter().filter(|(_, wrong)| wrong.is_none()).count();
    println!("{collection}: {right} of {} as expected", results.len());
    let mut surprises = Vec::new();
    for (name, wrong) in results {
        let name = format!("{collection}/{name}");
        match (wrong, exceptions.contains_key(&name)) {
            (Some(wrong), false) => surprises.push(format!("{name}: {wrong}")),
            (None, true) => surprises.push(format!("{name} is as expected: take it off the list")),
            _ => {}
        }
    }
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

fn compare(wanted: &BTreeSet<String>, found: &BTreeSet<String>, outcome: &Outcome) -> Option<String> {
    if let Some(broken) = outcome.broken_promises.first() {
        return Some(format!("the lowered program is not valid: {broken}"));
    }
    (wanted != found).then(|| format!("wanted {wanted:?}, found {found:?}"))
}

/// The rows of a table: the file, and the errors before verification in the given column.
fn table(path: &Path, column: usize) -> Vec<(String, BTreeSet<String>)> {
    let text = fs::read_to_string(path).expect("the corpus can be read");
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        let errors = cells.get(column).map_or("", |cell| cell).split_whitespace();
        let errors = errors.filter(|error| is_before_verification(error)).map(str::to_owned);
        (cells[0].to_owned(), errors.collect())
    };
    text.lines().skip(1).filter(|line| !line.is_empty()).map(row).collect()
}

#[test]
fn micro_programs_to_the_column() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("micro");
    let judged = table(&folder.join("expected.tsv"), 1).into_iter().map(|(file, wanted)| {
        let outcome = run(&folder.join(&file));
        let wrong = compare(&wanted, &outcome.exact, &outcome);
        (file, wrong)
    });
    judge("micro", judged.collect());
}

#[test]
fn semantics_programs() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("semantics");
    let judged = table(&folder.join("expected.tsv"), 1).into_iter().map(|(file, wanted)| {
        let outcome = run(&folder.join(&file));
        let wrong = compare(&wanted, &outcome.exact, &outcome);
        (file, wrong)
    });
    judge("semantics", judged.collect());
}

#[test]
fn programs_of_front_ends() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("frontends");
    let judged = table(&folder.join("manifest.tsv"), 3).into_iter().map(|(file, wanted)| {
        let outcome = run(&folder.join(&file));
        let wrong = compare(&wanted, &outcome.lines, &outcome);
        (file, wrong)
    });
    judge("frontends", judged.collect());
}

/// The expected errors before verification, as `id@line`, and the lines where any error is accepted. `None` for a file
/// without a known outcome.
fn expected(text: &str) -> Option<(BTreeSet<String>, Vec<String>)> {
    let (mut wanted, mut ignored, mut pending) = (BTreeSet::new(), Vec::new(), Vec::new());
    for (number, line) in text.split('\n').enumerate() {
        let line = line.trim();
        if let Some(comment) = line.strip_prefix("//::") {
            pending.push(comment.trim());
        } else if !line.starts_with("//") {
            for comment in pending.drain(..) {
                if comment.to_lowercase().starts_with("ignorefile(/silver/") {
                    return None;
                }
                if comment == "IgnoreOthers" {
                    ignored.push(format!("@{}", number + 1));
                }
                let expected = comment.strip_prefix("ExpectedOutput(").and_then(|rest| rest.strip_suffix(')'));
                let expected = expected.filter(|id| is_before_verification(id));
                wanted.extend(expected.map(|id| format!("{id}@{}", number + 1)));
            }
        }
    }
    Some((wanted, ignored))
}

#[test]
fn test_suite() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("viper");
    let mut judged = Vec::new();
    for (file, _) in table(&folder.join("manifest.tsv"), 0) {
        let path = folder.join(&file);
        let text = decode(&fs::read(&path).expect("the corpus can be read"));
        let Some((wanted, ignored)) = expected(&text) else { continue };
        let mut outcome = run(&path);
        outcome.lines.retain(|error| wanted.contains(error) || !ignored.iter().any(|line| error.ends_with(line)));
        let wrong = compare(&wanted, &outcome.lines, &outcome);
        judged.push((file, wrong));
    }
    judge("viper", judged);
}
