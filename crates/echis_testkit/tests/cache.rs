//! Cached verdicts agree with fresh ones: programs are edited at random and verified with and without a cache.
//! `ECHIS_EDITS` sets the number of edits; `cargo xtask cache` sets this variable.

use echis::{
    Cache, Cancel, Config, FileResult, FileVerdict, Finding, Settings, Silent, Source, Status, Verifier, View,
};
use echis_testkit::edits::{Random, edited};
use echis_testkit::{files_below, repository};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const FEW: usize = 60;
/// Number of consecutive edits before returning to the original program.
const WALK: usize = 12;
/// Resource limit per obligation, since an edit may make a proof infeasible.
const EFFORT: u32 = 200_000;

#[test]
fn edited_programs_have_the_verdicts_of_a_run_without_cache() {
    walk("edits", |cache| cache, |_, _, fresh, known| assert_eq!(told(fresh), told(known)));
}

/// With `--cache cores`, a member may count as verified although a fresh run fails to find the proof, because it has
/// more facts to choose from. This never accepts a wrong program: where the two runs differ, the failed obligations
/// must not have a confirmed counterexample, and all other results must agree.
#[test]
fn edited_programs_have_the_verdicts_of_a_run_without_cache_where_cores_count() {
    let mut differing = 0;
    walk("cores", Cache::with_cores, |name, text, fresh, known| {
        let spared = |name: &str| {
            let of = |result: &FileResult| result.members.iter().find(|member| *member.name == *name).cloned();
            let (Some(fresh), Some(known)) = (of(fresh), of(known)) else { return false };
            known.cached && known.verdict == FileVerdict::Verified && fresh.verdict != FileVerdict::Verified
        };
        let names: Vec<String> = fresh.members.iter().map(|member| member.name.to_string()).collect();
        let spared: Vec<String> = names.into_iter().filter(|name| spared(name)).collect();
        if !spared.is_empty() {
            differing += 1;
            println!("{name}: {} by cores only, as edited:\n{text}", spared.join(", "));
        }
        assert_eq!(told_but(fresh, &spared), told_but(known, &spared));
        if spared.is_empty() {
            return;
        }
        let failed =
            |found: &&Finding| found.member.as_ref().is_some_and(|of| spared.iter().any(|name| **name == **of));
        for found in with_values(name, text).errors.iter().filter(failed) {
            let example = found.counterexample.as_ref();
            assert!(example.is_none_or(|example| example.status != Status::Confirmed), "{}", found.diagnostic.message);
        }
    });
    println!("{differing} programs of which something is verified by cores only");
}

/// Entries that are corrupt, truncated, or swapped with other entries never change a verdict.
#[test]
fn tampering_with_entries_changes_no_verdict() {
    let folder = std::env::temp_dir().join(format!("echis-tampered-{}", std::process::id()));
    let open = || Arc::new(Cache::open(Some(&folder)).expect("the folder can be made"));
    let programs: Vec<(String, String)> = programs().into_iter().take(12).collect();
    let fresh = verifier(Some(EFFORT), None);
    let expected: Vec<String> = programs.iter().map(|(name, text)| told(&run(name, text, &fresh))).collect();
    let mut random = Random::new(5);
    let mut tampered = 0;
    for _ in 0..4 {
        for (name, text) in &programs {
            run(name, text, &verifier(Some(EFFORT), Some(open())));
        }
        tampered += tamper(&folder, &mut random);
        for ((name, text), expected) in programs.iter().zip(&expected) {
            let known = run(name, text, &verifier(Some(EFFORT), Some(open())));
            assert_eq!(*expected, told(&known), "{name}");
        }
    }
    println!("{tampered} entries were tampered with");
    assert!(tampered > 50, "only {tampered} entries were tampered with");
    let _ = std::fs::remove_dir_all(folder);
}

/// Corrupts every entry in one of several ways and returns their number.
fn tamper(folder: &Path, random: &mut Random) -> usize {
    let files: Vec<PathBuf> = files_below(folder, folder).into_iter().map(|file| folder.join(file)).collect();
    let contents: Vec<Vec<u8>> = files.iter().map(|file| std::fs::read(file).unwrap_or_default()).collect();
    for (file, content) in files.iter().zip(&contents) {
        let mut content = content.clone();
        let place = random.below(content.len().max(1));
        match random.below(4) {
            0 => content.truncate(place),
            1 => content = contents[random.below(contents.len())].clone(),
            2 => content.extend_from_slice(b"\n{}"),
            _ => content.iter_mut().skip(place).take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
        }
        std::fs::write(file, content).expect("an entry can be written");
    }
    files.len()
}

