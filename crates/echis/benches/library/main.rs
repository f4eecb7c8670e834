//! What it costs to build programs instead of reading them, and how many small programs one process verifies.
//!
//! `cargo xtask bench library` runs it: `both FILES` verifies programs that are read and the same programs built node by node;
//! `text FILES` and `built FILES` only check them, for their memory; `many N THREADS` verifies small programs in one process.
//! Each prints one line of JSON.

#[path = "../../../echis_build/tests/rebuild/mod.rs"]
mod rebuild;

use echis::build::{Built, Method, ProgramBuilder, Type};
use echis::{Checked, Config, FileVerdict, Settings, Silent, Source, Verifier};
use echis_base::{Severity, SourceFile, SourceMap};
use echis_syntax::parse_program;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let words: Vec<&str> = args.iter().map(|arg| &**arg).collect();
    match words[..] {
        ["both", ref files @ ..] => both(files),
        ["text", ref files @ ..] => checked(files, false),
        ["built", ref files @ ..] => checked(files, true),
        ["many", programs, threads] => many(number(programs), number(threads)),
        // Without arguments there is nothing to measure.
        _ => println!("usage: both FILES | text FILES | built FILES | many N THREADS"),
    }
}

fn number(text: &str) -> usize {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no number"))
}

/// What one way in took for all programs: before verification, and in all.
#[derive(Default)]
struct Took {
    front: Duration,
    all: Duration,
    verified: usize,
}

/// Verifies each file both ways, one after the other, so that both meet the same load; the second way goes first for every
/// other file. Reading the tree that is built again is not counted.
fn both(files: &[&str]) {
    let verifier = Verifier::new(Config::default()).expect("there is a solver");
    let (mut text_took, mut built_took, mut programs, mut lines) = (Took::default(), Took::default(), 0, 0);
    for file in files {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let Some(tree) = tree(file, &text) else { continue };
        let as_text = || verifier.check(Source::text(*file, &*text));
        let as_built = || verifier.check(Source::program(&rebuilt(file, &tree)));
        if programs % 2 == 0 {
            text_took.add(&verifier, as_text);
            built_took.add(&verifier, as_built);
        } else {
            built_took.add(&verifier, as_built);
            text_took.add(&verifier, as_text);
        }
        programs += 1;
        lines += text.lines().count();
    }
    let (text, built) = (text_took.json(), built_took.json());
    println!("{{\"programs\": {programs}, \"lines\": {lines}, \"text\": {text}, \"built\": {built}}}");
}

impl Took {
    fn add(&mut self, verifier: &Verifier, check: impl FnOnce() -> Arc<Checked>) {
        let start = Instant::now();
        let checked = check();
        self.front += start.elapsed();
        let settings = Settings { jobs: 1, ..Settings::default() };
        let verdict = verifier.verify(&checked, &settings, &Silent).result().verdict;
        self.all += start.elapsed();
        self.verified += usize::from(verdict == FileVerdict::Verified);
    }
    fn json(&self) -> String {
        let (front, all, verified) = (self.front.as_secs_f64(), self.all.as_secs_f64(), self.verified);
        format!("{{\"front\": {front:.3}, \"all\": {all:.3}, \"verified\": {verified}}}")
    }
}

/// How much memory the programs take until they are checked.
fn checked(files: &[&str], build: bool) {
    let verifier = Verifier::new(Config::default()).expect("there is a solver");
    for file in files {
        let Ok(text) = std::fs::read_to_string(file) else { continue };
        let Some(tree) = tree(file, &text) else { continue };
        match build {
            true => drop(verifier.check(Source::program(&rebuilt(file, &tree)))),
            false => drop(verifier.check(Source::text(*file, &*text))),
        }
    }
    println!("{{\"memory\": {}}}", memory());
}

fn rebuilt(file: &str, tree: &echis_syntax::ast::Program) -> Built<rebuild::Place> {
    rebuild::rebuild(tree).unwrap_or_else(|problems| panic!("{file}: {problems:?}"))
}

/// The syntax tree of a program without errors.
fn tree(file: &str, text: &str) -> Option<echis_syntax::ast::Program> {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new(file, text));
    let (tree, diagnostics) = parse_program(&mut sources, main, &echis::Files);
    let is_read = diagnostics.iter().all(|diagnostic| diagnostic.severity != Severity::Error);
    let is_valid = || Checked::new(Source::text(Path::new(file), text)).is_valid();
    (is_read && is_valid()).then_some(tree)
}

/// A method that moves a number along.
fn small(index: usize) -> Built<u32> {
    let mut b = ProgramBuilder::new();
    b.field("f", Type::Int);
    let (this, n, number) = (b.var("this"), b.var("n"), b.int(index as i128));
    let value = b.field_of(this, "f");
    let (held, low, sum) = (b.acc_full(value), b.gt(n, number), b.add(value, n));
    let before = b.old(value);
    let more = b.gt(value, before);
    let (assign, assert) = (b.assign(value, sum), b.assert(more));
    let assert = b.stmt_at(assert, 1);
    let method = Method::new("m").param("this", Type::Ref).param("n", Type::Int);
    b.method(method.requires(held).requires(low).ensures(held).ensures(more).body([assign, assert]).at(0));
    b.finish().expect("all names are identifiers")
}

fn many(programs: usize, threads: usize) {
    let verifier = Verifier::new(Config::default()).expect("there is a solver");
    let (next, verified, start) = (AtomicUsize::new(0), AtomicUsize::new(0), Instant::now());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let settings = Settings { jobs: 1, ..Settings::default() };
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= programs {
                        return;
                    }
                    let checked: Arc<Checked> = verifier.check(Source::program(&small(index)));
                    let verification = verifier.verify(&checked, &settings, &Silent);
                    verified.fetch_add(usize::from(verification.is_verified()), Ordering::Relaxed);
                }
            });
        }
    });
    let (seconds, starts) = (start.elapsed().as_secs_f64(), verifier.statistics().solver_starts);
    let (verified, memory) = (verified.into_inner(), memory());
    println!(
        "{{\"programs\": {programs}, \"verified\": {verified}, \"seconds\": {seconds:.3}, \"solver_starts\": {starts}, \
         \"memory\": {memory}}}"
    );
}

/// The most memory that this process had, in kilobytes, where the system tells; solvers are not part of it.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}
