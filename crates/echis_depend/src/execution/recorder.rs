//! Records the facts that each obligation of a member reduces to, while its cores are available.

use crate::blame::Facts;
use crate::cores::CoreOracle;
use crate::execution::leaves::{FactLeaves, Uses};
use crate::execution::paths::Paths;
use crate::expansion::Expansion;
use crate::nodes::UserId;
use echis_base::SyntaxId;
use echis_proof::{CheckId, NodeId, Premise};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

pub struct Recorder<'a> {
    pub facts: Facts<'a>,
    pub paths: Paths<'a>,
    /// For each node of the program, its explicit demands.
    pub obligations: BTreeMap<UserId, Vec<CheckId>>,
    /// For each node of the program, the facts it provides that have premises.
    pub given: BTreeMap<UserId, Vec<NodeId>>,
    /// The results as of when the node was recorded: cores may change later.
    found: HashMap<(UserId, Premise, Option<SyntaxId>), Rc<Uses>>,
    expansion: Expansion<'a, FactLeaves<'a>>,
}

impl<'a> Recorder<'a> {
    pub fn new(facts: Facts<'a>) -> Self {
        let mut obligations: BTreeMap<UserId, Vec<CheckId>> = BTreeMap::new();
        for check in facts.tree.checks.keys() {
            if let Some(user) = facts.demander(check).filter(|_| facts.is_proved(check)) {
                obligations.entry(user).or_default().push(check);
            }
        }
        let mut given: BTreeMap<UserId, Vec<NodeId>> = BTreeMap::new();
        for node in facts.tree.nodes.keys() {
            if let Some(user) = facts.giver(node) {
                given.entry(user).or_default().push(node);
            }
        }
        let expansion = Expansion::new(facts, FactLeaves::new(facts));
        Recorder { facts, paths: Paths::new(facts), obligations, given, found: HashMap::new(), expansion }
    }
    /// Discards results after cores have changed.
    pub fn forget(&mut self) {
        self.expansion.forget();
        self.expansion.leaves.forget();
    }
    /// Records the dependencies of a node's demands, by the current cores.
    pub fn record(&mut self, oracle: &mut CoreOracle<'_>, user: UserId) {
        for check in self.obligations.get(&user).cloned().unwrap_or_default() {
            self.note(oracle, user, Premise::Check(check), None);
        }
        for node in self.given.get(&user).cloned().unwrap_or_default() {
            let facts = self.facts;
            for premise in facts.demanded_premises(node) {
                self.note(oracle, user, premise, None);
            }
            if let Some((conjunct, unfolded)) = self.leaves().unfolded(node) {
                for premise in unfolded {
                    self.note(oracle, user, premise, Some(conjunct));
                }
            }
        }
    }
    fn note(&mut self, oracle: &mut CoreOracle<'_>, user: UserId, premise: Premise, conjunct: Option<SyntaxId>) {
        let uses = self.expansion.premise(oracle, premise, conjunct);
        self.found.insert((user, premise, conjunct), uses);
    }
    pub fn found(&self, user: UserId, premise: Premise, conjunct: Option<SyntaxId>) -> Option<&Uses> {
        self.found.get(&(user, premise, conjunct)).map(|uses| &**uses)
    }
    pub fn leaves(&self) -> &FactLeaves<'a> {
        &self.expansion.leaves
    }
    /// Whether a node demands anything in this member.
    pub fn demands_here(&self, user: UserId) -> bool {
        self.obligations.contains_key(&user) || self.given.contains_key(&user)
    }
}
