//! Dependencies for people and for programs.

use echis_analysis::depend::{
    Definition, Dependents, Fallen, MemberTest, Misreport, Owner, Queries, Share, UserId, View, ViewDependencies,
    ViewNode,
};
use echis_base::{Key, Name};
use serde::Serialize;
use std::fmt::Write;

/// What all answers begin with.
#[derive(Serialize)]
struct Head<'a> {
    version: u32,
    path: &'a str,
    definition: &'static str,
    nodes: Vec<Node<'a>>,
}

impl<'a> Head<'a> {
    fn new(path: &'a str, queries: Queries<'a>) -> Self {
        let nodes = queries.view.nodes.iter().map(node).collect();
        Head { version: 1, path, definition: queries.graph.definition.name(), nodes }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    dependencies: Vec<Answer>,
    /// None for a graph that was loaded.
    time_ms: Option<Times>,
}

/// Times in milliseconds, and what they were spent on.
#[derive(Clone, Copy, Serialize)]
pub struct Times {
    pub verify: f64,
    pub analyse: f64,
    /// Of the analysis: waiting for the solver.
    pub waiting: f64,
    pub checks: usize,
    /// Those that needed no solver.
    pub easy: usize,
    /// Proofs that could not be found again.
    pub lost: usize,
    pub verified: u64,
    pub replayed: u64,
    pub questions: u64,
    pub answers: u64,
    pub bytes: u64,
}

#[derive(Serialize)]
struct Node<'a> {
    id: usize,
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    text: &'a str,
    member: &'a str,
    assumption: Option<&'static str>,
    assertion: Option<&'static str>,
    vacuous: bool,
    failed: bool,
    annotations: Vec<Annotation<'a>>,
}

#[derive(Serialize)]
struct Annotation<'a> {
    name: &'a str,
    args: Vec<&'a str>,
}

#[derive(Serialize)]
struct Answer {
    of: usize,
    all: Vec<usize>,
    explicit: Vec<usize>,
    direct: Vec<usize>,
    without_infeasibility: Vec<usize>,
}

#[derive(Serialize)]
struct DependentsDocument<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    dependents: Vec<Answer>,
}

#[derive(Serialize)]
struct Impact<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    of: Vec<usize>,
    members: Vec<ImpactMember<'a>>,
}

#[derive(Serialize)]
struct ImpactMember<'a> {
    name: &'a str,
    explicit: Vec<usize>,
    implicit: Vec<usize>,
}

#[derive(Serialize)]
struct Coverage<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    members: Vec<Covered<'a>>,
    program: Option<Covered<'a>>,
}

#[derive(Serialize)]
struct Covered<'a> {
    name: Option<&'a str>,
    covered: usize,
    total: usize,
    coverage: f64,
    uncovered: Vec<usize>,
}

#[derive(Serialize)]
struct Pairs<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    dependency: bool,
    /// The first needs the second.
    pairs: Vec<(usize, usize)>,
}

#[derive(Serialize)]
struct Tests<'a> {
    version: u32,
    path: &'a str,
    definition: &'static str,
    members: Vec<Test<'a>>,
}

#[derive(Serialize)]
struct Test<'a> {
    name: String,
    missing: Vec<Node<'a>>,
    superfluous: Vec<Node<'a>>,
    expected: usize,
    reported: usize,
    precision: f64,
}

/// The whole graph, or the answers to a query with all nodes.
pub fn json(path: &str, queries: Queries, answers: &[ViewDependencies], time_ms: Option<Times>) -> String {
    let dependencies = answers.iter().map(answer).collect();
    text(&Document { head: Head::new(path, queries), dependencies, time_ms })
}

pub fn json_dependents(path: &str, queries: Queries, answers: &[Dependents]) -> String {
    let dependents = answers.iter().map(|found| Answer {
        of: found.of.index(),
        all: indices(&found.all),
        explicit: indices(&found.explicit),
        direct: indices(&found.direct),
        without_infeasibility: indices(&found.without_infeasibility),
    });
    let dependents = dependents.collect();
    text(&DependentsDocument { head: Head::new(path, queries), dependents })
}

