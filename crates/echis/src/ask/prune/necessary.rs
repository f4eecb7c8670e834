//! Which nodes of a pruned program are necessary: each one is removed alone, and the rest is verified again.

use super::{Pruned, Pruning};
use crate::ask::dependencies::Dependencies;
use crate::verification::Verification;
use crate::verify::settings::Settings;
use echis_base::Span;
use echis_depend::{Construct, UserId};
use echis_findings::FileVerdict;
use std::collections::{BTreeMap, BTreeSet};

/// What became of the program without single nodes.
#[derive(Clone, Default, Debug)]
pub struct Necessity {
    /// Nodes without which the rest does not verify.
    pub needed: BTreeSet<UserId>,
    /// The program verifies without each of these, because more goes with it than what it gives: what is demanded by it, or
    /// of those who call. Where only what it gives goes, it does not.
    pub demanded: BTreeSet<UserId>,
    /// The program verifies without each of these, however they go.
    pub unneeded: BTreeSet<UserId>,
    /// What is left without them is no program, or was not decided.
    pub untried: BTreeSet<UserId>,
}

impl Verification {
    /// Tries to do without each node of a pruned program that dependencies of the kept ones name.
    pub fn necessary(&self, found: &Dependencies, keep: &BTreeSet<UserId>, pruned: &Pruned) -> Necessity {
        let settings = Settings { errors: 1, ..self.settings().for_variation() };
        necessity(&Pruning { verification: self, found, settings }, keep, pruned)
    }
}

fn necessity(pruning: &Pruning<'_>, keep: &BTreeSet<UserId>, pruned: &Pruned) -> Necessity {
    let mut necessity = Necessity::default();
    let mut demanding = None;
    for (_, users) in pruning.removable(keep, pruned) {
        // What a function without a body promises is believed, and its proof would not be missed.
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
    /// The program with all that its calls demand, if it verifies like that.
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
    /// The nodes that are assumed and not themselves what shall be proved; those of one text go together.
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
