//! Reuses proofs of a program for edited versions of it: a goal that was proved from some facts follows wherever these
//! facts hold.
//!
//! Propositions of different trees are compared in one store, in which a symbol is the same if it has the same role and
//! signature, and names of quantified variables do not matter ([`Identified`]). What the solver proved holds whatever its
//! symbols mean, so any renaming of them preserves it, provided that different symbols of one tree stay different; a tree
//! where they do not is not used. Nothing else is assumed about what names mean: definitions and axioms of a program are
//! facts on the path like others, and background theories go with operators.
//!
//! Only the first verification of a program adds proofs, and only edited versions use them, so answers do not depend on
//! the order in which these are verified. For internal questions, for which `unknown` is harmless, failed attempts are
//! stored too: with fewer facts the goal is taken to be unproved.

use crate::limits::{FACTS_KNOWN, PROOFS_OF_A_GOAL};
use echis_base::{FastMap, FastSet};
use echis_proof::{Bound, GaveUp, NodeId, ProofTree, Verdict};
use echis_term::{Identified, TermId, Terms};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The known proofs of one program, shared by all clones.
#[derive(Clone, Default)]
pub(crate) struct KnownProofs(Arc<Mutex<Store>>);

#[derive(Default)]
struct Store {
    terms: Terms,
    /// By goal, sets of facts that prove it.
    proofs: FastMap<TermId, Vec<Box<[TermId]>>>,
    /// By goal, sets of facts from which the solver did not prove it.
    unproved: FastMap<TermId, Vec<FastSet<TermId>>>,
}

/// A proof tree whose goals are looked up.
pub(crate) struct KnownTree<'k> {
    known: &'k KnownProofs,
    identified: Identified,
    /// The path of the last question, with the facts of its nodes in the store.
    trail: Vec<(NodeId, Option<TermId>)>,
    /// How often each fact occurs on the path.
    stated: FastMap<TermId, u32>,
}

