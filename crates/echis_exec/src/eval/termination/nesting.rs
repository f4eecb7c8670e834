//! Predicate instances as measures: the instances in the body of an unfolded predicate are nested in it, and nesting
//! is well-founded.

use crate::eval::Evaluator;
use crate::heap::Layer;
use crate::heap::branch::Guard;
use crate::state::{self, Cx, Resource, State, Step};
use echis_program::program::{
    BinaryOp, Decreases, DomainFunctionId, ExprId, ExprKind, Location, PredicateId, StmtKind, Type,
};
use echis_program::reach::Member;
use echis_proof::{Because, Part, Rule};
use echis_term::TermId;

impl Evaluator<'_> {
    /// States the nesting after a predicate was replaced by its body. The store has the predicate's parameters.
    pub fn assume_nesting(
        &mut self,
        st: &mut State,
        predicate: PredicateId,
        args: &[TermId],
        snapshot: TermId,
        body: ExprId,
        cx: &Cx,
    ) {
        let Some(nested) = self.nesting() else { return };
        let outer = self.predicate_instance(predicate, snapshot, args);
        // The body was produced here, so it is defined; otherwise nothing is learned.
        let facts = self.silently(st, cx, |executor, st, cx| {
            let mut facts = Vec::new();
            executor.nest(st, nested, body, outer, &mut facts, cx)?;
            Ok(facts)
        });
        for fact in facts.unwrap_or_default() {
            st.at = self.memory.writer.tree.assume(st.at, fact, Because::Rule(Rule::Mark), &[], cx.origin(Part::Value));
        }
    }
    /// The nesting relation, if this member compares predicate instances.
    fn nesting(&mut self) -> Option<DomainFunctionId> {
        let nested = self.context.program.well_founded.as_ref()?.nested?;
        if matches!(self.context.member, Member::Function(_)) && self.termination.proof.is_none() {
            return None;
        }
        let compares = match self.termination.compares_instances {
            Some(known) => known,
            None => self.member_compares_instances(),
        };
        self.termination.compares_instances = Some(compares);
        compares.then_some(nested)
    }
    fn member_compares_instances(&self) -> bool {
        let program = self.context.program;
        let compares = |decreases: &Decreases| {
            let measures = decreases.tuple.iter().flat_map(|tuple| &tuple.measures);
            measures.into_iter().any(|&measure| *program.ty(measure) == Type::PredicateInstance)
        };
        match self.context.member {
            Member::Function(function) => compares(&program.functions[function].decreases),
            Member::Predicate(_) => false,
            Member::Method(method) => {
                let method = &program.methods[method];
                let mut found = compares(&method.decreases);
                if let Some(body) = &method.body {
                    body.visit_stmts(&mut |stmt| match &stmt.kind {
                        StmtKind::While { decreases, .. } | StmtKind::Label { decreases, .. } => {
                            found |= compares(decreases);
                        }
                        _ => {}
                    });
                }
                found
            }
        }
    }
    /// Collects the nested instances, each behind the conditions under which it is nested.
    fn nest(
        &mut self,
        st: &mut State,
        nested: DomainFunctionId,
        body: ExprId,
        outer: TermId,
        facts: &mut Vec<TermId>,
        cx: &Cx,
    ) -> Step<()> {
        let program = self.context.program;
        if self.context.is_pure(body) {
            return Ok(());
        }
        match program.kind(body) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.nest(st, nested, *left, outer, facts, cx)?;
                self.nest(st, nested, *right, outer, facts, cx)
            }
            ExprKind::Binary(BinaryOp::Implies, condition, then) => {
                let guard = self.eval(st, *condition, cx)?;
                let source = self.context.syntax(*condition);
                self.nest_under(st, Guard::of(guard, source), facts, cx, |executor, st, facts| {
                    executor.nest(st, nested, *then, outer, facts, cx)
                })
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let guard = self.eval(st, *condition, cx)?;
                let source = self.context.syntax(*condition);
                self.nest_under(st, Guard::of(guard, source), facts, cx, |executor, st, facts| {
                    executor.nest(st, nested, *then, outer, facts, cx)
                })?;
                let negation = self.memory.writer.terms().not(guard);
                self.nest_under(st, Guard::negation(negation, source), facts, cx, |executor, st, facts| {
                    executor.nest(st, nested, *otherwise, outer, facts, cx)
                })
            }
            ExprKind::Let { var, value, body } => {
                let value = self.eval(st, *value, cx)?;
                st.set(*var, value);
                self.nest(st, nested, *body, outer, facts, cx)
            }
            // Only an instance that is held with a positive amount is nested in the outer one.
            ExprKind::Acc { location: Location::Predicate { predicate, args }, location_id, amount } => {
                let args = self.eval_all(st, args, cx)?;
                let source = self.context.syntax(*amount);
                let positive = match program.kind(*amount) {
                    ExprKind::Wildcard => self.memory.writer.terms().truth(),
                    _ => {
                        let amount = self.eval(st, *amount, cx)?;
                        self.memory.writer.terms().positive(amount)
                    }
                };
                self.nest_under(st, Guard::of(positive, source), facts, cx, |executor, st, facts| {
                    let obligation = cx.permission(*location_id);
                    let instance = state::Location::new(Resource::Predicate(*predicate), &args);
                    let snapshot = executor.memory.lookup(st, &instance, obligation, cx)?;
                    let inner = executor.predicate_instance(*predicate, snapshot, &args);
                    facts.push(executor.order(nested, &Type::PredicateInstance, vec![inner, outer]));
                    Ok(())
                })
            }
            _ => Ok(()),
        }
    }
    fn nest_under(
        &mut self,
        st: &mut State,
        guard: Guard,
        facts: &mut Vec<TermId>,
        cx: &Cx,
        f: impl FnOnce(&mut Self, &mut State, &mut Vec<TermId>) -> Step<()>,
    ) -> Step<()> {
        let mut inside = Vec::new();
        self.under(st, guard, cx, |executor, st| f(executor, st, &mut inside))?;
        facts.extend(inside.into_iter().map(|fact| self.memory.writer.tree.terms.implies(guard.holds, fact)));
        Ok(())
    }
}
