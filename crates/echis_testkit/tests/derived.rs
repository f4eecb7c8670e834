//! When proofs are explained, easily derived obligations are not sent to the solver. This test sends them anyway, for
//! programs that verify and for programs that fail: the solver must agree.

use echis::{Cancel, Settings, Silent, Source, Stopped, Trees};
use echis_testkit::corpus::{Case, corpus, corpus_folder, own_programs};
use echis_testkit::run::verifier;
use echis_testkit::say;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(20);
/// Environment variable: one in this many programs of the corpus is run.
const EVERY: &str = "ECHIS_DERIVED_EVERY";
const SAMPLE: usize = 20;

#[test]
fn what_is_derived_is_proved_by_the_solver_too() {
    let every = std::env::var(EVERY).ok().and_then(|every| every.parse().ok()).unwrap_or(SAMPLE).max(1);
    let mut cases: Vec<Case> = own_programs();
    cases.extend(corpus_folder().iter().flat_map(|folder| corpus(folder)).step_by(every));
    let run = Cancel::never();
    let verifier = verifier(&run);
    let jobs = std::thread::available_parallelism().map_or(2, |jobs| jobs.get());
    let verify = |(): &mut (), index: usize| {
        let settings = Settings { trees: Trees::Explained, recheck: true, ..Settings::new(run.within(LIMIT)) };
        verifier.verify_source(Source::file(&cases[index].path), &settings, &Silent)
    };
    let files = echis::run(&vec![Vec::new(); cases.len()], jobs, || (), verify);
    let mut wrong = Vec::new();
    for (case, file) in cases.iter().zip(&files) {
        wrong.extend(file.stopped.iter().filter_map(|stopped| match stopped {
            Stopped::Defect { message, .. } => Some(format!("{}: {message}", case.name)),
            Stopped::TimeOut { .. } | Stopped::Interrupted { .. } => None,
        }));
    }
    let checks: usize = files.iter().flat_map(|file| &file.members).map(|member| member.checks).sum();
    say(&format!("derived: {} programs with {checks} checks, the solver agrees", cases.len()));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
