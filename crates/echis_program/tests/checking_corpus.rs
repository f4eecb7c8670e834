//! Name resolution and type checking on the corpora, if available (`ECHIS_CORPUS`, or `../shared/corpus` next to the
//! repository): exactly the expected `typechecker.error`s are reported, at the expected positions.

use echis_base::{Severity, SourceFile, SourceMap};
use echis_program::check;
use echis_syntax::{Loader, ReadError, decode, parse_program};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

struct Disk;

impl Loader for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        std::fs::read(path).map_err(|_| ReadError::Missing(path.to_string()))
    }
}

/// The position of an error: `line.column--line.column`, and its first line.
struct Found {
    range: String,
    line: u32,
    message: String,
}

enum Outcome {
    /// The file has errors before name resolution.
    NotParsed,
    Checked(Vec<Found>),
}

fn run(path: &Path) -> Outcome {
    let text = decode(&fs::read(path).expect("the corpus can be read"));
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new(path.to_string_lossy(), text));
    let (program, diagnostics) = parse_program(&mut sources, main, &Disk);
    if diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        return Outcome::NotParsed;
    }
    let (_, diagnostics) = check(&program);
    let errors = diagnostics.into_iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    Outcome::Checked(
        errors
            .map(|diagnostic| {
                let position = sources.position(diagnostic.span.expect("these errors have ranges"));
                Found {
                    range: format!("{}--{}", position.start, position.end),
                    line: position.start.line,
                    message: diagnostic.message,
                }
            })
            .collect(),
    )
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

fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_path_buf()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("the corpus can be read") {
            let path = entry.expect("the corpus can be read").path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "vpr" || extension == "sil") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// The lines where an expectation comment expects a `typechecker.error`.
fn expected_lines(text: &str) -> BTreeSet<u32> {
    let (mut lines, mut pending) = (BTreeSet::new(), false);
    for (number, line) in text.split('\n').enumerate() {
        let line = line.trim();
        if let Some(annotation) = line.strip_prefix("//::") {
            pending |= annotation.trim() == "ExpectedOutput(typechecker.error)";
        } else if !line.starts_with("//") && pending {
            lines.insert(number as u32 + 1);
            pending = false;
        }
    }
    lines
}

fn report(what: &str, files: usize, problems: &[String]) {
    println!("{what}: {files} files, {} problems", problems.len());
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn expected_errors_of_the_test_suite() {
    let Some(corpus) = corpus() else { return };
    let (mut problems, mut checked) = (Vec::new(), 0);
    for path in programs(&corpus.join("viper")) {
        let text = decode(&fs::read(&path).expect("the corpus can be read"));
        if text.contains("//:: IgnoreFile(/silver/") {
            continue;
        }
        let expected = expected_lines(&text);
        let Outcome::Checked(found) = run(&path) else {
            problems.extend(expected.iter().map(|line| format!("{}:{line}: not parsed", path.display())));
            continue;
        };
        checked += 1;
        let lines: BTreeSet<u32> = found.iter().map(|found| found.line).collect();
        for line in expected.difference(&lines) {
            problems.push(format!("{}:{line}: expected an error", path.display()));
        }
        for found in found.iter().filter(|found| !expected.contains(&found.line)) {
            problems.push(format!("{}:{}: {}", path.display(), found.range, found.message));
        }
    }
    report("viper", checked, &problems);
}

#[test]
fn exact_ranges_of_small_programs() {
    let Some(corpus) = corpus() else { return };
    let folder = corpus.join("micro");
    let table = fs::read_to_string(folder.join("expected.tsv")).expect("the corpus can be read");
    let (mut problems, mut checked) = (Vec::new(), 0);
    for row in table.lines().skip(1) {
        let mut columns = row.split('\t');
        let (Some(file), Some(outcome)) = (columns.next(), columns.next()) else { continue };
        let expected: BTreeSet<&str> =
            outcome.split(' ').filter_map(|error| error.strip_prefix("typechecker.error@")).collect();
        let Outcome::Checked(found) = run(&folder.join(file)) else {
            problems.extend((!expected.is_empty()).then(|| format!("{file}: not parsed")));
            continue;
        };
        checked += 1;
        let ranges: BTreeSet<&str> = found.iter().map(|found| &found.range[..]).collect();
        if expected != ranges {
            let messages: Vec<_> = found.iter().map(|found| format!("{} {}", found.range, found.message)).collect();
            problems.push(format!("{file}: expected {expected:?}, found {messages:?}"));
        }
    }
    report("micro", checked, &problems);
}

/// Ends in the middle of an invariant, so it does not parse.
const CUT_OFF: &str = "precision/H-magicWands/19_while_perm.vpr";

#[test]
fn programs_of_other_collections_are_accepted() {
    let Some(corpus) = corpus() else { return };
    let (mut problems, mut checked) = (Vec::new(), 0);
    let manifest = fs::read_to_string(corpus.join("frontends/manifest.tsv")).expect("the corpus can be read");
    for folder in ["frontends", "semantics", "dependency", "precision", "counterexamples"] {
        for path in programs(&corpus.join(folder)) {
            if path.ends_with(CUT_OFF) {
                continue;
            }
            let Outcome::Checked(found) = run(&path) else {
                problems.push(format!("{}: not parsed", path.display()));
                continue;
            };
            checked += 1;
            let row = manifest
                .lines()
                .find(|row| folder == "frontends" && row.split('\t').next().is_some_and(|file| path.ends_with(file)));
            let errors = row.and_then(|row| row.split('\t').nth(3)).unwrap_or("");
            let expected: BTreeSet<u32> =
                errors.split(' ').filter_map(|error| error.strip_prefix("typechecker.error@")?.parse().ok()).collect();
            let lines: BTreeSet<u32> = found.iter().map(|found| found.line).collect();
            if expected != lines {
                let messages: Vec<_> =
                    found.iter().take(3).map(|found| format!("{} {}", found.range, found.message)).collect();
                problems.push(format!("{}: expected {expected:?}, found {messages:?}", path.display()));
            }
        }
    }
    report("other collections", checked, &problems);
}
