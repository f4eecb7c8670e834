//! Precision of dependencies on real programs, measured: each node that a proof is said to need is taken out of the pruned
//! program (`echis prune --necessary`). Where the rest still verifies, the node was not needed, unless it only does because
//! more went than what the node gives: a call enforces all preconditions, whether or not anything needs them.

use crate::bench::{Echis, repository};
use crate::sweep::{self, corpus};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask necessary [OPTIONS] [PATH…]
  PATH            programs or folders [default: those of 100 to 400 lines in examples and in the corpus, 30 of them]
  --programs N    as many of them [default: 30]
  --assertions N  as many assertions of each [default: 3]
  --minimize M    off, fast or full [default: fast]
  --limit S       seconds for one run [default: 60]
  --verbose       name what was not needed
  --echis PATH    the binary to use [default: the release build, made anew]";

/// The share of nodes that have to be needed.
const BOUNDS: [(&str, f64); 2] = [("fast", 0.90), ("full", 0.98)];
const LINES: std::ops::RangeInclusive<usize> = 100..=400;

struct Options {
    paths: Vec<PathBuf>,
    programs: usize,
    assertions: usize,
    minimize: String,
    limit: String,
    verbose: bool,
    echis: Option<PathBuf>,
}

#[derive(Default)]
struct Counts {
    assertions: usize,
    needed: usize,
    /// Needed where only what they give is taken away, and not what they demand.
    demanded: usize,
    unneeded: usize,
    /// What cannot be taken out, or takes too long without.
    untried: usize,
    /// What was not needed, by what it is.
    causes: BTreeMap<String, usize>,
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
    let programs = programs(&options);
    let mut all = Counts::default();
    for program in &programs {
        let mut counts = Counts::default();
        measure(&echis, program, &options, &mut counts);
        let Counts { assertions, needed, demanded, unneeded, untried, .. } = counts;
        let all_needed = needed + demanded;
        println!("{:.2}  {all_needed:4} of {:4}  {assertions} assertions  {program}", counts.share(), counts.tried());
        all.assertions += assertions;
        all.needed += needed;
        all.demanded += demanded;
        all.unneeded += unneeded;
        all.untried += untried;
        for (construct, count) in counts.causes {
            *all.causes.entry(construct).or_default() += count;
        }
    }
    let Counts { assertions, needed, demanded, untried, .. } = all;
    println!(
        "{}: {} programs, {assertions} assertions: {} of {} nodes are necessary ({:.3}), {untried} could not be tried",
        options.minimize,
        programs.len(),
        needed + demanded,
        all.tried(),
        all.share()
    );
    println!("{demanded} of them where only what they give goes; {needed} even if all that they demand goes too");
    let causes: Vec<String> = all.causes.iter().map(|(construct, count)| format!("{construct} {count}")).collect();
    println!("not necessary: {}", causes.join(", "));
    let bound = BOUNDS.iter().find(|(minimize, _)| *minimize == options.minimize).map_or(0.0, |(_, bound)| *bound);
    if all.share() >= bound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Counts {
    fn tried(&self) -> usize {
        self.needed + self.demanded + self.unneeded
    }
    fn share(&self) -> f64 {
        (self.needed + self.demanded) as f64 / self.tried().max(1) as f64
    }
}

fn measure(echis: &Echis, program: &str, options: &Options, counts: &mut Counts) {
    let solving = ["--minimize", &options.minimize, "--timeout", &options.limit, "--jobs", "1"];
    let found = echis.document(&[&["deps", program, "--all", "--format", "json"], &solving[..]].concat());
    let asserted: Vec<&Value> = explicit(&found);
    let step = asserted.len().div_ceil(options.assertions.max(1)).max(1);
    for goal in asserted.into_iter().step_by(step).take(options.assertions) {
        let place = format!("{}:{}", goal["line"], goal["column"]);
        let args = ["prune", program, "--keep", &place, "--strict", "--necessary", "--format", "json"];
        let document = echis.document(&[&args[..], &solving[..]].concat());
        let necessity = &document["programs"][0]["necessity"];
        let Some(unneeded) = necessity["unneeded"].as_array() else { continue };
        counts.assertions += 1;
        counts.needed += number(&necessity["needed"]);
        counts.demanded += necessity["demanded"].as_array().map_or(0, Vec::len);
        counts.unneeded += unneeded.len();
        counts.untried += number(&necessity["untried"]);
        for node in unneeded {
            let construct = node["construct"].as_str().unwrap_or_default();
            *counts.causes.entry(construct.to_string()).or_default() += 1;
            if options.verbose {
                println!("  {program}:{place} does not need line {}: {}", node["line"], node["text"]);
            }
        }
    }
}

fn number(value: &Value) -> usize {
    value.as_u64().and_then(|number| usize::try_from(number).ok()).unwrap_or(0)
}

/// What is demanded in so many words and proved.
fn explicit(found: &Value) -> Vec<&Value> {
    let nodes = found["nodes"].as_array().map_or(&[][..], Vec::as_slice);
    let answered =
        |node: &Value| found["dependencies"].as_array().into_iter().flatten().any(|answer| answer["of"] == node["id"]);
    // What a member without a body promises is believed.
    let believed = |node: &Value| node["construct"] == "postcondition" && node["assumption"] == "explicit";
    let written = |node: &&Value| node["assertion"] == "explicit" && node["failed"] == false && !believed(node);
    nodes.iter().filter(written).filter(|node| answered(node)).collect()
}

fn parse(args: &[String]) -> Option<Options> {
    let mut options = Options {
        paths: Vec::new(),
        programs: 30,
        assertions: 3,
        minimize: "fast".into(),
        limit: "60".into(),
        verbose: false,
        echis: None,
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--programs" => options.programs = args.next()?.parse().ok()?,
            "--assertions" => options.assertions = args.next()?.parse().ok()?,
            "--minimize" => options.minimize = args.next()?.clone(),
            "--limit" => options.limit = args.next().filter(|text| text.parse::<u64>().is_ok())?.clone(),
            "--verbose" => options.verbose = true,
            "--echis" => options.echis = Some(args.next()?.into()),
            path if !path.starts_with('-') => options.paths.push(path.into()),
            _ => return None,
        }
    }
    Some(options)
}

/// Programs of the right size, spread evenly.
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
