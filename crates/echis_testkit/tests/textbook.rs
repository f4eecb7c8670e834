//! The programs of the textbook verify, and its page lists all of them.

use echis_testkit::corpus::{TEXTBOOK, show, textbook};
use echis_testkit::run::{Bench, reported};
use echis_testkit::{repository, say};
use std::time::{Duration, Instant};

const AT_LEAST: usize = 40;
/// Each program takes a second or two; slow machines get more time.
const LIMIT: Duration = Duration::from_secs(60);

#[test]
fn programs_of_the_textbook_verify() {
    let start = Instant::now();
    let cases = textbook();
    let files = Bench::new().verify_all(&cases, LIMIT);
    let mut wrong = Vec::new();
    for (case, file) in cases.iter().zip(&files) {
        wrong.extend(file.stopped.iter().map(|stopped| format!("{}: {stopped:?}", case.name)));
        let errors = reported(file);
        if !errors.is_empty() {
            wrong.push(format!("{}: {}", case.name, show(&errors)));
        }
    }
    say(&format!("textbook: {} programs in {:.1} s", cases.len(), start.elapsed().as_secs_f64()));
    assert!(wrong.is_empty(), "{} do not verify:\n{}", wrong.len(), wrong.join("\n"));
    assert!(cases.len() >= AT_LEAST, "only {} programs", cases.len());
}

#[test]
fn the_page_has_a_line_for_each_program_and_no_other() {
    let page = std::fs::read_to_string(repository().join(TEXTBOOK).join("README.md")).expect("the page can be read");
    let listed: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix("| `")?.split('`').next()).collect();
    let mut programs: Vec<String> = textbook().iter().map(|case| case.name[TEXTBOOK.len() + 1..].to_string()).collect();
    programs.sort();
    assert_eq!(listed, programs, "the table is in the order of names");
}
