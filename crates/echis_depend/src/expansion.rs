//! Expands the premise graph: finds the dependencies of a premise, through the cores of checks and the premises of
//! the engine's own facts.
//!
//! Both definitions of a dependency use this expansion. They differ in their leaves ([`Leaves`]): the nodes
//! responsible for a fact, or the fact itself.

use crate::blame::{Blame, Facts};
use crate::cores::CoreOracle;
use crate::needs::add;
use crate::nodes::UserId;
use crate::rank::GroupKey;
use crate::via::Via;
use echis_base::SyntaxId;
use echis_proof::{Because, CheckId, NodeId, Premise, Question, Role, Rule, Step};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// The leaves of an expansion, and how each is needed.
type Found<L> = BTreeMap<<L as Leaves>::Leaf, Via>;

/// The leaves of an expansion.
pub trait Leaves: Sized {
    type Leaf: Ord + Copy;

    /// A fact that belongs to nodes; possibly restricted to one conjunct of a predicate's body.
    fn of_fact(&mut self, node: NodeId, users: &[UserId], conjunct: Option<SyntaxId>) -> Found<Self>;
    /// The facts in the core of a check that belong to the given nodes; without a check, those of the nodes
    /// themselves.
    fn of_group(&mut self, oracle: &mut CoreOracle<'_>, check: Option<CheckId>, users: &[UserId]) -> Found<Self>;
}

pub struct Expansion<'a, L: Leaves> {
    facts: Facts<'a>,
    pub leaves: L,
    known: HashMap<(Premise, Option<SyntaxId>), Rc<Found<L>>>,
}

impl<'a, L: Leaves> Expansion<'a, L> {
    pub fn new(facts: Facts<'a>, leaves: L) -> Self {
        Expansion { facts, leaves, known: HashMap::new() }
    }
    /// Discards results after cores have changed.
    pub fn forget(&mut self) {
        self.known.clear();
    }
    /// The leaves of a premise, if already expanded.
    pub fn known(&self, premise: Premise) -> Option<&Found<L>> {
        self.known.get(&(premise, None)).map(|leaves| &**leaves)
    }
    /// The leaves of a premise, by the current cores.
    pub fn premise(
        &mut self,
        oracle: &mut CoreOracle<'_>,
        premise: Premise,
        conjunct: Option<SyntaxId>,
    ) -> Rc<Found<L>> {
        if let Some(known) = self.known.get(&(premise, conjunct)) {
            return known.clone();
        }
        let leaves = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match premise {
            Premise::Fact(node) => self.fact(oracle, self.facts.source(node), conjunct),
            Premise::Check(check) => self.check(oracle, check, conjunct),
        });
        let leaves = Rc::new(leaves);
        self.known.insert((premise, conjunct), leaves.clone());
        leaves
    }
    fn fact(&mut self, oracle: &mut CoreOracle<'_>, node: NodeId, conjunct: Option<SyntaxId>) -> Found<L> {
        match self.facts.blame(node) {
            Blame::Free => BTreeMap::new(),
            Blame::Shown(users) => self.leaves.of_fact(node, &users, conjunct),
            Blame::Hidden => self.premises_of(oracle, node, self.facts.premises(node), conjunct),
        }
    }
    fn check(&mut self, oracle: &mut CoreOracle<'_>, check: CheckId, conjunct: Option<SyntaxId>) -> Found<L> {
        let (facts, core) = (self.facts, oracle.core(check));
        let demand = facts.via_of_check(check);
        let apart = facts.tree.checks[check].role == Role::Probe(Question::Apart);
        let mut leaves = BTreeMap::new();
        for key in core.keys.iter().filter(|key| !apart || facts.is_believed(key)) {
            for (leaf, via) in self.group(oracle, Some(check), key, conjunct) {
                add(&mut leaves, leaf, via.within(demand).max(core.via));
            }
        }
        for premise in facts.unlabelled_premises_of_check(check) {
            for (leaf, via) in self.premise(oracle, premise, None).iter() {
                add(&mut leaves, *leaf, via.within(demand));
            }
        }
        if !facts.is_proved(check) && matches!(facts.tree.checks[check].role, Role::Obligation(_)) {
            // A failed check is assumed on behalf of the node that demands it.
            let users = facts.users(facts.tree.origins[facts.tree.checks[check].origin]);
            for (leaf, via) in self.leaves.of_group(oracle, None, &users) {
                add(&mut leaves, leaf, via.within(demand));
            }
        }
        leaves
    }
    /// The leaves of a group in a core.
    pub fn group(
        &mut self,
        oracle: &mut CoreOracle<'_>,
        check: Option<CheckId>,
        key: &GroupKey,
        conjunct: Option<SyntaxId>,
    ) -> Found<L> {
        match key {
            GroupKey::Users(users) => self.leaves.of_group(oracle, check, users),
            GroupKey::Fact(node) => self.premises_of(oracle, *node, &self.facts.unlabelled_premises(*node), conjunct),
            GroupKey::Grant(node) => {
                let leaves = self.premise(oracle, Premise::Fact(*node), conjunct);
                leaves.iter().map(|(leaf, via)| (*leaf, via.within(Via::Permission))).collect()
            }
        }
    }
    /// The leaves of the premises of an engine fact.
    fn premises_of(
        &mut self,
        oracle: &mut CoreOracle<'_>,
        node: NodeId,
        premises: &[Premise],
        conjunct: Option<SyntaxId>,
    ) -> Found<L> {
        // Merged instances are still instances of the predicate.
        let step = &self.facts.tree.nodes[self.facts.source(node)].step;
        let merged = matches!(step, Step::Assume { because: Because::Rule(Rule::Merge), .. });
        let mut leaves = BTreeMap::new();
        for premise in premises {
            for (leaf, via) in self.premise(oracle, *premise, conjunct.filter(|_| merged)).iter() {
                add(&mut leaves, *leaf, *via);
            }
        }
        leaves
    }
}

/// Uses the nodes responsible for facts as leaves.
pub struct NodeLeaves<'a>(pub Facts<'a>);

impl Leaves for NodeLeaves<'_> {
    type Leaf = UserId;

    fn of_fact(&mut self, node: NodeId, users: &[UserId], _: Option<SyntaxId>) -> BTreeMap<UserId, Via> {
        users.iter().map(|user| (*user, self.0.via_of_fact(node, *user))).collect()
    }
    fn of_group(&mut self, _: &mut CoreOracle<'_>, _: Option<CheckId>, users: &[UserId]) -> BTreeMap<UserId, Via> {
        users.iter().map(|user| (*user, Via::of(self.0.nodes, *user))).collect()
    }
}
