//! `cargo xtask attempts`: which ways to prove obligations are worth their cost. Verifies programs with `--profile`
//! and adds up how often each way was tried, how often it found a proof, and the effort of both.

use crate::command::{Ended, holds};
use crate::sweep::{Options, Sweep};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

#[derive(Default)]
struct Totals {
    files: usize,
    undecided: usize,
    attempts: BTreeMap<String, Row>,
}

#[derive(Default, Clone, Copy)]
struct Row {
    tried: u64,
    proved: u64,
    effort: u64,
    effort_of_proofs: u64,
}

pub fn run(options: &Options) -> Ended {
    let sweep = Sweep::new(options)?;
    let totals = Mutex::new(Totals::default());
    sweep.each(|_, file| {
        let args = ["verify", "--format", "json", "--jobs", "1", "--profile", "--timeout", &sweep.seconds, file];
        let found = sweep.echis.json(&args);
        let mut totals = totals.lock().unwrap_or_else(PoisonError::into_inner);
        found.iter().for_each(|file| totals.add(file));
    });
    let totals = totals.into_inner().unwrap_or_else(PoisonError::into_inner);
    totals.print();
    holds(totals.files > 0)
}

impl Totals {
    fn add(&mut self, file: &Value) {
        self.files += 1;
        self.undecided += usize::from(file["verdict"] == "undecided");
        let members = file["profile"].as_array().into_iter().flatten();
        for attempt in members.flat_map(|member| member["attempts"].as_array().into_iter().flatten()) {
            let number = |name: &str| attempt[name].as_u64().unwrap_or(0);
            let row = self.attempts.entry(attempt["name"].as_str().unwrap_or("").to_string()).or_default();
            row.tried += number("tried");
            row.proved += number("proved");
            row.effort += number("effort");
            row.effort_of_proofs += number("effort_of_proofs");
        }
    }

    /// Effort in thousands of the solver's units.
    fn print(&self) {
        println!("{} programs, {} undecided; effort in thousands", self.files, self.undecided);
        println!(
            "{:>20}  {:>8}  {:>8}  {:>12}  {:>12}  {:>14}",
            "attempt", "tried", "proved", "effort", "of proofs", "for each proof"
        );
        for (name, Row { tried, proved, effort, effort_of_proofs }) in &self.attempts {
            let each = effort.checked_div(*proved).map_or("-".to_string(), |each| (each / 1000).to_string());
            let (effort, of_proofs) = (effort / 1000, effort_of_proofs / 1000);
            println!("{name:>20}  {tried:>8}  {proved:>8}  {effort:>12}  {of_proofs:>12}  {each:>14}");
        }
    }
}
