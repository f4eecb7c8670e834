//! Programs built through the Rust library, beside the same programs read as text; and many small programs in one process.

use super::Options;
use crate::corpus::{corpus, programs};
use crate::echis::repository;
use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;

/// Programs that front ends generated.
const FOLDER: &str = "frontends";
const SMALL: usize = 1000;
const THREADS: usize = 2;

pub fn run(options: &Options) {
    let Some(binary) = built() else { return println!("library: the benchmark cannot be built") };
    let measure = |args: &[&str]| -> Option<Value> {
        let output = Command::new(&binary).args(args).output().ok()?;
        serde_json::from_slice(&output.stdout).ok()
    };
    match corpus().map(|corpus| programs(&corpus.join(FOLDER))) {
        Some(files) => {
            let files = files.iter().filter(|file| file.contains(&options.only)).step_by(options.sample());
            let files: Vec<&str> = files.map(|file| &**file).collect();
            let with = |how| [&[how], &files[..]].concat();
            match (measure(&with("both")), measure(&with("text")), measure(&with("built"))) {
                (Some(both), Some(text), Some(built)) => compare(&both, &text, &built),
                _ => println!("library: the programs of front ends could not be measured"),
            }
        }
        None => println!("library: programs of front ends are skipped: there is no ../shared/corpus"),
    }
    if let Some(many) = measure(&["many", &SMALL.to_string(), &THREADS.to_string()]) {
        let rate = number(&many, "programs") / number(&many, "seconds");
        println!(
            "library: {SMALL} small programs in one process, {THREADS} threads: {rate:.0} a second, {} verified, {} solvers \
             started, {:.0} MB",
            many["verified"],
            many["solver_starts"],
            number(&many, "memory") / 1024.0,
        );
    }
}

fn compare(both: &Value, text_only: &Value, built_only: &Value) {
    let (text, built) = (&both["text"], &both["built"]);
    println!(
        "library: {} programs of front ends, {} lines: verified {} as text, {} built",
        both["programs"], both["lines"], text["verified"], built["verified"]
    );
    let memory = |value| number(value, "memory") / 1024.0;
    for (unit, text, built) in [
        ("s before verification", number(text, "front"), number(built, "front")),
        ("s in all", number(text, "all"), number(built, "all")),
        ("MB at most until checked", memory(text_only), memory(built_only)),
    ] {
        println!("library: {unit}: {text:.2} as text, {built:.2} built, ratio {:.2}", built / text);
    }
}

fn number(value: &Value, part: &str) -> f64 {
    value[part].as_f64().unwrap_or(f64::NAN)
}

/// The benchmark's executable.
fn built() -> Option<PathBuf> {
    let args = ["bench", "-p", "echis", "--bench", "library", "--no-run", "--message-format=json"];
    let output = Command::new(env!("CARGO")).args(args).current_dir(repository()).output().ok()?;
    let messages = String::from_utf8_lossy(&output.stdout).into_owned();
    let artifacts = messages.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut executables = artifacts.filter_map(|artifact| {
        let is_bench = artifact["target"]["kind"][0] == "bench";
        artifact["executable"].as_str().filter(|_| is_bench).map(PathBuf::from)
    });
    executables.next()
}
