//! Soundness of dependencies, measured: for every explicit assertion the program that is left when everything goes that
//! the graph does not name must verify, with Echis and, where it can be had, with Silicon.

use crate::bench::{Echis, Silicon};
use crate::sweep::{self, corpus};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask prune [OPTIONS] [PATH…]
  PATH          programs or folders of them [default: of the corpus: dependency, samples of precision and frontends,
                viper/examples, and ten larger programs of viper; `--larger` alone takes just these]
  --sample N    every N-th program [default: 12 for precision, 25 for frontends, else 1]
  --limit S     seconds for one program with all its pruned ones [default: 300]
  --larger      the ten larger programs
  --silicon     check with Silicon too
  --minimize M  off, fast or full [default: fast]
  --keep DIR    leave the pruned programs there
  --echis PATH  the binary to use [default: the release build, made anew]";

/// Long programs of the corpus with many assertions, of different kinds.
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

struct Options {
    paths: Vec<PathBuf>,
    sample: Option<usize>,
    limit: u64,
    silicon: bool,
    minimize: String,
    folder: PathBuf,
    keep: bool,
    echis: Option<PathBuf>,
}

#[derive(Default)]
struct Counts {
    programs: usize,
    assertions: usize,
    verified: usize,
    undecided: usize,
    /// Those that have errors of the whole program, and no others.
    believed: usize,
    /// Among those that verify: with `assert` statements that bring terms into play.
    hinted: usize,
    exceptions: Vec<String>,
    files: Vec<String>,
    /// Nodes left and nodes there were.
    nodes: (u64, u64),
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
    let mut counts = Counts::default();
    let programs = programs(&options);
    if programs.is_empty() {
        eprintln!("there is no program to prune below {:?}", options.paths);
        return ExitCode::FAILURE;
    }
    for (index, program) in programs.iter().enumerate() {
        prune(&echis, program, &options.folder.join(index.to_string()), &options, &mut counts);
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
    if !options.keep && counts.exceptions.is_empty() {
        let _ = std::fs::remove_dir_all(&options.folder);
    }
    if counts.exceptions.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn prune(echis: &Echis, program: &str, folder: &Path, options: &Options, counts: &mut Counts) {
    let limit = options.limit.to_string();
    let out = folder.to_string_lossy();
    let args = ["prune", program, "--each", "--strict", "-o", &out, "--format", "json", "--timeout", &limit];
    let document = echis.document(&[&args[..], &["--minimize", &options.minimize]].concat());
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
            // What the whole program fails to prove, and a proof rests on, fails there too.
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

/// A program on which Silicon has no verdict in time is told apart from one that fails.
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

fn parse(args: &[String]) -> Option<Options> {
    let folder = std::env::temp_dir().join(format!("echis-prune-{}", std::process::id()));
    let minimize = "fast".to_string();
    let mut options = Options {
        paths: Vec::new(),
        sample: None,
        limit: 300,
        silicon: false,
        minimize,
        folder,
        keep: false,
        echis: None,
    };
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--sample" => options.sample = Some(args.next()?.parse().ok().filter(|sample| *sample > 0)?),
            "--limit" => options.limit = args.next()?.parse().ok()?,
            "--silicon" => options.silicon = true,
            "--larger" => options.paths.extend(larger()),
            "--echis" => options.echis = Some(args.next()?.into()),
            "--minimize" => options.minimize = args.next()?.clone(),
            "--keep" => (options.folder, options.keep) = (args.next()?.into(), true),
            path if !path.starts_with('-') => options.paths.push(path.into()),
            _ => return None,
        }
    }
    Some(options)
}

fn larger() -> Vec<PathBuf> {
    let folder = corpus().map(|corpus| corpus.join("viper"));
    folder.map(|folder| LARGER.iter().map(|name| folder.join(name)).collect()).unwrap_or_default()
}

fn programs(options: &Options) -> Vec<String> {
    let every = |path: &Path, default: usize| -> Vec<String> {
        sweep::programs(path).into_iter().step_by(options.sample.unwrap_or(default)).collect()
    };
    if !options.paths.is_empty() {
        return options.paths.iter().flat_map(|path| every(path, 1)).collect();
    }
    let Some(corpus) = corpus() else { return Vec::new() };
    let folders = [("dependency", 1), ("precision", 12), ("viper/examples", 1), ("frontends", 25)];
    let mut programs: Vec<String> =
        folders.iter().flat_map(|(folder, sample)| every(&corpus.join(folder), *sample)).collect();
    programs.extend(larger().iter().flat_map(|path| sweep::programs(path)));
    programs
}
