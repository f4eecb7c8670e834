//! Predicate instances as measures: the instances in the body of an unfolded predicate are nested in it, and an
//! instance can only be nested finitely often.

use crate::executor::Executor;
use crate::reach::Member;
use crate::state::{Cx, Resource, State, Step};
use echis_program::program::{
    BinaryOp, Decreases, DomainFunctionId, ExprId, ExprKind, Location, PredicateId, StmtKind, Type,
};
use echis_proof::Rule;
use echis_term::TermId;

impl Executor<'_> {
    /// States the nesting after a predicate was exchanged for its body. The store has the predicate's parameters.
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
        let mut scratch = st.clone();
        // The body was produced here, so it is defined; where it is not, nothing is learned.
        if self.silently(|executor| executor.nest(&mut scratch, nested, body, outer, cx)).is_some() {
            *st = scratch;
        }
    }
    /// The relation, if this member compares predicate instances.
    fn nesting(&mut self) -> Option<DomainFunctionId> {
        let nested = self.program.well_founded.as_ref()?.nested?;
        if matches!(self.member, Member::Function(_)) && self.termination.proof.is_none() {
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
        let program = self.program;
        let compares = |decreases: &Decreases| {
            let measures = decreases.tuple.iter().flat_map(|tuple| &tuple.measures);
            measures.into_iter().any(|&measure| *program.ty(measure) == Type::PredicateInstance)
        };
        match self.member {
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
    fn nest(&mut self, st: &mut State, nested: DomainFunctionId, body: ExprId, outer: TermId, cx: &Cx) -> Step<()> {
        let program = self.program;
        if self.is_pure(body) {
            return Ok(());
        }
        match program.kind(body) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.nest(st, nested, *left, outer, cx)?;
                self.nest(st, nested, *right, outer, cx)
            }
            ExprKind::Binary(BinaryOp::Implies, condition, then) => {
                let guard = self.eval(st, *condition, cx)?;
                self.nest_under(st, nested, (guard, false), *condition, *then, outer, cx)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let guard = self.eval(st, *condition, cx)?;
                self.nest_under(st, nested, (guard, false), *condition, *then, outer, cx)?;
                let negation = self.terms().not(guard);
                self.nest_under(st, nested, (negation, true), *condition, *otherwise, outer, cx)
            }
            ExprKind::Let { var, value, body } => {
                let value = self.eval(st, *value, cx)?;
                st.set(*var, value);
                self.nest(st, nested, *body, outer, cx)
            }
            ExprKind::Acc { location: Location::Predicate { predicate, args }, location_id, .. } => {
                let args = self.eval_all(st, args, cx)?;
                let property = cx.property(echis_proof::Reason::InsufficientPermission, *location_id);
                let snapshot = self.lookup(st, Resource::Predicate(*predicate), &args, property, cx)?;
                let inner = self.predicate_instance(*predicate, snapshot, &args);
                let fact = self.order(nested, &Type::PredicateInstance, vec![inner, outer]);
                self.assume_rule(st, fact, Rule::Mark, cx)
            }
            _ => Ok(()),
        }
    }
    #[allow(clippy::too_many_arguments)]
    fn nest_under(
        &mut self,
        st: &mut State,
        nested: DomainFunctionId,
        (guard, negated): (TermId, bool),
        condition: ExprId,
        body: ExprId,
        outer: TermId,
        cx: &Cx,
    ) -> Step<()> {
        let source = self.syntax(condition);
        self.under(st, guard, negated, source, cx, |executor, st| executor.nest(st, nested, body, outer, cx))?;
        Ok(())
    }
}