pub fn json_impact(path: &str, queries: Queries, of: &[UserId], fallen: &[Fallen]) -> String {
    let members = fallen.iter().map(|member| ImpactMember {
        name: &member.member,
        explicit: indices(&member.explicit),
        implicit: indices(&member.implicit),
    });
    text(&Impact { head: Head::new(path, queries), of: indices(of), members: members.collect() })
}

pub fn json_coverage(path: &str, queries: Queries, members: &[Share], program: Option<&Share>) -> String {
    let members = members.iter().map(covered).collect();
    text(&Coverage { head: Head::new(path, queries), members, program: program.map(covered) })
}

fn covered(share: &Share) -> Covered<'_> {
    let Share { member, covered, total, uncovered } = share;
    let (name, coverage) = (member.as_deref(), share.ratio());
    Covered { name, covered: *covered, total: *total, coverage, uncovered: indices(uncovered) }
}

pub fn json_pairs(path: &str, queries: Queries, pairs: &[(UserId, UserId)]) -> String {
    let dependency = !pairs.is_empty();
    let pairs = pairs.iter().map(|(of, on)| (of.index(), on.index())).collect();
    text(&Pairs { head: Head::new(path, queries), dependency, pairs })
}

pub fn json_tests(
    path: &str,
    definition: Definition,
    view: &View,
    tests: &[MemberTest],
    name: impl Fn(Owner) -> Name,
) -> String {
    let nodes = |reports: &[Misreport]| reports.iter().filter_map(|report| view.node(report.node)).map(node).collect();
    let members = tests.iter().map(|test| Test {
        name: name(test.owner).to_string(),
        missing: nodes(&test.missing),
        superfluous: nodes(&test.superfluous),
        expected: test.expected,
        reported: test.reported,
        precision: test.precision(),
    });
    text(&Tests { version: 1, path, definition: definition.name(), members: members.collect() })
}

pub fn human(view: &View, answers: &[ViewDependencies]) -> String {
    let mut out = String::new();
    for answer in answers {
        let Some(of) = view.node(answer.of) else { continue };
        let _ = writeln!(out, "{}", line(of));
        section(&mut out, view, "all", &answer.all);
        section(&mut out, view, "explicit", &answer.explicit);
        section(&mut out, view, "direct", &answer.direct);
        section(&mut out, view, "without infeasibility", &answer.without_infeasibility);
        if of.vacuous {
            out.push_str("  proved vacuously: what is known there is contradictory\n");
        }
        out.push('\n');
    }
    out
}

pub fn human_dependents(view: &View, answers: &[Dependents]) -> String {
    let mut out = String::new();
    for found in answers {
        let Some(of) = view.node(found.of) else { continue };
        let _ = writeln!(out, "{}", line(of));
        section(&mut out, view, "all dependents", &found.all);
        section(&mut out, view, "explicit assertions", &found.explicit);
        section(&mut out, view, "direct", &found.direct);
        section(&mut out, view, "without infeasibility", &found.without_infeasibility);
        out.push('\n');
    }
    out
}

pub fn human_impact(view: &View, of: &[UserId], fallen: &[Fallen]) -> String {
    let mut out = String::new();
    section(&mut out, view, "if these do not hold", of);
    if fallen.is_empty() {
        out.push_str("nothing falls\n");
    }
    for member in fallen {
        let _ = writeln!(out, "in {}:", member.member);
        section(&mut out, view, "assertions that fall", &member.explicit);
        if !member.implicit.is_empty() {
            section(&mut out, view, "steps that fall", &member.implicit);
        }
    }
    out
}

