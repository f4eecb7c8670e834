//! `cargo xtask solvers SOLVER…`: verdicts and total time of each solver on the same programs, compared with the
//! bundled one.

use crate::command::{Binary, Ended, holds};
use crate::corpus::{corpus, programs};
use crate::echis::Echis;
use clap::Args;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;

#[derive(Args)]
pub struct Options {
    /// Solvers to compare with the bundled one
    #[arg(required = true)]
    solvers: Vec<PathBuf>,
    /// The programs [default: the shared corpus]
    #[arg(long, value_name = "FOLDER")]
    programs: Option<PathBuf>,
    /// Every Nth program only
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,
    /// The time limit of one program
    #[arg(long, value_name = "N", default_value_t = 60)]
    seconds: u64,
    /// Measure how much of what the first solver proves the other one confirms
    #[arg(long)]
    cross_check: bool,
    #[command(flatten)]
    binary: Binary,
}

pub fn run(options: &Options) -> Ended {
    let echis = options.binary.find()?;
    let folder = options.programs.clone().or_else(|| Some(corpus()?.join("viper")));
    let files: Vec<String> = folder.map(|folder| programs(&folder)).unwrap_or_default();
    let files: Vec<String> = files.into_iter().step_by(options.every.get()).collect();
    let usual = Measured::of(&echis, &files, options, &[]);
    println!("{} programs", files.len());
    usual.print(&usual, "the one that Echis brings");
    for solver in &options.solvers {
        let name = solver.display().to_string();
        let found = Measured::of(&echis, &files, options, &["--solver", &name]);
        found.print(&usual, &name);
        if options.cross_check {
            confirm(&echis, &files, options, &name);
        }
    }
    holds(!files.is_empty())
}

/// The results of one solver for all programs.
struct Measured {
    version: String,
    verdicts: BTreeMap<String, String>,
    seconds: f64,
}

impl Measured {
    fn of(echis: &Echis, files: &[String], options: &Options, more: &[&str]) -> Self {
        let mut found = Measured { version: String::new(), verdicts: BTreeMap::new(), seconds: 0.0 };
        let limit = options.seconds.to_string();
        for file in files {
            let args = ["verify", "--format", "json", "--jobs", "1", "--timeout", &limit, file];
            let document = echis.document(&[&args[..], more].concat());
            let text = |value: &serde_json::Value| value.as_str().unwrap_or("").to_string();
            found.version = format!("{} {}", text(&document["solver"]["name"]), text(&document["solver"]["version"]));
            for file in document["files"].as_array().into_iter().flatten() {
                found.seconds += file["time_ms"].as_f64().unwrap_or(0.0) / 1000.0;
                found.verdicts.insert(text(&file["path"]), text(&file["verdict"]));
            }
        }
        found
    }

    fn print(&self, usual: &Measured, name: &str) {
        let count = |verdict: &str| self.verdicts.values().filter(|found| *found == verdict).count();
        let (verified, failed, undecided) = (count("verified"), count("failed"), count("undecided"));
        let others: Vec<_> =
            self.verdicts.iter().filter(|(path, found)| usual.verdicts.get(*path) != Some(*found)).collect();
        println!(
            "{} ({name}): {verified} verified, {failed} failed, {undecided} undecided, {} other verdicts, {:.1} s, {:.2} times",
            self.version,
            others.len(),
            self.seconds,
            self.seconds / usual.seconds
        );
        for (path, found) in others {
            println!("  {path}: {found}, else {}", usual.verdicts.get(path).map_or("nothing", |verdict| verdict));
        }
    }
}

fn confirm(echis: &Echis, files: &[String], options: &Options, solver: &str) {
    let (mut asked, mut proved, mut refuted) = (0, 0, 0);
    let option = format!("--cross-check={solver}");
    let limit = options.seconds.to_string();
    for file in files {
        let args = ["verify", "--format", "json", "--jobs", "1", "--timeout", &limit, &option, file];
        let second = &echis.document(&args)["second_solver"];
        let number = |name: &str| second[name].as_u64().unwrap_or(0);
        asked += number("asked");
        proved += number("proved");
        refuted += number("refuted");
    }
    println!("  of {asked} proofs it confirms {proved}, refutes {refuted}");
}
