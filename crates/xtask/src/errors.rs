//! `cargo xtask errors FOLDER`: finding all errors at once must find at least the errors found when stopping at the
//! first one, in every file. Prints the files where it does not, and totals.

use crate::command::{Ended, holds};
use crate::sweep::{Options, Sweep};
use serde_json::Value;
use std::collections::BTreeSet;
use std::sync::Mutex;

#[derive(Default)]
struct Totals {
    files: usize,
    left_out: usize,
    first: usize,
    all: usize,
    cascades: usize,
    /// Seconds and checks for files without errors, when stopping at the first error and when not.
    clean: (f64, f64),
    checks: (u64, u64),
    worse: Vec<String>,
}

pub fn run(options: &Options) -> Ended {
    let sweep = Sweep::new(options)?;
    let totals = Mutex::new(Totals::default());
    sweep.each(|number, file| compare(&sweep, file, number, &totals));
    let mut totals = totals.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    totals.worse.sort();
    for line in &totals.worse {
        println!("{line}");
    }
    let Totals { files, left_out, first, all, cascades, clean, checks, worse } = totals;
    println!("{files} files, {left_out} left out; errors: {first} stopping at the first of a member, {all} at once");
    println!("of those {cascades} follow from others; files that lose errors: {}", worse.len());
    println!(
        "seconds over files without errors: {:.1} and {:.1}; checks: {} and {}",
        clean.0, clean.1, checks.0, checks.1
    );
    holds(worse.is_empty())
}

/// Every second file is run in the opposite order, so that warm-up favours neither.
fn compare(sweep: &Sweep, file: &str, number: usize, totals: &Mutex<Totals>) {
    let verify = |errors: &str| {
        let common = ["verify", "--format", "json", "--jobs", "1", "--timeout", &sweep.seconds];
        sweep.echis.json(&[&common[..], &["--errors", errors, file]].concat())
    };
    let (first, all) = if number.is_multiple_of(2) {
        let first = verify("1");
        (first, verify("0"))
    } else {
        let all = verify("0");
        (verify("1"), all)
    };
    let mut totals = totals.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    totals.files += 1;
    let (Some(first), Some(all)) = (first.first(), all.first()) else {
        totals.left_out += 1;
        return;
    };
    let undecided = |file: &Value| !matches!(file["verdict"].as_str(), Some("verified" | "failed" | "invalid"));
    if undecided(first) || undecided(all) {
        totals.left_out += 1;
        return;
    }
    let (fewer, more) = (errors(first), errors(all));
    totals.first += fewer.len();
    totals.all += more.len();
    totals.cascades += all["errors"].as_array().into_iter().flatten().filter(|error| error["cascade"] == true).count();
    if [first, all].iter().all(|file| file["verdict"] == "verified") {
        totals.clean.0 += first["time_ms"].as_f64().unwrap_or(0.0) / 1000.0;
        totals.clean.1 += all["time_ms"].as_f64().unwrap_or(0.0) / 1000.0;
        totals.checks.0 += checks(first);
        totals.checks.1 += checks(all);
    }
    let lost: Vec<String> = fewer.difference(&more).map(|(line, _, id)| format!("{id}@{line}")).collect();
    if !lost.is_empty() {
        totals.worse.push(format!("{file}: lost {}", lost.join(" ")));
    }
}

fn checks(file: &Value) -> u64 {
    file["members"].as_array().into_iter().flatten().filter_map(|member| member["checks"].as_u64()).sum()
}

fn errors(file: &Value) -> BTreeSet<(u64, u64, String)> {
    let place = |error: &Value, name: &str| error["position"][name].as_u64().unwrap_or(0);
    let errors = file["errors"].as_array().into_iter().flatten();
    errors
        .map(|error| (place(error, "line"), place(error, "column"), error["id"].as_str().unwrap_or("").to_string()))
        .collect()
}
