//! The front end on all programs: exactly the expected errors at the expected lines, and quickly.

use echis::{Checked, Source};
use echis_testkit::corpus::{Case, corpus, corpus_folder, is_before_verification, own_programs, show, tally};
use echis_testkit::run::reported;
use echis_testkit::{Ratchet, Row, say};
use std::time::{Duration, Instant};

/// Describes what is wrong with the errors of the front end, if anything.
fn wrong(case: &Case) -> Option<String> {
    let reported = reported(&Checked::new(Source::file(&case.path)).result());
    let wanted = case.wanted_before_verification();
    if reported == wanted && reported.iter().all(|(_, id)| is_before_verification(id)) {
        return None;
    }
    Some(format!("wanted {}, got {}", show(&wanted), show(&reported)))
}

fn run(name: &str, cases: &[Case], ratchet: &Ratchet) {
    let start = Instant::now();
    let one = |case: &Case| Row { name: case.name.clone(), wrong: wrong(case), time: Duration::ZERO };
    let results: Vec<Row> = cases.iter().map(one).collect();
    let tally = tally(results.iter().map(|row| (&*row.name, row.wrong.is_none())));
    say(&format!("front end, {name}: {} programs in {:.2} s: {tally}", cases.len(), start.elapsed().as_secs_f64()));
    let surprises = ratchet.compare(&results);
    assert!(surprises.is_empty(), "{}", surprises.join("\n"));
}

fn with_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(echis::STACK).spawn(work).expect("a thread starts");
    if let Err(panic) = thread.join() {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn own() {
    // Errors that only the solver detects are reported when it runs.
    let asks_no_solver = |case: &Case| !case.name.ends_with("invalid/interpretations.vpr");
    let cases: Vec<Case> = own_programs().into_iter().filter(asks_no_solver).collect();
    with_stack(move || run("own programs", &cases, &Ratchet::read("front_end.tsv")));
}

#[test]
fn shared_corpus() {
    match corpus_folder() {
        Some(folder) => with_stack(move || run("shared corpus", &corpus(&folder), &Ratchet::read("front_end.tsv"))),
        None => say("front end, shared corpus: not here, 0 programs"),
    }
}
