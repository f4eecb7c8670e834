//! Measures the recall of coverage by mutation: each clause, `assume` and axiom is removed; if the program still
//! verifies, `echis cover` should have reported it as unneeded. Conversely, each program that confirms a warning must
//! verify.

use crate::command::{Binary, Ended, holds, spread};
use crate::echis::Echis;
use clap::Args;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The required fraction of reported elements.
const BOUND: f64 = 0.95;

#[derive(Args)]
pub struct Options {
    /// Programs or folders [default: the examples and the corpus]
    paths: Vec<PathBuf>,
    /// Number of programs, spread evenly
    #[arg(long, value_name = "N", default_value_t = 60)]
    programs: usize,
    /// Maximum number of clauses of each, spread evenly
    #[arg(long, value_name = "N", default_value_t = 25)]
    most: usize,
    /// Seconds for one run
    #[arg(long, value_name = "S", default_value_t = 30)]
    limit: u64,
    /// Print unreported elements
    #[arg(long)]
    verbose: bool,
    /// Use `cover --thorough`
    #[arg(long)]
    thorough: bool,
    #[command(flatten)]
    binary: Binary,
}

#[derive(Default)]
struct Counts {
    programs: usize,
    mutants: usize,
    removable: usize,
    reported: usize,
    /// Number of programs that confirm warnings, and of those that do not verify.
    evidence: usize,
    alarms: usize,
    /// Unreported elements, by kind.
    missed: BTreeMap<String, usize>,
}

pub fn run(options: &Options) -> Ended {
    let echis = options.binary.find()?;
    let mut counts = Counts::default();
    for program in spread(&options.paths, 0..=usize::MAX, options.programs) {
        measure(&echis, &program, options, &mut counts);
    }
    let Counts { programs, mutants, removable, reported, evidence, alarms, missed } = &counts;
    let share = *reported as f64 / (*removable).max(1) as f64;
    println!(
        "{programs} programs, {mutants} mutants: {removable} clauses can go, {reported} of them are reported ({share:.3}); \
         {evidence} warnings, {alarms} of their programs do not verify"
    );
    let missed: Vec<String> = missed.iter().map(|(construct, count)| format!("{construct} {count}")).collect();
    println!("not reported: {}", missed.join(", "));
    holds(share >= BOUND && *alarms == 0)
}

fn measure(echis: &Echis, program: &str, options: &Options, counts: &mut Counts) {
    let Ok(text) = std::fs::read_to_string(program) else { return };
    // Mutants are in a separate folder, where relative imports fail.
    if text.contains("import") {
        return;
    }
    let seconds = options.limit.to_string();
    let limit = ["--timeout", &seconds, "--format", "json", "--jobs", "1"];
    let scratch = std::env::temp_dir().join(format!("echis-recall-{}.vpr", std::process::id()));
    let verdict = |text: &str| {
        let name = scratch.to_string_lossy().into_owned();
        std::fs::write(&scratch, text).ok()?;
        let document = echis.document(&[&["verify", &name], &limit[..]].concat());
        let _ = std::fs::remove_file(&scratch);
        document["files"][0]["verdict"].as_str().map(str::to_string)
    };
    let thorough: &[&str] = if options.thorough { &["--thorough"] } else { &[] };
    let covered = echis.document(&[&["cover", program], thorough, &limit].concat());
    if covered["verdict"] != "verified" {
        return;
    }
    counts.programs += 1;
    let warnings = covered["warnings"].as_array().map_or(&[][..], Vec::as_slice);
    for warning in warnings {
        counts.evidence += 1;
        let edits = warning["confirmed_by"].as_array().map_or(&[][..], Vec::as_slice);
        let edited = with(&text, edits);
        if edited.as_deref().and_then(verdict).is_some_and(|verdict| verdict == "failed") {
            counts.alarms += 1;
            println!("  {program}:{} {} is not confirmed", warning["line"], warning["id"]);
        }
    }
    let found = echis.document(&[&["deps", program, "--all"], &limit[..]].concat());
    let nodes = found["nodes"].as_array().map_or(&[][..], Vec::as_slice);
    let believed: Vec<&Value> = nodes.iter().filter(|node| is_removable(node, nodes)).collect();
    let step = believed.len().div_ceil(options.most.max(1)).max(1);
    for node in believed.into_iter().step_by(step) {
        let Some(edited) = without(&text, node) else { continue };
        counts.mutants += 1;
        if verdict(&edited).is_none_or(|verdict| verdict != "verified") {
            continue;
        }
        counts.removable += 1;
        let line = |value: &Value, name: &str| value[name].as_u64().unwrap_or(0);
        let speaks_of = |warning: &&Value| {
            let (start, end) = (line(node, "line"), line(node, "end_line"));
            let (first, last) = (line(warning, "line"), line(warning, "end_line"));
            first <= end && start <= last
        };
        if warnings.iter().any(|warning| speaks_of(&warning)) {
            counts.reported += 1;
        } else {
            let construct = node["construct"].as_str().unwrap_or_default();
            *counts.missed.entry(construct.to_string()).or_default() += 1;
            if options.verbose {
                println!("  {program}:{} {construct} {}", node["line"], node["text"]);
            }
        }
    }
}

