//! `cargo xtask precision`: measures how many of the reported dependencies are real, on the annotated programs of
//! ../shared/corpus/precision: base programs with interferences. Prints a row for each interference and a column for
//! each base program, with the reference precision from the table in that folder. A missing dependency is an error
//! regardless of the precision.

use crate::command::{Binary, Ended, Minimize, holds};
use crate::corpus::corpus;
use crate::echis::Echis;
use crate::sweep::each;
use clap::Args;
use serde_json::Value;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;

/// The goals for the table.
const MEAN: f64 = 0.995;
const LEAST: f64 = 0.95;

#[derive(Args)]
pub struct Options {
    #[arg(long, value_enum, default_value = "fast")]
    minimize: Minimize,
    /// Programs whose path contains the text
    #[arg(long, value_name = "TEXT", default_value = "")]
    only: String,
    /// Every Nth program only
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZeroUsize,
    /// Programs at once
    #[arg(long, value_name = "N", default_value = "2")]
    jobs: NonZeroUsize,
    #[command(flatten)]
    binary: Binary,
}

/// The result for one program.
struct Cell {
    /// `None` if it does not verify, or is invalid.
    precision: Option<f64>,
    missing: Vec<String>,
    superfluous: Vec<String>,
}

pub fn run(options: &Options) -> Ended {
    let folder = corpus().map(|corpus| corpus.join("precision"));
    let programs = folder.as_deref().map(|folder| programs(folder, &options.only)).unwrap_or_default();
    let programs: Vec<(String, String)> = programs.into_iter().step_by(options.every.get()).collect();
    let (Some(folder), false) = (folder, programs.is_empty()) else {
        println!("precision is skipped: there are no such programs in ../shared/corpus/precision");
        return holds(true);
    };
    let echis = options.binary.find()?;
    let cells = Mutex::new(BTreeMap::new());
    each(&programs, options.jobs.get(), |_, (base, interference)| {
        let path = folder.join(base).join(format!("{interference}.vpr"));
        let cell = measure(&echis, &path, options.minimize.name());
        let mut cells = cells.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        cells.insert((interference.clone(), base.clone()), cell);
    });
    let cells = cells.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    report(&cells, &reference(&folder))
}

/// The base and the interference of each program.
fn programs(folder: &Path, only: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for base in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        for program in std::fs::read_dir(base.path()).into_iter().flatten().flatten() {
            let name = program.file_name().to_string_lossy().into_owned();
            let path = program.path().to_string_lossy().into_owned();
            if let Some(interference) = name.strip_suffix(".vpr").filter(|_| path.contains(only)) {
                found.push((base.file_name().to_string_lossy().into_owned(), interference.to_string()));
            }
        }
    }
    found.sort();
    found
}

fn measure(echis: &Echis, path: &Path, minimize: &str) -> Cell {
    let path = path.to_string_lossy();
    let run = echis.run(&["deps", &path, "--test", "--format", "json", "--jobs", "1", "--minimize", minimize]);
    let document: Value = serde_json::from_str(&run.output).unwrap_or_default();
    let members = document["members"].as_array().cloned().unwrap_or_default();
    let listed = |name: &str| {
        let each = members.iter().flat_map(|member| {
            let nodes = member[name].as_array().into_iter().flatten();
            nodes.map(|node| format!("{}: line {}: {}", text(&member["name"]), node["line"], text(&node["text"])))
        });
        each.collect::<Vec<String>>()
    };
    let (missing, superfluous) = (listed("missing"), listed("superfluous"));
    let reported: u64 = members.iter().filter_map(|member| member["reported"].as_u64()).sum();
    let failed = run.code != Some(0) && missing.is_empty();
    let precision = 1.0 - superfluous.len() as f64 / reported.max(1) as f64;
    Cell { precision: (!failed && !members.is_empty()).then_some(precision), missing, superfluous }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or("").chars().take(80).collect()
}

/// The precision of another system, from the table next to the programs.
fn reference(folder: &Path) -> BTreeMap<(String, String), String> {
    let table = std::fs::read_to_string(folder.join("silicon-precision.tsv")).unwrap_or_default();
    let mut rows = table.lines().map(|row| row.split('\t').map(str::to_string).collect::<Vec<String>>());
    let bases = rows.next().unwrap_or_default();
    let cells = rows.flat_map(|row| {
        let named = bases.iter().skip(1).zip(row.clone().into_iter().skip(1));
        let row = row.into_iter().next().unwrap_or_default();
        named.map(move |(base, value)| ((row.clone(), base.clone()), value)).collect::<Vec<_>>()
    });
    cells.collect()
}

fn report(cells: &BTreeMap<(String, String), Cell>, reference: &BTreeMap<(String, String), String>) -> Ended {
    let mut bases: Vec<&str> = cells.keys().map(|(_, base)| &**base).collect();
    bases.sort_unstable();
    bases.dedup();
    let mut rows: Vec<&str> = cells.keys().map(|(row, _)| &**row).collect();
    rows.dedup();
    let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let initials = bases.iter().map(|base| format!("  {:9}", base.chars().take(1).collect::<String>()));
    println!("{:width$}{}", "", initials.collect::<String>());
    for row in rows {
        let shown = bases.iter().map(|base| {
            let key = (row.to_string(), base.to_string());
            let ours = cells.get(&key).and_then(|cell| cell.precision);
            let ours = ours.map_or("x".to_string(), |precision| format!("{precision:.2}"));
            format!("  {ours:4} {:4}", reference.get(&key).map_or("", |value| value))
        });
        println!("{row:width$}{}", shown.collect::<String>());
    }
    for ((row, base), cell) in cells {
        cell.missing.iter().for_each(|node| println!("MISSING {base}/{row} {node}"));
        cell.superfluous.iter().for_each(|node| println!("superfluous {base}/{row} {node}"));
    }
    let measured: Vec<f64> = cells.values().filter_map(|cell| cell.precision).collect();
    let mean = measured.iter().sum::<f64>() / measured.len().max(1) as f64;
    let least = measured.iter().copied().fold(1.0, f64::min);
    let missing = cells.values().map(|cell| cell.missing.len()).sum::<usize>();
    println!("{} programs: mean {mean:.4}, least {least:.2}, missing {missing}", measured.len());
    holds(mean >= MEAN && least >= LEAST && missing == 0)
}
