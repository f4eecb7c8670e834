//! Annotated programs: nodes marked `@dependency` are reported as dependencies, and nodes marked `@irrelevant` are
//! not. Programs of the repository in `tests/dependency` have no exceptions; those of the shared corpus have the ones
//! explained in `tests/dependency.tsv`. A missing dependency is never excused.

use echis::depend::{
    Assumption, Definition, DependencyOptions, MemberTest, Minimization, UserId, View, check_annotations, owner_name,
};
use echis::{Cancel, Dependencies, FileResult, FileVerdict, Settings, Silent, Source};
use echis_testkit::corpus::{ONLY, corpus_folder};
use echis_testkit::run::verifier;
use echis_testkit::{Ratchet, Row, files_below, repository};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(120);

fn dependencies(
    path: &Path,
    jobs: usize,
    options: impl Into<DependencyOptions>,
) -> Result<Arc<Dependencies>, Box<FileResult>> {
    let run = Cancel::after(Some(LIMIT));
    let verifier = verifier(&run);
    let settings = Settings { jobs, ..Settings::new(run) };
    let options = options.into();
    verifier.explain(&verifier.check(Source::file(path)), &settings, options, &Silent).dependencies(options)
}

fn own_programs() -> Vec<PathBuf> {
    let folder = repository().join("tests").join("dependency");
    // Programs in subfolders have their own tests.
    let own = files_below(&folder, &folder).into_iter().filter(|name| !name.contains('/'));
    own.map(|name| folder.join(name)).collect()
}

fn tests(found: &Dependencies) -> Vec<MemberTest> {
    check_annotations(&found.nodes, &found.graph)
}

/// `member: line 3, line 7`
fn places(found: &Dependencies, pick: impl Fn(&MemberTest) -> &[echis::depend::Misreport]) -> String {
    let mut text = String::new();
    for test in tests(found) {
        for report in pick(&test) {
            let line = found.view.node(report.node).map_or(0, |node| node.position.start.line);
            text.push_str(&format!("{} line {line}; ", owner_name(&found.program, test.owner)));
        }
    }
    text
}

#[test]
fn own_programs_depend_on_what_they_say() {
    let programs = own_programs();
    assert!(programs.len() >= 5);
    for path in programs {
        for effort in [Minimization::Fast, Minimization::Full] {
            let found = dependencies(&path, 2, effort).unwrap_or_else(|_| panic!("{} is valid", path.display()));
            let name = path.display();
            assert_eq!(found.result.verdict, FileVerdict::Verified, "{name}");
            assert!(!tests(&found).is_empty(), "{name} has a test assertion");
            assert_eq!(places(&found, |test| &test.missing), "", "{name} {effort:?}: missing");
            assert_eq!(places(&found, |test| &test.superfluous), "", "{name} {effort:?}: superfluous");
        }
    }
}

/// The graph as text, without parts that vary between runs.
fn shown(found: &Dependencies) -> String {
    let View { nodes, dependencies, .. } = &found.view;
    format!("{nodes:#?}\n{dependencies:#?}")
}

#[test]
fn graphs_do_not_depend_on_the_number_of_jobs_or_the_run() {
    for path in own_programs() {
        let graph = |jobs| {
            shown(
                &dependencies(&path, jobs, Minimization::Fast)
                    .unwrap_or_else(|_| panic!("{} is valid", path.display())),
            )
        };
        let first = graph(1);
        assert!(first == graph(1), "{}: twice in a row", path.display());
        assert!(first == graph(3), "{}: with three jobs", path.display());
    }
}

/// The dependencies of executions are a subset of those of verification, for each node. The exception is an infeasible
/// path, which may be excluded by contradictory path conditions instead of further assumptions.
#[test]
fn executions_need_no_more_than_verifying_takes() {
    let folder = repository().join("tests");
    let mut programs = files_below(&folder.join("dependency"), &folder);
    programs.extend(files_below(&folder.join("programs"), &folder).into_iter().step_by(5));
    let mut smaller = 0;
    for name in programs.iter().filter(|name| name.ends_with(".vpr")) {
        let found = [Definition::Verification, Definition::Execution].map(|definition| {
            dependencies(&folder.join(name), 1, DependencyOptions { definition, ..Minimization::Fast.into() }).ok()
        });
        let [Some(verification), Some(execution)] = found else { continue };
        let asserted = |found: &Dependencies| found.graph.asserted().collect::<Vec<_>>();
        assert_eq!(asserted(&verification), asserted(&execution), "{name}");
        for (more, less) in verification.view.dependencies.iter().zip(&execution.view.dependencies) {
            assert_eq!(more.of, less.of, "{name}");
            let line = verification.view.node(more.of).map_or(0, |node| node.position.start.line);
            let sets = [
                (&more.all, &less.all),
                (&more.explicit, &less.explicit),
                (&more.without_infeasibility, &less.without_infeasibility),
            ];
            for (more, less) in sets {
                let is_condition = |user: &UserId| {
                    let node = verification.view.node(*user);
                    node.is_some_and(|node| node.assumption == Some(Assumption::PathCondition))
                };
                let besides: Vec<UserId> = less.iter().copied().filter(|user| !more.contains(user)).collect();
                let closed = less.len() < more.len() && besides.iter().all(is_condition);
                assert!(besides.is_empty() || closed, "{name} line {line}: {besides:?}");
            }
            assert!(less.direct.iter().all(|user| less.all.contains(user)), "{name} line {line}");
            smaller += usize::from(less.all.len() < more.all.len());
        }
    }
    assert!(smaller >= 10, "{smaller}");
}

