//! Verdicts of earlier runs are those of this one: programs are edited at random, and verified with and without them.
//! `ECHIS_EDITS` says how often; `cargo xtask cache` sets it.

use echis_driver::{Buffers, Cache, Cancel, FileResult, Settings, Silent, Solvers, verify};
use echis_testkit::edits::{Random, edited};
use echis_testkit::{files_below, repository};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

const FEW: usize = 60;
/// A program is edited so often before it is the original one again.
const WALK: usize = 12;

#[test]
fn edited_programs_have_the_verdicts_of_a_run_without_cache() {
    let edits = std::env::var("ECHIS_EDITS").ok().and_then(|edits| edits.parse().ok()).unwrap_or(FEW);
    let seed = std::env::var("ECHIS_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    let folder = std::env::temp_dir().join(format!("echis-edits-{}", std::process::id()));
    let cache = Arc::new(Cache::open(Some(&folder)).expect("the folder can be made"));
    let programs = programs();
    let solvers = Solvers::locate(None, None, &Cancel::never()).expect("there is a solver");
    let mut random = Random::new(seed);
    let (mut verified, mut members, mut cached) = (0, 0, 0);
    let mut done = 0;
    while done < edits {
        let (name, original) = &programs[random.below(programs.len())];
        let mut text = original.clone();
        for _ in 0..WALK.min(edits - done) {
            let fresh = run(name, &text, None, &solvers);
            let known = run(name, &text, Some(cache.clone()), &solvers);
            let (fresh_told, known_told) = (told(&fresh), told(&known));
            assert_eq!(fresh_told, known_told, "seed {seed}, {name} as edited:\n{text}");
            verified += usize::from(!fresh.members.is_empty());
            members += known.members.len();
            cached += known.members.iter().filter(|member| member.cached).count();
            // What is no program is left behind.
            let before = if fresh.members.is_empty() { original } else { &text };
            text = edited(before, &mut random);
            done += 1;
        }
    }
    println!("{edits} edits, {verified} of them programs; {cached} of {members} members were known");
    assert!(cached * 4 > members, "only {cached} of {members} members were known");
    drop(cache);
    let _ = std::fs::remove_dir_all(folder);
}

fn run(name: &str, text: &str, cache: Option<Arc<Cache>>, solvers: &Solvers) -> FileResult {
    let texts = [(name.to_string(), Arc::from(text))].into();
    let settings = Settings { cache, loader: Arc::new(Buffers { texts }), ..Settings::new(Cancel::never()) };
    verify(Path::new(name), &settings, solvers, &Silent)
}

/// Everything that is said, but for how long it took.
fn told(result: &FileResult) -> String {
    let members = result.members.iter().map(|found| (&found.name, found.kind, found.verdict, found.checks));
    let findings = result.errors.iter().map(|found| {
        let undecided = found.undecided.as_deref();
        (&found.diagnostic, &found.member, &found.reason, &found.paths, found.cascade, undecided, &found.note)
    });
    let (members, findings): (Vec<_>, Vec<_>) = (members.collect(), findings.collect());
    format!("{:?}\n{members:#?}\n{findings:#?}\n{:?}\n{:?}", result.verdict, result.warnings, result.stopped)
}

/// Programs of our own that are verified quickly.
fn programs() -> Vec<(String, String)> {
    let folder = repository().join("tests/programs");
    let paths = files_below(&folder, &folder).into_iter().filter(|path| path.ends_with(".vpr"));
    let all = paths.filter_map(|path| {
        let path = folder.join(path);
        let text = std::fs::read_to_string(&path).ok().filter(|text| text.len() < 4_000)?;
        Some((path.to_string_lossy().into_owned(), text))
    });
    let solvers = Solvers::locate(None, None, &Cancel::never()).expect("there is a solver");
    let mut random = Random::new(7);
    let mut all: Vec<(String, String)> = all.collect();
    let mut quick = Vec::new();
    while quick.len() < 50 && !all.is_empty() {
        let (name, text) = all.swap_remove(random.below(all.len()));
        let found = run(&name, &text, None, &solvers);
        if found.members.len() > 1 && found.time < Duration::from_millis(500) {
            quick.push((name, text));
        }
    }
    quick
}
