//! Longer answers as text: the trusted base, the progress of a project, the effect of a change.

use super::{human_nodes, line};
use echis_base::counted;
use echis_depend::{Change, Difference, ProofStatus, Quality, Queries, Trust, Trusted, UserId, View};
use std::fmt::Write;

/// Maximum number of suggestions for what to work on next.
const NEXT: usize = 10;

pub fn human_trusted(view: &View, trusted: &[Trusted]) -> String {
    let mut out = String::new();
    for why in [Trust::Failed, Trust::Assumed, Trust::Promised, Trust::Axiom, Trust::Demanded] {
        let group: Vec<&Trusted> = trusted.iter().filter(|found| found.why == why).collect();
        if group.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{}:", why.describe());
        for found in group {
            let Some(node) = view.node(found.node) else { continue };
            let rest = match found.assertions {
                0 => String::new(),
                1 => "; 1 assertion rests on it".into(),
                count => format!("; {count} assertions rest on it"),
            };
            let _ = writeln!(out, "  {}  (in {}{rest})", line(view, node), node.member);
        }
    }
    if trusted.is_empty() {
        out.push_str("no proof relies on anything unproved\n");
    }
    out
}

pub fn human_quality(view: &View, quality: &Quality) -> String {
    let mut out = String::new();
    let percent = |share: f64| 100.0 * share;
    let Quality { covered, code, assertions, grounded, failed, proof, .. } = quality;
    let _ = writeln!(out, "progress {:.0} %, which is", percent(quality.progress()));
    let _ = writeln!(
        out,
        "  specification {:.0} %: {covered} of {code} pieces of code are needed by some goal, times",
        percent(quality.specification())
    );
    let _ = writeln!(
        out,
        "  proof {:.0} %: of {} {grounded} rely on nothing unproved, {failed} failed",
        percent(*proof),
        counted(*assertions, "obligation")
    );
    if !quality.to_specify.is_empty() {
        out.push_str("to specify next, code that no goal needs:\n");
        for (member, uncovered, all) in quality.to_specify.iter().take(NEXT) {
            let _ = writeln!(out, "  {member}: {uncovered} of {all}");
        }
    }
    if !quality.to_prove.is_empty() {
        out.push_str("to prove next, with the number of nodes that depend on it:\n");
        for (user, count) in quality.to_prove.iter().take(NEXT) {
            if let Some(node) = view.node(*user) {
                let _ = writeln!(out, "  {count:4}  {}  (in {})", line(view, node), node.member);
            }
        }
    }
    out
}

pub fn human_difference(old: Queries<'_>, new: Queries<'_>, difference: &Difference) -> String {
    let mut out = String::new();
    let list = |out: &mut String, title: &str, view: &View, users: &[UserId]| {
        if !users.is_empty() {
            let _ = write!(out, "{title}:\n{}", human_nodes(view, users));
        }
    };
    list(&mut out, "no longer there", old.view, &difference.removed);
    list(&mut out, "new", new.view, &difference.added);
    for change in &difference.changed {
        let Some(node) = new.view.node(change.of) else { continue };
        let _ = writeln!(out, "{}  (in {})", line(new.view, node), node.member);
        if let Some(said) = turned(change) {
            let _ = writeln!(out, "  {said}");
        }
        for node in change.gained.iter().filter_map(|user| new.view.node(*user)) {
            let _ = writeln!(out, "  now needs        {}", line(new.view, node));
        }
        for node in change.lost.iter().filter_map(|user| old.view.node(*user)) {
            let _ = writeln!(out, "  no longer needs  {}", line(old.view, node));
        }
    }
    if *difference == Difference::default() {
        out.push_str("no difference\n");
    }
    out
}

fn turned(change: &Change) -> Option<String> {
    let name = |standing| match standing {
        ProofStatus::Proved => "proved",
        ProofStatus::Vacuous => "proved from a contradiction",
        ProofStatus::Failed => "not proved",
        ProofStatus::Free => "nothing to prove",
    };
    (change.before != change.after).then(|| format!("was {}, is {}", name(change.before), name(change.after)))
}
