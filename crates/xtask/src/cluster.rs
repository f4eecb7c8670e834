//! `cargo xtask cluster`: estimates the time of a run on a cluster, from the costs of members in reports of real
//! runs.
//!
//! Two ways to distribute members are compared: static shards (`verify --shard`), each of which reads all programs
//! and which are balanced without knowing costs; and batches that are distributed dynamically (`echis.cluster`), for
//! which the driver reads each program once and each batch reads the programs of its members. A member in the shared
//! cache costs one lookup.

mod plot;

use crate::command::{Ended, holds};
use crate::echis::repository;
use clap::Args;
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::path::PathBuf;

#[derive(Args)]
pub struct Options {
    /// Reports of `echis verify --format json --no-cache`
    #[arg(required = true)]
    reports: Vec<PathBuf>,
    /// Repeat the programs this many times, as a larger project would have them
    #[arg(long, default_value_t = 1)]
    times: usize,
    /// Numbers of workers
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 10, 30, 100, 300, 1000])]
    workers: Vec<usize>,
    /// Shares of the members that are in the cache
    #[arg(long, value_delimiter = ',', default_values_t = [0.0, 0.5, 0.9, 0.99])]
    hits: Vec<f64>,
    /// Milliseconds until a batch has reached its worker and its answer the driver
    #[arg(long, default_value_t = 5.0)]
    latency: f64,
    /// Milliseconds of the driver for each batch
    #[arg(long, default_value_t = 1.0)]
    dispatch: f64,
    /// Milliseconds of a look into the shared cache
    #[arg(long, default_value_t = 3.0)]
    lookup: f64,
    /// Milliseconds until a new worker has started Echis and its solver
    #[arg(long, default_value_t = 150.0)]
    start: f64,
}

/// Number of batches per worker.
const BATCHES_PER_WORKER: f64 = 8.0;

struct Program {
    /// The time for reading and checking it, in milliseconds.
    front: f64,
    members: Vec<f64>,
}

pub fn run(options: &Options) -> Ended {
    let programs = read(options)?;
    let (members, work) = (programs.iter().map(|program| program.members.len()).sum::<usize>(), work(&programs));
    println!(
        "{} programs, {members} members, {:.1} s of work, the longest member {:.1} s",
        programs.len(),
        work / 1000.0,
        longest(&programs) / 1000.0
    );
    let mut curves = Vec::new();
    for hit in &options.hits {
        println!("\ncache hits {hit}\n{:>8} {:>12} {:>12}", "workers", "shards s", "batches s");
        let (mut shards, mut batches) = (Vec::new(), Vec::new());
        for workers in &options.workers {
            let shard = static_shards(&programs, *workers, *hit, options) / 1000.0;
            let batch = dynamic_batches(&programs, *workers, *hit, options) / 1000.0;
            println!("{workers:>8} {shard:>12.2} {batch:>12.2}");
            shards.push((*workers as f64, shard));
            batches.push((*workers as f64, batch));
        }
        curves.push((format!("shards, hits {hit}"), shards));
        curves.push((format!("batches, hits {hit}"), batches));
    }
    let folder = repository().join("target").join("evaluation");
    let path = folder.join("cluster.svg");
    let plot = plot::lines("seconds against workers", &curves);
    std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, plot)).map_err(|error| error.to_string())?;
    println!("\nplot: {}", path.display());
    holds(true)
}

fn work(programs: &[Program]) -> f64 {
    programs.iter().map(|program| program.front + program.members.iter().sum::<f64>()).sum()
}

fn longest(programs: &[Program]) -> f64 {
    programs.iter().flat_map(|program| &program.members).copied().fold(0.0, f64::max)
}

