//! All errors in one run: the programs in `tests/recovery` fail exactly where their comments say, and only there.

use echis_driver::{Cancel, FileResult, Settings, Silent, Solvers};
use echis_testkit::run::reported;
use echis_testkit::{Expectations, files_below, judge, repository};
use std::path::Path;
use std::time::Duration;

fn verify(path: &Path) -> FileResult {
    let run = Cancel::after(Some(Duration::from_secs(60)));
    let solvers = Solvers::locate(None, None, &run).expect("there is a solver");
    let settings = Settings { errors: 0, ..Settings::new(run) };
    echis_driver::verify(path, &settings, &solvers, &Silent)
}

#[test]
fn paths_go_on_after_failures() {
    let folder = repository().join("tests").join("recovery");
    let files = files_below(&folder, &folder);
    assert!(files.len() >= 5);
    for name in files {
        let path = folder.join(&name);
        let text = std::fs::read_to_string(&path).expect("the program can be read");
        let judgement = judge(&Expectations::read(&text), &reported(&verify(&path)));
        assert!(judgement.strict(), "{name}: {judgement:?}");
    }
}

#[test]
fn the_same_run_twice_is_the_same() {
    let path = repository().join("tests").join("recovery").join("permissions.vpr");
    let show = |file: &FileResult| format!("{:?}", file.errors);
    assert_eq!(show(&verify(&path)), show(&verify(&path)));
}

/// Two conjuncts of one assertion that fail on different paths, each with the condition of its path.
#[test]
fn errors_name_the_conditions_of_their_paths() {
    let file = verify(&repository().join("tests").join("recovery").join("branches.vpr"));
    let text = echis_report::Human::new(echis_report::Style::Plain).file(&file);
    let first = text.find("Assertion b might not hold").map(|at| text[at..].contains("!b")).unwrap_or(false);
    let second = text.find("Assertion y >= 0 might not hold").expect("the second conjunct fails");
    assert!(first && text[second..].contains("b ("), "{text}");
}
