//! Reuses proofs of a program for edited versions of it: a goal that was proved from some facts follows wherever these
//! facts hold.
//!
//! Propositions of different trees are compared in one store, in which a symbol is the same if it has the same role and
//! signature, and names of quantified variables do not matter ([`Identified`]). Nor do those of variables that are in
//! scope on a path: they are named by the order in which its facts mention them. What the solver proved holds whatever its
//! symbols mean, so any renaming of them preserves it, provided that different symbols of one tree stay different; a tree
//! where they do not is not used. Nothing else is assumed about what names mean: definitions and axioms of a program are
//! facts on the path like others, and background theories go with operators.
//!
//! Only the first verification of a program adds proofs, and only edited versions use them, so answers do not depend on
//! the order in which these are verified. For internal questions, for which `unknown` is harmless, failed attempts are
//! stored too: the goal is taken to be unproved where hardly any fact is new, since edits mostly leave out facts or make
//! them weaker. A contradiction is taken to be unproved only if no fact is new.

use crate::limits::{FACTS_KNOWN, NEW_FACTS, PROOFS_OF_A_GOAL};
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
    /// The path of the last question.
    trail: Vec<Stated>,
    /// How often each fact occurs on the path.
    stated: FastMap<TermId, u32>,
}

/// A node of the path, with its fact in the store.
struct Stated {
    node: NodeId,
    fact: Option<TermId>,
    /// The number of variables that facts before it introduce.
    introduced: usize,
}

/// A goal in the store. Its own variables are named after those of the path.
fn goal_in(store: &mut Terms, identified: &mut Identified, terms: &Terms, goal: TermId) -> Option<TermId> {
    let introduced = identified.introduced();
    identified.introduce(terms, store, goal);
    let copy = identified.term(terms, store, goal);
    identified.forget(introduced);
    copy
}

impl KnownProofs {
    pub fn tree(&self) -> KnownTree<'_> {
        KnownTree { known: self, identified: Identified::default(), trail: Vec::new(), stated: FastMap::default() }
    }
    fn store(&self) -> MutexGuard<'_, Store> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    fn add_proof(
        &mut self,
        identified: &mut Identified,
        terms: &Terms,
        goal: TermId,
        facts: impl Iterator<Item = TermId>,
    ) {
        let Some(goal) = goal_in(&mut self.terms, identified, terms, goal) else { return };
        let facts: Option<Box<[TermId]>> = facts.map(|fact| identified.term(terms, &mut self.terms, fact)).collect();
        let proofs = self.proofs.entry(goal).or_default();
        proofs.extend(facts.filter(|facts| proofs.len() < PROOFS_OF_A_GOAL && !proofs.contains(facts)));
    }
}

