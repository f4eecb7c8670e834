//! The executor of one member: what all rules share. Facts are assumed and goals are proved only through here.

use crate::purity::Facts;
use crate::reach::{Member, Reach, reach};
use crate::recover::{Lack, Obliged};
use crate::state::{Cx, Heap, Resource, State, Step, Stop, Store};
use crate::symbols::Symbols;
use crate::{Failure, Guard, Library, Options, Outcome, axioms, function, method, predicate};
use echis_base::{Diagnostic, SyntaxId};
use echis_program::program::{ExprId, LocalId, Program};
use echis_proof::{
    Because, Bound, Check, CheckId, ErrorKind, NodeId, Origin, Part, Premise, ProofTree, Property, Prover, Question,
    Reason, Role, Rule, Step as TreeStep, Verdict,
};
use echis_term::{SortId, SymbolId, TermId, Terms};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

pub(crate) struct Executor<'a> {
    pub program: &'a Program,
    pub member: Member,
    pub library: &'a Library,
    pub options: &'a Options,
    pub prover: &'a mut dyn Prover,
    pub tree: ProofTree,
    pub facts: std::sync::Arc<Facts>,
    pub reach: Reach,
    pub symbols: Symbols,
    pub failures: &'a mut Vec<Failure>,
    /// The errors that count against the limit of the part that is being verified.
    pub counted: usize,
    /// The latest failure, until somebody has looked whether its path goes on.
    pub latest: Option<Property>,
    /// Failed checks that were not assumed afterwards, because they cannot hold.
    pub unmet: std::collections::BTreeSet<CheckId>,
    pub warnings: Vec<Diagnostic>,
    /// What the expression being evaluated rests on so far. Rules take a [`mark`](Self::mark) and attach what came
    /// since to the fact or check they make.
    premises: Vec<Premise>,
    /// Names that stand for a term, with the fact that says so: constants, and fresh functions of the bound variables in
    /// scope. Each is defined once, on every path it occurs on.
    definitions: HashMap<TermId, (TermId, NodeId)>,
    /// Above 0 while an expression is evaluated again because its first value could not be proved: facts about pairs of
    /// chunks are then stated inside `unfolding` too.
    pub thorough: u32,
    /// `refute` expressions that some path reached without proving them.
    pub refuted: std::collections::BTreeSet<SyntaxId>,
    /// Above 0 while triggers are evaluated: nothing is reported.
    pub silent: u32,
    /// Quantifiers as goals: what was learned of their bodies for the bound variables, where no trigger would find it,
    /// is a premise in them.
    pub premised: HashMap<TermId, TermId>,
    /// By the grants of chunks around a package: who took something of them in its proof script.
    pub takers: HashMap<NodeId, Vec<NodeId>>,
    /// Whether the tree is made to be explained and something in the program looks at permission.
    pub introspects: bool,
    /// Above 0 while the precondition of a function is read: any amount suffices.
    pub reading: u32,
    /// Above 0 while something is tried that may fail without being an error: the first failure ends the attempt.
    pub tentative: u32,
    /// The instance of the domain whose axiom is being evaluated.
    pub type_args: Vec<echis_program::program::Type>,
    pub bound: BTreeMap<LocalId, SymbolId>,
    pub wands: crate::wand::Wands,
    pub quantified: crate::quantified::Maps,
    pub termination: crate::termination::Termination,
    /// Predicates unfolded around the function body that is being evaluated: snapshot and arguments, for triggers.
    pub unfolded: Vec<(echis_program::program::PredicateId, Vec<TermId>)>,
    pub payments: crate::pay::Payments,
    pub dead: crate::dead::Dead,
    pub explain: crate::explain::Explain,
    pub trace: crate::view::Trace,
}

