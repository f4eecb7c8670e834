//! The facts that each demand of a member comes down to, noted while its cores are at hand.

use crate::depend::blame::{Blame, Facts};
use crate::depend::cores::CoreOracle;
use crate::depend::execution::groups::Groups;
use crate::depend::execution::paths::Paths;
use crate::depend::needs::add;
use crate::depend::nodes::UserId;
use crate::depend::rank::GroupKey;
use crate::depend::via::Via;
use echis_base::SyntaxId;
use echis_program::program::{BinaryOp, ExprKind, PredicateId, Program, StmtKind};
use echis_proof::{Because, CheckId, NodeId, Part, Premise, Question, Role, Rule, Step};
use echis_term::TermId;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// A fact that somebody answers for, as something that a proof used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Used {
    Fact(NodeId),
    /// Of what a fold gives, only this conjunct of the predicate's body.
    Conjunct(NodeId, SyntaxId),
    /// Whatever the node demands.
    User(UserId),
}

pub type Uses = BTreeMap<Used, Via>;

/// Where the pieces of syntax are that need care.
struct Syntax {
    folds: HashMap<SyntaxId, PredicateId>,
    /// The conjuncts of predicates' bodies.
    conjuncts: HashMap<SyntaxId, PredicateId>,
    /// Conditions in them, with the conjunct that each stands in.
    guards: HashMap<SyntaxId, SyntaxId>,
}

pub struct Recorder<'a> {
    pub facts: Facts<'a>,
    pub paths: Paths<'a>,
    syntax: Syntax,
    /// By node of the program, what it demands in so many words.
    pub obligations: BTreeMap<UserId, Vec<CheckId>>,
    /// By node of the program, the facts that it gives and that rest on something.
    pub given: BTreeMap<UserId, Vec<NodeId>>,
    /// What was found, as it was when the node had its turn: later cores may be others.
    found: HashMap<(UserId, Premise, Option<SyntaxId>), Rc<Uses>>,
    known: HashMap<(Premise, Option<SyntaxId>), Rc<Uses>>,
    groups: Groups,
    /// By check, the facts of its core, each on its own.
    singled_out: HashMap<CheckId, Option<HashSet<TermId>>>,
}

