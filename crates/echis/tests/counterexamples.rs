//! Counterexamples contain what programs expect of them: `//:: ExpectedCounterexample(id, (fact, …))` above the line of
//! an error. A fact is an equality of variables, fields, elements and literals, or `acc(location, amount)`.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

struct Expected {
    line: u64,
    id: String,
    facts: Vec<String>,
}

fn expected(source: &str) -> Vec<Expected> {
    let mut all = Vec::new();
    for (index, line) in source.lines().enumerate() {
        let Some((_, rest)) = line.split_once("ExpectedCounterexample(") else { continue };
        let Some((id, facts)) = rest.trim_end().split_once(", (") else { continue };
        let facts = facts.strip_suffix("))").unwrap_or(facts);
        all.push(Expected { line: index as u64 + 2, id: id.to_string(), facts: split(facts) });
    }
    all
}

/// At commas outside of parentheses.
fn split(facts: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0);
    for c in facts.chars() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        match (c, depth, parts.last_mut()) {
            (',', 0, _) => parts.push(String::new()),
            (c, _, Some(last)) => last.push(c),
            _ => {}
        }
    }
    parts.iter().map(|part| part.trim().to_string()).collect()
}

struct Example<'a>(&'a Value);

impl<'a> Example<'a> {
    fn entries(&self) -> impl Iterator<Item = &'a Value> {
        let heaps = self.0["heaps"].as_array().into_iter().flatten();
        heaps
            .filter(|heap| heap["state"] == "current")
            .flat_map(|heap| heap["entries"].as_array().into_iter().flatten())
    }
    /// The object that tells an expression's value.
    fn find(&self, expr: &str) -> Option<Value> {
        let expr = expr.trim();
        if expr.parse::<i64>().is_ok() || ["true", "false", "null"].contains(&expr) {
            return Some(serde_json::json!({ "value": expr }));
        }
        if let Some(inner) = expr.strip_suffix(']') {
            let (sequence, index) = inner.rsplit_once('[')?;
            let (sequence, index) = (self.find(sequence)?, self.value(index)?);
            let elements = sequence["elements"].as_array()?;
            let index: Option<u64> = index.parse().ok();
            return elements.iter().find(|element| index.is_some() && element["index"].as_u64() == index).cloned();
        }
        if let Some((receiver, field)) = expr.rsplit_once('.') {
            let receiver = self.value(receiver)?;
            return self.entries().find(|entry| entry["field"] == field && entry["receiver"] == *receiver).cloned();
        }
        self.0["store"].as_array()?.iter().find(|variable| variable["name"] == expr).cloned()
    }
    fn value(&self, expr: &str) -> Option<String> {
        self.find(expr)?["value"].as_str().filter(|value| *value != "#unspecified").map(str::to_string)
    }
    fn has(&self, fact: &str) -> bool {
        if let Some(inner) = fact.strip_prefix("acc(").and_then(|rest| rest.strip_suffix(')')) {
            let Some((location, amount)) = inner.rsplit_once(", ") else { return false };
            return self.held(location).is_some_and(|entry| entry["perm"] == amount);
        }
        let Some((left, right)) = fact.split_once("==") else { return false };
        let (left, right) = (self.value(left), self.value(right));
        left.is_some() && left == right
    }
    fn held(&self, location: &str) -> Option<Value> {
        let Some((name, args)) = location.strip_suffix(')').and_then(|location| location.split_once('(')) else {
            return self.find(location);
        };
        let args: Vec<String> = args.split(',').map(|arg| self.value(arg)).collect::<Option<_>>()?;
        self.entries().find(|entry| entry["name"] == name && entry["args"] == serde_json::json!(args)).cloned()
    }
}

/// The facts that are missing, and how many there are.
fn check(file: &Path) -> (Vec<String>, usize) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_echis"));
    command.env_remove("ECHIS_SOLVER").args(["verify", "--format", "json", "--counterexample", "extended"]).arg(file);
    let output = command.output().expect("the program runs");
    let document: Value = serde_json::from_slice(&output.stdout).expect("the output is JSON");
    let errors = document["files"][0]["errors"].as_array().cloned().unwrap_or_default();
    let source = std::fs::read_to_string(file).expect("the file is there");
    let (mut missing, mut count) = (Vec::new(), 0);
    for Expected { line, id, facts } in expected(&source) {
        let error = errors.iter().find(|error| error["position"]["line"] == line && error["id"] == *id);
        let nothing = Value::Null;
        let example = Example(error.map_or(&nothing, |error| &error["counterexample"]));
        count += facts.len();
        let lost = facts.iter().filter(|fact| !example.has(fact));
        missing.extend(lost.map(|fact| format!("{}:{line}: {fact}", file.display())));
    }
    (missing, count)
}

fn check_folder(folder: &Path) {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    let mut missing = Vec::new();
    let mut count = 0;
    for file in files.iter().filter(|file| file.extension().is_some_and(|extension| extension == "vpr")) {
        let (lost, facts) = check(file);
        missing.extend(lost);
        count += facts;
    }
    assert!(count > 0, "{} expects nothing", folder.display());
    assert!(missing.is_empty(), "{} of {count} facts are missing:\n{}", missing.len(), missing.join("\n"));
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[test]
fn our_own_programs_have_the_facts_that_they_expect() {
    check_folder(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/counterexamples"));
}

#[test]
fn the_corpus_has_the_facts_that_it_expects() {
    let corpus = root().join("../shared/corpus/counterexamples");
    for part in ["general", "mapped", "variables"].map(|part| corpus.join(part)).iter().filter(|part| part.is_dir()) {
        check_folder(part);
    }
}
