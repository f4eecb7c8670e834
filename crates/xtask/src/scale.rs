//! `cargo xtask scale`: measures time, memory and output for programs with very many members, and for a cache with as
//! many entries.

use crate::command::{Binary, Ended, holds};
use crate::echis::{Run, Scratch};
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
    /// Fail if Echis and its solvers use more memory than this
    #[arg(long, value_name = "MB")]
    most_memory: Option<f64>,
    #[command(flatten)]
    binary: Binary,
}

pub fn run(options: &Options) -> Ended {
    let echis = options.binary.find()?;
    let scratch = Scratch::new();
    println!("{:>8}  {:<18} {:>9} {:>8} {:>9}", "members", "", "seconds", "MB", "output MB");
    let mut most = 0.0f64;
    for count in &options.members {
        let path = scratch.write(&format!("{count}.vpr"), &program(*count));
        let cache = scratch.0.join(format!("cache-{count}")).to_string_lossy().into_owned();
        let edited =
            scratch.write(&format!("{count}-edited.vpr"), &(program(*count) + "method last() { assert true }\n"));
        let jobs = options.jobs.to_string();
        let verify = |more: &[&'static str]| [&["verify", "--jobs", &jobs, "-q"], more].concat();
        let runs = [
            ("check", vec!["check", "-q", &path]),
            ("jsonl", [verify(&["--format", "jsonl", "--no-cache"]), vec![&path]].concat()),
            ("json", [verify(&["--format", "json", "--no-cache"]), vec![&path]].concat()),
            ("fill the cache", [verify(&["--format", "json"]), vec!["--cache", &cache, &path]].concat()),
            ("whole from cache", [verify(&["--format", "json"]), vec!["--cache", &cache, &path]].concat()),
            // For the edited program, the verdicts of all members but one are cached.
            ("members from cache", [verify(&["--format", "json"]), vec!["--cache", &cache, &edited]].concat()),
            ("cache stats", vec!["cache", "stats", "--cache", &cache]),
            ("cache gc", vec!["cache", "gc", "--max-size", "1M", "--cache", &cache]),
        ];
        for (name, args) in runs {
            let run = echis.run(&args);
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

/// Methods as front ends generate them: permission, a call, occasionally a loop.
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
