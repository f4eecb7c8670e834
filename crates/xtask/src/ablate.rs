//! What each budget of explanations is good for: the same programs are explained with half of it and with twice as much, and
//! the sizes of answers and the effort are compared.

use crate::bench::{Echis, repository};
use crate::sweep::{self, corpus};
use serde_json::Value;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask ablate [OPTIONS] [PATH…]
  PATH            programs or folders [default: those of 60 to 400 lines in examples and in the corpus]
  --programs N    as many of them, spread evenly [default: 20]
  --only TEXT     only budgets whose name contains it
  --limit S       seconds for one run [default: 30]
  --echis PATH    the binary to use [default: the release build, made anew]";

const LINES: std::ops::RangeInclusive<usize> = 60..=400;

struct Options {
    paths: Vec<PathBuf>,
    programs: usize,
    only: String,
    limit: String,
    echis: Option<PathBuf>,
}

/// What explaining some programs took and gave.
#[derive(Clone, Copy, Default)]
struct Outcome {
    /// Dependencies in all answers.
    size: u64,
    /// Proofs that were not found again.
    lost: u64,
    /// The solver's effort, in its own units.
    effort: u64,
    /// Questions that solvers were asked.
    questions: u64,
    seconds: f64,
}

pub fn run(args: &[String]) -> ExitCode {
    let Some(options) = parse(args) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let echis = match options.echis.clone().map_or_else(|| Echis::find(true), Echis::at) {
        Ok(echis) => echis,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let budgets = echis.document(&["deps", "--policy", "list", "-"]);
    let Some(budgets) = budgets.as_array() else {
        eprintln!("this Echis does not tell its budgets");
        return ExitCode::FAILURE;
    };
    let programs = programs(&options);
    let usual = measure(&echis, &programs, &options.limit, None);
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
            let found = measure(&echis, &programs, &options.limit, Some(&format!("{name}={value}")));
            compared(usual, found)
        };
        println!("{name:18} {value:8} {unit:14}  {:>28}  {:>28}", changed(value / 2), changed(value * 2));
    }
    ExitCode::SUCCESS
}

fn compared(usual: Outcome, found: Outcome) -> String {
    let percent = |before: f64, after: f64| if before == 0.0 { 0.0 } else { 100.0 * (after - before) / before };
    format!(
        "{:+.1} {:+} {:+.1} {:+.0}",
        percent(usual.size as f64, found.size as f64),
        found.lost as i64 - usual.lost as i64,
        percent(usual.effort as f64, found.effort as f64),
        percent(usual.seconds, found.seconds)
    )
}

fn measure(echis: &Echis, programs: &[String], limit: &str, policy: Option<&str>) -> Outcome {
    let mut all = Outcome::default();
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

fn programs(options: &Options) -> Vec<String> {
    let mut folders = options.paths.clone();
    if folders.is_empty() {
        folders.push(repository().join("examples"));
        folders.extend(corpus().map(|corpus| corpus.join("viper")));
    }
    let fits = |path: &String| std::fs::read_to_string(path).is_ok_and(|text| LINES.contains(&text.lines().count()));
    let fitting: Vec<String> = folders.iter().flat_map(|path| sweep::programs(path)).filter(fits).collect();
    let step = fitting.len().div_ceil(options.programs.max(1)).max(1);
    fitting.into_iter().step_by(step).take(options.programs).collect()
}

fn parse(args: &[String]) -> Option<Options> {
    let mut options = Options { paths: Vec::new(), programs: 20, only: String::new(), limit: "30".into(), echis: None };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--programs" => options.programs = args.next()?.parse().ok()?,
            "--only" => options.only = args.next()?.clone(),
            "--limit" => options.limit = args.next().filter(|text| text.parse::<u64>().is_ok())?.clone(),
            "--echis" => options.echis = Some(args.next()?.into()),
            path if !path.starts_with('-') => options.paths.push(path.into()),
            _ => return None,
        }
    }
    Some(options)
}
