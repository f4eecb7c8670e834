//! Termination: a member with a measure may only call members that terminate, and the measure decreases around each
//! cycle of calls and in each iteration of a loop.

use crate::encoder::{Encoder, ExprContext, Promise, Result};
use crate::write::{Blame, and, implies, zero};
use echis_base::SyntaxId;
use echis_boogie::build::{self, Expr, no, yes};
use echis_program::program::{
    BinaryOp, Decreases, ExprId, ExprKind, FunctionId, LocalId, Location, MethodId, PredicateId, Type,
};
use echis_proof::{ErrorKind, Reason};

/// The measures at the start of an iteration.
#[derive(Clone)]
pub struct Start {
    condition: Expr,
    measures: Vec<Expr>,
}

/// A member that is called or applied.
struct MeasuredCallee<'a> {
    decreases: &'a Decreases,
    id: SyntaxId,
    cycle: u32,
}

impl Encoder<'_> {
    pub fn check_termination_of_application(
        &mut self,
        function: FunctionId,
        args: &[Expr],
        id: SyntaxId,
        cx: &ExprContext,
    ) -> Result<()> {
        let program = self.program;
        let (Some(promise), true) = (self.promise.clone(), self.in_function) else { return Ok(()) };
        let callee = &program.functions[function];
        let formals: Vec<(LocalId, Expr)> = callee.params.iter().copied().zip(args.iter().cloned()).collect();
        let callee = MeasuredCallee { decreases: &callee.decreases, id: callee.id, cycle: callee.height };
        self.check_callee(&promise, callee, &formals, id, cx)
    }
    pub fn check_termination_of_call(
        &mut self,
        method: MethodId,
        formals: &[(LocalId, Expr)],
        id: SyntaxId,
        cx: &ExprContext,
    ) -> Result<()> {
        let program = self.program;
        let Some(promise) = self.promise.clone() else { return Ok(()) };
        let callee = &program.methods[method];
        let callee = MeasuredCallee { decreases: &callee.decreases, id: callee.id, cycle: callee.cycle };
        self.check_callee(&promise, callee, formals, id, cx)
    }
    fn check_callee(
        &mut self,
        promise: &Promise,
        callee: MeasuredCallee<'_>,
        formals: &[(LocalId, Expr)],
        id: SyntaxId,
        cx: &ExprContext,
    ) -> Result<()> {
        let blame = Blame { error: ErrorKind::Termination, at: id };
        let required = self.promised(promise, cx, blame)?;
        let inner = ExprContext { locals: formals.iter().cloned().collect(), ..cx.clone() };
        if callee.cycle != promise.cycle {
            let terminates = self.terminates(callee.decreases, &inner, blame)?;
            let property = blame.property(Reason::TerminationConditionFalse, callee.id);
            self.body.demand(implies(&required, &terminates), property);
            return Ok(());
        }
        let Some(tuple) = &callee.decreases.tuple else {
            let property = blame.property(Reason::TupleConditionFalse, callee.id);
            self.body.demand(implies(&required, &no()), property);
            return Ok(());
        };
        let condition = self.condition(tuple.condition, &inner, blame)?;
        let property = blame.property(Reason::TupleConditionFalse, tuple.id);
        self.body.demand(implies(&required, &condition), property);
        let bigger = self.measures(&promise.tuple.measures, &cx.at(&promise.start), blame)?;
        let smaller = self.measures(&tuple.measures, &inner, blame)?;
        let less = self.lexicographic(&tuple.measures, &smaller, &promise.tuple.measures, &bigger, 0, cx);
        let property = blame.property(Reason::TupleFalse, promise.tuple.id);
        self.body.demand(implies(&required, &less), property);
        Ok(())
    }
    /// Whether the tuple's condition held at the start.
    fn promised(&mut self, promise: &Promise, cx: &ExprContext, blame: Blame) -> Result<Expr> {
        self.condition(promise.tuple.condition, &cx.at(&promise.start), blame)
    }
    fn condition(&mut self, condition: Option<ExprId>, cx: &ExprContext, blame: Blame) -> Result<Expr> {
        match condition {
            Some(condition) => Ok(self.measures(&[condition], cx, blame)?.remove(0)),
            None => Ok(yes()),
        }
    }
    fn measures(&mut self, measures: &[ExprId], cx: &ExprContext, blame: Blame) -> Result<Vec<Expr>> {
        // Applications in measures are not those of the member.
        let promise = self.promise.take();
        let defined = self.all_defined(measures, cx, blame);
        self.promise = promise;
        defined?;
        self.exprs(measures, cx)
    }
    fn terminates(&mut self, decreases: &Decreases, cx: &ExprContext, blame: Blame) -> Result<Expr> {
        let by_tuple = match &decreases.tuple {
            Some(tuple) => self.condition(tuple.condition, cx, blame)?,
            None => no(),
        };
        match &decreases.wildcard {
            Some(wildcard) => {
                let believed = self.condition(wildcard.condition, cx, blame)?;
                Ok(if by_tuple.is_true() || believed.is_true() { yes() } else { by_tuple.or(believed) })
            }
            None => Ok(by_tuple),
        }
    }
    /// The lexicographic order; a missing component is larger than everything.
    fn lexicographic(
        &mut self,
        small: &[ExprId],
        small_values: &[Expr],
        big: &[ExprId],
        big_values: &[Expr],
        index: usize,
        cx: &ExprContext,
    ) -> Expr {
        let program = self.program;
        let (Some(small_value), Some(big_value)) = (small_values.get(index), big_values.get(index)) else {
            return if index < small_values.len() { yes() } else { no() };
        };
        let ty = program.ty(small[index]).clone();
        let Some(orders) = program.well_founded.as_ref().filter(|_| ty == *program.ty(big[index])) else {
            return no();
        };
        let domain = program.domain_functions[orders.decreasing].domain;
        let types = vec![ty; program.domains[domain].parameters.len()];
        let decreasing = self.domain_app(orders.decreasing, &types, &[small_value.clone(), big_value.clone()], cx);
        let bounded = self.domain_app(orders.bounded, &types, std::slice::from_ref(big_value), cx);
        let rest = self.lexicographic(small, small_values, big, big_values, index + 1, cx);
        decreasing.and(bounded).or(small_value.equals(big_value).and(rest))
    }

    /// Asserts that a loop that is entered terminates if the method must.
    pub fn check_termination_of_loop(
        &mut self,
        guard: Option<ExprId>,
        decreases: &Decreases,
        id: SyntaxId,
        cx: &ExprContext,
    ) -> Result<()> {
        let Some(promise) = self.promise.clone() else { return Ok(()) };
        let blame = Blame { error: ErrorKind::Termination, at: id };
        let required = self.promised(&promise, cx, blame)?;
        let guard = self.guard(guard, cx)?;
        let terminates = self.terminates(decreases, cx, blame)?;
        let property = blame.property(Reason::TerminationConditionFalse, id);
        self.body.demand(implies(&and([required, guard]), &terminates), property);
        Ok(())
    }
    /// A loop that is made of jumps has no condition of its own.
    fn guard(&mut self, guard: Option<ExprId>, cx: &ExprContext) -> Result<Expr> {
        guard.map_or(Ok(yes()), |guard| self.expr(guard, cx))
    }
    pub fn start_iteration(&mut self, decreases: &Decreases, cx: &ExprContext) -> Result<Option<Start>> {
        let program = self.program;
        let Some(tuple) = &decreases.tuple else { return Ok(None) };
        let mut condition = yes();
        if let Some(written) = tuple.condition {
            self.defined(written, cx, Blame { error: ErrorKind::Assignment, at: self.id(written) })?;
            condition = self.fresh("decreases", &build::Type::Bool);
            let value = self.expr(written, cx)?;
            self.body.assign(&condition, value);
        }
        let mut measures = Vec::new();
        for measure in &tuple.measures {
            let blame = Blame { error: ErrorKind::Assignment, at: self.id(*measure) };
            self.under(&condition, |encoder| encoder.defined(*measure, cx, blame))?;
            let (value, ty) = (self.expr(*measure, cx)?, self.ty(program.ty(*measure), cx));
            let name = self.fresh("measure", &ty);
            self.body.assign(&name, value);
            measures.push(name);
        }
        Ok(Some(Start { condition, measures }))
    }
    pub fn finish_iteration(
        &mut self,
        guard: Option<ExprId>,
        decreases: &Decreases,
        start: Option<Start>,
        cx: &ExprContext,
    ) -> Result<()> {
        let (Some(tuple), Some(start)) = (&decreases.tuple, start) else { return Ok(()) };
        let blame = Blame { error: ErrorKind::Termination, at: tuple.id };
        let facts = guard.map_or(Ok(yes()), |guard| self.facts(guard, cx))?;
        let guard = self.guard(guard, cx)?;
        let required = and([start.condition.clone(), guard]);
        self.body.assume(implies(&start.condition, &facts));
        let condition = self.condition(tuple.condition, cx, blame)?;
        let property = blame.property(Reason::TupleConditionFalse, tuple.id);
        self.body.demand(implies(&required, &condition), property);
        let smaller = self.exprs(&tuple.measures, cx)?;
        let less = self.lexicographic(&tuple.measures, &smaller, &tuple.measures, &start.measures, 0, cx);
        self.body.demand(implies(&required, &less), blame.property(Reason::TupleFalse, tuple.id));
        Ok(())
    }

    /// Instances in the body of an instance that is opened are nested in it.
    pub fn assume_nesting(&mut self, predicate: PredicateId, args: &[Expr], cx: &ExprContext) -> Result<()> {
        let program = self.program;
        let Some(nested) = program.well_founded.as_ref().and_then(|orders| orders.nested) else { return Ok(()) };
        let declared = &program.predicates[predicate];
        let Some(body) = declared.body else { return Ok(()) };
        let outer = self.instance(predicate, args, cx);
        let inner = ExprContext { assumed: true, ..cx.with(declared.params.iter().copied().zip(args.iter().cloned())) };
        let nested_type =
            vec![Type::PredicateInstance; program.domains[program.domain_functions[nested].domain].parameters.len()];
        let facts = self.nest(body, &inner, &mut |encoder, instance, cx| {
            encoder.domain_app(nested, &nested_type, &[instance, outer.clone()], cx)
        })?;
        self.body.assume(facts);
        Ok(())
    }
    fn nest(
        &mut self,
        expr: ExprId,
        cx: &ExprContext,
        told: &mut dyn FnMut(&mut Self, Expr, &ExprContext) -> Expr,
    ) -> Result<Expr> {
        let program = self.program;
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                Ok(and([self.nest(*left, cx, told)?, self.nest(*right, cx, told)?]))
            }
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                let body = self.nest(*body, cx, told)?;
                Ok(implies(&self.expr(*condition, cx)?, &body))
            }
            ExprKind::Conditional(condition, then, otherwise) if !program.is_pure(expr) => {
                let (then, otherwise) = (self.nest(*then, cx, told)?, self.nest(*otherwise, cx, told)?);
                let condition = self.expr(*condition, cx)?;
                Ok(and([implies(&condition, &then), implies(&condition.not(), &otherwise)]))
            }
            ExprKind::Acc { location: Location::Predicate { predicate, args }, amount, .. } => {
                let args = self.exprs(args, cx)?;
                let instance = self.instance(*predicate, &args, cx);
                let held = match program.kind(*amount) {
                    ExprKind::Wildcard | ExprKind::Write => yes(),
                    _ => self.expr(*amount, cx)?.greater(zero()),
                };
                Ok(implies(&held, &told(self, instance, cx)))
            }
            _ => Ok(yes()),
        }
    }
}
