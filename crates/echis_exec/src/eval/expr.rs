//! Expressions to terms. Evaluation does not fork: branches are evaluated under their guards and joined.

use crate::eval::Evaluator;
use crate::eval::perm::ForPerm;
use crate::heap::Layer;
use crate::heap::branch::Guard;
use crate::state::{self, Concern, Cx, Obligation, Resource, Side, State, Step, Variable};
use echis_base::SyntaxId;
use echis_program::program::{BinaryOp, Defined, ExprId, ExprKind, Location, OldState, Type, UnaryOp};
use echis_proof::{Because, ErrorKind, Part, Property, Reason, Rule};
use echis_term::{Made, Op, TermId};
use std::rc::Rc;

impl Evaluator<'_> {
    pub fn eval(&mut self, st: &mut State, expr: ExprId, cx: &Cx) -> Step<TermId> {
        stacker::maybe_grow(256 * 1024, 8 * 1024 * 1024, || self.eval_kind(st, expr, cx))
    }
    pub fn eval_all(&mut self, st: &mut State, exprs: &[ExprId], cx: &Cx) -> Step<Vec<TermId>> {
        exprs.iter().map(|expr| self.eval(st, *expr, cx)).collect()
    }
    fn eval_kind(&mut self, st: &mut State, expr: ExprId, cx: &Cx) -> Step<TermId> {
        let program = self.context.program;
        let id = self.context.syntax(expr);
        match program.kind(expr) {
            ExprKind::Bool(value) => Ok(self.memory.writer.terms().bool(*value)),
            ExprKind::Int(value) => Ok(self.memory.writer.terms().int(value.clone())),
            ExprKind::Null => Ok(self.memory.writer.terms().null()),
            ExprKind::Write => Ok(self.memory.writer.terms().write()),
            ExprKind::NonePerm => Ok(self.memory.writer.terms().no_perm()),
            ExprKind::Wildcard => self.memory.writer.wildcard(st, cx),
            ExprKind::Epsilon => {
                self.memory.writer.unsupported(st, id, "`epsilon` permissions are not supported", cx.mode)
            }
            ExprKind::Local(local) => match st.variables.store().local(*local) {
                Some(term) => Ok(term),
                None => {
                    let sort = self.memory.writer.sort_of_type(&program.locals[*local].ty);
                    let term = self.memory.writer.fresh(st, &program.locals[*local].name.clone(), sort);
                    st.set(*local, term);
                    Ok(term)
                }
            },
            ExprKind::Result => Ok(st
                .variables
                .store()
                .get(Variable::Result)
                .expect("`result` occurs only in postconditions of functions")),
            ExprKind::Unary(op, operand) => {
                let operand = self.eval(st, *operand, cx)?;
                Ok(self.unary(*op, operand))
            }
            ExprKind::Binary(op, left, right) => self.eval_binary(st, *op, *left, *right, cx),
            ExprKind::Conditional(condition, then, otherwise) => {
                self.eval_conditional(st, *condition, *then, *otherwise, cx)
            }
            ExprKind::Let { var, value, body } => {
                let value = self.eval_let(st, *value, cx)?;
                st.set(*var, value);
                self.eval(st, *body, cx)
            }
            ExprKind::Quantified { .. } => self.eval_quantified(st, expr, cx),
            ExprKind::Field { receiver, field } => {
                let receiver = self.eval(st, *receiver, cx)?;
                let location = state::Location::new(Resource::Field(*field), &[receiver]);
                self.memory.lookup(st, &location, cx.permission(id), cx)
            }
            ExprKind::FunctionApp { function, args, reveal } => {
                let args = self.eval_all(st, args, cx)?;
                self.apply_function(st, *function, &args, *reveal, id, cx)
            }
            ExprKind::DomainApp { function, type_args, args } => {
                let args = self.eval_all(st, args, cx)?;
                let symbol = self.memory.writer.domain_symbol(*function, type_args);
                let value = self.memory.writer.terms().app(symbol, args.clone());
                self.mark_built(st, *function, &args, value, cx)?;
                Ok(value)
            }
            ExprKind::PredicateInstance { predicate, args } => {
                let args = self.eval_all(st, args, cx)?;
                let error = Cx { at: id, ..cx.reporting(ErrorKind::PredicateInstanceNoAccess, Concern::Other) };
                let obligation = error.permission(id);
                let instance = state::Location::new(Resource::Predicate(*predicate), &args);
                let snapshot = self.memory.lookup(st, &instance, obligation, &error)?;
                Ok(self.predicate_instance(*predicate, snapshot, &args))
            }
            ExprKind::Old { state, body } => self.eval_old(st, *state, *body, id, cx),
            ExprKind::Unfolding { access, body } => self.eval_unfolding(st, access, *body, expr, cx),
            ExprKind::Applying { wand, body } => self.eval_applying(st, *wand, *body, cx),
            ExprKind::Asserting { assertion, body } => {
                self.assert_copy(st, *assertion, &cx.within(cx.mode.unevaluated()))?;
                self.eval(st, *body, cx)
            }
            ExprKind::PermOf(location) => self.eval_perm(st, location, cx),
            ExprKind::ForPerm { vars, location, body, .. } => {
                self.eval_forperm(st, &ForPerm { vars, location, body: *body }, cx)
            }
            ExprKind::SeqLiteral(elements) => {
                let empty = self.empty(program.ty(expr));
                self.literal(st, elements, empty, Op::SeqSingleton, Op::SeqAppend, cx)
            }
            ExprKind::SetLiteral(elements) => {
                let empty = self.empty(program.ty(expr));
                self.literal(st, elements, empty, Op::SetSingleton, Op::SetAdd, cx)
            }
            ExprKind::MultisetLiteral(elements) => {
                let empty = self.empty(program.ty(expr));
                self.literal(st, elements, empty, Op::MultisetSingleton, Op::MultisetAdd, cx)
            }
            ExprKind::MapLiteral(entries) => {
                let mut map = self.empty(program.ty(expr));
                for (key, value) in entries {
                    let key = self.eval(st, *key, cx)?;
                    let value = self.eval(st, *value, cx)?;
                    map = self.memory.writer.terms().op(Op::MapUpdate, [map, key, value]);
                }
                Ok(map)
            }
            ExprKind::SeqUpdate(seq, index, value) => {
                let index_id = self.context.syntax(*index);
                let seq = self.eval(st, *seq, cx)?;
                let index = self.eval(st, *index, cx)?;
                self.check_index(st, seq, index, index_id, cx)?;
                let value = self.eval(st, *value, cx)?;
                Ok(self.memory.writer.terms().op(Op::SeqUpdate, [seq, index, value]))
            }
            ExprKind::MapUpdate(map, key, value) => {
                let map = self.eval(st, *map, cx)?;
                let key = self.eval(st, *key, cx)?;
                let value = self.eval(st, *value, cx)?;
                Ok(self.memory.writer.terms().op(Op::MapUpdate, [map, key, value]))
            }
            ExprKind::InhaleExhale(assumed, checked) => {
                self.check_inhale_exhale(st, expr, cx)?;
                match cx.side {
                    Side::Assumed => return self.eval(st, *assumed, cx),
                    Side::Checked => return self.eval(st, *checked, cx),
                    Side::Neither => {}
                }
                let property =
                    Property { error: ErrorKind::Internal, at: id, reason: Reason::UnexpectedNode, offending: id };
                self.memory.writer.fail(st, Obligation::other(property), None, cx.mode)?;
                Err(crate::state::Stop::Infeasible)
            }
            ExprKind::TriggerLocation(location) => self.eval_trigger_location(st, location, cx),
            ExprKind::Acc { .. } | ExprKind::Wand { .. } | ExprKind::ForallAcc { .. } => {
                self.memory.writer.unsupported(st, id, "an assertion is used as a value", cx.mode)
            }
        }
    }

    fn eval_binary(&mut self, st: &mut State, op: BinaryOp, left: ExprId, right: ExprId, cx: &Cx) -> Step<TermId> {
        let (left_expr, right_expr) = (left, right);
        let right_id = self.context.syntax(right);
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                let left = self.eval(st, left, cx)?;
                let source = self.context.syntax(left_expr);
                let guard = match op {
                    BinaryOp::Or => Guard::negation(self.memory.writer.terms().not(left), source),
                    _ => Guard::of(left, source),
                };
                let right = self.eval_under(st, guard, right, cx)?;
                // If the guard cannot hold, the right operand does not matter.
                let right = match right {
                    Some(right) => right,
                    None => self.memory.writer.terms().bool(op == BinaryOp::Implies),
                };
                let terms = self.memory.writer.terms();
                Ok(op.term(terms, left, right))
            }
            _ => {
                let left = self.eval(st, left, cx)?;
                let right = self.eval(st, right, cx)?;
                let unmet = self.memory.writer.unmet();
                match op.row().defined {
                    Defined::Always => {}
                    Defined::Index => self.check_index(st, left, right, right_id, cx)?,
                    Defined::Divisor => {
                        let is_amount = *self.context.program.ty(right_expr) == Type::Perm;
                        let zero = if is_amount {
                            self.memory.writer.terms().no_perm()
                        } else {
                            self.memory.writer.terms().int(0)
                        };
                        self.check_divisor(st, right, zero, right_id, cx)?;
                    }
                    Defined::Key => {
                        let contains = self.memory.writer.terms().op(Op::MapContains, [left, right]);
                        self.memory.prove(st, contains, cx.condition(Reason::MapKeyContains, right_id), cx)?;
                    }
                }
                let value = op.term(self.memory.writer.terms(), left, right);
                Ok(self.memory.writer.value_if_met(st, value, unmet))
            }
        }
    }
    /// Evaluates `expr` where `guard` holds, and only there. This includes applications that are always defined: the
    /// facts they provide (the postcondition, also by induction) are known only where they are evaluated.
    pub fn eval_under(&mut self, st: &mut State, guard: Guard, expr: ExprId, cx: &Cx) -> Step<Option<TermId>> {
        self.under(st, guard, cx, |executor, st| executor.eval(st, expr, cx))
    }
    fn eval_conditional(
        &mut self,
        st: &mut State,
        condition: ExprId,
        then: ExprId,
        otherwise: ExprId,
        cx: &Cx,
    ) -> Step<TermId> {
        let guard = self.eval(st, condition, cx)?;
        let negation = self.memory.writer.terms().not(guard);
        let source = self.context.syntax(condition);
        let value = self.eval_under(st, Guard::of(guard, source), then, cx)?;
        let other = self.eval_under(st, Guard::negation(negation, source), otherwise, cx)?;
        match (value, other) {
            (Some(value), Some(other)) => Ok(self.memory.writer.terms().ite(guard, value, other)),
            (Some(value), None) | (None, Some(value)) => Ok(value),
            (None, None) => Err(crate::state::Stop::Infeasible),
        }
    }
    /// The value of a `let`. It is stated to the solver even if the body does not need it, so that its term can
    /// trigger quantifiers: users call lemmas this way.
    pub fn eval_let(&mut self, st: &mut State, value: ExprId, cx: &Cx) -> Step<TermId> {
        let value = self.eval(st, value, cx)?;
        if !self.memory.writer.tree.terms.children(value).is_empty() && !cx.mode.is_silent() {
            self.memory.writer.define(
                st,
                Made::Let,
                value,
                Because::Rule(Rule::Definition),
                &[],
                cx.origin(Part::Definition),
            );
        }
        Ok(value)
    }
    fn eval_old(&mut self, st: &mut State, state: OldState, body: ExprId, id: SyntaxId, cx: &Cx) -> Step<TermId> {
        let Some(heap) = st.old.get(&state).cloned() else {
            self.memory.writer.fail(st, cx.condition(Reason::LabelledStateNotReached, id), None, cx.mode)?;
            // Continues with an unknown value.
            let program = self.context.program;
            let sort = self.memory.writer.sort_of_type(program.ty(body));
            return Ok(self.memory.writer.fresh(st, Made::Recovered, sort));
        };
        let version = heap.version;
        let (value, heap) = st.with_heap(heap, |st| (self.eval(st, body, cx), st.heap.clone()));
        if heap.version != version {
            // Missing permission counts as held from then on.
            Rc::make_mut(&mut st.old).insert(state, heap);
        }
        value
    }

    fn check_index(&mut self, st: &mut State, seq: TermId, index: TermId, id: SyntaxId, cx: &Cx) -> Step<()> {
        let zero = self.memory.writer.terms().int(0);
        let lower = self.memory.writer.terms().le(zero, index);
        let length = self.memory.writer.terms().op(Op::SeqLength, [seq]);
        let upper = self.memory.writer.terms().lt(index, length);
        self.memory.prove(st, lower, cx.condition(Reason::SeqIndexNegative, id), cx)?;
        self.memory.prove(st, upper, cx.condition(Reason::SeqIndexLength, id), cx)?;
        Ok(())
    }
    fn check_divisor(&mut self, st: &mut State, divisor: TermId, zero: TermId, id: SyntaxId, cx: &Cx) -> Step<()> {
        let nonzero = self.memory.writer.terms().ne(divisor, zero);
        self.memory.prove(st, nonzero, cx.condition(Reason::DivisionByZero, id), cx)?;
        Ok(())
    }

    fn unary(&mut self, op: UnaryOp, operand: TermId) -> TermId {
        let terms = self.memory.writer.terms();
        match op {
            UnaryOp::Not => terms.not(operand),
            UnaryOp::Minus => terms.neg(operand),
            UnaryOp::SeqLength => terms.op(Op::SeqLength, [operand]),
            UnaryOp::SetCardinality => terms.op(Op::SetCardinality, [operand]),
            UnaryOp::MultisetCardinality => terms.op(Op::MultisetCardinality, [operand]),
            UnaryOp::MapCardinality => terms.op(Op::MapCardinality, [operand]),
            UnaryOp::MapDomain => terms.op(Op::MapDomain, [operand]),
            UnaryOp::MapRange => terms.op(Op::MapRange, [operand]),
        }
    }
    fn empty(&mut self, ty: &Type) -> TermId {
        let sort = self.memory.writer.sort_of_type(ty);
        match ty {
            Type::Seq(element) => {
                let element = self.memory.writer.sort_of_type(element);
                self.memory.writer.terms().op(Op::SeqEmpty(element), [])
            }
            Type::Set(element) => {
                let element = self.memory.writer.sort_of_type(element);
                self.memory.writer.terms().op(Op::SetEmpty(element), [])
            }
            Type::Multiset(element) => {
                let element = self.memory.writer.sort_of_type(element);
                self.memory.writer.terms().op(Op::MultisetEmpty(element), [])
            }
            _ => self.memory.writer.terms().op(Op::MapEmpty(sort), []),
        }
    }
    /// A collection literal: the first element as a singleton, then the others one by one.
    fn literal(
        &mut self,
        st: &mut State,
        elements: &[ExprId],
        empty: TermId,
        singleton: Op,
        add: Op,
        cx: &Cx,
    ) -> Step<TermId> {
        let mut collection = None;
        for element in elements {
            let element = self.eval(st, *element, cx)?;
            collection = Some(match collection {
                None => self.memory.writer.terms().op(singleton, [element]),
                Some(before) if add == Op::SeqAppend => {
                    let last = self.memory.writer.terms().op(singleton, [element]);
                    self.memory.writer.terms().op(add, [before, last])
                }
                Some(before) => self.memory.writer.terms().op(add, [before, element]),
            });
        }
        Ok(collection.unwrap_or(empty))
    }
    /// The receiver or arguments of a location, as terms.
    pub fn eval_location(&mut self, st: &mut State, location: &Location, cx: &Cx) -> Step<state::Location> {
        let (resource, args) = match location {
            Location::Field { receiver, field } => (Resource::Field(*field), vec![self.eval(st, *receiver, cx)?]),
            Location::Predicate { predicate, args } => (Resource::Predicate(*predicate), self.eval_all(st, args, cx)?),
            Location::Wand(wand) => return self.eval_wand_holes(st, *wand, cx),
        };
        Ok(state::Location::new(resource, &args))
    }
}
