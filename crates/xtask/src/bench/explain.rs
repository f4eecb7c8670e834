//! The cost of explaining: `deps` and `cover` compared with `verify`, in processor time of Echis and its solvers, to
//! reduce the influence of other processes. Programs are those of `examples/textbook` and of the corpus that verify.

use super::files::corpus;
use super::{Options, median};
use crate::corpus::programs;
use crate::echis::{Echis, processor_time, repository};

/// The goals for the median and the maximum: `deps`, `cover`.
const BOUNDS: [(&str, f64, f64); 2] = [("deps", 1.3, 4.0), ("cover", 2.5, 8.0)];
/// Number of runs of each command; all of them count, because the system counts in hundredths of a second.
const TURNS: usize = 3;

pub fn run(echis: &Echis, options: &Options) {
    let mut files = programs(&repository().join("examples/textbook"));
    files.retain(|file| file.contains(&options.only));
    files = files.into_iter().step_by(options.sample()).chain(corpus(options)).collect();
    let limit = options.limit.to_string();
    let mut factors = BOUNDS.map(|_| Vec::new());
    for file in &files {
        let cost = |command: &str| {
            let before = processor_time();
            let codes = (0..TURNS).map(|_| echis.run(&[command, "-q", "--timeout", &limit, file]).code);
            let codes: Vec<Option<i32>> = codes.collect();
            (processor_time() - before, codes.iter().all(|code| *code == Some(0)))
        };
        let (plain, verified) = cost("verify");
        if !verified || plain <= 0.0 {
            continue;
        }
        let found = BOUNDS.map(|(command, ..)| cost(command).0 / plain);
        println!(
            "  {file}: verify {:.2} s, deps {:.2} times, cover {:.2} times",
            plain / TURNS as f64,
            found[0],
            found[1]
        );
        factors.iter_mut().zip(found).for_each(|(all, factor)| all.push(factor));
    }
    for ((command, middle, most), factors) in BOUNDS.into_iter().zip(factors) {
        let worst = factors.iter().copied().fold(0.0, f64::max);
        let found = median(factors.clone());
        let kept = if found <= middle && worst <= most { "kept" } else { "not kept" };
        println!(
            "explain: {} programs; {command} takes {found:.2} times as much as verify in the middle, {worst:.2} at most; \
             the bounds {middle} and {most} are {kept}",
            factors.len()
        );
    }
}