impl KnownProofs {
    pub fn tree(&self) -> KnownTree<'_> {
        KnownTree { known: self, identified: Identified::default(), trail: Vec::new(), stated: FastMap::default() }
    }
    fn store(&self) -> MutexGuard<'_, Store> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KnownTree<'_> {
    /// Stores an answer: the facts that proved the goal, or that an internal question was not answered.
    pub fn note(
        &mut self,
        tree: &ProofTree,
        (at, goal, bound): (NodeId, TermId, Bound),
        verdict: &Verdict,
        core: Option<&[NodeId]>,
    ) {
        let known = self.known;
        let store = &mut *known.store();
        let harmless = matches!(bound, Bound::Quick | Bound::Patient);
        match (verdict, core) {
            (Verdict::Proved, Some(core)) => {
                let Some(goal) = self.identified.term(&tree.terms, &mut store.terms, goal) else { return };
                let facts = core.iter().filter_map(|node| tree.fact(*node));
                let facts: Option<Vec<TermId>> =
                    facts.map(|fact| self.identified.term(&tree.terms, &mut store.terms, fact)).collect();
                let proofs = store.proofs.entry(goal).or_default();
                if let Some(facts) = facts.filter(|_| proofs.len() < PROOFS_OF_A_GOAL) {
                    proofs.push(facts.into());
                }
            }
            (Verdict::Refuted | Verdict::Unknown(GaveUp::Incomplete | GaveUp::Resources), _) if harmless => {
                self.go_to(store, tree, at);
                let Some(goal) = self.identified.term(&tree.terms, &mut store.terms, goal) else { return };
                let facts: FastSet<TermId> = self.trail.iter().filter_map(|(_, fact)| *fact).collect();
                let unproved = store.unproved.entry(goal).or_default();
                if unproved.len() < PROOFS_OF_A_GOAL && facts.len() < FACTS_KNOWN {
                    unproved.push(facts);
                }
            }
            _ => {}
        }
    }
    /// The answer, if it follows from stored ones.
    pub fn recall(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> Option<Verdict> {
        let known = self.known;
        let store = &mut *known.store();
        self.go_to(store, tree, at);
        let goal = self.identified.term(&tree.terms, &mut store.terms, goal)?;
        let holds = |fact: &TermId| self.stated.get(fact).is_some_and(|count| *count > 0);
        let mut proofs = store.proofs.get(&goal).into_iter().flatten();
        if proofs.any(|facts| facts.iter().all(holds)) {
            return Some(Verdict::Proved);
        }
        if !matches!(bound, Bound::Quick | Bound::Patient) {
            return None;
        }
        let mut unproved = store.unproved.get(&goal).into_iter().flatten();
        let fewer = |facts: &FastSet<TermId>| {
            self.trail.iter().rev().all(|(_, stated)| stated.is_none_or(|stated| facts.contains(&stated)))
        };
        unproved.any(fewer).then_some(Verdict::Unknown(GaveUp::Incomplete))
    }
    /// Moves to a path. A fact that cannot be compared matches no stored fact, and rules out that the path has fewer
    /// facts than a stored one.
    fn go_to(&mut self, store: &mut Store, tree: &ProofTree, at: NodeId) {
        let is_known = |node: &NodeId| {
            let known = self.trail.get(tree.nodes[*node].depth as usize);
            known.is_some_and(|(known, _)| known == node)
        };
        let mut below: Vec<NodeId> = tree.path(at).take_while(|node| !is_known(node)).collect();
        let common = tree.nodes[at].depth as usize + 1 - below.len();
        for (_, stated) in self.trail.drain(common..) {
            if let Some(count) = stated.and_then(|stated| self.stated.get_mut(&stated)) {
                *count -= 1;
            }
        }
        below.reverse();
        for node in below {
            let fact = tree.fact(node).filter(|fact| !tree.terms.is_true(*fact));
            let stated = fact.and_then(|fact| self.identified.term(&tree.terms, &mut store.terms, fact));
            if let Some(stated) = stated {
                *self.stated.entry(stated).or_insert(0) += 1;
            }
            self.trail.push((node, stated));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_base::{Key, SyntaxId};
    use echis_proof::{Because, Origin, Part};
    use echis_term::{FreshRole, Scope};

    /// A path that states `0 < v` for each of these variables, and the goal `0 <= x`.
    fn path(names: &[&str]) -> (ProofTree, NodeId, TermId) {
        let origin = Origin { clause: SyntaxId::new(0), site: None, part: Part::Value };
        let mut tree = ProofTree::new(Terms::new(), origin);
        let (int, zero) = (tree.terms.int_sort(), tree.terms.int(0));
        let (mut at, mut x) = (tree.root(), zero);
        for name in names {
            let value = tree.terms.fresh(&Scope::default(), FreshRole::Named((*name).into()), &[], int);
            x = if *name == "x" { value } else { x };
            let fact = tree.terms.lt(zero, value);
            at = tree.assume(at, fact, Because::Written, &[], origin);
        }
        let goal = tree.terms.le(zero, x);
        (tree, at, goal)
    }

    #[test]
    fn a_proof_holds_wherever_its_facts_do() {
        let known = KnownProofs::default();
        let (tree, at, goal) = path(&["w", "x", "y"]);
        let used = tree.nodes[at].parent.expect("the fact about x is before that about y");
        known.tree().note(&tree, (at, goal, Bound::Full), &Verdict::Proved, Some(&[used]));
        for (names, expected) in [(&["y", "x"][..], Some(Verdict::Proved)), (&["x"], Some(Verdict::Proved))] {
            let (tree, at, goal) = path(names);
            assert_eq!(known.tree().recall(&tree, at, goal, Bound::Full), expected, "{names:?}");
            // Before anything is stated there is no proof.
            assert_eq!(known.tree().recall(&tree, tree.root(), goal, Bound::Full), None);
        }
    }

    #[test]
    fn what_was_not_proved_is_not_proved_from_less_either() {
        let known = KnownProofs::default();
        let (tree, at, goal) = path(&["x", "y"]);
        let unknown = Verdict::Unknown(GaveUp::Incomplete);
        for bound in [Bound::Quick, Bound::Full] {
            known.tree().note(&tree, (at, goal, bound), &unknown, None);
        }
        let (tree, at, goal) = path(&["x"]);
        assert_eq!(known.tree().recall(&tree, at, goal, Bound::Quick), Some(unknown));
        // An obligation is always asked, and so is a question with other facts.
        assert_eq!(known.tree().recall(&tree, at, goal, Bound::Full), None);
        let (tree, at, goal) = path(&["x", "z"]);
        assert_eq!(known.tree().recall(&tree, at, goal, Bound::Quick), None);
    }
}
