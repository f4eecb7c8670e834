//! Coverage warnings: the programs in `tests/coverage` get exactly the warnings in their comments, and the program
//! that confirms a warning verifies as a whole.

use echis::coverage::apply;
use echis::depend::UserId;
use echis::{
    Cancel, Confirmation, Covered, FileVerdict, Settings, Silent, Source, Verification, Verifier, coverage_options,
};
use echis_testkit::run::verifier;
use echis_testkit::{Expectations, files_below, judge, repository};
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn folder() -> PathBuf {
    repository().join("tests").join("coverage")
}

fn prepared() -> (Settings, Verifier) {
    let run = Cancel::after(Some(std::time::Duration::from_secs(240)));
    let verifier = verifier(&run);
    (Settings { jobs: 2, ..Settings::new(run) }, verifier)
}

fn covered(path: &Path) -> Arc<Covered> {
    covered_with(path, Confirmation::Run)
}

fn explained(path: &Path) -> Verification {
    let (settings, verifier) = prepared();
    verifier.explain(&verifier.check(Source::file(path)), &settings, coverage_options(), &Silent)
}

fn covered_with(path: &Path, confirmation: Confirmation) -> Arc<Covered> {
    let Ok(covered) = explained(path).coverage(confirmation) else { panic!("{} is a program", path.display()) };
    assert_eq!(covered.found.result.verdict, FileVerdict::Verified, "{}", path.display());
    covered
}

fn warned(covered: &Covered) -> Vec<(u32, String)> {
    let line = |span| covered.found.result.sources.position(span).start.line;
    let diagnostics = covered.coverage.warnings.iter().map(|warning| &warning.diagnostic);
    let mut warned: Vec<(u32, String)> =
        diagnostics.map(|diagnostic| (diagnostic.span.map_or(0, line), diagnostic.id.clone())).collect();
    warned.sort();
    warned.dedup();
    warned
}

/// A program in a temporary file.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("echis-coverage-{}-{name}", std::process::id()));
        std::fs::write(&path, text).expect("the temporary folder can be written");
        Scratch(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn warnings_are_those_expected_and_each_is_confirmed() {
    let (settings, verifier) = prepared();
    let mut wrong = Vec::new();
    for name in files_below(&folder(), &folder()) {
        let path = folder().join(&name);
        let text = std::fs::read_to_string(&path).expect("the program can be read");
        let covered = covered(&path);
        let judgement = judge(&Expectations::read(&text), &warned(&covered));
        if !judgement.strict() {
            wrong.push(format!("{name}: {judgement:?}"));
        }
        for warning in &covered.coverage.warnings {
            let edited = apply(&warning.evidence, &text).expect("the edits of a warning fit together");
            let edited = Scratch::new(&name.replace('/', "-"), &edited);
            let again = verifier.verify_source(Source::file(&edited.0), &settings, &Silent);
            if again.verdict != FileVerdict::Verified {
                wrong.push(format!("{name}: not confirmed: {:?}", warning.diagnostic));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The joint dependencies of all goals are cheaper to compute than those of each goal, and complete: a node that is
/// reported as uncovered but turns out to be needed is needed only by uncovered nodes or as a trigger.
#[test]
fn nothing_that_is_needed_counts_as_uncovered() {
    let mut wrong = Vec::new();
    for name in files_below(&folder(), &folder()) {
        let path = folder().join(&name);
        let counted = covered_with(&path, Confirmation::Skip);
        let tried = &covered_with(&path, Confirmation::Run).coverage;
        let is_covered = |node: &UserId| counted.coverage.covered.contains(node);
        let needed = tried.covered.difference(&tried.trigger_only).filter(|node| !is_covered(node));
        let overlooked: Vec<_> =
            needed.filter(|node| counted.found.graph.dependents([**node]).iter().all(is_covered)).collect();
        if !overlooked.is_empty() {
            wrong.push(format!("{name}: {overlooked:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_only_mentioned_is_no_warning() {
    let covered = covered(&folder().join("trigger_only.vpr"));
    assert_eq!(covered.coverage.trigger_only.len(), 1);
    assert!(covered.coverage.warnings.is_empty());
}

#[test]
fn a_contradiction_is_named() {
    let named = |program: &str| -> Vec<u32> {
        let covered = covered(&folder().join(program));
        let vacuous = covered.coverage.warnings.iter().find(|warning| warning.diagnostic.id == "proved.vacuously");
        let related = vacuous.map(|warning| warning.diagnostic.related.clone()).unwrap_or_default();
        related.iter().map(|related| covered.found.result.sources.position(related.span).start.line).collect()
    };
    let lines = named("unreachable_result.vpr");
    assert!(lines.contains(&7), "the promise that cannot be kept is among {lines:?}");
    assert_eq!(named("functions.vpr"), [4, 5], "the preconditions of a function that contradict each other");
}

#[test]
fn fixes_are_applied_together() {
    let path = folder().join("2_assumption.vpr");
    let verification = explained(&path);
    let Ok(covered) = verification.coverage(Confirmation::Run) else { panic!("it is a program") };
    let (text, applied) = verification.fixed(&covered);
    assert_eq!(applied, 3, "{text}");
    assert!(!text.contains("m > 0") && !text.contains("assume") && text.contains("requires n < 10"), "{text}");
}
