//! The effect of a program change on its proofs: compares two graphs, node by node.
//!
//! Lines move, so nodes correspond if they have the same construct and text in the same member; several such nodes
//! correspond in order.

use crate::kind::Construct;
use crate::nodes::UserId;
use crate::read::query::Queries;
use crate::read::view::ViewNode;
use echis_base::Name;
use std::collections::{BTreeMap, BTreeSet};

/// Nodes of the new graph, unless noted otherwise.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Difference {
    pub added: Vec<UserId>,
    /// Nodes of the old graph.
    pub removed: Vec<UserId>,
    /// Nodes of both graphs whose proofs changed.
    pub changed: Vec<Change>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    pub of: UserId,
    pub before: ProofStatus,
    pub after: ProofStatus,
    /// Needed now but not before.
    pub gained: Vec<UserId>,
    /// Needed before, in the old graph.
    pub lost: Vec<UserId>,
}

/// The status of a node's demands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ProofStatus {
    Proved,
    /// From a contradiction.
    Vacuous,
    Failed,
    /// It has no demands.
    Free,
}

impl ProofStatus {
    pub fn name(self) -> &'static str {
        match self {
            ProofStatus::Proved => "proved",
            ProofStatus::Vacuous => "vacuous",
            ProofStatus::Failed => "failed",
            ProofStatus::Free => "free",
        }
    }
}

type Key<'a> = (&'a Name, Construct, &'a str, usize);

pub fn difference(old: Queries<'_>, new: Queries<'_>) -> Difference {
    let (before, after) = (keyed(old), keyed(new));
    let known: BTreeMap<Key, UserId> = before.iter().map(|(user, key)| (*key, *user)).collect();
    let present: BTreeSet<Key> = after.values().copied().collect();
    let mut difference = Difference {
        removed: before.iter().filter(|(_, key)| !present.contains(*key)).map(|(user, _)| *user).collect(),
        ..Difference::default()
    };
    for (user, key) in &after {
        match known.get(key) {
            None => difference.added.push(*user),
            Some(was) => difference.changed.extend(change((old, *was, &before), (new, *user, &after))),
        }
    }
    difference
}

type Side<'a, 'k> = (Queries<'a>, UserId, &'k BTreeMap<UserId, Key<'a>>);

fn change((old, was, before): Side<'_, '_>, (new, is, after): Side<'_, '_>) -> Option<Change> {
    let standings = (standing(old, was), standing(new, is));
    let ignored = BTreeSet::new();
    let had = old.dependencies(was, &ignored).all;
    let has = new.dependencies(is, &ignored).all;
    let had_keys: BTreeSet<&Key> = had.iter().filter_map(|user| before.get(user)).collect();
    let has_keys: BTreeSet<&Key> = has.iter().filter_map(|user| after.get(user)).collect();
    let gained: Vec<UserId> =
        has.iter().copied().filter(|user| after.get(user).is_some_and(|key| !had_keys.contains(key))).collect();
    let lost: Vec<UserId> =
        had.iter().copied().filter(|user| before.get(user).is_some_and(|key| !has_keys.contains(key))).collect();
    let same = standings.0 == standings.1 && gained.is_empty() && lost.is_empty();
    (!same).then_some(Change { of: is, before: standings.0, after: standings.1, gained, lost })
}

fn standing(queries: Queries<'_>, user: UserId) -> ProofStatus {
    match () {
        () if queries.graph.failed.contains(&user) => ProofStatus::Failed,
        () if !queries.graph.is_asserted(user) => ProofStatus::Free,
        () if queries.graph.vacuous.contains(&user) => ProofStatus::Vacuous,
        () => ProofStatus::Proved,
    }
}

/// The nodes that can be answers, by their keys.
fn keyed(queries: Queries<'_>) -> BTreeMap<UserId, Key<'_>> {
    let mut counts: BTreeMap<(&Name, Construct, &str), usize> = BTreeMap::new();
    let shown = |node: &&ViewNode| queries.view.front_end.shown(node.id) == Some(node.id);
    let nodes = queries.view.nodes.iter().filter(shown);
    nodes
        .map(|node| {
            let count = counts.entry((&node.member, node.construct, &node.text)).or_default();
            *count += 1;
            (node.id, (&node.member, node.construct, &*node.text, *count))
        })
        .collect()
}
