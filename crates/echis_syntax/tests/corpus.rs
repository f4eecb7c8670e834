//! The public test programs: errors exactly at the expected positions, printing and formatting. Without the corpus,
//! these tests print a message and pass.

mod common;

use common::{Parsed, comments, corpus, expected_lines, is_ignored, parse_path, parse_text, programs};
use echis_base::{FileId, SourceFile, SourceMap};
use echis_syntax::ast::Program;
use echis_syntax::{dump_program, format_source, parse_file, print_program};
use std::path::PathBuf;
use std::time::Instant;

const FOLDERS: [&str; 7] = ["viper", "frontends", "micro", "semantics", "dependency", "precision", "counterexamples"];

/// Ends in the middle of an expression.
const BROKEN: &str = "19_while_perm.vpr";

/// Import files that are not in the corpus.
const ABSENT: [&str; 4] = ["standard_import_tests/", "import_self.vpr", "import_err_b.vpr", "mac_exp.vpr"];

fn files() -> Option<Vec<PathBuf>> {
    let corpus = corpus()?;
    let files = FOLDERS.iter().flat_map(|folder| programs(&corpus.join(folder)));
    Some(files.filter(|path| !path.ends_with(BROKEN)).collect())
}

fn misses_an_import(parsed: &Parsed) -> bool {
    let absent = |message: &str| message.contains("cannot import") && ABSENT.iter().any(|path| message.contains(path));
    parsed.diagnostics.iter().any(|diagnostic| absent(&diagnostic.message))
}

fn report(what: &str, ran: usize, failures: &[String]) {
    println!("{what}: {ran} files ran");
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn parser_errors_stand_at_the_expected_lines() {
    let Some(files) = files() else { return println!("skipped: no corpus") };
    let started = Instant::now();
    let (mut ran, mut bytes, mut failures) = (0, 0, Vec::new());
    for path in files.iter().filter(|path| !path.to_string_lossy().contains("/micro/")) {
        let text = String::from_utf8_lossy(&std::fs::read(path).expect("readable")).into_owned();
        let parsed = parse_path(path);
        if misses_an_import(&parsed) || is_ignored(&text) {
            continue;
        }
        ran += 1;
        bytes += text.len();
        let mut expected = expected_lines(&text, "parser.error");
        expected.dedup();
        if parsed.error_lines() != expected {
            failures.push(format!("{}: expected {expected:?}, {}", path.display(), describe(&parsed)));
        }
    }
    println!("{bytes} bytes in {:?}", started.elapsed());
    report("parser errors", ran, &failures);
}

#[test]
fn ranges_of_parser_errors_are_exact() {
    let Some(corpus) = corpus() else { return println!("skipped: no corpus") };
    let folder = corpus.join("micro");
    let table = std::fs::read_to_string(folder.join("expected.tsv")).expect("the table is there");
    let (mut ran, mut failures) = (0, Vec::new());
    for line in table.lines().skip(1) {
        let mut columns = line.split('\t');
        let (Some(file), Some(outcome)) = (columns.next(), columns.next()) else { continue };
        let expected: Vec<&str> =
            outcome.split_whitespace().filter(|outcome| outcome.starts_with("parser.error")).collect();
        let parsed = parse_path(&folder.join(file));
        if misses_an_import(&parsed) {
            continue;
        }
        ran += 1;
        if parsed.errors() != expected {
            failures.push(format!("{file}: expected {expected:?}, {}", describe(&parsed)));
        }
        let warned = parsed.diagnostics.iter().any(|diagnostic| diagnostic.id == "parser.warning");
        if warned != columns.next().is_some_and(|warnings| warnings.contains("Parse warning")) {
            failures.push(format!("{file}: warnings differ, {}", describe(&parsed)));
        }
    }
    report("exact ranges", ran, &failures);
}

fn describe(parsed: &Parsed) -> String {
    let messages: Vec<&str> = parsed.diagnostics.iter().map(|diagnostic| &diagnostic.message[..]).collect();
    format!("found {:?} {messages:?}", parsed.errors())
}

/// Parses a single file, without resolving imports or expanding macros.
fn parse_alone(text: &str) -> (Program, usize) {
    let mut sources = SourceMap::default();
    let file: FileId = sources.add(SourceFile::new("file.vpr", text));
    let mut program = Program::default();
    let parsed = parse_file(file, sources.file(file), &mut program.exprs);
    program.members = parsed.members;
    (program, parsed.diagnostics.iter().filter(|diagnostic| diagnostic.id == "parser.error").count())
}

#[test]
fn printed_programs_read_back_the_same() {
    let Some(files) = files() else { return println!("skipped: no corpus") };
    let (mut ran, mut failures) = (0, Vec::new());
    for path in files {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("readable")).into_owned();
        let (program, errors) = parse_alone(&text);
        if errors > 0 {
            continue;
        }
        ran += 1;
        let printed = print_program(&program);
        let (again, errors) = parse_alone(&printed);
        if errors > 0 || dump_program(&program) != dump_program(&again) {
            failures.push(format!("{} as written ({errors} errors)", path.display()));
        }
        let parsed = parse_path(&path);
        if !parsed.errors().is_empty() {
            continue;
        }
        let printed = print_program(&parsed.program);
        let again = parse_text("file.vpr", &printed);
        if dump_program(&parsed.program) != dump_program(&again.program) {
            failures.push(format!("{} expanded {}", path.display(), describe(&again)));
        }
        if print_program(&again.program) != printed {
            failures.push(format!("{} prints differently the second time", path.display()));
        }
    }
    report("print", ran, &failures);
}

#[test]
fn formatting_keeps_comments_and_meaning_and_is_stable() {
    let Some(files) = files() else { return println!("skipped: no corpus") };
    let (mut ran, mut failures) = (0, Vec::new());
    for path in files {
        let text = String::from_utf8_lossy(&std::fs::read(&path).expect("readable")).into_owned();
        let (program, errors) = parse_alone(&text);
        if errors > 0 {
            continue;
        }
        ran += 1;
        let once = format(&text);
        let (again, errors) = parse_alone(&once);
        if errors > 0 || dump_program(&program) != dump_program(&again) {
            failures.push(format!("{}: means something else", path.display()));
        }
        if comments(&text) != comments(&once) {
            failures.push(format!("{}: comments differ", path.display()));
        }
        if format(&once) != once {
            failures.push(format!("{}: formatting twice differs", path.display()));
        }
    }
    report("format", ran, &failures);
}

fn format(text: &str) -> String {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("file.vpr", text));
    format_source(file, sources.file(file)).expect("the file parses")
}
