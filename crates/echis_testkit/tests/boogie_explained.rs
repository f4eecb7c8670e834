//! Counterexamples, pruning and multi-file programs for Boogie.

use echis::depend::Minimization;
use echis::{Cancel, FileResult, FileVerdict, Repair, Settings, Silent, Source, Status, Verifier, View};
use echis_testkit::run::verifier;
use echis_testkit::{repository, say};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(60);

/// A file that is deleted when the value is dropped.
struct Temporary(PathBuf);

impl Temporary {
    fn new(name: &str, text: &str) -> Self {
        let path = std::env::temp_dir().join(format!("echis-{}-{name}.bpl", std::process::id()));
        std::fs::write(&path, text).expect("there is place for a small file");
        Temporary(path)
    }
}
impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

fn explained(name: &str, text: &str) -> FileResult {
    let run = Cancel::never();
    let program = Temporary::new(name, text);
    let settings = Settings { counterexample: Some(View::Trace), ..Settings::new(run.within(LIMIT)) };
    verifier(&run).verify_source(Source::file(&program.0), &settings, &Silent)
}

/// Checks the status of the only counterexample, and the values of its variables.
fn check(name: &str, text: &str, status: &str, facts: &[&str]) {
    let file = explained(name, text);
    let [error] = &file.errors[..] else { panic!("{name}: {} errors", file.errors.len()) };
    let example = error.counterexample.as_ref().unwrap_or_else(|| panic!("{name}: {:?}", error.no_counterexample));
    let found = match &example.status {
        Status::Confirmed => "confirmed".to_string(),
        Status::PossiblySpurious(why) => why.clone(),
    };
    assert!(found.contains(status), "{name}: {found}");
    let values: Vec<String> =
        example.store.iter().map(|variable| format!("{} = {}", variable.name, variable.value.text)).collect();
    for fact in facts {
        assert!(values.iter().any(|value| value == fact), "{name}: {fact} is not among {values:?}");
    }
}

#[test]
fn counterexamples_have_the_values_at_the_failure() {
    check(
        "values",
        "var g: int;
         procedure p(x: int) returns (y: int) modifies g; requires g == 7 && x == 3;
         { g := g + x; y := 2 * g; if (y > 10) { y := y - 1; } assert y == 20; }",
        "confirmed",
        &["g = 10", "x = 3", "y = 19", "old(g) = 7"],
    );
    check(
        "maps",
        "procedure p(m: [int]int, k: [int, bool]int)
         { var n: [int]int; assume m[1] == 5; n := m[2 := 6]; assume k[1, true] == 4; assert n[1] + n[2] + k[1, true] == 16; }",
        "confirmed",
        &[],
    );
    check(
        "datatypes",
        "datatype List { Nil(), Cons(head: int, tail: List) }
         procedure p(l: List) { assume l == Cons(3, Nil()); assert l->tail != Nil(); }",
        "confirmed",
        &["l = Cons(3, Nil())"],
    );
    check(
        "bitvectors",
        "function {:bvbuiltin \"bvadd\"} add(x: bv8, y: bv8): bv8;
         procedure p(x: bv8) { assert add(x, 1bv8) != 0bv8; }",
        "confirmed",
        &["x = 255bv8"],
    );
}

/// Values that a loop or call does not determine satisfy its contract.
#[test]
fn counterexamples_say_what_allows_them() {
    let text = "procedure p(n: int) { var i: int; i := 0; while (i < n) invariant i <= n || n < 0; { i := i + 1; } assert i == n; }";
    let file = explained("loops", text);
    let example = file.errors[0].counterexample.as_ref().expect("there are values");
    assert_eq!(example.status, Status::Confirmed);
    assert!(format!("{:?}", example.account).contains("Invariant"), "{:?}", example.account);
    let branches: Vec<&str> = example.path.iter().map(|condition| condition.text.as_str()).collect();
    assert_eq!(branches, ["!(i < n)"]);
}

/// A counterexample is not confirmed if a fact was not evaluated.
#[test]
fn quantified_facts_leave_a_doubt() {
    let axiom = "function f(x: int): int; axiom (forall x: int :: f(x) >= x);";
    check("axioms", &format!("{axiom} procedure p(x: int) {{ assert f(x) > x; }}"), "was not evaluated", &[]);
    // Quantifiers over bounded ranges are evaluated, as are function definitions.
    check(
        "bounded",
        "function twice(x: int): int { 2 * x }
         procedure p(m: [int]int, n: int) {
           assume n == 3 && (forall i: int :: 0 <= i && i < n ==> m[i] == twice(i));
           assert m[2] == 5; }",
        "confirmed",
        &["n = 3"],
    );
}

