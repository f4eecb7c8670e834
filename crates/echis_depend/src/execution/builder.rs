//! Builds the fact-level graph of one member from what was recorded.

use crate::execution::leaves::{Used, Uses};
use crate::execution::recorder::Recorder;
use crate::kind::Construct;
use crate::needs::{FactGraph, Target, Vertex, add};
use crate::nodes::UserId;
use crate::owner::Owner;
use crate::via::Via;
use echis_base::SyntaxId;
use echis_proof::{CheckId, NodeId, Premise};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// The identity of a vertex.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum VertexKey {
    Obligation(UserId, CheckId),
    /// A fact that a node provides; for a fold possibly only one conjunct of the body.
    Given(UserId, NodeId, Option<SyntaxId>),
    /// The premises of the fact.
    Premises(UserId, NodeId, Option<SyntaxId>),
}

/// The role of another member's contract or a predicate's body in an obligation.
enum Clause {
    Own,
    /// A callee's precondition.
    Precondition(UserId),
    /// A conjunct of the folded or unfolded predicate other than the relevant one.
    OtherConjunct,
}

pub struct FactGraphBuilder<'r, 'a> {
    recorder: &'r Recorder<'a>,
    numbers: HashMap<VertexKey, usize>,
    pending: Vec<VertexKey>,
    vertices: Vec<Vertex>,
}

