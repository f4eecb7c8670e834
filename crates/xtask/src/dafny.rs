//! `cargo xtask dafny`: checks that Echis agrees with Dafny on Dafny programs, printed by Dafny as Boogie programs.

use crate::bench::on_path;
use crate::command::{Binary, Ended, holds};
use crate::echis::repository;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Ticks per second in `/proc`.
const TICKS: f64 = 100.0;

/// The start of programs that Dafny proves and Echis does not.
const KNOWN: &str = "// Not proved here: ";

pub fn run(binary: &Binary) -> Ended {
    let Some(dafny) = on_path("dafny") else {
        println!("dafny: skipped, it is not installed");
        return holds(true);
    };
    let echis = binary.find()?;
    let scratch = std::env::temp_dir().join(format!("echis-dafny-{}", std::process::id()));
    std::fs::create_dir_all(&scratch).map_err(|error| format!("{} cannot be created: {error}", scratch.display()))?;
    let (mut alike, mut known, mut total, mut ours, mut theirs) = (0, 0, 0, 0.0, 0.0);
    for program in programs() {
        let name = program.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let printed = scratch.join(format!("{name}.bpl"));
        let clock = Clock::start();
        let Some(errors) = judged_by_dafny(&dafny, &program, &printed) else {
            println!("  {name}: Dafny does not come to an end");
            continue;
        };
        let dafny_time = clock.seconds();
        total += 1;
        let clock = Clock::start();
        let texts = texts(&scratch, &name);
        let files = echis.json(
            &["verify", "--format", "json"].into_iter().chain(texts.iter().map(|text| &**text)).collect::<Vec<_>>(),
        );
        let echis_time = clock.seconds();
        (ours, theirs) = (ours + echis_time, theirs + dafny_time);
        if echis_time > dafny_time {
            println!("  {name}: {echis_time:.1} s, slower than Dafny with {dafny_time:.1} s");
        }
        let verdict = verdict(&files);
        let expected = if errors == 0 { "verified" } else { "failed" };
        let is_known = std::fs::read_to_string(&program).is_ok_and(|text| text.starts_with(KNOWN));
        match (verdict == expected, is_known) {
            (true, false) => alike += 1,
            (false, true) => known += 1,
            (true, true) => println!("  {name}: {verdict}, although it says that it is not proved here"),
            (false, false) => println!("  {name}: {verdict} instead of {expected}"),
        }
    }
    // Errors in cleaning up are harmless.
    let _ = std::fs::remove_dir_all(&scratch);
    println!("dafny: {alike} of {total} programs judged as Dafny does, {known} known to differ");
    println!("dafny: echis {ours:.1} s, dafny {theirs:.1} s of processor time, {:.2} times", ours / theirs.max(0.01));
    holds(alike + known == total)
}

/// What Dafny printed: one file, or one for each module.
fn texts(scratch: &Path, name: &str) -> Vec<String> {
    let entries = std::fs::read_dir(scratch).into_iter().flatten().flatten();
    let is_of = |path: &PathBuf| {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        stem == name || stem.strip_prefix(name).is_some_and(|rest| rest.starts_with("__"))
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_of).collect();
    paths.sort();
    paths.into_iter().map(|path| path.display().to_string()).collect()
}

/// The verdict that all files have, or the first other one.
fn verdict(files: &[Value]) -> String {
    let verdicts: Vec<&str> = files.iter().filter_map(|file| file["verdict"].as_str()).collect();
    let other = verdicts.iter().find(|verdict| **verdict != "verified");
    other.or(verdicts.first()).copied().unwrap_or("no answer").to_string()
}

/// Measures the processor time of child processes that have ended, or the time that passes if the system does not tell.
struct Clock {
    start: Instant,
    spent: Option<f64>,
}

impl Clock {
    fn start() -> Self {
        Clock { start: Instant::now(), spent: spent_by_children() }
    }
    fn seconds(&self) -> f64 {
        match (self.spent, spent_by_children()) {
            (Some(before), Some(now)) => now - before,
            _ => self.start.elapsed().as_secs_f64(),
        }
    }
}

fn spent_by_children() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name in parentheses may contain spaces. Fields 16 and 17 are the user and system time of children.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks: Vec<f64> = fields.split_whitespace().skip(13).take(2).filter_map(|field| field.parse().ok()).collect();
    (ticks.len() == 2).then(|| ticks.iter().sum::<f64>() / TICKS)
}

fn programs() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(repository().join("tests").join("dafny")).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "dfy"));
    paths.sort();
    paths
}

/// The number of errors that Dafny finds; its Boogie program is written to the other file.
fn judged_by_dafny(dafny: &Path, program: &Path, printed: &Path) -> Option<usize> {
    let mut command = Command::new(dafny);
    command.arg(program).arg(format!("/print:{}", printed.display())).args(["/compile:0", "/timeLimit:60"]);
    let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = text.lines().find(|line| line.contains("finished with "))?;
    let (_, numbers) = line.split_once(" verified, ")?;
    numbers.split_once(" error")?.0.parse().ok()
}
