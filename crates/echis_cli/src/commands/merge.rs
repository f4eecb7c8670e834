//! `echis merge`: joins the reports of the parts of a run (`verify --shard`), and rejects reports that do not belong
//! together.

mod join;
mod read;

use crate::args::{self, Format};
use crate::error::Fallible;
use crate::exit::Exit;
use crate::output::{complain, print};
use read::Report;
use serde_json::Value;

pub fn run(args: &args::Merge) -> Exit {
    let reports: Fallible<Vec<Report>> = args.reports.iter().map(|path| Report::read(path)).collect();
    let document = match reports.and_then(|reports| join::merge(&reports)) {
        Ok(document) => document,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    match args.format {
        Format::Json => print(&format!("{document:#}\n")),
        _ => print(&told(&document)),
    }
    let worst = list(&document, "files").map(|file| rank(&file["verdict"])).max();
    match worst.unwrap_or(0) {
        0 | 1 => Exit::Success,
        2 | 3 => Exit::Failed,
        4 => Exit::Invalid,
        _ => Exit::Defect,
    }
}

/// Verdicts from best to worst.
const VERDICTS: [&str; 6] = ["valid", "verified", "undecided", "failed", "invalid", "error"];

fn rank(verdict: &Value) -> usize {
    VERDICTS.iter().position(|known| verdict == known).unwrap_or(VERDICTS.len() - 1)
}

fn list<'a>(value: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    value[key].as_array().into_iter().flatten()
}

/// A line for each error and each file.
fn told(document: &Value) -> String {
    let mut text = String::new();
    for file in list(document, "files") {
        let path = file["path"].as_str().unwrap_or_default();
        for error in list(file, "errors").filter(|error| error["cascade"] != true) {
            let (line, column) = (&error["position"]["line"], &error["position"]["column"]);
            let message = error["message"].as_str().unwrap_or_default();
            text += &format!("{path}:{line}:{column}: {} ({})\n", message, error["id"].as_str().unwrap_or_default());
        }
        let members = list(file, "members").count();
        text += &format!("{path}: {} ({members} members)\n", file["verdict"].as_str().unwrap_or_default());
    }
    text
}
