//! The cost of counterexamples: every failing program with and without them, alternating, for the same conditions.

use crate::sweep::Sweep;

/// Number of runs of each kind; the fastest counts.
const ROUNDS: usize = 3;

pub fn run(sweep: &Sweep) {
    let mut ratios: Vec<(f64, &str, f64)> = Vec::new();
    for file in &sweep.files {
        let (mut without, mut with) = (f64::INFINITY, f64::INFINITY);
        let mut failing = false;
        for round in 0..ROUNDS {
            let (seconds, failed) = time(sweep, file, "off");
            failing = failed;
            if !failing {
                break;
            }
            without = without.min(seconds);
            with = with.min(time(sweep, file, "extended").0);
            if round == 0 && without > 5.0 {
                break;
            }
        }
        if failing {
            ratios.push((with / without, file, without));
        }
    }
    ratios.sort_by(|left, right| left.0.total_cmp(&right.0));
    let at = |share: f64| ratios.get(((ratios.len() as f64 - 1.0) * share) as usize).map_or(f64::NAN, |ratio| ratio.0);
    let percent = |ratio: f64| 100.0 * (ratio - 1.0);
    println!(
        "{} failing programs: counterexamples cost {:+.0} % (median), {:+.0} % (9 of 10), {:+.0} % (most)",
        ratios.len(),
        percent(at(0.5)),
        percent(at(0.9)),
        percent(at(1.0))
    );
    for (ratio, file, seconds) in ratios.iter().rev().take(5) {
        println!("  {:+.0} % of {:.0} ms: {file}", percent(*ratio), seconds * 1000.0);
    }
}

/// The time in seconds, and whether an obligation failed.
fn time(sweep: &Sweep, file: &str, counterexample: &str) -> (f64, bool) {
    let args = ["verify", "--format", "json", "--counterexample", counterexample, "--timeout", &sweep.seconds, file];
    let run = sweep.echis.run(&args);
    (run.seconds, run.code == Some(1))
}
