//! Dependencies as text; `json` has the machine-readable form.

mod flow;
mod json;
mod table;
mod text;

pub use flow::human_flow;
pub use json::{Subject, Times, Verified, Work, budgets, difference, piece};
pub use text::{human_difference, human_quality, human_trusted};

use crate::human::shortened;
use echis_base::Name;
use echis_depend::{
    Chain, Coarse, Dependents, Event, Impact, MemberSummary, MemberTest, Quality, Share, Trusted, UserId, Via, View,
    ViewDependencies, ViewNode,
};
use std::fmt::Write;
use table::Table;

/// The answer to a query on a graph.
pub enum Answers<'a> {
    Dependencies {
        each: Vec<ViewDependencies>,
        /// The combined dependencies of several nodes.
        together: Option<ViewDependencies>,
    },
    Dependents(Vec<Dependents>),
    /// Why one node needs another, if it does.
    Chain(Option<Chain>),
    /// The first of each pair needs the second.
    Pairs(Vec<(UserId, UserId)>),
    /// Some of the events of a graph.
    Flow {
        events: &'a [Event],
        chosen: Vec<usize>,
    },
    Impact {
        of: Vec<UserId>,
        fallen: &'a [Impact],
    },
    Coverage {
        members: &'a [Share],
        program: Option<&'a Share>,
    },
    /// With member names.
    Tests {
        tests: &'a [MemberTest],
        names: &'a [String],
    },
    Summary(&'a [MemberSummary]),
    Trusted(&'a [Trusted]),
    Quality(&'a Quality),
    /// No query.
    Nothing,
}

/// The grouping of long lists.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Group {
    /// In program order.
    #[default]
    None,
    /// By member, then by kind.
    Member,
    /// By kind.
    Type,
}

/// The answers for users.
pub fn human_answers(view: &View, answers: &Answers<'_>, group: Group) -> String {
    match answers {
        Answers::Dependencies { each, together } => human(view, each, together.as_ref(), group),
        Answers::Dependents(found) => human_dependents(view, found),
        Answers::Chain(chain) => human_chain(view, chain.as_ref()),
        Answers::Pairs(pairs) => human_pairs(view, pairs),
        Answers::Flow { events, chosen } => human_flow(view, events, chosen),
        Answers::Impact { of, fallen } => human_impact(view, of, fallen),
        Answers::Coverage { members, program } => human_coverage(view, members, *program),
        Answers::Tests { tests, names } => human_tests(view, tests, names),
        Answers::Summary(members) => human_summary(view, members),
        Answers::Trusted(trusted) => human_trusted(view, trusted),
        Answers::Quality(quality) => human_quality(view, quality),
        Answers::Nothing => String::new(),
    }
}

/// A summary of each member's proofs and what they ultimately rest on.
pub fn human_summary(view: &View, members: &[MemberSummary]) -> String {
    let mut out = String::new();
    let list = |out: &mut String, title: &str, users: &[UserId]| {
        for node in users.iter().filter_map(|user| view.node(*user)) {
            let _ = writeln!(out, "  {title:14}{}", line(view, node));
        }
    };
    for member in members {
        let proofs = match member.proved.len() {
            0 => String::new(),
            1 => "1 proof, ".into(),
            many => format!("{many} proofs, "),
        };
        let Share { covered, total, .. } = member.share;
        let _ = writeln!(out, "{}: {proofs}{covered} of {total} covered", member.name);
        list(&mut out, "not proved", &member.failed);
        list(&mut out, "vacuous", &member.vacuous);
        list(&mut out, "trusted", &member.trusted);
        list(&mut out, "required", &member.required);
        list(&mut out, "not covered", &member.share.uncovered);
    }
    if members.is_empty() {
        out.push_str("nothing is assumed or proved\n");
    }
    out.push_str(
        "more queries: --of LINE (what a proof needs), --from LINE (what depends on it), --impact LINE, --coverage, --all\n",
    );
    out
}

pub fn human(view: &View, each: &[ViewDependencies], together: Option<&ViewDependencies>, group: Group) -> String {
    let mut out = String::new();
    for answer in each {
        let Some(of) = view.node(answer.of) else { continue };
        let _ = writeln!(out, "{}  (in {})", line(view, of), of.member);
        needed(&mut out, view, answer, group);
        if of.vacuous {
            out.push_str("  proved vacuously: the assumptions there are contradictory\n");
        }
        coarse(&mut out, answer.coarse);
        left_out(&mut out, &answer.left_out);
        out.push('\n');
    }
    if let Some(together) = together {
        out.push_str("together\n");
        needed(&mut out, view, together, group);
        out.push('\n');
    }
    out
}

fn needed(out: &mut String, view: &View, answer: &ViewDependencies, group: Group) {
    let ViewDependencies { all, explicit, direct, without_infeasibility, .. } = answer;
    let columns = [("direct", direct), ("explicit", explicit)];
    Table { view, all, columns, certain: without_infeasibility, group }.write(out, "needs");
}

pub fn human_dependents(view: &View, answers: &[Dependents]) -> String {
    let mut out = String::new();
    for found in answers {
        let Some(of) = view.node(found.of) else { continue };
        let _ = writeln!(out, "{}  (in {})", line(view, of), of.member);
        let Dependents { all, explicit, direct, without_infeasibility, .. } = found;
        let columns = [("direct", direct), ("explicit", explicit)];
        let table = Table { view, all, columns, certain: without_infeasibility, group: Group::None };
        table.write(&mut out, "needed by");
        coarse(&mut out, found.coarse);
        out.push('\n');
    }
    out
}

pub fn human_impact(view: &View, of: &[UserId], fallen: &[Impact]) -> String {
    let mut out = String::new();
    section(&mut out, view, "if these do not hold", of);
    if fallen.is_empty() {
        out.push_str("nothing falls\n");
    }
    for member in fallen {
        let _ = writeln!(out, "in {}:", member.member);
        section(&mut out, view, "assertions that fail", &member.explicit);
        if !member.implicit.is_empty() {
            section(&mut out, view, "steps that fail", &member.implicit);
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
        // Uncovered elements of the program are in its members, or outside all members.
        if share.member.is_some() {
            for node in share.uncovered.iter().filter_map(|user| view.node(*user)) {
                let _ = writeln!(out, "    uncovered {}", line(view, node));
            }
        }
    }
    if program.is_some() {
        let _ = writeln!(out, "({})", crate::cover::COVERED);
    }
    out
}

/// One step per line.
pub fn human_chain(view: &View, chain: Option<&Chain>) -> String {
    let Some(chain) = chain else { return "no dependency\n".into() };
    let mut out = String::new();
    for (index, (user, via)) in chain.steps.iter().enumerate() {
        let Some(node) = view.node(*user) else { continue };
        let how = match via {
            _ if index == 0 => "",
            Via::Value => "  needs ",
            Via::Permission => "  needs, for permission, ",
            Via::WellDefinedness => "  needs, to be well-defined, ",
            Via::Definition => "  needs, as a definition, ",
            Via::Infeasibility => "  needs, so that a path cannot be taken, ",
        };
        let _ = writeln!(out, "{how}{}", line(view, node));
    }
    out
}

pub fn human_pairs(view: &View, pairs: &[(UserId, UserId)]) -> String {
    let mut out = String::from(if pairs.is_empty() { "no dependency\n" } else { "" });
    for (of, on) in pairs {
        if let (Some(of), Some(on)) = (view.node(*of), view.node(*on)) {
            let _ = writeln!(out, "{}\n  depends on {}", line(view, of), line(view, on));
        }
    }
    out
}

pub fn human_tests(view: &View, tests: &[MemberTest], names: &[String]) -> String {
    let mut out = String::new();
    for (test, name) in tests.iter().zip(names) {
        let verdict = match (test.missing.is_empty(), test.superfluous.is_empty()) {
            (true, true) => "ok",
            (true, false) => "imprecise",
            (false, _) => "unsound",
        };
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
                let _ = writeln!(out, "  {what}{kind}: {}", line(view, node));
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
    users.iter().filter_map(|user| view.node(*user)).map(|node| format!("  {}\n", line(view, node))).collect()
}

/// Notes that the answer is incomplete.
fn left_out(out: &mut String, members: &[Name]) {
    if !members.is_empty() {
        let names = members.iter().map(|name| &**name).collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "  left out: what the proofs of {names} need, which --member does not select");
    }
}

/// Notes that the answer may be over-approximated.
fn coarse(out: &mut String, coarse: Option<Coarse>) {
    if let Some(coarse) = coarse {
        let _ = writeln!(out, "  over-approximation: {}", coarse.describe());
    }
}

fn section(out: &mut String, view: &View, title: &str, users: &[UserId]) {
    let _ = writeln!(out, "  {title}:{}", if users.is_empty() { " none" } else { "" });
    for user in users {
        if let Some(node) = view.node(*user) {
            let _ = writeln!(out, "    {}", line(view, node));
        }
    }
}

fn line(view: &View, node: &ViewNode) -> String {
    let kind = node.assumption.map(|kind| format!(" [{}]", kind.name())).unwrap_or_default();
    let text = shortened(&node.text, 100);
    format!("{}  {text}{kind}", view.place(node))
}
