//! Tests the soundness of dependencies: for every explicit assertion, the program reduced to the reported
//! dependencies must verify, with Echis and, where available, with Silicon.

use crate::bench::Silicon;
use crate::command::{Binary, Ended, Minimize, holds};
use crate::corpus::{self, corpus};
use crate::echis::Echis;
use clap::Args;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Long programs of the corpus with many assertions of different kinds.
const LARGER: [&str; 10] = [
    "all/chalice/AVLTree.iterative.vpr",
    "all/functions/linkedlists.vpr",
    "all/issues/silver/0875.vpr",
    "all/third_party/stefan_recent/testHistoryApplication.vpr",
    "all/third_party/stefan_recent/testHistoryLoop.vpr",
    "all/third_party/stefan_recent/testListAppend.vpr",
    "all/third_party/stefan_recent/testThreadInheritanceReal.vpr",
    "quantifiedpermissions/sequences/mergesort.vpr",
    "quantifiedpermissions/third_party/testDepParLoop.vpr",
    "wands/examples_new_syntax/ListIterator.vpr",
];

#[derive(Args)]
pub struct Options {
    /// Programs or folders of them [default: of the corpus: dependency, samples of precision and frontends,
    /// viper/examples, and ten larger programs of viper]
    paths: Vec<PathBuf>,
    /// Every Nth program [default: 12 for precision, 25 for frontends, else 1]
    #[arg(long, value_name = "N")]
    sample: Option<NonZeroUsize>,
    /// Seconds for one program with all its pruned ones
    #[arg(long, value_name = "S", default_value_t = 300)]
    limit: u64,
    /// The ten larger programs; without paths, only these
    #[arg(long)]
    larger: bool,
    /// Also check with Silicon
    #[arg(long)]
    silicon: bool,
    #[arg(long, value_enum, default_value = "fast")]
    minimize: Minimize,
    /// Write the pruned programs to this folder
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    binary: Binary,
}

#[derive(Default)]
struct Counts {
    programs: usize,
    assertions: usize,
    verified: usize,
    undecided: usize,
    /// Programs that fail because a proof uses an assertion that fails in the whole program.
    believed: usize,
    /// Among those that verify: with `assert` statements that provide terms.
    hinted: usize,
    exceptions: Vec<String>,
    files: Vec<String>,
    /// Number of remaining nodes, and of all nodes.
    nodes: (u64, u64),
}

pub fn run(options: &Options) -> Ended {
    let echis = options.binary.find()?;
    let mut counts = Counts::default();
    let programs = programs(options);
    if programs.is_empty() {
        return Err(format!("there is no program to prune below {:?}", options.paths));
    }
    let scratch = || std::env::temp_dir().join(format!("echis-prune-{}", std::process::id()));
    let folder = options.keep.clone().unwrap_or_else(scratch);
    for (index, program) in programs.iter().enumerate() {
        prune(&echis, program, &folder.join(index.to_string()), options, &mut counts);
    }
    println!(
        "echis: {} programs, {} assertions, {} pruned programs verify ({} with hints), {} but for errors of the whole program, {} not decided in time; {} of {} nodes are left on average",
        counts.programs,
        counts.assertions,
        counts.verified,
        counts.hinted,
        counts.believed,
        counts.undecided,
        average(counts.nodes.0, counts.assertions),
        average(counts.nodes.1, counts.assertions)
    );
    if options.silicon {
        silicon(&mut counts);
    }
    println!("{} exceptions", counts.exceptions.len());
    if options.keep.is_none() && counts.exceptions.is_empty() {
        // Errors in cleaning up are harmless.
        let _ = std::fs::remove_dir_all(&folder);
    }
    holds(counts.exceptions.is_empty())
}

fn prune(echis: &Echis, program: &str, folder: &Path, options: &Options, counts: &mut Counts) {
    let limit = options.limit.to_string();
    let out = folder.to_string_lossy();
    let args = ["prune", program, "--each", "--strict", "-o", &out, "--format", "json", "--timeout", &limit];
    let document = echis.document(&[&args[..], &["--minimize", options.minimize.name()]].concat());
    counts.programs += 1;
    let Some(pruned) = document["programs"].as_array() else {
        if document["files"][0]["verdict"] == "invalid" {
            return;
        }
        exception(counts, format!("{program}: no answer"));
        return;
    };
    for entry in pruned {
        counts.assertions += 1;
        counts.nodes.0 += entry["kept"].as_u64().unwrap_or(0);
        counts.nodes.1 += document["nodes"].as_u64().unwrap_or(0);
        let file = entry["output"].as_str().unwrap_or_default().to_string();
        if entry["verdict"] == "undecided" {
            println!("  {program}:{} not decided in time", entry["keep"][0]["line"]);
            counts.undecided += 1;
        } else if entry["believed"].as_u64().is_some_and(|believed| believed > 0) {
            // An assertion that fails in the whole program, and that a proof rests on, fails here too.
            counts.believed += 1;
        } else if entry["verdict"] == "verified" {
            counts.verified += 1;
            counts.hinted += usize::from(entry["hints"].as_array().is_some_and(|hints| !hints.is_empty()));
            counts.files.push(file);
        } else {
            let (goal, verdict) = (&entry["keep"][0], &entry["verdict"]);
            exception(counts, format!("{program}:{}:{} {verdict}: {file}", goal["line"], goal["column"]));
        }
    }
}

/// A program without a verdict from Silicon in time is distinguished from one that fails.
fn silicon(counts: &mut Counts) {
    let silicon = match Silicon::fetch() {
        Ok(silicon) => silicon,
        Err(message) => return println!("silicon: not run: {message}"),
    };
    let verdicts = silicon.warm(&counts.files, 60);
    let verified = verdicts.iter().filter(|timed| timed.verdict == "verified").count();
    println!("silicon: {verified} of {} pruned programs verify", counts.files.len());
    for timed in verdicts.iter().filter(|timed| timed.verdict != "verified") {
        exception(counts, format!("silicon: {} {}", timed.path, timed.verdict));
    }
}

fn exception(counts: &mut Counts, text: String) {
    println!("  {text}");
    counts.exceptions.push(text);
}

fn average(sum: u64, count: usize) -> String {
    format!("{:.1}", sum as f64 / count.max(1) as f64)
}

fn larger() -> Vec<PathBuf> {
    let folder = corpus().map(|corpus| corpus.join("viper"));
    folder.map(|folder| LARGER.iter().map(|name| folder.join(name)).collect()).unwrap_or_default()
}

fn programs(options: &Options) -> Vec<String> {
    let every = |path: &Path, default: usize| -> Vec<String> {
        corpus::programs(path).into_iter().step_by(options.sample.map_or(default, NonZeroUsize::get)).collect()
    };
    let larger = larger();
    if options.larger || !options.paths.is_empty() {
        let larger = larger.iter().filter(|_| options.larger);
        return options.paths.iter().chain(larger).flat_map(|path| every(path, 1)).collect();
    }
    let Some(corpus) = corpus() else { return Vec::new() };
    let folders = [("dependency", 1), ("precision", 12), ("viper/examples", 1), ("frontends", 25)];
    let mut programs: Vec<String> =
        folders.iter().flat_map(|(folder, sample)| every(&corpus.join(folder), *sample)).collect();
    programs.extend(larger.iter().flat_map(|path| corpus::programs(path)));
    programs
}
