//! The flow of permission, for users and for programs.

use super::line;
use echis_base::Key;
use echis_depend::{Event, EventKind, UserId, View};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A line for each node's event, followed by the origin of its permission.
pub fn human_flow(view: &View, events: &[Event], chosen: &[usize]) -> String {
    if chosen.is_empty() {
        return "no permission moves there\n".into();
    }
    let mut out = String::new();
    let mut last: Option<UserId> = None;
    for event in chosen.iter().map(|index| &events[*index]) {
        let Some(node) = view.node(event.by) else { continue };
        if last != Some(event.by) {
            let _ = writeln!(out, "{}", line(view, node));
        }
        last = Some(event.by);
        let what = match &*event.resource {
            "--*" => "permission to a wand".to_string(),
            resource => format!("permission to {resource}"),
        };
        let does = match event.kind {
            EventKind::Created => format!("gives {what}"),
            EventKind::Split => format!("takes a part of {what}"),
            EventKind::GivenAway => format!("takes all that is left of {what}"),
            EventKind::Joined => format!("puts {what} together"),
        };
        let _ = write!(out, "  {does}");
        if let Some(clause) = event.clause.and_then(|clause| view.node(clause)) {
            let _ = write!(out, ", as {} says", place(view, clause.id));
        }
        let from = sources(view, events, event);
        let _ = match from.is_empty() {
            true => writeln!(out),
            false => writeln!(out, ", which came from {}", from.join(" and ")),
        };
    }
    out
}

/// The origins of an event's permission, without duplicates.
fn sources(view: &View, events: &[Event], event: &Event) -> Vec<String> {
    let makers: BTreeSet<UserId> = event.of.iter().map(|of| events[*of].by).collect();
    makers.into_iter().filter(|maker| view.node(*maker).is_some()).map(|maker| place(view, maker)).collect()
}

fn place(view: &View, user: UserId) -> String {
    view.node(user).map(|node| view.place(node)).unwrap_or_default()
}

/// An event; `of` are indices of events.
#[derive(Serialize)]
pub(super) struct Moved {
    number: usize,
    kind: &'static str,
    node: usize,
    clause: Option<usize>,
    resource: String,
    of: Vec<usize>,
}

pub(super) fn moved(events: &[Event], chosen: &[usize]) -> Vec<Moved> {
    let one = |number: &usize| {
        let event = &events[*number];
        Moved {
            number: *number,
            kind: event.kind.name(),
            node: event.by.index(),
            clause: event.clause.map(|clause| clause.index()),
            resource: event.resource.to_string(),
            of: event.of.iter().copied().collect(),
        }
    };
    chosen.iter().map(one).collect()
}
