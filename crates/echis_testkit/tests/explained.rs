//! Explaining a program gives exactly the results of verifying it, whether or not it verifies: the verdict of every
//! member, and every error with its id, its range and whether it follows from another one.

use echis::depend::Minimization;
use echis::{Cancel, FileResult, Settings, Silent, Source};
use echis_testkit::corpus::{ONLY, corpus_folder};
use echis_testkit::run;
use echis_testkit::{files_below, repository, say};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Programs that take longer in either mode are skipped.
const LIMIT: Duration = Duration::from_secs(20);
/// Environment variable: one in this many programs of the corpus is run.
const EVERY: &str = "ECHIS_EXPLAINED_EVERY";
const SAMPLE: usize = 40;

/// All results about proofs that users see, one per line.
fn told(file: &FileResult) -> Vec<String> {
    let members = file.members.iter().map(|member| format!("{} {}", member.name, member.verdict.name()));
    let errors = file.errors.iter().map(|finding| {
        let error = &finding.diagnostic;
        let range = error.span.map(|span| file.sources.position(span));
        format!("{} {range:?} follows from another: {}", error.id, finding.cascade)
    });
    let mut told: Vec<String> = members.chain(errors).collect();
    told.sort();
    told.insert(0, file.verdict.name().to_string());
    told
}

/// The results of both modes, unless one timed out.
fn both_ways(path: &Path) -> Option<(Vec<String>, Vec<String>)> {
    let settings = || Settings { jobs: 1, ..Settings::new(Cancel::after(Some(LIMIT))) };
    let verifier = || run::verifier(&Cancel::after(Some(2 * LIMIT)));
    let verified = verifier().verify_source(Source::file(path), &settings(), &Silent);
    if !verified.stopped.is_empty() {
        return None;
    }
    let verifier = verifier();
    let checked = verifier.check(Source::file(path));
    let explained = verifier.explain(&checked, &settings(), Minimization::Fast, &Silent);
    let explained = match explained.dependencies(Minimization::Fast) {
        Ok(found) => found.result.clone(),
        Err(result) => *result,
    };
    explained.stopped.is_empty().then(|| (told(&verified), told(&explained)))
}

/// The programs with different results.
fn differences(what: &str, programs: &[PathBuf]) -> Vec<String> {
    let waits = vec![Vec::new(); programs.len()];
    let answers = echis::run(&waits, 2, || (), |(), index| both_ways(&programs[index]));
    let finished: Vec<_> = programs.iter().zip(answers).filter_map(|(path, both)| Some((path, both?))).collect();
    let verdicts = |name: &str| finished.iter().filter(|(_, (verified, _))| verified[0] == name).count();
    say(&format!(
        "explained, {what}: {} programs, {} verify, {} fail, {} are invalid, {} left out",
        programs.len(),
        verdicts("verified"),
        verdicts("failed"),
        verdicts("invalid"),
        programs.len() - finished.len()
    ));
    let different = finished.iter().filter(|(_, (verified, explained))| verified != explained);
    let lines = different.map(|(path, (verified, explained))| {
        let only = |these: &[String], those: &[String]| -> Vec<String> {
            these.iter().filter(|line| !those.contains(line)).cloned().collect()
        };
        let (path, less, more) = (path.display(), only(verified, explained), only(explained, verified));
        format!("{path}: only verifying says {less:#?}, only explaining {more:#?}")
    });
    lines.collect()
}

#[test]
fn own_programs_are_explained_with_the_same_errors() {
    let folder = repository().join("tests");
    let programs = files_below(&folder.join("programs"), &folder);
    let programs = programs.iter().filter(|name| name.ends_with(".vpr")).step_by(4);
    let different = differences("own programs", &programs.map(|name| folder.join(name)).collect::<Vec<_>>());
    assert!(different.is_empty(), "{}", different.join("\n"));
}

#[test]
fn the_corpus_is_explained_with_the_same_errors() {
    let Some(folder) = corpus_folder() else {
        println!("skipped: there is no ../shared/corpus");
        return;
    };
    let mut programs: Vec<String> = files_below(&folder.join("viper"), &folder);
    programs.retain(|name| name.ends_with(".vpr"));
    let every = match std::env::var(ONLY) {
        Ok(only) => {
            programs.retain(|name| name.contains(&only));
            1
        }
        Err(_) => std::env::var(EVERY).ok().and_then(|every| every.parse().ok()).unwrap_or(SAMPLE).max(1),
    };
    let programs: Vec<PathBuf> = programs.iter().step_by(every).map(|name| folder.join(name)).collect();
    let different = differences("shared corpus", &programs);
    assert!(different.is_empty(), "{} programs differ:\n{}", different.len(), different.join("\n"));
}
