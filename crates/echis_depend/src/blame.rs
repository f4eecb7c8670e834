//! Attributes facts to nodes of the program.

use crate::kind::Construct;
use crate::nodes::{Nodes, UserId};
use crate::owner::Owner;
use echis_base::SyntaxId;
use echis_program::program::Program;
use echis_proof::{Because, CheckId, Node, NodeId, Origin, Premise, ProofTree, Question, Role, Rule, Step};
use echis_term::{Op, TermId};
use std::collections::HashMap;

/// The nodes responsible for a fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Blame {
    /// None: the fact is true in every program, or defines a symbol of the engine.
    Free,
    /// These nodes, which are also responsible for the fact's premises.
    Shown(Vec<UserId>),
    /// The engine: the fact is replaced by its premises.
    Hidden,
}

/// The facts of one tree, with the nodes they belong to.
#[derive(Clone, Copy)]
pub struct Facts<'a> {
    pub program: &'a Program,
    pub nodes: &'a Nodes,
    pub tree: &'a ProofTree,
}

impl<'a> Facts<'a> {
    /// The fact that a node states in a replay, where dead ends are stated too.
    pub fn replayed(&self, node: NodeId) -> Option<echis_term::TermId> {
        if let Some(labelled) = self.tree.labelled_facts.get(node) {
            return Some(labelled.term);
        }
        match &self.tree.nodes[node].step {
            Step::Dead { fact, .. } => Some(*fact),
            _ => self.tree.fact(node),
        }
    }
    pub fn is_dead(&self, node: NodeId) -> bool {
        matches!(self.tree.nodes[node].step, Step::Dead { .. })
    }
    /// Whether the fact was proved as a goal first, so that it follows from earlier facts.
    pub fn is_lemma(&self, node: NodeId) -> bool {
        let step = &self.tree.nodes[self.source(node)].step;
        matches!(step, Step::Assume { because: Because::Rule(Rule::Lemma), .. })
    }
    /// The node where a fact was first learned.
    pub fn source(&self, mut node: NodeId) -> NodeId {
        while let Step::Assume { because: Because::Lifted, premises, .. } = &self.tree.nodes[node].step
            && let [Premise::Fact(original)] = premises[..]
        {
            node = original;
        }
        node
    }
    pub fn blame(&self, node: NodeId) -> Blame {
        let node = self.source(node);
        let origin = self.tree.origin_of(node);
        match &self.tree.nodes[node].step {
            Step::Root => Blame::Free,
            Step::Split { .. } => self.shown(origin),
            Step::Assume { because, premises, .. } | Step::Dead { because, premises, .. } => match because {
                Because::Written | Because::Checked | Because::Recovered => self.shown(origin),
                // An application makes a postcondition available: the node that applies it is responsible, unless it
                // only checks.
                Because::Rule(Rule::Application) if self.applier(origin).is_some() => {
                    Blame::Shown(self.applier(origin).into_iter().collect())
                }
                // A mark is always true, but the permission that makes its triggers match must be held.
                Because::Rule(Rule::Definition | Rule::Wildcard) => Blame::Free,
                Because::Rule(_) | Because::Lifted if premises.is_empty() => Blame::Free,
                Because::Rule(_) | Because::Lifted => Blame::Hidden,
            },
        }
    }
    /// The node that applies a function, if it can be an assumption.
    fn applier(&self, origin: Origin) -> Option<UserId> {
        self.responsible(origin).filter(|user| self.nodes.all[*user].assumption.is_some())
    }
    /// Whether a fact says that the given node applies a function.
    pub fn is_application_by(&self, node: NodeId, user: UserId) -> bool {
        let node = self.source(node);
        let applies =
            matches!(self.tree.nodes[node].step, Step::Assume { because: Because::Rule(Rule::Application), .. });
        applies && self.applier(self.tree.origin_of(node)) == Some(user)
    }
    fn shown(&self, origin: Origin) -> Blame {
        let users = self.users(origin);
        if users.is_empty() { Blame::Free } else { Blame::Shown(users) }
    }
    /// The nodes of an origin: where the clause is used, and the clause.
    pub fn users(&self, origin: Origin) -> Vec<UserId> {
        let mut users = Vec::new();
        for id in origin.site.into_iter().chain([origin.clause]) {
            if let Some(user) = self.nodes.find(self.program, id)
                && !users.contains(&user)
            {
                users.push(user);
            }
        }
        users
    }
    /// The node responsible for a check or a read: where the clause is used, or else the clause.
    pub fn responsible(&self, origin: Origin) -> Option<UserId> {
        origin
            .site
            .and_then(|site| self.nodes.find(self.program, site))
            .or_else(|| self.nodes.find(self.program, origin.clause))
    }
    /// The node that demands an obligation.
    pub fn demander(&self, check: CheckId) -> Option<UserId> {
        let Role::Obligation(property) = &self.tree.checks[check].role else { return None };
        let origin = self.tree.origins[self.tree.checks[check].origin];
        if self.is_promise_to_caller(origin) {
            return None;
        }
        self.responsible(origin).or_else(|| self.nodes.find(self.program, property.at))
    }
    /// Whether an origin is a callee's postcondition assumed at a call. That it is well-formed is proved once, where
    /// it is written, from the rest of the contract. A proof that uses the postcondition rests on that; the call
    /// itself does not.
    fn is_promise_to_caller(&self, origin: Origin) -> bool {
        let is = |id: SyntaxId, construct: Construct| {
            self.nodes.find(self.program, id).is_some_and(|user| self.nodes.all[user].construct == construct)
        };
        origin.site.is_some_and(|site| is(site, Construct::Call)) && is(origin.clause, Construct::Postcondition)
    }
    /// The first node at which a path was known to be dead.
    pub fn first_dead(&self, at: NodeId) -> Option<NodeId> {
        self.tree.path(at).filter(|node| self.is_dead(*node)).last()
    }
    /// The checks that excluded cases, by the node at which they were asked.
    pub fn exclusions(&self) -> HashMap<NodeId, Vec<CheckId>> {
        let mut exclusions: HashMap<NodeId, Vec<CheckId>> = HashMap::new();
        for (id, check) in self.tree.checks.iter() {
            if check.role == Role::Probe(Question::Infeasible) {
                exclusions.entry(check.at).or_default().push(id);
            }
        }
        exclusions
    }
    /// The check that excluded this case.
    pub fn excluded_by(&self, dead: NodeId, exclusions: &HashMap<NodeId, Vec<CheckId>>) -> Option<CheckId> {
        let Node { step: Step::Dead { fact, .. }, parent: Some(parent), .. } = &self.tree.nodes[dead] else {
            return None;
        };
        let terms = &self.tree.terms;
        let negates =
            |one: TermId, other: TermId| matches!(terms.as_op(one), Some((Op::Not, [part])) if *part == other);
        exclusions.get(parent)?.iter().copied().find(|check| {
            let goal = self.tree.checks[*check].goal;
            negates(goal, *fact) || negates(*fact, goal)
        })
    }
    /// The nodes of the tree's member that may demand something, whether or not a path reached them.
    pub fn own_assertions(self) -> impl Iterator<Item = UserId> + 'a {
        let owner = self.owner();
        let own = self.nodes.all.iter().filter(move |(_, node)| node.assertion.is_some() && Some(node.owner) == owner);
        own.map(|(user, _)| user)
    }
    /// The function or method that the tree belongs to.
    pub fn owner(&self) -> Option<Owner> {
        let (program, member) = (self.program, self.member()?);
        let functions = program.functions.iter().map(|(id, function)| (function.id, Owner::Function(id)));
        let methods = program.methods.iter().map(|(id, method)| (method.id, Owner::Method(id)));
        functions.chain(methods).find(|(id, _)| *id == member).map(|(_, owner)| owner)
    }
    /// The member that the tree belongs to.
    fn member(&self) -> Option<SyntaxId> {
        self.tree.nodes.values().next().map(|root| self.tree.origins[root.origin].clause)
    }
    pub fn is_proved(&self, check: CheckId) -> bool {
        self.tree.verdicts.get(check).is_some_and(|verdict| verdict.is_proved())
    }
    /// The node responsible for a fact that has premises, at the place where it is first learned.
    pub fn giver(&self, node: NodeId) -> Option<UserId> {
        let (Step::Assume { premises, .. } | Step::Dead { premises, .. }) = &self.tree.nodes[node].step else {
            return None;
        };
        let shown = !premises.is_empty() && self.source(node) == node && matches!(self.blame(node), Blame::Shown(_));
        if shown { self.responsible(self.tree.origin_of(node)) } else { None }
    }
    /// The premises of a fact that its responsible node must establish. Those for the well-formedness of a callee's
    /// postcondition are excluded.
    pub fn demanded_premises(&self, node: NodeId) -> impl Iterator<Item = Premise> {
        let origin = self.tree.origin_of(self.source(node));
        let promised = self.is_promise_to_caller(origin);
        let of_promise = move |premise: &Premise| {
            let of = match premise {
                Premise::Fact(fact) => self.tree.origin_of(self.source(*fact)),
                Premise::Check(check) => self.tree.origins[self.tree.checks[*check].origin],
            };
            promised && of.site == origin.site && self.is_promise_to_caller(of)
        };
        self.premises(node).iter().copied().filter(move |premise| !of_promise(premise))
    }
    pub fn premises(&self, node: NodeId) -> &'a [Premise] {
        match &self.tree.nodes[self.source(node)].step {
            Step::Assume { premises, .. } | Step::Dead { premises, .. } => premises,
            _ => &[],
        }
    }
}
