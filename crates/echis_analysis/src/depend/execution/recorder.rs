//! The facts that each demand of a member comes down to, noted while its cores are at hand.

use crate::depend::blame::{Blame, Facts};
use crate::depend::execution::Parts;
use crate::depend::execution::paths::Paths;
use crate::depend::execution::spots::Spots;
use crate::depend::member::Via;
use crate::depend::nodes::{UserId, conjuncts};
use crate::depend::question::Key;
use crate::depend::solve::Solving;
use echis_base::{Key as _, SyntaxId};
use echis_program::program::{PredicateId, Program, StmtKind};
use echis_proof::{Because, CheckId, NodeId, Part, Premise, Question, Role, Rule, Step};
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
    conditions: HashSet<SyntaxId>,
    folds: HashMap<SyntaxId, PredicateId>,
    /// The conjuncts of predicates' bodies.
    conjuncts: HashMap<SyntaxId, PredicateId>,
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
        let paths = Paths::new(facts, &syntax.conditions);
        let (found, known) = (HashMap::new(), HashMap::new());
        Recorder { facts, paths, syntax, obligations, given, found, known, groups: Groups::new(facts) }
    }
    /// Cores have changed.
    pub fn forget(&mut self) {
        self.known.clear();
    }
    /// Notes what a node's demands come down to by the cores of now.
    pub fn record(&mut self, solving: &Solving, user: UserId) {
        for check in self.obligations.get(&user).cloned().unwrap_or_default() {
            self.note(solving, user, Premise::Check(check), None);
        }
        for node in self.given.get(&user).cloned().unwrap_or_default() {
            for premise in self.facts.premises(node) {
                self.note(solving, user, *premise, None);
            }
            if let Some((conjunct, opened)) = self.opened(node) {
                for premise in opened {
                    self.note(solving, user, premise, Some(conjunct));
                }
            }
        }
    }
    fn note(&mut self, solving: &Solving, user: UserId, premise: Premise, conjunct: Option<SyntaxId>) {
        let uses = self.uses(solving, premise, conjunct);
        self.found.insert((user, premise, conjunct), uses);
    }
    pub fn found(&self, user: UserId, premise: Premise, conjunct: Option<SyntaxId>) -> Option<&Uses> {
        self.found.get(&(user, premise, conjunct)).map(|uses| &**uses)
    }
    pub fn finish(self, closed: BTreeMap<UserId, Via>) -> Parts {
        Spots::new(&self).parts(closed)
    }
    /// Whether a node demands anything in this member.
    pub fn demands_here(&self, user: UserId) -> bool {
        self.obligations.contains_key(&user) || self.given.contains_key(&user)
    }
    pub fn predicate_of_conjunct(&self, clause: SyntaxId) -> Option<PredicateId> {
        self.syntax.conjuncts.get(&clause).copied()
    }
    /// Of a fact that an `unfold` gives: the conjunct, and what the predicate instance rests on.
    pub fn opened(&self, node: NodeId) -> Option<(SyntaxId, BTreeSet<Premise>)> {
        let tree = self.facts.tree;
        let conjunct_at = |node: NodeId| {
            let origin = tree.origin_of(node);
            let checked = matches!(tree.nodes[node].step, Step::Assume { because: Because::Checked, .. });
            checked.then_some(())?;
            Some((origin.site?, self.predicate_of_conjunct(origin.clause)?))
        };
        let here = conjunct_at(node)?;
        // What all facts of the same `unfold` rest on. Each may rest on what was read for it besides.
        let mut common: BTreeSet<Premise> = self.facts.premises(node).iter().copied().collect();
        for other in tree.path(node).filter(|other| conjunct_at(*other) == Some(here)) {
            common.retain(|premise| self.facts.premises(other).contains(premise));
        }
        Some((tree.origin_of(node).clause, common))
    }
    /// Whether a grant is that of a fold of the predicate whose body has the conjunct.
    fn is_fold_of(&self, node: NodeId, conjunct: SyntaxId) -> bool {
        let origin = self.facts.tree.origin_of(node);
        let checked = matches!(self.facts.tree.nodes[node].step, Step::Assume { because: Because::Checked, .. });
        let folded = self.syntax.folds.get(&origin.clause);
        checked && origin.part == Part::Permission && folded.is_some() && folded == self.syntax.conjuncts.get(&conjunct)
    }
    /// The facts that a premise comes down to.
    fn uses(&mut self, solving: &Solving, premise: Premise, conjunct: Option<SyntaxId>) -> Rc<Uses> {
        if let Some(known) = self.known.get(&(premise, conjunct)) {
            return known.clone();
        }
        let uses = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match premise {
            Premise::Fact(node) => self.uses_of_fact(solving, self.facts.source(node), conjunct),
            Premise::Check(check) => self.uses_of_check(solving, check, conjunct),
        });
        let uses = Rc::new(uses);
        self.known.insert((premise, conjunct), uses.clone());
        uses
    }
    fn uses_of_fact(&mut self, solving: &Solving, node: NodeId, conjunct: Option<SyntaxId>) -> Uses {
        match self.facts.blame(node) {
            Blame::Free => Uses::new(),
            Blame::Shown(_) => {
                let part = conjunct.filter(|conjunct| self.is_fold_of(node, *conjunct));
                let used = part.map_or(Used::Fact(node), |conjunct| Used::Conjunct(node, conjunct));
                Uses::from([(used, Via::Proof)])
            }
            Blame::Hidden => {
                // Instances that were put together are still instances of the predicate.
                let merged = matches!(
                    self.facts.tree.nodes[node].step,
                    Step::Assume { because: Because::Rule(Rule::Merge), .. }
                );
                self.uses_of_all(solving, self.facts.premises(node), conjunct.filter(|_| merged))
            }
        }
    }
    fn uses_of_check(&mut self, solving: &Solving, check: CheckId, conjunct: Option<SyntaxId>) -> Uses {
        let facts = self.facts;
        let found = solving.core(check);
        let mut uses = Uses::new();
        let apart = facts.tree.checks[check].role == Role::Probe(Question::Apart);
        for key in found.keys.iter().filter(|key| !apart || facts.is_believed(key)) {
            let of_key = match key {
                Key::Users(users) => self.groups.stated_by(facts.tree.checks[check].at, users),
                Key::Fact(node) => self.uses_of_all(solving, &facts.unlabelled_premises(*node), None),
                Key::Grant(node) => (*self.uses(solving, Premise::Fact(*node), conjunct)).clone(),
            };
            for (used, via) in of_key {
                add(&mut uses, used, via.max(found.via));
            }
        }
        for (used, via) in self.uses_of_all(solving, &facts.unlabelled_premises_of_check(check), None) {
            add(&mut uses, used, via);
        }
        uses
    }
    fn uses_of_all(&mut self, solving: &Solving, premises: &[Premise], conjunct: Option<SyntaxId>) -> Uses {
        let mut uses = Uses::new();
        for premise in premises {
            for (used, via) in self.uses(solving, *premise, conjunct).iter() {
                add(&mut uses, *used, *via);
            }
        }
        uses
    }
}

