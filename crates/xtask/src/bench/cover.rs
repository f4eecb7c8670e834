//! The cost of coverage: `cover --no-confirm` compared with `verify`, in alternating processes, and the confirmation
//! of warnings separately. Verdicts must be equal.

use super::files::corpus;
use super::{Options, median};
use crate::echis::Echis;
use serde_json::Value;

/// Number of runs of each command on each program; the fastest counts, to reduce the influence of other processes.
const TURNS: usize = 2;
/// The goals for the median and the mean.
const BOUNDS: [f64; 2] = [1.05, 1.2];

pub fn run(echis: &Echis, options: &Options) {
    let files = corpus(options);
    if files.is_empty() {
        println!("cover: there is no ../shared/corpus with such programs");
        return;
    }
    let (mut factors, mut confirmations, mut changed) = (Vec::new(), Vec::new(), 0);
    for file in &files {
        let limit = options.limit.to_string();
        let fastest = |args: &[&str]| {
            let runs: Vec<_> = (0..TURNS).map(|_| echis.run(args)).collect();
            let seconds = runs.iter().map(|run| run.seconds).fold(f64::INFINITY, f64::min);
            (seconds, runs.last().and_then(|run| run.code))
        };
        let (plain, verdict) = fastest(&["verify", "-q", "--timeout", &limit, file]);
        let (counted, same) = fastest(&["cover", "-q", "--no-confirm", "--timeout", &limit, file]);
        if verdict != same {
            changed += 1;
            println!("cover: {file} ends with {verdict:?}, and with coverage with {same:?}");
        } else if verdict == Some(0) {
            factors.push(counted / plain);
            let full = echis.run(&["cover", "--format", "json", "--timeout", &limit, file]).output;
            let full: Value = serde_json::from_str(&full).unwrap_or_default();
            confirmations.extend(full["time_ms"]["confirm"].as_f64().map(|ms| ms / 1000.0 / plain));
        }
    }
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
    let (middle, average) = (median(factors.clone()), mean(&factors));
    println!(
        "cover: {} programs that verify; counting costs {middle:.2} times as much as verifying in the middle, {average:.2} on average; \
         {changed} verdicts change",
        factors.len()
    );
    println!(
        "cover: confirming warnings takes {:.2} times as long as verifying in the middle, {:.2} on average",
        median(confirmations.clone()),
        mean(&confirmations)
    );
    let kept = middle <= BOUNDS[0] && average <= BOUNDS[1];
    println!("cover: the bounds {BOUNDS:?} are {}", if kept { "kept" } else { "not kept" });
}
