//! The fixes offered for the first error of a program. Each fix was verified, and is verified again here.

use echis::coverage::apply;
use echis::{Cancel, Config, FileVerdict, Finding, Settings, Silent, Source, Trials, Verifier};
use echis_fix::{Effort, fixes};
use expect_test::Expect;

/// Checks the fixes for the first error, with the lines that each adds or changes.
pub fn check(text: &str, expected: Expect) {
    expected.assert_eq(&found(text));
}

fn found(text: &str) -> String {
    let verifier = Verifier::new(Config::default()).expect("a solver is there");
    let settings = Settings::new(Cancel::never());
    let checked = verifier.check(Source::text("a.vpr", text));
    assert!(checked.is_valid(), "{:?}", checked.diagnostics());
    let verification = verifier.verify(&checked, &settings, &Silent);
    let finding: &Finding = verification.failures().iter().find(|finding| !finding.cascade).expect("there is an error");
    let trials = Trials::new(&verifier, &checked, &settings, Effort::Thorough.obligation()).expect("it is a program");
    let mut shown = format!("{}\n", finding.diagnostic.message);
    for found in fixes(&trials, verification.result(), finding, Effort::Thorough) {
        shown += &format!("  {} ({})\n", found.candidate.explanation, found.outcome());
        let new = apply(&found.candidate.edits, text).expect("edits do not overlap");
        let known: Vec<&str> = text.lines().collect();
        new.lines().filter(|line| !known.contains(line)).for_each(|line| shown += &format!("    | {}\n", line.trim()));
        // The stated outcome is true.
        let then = verifier.verify(&verifier.check(Source::text("a.vpr", new)), &settings, &Silent);
        let is_done = found.left == 0 && found.breaks.is_empty();
        let expected = if is_done { FileVerdict::Verified } else { FileVerdict::Failed };
        assert_eq!(then.result().verdict, expected, "{}", found.candidate.explanation);
    }
    shown
}