/// The facts that nodes answer for together, as chains up the tree.
struct Groups {
    /// The last such fact on the way to a node.
    before: Vec<Option<NodeId>>,
    /// The group and the source of a node that states something.
    stated: Vec<Option<(usize, NodeId)>>,
    numbers: HashMap<Vec<UserId>, usize>,
}

impl Groups {
    fn new(facts: Facts) -> Self {
        let mut groups = Groups { before: Vec::new(), stated: Vec::new(), numbers: HashMap::new() };
        for (id, node) in facts.tree.nodes.iter() {
            let says = facts.replayed(id).is_some_and(|term| !facts.tree.terms.is_true(term));
            let stated = match facts.blame(id) {
                Blame::Shown(users) if says => {
                    let next = groups.numbers.len();
                    Some((*groups.numbers.entry(users).or_insert(next), facts.source(id)))
                }
                _ => None,
            };
            let before = node.parent.and_then(|parent| match groups.stated[parent.index()] {
                Some(_) => Some(parent),
                None => groups.before[parent.index()],
            });
            groups.before.push(before);
            groups.stated.push(stated);
        }
        groups
    }
    /// The facts of a path that some nodes answer for together.
    fn stated_by(&self, at: NodeId, users: &[UserId]) -> Uses {
        let mut uses = Uses::new();
        if let Some(group) = self.numbers.get(users) {
            for node in std::iter::successors(Some(at), |node| self.before[node.index()]) {
                if let Some((_, source)) = self.stated[node.index()].filter(|(found, _)| found == group) {
                    uses.insert(Used::Fact(source), Via::Proof);
                }
            }
        }
        if uses.is_empty() {
            uses.extend(users.iter().map(|user| (Used::User(*user), Via::Proof)));
        }
        uses
    }
}

/// What some proof needs is needed, whatever else needs it.
pub fn add<T: Ord>(uses: &mut BTreeMap<T, Via>, used: T, via: Via) {
    uses.entry(used).and_modify(|known| *known = (*known).min(via)).or_insert(via);
}

impl Syntax {
    fn new(program: &Program) -> Self {
        let mut syntax = Syntax { conditions: HashSet::new(), folds: HashMap::new(), conjuncts: HashMap::new() };
        for body in program.methods.values().filter_map(|method| method.body.as_ref()) {
            body.visit_stmts(&mut |stmt| match &stmt.kind {
                StmtKind::If { condition, .. } => drop(syntax.conditions.insert(program.expr(*condition).id)),
                StmtKind::Fold(access) => drop(syntax.folds.insert(stmt.id, access.predicate)),
                _ => {}
            });
        }
        for (id, predicate) in program.predicates.iter() {
            for (conjunct, _) in predicate.body.into_iter().flat_map(|body| conjuncts(program, body)) {
                syntax.conjuncts.insert(program.expr(conjunct).id, id);
            }
        }
        syntax
    }
}