fn read(options: &Options) -> Result<Vec<Program>, String> {
    let mut programs = Vec::new();
    for path in &options.reports {
        let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(path).map_err(|error| wrong(&error))?;
        let report: Value = serde_json::from_str(&text).map_err(|error| wrong(&error))?;
        for file in report["files"].as_array().into_iter().flatten() {
            let members: Vec<f64> = file["members"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(|member| member["time_ms"].as_f64())
                .collect();
            // With one worker, the remaining time is that of the front end.
            let front = file["time_ms"].as_f64().unwrap_or(0.0) - members.iter().sum::<f64>();
            programs.push((front.max(0.1), members));
        }
    }
    let all = std::iter::repeat_n(programs, options.times).flatten();
    Ok(all.map(|(front, members)| Program { front, members }).collect())
}

/// The costs of members with a cache: a lookup, and the proof on a miss. Multiples of the golden ratio spread hits
/// evenly, for any number of workers.
fn costs(programs: &[Program], hit: f64, options: &Options) -> Vec<Vec<f64>> {
    let mut seen = 0.0f64;
    let mut cost = |member: &f64| {
        seen += 1.0;
        let is_hit = (seen * 0.618_033_988_749_895).fract() < hit;
        let look = if hit > 0.0 { options.lookup } else { 0.0 };
        look + if is_hit { 0.0 } else { *member }
    };
    programs.iter().map(|program| program.members.iter().map(&mut cost).collect()).collect()
}

/// Members are assigned round-robin, since their costs are unknown; each shard reads every program.
fn static_shards(programs: &[Program], workers: usize, hit: f64, options: &Options) -> f64 {
    let fronts: f64 = programs.iter().map(|program| program.front).sum();
    let mut loads = vec![options.start + fronts; workers];
    for (turn, cost) in costs(programs, hit, options).iter().flatten().enumerate() {
        loads[turn % workers] += cost;
    }
    loads.into_iter().fold(0.0, f64::max)
}

/// Batches of consecutive members; each goes to the first free worker.
fn dynamic_batches(programs: &[Program], workers: usize, hit: f64, options: &Options) -> f64 {
    let costs = costs(programs, hit, options);
    let members = costs.iter().map(Vec::len).sum::<usize>();
    let size = (members as f64 / (workers as f64 * BATCHES_PER_WORKER)).floor().max(1.0) as usize;
    let all: Vec<(usize, f64)> =
        costs.iter().enumerate().flat_map(|(program, costs)| costs.iter().map(move |cost| (program, *cost))).collect();
    // The driver reads the programs first. Times are in microseconds, to be ordered.
    let mut clock: f64 = programs.iter().map(|program| program.front).sum();
    let mut free: BinaryHeap<Reverse<(u64, usize)>> = (0..workers).map(|worker| Reverse((0, worker))).collect();
    let mut started = BTreeSet::new();
    let mut end = clock;
    for batch in all.chunks(size) {
        let Some(Reverse((at, worker))) = free.pop() else { break };
        clock += options.dispatch;
        let read: BTreeSet<usize> = batch.iter().map(|(program, _)| *program).collect();
        let front: f64 = read.iter().map(|program| programs[*program].front).sum();
        let start = if started.insert(worker) { options.start } else { 0.0 };
        let work: f64 = batch.iter().map(|(_, cost)| cost).sum();
        let done = clock.max(at as f64 / 1000.0) + options.latency + start + front + work;
        end = end.max(done);
        free.push(Reverse(((done * 1000.0) as u64, worker)));
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    #[test]
    fn one_worker_does_all_the_work_and_many_wait_for_the_longest() {
        let options = Line::parse_from(["", "report", "--latency", "0", "--dispatch", "0", "--start", "0"]).options;
        let mut members = vec![10.0; 400];
        members.push(900.0);
        let programs = [Program { front: 1.0, members }];
        assert!((static_shards(&programs, 1, 0.0, &options) - 4901.0).abs() < 1e-6);
        // The driver reads the program, and so does each batch.
        assert!((dynamic_batches(&programs, 1, 0.0, &options) - 4910.0).abs() < 2.0);
        for workers in [2, 8, 100, 1000] {
            let batches = dynamic_batches(&programs, workers, 0.0, &options);
            assert!((900.0..=4901.0).contains(&batches), "{workers}: {batches}");
            assert!(batches <= static_shards(&programs, workers, 0.0, &options) + 900.0);
        }
        assert!(dynamic_batches(&programs, 2, 0.99, &options) < dynamic_batches(&programs, 2, 0.0, &options));
    }
}
