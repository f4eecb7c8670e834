//! Finds the necessary nodes of a pruned program: each one is removed alone, and the rest is verified again.

use super::{Pruned, Pruning};
use crate::ask::dependencies::Dependencies;
use crate::verification::Verification;
use crate::verify::settings::Settings;
use echis_base::Span;
use echis_depend::{Construct, UserId};
use echis_findings::FileVerdict;
use std::collections::{BTreeMap, BTreeSet};

/// The results for the program without single nodes.
#[derive(Clone, Default, Debug)]
pub struct Necessity {
    /// Nodes without which the rest does not verify.
    pub needed: BTreeSet<UserId>,
    /// Nodes without which the program verifies only because more is removed than the facts they provide, such as
    /// their own demands or those on callers. If only these facts are removed, it fails.
    pub demanded: BTreeSet<UserId>,
    /// Nodes without which the program verifies in either case.
    pub unneeded: BTreeSet<UserId>,
    /// Nodes without which the program is invalid or undecided.
    pub untried: BTreeSet<UserId>,
}

impl Verification {
    /// Tries to remove each node of a pruned program that is a dependency of the kept ones.
    pub fn necessary(&self, found: &Dependencies, keep: &BTreeSet<UserId>, pruned: &Pruned) -> Necessity {
        let settings = Settings { errors: 1, ..self.settings().for_variation() };
        let pruning = Pruning { verification: self, found, settings, measures: pruned.measures };
        necessity(&pruning, keep, pruned)
    }
}

fn necessity(pruning: &Pruning<'_>, keep: &BTreeSet<UserId>, pruned: &Pruned) -> Necessity {
    let mut necessity = Necessity::default();
    let mut demanding = None;
    for (_, users) in pruning.removable(keep, pruned) {
        // The postcondition of a function without a body is trusted, so removing the body would go unnoticed.
        if users.iter().any(|user| pruning.is_body_of_promise(*user, pruned)) {
            necessity.untried.extend(users);
            continue;
        }
        let left = pruned.kept.iter().filter(|user| !users.contains(user)).copied().collect();
        let without = pruning.attempt(left, BTreeSet::new());
        let list = match without.verdict {
            FileVerdict::Verified if without.believed() <= pruned.believed() => {
                let demanding = demanding.get_or_insert_with(|| pruning.verified_with_demands(pruned));
                match demanding.as_ref().and_then(|kept| pruning.verdict_without_gifts(&users, kept)) {
                    Some(FileVerdict::Failed) => &mut necessity.demanded,
                    Some(FileVerdict::Undecided) => &mut necessity.untried,
                    _ => &mut necessity.unneeded,
                }
            }
            FileVerdict::Verified | FileVerdict::Failed => &mut necessity.needed,
            _ => &mut necessity.untried,
        };
        list.extend(users);
    }
    necessity
}

impl Pruning<'_> {
    /// The program with all demands of its calls, if it verifies with them.
    fn verified_with_demands(&self, pruned: &Pruned) -> Option<BTreeSet<UserId>> {
        let demanding = self.attempt(self.with_demands(&pruned.kept), BTreeSet::new());
        (demanding.verdict == FileVerdict::Verified).then_some(demanding.kept)
    }
    fn is_body_of_promise(&self, user: UserId, pruned: &Pruned) -> bool {
        let nodes = &self.found.nodes.all;
        let (construct, owner) = (nodes[user].construct, nodes[user].owner);
        let promised =
            |other: &UserId| nodes[*other].construct == Construct::Postcondition && nodes[*other].owner == owner;
        construct == Construct::FunctionBody && pruned.kept.iter().any(promised)
    }
    /// The assumed nodes that are not goals themselves; those with the same text are grouped.
    fn removable(&self, keep: &BTreeSet<UserId>, pruned: &Pruned) -> BTreeMap<Span, Vec<UserId>> {
        let Dependencies { nodes, graph, result, .. } = self.found;
        let main = result.sources.files().next().map(|(main, _)| main);
        let mut texts: BTreeMap<Span, Vec<UserId>> = BTreeMap::new();
        for user in pruned.kept.difference(&pruned.added).copied() {
            let node = &nodes.all[user];
            if node.is_shown() && Some(node.span.file) == main {
                texts.entry(self.span(node)).or_default().push(user);
            }
        }
        texts.retain(|_, users| {
            let assumed = users.iter().any(|user| graph.assumption(nodes, *user).is_some());
            assumed && !users.iter().any(|user| keep.contains(user) || graph.failed.contains(user))
        });
        texts
    }
}
