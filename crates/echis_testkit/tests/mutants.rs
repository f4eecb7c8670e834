//! Mutation testing of checks, run by `cargo xtask mutants`: each check of the engines and the front end is removed in
//! turn, and some program must detect it. If none does, the check is a survivor: either a test is missing, or
//! `tests/mutants.tsv` lists it with the reason why no test can detect it.

use echis::{EngineChoice, FileResult, FileVerdict, MemberResult, Stopped};
use echis_base::mutation::{Site, remove, take_reached};
use echis_testkit::corpus::{Case, ONLY, Opinion, Wanted, corpus, corpus_folder, own_programs};
use echis_testkit::run::{Bench, reported};
use echis_testkit::{files_below, repository, say};
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

/// Slower programs are skipped, because each is verified many times.
const FAST: Duration = Duration::from_millis(1500);
/// Time limit for a program in which the removed check causes a long search, and for programs of attacks.
const LIMIT: Duration = Duration::from_secs(60);
/// Maximum number of programs to try before a check counts as a survivor.
const TRIED: usize = 60;

const ENGINES: [(&str, EngineChoice); 2] = [("symbolic", EngineChoice::Symbolic), ("vcg", EngineChoice::Conditions)];

fn main() -> ExitCode {
    echis::silence_panics();
    let mut cases = own_programs();
    let shared = corpus_folder().map(|folder| corpus(&folder)).unwrap_or_default();
    cases.extend(shared.into_iter().filter(|case| !case.name.starts_with("frontends/")));
    cases.extend(refused());
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some(ONE) => one(&args[1..], &cases),
        engine => {
            if let Ok(only) = std::env::var(ONLY) {
                cases.retain(|case| only.split(',').any(|part| case.name.contains(part)));
            }
            all(&cases, engine, args.get(1..).unwrap_or_default())
        }
    }
}

/// Programs with members that must not be verified, whose names begin with `wrong`.
const REFUSED: &str = "crates/echis_attack/tests/refused";

fn refused() -> impl Iterator<Item = Case> {
    let root = repository();
    let names = files_below(&root.join(REFUSED), &root).into_iter();
    names.map(move |name| Case { path: root.join(&name), name, wanted: Wanted::Exactly(Vec::new()) })
}

fn is_refused(case: &Case) -> bool {
    case.name.starts_with(REFUSED)
}

/// The first argument of a subprocess that removes one check.
const ONE: &str = "--one";

/// Removes every check that some program reaches, in both engines or in the named one; of some files only, if any are named.
fn all(cases: &[Case], engine: Option<&str>, files: &[String]) -> ExitCode {
    let (mut survivors, mut noticed) = (Vec::new(), BTreeSet::new());
    for (name, engine) in ENGINES.into_iter().filter(|(name, _)| engine.is_none_or(|engine| engine == *name)) {
        let bench = Bench::with_engine(engine);
        // The engines share the front end: a mutant detected with one engine need not be detected with the other.
        let mut reaching = reaching(&bench, cases);
        reaching.retain(|site, _| !noticed.contains(site));
        reaching.retain(|site, _| files.is_empty() || files.iter().any(|part| site.file.contains(part.as_str())));
        say(&format!("mutants: {name}: {} checks are reached", reaching.len()));
        let mut killed = 0;
        for (site, programs) in &reaching {
            match killer(name, *site, programs) {
                Some(killer) => {
                    killed += 1;
                    noticed.insert(*site);
                    say(&format!("mutants: {} is noticed by {killer}", shown(*site)));
                }
                None => {
                    say(&format!("mutants: {} is not noticed (line {})", shown(*site), site.line));
                    survivors.push(format!("{name}\t{}", shown(*site)));
                }
            }
        }
        say(&format!("mutants: {name}: {killed} of {} removed checks are noticed", reaching.len()));
    }
    let listed = std::fs::read_to_string(repository().join("tests/mutants.tsv")).unwrap_or_default();
    let listed: BTreeSet<&str> = listed.lines().filter_map(|line| Some(line.rsplit_once('\t')?.0)).collect();
    let unlisted: Vec<&String> = survivors.iter().filter(|survivor| !listed.contains(survivor.as_str())).collect();
    say(&format!("mutants: {} survivors, {} of them without a reason", survivors.len(), unlisted.len()));
    for survivor in &unlisted {
        say(survivor);
    }
    if unlisted.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// For each check, the programs that reach it and have correct results without mutation, fastest first.
fn reaching<'c>(bench: &Bench, cases: &'c [Case]) -> BTreeMap<Site, Vec<&'c Case>> {
    let mut found: BTreeMap<Site, Vec<(Duration, &Case)>> = BTreeMap::new();
    remove(None);
    for case in cases {
        take_reached();
        let start = Instant::now();
        let limit = if is_refused(case) { LIMIT } else { FAST };
        let file = bench.verify(case, limit);
        let time = start.elapsed();
        if time < limit && is_right(case, &file) {
            for site in take_reached() {
                found.entry(site).or_default().push((time, case));
            }
        }
    }
    let sorted = |mut programs: Vec<(Duration, &'c Case)>| {
        programs.sort_by_key(|(time, _)| *time);
        programs.into_iter().map(|(_, case)| case).collect()
    };
    found.into_iter().map(|(site, programs)| (site, sorted(programs))).collect()
}

