//! Function applications. The precondition is read, never removed: evaluating it gives the snapshot of the heap
//! values that the function may depend on, so equal snapshots mean equal values.

use crate::eval::Evaluator;
use crate::heap::Layer;
use crate::heap::branch::Guard;
use crate::state::{Amounts, Body, Concern, Cx, Induction, Mode, Side, State, Step, Store};
use echis_base::SyntaxId;
use echis_program::MisplacedIn;
use echis_program::program::{BinaryOp, ExprId, ExprKind, FunctionId};
use echis_program::reach::Member;
use echis_proof::{Because, ErrorKind, Part, Reason, Rule};
use echis_term::{SymbolRole, TermId};
use std::rc::Rc;

impl Evaluator<'_> {
    pub fn apply_function(
        &mut self,
        st: &mut State,
        function: FunctionId,
        args: &[TermId],
        reveal: bool,
        id: SyntaxId,
        cx: &Cx,
    ) -> Step<TermId> {
        let declared = &self.context.program.functions[function];
        let symbols = self.memory.writer.function_symbols(function);
        let store = Rc::new(Store::of(&declared.params, args));
        // Any positive amount suffices, and applications in the precondition are the callee's.
        let mode = Mode { amounts: Amounts::Any, ..cx.mode.foreign() };
        let error = cx.reporting(ErrorKind::ApplicationPrecondition, Concern::Other);
        let error = Cx { at: id, side: Side::Checked, mode, ..error };
        let pre = declared.pre.clone();
        let outside = std::mem::replace(&mut st.body, Body::Outside);
        let unmet = self.memory.writer.unmet();
        let snapshot = st.with_store(store.clone(), |st| self.read_all(st, &pre, &error));
        st.body = outside;
        let snapshot = snapshot?;
        self.check_termination_of_application(st, function, &store, id, cx)?;
        let mut all = args.to_vec();
        if symbols.takes_heap {
            all.insert(0, snapshot);
        }
        if self.memory.writer.unmet() > unmet {
            let value = self.memory.writer.terms().app(symbols.limited, all);
            return Ok(self.memory.writer.value_if_met(st, value, unmet));
        }
        // If the precondition was not proved, nothing is known about the application.
        if !cx.mode.is_silent() || declared.pre.is_empty() {
            let pre = self.memory.writer.terms().app(symbols.pre, all.clone());
            let rule = if declared.post.is_empty() { Rule::FunctionPrecondition } else { Rule::Application };
            let premises = self.memory.writer.rested_on();
            self.memory.writer.assume(st, pre, Because::Rule(rule), &premises, cx.origin(Part::Value))?;
        }
        let promises = declared.body.is_some() && !declared.post.is_empty();
        if cx.mode.induction != Induction::Unavailable && promises && self.is_own_cycle(function) {
            let called = self.memory.writer.called(function);
            let called = self.memory.writer.terms().app(called, all.clone());
            let premises = self.memory.writer.rested_on();
            self.memory.writer.assume(
                st,
                called,
                Because::Rule(Rule::Application),
                &premises,
                cx.origin(Part::Value),
            )?;
        }
        self.mark_paid(st, function, args, cx)?;
        let opaque = self.context.program.functions[function].opaque && !reveal;
        let symbol = if opaque { symbols.limited } else { symbols.full };
        Ok(self.memory.writer.terms().app(symbol, all))
    }
    /// Whether a function is in the component of the call graph being verified.
    pub fn is_own_cycle(&self, function: FunctionId) -> bool {
        let functions = &self.context.program.functions;
        matches!(self.context.member, Member::Function(own) if functions[own].height == functions[function].height)
    }
    /// The snapshot of clauses that must hold here; nothing is removed.
    pub fn read_all(&mut self, st: &mut State, clauses: &[ExprId], cx: &Cx) -> Step<TermId> {
        let mut parts = Vec::new();
        for clause in clauses {
            parts.push(self.read(st, *clause, cx)?);
        }
        Ok(self.combine_all(&parts))
    }
    /// Right-nested; the empty list is `unit`.
    pub fn combine_all(&mut self, parts: &[TermId]) -> TermId {
        let Some((&last, rest)) = parts.split_last() else { return self.memory.writer.terms().unit() };
        rest.iter().rev().fold(last, |tail, &part| self.memory.writer.terms().combine(part, tail))
    }
    /// Checks an assertion in which amounts only decide whether a location may be read, and returns its snapshot.
    fn read(&mut self, st: &mut State, assertion: ExprId, cx: &Cx) -> Step<TermId> {
        stacker::maybe_grow(256 * 1024, 8 * 1024 * 1024, || self.read_kind(st, assertion, cx))
    }
    fn read_kind(&mut self, st: &mut State, assertion: ExprId, cx: &Cx) -> Step<TermId> {
        let program = self.context.program;
        let id = self.context.syntax(assertion);
        if self.context.is_pure(assertion) && cx.mode.is_silent() {
            // In a trigger only the snapshot matters.
            return Ok(self.memory.writer.terms().unit());
        }
        if self.context.is_pure(assertion) {
            let goal = self.eval(st, assertion, cx)?;
            let check = self.memory.prove(st, goal, cx.assertion(id), cx)?;
            let premise = echis_proof::Premise::Check(check);
            self.memory.writer.rest_on(premise);
            // A failed goal was assumed already, if it can hold.
            let proved = self.memory.writer.tree.verdicts.get(check).is_some_and(echis_proof::Verdict::is_proved);
            if proved && !self.memory.writer.is_vacuous(check) {
                self.memory.writer.assume(st, goal, Because::Rule(Rule::Lemma), &[premise], cx.origin(Part::Value))?;
            }
            return Ok(self.memory.writer.terms().unit());
        }
        match program.kind(assertion) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let left = self.read(st, *left, cx)?;
                let right = self.read(st, *right, cx)?;
                Ok(self.memory.writer.terms().combine(left, right))
            }
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                let guard = self.eval(st, *condition, cx)?;
                let source = self.context.syntax(*condition);
                let snapshot =
                    self.under(st, Guard::of(guard, source), cx, |executor, st| executor.read(st, *body, cx))?;
                let unit = self.memory.writer.terms().unit();
                Ok(match snapshot {
                    Some(snapshot) => self.memory.writer.terms().ite(guard, snapshot, unit),
                    None => unit,
                })
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let guard = self.eval(st, *condition, cx)?;
                let source = self.context.syntax(*condition);
                let negation = self.memory.writer.terms().not(guard);
                let then = self.under(st, Guard::of(guard, source), cx, |executor, st| executor.read(st, *then, cx))?;
                let other = self.under(st, Guard::negation(negation, source), cx, |executor, st| {
                    executor.read(st, *otherwise, cx)
                })?;
                match (then, other) {
                    (Some(then), Some(other)) => Ok(self.memory.writer.terms().ite(guard, then, other)),
                    (Some(one), None) | (None, Some(one)) => Ok(one),
                    (None, None) => Err(crate::state::Stop::Infeasible),
                }
            }
            ExprKind::Let { var, value, body } => {
                let value = self.eval_let(st, *value, cx)?;
                st.set(*var, value);
                self.read(st, *body, cx)
            }
            ExprKind::Acc { location, location_id, amount } => {
                let location = self.eval_location(st, location, cx)?;
                let obligation = cx.permission(*location_id);
                if matches!(program.kind(*amount), ExprKind::Wildcard) {
                    let value = self.memory.lookup(st, &location, obligation, cx)?;
                    return Ok(self.memory.writer.terms().wrap(value));
                }
                let amount_id = self.context.syntax(*amount);
                let amount = self.eval_function_amount(st, *amount, cx)?;
                self.check_amount(st, amount, amount_id, cx)?;
                let positive = self.memory.writer.terms().positive(amount);
                let value = self.under(st, Guard::of(positive, amount_id), cx, |executor, st| {
                    executor.memory.lookup(st, &location, obligation, cx)
                })?;
                let unit = self.memory.writer.terms().unit();
                Ok(match value {
                    Some(value) => {
                        let value = self.memory.writer.terms().wrap(value);
                        self.memory.writer.terms().ite(positive, value, unit)
                    }
                    None => unit,
                })
            }
            ExprKind::ForallAcc { .. } => self.read_quantified(st, assertion, cx),
            ExprKind::InhaleExhale(..) => self.memory.writer.unsupported(st, id, MisplacedIn::Function.note(), cx.mode),
            _ => self.memory.writer.unsupported(
                st,
                id,
                "this assertion is not supported in preconditions of functions",
                cx.mode,
            ),
        }
    }
    /// Evaluates an amount in a function, where compound wildcards are allowed: each stands for any positive amount.
    fn eval_function_amount(&mut self, st: &mut State, amount: ExprId, cx: &Cx) -> Step<TermId> {
        self.eval(st, amount, cx)
    }
    /// Evaluates an amount that must be nonnegative. Wildcards always are.
    pub fn eval_amount(&mut self, st: &mut State, amount: ExprId, cx: &Cx) -> Step<TermId> {
        let value = self.eval(st, amount, cx)?;
        if matches!(self.context.program.kind(amount), ExprKind::Wildcard) {
            return Ok(value);
        }
        let unmet = self.memory.writer.unmet();
        self.check_amount(st, value, self.context.syntax(amount), cx)?;
        // An amount that must be negative counts as zero.
        Ok(if self.memory.writer.unmet() > unmet { self.memory.writer.terms().no_perm() } else { value })
    }
    /// `amount >= 0`
    pub fn check_amount(&mut self, st: &mut State, amount: TermId, id: SyntaxId, cx: &Cx) -> Step<()> {
        let zero = self.memory.writer.terms().no_perm();
        let goal = self.memory.writer.terms().le(zero, amount);
        if !self.memory.writer.tree.terms.is_true(goal) {
            self.memory.prove(st, goal, cx.condition(Reason::NegativePermission, id), cx)?;
        }
        Ok(())
    }
    pub fn predicate_instance(
        &mut self,
        predicate: echis_program::program::PredicateId,
        snapshot: TermId,
        args: &[TermId],
    ) -> TermId {
        let name = self.context.program.predicates[predicate].name.clone();
        let mut params = vec![self.memory.writer.terms().snap_sort()];
        params.extend(args.iter().map(|arg| self.memory.writer.tree.terms.sort_of(*arg)));
        let sort = self.memory.writer.sort_of_type(&echis_program::program::Type::PredicateInstance);
        let symbol = self.memory.writer.terms().declare(SymbolRole::PredicateInstance(name), params, sort);
        let mut all = vec![snapshot];
        all.extend(args);
        self.memory.writer.terms().app(symbol, all)
    }
}