pub fn human_coverage(view: &View, members: &[Share], program: Option<&Share>) -> String {
    let mut out = String::new();
    for share in members.iter().chain(program) {
        let name = share.member.as_deref().unwrap_or("the whole program");
        let percent = 100.0 * share.ratio();
        let _ = writeln!(out, "{name}: {} of {} covered ({percent:.0} %)", share.covered, share.total);
        // What is uncovered in the program is uncovered in its members or stands outside of them.
        if share.member.is_some() {
            for node in share.uncovered.iter().filter_map(|user| view.node(*user)) {
                let _ = writeln!(out, "    uncovered {}", line(node));
            }
        }
    }
    out
}

pub fn human_pairs(view: &View, pairs: &[(UserId, UserId)]) -> String {
    let mut out = String::from(if pairs.is_empty() { "no dependency\n" } else { "" });
    for (of, on) in pairs {
        if let (Some(of), Some(on)) = (view.node(*of), view.node(*on)) {
            let _ = writeln!(out, "{}\n  depends on {}", line(of), line(on));
        }
    }
    out
}

pub fn human_tests(view: &View, tests: &[MemberTest], name: impl Fn(Owner) -> Name) -> String {
    let mut out = String::new();
    for test in tests {
        let verdict = match (test.missing.is_empty(), test.superfluous.is_empty()) {
            (true, true) => "ok",
            (true, false) => "imprecise",
            (false, _) => "unsound",
        };
        let name = name(test.owner);
        let _ = writeln!(
            out,
            "{name}: {verdict}, {} of {} found, precision {:.2}",
            test.found,
            test.expected,
            test.precision()
        );
        for (what, reports) in [("missing", &test.missing), ("irrelevant but reported", &test.superfluous)] {
            for report in reports {
                let Some(node) = view.node(report.node) else { continue };
                let kind = if report.wrong_type { " (reported with another type)" } else { "" };
                let _ = writeln!(out, "  {what}{kind}: {}", line(node));
            }
        }
    }
    if tests.is_empty() {
        out.push_str("no member has a @testAssertion\n");
    }
    out
}

/// A list of nodes.
pub fn human_nodes(view: &View, users: &[UserId]) -> String {
    users.iter().filter_map(|user| view.node(*user)).map(|node| format!("  {}\n", line(node))).collect()
}

fn section(out: &mut String, view: &View, title: &str, users: &[UserId]) {
    let _ = writeln!(out, "  {title}:{}", if users.is_empty() { " none" } else { "" });
    for user in users {
        if let Some(node) = view.node(*user) {
            let _ = writeln!(out, "    {}", line(node));
        }
    }
}

fn line(node: &ViewNode) -> String {
    let kind = node.assumption.map(|kind| format!(" [{}]", kind.name())).unwrap_or_default();
    let text: String = node.text.chars().take(100).collect();
    format!("{}:{}  {text}{kind}", node.position.start.line, node.position.start.column)
}

fn answer(answer: &ViewDependencies) -> Answer {
    Answer {
        of: answer.of.index(),
        all: indices(&answer.all),
        explicit: indices(&answer.explicit),
        direct: indices(&answer.direct),
        without_infeasibility: indices(&answer.without_infeasibility),
    }
}

fn node(node: &ViewNode) -> Node<'_> {
    let (start, end) = (node.position.start, node.position.end);
    let annotations = node.annotations.iter();
    Node {
        id: node.id.index(),
        file: &node.position.file,
        line: start.line,
        column: start.column,
        end_line: end.line,
        end_column: end.column,
        text: &node.text,
        member: &node.member,
        assumption: node.assumption.map(|kind| kind.name()),
        assertion: node.assertion.map(|kind| kind.name()),
        vacuous: node.vacuous,
        failed: node.failed,
        annotations: annotations
            .map(|(name, args)| Annotation { name, args: args.iter().map(|arg| &**arg).collect() })
            .collect(),
    }
}

fn indices(users: &[UserId]) -> Vec<usize> {
    users.iter().map(|user| user.index()).collect()
}

fn text(document: &impl Serialize) -> String {
    let mut text = serde_json::to_string(document).expect("plain data has a JSON form");
    text.push('\n');
    text
}
