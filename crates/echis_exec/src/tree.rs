//! The tree writer. Only this module assumes facts, asks the prover, and records premises.

pub(crate) mod dead;
pub(crate) mod explain;
pub(crate) mod keys;
mod moves;
mod patterns;
pub(crate) mod recover;
mod removals;
pub(crate) mod shape;
pub(crate) mod symbols;
mod view;

use crate::context::Context;
use crate::state::{Concern, Course, Cx, Mode, Obligation, Resource, State, Step, Stop};
use echis_base::{Diagnostic, FastMap, SyntaxId, mutation};
use echis_program::program::{LocalId, Type};
use echis_proof::{
    Because, Bound, Check, CheckId, ErrorKind, Failure, GaveUp, Guard, NodeId, Origin, Outcome, Part, Premise,
    ProofTree, Property, Prover, Question, Reason, Role, Rule, Step as TreeStep, Verdict,
};
use echis_term::{FreshRole, Made, SortId, SymbolId, TermId, Terms};
use std::collections::{BTreeMap, BTreeSet};
use symbols::Symbols;

/// A position in the premises of the current step.
#[derive(Clone, Copy)]
pub(crate) struct Mark(usize);

/// The answer to an internal question.
pub(crate) enum Found {
    /// The goal is trivially true.
    Plain,
    Checked(CheckId),
}

pub(crate) struct Writer<'a> {
    pub context: Context<'a>,
    prover: &'a mut dyn Prover,
    pub tree: ProofTree,
    symbols: Symbols,
    failures: &'a mut Vec<Failure>,
    /// The concern of each failure.
    concerns: Vec<Concern>,
    /// Number of checks made.
    made: usize,
    /// Number of errors that count against the limit of the part being verified.
    counted: usize,
    /// The latest failure, until it is known whether its path continues.
    latest: Option<Property>,
    /// Number of questions whether a path is dead that reached their limits since the first failure.
    contradictions_in_vain: usize,
    /// Failed checks whose goals were not assumed because they cannot hold.
    unmet: BTreeSet<CheckId>,
    warnings: Vec<Diagnostic>,
    /// The premises of the current step (a statement, or a clause that is evaluated on its own) so far. Rules take a
    /// [`mark`](Self::mark) and attach later premises to the fact or check they create.
    premises: Vec<Premise>,
    /// Names for terms, each with its defining fact: constants, and fresh functions of the bound variables in scope.
    /// A name is defined once, on every path it occurs on.
    definitions: FastMap<TermId, (TermId, NodeId)>,
    /// For the grants of chunks around a package: the removals by its proof script.
    takers: FastMap<NodeId, Vec<NodeId>>,
    /// The type arguments of the domain whose axiom is being evaluated.
    type_args: Vec<Type>,
    bound: BTreeMap<LocalId, SymbolId>,
    keys: keys::Table,
    shapes: shape::Shapes,
    dead: dead::Dead,
    /// Paths that ended since the start of the statement.
    ended: Vec<dead::Ending>,
    explain: explain::Explain,
    trace: crate::state::Trace,
}

impl<'a> Writer<'a> {
    pub fn new(context: Context<'a>, prover: &'a mut dyn Prover, failures: &'a mut Vec<Failure>, id: SyntaxId) -> Self {
        let origin = Origin { clause: id, site: None, part: Part::Definition };
        Writer {
            context,
            prover,
            tree: ProofTree::new(Terms::new(), origin),
            symbols: Symbols::default(),
            concerns: vec![Concern::Other; failures.len()],
            failures,
            made: 0,
            counted: 0,
            latest: None,
            contradictions_in_vain: 0,
            unmet: BTreeSet::new(),
            warnings: Vec::new(),
            premises: Vec::new(),
            definitions: FastMap::default(),
            takers: FastMap::default(),
            type_args: Vec::new(),
            bound: BTreeMap::new(),
            keys: Default::default(),
            shapes: Default::default(),
            dead: Default::default(),
            ended: Vec::new(),
            explain: Default::default(),
            trace: Default::default(),
        }
    }
}

