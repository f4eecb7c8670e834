//! Measures the effect of each budget for explanations: the same programs are explained with half of it and with
//! twice as much, and the sizes of answers and the effort are compared.

use crate::command::{Binary, Ended, holds, spread};
use crate::echis::Echis;
use clap::Args;
use serde_json::Value;
use std::path::PathBuf;

const LINES: std::ops::RangeInclusive<usize> = 60..=400;

#[derive(Args)]
pub struct Options {
    /// Programs or folders [default: the examples and the corpus]; those of 60 to 400 lines count
    paths: Vec<PathBuf>,
    /// Number of programs, spread evenly
    #[arg(long, value_name = "N", default_value_t = 20)]
    programs: usize,
    /// Only budgets whose name contains it
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Seconds for one run
    #[arg(long, value_name = "S", default_value_t = 30)]
    limit: u64,
    #[command(flatten)]
    binary: Binary,
}

/// The cost and results of explaining some programs.
#[derive(Clone, Copy, Default)]
struct AblationRow {
    /// Number of dependencies in all answers.
    size: u64,
    /// Number of proofs that were not found again.
    lost: u64,
    /// The solver's effort, in its own units.
    effort: u64,
    /// Number of questions to solvers.
    questions: u64,
    seconds: f64,
}

pub fn run(options: &Options) -> Ended {
    let echis = options.binary.find()?;
    let budgets = echis.document(&["deps", "--policy", "list", "-"]);
    let Some(budgets) = budgets.as_array() else { return Err("this Echis does not tell its budgets".into()) };
    let programs = spread(&options.paths, LINES, options.programs);
    let limit = options.limit.to_string();
    let usual = measure(&echis, &programs, &limit, None);
    println!(
        "{} programs: {} dependencies, {} proofs lost, {} questions, effort {}, {:.1} s",
        programs.len(),
        usual.size,
        usual.lost,
        usual.questions,
        usual.effort,
        usual.seconds
    );
    println!("change against that with half and with twice the budget, in percent (proofs lost: in numbers)");
    println!("{:18} {:>8} {:14}  {:>28}  {:>28}", "budget", "usual", "unit", "half: size lost effort time", "twice: …");
    for budget in budgets {
        let (name, unit) = (text(&budget["name"]), text(&budget["unit"]));
        let value = budget["usual"].as_u64().unwrap_or(0);
        if !name.contains(&options.only) {
            continue;
        }
        let changed = |value: u64| {
            let found = measure(&echis, &programs, &limit, Some(&format!("{name}={value}")));
            compared(usual, found)
        };
        println!("{name:18} {value:8} {unit:14}  {:>28}  {:>28}", changed(value / 2), changed(value * 2));
    }
    holds(true)
}

fn compared(usual: AblationRow, found: AblationRow) -> String {
    let percent = |before: f64, after: f64| if before == 0.0 { 0.0 } else { 100.0 * (after - before) / before };
    format!(
        "{:+.1} {:+} {:+.1} {:+.0}",
        percent(usual.size as f64, found.size as f64),
        found.lost as i64 - usual.lost as i64,
        percent(usual.effort as f64, found.effort as f64),
        percent(usual.seconds, found.seconds)
    )
}

fn measure(echis: &Echis, programs: &[String], limit: &str, policy: Option<&str>) -> AblationRow {
    let mut all = AblationRow::default();
    for program in programs {
        let mut args = vec!["deps", program, "--all", "--format", "json", "--jobs", "1", "--timeout", limit];
        args.extend(policy.iter().flat_map(|policy| ["--policy", policy]));
        let run = echis.run(&args);
        let document: Value = serde_json::from_str(&run.output).unwrap_or_default();
        let answers = document["dependencies"].as_array().map_or(&[][..], Vec::as_slice);
        let number = |name: &str| document["work"][name].as_u64().unwrap_or(0);
        all.size += answers.iter().map(|answer| answer["all"].as_array().map_or(0, Vec::len) as u64).sum::<u64>();
        all.lost += number("lost");
        all.effort += number("replayed");
        all.questions += number("questions");
        all.seconds += run.seconds;
    }
    all
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
