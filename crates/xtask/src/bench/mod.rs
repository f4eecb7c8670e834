//! Speed, beside Silicon where it can be had, with the same Z3 on the same machine in the same run.

mod boogie;
mod cover;
mod deps;
mod echis;
mod editor;
mod files;
mod front;
mod growth;
mod quantified;
mod silicon;
mod start;

pub use boogie::on_path;
pub use echis::{Echis, Scratch, repository};
pub use files::collect;
pub use silicon::Silicon;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask bench [start] [files] [growth] [quantified] [front] [deps] [cover] [boogie] [editor] [OPTIONS]

  start           a one-method program, cold
  files           programs of ../shared/corpus, warm, beside Silicon in one JVM
  growth          methods with 10 to 1000 statements, programs with 10 to 1000 methods
  quantified      exhales with 1 to 16 quantified chunks alive
  front           lines a second before verification, and how that grows
  cover           what counting and confirming coverage costs beside verifying, on the same programs
  boogie          Boogie's tests and a one-procedure program, beside Boogie with the same Z3
  editor          how long an editor waits for diagnostics and verdicts, and what the server holds
  deps            what explaining proofs costs beside verifying, and whether the verdicts agree

Without names, all of them run.
  --no-build      measures the release build that is there
  --sample N      for `files`, `deps`, `cover` and `boogie`: every Nth program only [default: 10; 1 takes long]
  --only TEXT     for `files`, `deps` and `cover`: programs whose path contains the text
  --limit N       for `files`, `deps` and `cover`: seconds for each program [default: 60]";

pub struct Options {
    pub sample: usize,
    pub only: String,
    pub limit: u64,
    build: bool,
}

pub fn run(args: &[String]) -> ExitCode {
    let Some((names, options)) = parse(args) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let echis = match Echis::find(options.build) {
        Ok(echis) => echis,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::FAILURE;
        }
    };
    let wants = |name: &str| names.is_empty() || names.iter().any(|wanted| wanted == name);
    let silicon = if wants("start") || wants("files") { Silicon::fetch() } else { Err("not asked for".into()) };
    if let Err(reason) = &silicon {
        println!("Silicon is skipped: {reason}");
    }
    let silicon = silicon.ok();
    if wants("start") {
        start::run(&echis, silicon.as_ref());
    }
    if wants("files") {
        files::run(&echis, silicon.as_ref(), &options);
    }
    if wants("growth") {
        growth::run(&echis);
    }
    if wants("quantified") {
        quantified::run(&echis);
    }
    if wants("front") {
        front::run(&echis);
    }
    if wants("cover") {
        cover::run(&echis, &options);
    }
    if wants("deps") {
        deps::run(&echis, &options);
    }
    if wants("boogie") {
        boogie::run(&echis, &options);
    }
    if wants("editor") {
        editor::run(&echis);
    }
    ExitCode::SUCCESS
}

fn parse(args: &[String]) -> Option<(Vec<String>, Options)> {
    let mut options = Options { sample: 10, only: String::new(), limit: 60, build: true };
    let mut names = Vec::new();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match &**arg {
            "--no-build" => options.build = false,
            "--sample" => options.sample = args.next()?.parse().ok().filter(|sample| *sample > 0)?,
            "--limit" => options.limit = args.next()?.parse().ok()?,
            "--only" => options.only = args.next()?.clone(),
            "start" | "files" | "growth" | "quantified" | "front" | "deps" | "cover" | "boogie" | "editor" => {
                names.push(arg.clone())
            }
            _ => return None,
        }
    }
    Some((names, options))
}

/// The middle one of some measurements.
pub fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
