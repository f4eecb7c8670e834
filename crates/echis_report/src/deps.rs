//! Dependencies for people; those for programs are in `json`.

mod json;

pub use json::{Subject, Times, Verified, Work, piece};

use crate::human::shortened;
use echis_analysis::depend::{
    Dependents, Fallen, MemberSummary, MemberTest, Share, UserId, View, ViewDependencies, ViewNode,
};
use std::fmt::Write;

/// What was asked of a graph, answered.
pub enum Answers<'a> {
    Dependencies(Vec<ViewDependencies>),
    Dependents(Vec<Dependents>),
    /// The first of each pair needs the second.
    Pairs(Vec<(UserId, UserId)>),
    Impact {
        of: Vec<UserId>,
        fallen: &'a [Fallen],
    },
    Coverage {
        members: &'a [Share],
        program: Option<&'a Share>,
    },
    /// With the names of the members.
    Tests {
        tests: &'a [MemberTest],
        names: &'a [String],
    },
    Summary(&'a [MemberSummary]),
    /// Nothing was asked.
    Nothing,
}

/// The answers for a person.
pub fn human_answers(view: &View, answers: &Answers<'_>) -> String {
    match answers {
        Answers::Dependencies(found) => human(view, found),
        Answers::Dependents(found) => human_dependents(view, found),
        Answers::Pairs(pairs) => human_pairs(view, pairs),
        Answers::Impact { of, fallen } => human_impact(view, of, fallen),
        Answers::Coverage { members, program } => human_coverage(view, members, *program),
        Answers::Tests { tests, names } => human_tests(view, tests, names),
        Answers::Summary(members) => human_summary(view, members),
        Answers::Nothing => String::new(),
    }
}

/// What each member's proofs rest on in the end, and what is the matter with them.
pub fn human_summary(view: &View, members: &[MemberSummary]) -> String {
    let mut out = String::new();
    let list = |out: &mut String, title: &str, users: &[UserId]| {
        for node in users.iter().filter_map(|user| view.node(*user)) {
            let _ = writeln!(out, "  {title:14}{}", line(node));
        }
    };
    for member in members {
        let proved = member.proved.len();
        let proofs = if proved == 1 { "1 proof, which needs".into() } else { format!("{proved} proofs, which need") };
        let Share { covered, total, .. } = member.share;
        let _ = writeln!(out, "{}: {proofs} {covered} of {total} assumptions", member.name);
        list(&mut out, "not proved", &member.failed);
        list(&mut out, "vacuous", &member.vacuous);
        list(&mut out, "trusted", &member.trusted);
        list(&mut out, "not needed", &member.share.uncovered);
    }
    if members.is_empty() {
        out.push_str("nothing is assumed or proved\n");
    }
    out.push_str(
        "ask more: --of LINE (what a proof needs), --from LINE (what rests on it), --impact LINE, --coverage, --all\n",
    );
    out
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
    let text = shortened(&node.text, 100);
    format!("{}:{}  {text}{kind}", node.position.start.line, node.position.start.column)
}