/// Assumptions that proofs may not need. Preconditions of members without a body are never assumed.
fn is_removable(node: &Value, nodes: &[Value]) -> bool {
    let construct = |node: &Value| node["construct"].as_str().unwrap_or_default().to_string();
    let is_body = |other: &&Value| {
        other["member"] == node["member"] && !matches!(&*construct(other), "precondition" | "postcondition")
    };
    match &*construct(node) {
        "precondition" => node["assumption"].is_string() && nodes.iter().any(|other| is_body(&other)),
        "invariant" | "inhale" | "axiom" => node["assumption"].is_string(),
        _ => false,
    }
}

/// The text without a node: an axiom is removed, anything else is replaced by a trivial assertion.
fn without(text: &str, node: &Value) -> Option<String> {
    let (start, end) = (offset(text, node, "line", "column")?, offset(text, node, "end_line", "end_column")?);
    let statement =
        ["assume", "inhale"].iter().find(|word| text.get(start..end).is_some_and(|own| own.starts_with(**word)));
    let new = match (node["construct"].as_str()?, statement) {
        ("axiom", _) => String::new(),
        (_, Some(word)) => format!("{word} true"),
        _ => "true".to_string(),
    };
    Some(format!("{}{new}{}", text.get(..start)?, text.get(end..)?))
}

/// The text with JSON edits applied.
pub fn with(text: &str, edits: &[Value]) -> Option<String> {
    let mut places: Vec<(usize, usize, &str)> = Vec::new();
    for edit in edits {
        let at = if edit["position"].is_object() { &edit["position"] } else { edit };
        let (start, end) = (offset(text, at, "line", "column")?, offset(text, at, "end_line", "end_column")?);
        places.push((start, end, edit["text"].as_str()?));
    }
    places.sort_unstable();
    places.dedup();
    let (mut edited, mut done) = (String::new(), 0);
    for (start, end, new) in places {
        edited += text.get(done..start)?;
        edited += new;
        done = end;
    }
    Some(edited + text.get(done..)?)
}

fn offset(text: &str, at: &Value, line: &str, column: &str) -> Option<usize> {
    let number = |name: &str| at[name].as_u64().and_then(|number| usize::try_from(number).ok());
    let (line, column) = (number(line)?.checked_sub(1)?, number(column)?.checked_sub(1)?);
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    Some(start + text.get(start..)?.chars().take(column).map(char::len_utf8).sum::<usize>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn node(construct: &str, (line, column): (u64, u64), (end_line, end_column): (u64, u64)) -> Value {
        json!({"construct": construct, "line": line, "column": column, "end_line": end_line, "end_column": end_column})
    }

    #[test]
    fn clauses_say_nothing_and_axioms_are_gone() {
        let text = "method m(ä: Int)\n  requires ä > 0 && ä < 9\n{\n  assume ä > 3\n}\n";
        let precondition = without(text, &node("precondition", (2, 12), (2, 17)));
        assert!(precondition.is_some_and(|text| text.contains("requires true && ä < 9")));
        let assumption = without(text, &node("inhale", (4, 3), (4, 15)));
        assert!(assumption.is_some_and(|text| text.contains("  assume true\n}")));
        let domain = "domain D {\n  axiom { true }\n}";
        assert_eq!(without(domain, &node("axiom", (2, 3), (2, 17))).as_deref(), Some("domain D {\n  \n}"));
    }

    #[test]
    fn edits_of_a_warning_are_made_in_order() {
        let at = |column: u64, end: u64, text: &str| json!({"line": 1, "column": column, "end_line": 1, "end_column": end, "text": text});
        assert_eq!(with("abc", &[at(3, 4, "z"), at(1, 1, "x")]).as_deref(), Some("xabz"));
    }
}
