//! Explains a member while it is being verified.
//!
//! Proofs are processed as soon as they are found. Labels of facts and goals are almost always recorded before the
//! next question; if something that was already read changes, everything is explained again from the finished tree.

use crate::blame::Facts;
use crate::cores::{CoreContext, CoreSearch, FirstProof};
use crate::member::Analysis;
use crate::needs::MemberNeeds;
use crate::nodes::{Nodes, UserId};
use crate::options::DependencyOptions;
use echis_base::Key;
use echis_program::program::Program;
use echis_proof::{CheckId, Explainer, NodeId, Premise, ProofTree};
use echis_term::TermId;
use std::collections::BTreeSet;

pub struct OnlineAnalysis<'a> {
    program: &'a Program,
    nodes: &'a Nodes,
    options: DependencyOptions,
    search: CoreSearch,
    /// The premises processed so far.
    taken: BTreeSet<Premise>,
    /// The labelled form of each fact and goal, as it was read.
    facts: Vec<Option<TermId>>,
    goals: Vec<Option<TermId>>,
}

impl<'a> OnlineAnalysis<'a> {
    pub fn new(program: &'a Program, nodes: &'a Nodes, options: DependencyOptions) -> Self {
        let search = CoreSearch::new(options);
        OnlineAnalysis { program, nodes, options, search, taken: BTreeSet::new(), facts: Vec::new(), goals: Vec::new() }
    }
    /// Records that a goal was proved.
    pub fn proved(&mut self, at: NodeId, goal: TermId, proof: FirstProof) {
        self.search.note_proof(at, goal, proof);
    }
    /// Processes the proofs since the last call, if explanations were requested.
    pub fn advance(&mut self, tree: &ProofTree, explainer: &mut dyn Explainer, wanted: &dyn Fn(UserId) -> bool) {
        let (stated, seen) = (self.facts.len(), self.goals.len());
        if seen == tree.checks.len() {
            return;
        }
        self.facts.extend((self.facts.len()..tree.nodes.len()).map(|node| label_of_fact(tree, node)));
        self.goals.extend((seen..tree.checks.len()).map(|check| label_of_goal(tree, check)));
        let facts = Facts { program: self.program, nodes: self.nodes, tree };
        let mut cx = CoreContext { facts, explainer };
        let mut demanded: Vec<Premise> = Vec::new();
        for check in (seen..tree.checks.len()).map(CheckId::new) {
            if facts.is_proved(check) && facts.demander(check).is_some_and(wanted) {
                demanded.push(Premise::Check(check));
            }
        }
        for node in (stated..tree.nodes.len()).map(NodeId::new) {
            if facts.giver(node).is_some_and(wanted) {
                demanded.extend(facts.demanded_premises(node));
            }
        }
        for check in facts.checks_behind(demanded, &mut self.taken) {
            self.search.begin(&mut cx, check);
        }
    }
    /// All dependencies of the wanted nodes.
    pub fn finish(
        mut self,
        tree: &ProofTree,
        explainer: &mut dyn Explainer,
        wanted: impl Fn(UserId) -> bool,
    ) -> MemberNeeds {
        let facts = Facts { program: self.program, nodes: self.nodes, tree };
        self.search.finish(&mut CoreContext { facts, explainer: &mut *explainer });
        let same = |read: &[Option<TermId>], now: &dyn Fn(usize) -> Option<TermId>| {
            read.iter().enumerate().all(|(index, label)| *label == now(index))
        };
        let unchanged = same(&self.facts, &|node| label_of_fact(tree, node))
            && same(&self.goals, &|check| label_of_goal(tree, check));
        let search = if unchanged { self.search } else { self.search.restarted() };
        let analysis = Analysis::new(facts, explainer, self.options.minimization, search);
        analysis.run(self.options.definition, wanted)
    }
}

fn label_of_fact(tree: &ProofTree, node: usize) -> Option<TermId> {
    tree.labelled_facts.get(NodeId::new(node)).map(|labelled| labelled.term)
}

fn label_of_goal(tree: &ProofTree, check: usize) -> Option<TermId> {
    tree.labelled_goals.get(CheckId::new(check)).map(|labelled| labelled.term)
}