/// The number of pruned programs, of removed nodes, and of programs with nodes that are needed only as triggers.
fn pruned(path: &Path, most: usize, verifier: &Verifier, run: &Cancel) -> [usize; 3] {
    let settings = Settings::new(run.within(LIMIT));
    let checked = verifier.check(Source::file(path));
    let verification = verifier.explain_any(&checked, &settings, Minimization::Fast, &Silent);
    let Ok(found) = verification.explanation(Minimization::Fast) else { return [0; 3] };
    // Pruned programs keep unsupported declarations, so they never verify as a whole.
    if verification.result().verdict == FileVerdict::Invalid {
        return [0; 3];
    }
    let [mut programs, mut dropped, mut added] = [0; 3];
    for goal in found.goals().into_iter().take(most) {
        let pruned = verification.prune(&found, &BTreeSet::from([goal]), Repair::Add);
        assert_eq!(
            pruned.verdict,
            FileVerdict::Verified,
            "{} for {:?}:\n{}",
            path.display(),
            found.view().node(goal).map(|node| &node.text),
            pruned.text
        );
        programs += 1;
        dropped += found.view().nodes.len() - pruned.kept.len();
        added += usize::from(!pruned.added.is_empty());
    }
    [programs, dropped, added]
}

/// Pruned nodes are not needed: the rest verifies again.
#[test]
fn pruned_programs_verify() {
    let run = Cancel::never();
    let verifier = verifier(&run);
    let folder = repository().join("tests").join("boogie");
    let entries = std::fs::read_dir(&folder).expect("the repository has Boogie programs");
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    let mut all = [0; 3];
    for path in &paths {
        let found = pruned(path, 12, &verifier, &run);
        all.iter_mut().zip(found).for_each(|(sum, one)| *sum += one);
    }
    let [programs, dropped, added] = all;
    assert!(programs > 50 && dropped > 500, "{programs} programs without {dropped} nodes");
    assert_eq!(added, 0, "programs that need more than the graph names");
    say(&format!("boogie, pruned: {programs} programs without {dropped} nodes"));
}

#[test]
fn pruned_programs_of_the_corpus_verify() {
    let folder = repository().parent().map(|parent| parent.join("shared").join("corpus").join("boogie"));
    let Some(folder) = folder.filter(|folder| folder.join("manifest.tsv").is_file()) else {
        return say("boogie, pruned: no shared corpus here");
    };
    let run = Cancel::never();
    let verifier = verifier(&run);
    let manifest = std::fs::read_to_string(folder.join("manifest.tsv")).unwrap_or_default();
    let names = manifest.lines().skip(1).filter_map(|row| {
        let (name, rest) = row.split_once('\t')?;
        (!rest.starts_with("no-verify")).then_some(name)
    });
    let mut all = [0; 3];
    for name in names.step_by(4) {
        let found = pruned(&folder.join(name), 2, &verifier, &run);
        all.iter_mut().zip(found).for_each(|(sum, one)| *sum += one);
    }
    let [programs, dropped, added] = all;
    say(&format!(
        "boogie, pruned, shared corpus: {programs} programs without {dropped} nodes, {added} with terms to match"
    ));
    assert!(10 * added <= programs, "{added} of {programs} programs need more than the graph names");
}

/// Declarations of one file are visible in the others, and errors are reported in the file that contains them.
#[test]
fn several_files_are_one_program() {
    let run = Cancel::never();
    let verifier = verifier(&run);
    let prelude = Temporary::new("prelude", "function f(x: int): int;\naxiom (forall x: int :: {f(x)} f(x) > x);\n");
    let program = Temporary::new("program", "procedure p(x: int)\n{\n  assert f(x) > x;\n  assert f(x) > x + 1;\n}\n");
    let settings = Settings::new(run.within(LIMIT));
    let source = Source::file(&prelude.0).beside(vec![program.0.clone()]);
    let file = verifier.verify_source(source, &settings, &Silent);
    let [error] = &file.errors[..] else { panic!("{} errors", file.errors.len()) };
    let span = error.diagnostic.span.expect("errors have places");
    assert_eq!(file.sources.position(span).start.line, 4);
    assert!(file.sources.file(span.file).path.contains("program"));
    // On its own, the file is not a valid program.
    let alone = verifier.verify_source(Source::file(&program.0), &settings, &Silent);
    assert_eq!(alone.verdict, FileVerdict::Invalid);
}