/// Results and failures.
impl<'a> Writer<'a> {
    pub fn finish(self) -> Outcome {
        debug_assert_eq!(self.tree.validate(), Ok(()));
        let failures = std::mem::take(self.failures);
        Outcome { tree: self.tree, checks: self.made, failures, warnings: self.warnings, notes: () }
    }
    pub fn failures_in(&self, concern: Concern) -> impl Iterator<Item = (usize, &Failure)> {
        let concerned = self.failures.iter().zip(&self.concerns).enumerate();
        concerned.filter(move |(_, (_, of))| **of == concern).map(|(index, (failure, _))| (index, failure))
    }
    pub fn failed(&self) -> usize {
        self.failures.len()
    }
    /// Number of failed checks whose goals were not assumed.
    pub fn unmet(&self) -> usize {
        self.unmet.len()
    }
    pub fn is_unmet(&self, check: CheckId) -> bool {
        self.unmet.contains(&check)
    }
    /// Whether an obligation was proved only because it is unreachable.
    pub fn is_vacuous(&self, check: CheckId) -> bool {
        self.dead.is_vacuous(check)
    }
    pub fn warn(&mut self, warning: Diagnostic) {
        self.warnings.push(warning);
    }
    pub fn warn_once(&mut self, warning: Diagnostic) {
        if !self.warnings.contains(&warning) {
            self.warn(warning);
        }
    }
    /// Starts a statement, with no premises.
    pub fn begin_statement(&mut self) {
        self.begin_step();
        self.latest = None;
    }
    /// Starts a part with its own error count.
    pub fn begin_part(&mut self) {
        self.begin_step();
        self.counted = 0;
    }
    /// Sets the type arguments for evaluating the axioms of a domain. Each instance has its own variables.
    pub fn set_instance(&mut self, type_args: Vec<Type>) {
        self.type_args = type_args;
        self.bound.clear();
    }
}

/// Terms and symbols.
impl Writer<'_> {
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.tree.terms
    }
    /// An unconstrained symbol; a function of the bound variables in scope.
    pub fn fresh(&mut self, st: &State, role: impl Into<FreshRole>, sort: SortId) -> TermId {
        self.tree.terms.fresh(&st.scope, role, &[], sort)
    }
    /// A fresh symbol equal to `term`; the defining fact has the given origin.
    pub fn define(
        &mut self,
        st: &mut State,
        role: impl Into<FreshRole>,
        term: TermId,
        because: Because,
        premises: &[Premise],
        origin: Origin,
    ) -> TermId {
        let sort = self.tree.terms.sort_of(term);
        let symbol = self.fresh(st, role, sort);
        let equation = self.tree.terms.eq(symbol, term);
        st.at = self.tree.assume(st.at, equation, because, premises, origin);
        self.definitions.insert(symbol, (term, st.at));
        symbol
    }
    /// Looks through definitions of constants; each one becomes a premise.
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
    /// Like [`resolve`](Self::resolve), without premises: for answers that only guide a search.
    pub fn peek(&self, mut term: TermId) -> TermId {
        while let Some(&(definition, _)) = self.definitions.get(&term) {
            term = definition;
        }
        term
    }
    /// The symbol for a bound local. A quantifier gets the same symbols each time it is evaluated, so equal
    /// quantifiers are equal terms; nested inside itself, it gets new ones.
    pub fn bound_symbol(&mut self, st: &State, local: LocalId) -> SymbolId {
        let sort = self.sort_of_type(&self.context.program.locals[local].ty.clone());
        let name = self.context.program.locals[local].name.clone();
        let known = *self.bound.entry(local).or_insert_with(|| self.tree.terms.fresh_variable(&name, sort));
        if st.scope.contains(known) {
            return self.tree.terms.fresh_variable(&name, sort);
        }
        known
    }
    pub fn is_quantified(&self, resource: Resource) -> bool {
        match resource {
            Resource::Field(field) => {
                self.context.reach.quantified.contains(&echis_program::reach::Resource::Field(field))
            }
            Resource::Predicate(predicate) => {
                self.context.reach.quantified.contains(&echis_program::reach::Resource::Predicate(predicate))
            }
            Resource::Wand(shape) => self.shapes.is_quantified(shape),
        }
    }
}

