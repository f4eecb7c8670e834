//! `cargo xtask counterexamples`: the counterexamples for the failing programs of a folder, and whether the confirmed
//! ones are right. A confirmed one is right if the program written by `--export-test`, in which its values are
//! assumed, fails in the same way.

mod cost;

use crate::command::{Ended, holds};
use crate::echis::Scratch;
use crate::sweep::{self, Sweep};
use clap::Args;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;

#[derive(Args)]
pub struct Options {
    /// What counterexamples cost beside none, each program run both ways in turn
    #[arg(long)]
    cost: bool,
    #[command(flatten)]
    sweep: sweep::Options,
}

#[derive(Default)]
struct Totals {
    files: usize,
    errors: usize,
    /// Counts by status, or `none` with the reason.
    statuses: BTreeMap<String, usize>,
    /// Confirmed and total, for paths without and with quantifiers.
    unquantified: (usize, usize),
    quantified: (usize, usize),
    /// Reasons why counterexamples were not confirmed, without quotations, each with the first example.
    reasons: BTreeMap<String, (usize, String)>,
    /// Confirmed ones that could be inserted and fail, and those that could not be inserted.
    right: usize,
    not_inserted: usize,
    exceptions: Vec<String>,
}

pub fn run(options: &Options) -> Ended {
    let sweep = Sweep::new(&options.sweep)?;
    if options.cost {
        cost::run(&sweep);
        return holds(true);
    }
    report(&look(&sweep))
}

fn report(totals: &Totals) -> Ended {
    println!("{} failing programs, {} errors", totals.files, totals.errors);
    for (status, count) in &totals.statuses {
        println!("  {count:5} {status}");
    }
    for (path, (confirmed, all)) in [("without a", totals.unquantified), ("with a", totals.quantified)] {
        let share = 100.0 * confirmed as f64 / all.max(1) as f64;
        println!("{path} quantifier on the path: {confirmed} of {all} confirmed ({share:.0} %)");
    }
    let mut reasons: Vec<_> = totals.reasons.iter().collect();
    reasons.sort_by_key(|(_, (count, _))| std::cmp::Reverse(*count));
    for (reason, (count, first)) in reasons {
        println!("  {count:5} {reason}, first in {first}");
    }
    println!("confirmed ones inserted and right: {}, not insertable: {}", totals.right, totals.not_inserted);
    println!("confirmed ones that look wrong: {}", totals.exceptions.len());
    totals.exceptions.iter().for_each(|exception| println!("  {exception}"));
    holds(totals.exceptions.is_empty())
}

fn look(sweep: &Sweep) -> Totals {
    let totals = Mutex::new(Totals::default());
    let scratch = Scratch::new();
    sweep.each(|position, file| look_at(sweep, file, (&scratch, position), &totals));
    let mut totals = totals.into_inner().unwrap_or_default();
    totals.exceptions.sort();
    totals
}

fn verify(sweep: &Sweep, file: &str, more: &[&str]) -> Vec<Value> {
    let args = ["verify", "--format", "json", "--hints", "off", "--timeout", &sweep.seconds, file];
    let files = sweep.echis.json(&[&args[..], more].concat());
    files.into_iter().filter(|file| file["verdict"] != "invalid").collect()
}

