//! A single check as a self-contained solver file.

use crate::dialect::Z3;
use crate::encode::{write_assertion, write_negation};
use crate::names::Style;
use crate::settings::{Limit, PRELUDE};
use crate::theories::Vocabulary;
use echis_proof::{Because, NodeId, ProofTree, Step};
use echis_term::TermId;
use std::fmt::Write;

/// The facts on the path to `at` and the negated goal, with all declarations. `unsat` means that the goal follows.
pub fn dump(tree: &ProofTree, at: NodeId, goal: TermId, limit: Limit) -> String {
    let path = {
        let mut path: Vec<NodeId> = tree.path(at).collect();
        path.reverse();
        path
    };
    let mut vocabulary = Vocabulary::new(Style::Readable);
    for fact in path.iter().filter_map(|node| tree.fact(*node)) {
        vocabulary.require(&tree.terms, fact);
    }
    vocabulary.require(&tree.terms, goal);
    let mut out = format!("; The goal at {at} follows from the facts on its path if the answer is unsat.\n");
    out.push_str(Z3.options);
    out.push_str(&Z3.bound(limit.rlimit.into()));
    for (title, text) in [
        ("Fixed vocabulary", PRELUDE),
        ("Sorts, symbols, operators", &vocabulary.declarations),
        ("Background theories", &vocabulary.axioms),
    ] {
        let _ = write!(out, "\n; {title}\n{text}");
    }
    // Incremental, as in sessions.
    out.push_str("\n; Facts\n(push)\n");
    for node in path {
        let Some(fact) = tree.fact(node) else { continue };
        let _ = writeln!(out, "; {node}: {}", describe(&tree.nodes[node].step));
        write_assertion(&tree.terms, Style::Readable, fact, &mut out);
    }
    out.push_str("\n; Goal\n(push)\n");
    write_negation(&tree.terms, Style::Readable, goal, &mut out);
    out.push_str("(check-sat)\n");
    out
}

fn describe(step: &Step) -> String {
    match step {
        Step::Root => "the root".into(),
        Step::Split { .. } => "the guard of a case".into(),
        Step::Dead { .. } => "a case that cannot be".into(),
        Step::Assume { because, .. } => match because {
            Because::Written => "written".into(),
            Because::Rule(rule) => format!("by rule {rule:?}"),
            Because::Checked => "checked before".into(),
            Because::Lifted => "lifted from a case".into(),
            Because::Recovered => "assumed after it failed".into(),
        },
    }
}