/// Premises.
impl Writer<'_> {
    /// Starts a step, with no premises.
    pub fn begin_step(&mut self) {
        self.premises.clear();
    }
    /// The premises of the current step so far.
    pub fn rested_on(&self) -> Vec<Premise> {
        self.since(Mark(0))
    }
    pub fn mark(&self) -> Mark {
        Mark(self.premises.len())
    }
    pub fn rest_on(&mut self, premise: Premise) {
        self.premises.push(premise);
    }
    /// The premises since the mark. They stay visible to enclosing marks.
    pub fn since(&self, Mark(mark): Mark) -> Vec<Premise> {
        let mut premises = self.premises[mark.min(self.premises.len())..].to_vec();
        premises.sort();
        premises.dedup();
        premises
    }
    /// Drops the premises since the mark, which have been attached where they belong.
    pub fn release(&mut self, Mark(mark): Mark) {
        self.premises.truncate(mark);
    }
}

/// Facts.
impl Writer<'_> {
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
        let before = st.at;
        st.at = self.tree.assume(before, fact, because.clone(), premises, origin);
        if !self.tree.terms.is_false(fact) {
            return Ok(());
        }
        self.end_path(before, st.at, because, premises, origin);
        Err(Stop::Infeasible)
    }
    /// Assumes a fact of the engine's own bookkeeping.
    pub fn assume_rule(&mut self, st: &mut State, fact: TermId, rule: Rule, cx: &Cx) -> Step<()> {
        self.assume(st, fact, Because::Rule(rule), &[], cx.origin(Part::Value))
    }
}

