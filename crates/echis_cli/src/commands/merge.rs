//! `echis merge`: joins the reports of parts (`verify --shard`), and sees whether they are the whole.

use crate::args::{self, Format};
use crate::exit::Exit;
use crate::fallible::Fallible;
use crate::output::{complain, print};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

pub fn run(args: &args::Merge) -> Exit {
    let merged = match args.reports.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>() {
        Ok(reports) => merge(&reports),
        Err(message) => Err(message),
    };
    let document = match merged {
        Ok(document) => document,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    match args.format {
        Format::Json => print(&format!("{document}\n")),
        _ => print(&told(&document)),
    }
    let worst = files(&document).map(|file| rank(&file["verdict"])).max();
    match worst.unwrap_or(0) {
        0 | 1 => Exit::Success,
        2 | 3 => Exit::Failed,
        4 => Exit::Invalid,
        _ => Exit::Defect,
    }
}

/// Verdicts from the best to the worst.
const VERDICTS: [&str; 6] = ["valid", "verified", "undecided", "failed", "invalid", "error"];

fn rank(verdict: &Value) -> usize {
    VERDICTS.iter().position(|known| verdict == known).unwrap_or(VERDICTS.len() - 1)
}

fn read(path: &Path) -> Fallible<Value> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let report: Value = serde_json::from_str(&text).map_err(|error| format!("{}: {error}", path.display()))?;
    match report["command"] == "verify" && report["files"].is_array() {
        true => Ok(report),
        false => Err(format!("{} is not a report of `echis verify --format json`", path.display()).into()),
    }
}

fn files(report: &Value) -> impl Iterator<Item = &Value> {
    report["files"].as_array().into_iter().flatten()
}

/// One report, or what is missing.
fn merge(reports: &[Value]) -> Fallible<Value> {
    let Some(first) = reports.first() else { return Err("there is no report to merge".into()) };
    for key in ["version", "echis", "solver"] {
        if let Some(other) = reports.iter().find(|report| report[key] != first[key]) {
            return Err(format!("the reports are of different runs: {key} is {} and {}", first[key], other[key]).into());
        }
    }
    let paths: Vec<&Value> = files(first).map(|file| &file["path"]).collect();
    if reports.iter().any(|report| files(report).map(|file| &file["path"]).ne(paths.iter().copied())) {
        return Err("the reports are about different files".into());
    }
    let mut merged = first.clone();
    for (index, path) in paths.iter().enumerate() {
        let parts: Vec<&Value> = reports.iter().map(|report| &report["files"][index]).collect();
        merged["files"][index] =
            join(&parts).map_err(|what| format!("{}: {what}", path.as_str().unwrap_or_default()))?;
    }
    Ok(merged)
}

fn list<'a>(file: &'a Value, key: &str) -> impl Iterator<Item = &'a Value> {
    file[key].as_array().into_iter().flatten()
}

fn join(parts: &[&Value]) -> Fallible<Value> {
    let mut file = parts[0].clone();
    let mut members: BTreeMap<String, &Value> = BTreeMap::new();
    for member in parts.iter().flat_map(|part| list(part, "members")) {
        let name = member["name"].as_str().unwrap_or_default().to_string();
        if members.insert(name.clone(), member).is_some() {
            return Err(format!("{name} is in several reports: they are not parts of one run").into());
        }
    }
    let left_out = parts.iter().flat_map(|part| list(part, "left_out")).filter_map(Value::as_str);
    let missing: BTreeSet<&str> = left_out.filter(|name| !members.contains_key(*name)).collect();
    if !missing.is_empty() {
        let names: Vec<&str> = missing.into_iter().collect();
        return Err(
            format!("no report has {}: a part is missing, or belongs to another program", names.join(", ")).into()
        );
    }
    // What is true of the whole program is in every part.
    let all = |key: &str| {
        let mut seen = Vec::new();
        for found in parts.iter().flat_map(|part| list(part, key)) {
            if !seen.contains(found) {
                seen.push(found.clone());
            }
        }
        Value::Array(seen)
    };
    let (errors, warnings, stopped) = (all("errors"), all("warnings"), all("stopped"));
    let verdict = parts.iter().map(|part| rank(&part["verdict"])).max().unwrap_or(0);
    let time: f64 = parts.iter().filter_map(|part| part["time_ms"].as_f64()).sum();
    file["members"] = members.into_values().cloned().collect();
    (file["errors"], file["warnings"], file["stopped"]) = (errors, warnings, stopped);
    (file["verdict"], file["time_ms"]) = (json!(VERDICTS[verdict]), json!(time));
    if let Some(fields) = file.as_object_mut() {
        fields.remove("left_out");
    }
    Ok(file)
}

/// A line for each error and each file.
fn told(document: &Value) -> String {
    let mut text = String::new();
    for file in files(document) {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn report(members: &[&str], left_out: &[&str], verdict: &str) -> Value {
        let members: Vec<Value> = members.iter().map(|name| json!({ "name": name })).collect();
        let file = json!({
            "path": "a.vpr", "verdict": verdict, "time_ms": 1.0, "members": members, "errors": [], "warnings": [],
            "stopped": [], "left_out": left_out,
        });
        json!({ "version": 1, "echis": "0", "solver": null, "command": "verify", "files": [file] })
    }

    #[test]
    fn parts_make_a_whole_or_it_is_said_what_is_missing() {
        let (one, two) = (report(&["m"], &["n"], "verified"), report(&["n"], &["m"], "failed"));
        let whole = merge(&[one.clone(), two.clone()]).expect("they are the whole");
        assert_eq!((&whole["files"][0]["verdict"], &whole["files"][0]["left_out"]), (&json!("failed"), &Value::Null));
        assert_eq!(whole["files"][0]["members"].as_array().map(Vec::len), Some(2));
        assert!(merge(std::slice::from_ref(&one)).is_err_and(|error| error.to_string().contains("no report has n")));
        assert!(merge(&[one.clone(), one]).is_err_and(|error| error.to_string().contains("several reports")));
        let mut other = two;
        other["echis"] = json!("1");
        assert!(
            merge(&[report(&["m"], &["n"], "verified"), other])
                .is_err_and(|error| error.to_string().contains("different runs"))
        );
    }
}
