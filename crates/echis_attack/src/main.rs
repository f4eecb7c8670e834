//! `cargo xtask attack`: the campaign as a command.

use echis_attack::campaign::{Kind, Plan, run};
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
usage: cargo xtask attack [--seconds N] [--seed S] [--programs N] [--kind NAME]... [--out FOLDER]
Generates programs, verifies them, and executes what was verified. A member that was verified and that an execution
refutes is a finding: it is made small and written to FOLDER (target/attack).";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some(plan) = parse(&args) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    echis_driver::silence_panics();
    // Executions are recursive.
    let thread = std::thread::Builder::new().stack_size(512 << 20).spawn(move || attack(&plan));
    thread.expect("the system can start a thread").join().unwrap_or(ExitCode::from(3))
}

fn attack(plan: &Plan) -> ExitCode {
    let outcome = match run(plan, &|line| eprintln!("{line}")) {
        Ok(outcome) => outcome,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(3);
        }
    };
    print!("{}", outcome.table());
    let wrong = outcome.findings.len();
    let trials: usize = outcome.rows.values().map(|row| row.trials).sum();
    println!("{} passed, {wrong} failed", trials - wrong.min(trials));
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn parse(args: &[String]) -> Option<Plan> {
    let mut plan = Plan {
        time: Duration::from_secs(60),
        programs: usize::MAX,
        seed: 1,
        kinds: Vec::new(),
        folder: Some("target/attack".into()),
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let value = args.next()?;
        match arg.as_str() {
            "--seconds" => plan.time = Duration::from_secs(value.parse().ok()?),
            "--programs" => plan.programs = value.parse().ok()?,
            "--seed" => plan.seed = value.parse().ok()?,
            "--out" => plan.folder = Some(value.into()),
            "--kind" => plan.kinds.push(*Kind::ALL.iter().find(|kind| kind.name() == value)?),
            _ => return None,
        }
    }
    if plan.kinds.is_empty() {
        plan.kinds = Kind::ALL.to_vec();
    }
    Some(plan)
}
