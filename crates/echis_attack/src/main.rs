//! `cargo xtask attack`: the command-line interface of the campaign.

use echis_attack::campaign::{Kind, Plan, run};
use echis_attack::judge::{executed, judge_with};
use echis_attack::program::{Text, Verifier};
use echis_attack::random::Random;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
usage: cargo xtask attack [--seconds N] [--seed S] [--first N] [--programs N] [--kind NAME]... [--out FOLDER]
       cargo xtask attack FILE...      executes the members of programs, and tells what Echis says of them
Generates programs, verifies them, and executes what was verified. A member that was verified and that an execution
refutes is a finding: it is made small and written to FOLDER (target/attack). Each kind of program gets the same share
of the time; --first and --programs count the programs of each kind.";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let files = !args.is_empty() && args.iter().all(|arg| !arg.starts_with('-'));
    let Some(plan) = (if files { Some(Plan::default()) } else { parse(&args) }) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    echis::silence_panics();
    // The executor is recursive, so it needs a large stack.
    let work = move || if files { explain(&args) } else { attack(&plan) };
    let thread = std::thread::Builder::new().stack_size(512 << 20).spawn(move || echis::guarded(work));
    match thread.expect("the system can start a thread").join() {
        Ok(Ok(code)) => code,
        Ok(Err(echis::Ended::Defect(what))) => {
            eprintln!("a defect of the campaign: {what}");
            ExitCode::from(3)
        }
        _ => ExitCode::from(3),
    }
}

/// Prints the verdict and the execution results of each member of each file.
fn explain(files: &[String]) -> ExitCode {
    let verifier = match Verifier::new() {
        Ok(verifier) => verifier,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(3);
        }
    };
    let mut code = ExitCode::SUCCESS;
    for file in files {
        let text = std::fs::read_to_string(file).map_err(|error| error.to_string());
        let text = match text.and_then(|text| Text::parse(&text)) {
            Ok(text) => text,
            Err(error) => {
                println!("{file}: {error}");
                continue;
            }
        };
        let verdicts = text.verdicts(&verifier);
        let executed = executed(&text, &mut Random::new(1));
        for (name, judgement) in &executed {
            let verdict = verdicts.get(name).map_or("not verified".to_string(), |verdict| format!("{verdict:?}"));
            let fault =
                judgement.violated.as_ref().map(|fault| format!("; line {}: {}", text.line(fault.at), fault.what));
            let others: Vec<String> = judgement.unknown.iter().map(|(why, count)| format!(", {count} {why}")).collect();
            println!(
                "{file}: {name}: {verdict}, {} executions end{}{}",
                judgement.ended,
                others.concat(),
                fault.unwrap_or_default()
            );
        }
        for wrong in judge_with(&text, verdicts, &executed).wrong {
            println!("{file}: {} is accepted wrongly", wrong.member);
            code = ExitCode::FAILURE;
        }
    }
    code
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
    if !outcome.opinions.is_empty() {
        println!("{} differences to Silicon, in files", outcome.opinions.len());
    }
    let wrong: usize = outcome.rows.values().map(|row| row.wrong).sum();
    let trials: usize = outcome.rows.values().map(|row| row.trials).sum();
    println!("{} passed, {wrong} failed", trials - wrong.min(trials));
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn parse(args: &[String]) -> Option<Plan> {
    let mut plan = Plan { bases: programs(), ..Plan::default() };
    let mut given = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        let value = args.next()?;
        match arg.as_str() {
            "--seconds" => plan.time = Duration::from_secs(value.parse().ok()?),
            "--first" => plan.first = value.parse().ok()?,
            "--programs" => plan.programs = value.parse().ok()?,
            "--seed" => plan.seed = value.parse().ok()?,
            "--out" => plan.folder = Some(value.into()),
            "--kind" => given.push(*Kind::ALL.iter().find(|kind| kind.name() == value)?),
            _ => return None,
        }
    }
    if !given.is_empty() {
        plan.kinds = given;
    }
    Some(plan)
}

/// The programs of the repository, and those of the public corpus if it is available next to it.
fn programs() -> Vec<String> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = here.parent().and_then(Path::parent).expect("the crate lies two folders down");
    let mut found = Vec::new();
    for folder in [root.join("tests/programs"), root.join("examples"), root.join("../shared/corpus/viper")] {
        collect(&folder, &mut found);
    }
    found.sort();
    let texts = found.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    // Large programs take long and are rarely refuted; imports are not resolved here.
    texts.filter(|text| text.len() < 6_000 && text.contains("method") && !text.contains("import \"")).collect()
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "vpr") {
            found.push(path);
        }
    }
}