/// Checks.
impl Writer<'_> {
    pub fn ask(&mut self, st: &State, goal: TermId, bound: Bound) -> Verdict {
        self.ask_at(st, st.at, goal, bound)
    }
    /// Asks at another node of the state's path.
    pub fn ask_at(&mut self, st: &State, at: NodeId, goal: TermId, bound: Bound) -> Verdict {
        let plain = self.without_held(goal);
        if self.tree.terms.is_true(plain) {
            return Verdict::Proved;
        }
        // Dead paths are not worth much effort.
        let bound = if st.is_dead() { Bound::Brief } else { bound };
        self.dead.note_question(st);
        self.prover.check(&self.tree, at, goal, bound)
    }
    /// Records a check that was made.
    pub fn record(&mut self, check: Check, verdict: Verdict) -> CheckId {
        self.made += 1;
        let id = self.tree.add_check(check);
        self.tree.verdicts.set(id, verdict);
        id
    }
    /// Records a check for explanations only: permission used without a question, or an obligation on a dead path.
    pub fn note(&mut self, check: Check) -> CheckId {
        let id = self.tree.add_check(check);
        self.tree.verdicts.set(id, Verdict::Proved);
        id
    }
    /// Asks an internal question. If the answer is yes, the check becomes a premise of the current step.
    #[track_caller]
    pub fn probe(&mut self, st: &State, goal: TermId, question: Question, bound: Bound, cx: &Cx) -> bool {
        self.find_out(st, goal, question, bound, cx).is_some()
    }
    /// Like [`probe`](Self::probe), returning how the question was answered, or `None` if not proved.
    #[track_caller]
    pub fn find_out(&mut self, st: &State, goal: TermId, question: Question, bound: Bound, cx: &Cx) -> Option<Found> {
        if self.tree.terms.is_true(goal) {
            return Some(Found::Plain);
        }
        let plain = self.without_held(goal);
        if self.tree.terms.is_false(plain) && question != Question::Infeasible {
            return None;
        }
        let verdict = if mutation::is_removed() { Verdict::Proved } else { self.ask(st, goal, bound) };
        if !verdict.is_proved() {
            let gave_up = verdict == Verdict::Unknown(GaveUp::Resources) && self.tree.terms.is_false(goal);
            self.contradictions_in_vain += usize::from(gave_up && !self.failures.is_empty());
            return None;
        }
        let origin = self.tree.origin(cx.origin(Part::Value));
        let check = Check { at: st.at, goal, role: Role::Probe(question), origin, premises: Box::from([]) };
        let id = if st.is_dead() { self.note(check) } else { self.record(check, verdict) };
        // Dropping an empty chunk affects only later introspection.
        if question != Question::Depleted {
            self.rest_on(Premise::Check(id));
        }
        Some(Found::Checked(id))
    }
    /// Reports an error on this path. The caller decides how the path continues.
    #[track_caller]
    pub fn fail(&mut self, st: &State, obligation: Obligation, check: Option<CheckId>, mode: Mode) -> Step<()> {
        let property = obligation.property;
        mode.failing.stop()?;
        if mutation::is_removed() || st.is_dead() {
            return Ok(());
        }
        if mode.ignores(&obligation) {
            return self.pass_over();
        }
        let undecided = check.and_then(|check| self.tree.verdicts.get(check)?.given_up());
        if matches!(st.course, Course::Again(_)) && undecided.is_some() {
            return Ok(());
        }
        let path = self.guards(st.at);
        let cascade = self.is_cascade(st, obligation, check);
        self.latest = Some(property);
        let known = self.failures.iter().position(|failure| failure.property == property);
        match known.map(|index| (index, self.failures[index].cascade)) {
            // A consequential failure adds nothing to one that was reported as independent.
            Some((_, false)) if cascade => {}
            Some((index, known)) if known == cascade => {
                let failure = &mut self.failures[index];
                failure.undecided = failure.undecided.take().filter(|_| undecided.is_some());
                if !failure.paths.contains(&path) {
                    failure.paths.push(path);
                }
            }
            found => {
                let (at, state, paths, note, model) = (st.at, self.view(st), vec![path], None, None);
                let failure = Failure { property, check, at, paths, cascade, undecided, note, state, model };
                self.prover.failed(&failure);
                match found {
                    Some((index, _)) => self.failures[index] = failure,
                    None => {
                        self.failures.push(failure);
                        self.concerns.push(obligation.concern);
                        self.counted += 1;
                    }
                }
            }
        }
        if self.context.options.errors > 0 && self.counted >= self.context.options.errors {
            return Err(Stop::Enough);
        }
        Ok(())
    }
    /// Tells the prover which obligation the next questions belong to.
    pub fn obliged(&mut self, property: Property) {
        self.prover.obliged(property);
    }
    /// Tells the prover that the next checks are not obligations of the member.
    pub fn tried(&mut self) {
        self.prover.tried();
    }
    /// Whether the property failed on another path.
    pub fn has_failed(&self, property: Property) -> bool {
        self.failures.iter().any(|failure| failure.property == property)
    }
    /// Counts a failure other than termination, which was reported before. After it nothing is certain, so the limit
    /// on errors can end the part.
    fn pass_over(&mut self) -> Step<()> {
        if self.context.options.errors == 0 || self.failures.is_empty() {
            return Ok(());
        }
        self.counted += 1;
        if self.counted >= self.context.options.errors { Err(Stop::Enough) } else { Ok(()) }
    }
    /// Reports an unsupported construct as an error and ends the path.
    #[track_caller]
    pub fn unsupported<T>(&mut self, st: &State, at: SyntaxId, what: &str, mode: Mode) -> Step<T> {
        let property = Property { error: ErrorKind::Internal, at, reason: Reason::FeatureUnsupported, offending: at };
        self.fail(st, Obligation::other(property), None, mode)?;
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
    /// A fresh positive amount.
    pub fn wildcard(&mut self, st: &mut State, cx: &Cx) -> Step<TermId> {
        let sort = self.terms().perm_sort();
        let amount = self.fresh(st, Made::Wildcard, sort);
        let positive = self.terms().positive(amount);
        self.assume_rule(st, positive, Rule::Wildcard, cx)?;
        Ok(amount)
    }
    /// A probe with the `Quick` bound.
    #[track_caller]
    pub fn quickly(&mut self, st: &State, goal: TermId, question: Question, cx: &Cx) -> bool {
        self.probe(st, goal, question, echis_proof::Bound::Quick, cx)
    }
    /// Whether a fact stated at `node` holds at `at`.
    pub fn is_on_path(&self, node: NodeId, at: NodeId) -> bool {
        let depth = self.tree.nodes[node].depth;
        let mut at = at;
        while self.tree.nodes[at].depth > depth {
            match self.tree.nodes[at].parent {
                Some(parent) => at = parent,
                None => return false,
            }
        }
        at == node
    }
    pub fn guards_between(&self, before: NodeId, after: NodeId) -> Vec<TermId> {
        self.tree
            .path_since(before, after)
            .into_iter()
            .filter_map(|node| match self.tree.nodes[node].step {
                TreeStep::Split { guard, .. } | TreeStep::Dead { fact: guard, .. } => Some(guard),
                _ => None,
            })
            .collect()
    }
}