pub(crate) fn verify(
    program: &Program,
    member: Member,
    library: &Library,
    prover: &mut dyn Prover,
    options: &Options,
    found: &mut Vec<Failure>,
) -> Outcome {
    let id = match member {
        Member::Function(function) => program.functions[function].id,
        Member::Predicate(predicate) => program.predicates[predicate].id,
        Member::Method(method) => program.methods[method].id,
    };
    let origin = Origin { clause: id, site: None, part: Part::Definition };
    let mut executor = Executor {
        program,
        member,
        library,
        options,
        prover,
        tree: ProofTree::new(Terms::new(), origin),
        facts: library.facts.clone(),
        reach: reach(program, member),
        symbols: Symbols::default(),
        failures: found,
        counted: 0,
        latest: None,
        unmet: Default::default(),
        warnings: Vec::new(),
        premises: Vec::new(),
        definitions: HashMap::new(),
        thorough: 0,
        refuted: Default::default(),
        silent: 0,
        premised: HashMap::new(),
        takers: HashMap::new(),
        introspects: options.explain && program.introspects(),
        reading: 0,
        tentative: 0,
        type_args: Vec::new(),
        bound: BTreeMap::new(),
        wands: Default::default(),
        quantified: Default::default(),
        termination: Default::default(),
        unfolded: Vec::new(),
        payments: Default::default(),
        dead: Default::default(),
        explain: Default::default(),
        trace: Default::default(),
    };
    let root = axioms::background(&mut executor);
    let exported = match member {
        Member::Function(function) => Some(function::verify(&mut executor, function, root)),
        Member::Predicate(id) => {
            predicate::verify(&mut executor, id, root);
            None
        }
        Member::Method(id) => {
            method::verify(&mut executor, id, root);
            None
        }
    };
    let Executor { tree, failures, warnings, .. } = executor;
    debug_assert_eq!(tree.validate(), Ok(()));
    let checks = tree.checks.len();
    Outcome { member, tree, failures: std::mem::take(failures), warnings, checks, exported }
}

/// Terms and symbols.
impl Executor<'_> {
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.tree.terms
    }
    pub fn is_pure(&self, expr: ExprId) -> bool {
        self.program.is_pure(expr)
    }
    pub fn syntax(&self, expr: ExprId) -> SyntaxId {
        self.program.exprs[expr].id
    }
    /// A symbol that nothing is known about; a function of the bound variables in scope.
    pub fn fresh(&mut self, st: &State, base: &str, sort: SortId) -> TermId {
        self.tree.terms.fresh(&st.scope, base, &[], sort)
    }
    /// A fresh symbol that equals `term`; the fact has the given origin.
    pub fn define(
        &mut self,
        st: &mut State,
        base: &str,
        term: TermId,
        because: Because,
        premises: &[Premise],
        origin: Origin,
    ) -> TermId {
        let sort = self.tree.terms.sort_of(term);
        let symbol = self.fresh(st, base, sort);
        let equation = self.tree.terms.eq(symbol, term);
        st.at = self.tree.assume(st.at, equation, because, premises, origin);
        self.definitions.insert(symbol, (term, st.at));
        symbol
    }
    /// Looks through definitions of constants; what was looked through becomes a premise.
    pub fn resolve(&mut self, mut term: TermId) -> TermId {
        while let Some(&(definition, node)) = self.definitions.get(&term) {
            self.premises.push(Premise::Fact(node));
            term = definition;
        }
        term
    }
    pub fn definition_of(&self, term: TermId) -> Option<TermId> {
        self.definitions.get(&term).map(|(definition, _)| *definition)
    }
    /// Like [`resolve`](Self::resolve) where the answer only guides a search.
    pub fn peek(&self, mut term: TermId) -> TermId {
        while let Some(&(definition, _)) = self.definitions.get(&term) {
            term = definition;
        }
        term
    }
    /// The variable that stands for a bound local. The same quantifier gets the same variable each time it is
    /// evaluated, so equal quantifiers are equal terms; inside itself it gets another one.
    pub fn bound_symbol(&mut self, st: &State, local: LocalId) -> SymbolId {
        let sort = self.sort_of_type(&self.program.locals[local].ty.clone());
        let name = self.program.locals[local].name.clone();
        let known = *self.bound.entry(local).or_insert_with(|| self.tree.terms.fresh_variable(&name, sort));
        if st.scope.contains(known) {
            return self.tree.terms.fresh_variable(&name, sort);
        }
        known
    }
    pub fn is_quantified(&self, resource: Resource) -> bool {
        match resource {
            Resource::Field(field) => self.reach.quantified.contains(&crate::reach::Resource::Field(field)),
            Resource::Predicate(predicate) => {
                self.reach.quantified.contains(&crate::reach::Resource::Predicate(predicate))
            }
            Resource::Wand(shape) => self.wands.is_quantified(shape),
        }
    }
    /// Inside functions amounts only tell whether a location may be read.
    pub fn amounts_matter(&self) -> bool {
        !matches!(self.member, Member::Function(_))
    }
}

