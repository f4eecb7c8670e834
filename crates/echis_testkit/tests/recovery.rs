//! Error recovery: the programs in `tests/recovery` report all errors in one run, exactly where their comments expect
//! them.

use echis::{Cancel, FileResult, Finding, Settings, Silent, Source};
use echis_testkit::run::reported;
use echis_testkit::run::verifier;
use echis_testkit::{Expectations, files_below, judge, repository};
use std::path::{Path, PathBuf};
use std::time::Duration;

fn program(name: &str) -> PathBuf {
    repository().join("tests").join("recovery").join(name)
}

fn verify(path: &Path) -> FileResult {
    let run = Cancel::after(Some(Duration::from_secs(60)));
    let verifier = verifier(&run);
    let settings = Settings { errors: 0, ..Settings::new(run) };
    verifier.verify_source(Source::file(path), &settings, &Silent)
}

#[test]
fn paths_go_on_after_failures() {
    let folder = repository().join("tests").join("recovery");
    let files = files_below(&folder, &folder);
    assert!(files.len() >= 8);
    for name in files {
        let path = folder.join(&name);
        let text = std::fs::read_to_string(&path).expect("the program can be read");
        let judgement = judge(&Expectations::read(&text), &reported(&verify(&path)));
        assert!(judgement.strict(), "{name}: {judgement:?}");
    }
}

#[test]
fn the_same_run_twice_is_the_same() {
    let path = program("permissions.vpr");
    let show = |file: &FileResult| format!("{:?}", file.errors);
    assert_eq!(show(&verify(&path)), show(&verify(&path)));
}

/// Two conjuncts of one assertion fail on different paths; each error shows its path condition with its line.
#[test]
fn errors_name_the_conditions_of_their_paths() {
    let file = verify(&program("branches.vpr"));
    let text = echis_report::Human::new(echis_report::Style::Plain).file(&file);
    let errors: Vec<&str> = text.split("error[").filter(|error| error.contains("different_parts")).collect();
    let [first, second] = errors.as_slice() else { panic!("two errors, not:\n{text}") };
    assert!(first.contains("Assertion b might not hold") && first.contains("where !b (line 18)"), "{first}");
    assert!(second.contains("Assertion y >= 0 might not hold") && second.contains("where b (line 18)"), "{second}");
}

/// Follow-up errors are marked exactly on the annotated lines.
#[test]
fn follow_ups_are_marked() {
    let path = program("cascades.vpr");
    let text = std::fs::read_to_string(&path).expect("the program can be read");
    let said: Vec<u32> =
        (1..).zip(text.lines()).filter(|(_, line)| line.ends_with("follows")).map(|row| row.0).collect();
    let file = verify(&path);
    let line = |error: &Finding| error.diagnostic.span.map_or(0, |span| file.sources.position(span).start.line);
    let marked: Vec<u32> = file.errors.iter().filter(|error| error.cascade).map(line).collect();
    assert_eq!(marked, said);
}

/// Code that is unreachable only because of an assumption after a failure is reported as unchecked.
#[test]
fn excluded_cases_are_reported() {
    let file = verify(&program("excluded.vpr"));
    let notes: Vec<&str> = file.errors.iter().map(|error| error.note.as_deref().unwrap_or("")).collect();
    let [case, others @ ..] = notes.as_slice() else { panic!("errors, not {notes:?}") };
    assert!(case.starts_with("not all cases after this were checked"), "{case}");
    assert_eq!(others, ["", "", ""]);
}

/// Errors found before a timeout are reported: this program has too many paths to follow all of them.
#[test]
fn errors_survive_the_end_of_time() {
    let parameters: String = (0..40).map(|i| format!(", b{i}: Bool")).collect();
    let branches: String = (0..40).map(|i| format!("  if (b{i}) {{ k := k + n }} else {{ k := k - n }}\n")).collect();
    let text =
        format!("method m(n: Int{parameters})\n{{\n  var k: Int := 0\n  assert n > 0\n{branches}  assert k != n\n}}\n");
    let folder = std::env::temp_dir().join(format!("echis-time-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("the temporary folder can be written");
    let path = folder.join("program.vpr");
    std::fs::write(&path, text).expect("the temporary folder can be written");
    let run = Cancel::after(Some(Duration::from_secs(4)));
    let verifier = verifier(&run);
    let file = verifier.verify_source(Source::file(&path), &Settings::new(run), &Silent);
    let _ = std::fs::remove_dir_all(&folder);
    assert!(!file.stopped.is_empty(), "the program was too easy");
    assert!(reported(&file).contains(&(4, "assert.failed:assertion.false".into())), "{:?}", file.errors);
}