fn look_at(sweep: &Sweep, file: &str, scratch: (&Scratch, usize), totals: &Mutex<Totals>) {
    let folder = scratch.0.0.join(format!("exported{}", scratch.1));
    let found = verify(sweep, file, &["--counterexample", "extended", "--export-test", &folder.to_string_lossy()]);
    let errors: Vec<Value> =
        found.iter().flat_map(|file| file["errors"].as_array().cloned().unwrap_or_default()).collect();
    let length = std::fs::read_to_string(file).unwrap_or_default().lines().count() as u64;
    let mut names = BTreeSet::new();
    for (position, error) in errors.iter().enumerate() {
        let example = &error["counterexample"];
        let confirmed = example["status"] == "confirmed";
        let exported = (!example.is_null()).then(|| folder.join(exported_name(file, error, &mut names)));
        let checked = exported.filter(|_| confirmed).map(|exported| check(sweep, length, error, &exported));
        let Ok(mut totals) = totals.lock() else { return };
        totals.files += usize::from(position == 0);
        totals.errors += 1;
        let status = match (example["status"].as_str(), error["no_counterexample"].as_str()) {
            (Some(status), _) => status.to_string(),
            (None, Some(reason)) => format!("none: {reason}"),
            (None, None) => "none, without a reason".to_string(),
        };
        *totals.statuses.entry(status).or_default() += 1;
        if let Some(quantified) = example["quantified"].as_bool() {
            let counts = if quantified { &mut totals.quantified } else { &mut totals.unquantified };
            counts.0 += usize::from(confirmed);
            counts.1 += 1;
        }
        if let Some(why) = example["why"].as_str() {
            let place = format!("{file}:{}", error["position"]["line"]);
            totals.reasons.entry(unquoted(why)).or_insert((0, place)).0 += 1;
        }
        match checked {
            Some(Checked::Right) => totals.right += 1,
            Some(Checked::NotInserted) => totals.not_inserted += 1,
            Some(Checked::Wrong(how)) => {
                let place = format!("{file}:{}: {} {how}", error["position"]["line"], error["id"]);
                totals.exceptions.push(place);
            }
            None => {}
        }
    }
}

/// The reason without quoted text and without the line.
fn unquoted(why: &str) -> String {
    match (why.find('`'), why.rfind('`')) {
        (Some(from), Some(to)) if from < to => {
            let rest = &why[to + 1..];
            let rest =
                rest.split_once(')').map_or(rest, |(line, rest)| if line.starts_with(" (line") { rest } else { line });
            format!("{}`…`{rest}", &why[..from])
        }
        _ => why.to_string(),
    }
}

enum Checked {
    Right,
    NotInserted,
    Wrong(&'static str),
}

/// The file name used by `--export-test`: from the file and the line of the error.
fn exported_name(file: &str, error: &Value, names: &mut BTreeSet<String>) -> String {
    let stem = Path::new(file).file_stem().unwrap_or_default().to_string_lossy();
    let mut name = format!("{stem}-{}", error["position"]["line"]);
    while !names.insert(name.clone()) {
        name.push('b');
    }
    name + ".vpr"
}

/// The error stays on its line, after the leading comment, or moves behind the assumptions.
fn check(sweep: &Sweep, length: u64, error: &Value, exported: &Path) -> Checked {
    let Ok(text) = std::fs::read_to_string(exported) else { return Checked::NotInserted };
    let moved = (text.lines().count() as u64).saturating_sub(length);
    let files = verify(sweep, &exported.to_string_lossy(), &[]);
    let Some(file) = files.first() else { return Checked::Wrong("is exported as an invalid program") };
    if file["stopped"].as_array().is_some_and(|stopped| !stopped.is_empty()) {
        return Checked::NotInserted;
    }
    let line = |found: &Value| found["position"]["line"].as_u64().unwrap_or(0);
    let errors = file["errors"].as_array().cloned().unwrap_or_default();
    let same =
        |found: &&Value| found["id"] == error["id"] && [line(error) + 1, line(error) + moved].contains(&line(found));
    if errors.iter().any(|found| same(&found)) {
        return Checked::Right;
    }
    // An undefined assumption says nothing about the values.
    let is_assumed = |found: &&Value| {
        let of_line = text.lines().nth(line(found).saturating_sub(1) as usize).unwrap_or_default().trim_start();
        of_line.starts_with("inhale ") || of_line.starts_with("requires ")
    };
    match errors.iter().any(|found| is_assumed(&found)) {
        true => Checked::NotInserted,
        false => Checked::Wrong("does not fail with the values"),
    }
}