/// A conjunctive clause is split into several nodes.
#[test]
fn conjuncts_of_a_promise_of_a_function_count_on_their_own() {
    let path = repository().join("tests").join("dependency").join("members.vpr");
    let found = dependencies(&path, 1, Minimization::Fast).unwrap_or_else(|_| panic!("{} is valid", path.display()));
    let asserted = found.view.nodes.iter().find(|node| node.text.contains("b < |xs|")).expect("there is the assertion");
    let direct = found.graph.direct(asserted.id);
    let named = |text: &str| found.view.nodes.iter().any(|node| node.text == text && direct.contains(&node.id));
    assert!(named("result < |xs|"));
    assert!(!named("a < result") && !named("xs[result] > 7"));
}

/// Another engine may have used what this one does not state: here the conjunct of a promise that failed.
#[test]
fn what_another_engine_may_have_used_is_named() {
    let path = repository().join("tests").join("dependency").join("elsewhere").join("pigeons.vpr");
    let found = dependencies(&path, 1, Minimization::Fast).unwrap_or_else(|_| panic!("{} is valid", path.display()));
    let asserted = found.view.nodes.iter().find(|node| node.text.contains("x1 == x0 ||")).expect("it is asserted");
    let direct = found.graph.direct(asserted.id);
    let named = |text: &str| found.view.nodes.iter().any(|node| node.text == text && direct.contains(&node.id));
    assert!(named("result == x + 1") && named("result == x") && named("x10 < 10"));
    assert!(!named("assume x == x"));
}

/// What is wrong with a program of the corpus; a missing dependency is marked.
fn judge(path: &Path) -> Option<String> {
    let Ok(found) = dependencies(path, 1, Minimization::Fast) else {
        return Some("not a valid program".to_string());
    };
    let (missing, superfluous) = (places(&found, |test| &test.missing), places(&found, |test| &test.superfluous));
    match (missing.is_empty(), superfluous.is_empty()) {
        (false, _) => Some(format!("MISSING {missing}")),
        (true, false) => Some(format!("superfluous {superfluous}")),
        (true, true) => None,
    }
}

/// One in this many programs of the large collection is run, or all that match `ECHIS_CORPUS_ONLY`.
const SAMPLE: usize = 12;

#[test]
fn the_corpus_depends_on_what_it_says() {
    let Some(folder) = corpus_folder() else {
        println!("skipped: there is no ../shared/corpus");
        return;
    };
    let below = |name: &str| files_below(&folder.join(name), &folder);
    let says =
        |name: &String| std::fs::read_to_string(folder.join(name)).is_ok_and(|text| text.contains("@testAssertion"));
    let programs = |name: &str| below(name).into_iter().filter(|name| name.ends_with(".vpr") && says(name));
    let mut names: Vec<String> = programs("dependency").collect();
    match std::env::var(ONLY) {
        Ok(only) => {
            names.extend(programs("precision"));
            names.retain(|name| name.contains(&only));
        }
        // Varies the base program with each interference, so that every row and column of the collection is sampled.
        Err(_) => names
            .extend(programs("precision").enumerate().filter(|(at, _)| at % (SAMPLE + 1) == 0).map(|(_, name)| name)),
    }
    let ratchet = Ratchet::read("dependency.tsv");
    names.retain(|name| !ratchet.is_left_out(name));
    let waits = vec![Vec::new(); names.len()];
    let results = echis::run(
        &waits,
        2,
        || (),
        |(), index| {
            let start = Instant::now();
            let wrong = judge(&folder.join(&names[index]));
            Row { name: names[index].clone(), wrong, time: start.elapsed() }
        },
    );
    let missing: Vec<&String> =
        results.iter().filter_map(|row| row.wrong.as_ref()).filter(|wrong| wrong.starts_with("MISSING")).collect();
    assert!(missing.is_empty(), "{missing:#?}");
    let surprises = ratchet.compare(&results);
    assert!(surprises.is_empty(), "{surprises:#?}");
}
