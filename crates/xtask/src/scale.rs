//! `cargo xtask scale`: time, memory and output of programs with very many members, and of a cache with as many entries.

use crate::command::{Binary, Ended, holds};
use crate::echis::{Echis, Run, Scratch};
use clap::Args;
use std::fmt::Write;

#[derive(Args)]
pub struct Options {
    /// The number of members of each program
    #[arg(default_values_t = [1_000, 10_000])]
    members: Vec<usize>,
    /// Worker threads
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Fail if Echis and its solvers take more memory than this
    #[arg(long, value_name = "MB")]
    most_memory: Option<f64>,
    #[command(flatten)]
    binary: Binary,
}

pub fn run(options: &Options) -> Ended {
    let echis = options.binary.find()?;
    let scratch = Scratch::new();
    println!("{:>8}  {:<16} {:>9} {:>8} {:>9}", "members", "", "seconds", "MB", "output MB");
    let mut most = 0.0f64;
    for count in &options.members {
        let path = scratch.write(&format!("{count}.vpr"), &program(*count));
        let cache = scratch.0.join(format!("cache-{count}")).to_string_lossy().into_owned();
        let jobs = options.jobs.to_string();
        let verify = |more: &[&str]| echis.run(&[&["verify", &path, "--jobs", &jobs, "-q"], more].concat());
        let check = echis.run(&["check", &path, "-q"]);
        for (name, run) in [
            ("check", check),
            ("json", verify(&["--format", "json", "--no-cache"])),
            ("jsonl", verify(&["--format", "jsonl", "--no-cache"])),
            ("fill the cache", verify(&["--format", "json", "--cache", &cache])),
            ("whole from cache", verify(&["--format", "json", "--cache", &cache])),
            ("members from cache", edited(&echis, &scratch, *count, &jobs, &cache)),
            ("cache stats", echis.run(&["cache", "stats", "--cache", &cache])),
            ("cache gc", echis.run(&["cache", "gc", "--max-size", "1M", "--cache", &cache])),
        ] {
            if run.code != Some(0) {
                return Err(format!("{name} of {count} members ends with {:?}", run.code));
            }
            let Run { seconds, memory, output, .. } = run;
            let size = output.len() as f64 / f64::from(1 << 20);
            println!("{count:>8}  {name:<18} {seconds:>9.2} {memory:>8.0} {size:>9.2}");
            most = most.max(memory);
        }
    }
    holds(options.most_memory.is_none_or(|bound| most <= bound))
}

/// One method changes; the verdicts of the others are known.
fn edited(echis: &Echis, scratch: &Scratch, count: usize, jobs: &str, cache: &str) -> Run {
    let text = program(count) + "method last() { assert true }\n";
    let path = scratch.write(&format!("{count}-edited.vpr"), &text);
    echis.run(&["verify", &path, "--jobs", jobs, "-q", "--format", "json", "--cache", cache])
}

/// Methods as front ends write them: permission, a call, a loop now and then.
fn program(count: usize) -> String {
    let mut text = String::from("field value: Int\nfunction twice(n: Int): Int ensures result == n + n { 2 * n }\n");
    for index in 0..count.saturating_sub(1) {
        let _ = write!(
            text,
            "method m{index}(r: Ref, n: Int) returns (sum: Int)\n  requires acc(r.value) && n >= 0\n  ensures acc(r.value) && \
             r.value == {index} + n\n{{\n  r.value := {index}\n  sum := twice(n)\n  r.value := r.value + sum - n\n  assert \
             sum >= n\n}}\n"
        );
    }
    text
}
