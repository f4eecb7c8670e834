//! Pruned programs: messages for users, and JSON for programs.

use crate::human::shortened;
use crate::json::{File, Node, Piece, file, node};
use echis_depend::{UserId, View};
use echis_findings::{FileResult, FileVerdict};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// One pruned program.
pub struct Program<'a> {
    /// The nodes it was pruned for.
    pub keep: Vec<UserId>,
    pub verdict: FileVerdict,
    /// Whether its verification finished.
    pub in_time: bool,
    pub kept: &'a BTreeSet<UserId>,
    /// Kept although they are no dependencies.
    pub added: &'a BTreeSet<UserId>,
    /// Whether these are only `assert` statements that provide terms, and what they need.
    pub only_hints: bool,
    /// Number of errors shared with the whole program. Failed assertions are assumed, so a proof may rest on them.
    pub believed: usize,
    /// The nodes it does not need, if that was tried.
    pub necessity: Option<Tried<'a>>,
    /// The output file.
    pub output: Option<String>,
    /// The text, unless it was written to a file.
    pub text: Option<&'a str>,
}

/// The nodes that were removed one by one, by the result.
pub struct Tried<'a> {
    pub needed: &'a BTreeSet<UserId>,
    /// Needed if only what they provide is removed, and not what they demand.
    pub demanded: &'a BTreeSet<UserId>,
    pub unneeded: &'a BTreeSet<UserId>,
    pub untried: &'a BTreeSet<UserId>,
}

/// All pruned programs of a file.
#[derive(Serialize)]
struct Programs<'a> {
    /// Number of nodes of the whole program.
    node_count: usize,
    programs: Vec<Entry<'a>>,
}

#[derive(Serialize)]
struct Entry<'a> {
    keep: Vec<Node<'a>>,
    verdict: &'static str,
    /// Number of errors shared with the whole program, whose assertions the proof may rest on.
    believed: usize,
    kept: usize,
    added: Vec<Node<'a>>,
    hints: Vec<Node<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    necessity: Option<Necessity<'a>>,
    output: Option<&'a str>,
    text: Option<&'a str>,
}

/// The numbers of nodes that are necessary, unnecessary and undecided.
#[derive(Serialize)]
struct Necessity<'a> {
    needed: usize,
    demanded: Vec<Node<'a>>,
    unneeded: Vec<Node<'a>>,
    untried: usize,
}

#[derive(Serialize)]
struct InFile<'a> {
    #[serde(flatten)]
    file: File<'a>,
    #[serde(flatten)]
    programs: &'a Programs<'a>,
}

#[derive(Serialize)]
struct Alone<'a> {
    path: &'a str,
    /// Repeats `node_count`, for scripts.
    nodes: usize,
    #[serde(flatten)]
    programs: &'a Programs<'a>,
}

pub fn piece(result: &FileResult, view: &View, programs: &[Program]) -> Piece {
    let entry = |program: &Program<'_>| Entry {
        keep: nodes(view, &program.keep),
        verdict: match program.in_time {
            true if program.believed > 0 => FileVerdict::Failed.name(),
            true => program.verdict.name(),
            false => "undecided",
        },
        believed: program.believed,
        kept: shown(view, program.kept),
        added: if program.only_hints { Vec::new() } else { nodes(view, program.added) },
        hints: if program.only_hints { nodes(view, program.added) } else { Vec::new() },
        necessity: program.necessity.as_ref().map(|tried| Necessity {
            needed: shown(view, tried.needed),
            demanded: nodes(view, tried.demanded),
            unneeded: nodes(view, tried.unneeded),
            untried: shown(view, tried.untried),
        }),
        output: None,
        text: None,
    };
    let entries = programs.iter().map(|program| Entry {
        output: program.output.as_deref(),
        text: program.text,
        ..entry(program)
    });
    let programs = Programs { node_count: view.nodes.len(), programs: entries.collect() };
    let alone = Alone { path: &result.path, nodes: view.nodes.len(), programs: &programs };
    Piece::new(&InFile { file: file(result), programs: &programs }, &alone)
}

/// A line about the program, and what had to be added.
pub fn human(view: &View, program: &Program) -> String {
    let mut out = String::new();
    let goals: Vec<String> = nodes(view, &program.keep).iter().map(line).collect();
    let but = match program.believed {
        0 => String::new(),
        1 => " except for an error that the whole program has, too; what failed is assumed".to_owned(),
        errors => format!(" except for {errors} errors that the whole program has, too; what failed is assumed"),
    };
    let verdict = match program.verdict {
        FileVerdict::Verified if program.added.is_empty() => "verifies",
        FileVerdict::Verified => "verifies with what was added",
        _ if !program.in_time => "is not decided: the time limit was reached",
        FileVerdict::Undecided => "is not decided: the solver reached its limit",
        FileVerdict::Invalid => "is not a valid program",
        _ => "does NOT verify",
    };
    let (kept, all) = (shown(view, program.kept), view.nodes.len());
    let _ = writeln!(out, "{}: {kept} of {all} nodes kept, {verdict}{but}", goals.join(", "));
    if !program.added.is_empty() {
        out.push_str(match program.only_hints {
            true => "  hints: no proof needs these, but without their terms the solver finds no proof:\n",
            false => "  no dependency names these, and without them it does not verify (a defect of the analysis):\n",
        });
        for node in nodes(view, program.added) {
            let _ = writeln!(out, "    {}", line(&node));
        }
    }
    if let Some(tried) = &program.necessity {
        let _ = writeln!(out, "  it cannot do without {} of them", shown(view, tried.needed));
        for node in nodes(view, tried.demanded) {
            let _ = writeln!(
                out,
                "    it needs what this gives, and verifies where what is demanded goes too: {}",
                line(&node)
            );
        }
        for node in nodes(view, tried.unneeded) {
            let _ = writeln!(out, "    it verifies without {}", line(&node));
        }
        for node in nodes(view, tried.untried) {
            let _ = writeln!(out, "    not decided: without {}", line(&node));
        }
    }
    out
}

fn line(node: &Node) -> String {
    let text = shortened(node.text, 100);
    format!("{}:{}  {text}", node.at.line, node.at.column)
}

fn shown(view: &View, users: &BTreeSet<UserId>) -> usize {
    users.iter().filter(|user| view.node(**user).is_some()).count()
}

fn nodes<'v, 'u>(view: &'v View, users: impl IntoIterator<Item = &'u UserId>) -> Vec<Node<'v>> {
    users.into_iter().filter_map(|user| view.node(*user)).map(node).collect()
}