impl<'a> Recorder<'a> {
    pub fn new(facts: Facts<'a>) -> Self {
        let syntax = Syntax::new(facts.program);
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
        let paths = Paths::new(facts);
        let (found, known) = (HashMap::new(), HashMap::new());
        Recorder {
            facts,
            paths,
            syntax,
            obligations,
            given,
            found,
            known,
            groups: Groups::new(facts),
            singled_out: HashMap::new(),
        }
    }
    /// Cores have changed.
    pub fn forget(&mut self) {
        self.known.clear();
        self.singled_out.clear();
    }
    /// Notes what a node's demands come down to by the cores of now.
    pub fn record(&mut self, oracle: &mut CoreOracle<'_>, user: UserId) {
        for check in self.obligations.get(&user).cloned().unwrap_or_default() {
            self.note(oracle, user, Premise::Check(check), None);
        }
        for node in self.given.get(&user).cloned().unwrap_or_default() {
            let facts = self.facts;
            for premise in facts.demanded_premises(node) {
                self.note(oracle, user, premise, None);
            }
            if let Some((conjunct, unfolded)) = self.unfolded(node) {
                for premise in unfolded {
                    self.note(oracle, user, premise, Some(conjunct));
                }
            }
        }
    }
    fn note(&mut self, oracle: &mut CoreOracle<'_>, user: UserId, premise: Premise, conjunct: Option<SyntaxId>) {
        let uses = self.uses(oracle, premise, conjunct);
        self.found.insert((user, premise, conjunct), uses);
    }
    pub fn found(&self, user: UserId, premise: Premise, conjunct: Option<SyntaxId>) -> Option<&Uses> {
        self.found.get(&(user, premise, conjunct)).map(|uses| &**uses)
    }
    /// Whether a node demands anything in this member.
    pub fn demands_here(&self, user: UserId) -> bool {
        self.obligations.contains_key(&user) || self.given.contains_key(&user)
    }
    pub fn predicate_of_conjunct(&self, clause: SyntaxId) -> Option<PredicateId> {
        self.syntax.conjuncts.get(&clause).copied()
    }
    /// Of a fact that an `unfold` gives, or a case that it distinguishes: the conjunct, and what the predicate instance
    /// rests on.
    pub fn unfolded(&self, node: NodeId) -> Option<(SyntaxId, BTreeSet<Premise>)> {
        let tree = self.facts.tree;
        let (conjunct, predicate, site) = self.unfolded_at(node)?;
        // What all facts of the same `unfold` rest on. Each may rest on what was read for it besides.
        let mut common: Option<BTreeSet<Premise>> = None;
        for other in tree.path(node) {
            let given = matches!(tree.nodes[other].step, Step::Assume { .. });
            let here = self.unfolded_at(other).is_some_and(|(_, of, at)| (of, at) == (predicate, site));
            if given && here {
                let premises = self.facts.premises(other);
                match &mut common {
                    Some(common) => common.retain(|premise| premises.contains(premise)),
                    None => common = Some(premises.iter().copied().collect()),
                }
            }
        }
        Some((conjunct, common.unwrap_or_default()))
    }
    fn unfolded_at(&self, node: NodeId) -> Option<(SyntaxId, PredicateId, SyntaxId)> {
        let origin = self.facts.tree.origin_of(node);
        let site = origin.site?;
        let conjunct = match self.facts.tree.nodes[node].step {
            Step::Assume { because: Because::Checked, .. } => origin.clause,
            Step::Split { .. } => *self.syntax.guards.get(&origin.clause)?,
            _ => return None,
        };
        Some((conjunct, self.predicate_of_conjunct(conjunct)?, site))
    }
    /// Whether a grant is that of a fold of the predicate whose body has the conjunct.
    fn is_fold_of(&self, node: NodeId, conjunct: SyntaxId) -> bool {
        let origin = self.facts.tree.origin_of(node);
        let checked = matches!(self.facts.tree.nodes[node].step, Step::Assume { because: Because::Checked, .. });
        let folded = self.syntax.folds.get(&origin.clause);
        checked && origin.part == Part::Permission && folded.is_some() && folded == self.syntax.conjuncts.get(&conjunct)
    }
    /// The facts that a premise comes down to.
    fn uses(&mut self, oracle: &mut CoreOracle<'_>, premise: Premise, conjunct: Option<SyntaxId>) -> Rc<Uses> {
        if let Some(known) = self.known.get(&(premise, conjunct)) {
            return known.clone();
        }
        let uses = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match premise {
            Premise::Fact(node) => self.uses_of_fact(oracle, self.facts.source(node), conjunct),
            Premise::Check(check) => self.uses_of_check(oracle, check, conjunct),
        });
        let uses = Rc::new(uses);
        self.known.insert((premise, conjunct), uses.clone());
        uses
    }
    fn uses_of_fact(&mut self, oracle: &mut CoreOracle<'_>, node: NodeId, conjunct: Option<SyntaxId>) -> Uses {
        match self.facts.blame(node) {
            Blame::Free => Uses::new(),
            Blame::Shown(_) => {
                let part = conjunct.filter(|conjunct| self.is_fold_of(node, *conjunct));
                let used = part.map_or(Used::Fact(node), |conjunct| Used::Conjunct(node, conjunct));
                let by = self.facts.responsible(self.facts.tree.origin_of(self.facts.source(node)));
                Uses::from([(used, by.map_or(Via::Value, |user| self.facts.via_of_fact(node, user)))])
            }
            Blame::Hidden => self.uses_of_all(oracle, node, self.facts.premises(node), conjunct),
        }
    }
    fn uses_of_check(&mut self, oracle: &mut CoreOracle<'_>, check: CheckId, conjunct: Option<SyntaxId>) -> Uses {
        let facts = self.facts;
        let found = oracle.core(check);
        let mut uses = Uses::new();
        let demand = facts.via_of_check(check);
        let apart = facts.tree.checks[check].role == Role::Probe(Question::Apart);
        for key in found.keys.iter().filter(|key| !apart || facts.is_believed(key)) {
            let of_key = match key {
                GroupKey::Users(users) => self.uses_of_users(oracle, check, users),
                GroupKey::Fact(node) => self.uses_of_all(oracle, *node, &facts.unlabelled_premises(*node), conjunct),
                GroupKey::Grant(node) => {
                    let uses = self.uses(oracle, Premise::Fact(*node), conjunct);
                    uses.iter().map(|(used, via)| (*used, via.within(Via::Permission))).collect()
                }
            };
            for (used, via) in of_key {
                add(&mut uses, used, via.within(demand).max(found.via));
            }
        }
        for premise in facts.unlabelled_premises_of_check(check) {
            for (used, via) in self.uses(oracle, premise, None).iter() {
                add(&mut uses, *used, via.within(demand));
            }
        }
        uses
    }
    /// What a fact of the engine's own rests on.
    fn uses_of_all(
        &mut self,
        oracle: &mut CoreOracle<'_>,
        node: NodeId,
        premises: &[Premise],
        conjunct: Option<SyntaxId>,
    ) -> Uses {
        let node = self.facts.source(node);
        // Instances that were put together are still instances of the predicate.
        let step = &self.facts.tree.nodes[node].step;
        let merged = matches!(step, Step::Assume { because: Because::Rule(Rule::Merge), .. });
        let mut uses = Uses::new();
        for premise in premises {
            for (used, via) in self.uses(oracle, *premise, conjunct.filter(|_| merged)).iter() {
                add(&mut uses, *used, *via);
            }
        }
        uses
    }
    /// The facts of a group that a check used. Where an `unfold` gave several, the solver says which.
    fn uses_of_users(&mut self, oracle: &mut CoreOracle<'_>, check: CheckId, users: &[UserId]) -> Uses {
        let stated = self.groups.stated_by(self.facts.tree.checks[check].at, users);
        if stated.is_empty() {
            return users.iter().map(|user| (Used::User(*user), Via::of(self.facts.nodes, *user))).collect();
        }
        // Facts of one group are of one kind.
        let via = users.iter().map(|user| Via::of(self.facts.nodes, *user)).max().unwrap_or(Via::Value);
        let unfolded = stated.iter().any(|(_, source)| self.unfolded_at(*source).is_some());
        if !unfolded || stated.len() < 2 {
            return stated.iter().map(|(_, source)| (Used::Fact(*source), via)).collect();
        }
        let facts = self.facts;
        let needed = self.singled_out.entry(check).or_insert_with(|| oracle.single_out(facts, check));
        let is_needed = |node: &NodeId| match (&*needed, self.facts.replayed(*node)) {
            (Some(needed), Some(term)) => needed.contains(&term),
            _ => true,
        };
        let kept = stated.iter().filter(|(node, _)| is_needed(node));
        kept.map(|(_, source)| (Used::Fact(*source), via)).collect()
    }
}

impl Syntax {
    fn new(program: &Program) -> Self {
        let mut syntax = Syntax { folds: HashMap::new(), conjuncts: HashMap::new(), guards: HashMap::new() };
        for body in program.methods.values().filter_map(|method| method.body.as_ref()) {
            body.visit_stmts(&mut |stmt| {
                if let StmtKind::Fold(access) = &stmt.kind {
                    syntax.folds.insert(stmt.id, access.predicate);
                }
            });
        }
        for (id, predicate) in program.predicates.iter() {
            for (conjunct, _) in predicate.body.into_iter().flat_map(|body| program.conjuncts(body)) {
                let conjunct_id = program.expr(conjunct).id;
                syntax.conjuncts.insert(conjunct_id, id);
                let mut pending = vec![conjunct];
                while let Some(expr) = pending.pop() {
                    if let ExprKind::Binary(BinaryOp::Implies, condition, _) | ExprKind::Conditional(condition, ..) =
                        program.kind(expr)
                    {
                        syntax.guards.insert(program.expr(*condition).id, conjunct_id);
                    }
                    pending.extend(program.kind(expr).children());
                }
            }
        }
        syntax
    }
}
