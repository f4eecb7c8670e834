//! Coverage by labels, as text and as JSON.

use echis_cover::labels::{LabelCoverage, MemberLabels};
use serde_json::{Value, json};
use std::fmt::Write;

/// A paragraph for each member with labels, and a line for the whole program.
pub fn text(coverage: &LabelCoverage) -> String {
    let mut text = String::new();
    for MemberLabels { name, covered, uncovered } in &coverage.members {
        if covered.is_empty() && uncovered.is_empty() {
            continue;
        }
        let covered: Vec<&str> = covered.iter().map(|name| &**name).collect();
        let _ = writeln!(text, "{name}: covered {}", if covered.is_empty() { "-".into() } else { covered.join(", ") });
        for (label, meaning) in uncovered {
            let _ = writeln!(text, "  not covered {label}: {meaning}");
        }
    }
    text + &covered(coverage)
}

/// The line for the whole program, in Boogie's format.
pub fn covered(coverage: &LabelCoverage) -> String {
    let all: Vec<&str> = coverage.covered().into_iter().map(|name| &**name).collect();
    format!("Elements covered by verification: {}\n", all.join(", "))
}

pub fn json(path: &str, verdict: &str, coverage: &LabelCoverage) -> Value {
    let member = |member: &MemberLabels| {
        let uncovered: Vec<Value> =
            member.uncovered.iter().map(|(label, meaning)| json!({ "id": &**label, "meaning": meaning })).collect();
        let covered: Vec<&str> = member.covered.iter().map(|name| &**name).collect();
        json!({ "name": &*member.name, "covered": covered, "uncovered": uncovered })
    };
    let members: Vec<Value> = coverage.members.iter().map(member).collect();
    let covered: Vec<&str> = coverage.covered().into_iter().map(|name| &**name).collect();
    json!({ "file": path, "verdict": verdict, "procedures": members, "covered": covered })
}

/// The results for several files.
pub fn document(files: Vec<Value>) -> String {
    format!("{:#}\n", json!({ "files": files }))
}
