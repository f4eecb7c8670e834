//! Verdicts on whole programs: those of the repository must be exactly as their comments say; those of the shared
//! corpus too, apart from the ones on the list, which may only shrink.

use echis_testkit::corpus::{Case, Opinion, corpus, corpus_folder, own_programs, tally};
use echis_testkit::run::{reported, verify_all};
use echis_testkit::{Ratchet, say};
use std::time::{Duration, Instant};

/// Programs that need longer count as failing.
const LIMIT: Duration = Duration::from_secs(60);
/// Generated programs are large: verifying them takes longer than everything else together.
const FRONTENDS: &str = "ECHIS_FRONTENDS";
/// How many of the slowest programs are named.
const SLOWEST: usize = 5;

/// What is wrong with the verdict on each program, if anything is.
fn run(name: &str, ratchet: &Ratchet, cases: Vec<Case>) -> Vec<(String, Option<String>, Duration)> {
    let start = Instant::now();
    let all = cases.len();
    let cases: Vec<Case> = cases.into_iter().filter(|case| !ratchet.is_left_out(&case.name)).collect();
    if cases.len() < all {
        say(&format!("conformance, {name}: {} slow programs left out", all - cases.len()));
    }
    let cases = &cases[..];
    let files = verify_all(cases, LIMIT);
    let results: Vec<(String, Option<String>, Duration)> = cases
        .iter()
        .zip(&files)
        .map(|(case, file)| {
            let wrong = match (file.stopped.first(), case.judge(&reported(file))) {
                (Some(stopped), _) => Some(format!("no answer: {stopped:?}")),
                (None, Opinion::Right) => None,
                (None, Opinion::Missed(text)) => Some(format!("MISSED {text}")),
                (None, Opinion::Wrong(text)) => Some(text),
            };
            (case.name.clone(), wrong, file.time)
        })
        .collect();
    let tally = tally(results.iter().map(|(name, wrong, _)| (&**name, wrong.is_none())));
    say(&format!("conformance, {name}: {} programs in {:.1} s: {tally}", cases.len(), start.elapsed().as_secs_f64()));
    let mut slowest: Vec<_> = files.iter().zip(cases).map(|(file, case)| (file.time, &*case.name)).collect();
    slowest.sort_by(|a, b| b.cmp(a));
    let slowest: Vec<String> =
        slowest.iter().take(SLOWEST).map(|(time, name)| format!("{name} {:.1} s", time.as_secs_f64())).collect();
    say(&format!("conformance, {name}: slowest {}", slowest.join(", ")));
    results
}

/// One test, so that the two collections do not fight for processors.
#[test]
fn verdicts() {
    let ratchet = Ratchet::read("conformance.tsv");
    // Our own programs are right or mended: no list excuses them.
    let own = run("own programs", &ratchet, own_programs());
    let mut surprises: Vec<String> =
        own.into_iter().filter_map(|(name, wrong, _)| Some(format!("{name} fails: {}", wrong?))).collect();
    match corpus_folder() {
        Some(folder) => {
            let mut cases = corpus(&folder);
            if std::env::var_os(FRONTENDS).is_none() {
                cases.retain(|case| !case.name.starts_with("frontends/"));
                say(&format!("conformance, shared corpus: programs of front ends run with {FRONTENDS}=1"));
            }
            surprises.extend(ratchet.compare(&run("shared corpus", &ratchet, cases)));
        }
        None => say("conformance, shared corpus: not here, 0 programs"),
    }
    assert!(surprises.is_empty(), "{} surprises:\n{}", surprises.len(), surprises.join("\n"));
}
