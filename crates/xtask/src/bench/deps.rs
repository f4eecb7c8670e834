//! The cost of explaining proofs: `deps --all` compared with `verify`, in alternating processes, on programs that
//! verify.

use super::Options;
use super::files::corpus;
use crate::echis::Echis;

/// Number of runs of each command on each program; the fastest counts, to reduce the influence of other processes.
const TURNS: usize = 3;
/// The goals for the median, the 95th percentile and the maximum.
const BOUNDS: [f64; 3] = [1.05, 2.0, 4.0];

struct Cost {
    file: String,
    verify: f64,
    deps: f64,
}

impl Cost {
    fn factor(&self) -> f64 {
        self.deps / self.verify
    }
}

/// Whether explaining gives the same verdicts as verifying.
#[derive(Default)]
struct Verdicts {
    compared: usize,
    different: usize,
}

pub fn run(echis: &Echis, options: &Options) {
    let files = corpus(options);
    if files.is_empty() {
        println!("deps: there is no ../shared/corpus with such programs");
        return;
    }
    let (mut costs, mut verdicts) = (Vec::new(), Verdicts::default());
    for file in files {
        costs.extend(measure(echis, &file, options.limit, &mut verdicts));
    }
    println!("deps: the verdicts of {} programs compared, {} differ", verdicts.compared, verdicts.different);
    costs.sort_by(|a, b| a.factor().total_cmp(&b.factor()));
    let at =
        |share: f64| costs.get(((costs.len() as f64 - 1.0) * share).round() as usize).map_or(f64::NAN, Cost::factor);
    let reached = [at(0.5), at(0.95), at(1.0)];
    println!(
        "deps: {} programs that verify; explaining costs {:.2} times as much in the middle, {:.2} at the 95th percentile, \
         {:.2} at most",
        costs.len(),
        reached[0],
        reached[1],
        reached[2]
    );
    for cost in costs.iter().rev().take_while(|cost| cost.factor() > BOUNDS[1]) {
        println!("  {:.2} times: {} ({:.0} ms, verifying {:.0} ms)", cost.factor(), cost.file, cost.deps, cost.verify);
    }
    let fine = reached.iter().zip(BOUNDS).all(|(reached, bound)| *reached <= bound);
    println!("deps: the bounds {BOUNDS:?} are {}", if fine { "kept" } else { "not kept" });
}

/// The times of both commands in milliseconds, if the program verifies. Prints a line if the verdicts differ,
/// whatever they are.
fn measure(echis: &Echis, file: &str, limit: u64, verdicts: &mut Verdicts) -> Option<Cost> {
    let limit = limit.to_string();
    let verify = || echis.run(&["verify", "-q", "--timeout", &limit, file]);
    let deps = || echis.run(&["deps", "--all", "-q", "--timeout", &limit, file]);
    let mut cost = Cost { file: file.to_string(), verify: f64::INFINITY, deps: f64::INFINITY };
    for turn in 0..TURNS {
        let (verified, explained) = (verify(), deps());
        verdicts.compared += usize::from(turn == 0);
        if explained.code != verified.code {
            println!("deps: verifying {file} ends with {:?}, explaining it with {:?}", verified.code, explained.code);
            verdicts.different += 1;
            return None;
        }
        if verified.code != Some(0) {
            return None;
        }
        cost.verify = cost.verify.min(verified.seconds * 1000.0);
        cost.deps = cost.deps.min(explained.seconds * 1000.0);
    }
    Some(cost)
}