impl KnownTree<'_> {
    /// Stores proofs: where goals were proved, each with facts that suffice.
    pub fn learn(&mut self, tree: &ProofTree, mut proofs: Vec<(NodeId, TermId, Vec<TermId>)>) {
        // Neighbours share most of their paths.
        proofs.sort_by_key(|(at, ..)| *at);
        let store = &mut *self.known.store();
        for (at, goal, facts) in proofs {
            self.go_to(store, tree, at);
            store.add_proof(&mut self.identified, &tree.terms, goal, facts.into_iter());
        }
    }
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
                self.go_to(store, tree, at);
                let facts = core.iter().filter_map(|node| tree.fact(*node));
                store.add_proof(&mut self.identified, &tree.terms, goal, facts);
            }
            (Verdict::Refuted | Verdict::Unknown(GaveUp::Incomplete | GaveUp::Resources), _) if harmless => {
                self.go_to(store, tree, at);
                let Some(goal) = goal_in(&mut store.terms, &mut self.identified, &tree.terms, goal) else { return };
                let facts: FastSet<TermId> = self.trail.iter().filter_map(|stated| stated.fact).collect();
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
        let goal = goal_in(&mut store.terms, &mut self.identified, &tree.terms, goal)?;
        let holds = |fact: &TermId| self.stated.get(fact).is_some_and(|count| *count > 0);
        let mut proofs = store.proofs.get(&goal).into_iter().flatten();
        if proofs.any(|facts| facts.iter().all(holds)) {
            return Some(Verdict::Proved);
        }
        if !matches!(bound, Bound::Quick | Bound::Patient) {
            return None;
        }
        let mut unproved = store.unproved.get(&goal).into_iter().flatten();
        let most = if store.terms.is_false(goal) { 0 } else { NEW_FACTS };
        let hardly_new = |facts: &FastSet<TermId>| {
            let mut new =
                self.trail.iter().rev().filter(|stated| stated.fact.is_some_and(|fact| !facts.contains(&fact)));
            new.nth(most).is_none()
        };
        unproved.any(hardly_new).then_some(Verdict::Unknown(GaveUp::Incomplete))
    }
    /// Moves to a path. A fact that cannot be compared matches no stored fact, and rules out that the path has fewer
    /// facts than a stored one.
    fn go_to(&mut self, store: &mut Store, tree: &ProofTree, at: NodeId) {
        let is_known = |node: &NodeId| {
            let known = self.trail.get(tree.nodes[*node].depth as usize);
            known.is_some_and(|known| known.node == *node)
        };
        let mut below: Vec<NodeId> = tree.path(at).take_while(|node| !is_known(node)).collect();
        let common = tree.nodes[at].depth as usize + 1 - below.len();
        let known = self.trail.get(common).map(|next| next.introduced);
        for Stated { fact: stated, .. } in self.trail.drain(common..) {
            if let Some(count) = stated.and_then(|stated| self.stated.get_mut(&stated)) {
                *count -= 1;
            }
        }
        known.into_iter().for_each(|known| self.identified.forget(known));
        below.reverse();
        for node in below {
            let introduced = self.identified.introduced();
            let fact = tree.fact(node).filter(|fact| !tree.terms.is_true(*fact));
            let fact = fact.and_then(|fact| {
                self.identified.introduce(&tree.terms, &mut store.terms, fact);
                self.identified.term(&tree.terms, &mut store.terms, fact)
            });
            if let Some(fact) = fact {
                *self.stated.entry(fact).or_insert(0) += 1;
            }
            self.trail.push(Stated { node, fact, introduced });
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
    fn what_was_not_proved_is_not_tried_again_where_hardly_any_fact_is_new() {
        let known = KnownProofs::default();
        let (tree, at, goal) = path(&["x", "y"]);
        let falsity = tree.terms.literal(false);
        let unknown = Verdict::Unknown(GaveUp::Incomplete);
        for bound in [Bound::Quick, Bound::Full] {
            known.tree().note(&tree, (at, goal, bound), &unknown, None);
            known.tree().note(&tree, (at, falsity, bound), &unknown, None);
        }
        let recalled = |names: &[&str], of_goal: bool, bound: Bound| {
            let (tree, at, goal) = path(names);
            let goal = if of_goal { goal } else { tree.terms.literal(false) };
            known.tree().recall(&tree, at, goal, bound)
        };
        let new = ["x", "a", "b", "c", "d"];
        assert_eq!(recalled(&new[..=NEW_FACTS], true, Bound::Quick), Some(unknown.clone()));
        assert_eq!(recalled(&new[..=NEW_FACTS + 1], true, Bound::Quick), None);
        // Any fact may contradict the others.
        assert_eq!(recalled(&["x"], false, Bound::Quick), Some(unknown));
        assert_eq!(recalled(&["x", "a"], false, Bound::Quick), None);
        // An obligation is always asked.
        assert_eq!(recalled(&["x"], true, Bound::Full), None);
    }

    /// A path on which `0 < v` holds for a variable `v` of a quantifier, where so many others were made before.
    fn in_scope(before: usize) -> (ProofTree, NodeId, TermId) {
        let origin = Origin { clause: SyntaxId::new(0), site: None, part: Part::Value };
        let mut tree = ProofTree::new(Terms::new(), origin);
        let (int, zero) = (tree.terms.int_sort(), tree.terms.int(0));
        let variables: Vec<_> = (0..=before).map(|_| tree.terms.fresh_variable("v", int)).collect();
        let value = tree.terms.constant(variables[before]);
        let fact = tree.terms.lt(zero, value);
        let at = tree.assume(tree.root(), fact, Because::Written, &[], origin);
        let goal = tree.terms.le(zero, value);
        (tree, at, goal)
    }

    #[test]
    fn variables_in_scope_may_have_other_numbers() {
        let known = KnownProofs::default();
        let (tree, at, goal) = in_scope(0);
        let fact = tree.fact(at).expect("it is assumed");
        known.tree().learn(&tree, vec![(at, goal, vec![fact])]);
        let (tree, at, goal) = in_scope(2);
        assert_eq!(known.tree().recall(&tree, at, goal, Bound::Full), Some(Verdict::Proved));
        assert_eq!(known.tree().recall(&tree, tree.root(), goal, Bound::Full), None);
    }
}