/// A program with a wrong result if the check is removed. Programs with expected errors are tried first, since an
/// unsound rule accepts those. The check is removed in a subprocess, which may crash.
fn killer(engine: &str, site: Site, programs: &[&Case]) -> Option<String> {
    let (failing, verified): (Vec<&Case>, Vec<&Case>) =
        programs.iter().copied().partition(|case| case.expects_errors() || is_refused(case));
    let names = failing.into_iter().chain(verified).take(TRIED).map(|case| &*case.name);
    let place = [site.file.to_string(), site.line.to_string(), site.column.to_string()];
    let this = std::env::current_exe().expect("the path of this program is known");
    let output =
        Command::new(this).args([ONE, engine]).args(place).args(names).output().expect("a process can be started");
    match output.status.code() {
        Some(0) => Some(String::from_utf8_lossy(&output.stdout).trim().to_string()),
        Some(_) => None,
        None => Some("a crash".to_string()),
    }
}

/// Removes one check and prints the first of the given programs that detects it.
fn one(args: &[String], cases: &[Case]) -> ExitCode {
    let [engine, file, line, column, programs @ ..] = args else { return ExitCode::from(2) };
    let (Ok(line), Ok(column)) = (line.parse(), column.parse()) else { return ExitCode::from(2) };
    let Some((_, engine)) = ENGINES.iter().find(|(name, _)| name == engine) else { return ExitCode::from(2) };
    let bench = Bench::with_engine(*engine);
    remove(Some(Site { file: file.clone().leak(), line, column }));
    let is_wrong = |case: &&Case| {
        let file = bench.verify(case, LIMIT);
        // A timeout is not a wrong result.
        let is_late = file.stopped.iter().any(|stopped| matches!(stopped, Stopped::TimeOut { .. }));
        !is_late && !is_right(case, &file)
    };
    let case = |name: &String| cases.iter().find(|case| case.name == *name);
    match programs.iter().filter_map(case).find(is_wrong) {
        Some(case) => {
            println!("{}", case.name);
            ExitCode::SUCCESS
        }
        None => ExitCode::FAILURE,
    }
}

fn is_right(case: &Case, file: &FileResult) -> bool {
    if is_refused(case) {
        let is_accepted =
            |member: &MemberResult| member.name.starts_with("wrong") && member.verdict == FileVerdict::Verified;
        return !file.members.iter().any(is_accepted);
    }
    file.stopped.is_empty() && case.judge(&reported(file)) == Opinion::Right
}

/// A check as source text. Line numbers change, so the list of survivors contains text.
fn shown(site: Site) -> String {
    let source = std::fs::read_to_string(repository().join(site.file)).unwrap_or_default();
    let line = source.lines().nth(site.line as usize - 1).unwrap_or_default().trim();
    format!("{}\t{line}", site.file.trim_start_matches("crates/"))
}