/// Edits programs and compares runs with and without a cache.
fn walk(purpose: &str, manner: impl Fn(Cache) -> Cache, mut compare: impl FnMut(&str, &str, &FileResult, &FileResult)) {
    let edits = std::env::var("ECHIS_EDITS").ok().and_then(|edits| edits.parse().ok()).unwrap_or(FEW);
    let seed = std::env::var("ECHIS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let folder = std::env::temp_dir().join(format!("echis-{purpose}-{}", std::process::id()));
    let cache = Arc::new(manner(Cache::open(Some(&folder)).expect("the folder can be made")));
    let programs = programs();
    let (fresh, knowing) = (verifier(Some(EFFORT), None), verifier(Some(EFFORT), Some(cache.clone())));
    let mut random = Random::new(seed);
    let (mut verified, mut members, mut cached) = (0, 0, 0);
    let mut done = 0;
    while done < edits {
        let (name, original) = &programs[random.below(programs.len())];
        let mut text = original.clone();
        for _ in 0..WALK.min(edits - done) {
            let (fresh, known) = (run(name, &text, &fresh), run(name, &text, &knowing));
            let compared = catch_unwind(AssertUnwindSafe(|| compare(name, &text, &fresh, &known)));
            compared.unwrap_or_else(|_| panic!("seed {seed}, {name} as edited:\n{text}"));
            verified += usize::from(!fresh.members.is_empty());
            members += known.members.len();
            cached += known.members.iter().filter(|member| member.cached).count();
            // An invalid program is dropped: editing continues with the original.
            let before = if fresh.members.is_empty() { original } else { &text };
            text = edited(before, &mut random);
            done += 1;
            if done % 500 == 0 {
                println!("{purpose}: {done} edits, {cached} of {members} members known");
            }
        }
    }
    println!("{purpose}: {edits} edits, {verified} of them programs; {cached} of {members} members were known");
    assert!(cached * 4 > members, "only {cached} of {members} members were known");
    drop((cache, knowing));
    let _ = std::fs::remove_dir_all(folder);
}

fn with_values(name: &str, text: &str) -> FileResult {
    let settings = Settings { counterexample: Some(View::Variables), ..Settings::new(Cancel::never()) };
    verifier(Some(EFFORT), None).verify_source(Source::text(name, text), &settings, &Silent)
}

fn verifier(rlimit: Option<u32>, cache: Option<Arc<Cache>>) -> Verifier {
    Verifier::new(Config { rlimit, cache, ..Config::default() }).expect("there is a solver")
}

fn run(name: &str, text: &str, verifier: &Verifier) -> FileResult {
    verifier.verify_source(Source::text(name, text), &Settings::new(Cancel::never()), &Silent)
}

/// All results except times.
fn told(result: &FileResult) -> String {
    let checks: Vec<usize> = result.members.iter().map(|found| found.checks).collect();
    format!("{:?}\n{checks:?}\n{}", result.verdict, told_but(result, &[]))
}

/// All results except for the given members and the number of checks.
fn told_but(result: &FileResult, without: &[String]) -> String {
    let others = |name: &str| !without.iter().any(|without| *without == *name);
    let members = result.members.iter().filter(|found| others(&found.name));
    let members = members.map(|found| (&found.name, found.kind, found.verdict));
    let findings = result.errors.iter().filter(|found| found.member.as_deref().is_none_or(others)).map(|found| {
        let undecided = found.undecided.as_deref();
        (&found.diagnostic, &found.member, &found.reason, &found.paths, found.cascade, undecided, &found.note)
    });
    let (members, findings): (Vec<_>, Vec<_>) = (members.collect(), findings.collect());
    format!("{members:#?}\n{findings:#?}\n{:?}\n{:?}", result.warnings, result.stopped)
}

/// Programs of the repository that verify quickly.
fn programs() -> Vec<(String, String)> {
    let folder = repository().join("tests/programs");
    let paths = files_below(&folder, &folder).into_iter().filter(|path| path.ends_with(".vpr"));
    let all = paths.filter_map(|path| {
        let path = folder.join(path);
        let text = std::fs::read_to_string(&path).ok().filter(|text| text.len() < 4_000)?;
        Some((path.to_string_lossy().into_owned(), text))
    });
    let verifier = verifier(None, None);
    let mut random = Random::new(7);
    let mut all: Vec<(String, String)> = all.collect();
    let mut quick = Vec::new();
    while quick.len() < 50 && !all.is_empty() {
        let (name, text) = all.swap_remove(random.below(all.len()));
        let found = run(&name, &text, &verifier);
        if found.members.len() > 1 && found.time < Duration::from_millis(500) {
            quick.push((name, text));
        }
    }
    quick
}