/// Premises.
impl Executor<'_> {
    pub fn mark(&self) -> usize {
        self.premises.len()
    }
    pub fn rest_on(&mut self, premise: Premise) {
        self.premises.push(premise);
    }
    /// What was rested on since the mark. It stays visible to enclosing marks.
    pub fn since(&self, mark: usize) -> Vec<Premise> {
        let mut premises = self.premises[mark.min(self.premises.len())..].to_vec();
        premises.sort();
        premises.dedup();
        premises
    }
    /// Forgets what came since the mark: it is attached where it belongs.
    pub fn release(&mut self, mark: usize) {
        self.premises.truncate(mark);
    }
}

/// Facts.
impl Executor<'_> {
    /// Adds a fact to the path, conjunct by conjunct. A false fact ends the path.
    pub fn assume(
        &mut self,
        st: &mut State,
        fact: TermId,
        because: Because,
        premises: &[Premise],
        origin: Origin,
    ) -> Step<()> {
        if let Some((echis_term::Op::And, parts)) = self.tree.terms.as_op(fact) {
            let parts = parts.to_vec();
            for part in parts {
                self.assume(st, part, because.clone(), premises, origin)?;
            }
            return Ok(());
        }
        if self.tree.terms.is_true(fact) {
            return Ok(());
        }
        if self.tree.terms.is_false(fact) && self.follows_dead(st) && because != Because::Recovered {
            return self.go_on_dead(st, fact, because, premises, origin);
        }
        st.at = self.tree.assume(st.at, fact, because, premises, origin);
        if self.tree.terms.is_false(fact) { Err(Stop::Infeasible) } else { Ok(()) }
    }
    /// A fact of the engine's own bookkeeping.
    pub fn assume_rule(&mut self, st: &mut State, fact: TermId, rule: Rule, cx: &Cx) -> Step<()> {
        self.assume(st, fact, Because::Rule(rule), &[], cx.origin(Part::Value))
    }
}

