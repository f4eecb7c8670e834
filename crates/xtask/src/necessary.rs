//! Measures the precision of dependencies on real programs: each dependency of a proof is removed from the pruned
//! program (`echis prune --necessary`). If the rest still verifies, the node was not needed, unless it verifies only
//! because more was removed than what the node provides: a call enforces all preconditions, whether or not anything
//! needs them.

use crate::command::{Binary, Ended, Minimize, holds, spread};
use crate::echis::Echis;
use clap::Args;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The required fraction of needed nodes.
fn bound(minimize: Minimize) -> f64 {
    match minimize {
        Minimize::Off => 0.0,
        Minimize::Fast => 0.90,
        Minimize::Full => 0.98,
    }
}
const LINES: std::ops::RangeInclusive<usize> = 100..=400;

#[derive(Args)]
pub struct Options {
    /// Programs or folders [default: the examples and the corpus]; those of 100 to 400 lines count
    paths: Vec<PathBuf>,
    /// Number of programs, spread evenly
    #[arg(long, value_name = "N", default_value_t = 30)]
    programs: usize,
    /// Number of assertions of each
    #[arg(long, value_name = "N", default_value_t = 3)]
    assertions: usize,
    #[arg(long, value_enum, default_value = "fast")]
    minimize: Minimize,
    /// Seconds for one run
    #[arg(long, value_name = "S", default_value_t = 60)]
    limit: u64,
    /// Print unneeded dependencies
    #[arg(long)]
    verbose: bool,
    #[command(flatten)]
    binary: Binary,
}

#[derive(Default)]
struct Counts {
    assertions: usize,
    needed: usize,
    /// Needed if only what they provide is removed, and not what they demand.
    demanded: usize,
    unneeded: usize,
    /// Nodes that cannot be removed, or without which verification takes too long.
    untried: usize,
    /// Unneeded nodes, by kind.
    causes: BTreeMap<String, usize>,
}

pub fn run(options: &Options) -> Ended {
    let echis = options.binary.find()?;
    let programs = spread(&options.paths, LINES, options.programs);
    let mut all = Counts::default();
    for program in &programs {
        let mut counts = Counts::default();
        measure(&echis, program, options, &mut counts);
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
        options.minimize.name(),
        programs.len(),
        needed + demanded,
        all.tried(),
        all.share()
    );
    println!("{demanded} of them where only what they give goes; {needed} even if all that they demand goes too");
    let causes: Vec<String> = all.causes.iter().map(|(construct, count)| format!("{construct} {count}")).collect();
    println!("not necessary: {}", causes.join(", "));
    holds(all.share() >= bound(options.minimize))
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
    let limit = options.limit.to_string();
    let solving = ["--minimize", options.minimize.name(), "--timeout", &limit, "--jobs", "1"];
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

/// Explicit obligations that were proved.
fn explicit(found: &Value) -> Vec<&Value> {
    let nodes = found["nodes"].as_array().map_or(&[][..], Vec::as_slice);
    let answered =
        |node: &Value| found["dependencies"].as_array().into_iter().flatten().any(|answer| answer["of"] == node["id"]);
    // Postconditions of members without a body are trusted.
    let believed = |node: &Value| node["construct"] == "postcondition" && node["assumption"] == "explicit";
    let written = |node: &&Value| node["assertion"] == "explicit" && node["failed"] == false && !believed(node);
    nodes.iter().filter(written).filter(|node| answered(node)).collect()
}