impl<'r, 'a> FactGraphBuilder<'r, 'a> {
    pub fn new(recorder: &'r Recorder<'a>) -> Self {
        FactGraphBuilder { recorder, numbers: HashMap::new(), pending: Vec::new(), vertices: Vec::new() }
    }
    pub fn build(mut self) -> FactGraph {
        let recorder = self.recorder;
        let mut demands: BTreeMap<UserId, Vec<usize>> = BTreeMap::new();
        for (user, checks) in &recorder.obligations {
            let numbers = checks.iter().map(|check| self.number(VertexKey::Obligation(*user, *check)));
            demands.entry(*user).or_default().extend(numbers);
        }
        for (user, nodes) in &recorder.given {
            let numbers = nodes.iter().map(|node| self.number(VertexKey::Premises(*user, *node, None)));
            demands.entry(*user).or_default().extend(numbers);
        }
        while let Some(key) = self.pending.pop() {
            let vertex = self.vertex(key);
            let number = self.numbers[&key];
            self.vertices[number] = vertex;
        }
        FactGraph { vertices: self.vertices, demands, closed: BTreeMap::new() }
    }
    fn number(&mut self, key: VertexKey) -> usize {
        if let Some(number) = self.numbers.get(&key) {
            return *number;
        }
        let number = self.vertices.len();
        self.vertices.push(Vertex::default());
        self.numbers.insert(key, number);
        self.pending.push(key);
        number
    }
    fn vertex(&mut self, key: VertexKey) -> Vertex {
        let mut vertex = Vertex::default();
        match key {
            VertexKey::Obligation(user, check) => self.use_premise(&mut vertex, user, Premise::Check(check), None),
            VertexKey::Given(user, node, conjunct) => self.given(&mut vertex, user, node, conjunct),
            VertexKey::Premises(user, node, conjunct) => self.premises(&mut vertex, user, node, conjunct),
        }
        vertex
    }
    fn given(&mut self, vertex: &mut Vertex, user: UserId, node: NodeId, conjunct: Option<SyntaxId>) {
        let recorder = self.recorder;
        vertex.user = Some(user);
        vertex.postcondition = self.postcondition(user, node);
        let (unfolded, premises) = recorder.leaves().unfolded(node).unzip();
        let opened_premises = premises.unwrap_or_default();
        for check in self.obligations_near(user, node) {
            match self.clause(user, check, conjunct.or(unfolded)) {
                // The premises record which conjunct they belong to.
                Clause::Own if self.is_among(check, &opened_premises) => {}
                Clause::Own => {
                    let number = self.number(VertexKey::Obligation(user, check));
                    vertex.needs.insert(Target::Here(number), Via::Value);
                }
                Clause::Precondition(pre) if vertex.postcondition.is_some() => {
                    let number = self.number(VertexKey::Obligation(user, check));
                    vertex.by_precondition.push((pre, number));
                }
                // A call's arguments do not depend on its preconditions.
                Clause::Precondition(_) | Clause::OtherConjunct => {}
            }
        }
        if !recorder.facts.premises(node).is_empty() {
            let number = self.number(VertexKey::Premises(user, node, conjunct));
            vertex.needs.insert(Target::Here(number), Via::Value);
        }
    }
    fn premises(&mut self, vertex: &mut Vertex, user: UserId, node: NodeId, conjunct: Option<SyntaxId>) {
        let recorder = self.recorder;
        // Obligations for a specific clause count only through that clause.
        let mut by_clause: BTreeSet<Premise> = BTreeSet::new();
        if conjunct.is_some() || self.postcondition(user, node).is_some() {
            for check in self.obligations_near(user, node) {
                let clause = self.clause(user, check, conjunct);
                let is_part =
                    recorder.leaves().predicate_of_conjunct(self.clause_of(check)).is_some() && conjunct.is_some();
                if is_part || matches!(clause, Clause::Precondition(_)) {
                    by_clause.insert(Premise::Check(check));
                    by_clause.extend(recorder.facts.tree.checks[check].premises.iter().copied());
                }
            }
        }
        let unfolded = recorder.leaves().unfolded(node);
        for premise in recorder.facts.demanded_premises(node).filter(|premise| !by_clause.contains(premise)) {
            let part =
                unfolded.as_ref().filter(|(_, unfolded)| unfolded.contains(&premise)).map(|(conjunct, _)| *conjunct);
            self.use_premise(vertex, user, premise, part);
        }
    }
    fn use_premise(&mut self, vertex: &mut Vertex, user: UserId, premise: Premise, conjunct: Option<SyntaxId>) {
        let recorder = self.recorder;
        // Premises that were not requested were not recorded.
        if let Some(uses) = recorder.found(user, premise, conjunct) {
            self.use_all(vertex, uses);
        }
    }
    fn use_all(&mut self, vertex: &mut Vertex, uses: &Uses) {
        for (used, via) in uses {
            let (node, conjunct) = match used {
                Used::Fact(node) => (*node, None),
                Used::Conjunct(node, conjunct) => (*node, Some(*conjunct)),
                Used::User(user) => {
                    add(&mut vertex.needs, Target::User(*user), *via);
                    continue;
                }
            };
            let facts = &self.recorder.facts;
            let origin = facts.tree.origin_of(node);
            let responsible = facts.responsible(origin);
            for user in facts.users(origin) {
                // A clause of a contract is responsible for itself, wherever it is used.
                let target = match Some(user) == responsible && self.recorder.demands_here(user) {
                    true => Target::Here(self.number(VertexKey::Given(user, node, conjunct))),
                    false => Target::User(user),
                };
                add(&mut vertex.needs, target, *via);
            }
        }
    }
    /// The obligations of a node on the paths through the fact: before it, at it, or after it.
    fn obligations_near(&self, user: UserId, node: NodeId) -> Vec<CheckId> {
        let recorder = self.recorder;
        let all = recorder.obligations.get(&user).into_iter().flatten().copied();
        all.filter(|check| !recorder.paths.are_disjoint(recorder.facts.tree.checks[*check].at, node)).collect()
    }
    /// Whether an obligation has only premises among the given ones.
    fn is_among(&self, check: CheckId, premises: &BTreeSet<Premise>) -> bool {
        let tree = self.recorder.facts.tree;
        let asked = &tree.checks[check];
        let uses = tree.terms.is_true(asked.goal) && tree.labelled_goals.get(check).is_none();
        premises.contains(&Premise::Check(check))
            || uses && asked.premises.iter().all(|premise| premises.contains(premise))
    }
    fn clause_of(&self, check: CheckId) -> SyntaxId {
        let tree = self.recorder.facts.tree;
        tree.origins[tree.checks[check].origin].clause
    }
    fn clause(&self, user: UserId, check: CheckId, conjunct: Option<SyntaxId>) -> Clause {
        let facts = &self.recorder.facts;
        let origin = facts.tree.origins[facts.tree.checks[check].origin];
        if let Some(conjunct) = conjunct {
            let predicate = self.recorder.leaves().predicate_of_conjunct(origin.clause);
            let same = predicate.is_some() && predicate == self.recorder.leaves().predicate_of_conjunct(conjunct);
            return if same && origin.clause != conjunct { Clause::OtherConjunct } else { Clause::Own };
        }
        let clause = facts.nodes.find(facts.program, origin.clause);
        let of_method = |clause: &UserId| {
            let node = &facts.nodes.all[*clause];
            node.construct == Construct::Precondition && matches!(node.owner, Owner::Method(_))
        };
        match clause.filter(of_method) {
            Some(pre) if origin.site.is_some() && facts.nodes.all[user].construct == Construct::Call => {
                Clause::Precondition(pre)
            }
            _ => Clause::Own,
        }
    }
    /// The postcondition stated by a fact of a call.
    fn postcondition(&self, user: UserId, node: NodeId) -> Option<UserId> {
        let facts = &self.recorder.facts;
        let origin = facts.tree.origin_of(node);
        let clause = facts.nodes.find(facts.program, origin.clause)?;
        let stated = facts.nodes.all[clause].construct == Construct::Postcondition;
        (stated && origin.site.is_some() && facts.nodes.all[user].construct == Construct::Call).then_some(clause)
    }
}