/// Checks.
impl Executor<'_> {
    pub fn ask(&mut self, st: &State, goal: TermId, bound: Bound) -> Verdict {
        self.ask_at(st, st.at, goal, bound)
    }
    /// The same somewhere on the state's path.
    pub fn ask_at(&mut self, st: &State, at: NodeId, goal: TermId, bound: Bound) -> Verdict {
        if self.tree.terms.is_true(goal) {
            return Verdict::Proved;
        }
        // Nothing on a path that nobody takes is worth much.
        let bound = if st.dead { Bound::Brief } else { bound };
        let verdict = self.prover.check(&self.tree, at, goal, bound);
        self.dead.note_question(st, self.prover.last_effort());
        verdict
    }
    pub fn record(&mut self, check: Check, verdict: Verdict) -> CheckId {
        let id = self.tree.add_check(check);
        self.tree.verdicts.set(id, verdict);
        id
    }
    /// A question of the engine's own. If the answer is yes, what follows rests on it.
    pub fn probe(&mut self, st: &State, goal: TermId, question: Question, bound: Bound, cx: &Cx) -> bool {
        if self.tree.terms.is_true(goal) {
            return true;
        }
        if self.tree.terms.is_false(goal) && question != Question::Infeasible {
            return false;
        }
        let verdict = self.ask(st, goal, bound);
        let proved = verdict.is_proved();
        if proved {
            let origin = self.tree.origin(cx.origin(Part::Value));
            let check = Check { at: st.at, goal, role: Role::Probe(question), origin, premises: Box::from([]) };
            let id = self.record(check, verdict);
            if question == Question::Depleted {
                // That a chunk goes when it is empty is no reason for anything but what is seen of the heap later.
                self.explain.depleted.push((None, id));
            } else {
                self.rest_on(Premise::Check(id));
            }
        }
        proved
    }
    /// An obligation. If it cannot be proved it is an error, and the path goes on under the assumption that it holds;
    /// without it where it cannot hold, and then the check is [`unmet`](Self::unmet).
    pub fn prove(&mut self, st: &mut State, goal: TermId, property: Property, cx: &Cx) -> Step<CheckId> {
        let (id, proved) = self.check_obligation(st, goal, property, cx)?;
        if !proved {
            self.assume_failed(st, goal, id, cx);
        }
        Ok(id)
    }
    /// An obligation whose failure the caller recovers from. Whether it holds; if not, the error is reported.
    pub fn oblige(&mut self, st: &mut State, goal: TermId, property: Property, cx: &Cx) -> Step<Obliged> {
        let (id, proved) = self.check_obligation(st, goal, property, cx)?;
        if proved {
            self.rest_on(Premise::Check(id));
            return Ok(Obliged::Holds);
        }
        Ok(Obliged::Failed(Lack { check: id }))
    }
    /// Before an obligation fails, pairwise facts about the heap are stated and it is tried once more.
    fn check_obligation(&mut self, st: &mut State, goal: TermId, property: Property, cx: &Cx) -> Step<(CheckId, bool)> {
        if self.silent > 0 && property.reason != Reason::InsufficientPermission {
            // A trigger is a term, not a value: only what it reads from the heap must be there.
            let origin = self.tree.origin(cx.origin(Part::Value));
            let (goal, role) = (self.terms().truth(), Role::Probe(Question::Other));
            let check = Check { at: st.at, goal, role, origin, premises: Box::from([]) };
            return Ok((self.record(check, Verdict::Proved), true));
        }
        if st.dead && self.silent == 0 {
            return self.check_dead(st, goal, property, cx);
        }
        // Triggers are tried, not proved.
        let bound = if self.silent > 0 { Bound::Patient } else { Bound::Full };
        let mut verdict = self.ask(st, goal, bound);
        if !verdict.is_proved() && self.consolidate(st, cx)? {
            verdict = self.ask(st, goal, bound);
        }
        let proved = verdict.is_proved();
        if !proved && self.silent > 0 {
            return Err(Stop::Undefined);
        }
        if !proved && self.tentative > 0 {
            return Err(Stop::Enough);
        }
        let part = if property.reason == Reason::AssertionFalse { Part::Value } else { Part::Permission };
        let origin = self.tree.origin(cx.origin(part));
        let premises = self.since(0).into();
        let id = self.record(Check { at: st.at, goal, role: Role::Obligation(property), origin, premises }, verdict);
        if !proved {
            self.fail(st, property, Some(id))?;
        }
        Ok((id, proved))
    }
    /// Reports an error on this path. The caller decides how the path goes on.
    pub fn fail(&mut self, st: &State, property: Property, check: Option<CheckId>) -> Step<()> {
        if self.silent > 0 {
            return Err(Stop::Undefined);
        }
        if self.tentative > 0 {
            return Err(Stop::Enough);
        }
        if st.dead {
            return Ok(());
        }
        if self.termination.ignores(&property) {
            return self.pass_over();
        }
        let path = self.guards(st.at);
        let cascade = self.is_cascade(st, property, check);
        let undecided = check.and_then(|check| self.tree.verdicts.get(check)?.given_up());
        self.latest = Some(property);
        match self.failures.iter_mut().find(|failure| failure.property == property) {
            Some(failure) => {
                failure.cascade &= cascade;
                failure.undecided = failure.undecided.take().filter(|_| undecided.is_some());
                if !failure.paths.contains(&path) {
                    failure.paths.push(path);
                }
            }
            None => {
                let state = self.view(st);
                let (at, paths, note, model) = (st.at, vec![path], None, None);
                self.failures.push(Failure { property, check, at, paths, cascade, undecided, note, state, model });
                self.counted += 1;
            }
        }
        if self.options.errors > 0 && self.counted >= self.options.errors {
            return Err(Stop::Enough);
        }
        Ok(())
    }
    /// A construct that is not supported here: an error of its own, and the end of the path.
    pub fn unsupported<T>(&mut self, st: &State, at: SyntaxId, what: &str) -> Step<T> {
        let property = Property { error: ErrorKind::Internal, at, reason: Reason::FeatureUnsupported, offending: at };
        self.fail(st, property, None)?;
        if let Some(failure) = self.failures.iter_mut().find(|failure| failure.property == property) {
            failure.note = Some(what.to_string());
        }
        Err(Stop::Infeasible)
    }
    fn guards(&self, at: NodeId) -> Vec<Guard> {
        let mut guards: Vec<Guard> = self
            .tree
            .path(at)
            .filter_map(|node| match self.tree.nodes[node].step {
                TreeStep::Split { negated, .. } => {
                    let origin = self.tree.origin_of(node);
                    Some(Guard { condition: origin.clause, site: origin.site, negated })
                }
                _ => None,
            })
            .collect();
        guards.reverse();
        guards
    }
    pub fn is_tentative(&self) -> bool {
        self.tentative > 0
    }
    /// Tries something; `None` if any obligation of it fails.
    pub fn tentatively<T>(&mut self, f: impl FnOnce(&mut Self) -> Step<T>) -> Option<T> {
        self.tentative += 1;
        let mark = self.mark();
        let result = f(self);
        self.tentative -= 1;
        if result.is_err() {
            self.release(mark);
        }
        result.ok()
    }
    /// Evaluates something that raises no errors; `None` where it is not defined. Nobody proved what was silenced, so
    /// it happens in a copy of the state of which nothing is left.
    pub fn silently<T>(&mut self, st: &State, f: impl FnOnce(&mut Self, &mut State) -> Step<T>) -> Option<T> {
        self.totally(&mut st.clone(), f)
    }
    /// Evaluates something that has a value wherever it stands, like an axiom: there is nothing to prove. Of functions
    /// with preconditions nothing is learned.
    pub fn totally<T>(&mut self, st: &mut State, f: impl FnOnce(&mut Self, &mut State) -> Step<T>) -> Option<T> {
        self.silent += 1;
        let mark = self.mark();
        let result = f(self, st);
        self.silent -= 1;
        if result.is_err() {
            self.release(mark);
        }
        result.ok()
    }
}

/// Swapping parts of a state for a while.
impl State {
    pub fn with_heap<T>(&mut self, heap: Heap, f: impl FnOnce(&mut State) -> T) -> T {
        let saved = std::mem::replace(&mut self.heap, heap);
        let rest = self.rest.take();
        let consolidated = self.consolidated.take();
        let result = f(self);
        self.heap = saved;
        self.rest = rest;
        self.consolidated = consolidated;
        result
    }
    pub fn with_store<T>(&mut self, store: Rc<Store>, f: impl FnOnce(&mut State) -> T) -> T {
        let home = self.home.clone();
        let saved = self.enter(store);
        let result = f(self);
        self.store = saved;
        self.home = home;
        result
    }
    /// Puts the variables of a callee or a predicate into the store, and returns those that were there.
    pub fn enter(&mut self, store: Rc<Store>) -> Rc<Store> {
        let saved = std::mem::replace(&mut self.store, store);
        self.home.get_or_insert_with(|| saved.clone());
        saved
    }
}
