//! Pure expressions. `defined` checks whether they are well-defined.

use crate::encoder::{Encoder, ExprContext, LONGEST, ResourceInstance, Result, St, keys, let_in};
use crate::names;
use crate::resource::Resource;
use crate::write::{one, zero};
use echis_base::{Name, SyntaxId};
use echis_boogie::ast::Binary;
use echis_boogie::build::{Binder, Expr, call, conditional, exists, forall, int, no, var, yes};
use echis_program::program::{
    BinaryOp, DomainFunctionId, ExprId, ExprKind, FunctionId, Kind, LocalId, Location, OldState, PredicateId,
    Quantifier, Side, Type, UnaryOp,
};
use echis_program::reach::{substitute, substitute_all};

impl Encoder<'_> {
    pub fn expr(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Expr> {
        let value = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.expr_kind(expr, cx))?;
        self.bounded(expr, value)
    }
    /// Expressions in which others are repeated could grow without bounds.
    pub fn bounded(&self, expr: ExprId, value: Expr) -> Result<Expr> {
        match value.length() > LONGEST {
            true => self.unknown(self.id(expr), "this is too large for verification conditions"),
            false => Ok(value),
        }
    }
    pub fn exprs(&mut self, exprs: &[ExprId], cx: &ExprContext) -> Result<Vec<Expr>> {
        exprs.iter().map(|expr| self.expr(*expr, cx)).collect()
    }
    fn expr_kind(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Expr> {
        let program = self.program;
        let id = self.id(expr);
        if let Some(value) = cx.settled.get(&expr) {
            return Ok(value.clone());
        }
        Ok(match program.kind(expr) {
            ExprKind::Bool(true) => yes(),
            ExprKind::Bool(false) => no(),
            ExprKind::Int(value) => int(value.clone()),
            ExprKind::Null => var("null"),
            ExprKind::Write => one(),
            ExprKind::NonePerm => zero(),
            ExprKind::Wildcard => {
                return self.unknown(id, "`wildcard` is not supported here by verification conditions");
            }
            ExprKind::Epsilon => return self.unknown(id, "`epsilon` permissions are not supported"),
            ExprKind::Local(local) => self.local(*local, cx),
            ExprKind::Result => match &cx.result {
                Some(result) => result.clone(),
                None => return self.unknown(id, "`result` has no value here"),
            },
            ExprKind::Unary(op, operand) => self.unary(*op, *operand, cx)?,
            ExprKind::Binary(op, left, right) => self.binary(expr, *op, *left, *right, cx)?,
            ExprKind::Conditional(condition, then, otherwise) => {
                let (condition, then) = (self.expr(*condition, cx)?, self.expr(*then, cx)?);
                conditional(condition, then, self.expr(*otherwise, cx)?)
            }
            ExprKind::Let { var, value, body } => {
                let value = self.expr(*value, cx)?;
                let (name, cx) = self.bind_let(*var, &value, cx);
                let body = self.expr(*body, &cx)?;
                let_in(name, &value, body)
            }
            ExprKind::Quantified { quantifier, vars, triggers, body, .. } => {
                let (binders, inner) = self.bound(vars, cx);
                let triggers = self.triggers(vars, triggers, &inner)?;
                let body = self.expr(*body, &inner)?;
                match quantifier {
                    Quantifier::Forall => forall(&binders, triggers, body),
                    _ => exists(&binders, triggers, body),
                }
            }
            ExprKind::Field { receiver, field } => {
                let receiver = self.expr(*receiver, cx)?;
                self.heap(&cx.now, Resource::Field(*field)).at(&[receiver])
            }
            ExprKind::FunctionApp { function, args, reveal } => {
                let args = self.exprs(args, cx)?;
                let declared = &program.functions[*function];
                let limited = cx.trigger || cx.limited == Some(declared.height) || declared.opaque && !reveal;
                self.application(*function, if limited { "'" } else { "" }, &args, cx)
            }
            ExprKind::DomainApp { function, type_args, args } => {
                let args = self.exprs(args, cx)?;
                self.domain_app(*function, type_args, &args, cx)
            }
            ExprKind::PredicateInstance { predicate, args } => {
                let args = self.exprs(args, cx)?;
                self.instance(*predicate, &args, cx)
            }
            ExprKind::Old { state, body } => {
                let st = self.old_state(*state, id, cx)?;
                self.expr(*body, &cx.at(&st))?
            }
            // An expression has no mask in which the instance is exchanged for its body.
            ExprKind::Unfolding { body, .. } if program.any(*body, looks_at_amounts) => {
                return self
                    .unknown(id, "`perm` and `forperm` in `unfolding` are not supported by verification conditions");
            }
            ExprKind::Unfolding { body, .. } | ExprKind::Asserting { body, .. } => self.expr(*body, cx)?,
            ExprKind::Applying { body, .. } => match cx.applied.get(&expr).cloned() {
                Some(st) => self.expr(*body, &cx.at(&st))?,
                None => return self.unknown(id, "`applying` is not supported here by verification conditions"),
            },
            ExprKind::PermOf(location) => {
                let place = self.place(location, cx)?;
                self.amount_at(&cx.left, &place)
            }
            ExprKind::ForPerm { vars, location, body, .. } => {
                let (binders, inner) = self.bound(vars, cx);
                let place = self.place(location, &inner)?;
                let held = self.amount_at(&cx.left, &place);
                let body = self.expr(*body, &inner)?;
                let said = held.greater(zero()).implies(body);
                forall(&binders, vec![vec![held]], said)
            }
            ExprKind::SeqLiteral(elements) => self.literal(expr, elements, "append", cx)?,
            ExprKind::SetLiteral(elements) | ExprKind::MultisetLiteral(elements) => {
                self.literal(expr, elements, "union", cx)?
            }
            ExprKind::MapLiteral(entries) => {
                let ty = self.mangled(program.ty(expr), cx);
                let mut map = call(format!("empty#{ty}"), []);
                for (key, value) in entries {
                    let (key, value) = (self.expr(*key, cx)?, self.expr(*value, cx)?);
                    map = call(format!("update#{ty}"), [map, key, value]);
                }
                map
            }
            ExprKind::SeqUpdate(base, index, value) | ExprKind::MapUpdate(base, index, value) => {
                let ty = self.mangled(program.ty(*base), cx);
                let parts = self.exprs(&[*base, *index, *value], cx)?;
                call(format!("update#{ty}"), parts)
            }
            ExprKind::InhaleExhale(assumed, checked) => self.expr(if cx.assumed { *assumed } else { *checked }, cx)?,
            ExprKind::TriggerLocation(location) => {
                let place = self.place(location, cx)?;
                self.value_at(&cx.now, &place)
            }
            ExprKind::Acc { .. } | ExprKind::ForallAcc { .. } | ExprKind::Wand { .. } => {
                return self.unknown(id, "permission has no value here");
            }
        })
    }
    pub fn local(&mut self, local: LocalId, cx: &ExprContext) -> Expr {
        match cx.locals.get(&local) {
            Some(value) => value.clone(),
            None => {
                let ty = self.local_type(local, cx);
                self.body.declare(&names::local(self.program, local).into(), &ty)
            }
        }
    }
    /// The name of a variable that an expression binds, which no variable of a procedure has.
    pub fn bound_name(&self, local: LocalId) -> Name {
        format!("{}'", names::local(self.program, local)).into()
    }
    /// The variables, and the context in which they are bound.
    pub fn bound(&mut self, vars: &[LocalId], cx: &ExprContext) -> (Vec<Binder>, ExprContext) {
        let mut binders = Vec::new();
        let mut inner = cx.clone();
        for var in vars {
            let binder = Binder::new(self.unbound_name(*var, cx), self.local_type(*var, cx));
            inner.bound.insert(binder.name.clone());
            inner.locals.insert(*var, binder.var());
            binders.push(binder);
        }
        (binders, inner)
    }
    /// The name of a variable, or another one where that would capture what is meant outside.
    fn unbound_name(&self, var: LocalId, cx: &ExprContext) -> Name {
        let name = self.bound_name(var);
        let others = (2..).map(|number| format!("{name}~{number}").into());
        let mut names = std::iter::once(name.clone()).chain(others);
        names.find(|name| !cx.bound.contains(name)).expect("finitely many names are bound")
    }
    /// Names that stand for small values are not needed.
    pub fn bind_let(&mut self, local: LocalId, value: &Expr, cx: &ExprContext) -> (Option<Name>, ExprContext) {
        if value.length() < 40 {
            return (None, cx.with([(local, value.clone())]));
        }
        let name = self.unbound_name(local, cx);
        let mut inner = cx.with([(local, var(name.clone()))]);
        inner.bound.insert(name.clone());
        (Some(name), inner)
    }
    pub fn old_state(&self, state: OldState, id: SyntaxId, cx: &ExprContext) -> Result<St> {
        match state {
            OldState::Pre => Ok(cx.old.clone()),
            OldState::Label(label) => Ok(self.label_state(label)),
            OldState::Lhs => match &cx.left_side {
                Some(st) => Ok(st.clone()),
                None => self.unknown(id, "`old[lhs]` is not supported here by verification conditions"),
            },
        }
    }
    pub fn place(&mut self, location: &Location, cx: &ExprContext) -> Result<ResourceInstance> {
        Ok(match location {
            Location::Field { receiver, field } => {
                ResourceInstance { resource: Resource::Field(*field), args: vec![self.expr(*receiver, cx)?] }
            }
            Location::Predicate { predicate, args } => {
                ResourceInstance { resource: Resource::Predicate(*predicate), args: keys(self.exprs(args, cx)?) }
            }
            Location::Wand(wand) => self.wand_place(*wand, cx)?,
        })
    }
    pub fn amount_at(&self, mask: &str, place: &ResourceInstance) -> Expr {
        self.mask(mask, place.resource).at(&place.args)
    }
    pub fn value_at(&self, st: &St, place: &ResourceInstance) -> Expr {
        self.heap(st, place.resource).at(&place.args)
    }
    /// A version of a function at the heaps of a state.
    pub fn application(&self, function: FunctionId, version: &str, args: &[Expr], cx: &ExprContext) -> Expr {
        let heaps = self.behind.functions[function].iter().map(|resource| self.heap(&cx.now, *resource));
        let name = format!("{}{version}", names::function(self.program, function));
        call(name, heaps.chain(args.iter().cloned()))
    }
    pub fn instance(&self, predicate: PredicateId, args: &[Expr], cx: &ExprContext) -> Expr {
        let resource = Resource::Predicate(predicate);
        let place = ResourceInstance { resource, args: keys(args.to_vec()) };
        let value = self.value_at(&cx.now, &place);
        let name = format!("instance#{}", names::resource(self.program, resource));
        call(name, [value].into_iter().chain(place.args))
    }
    pub fn domain_app(&mut self, function: DomainFunctionId, types: &[Type], args: &[Expr], cx: &ExprContext) -> Expr {
        let types = substitute_all(types, &cx.types);
        let program = self.program;
        let declared = &program.domain_functions[function];
        for ty in declared.params.iter().chain([&declared.result]) {
            self.meet(&substitute(ty, &types));
        }
        self.domain_functions.insert((function, types.clone()));
        call(names::domain_function(self.program, function, &types), args.iter().cloned())
    }
    fn literal(&mut self, expr: ExprId, elements: &[ExprId], join: &str, cx: &ExprContext) -> Result<Expr> {
        let ty = self.mangled(self.program.ty(expr), cx);
        let mut parts = Vec::new();
        for element in elements {
            parts.push(call(format!("single#{ty}"), [self.expr(*element, cx)?]));
        }
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_else(|| call(format!("empty#{ty}"), []));
        Ok(parts.fold(first, |all, part| call(format!("{join}#{ty}"), [all, part])))
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, cx: &ExprContext) -> Result<Expr> {
        let ty = self.mangled(self.program.ty(operand), cx);
        let inner = self.expr(operand, cx)?;
        Ok(match op {
            UnaryOp::Not => inner.not(),
            UnaryOp::Minus => inner.negated(),
            UnaryOp::SeqLength | UnaryOp::SetCardinality | UnaryOp::MultisetCardinality | UnaryOp::MapCardinality => {
                call(format!("size#{ty}"), [inner])
            }
            UnaryOp::MapDomain => call(format!("domain#{ty}"), [inner]),
            UnaryOp::MapRange => call(format!("range#{ty}"), [inner]),
        })
    }
    fn binary(&mut self, expr: ExprId, op: BinaryOp, left: ExprId, right: ExprId, cx: &ExprContext) -> Result<Expr> {
        let (program, id) = (self.program, self.id(expr));
        let (left_type, right_type) = (program.ty(left), program.ty(right));
        let (l, r) = (self.expr(left, cx)?, self.expr(right, cx)?);
        Ok(match (op, op.row().kind) {
            (BinaryOp::Eq, _) => self.equal(left_type, &l, &r, cx),
            (BinaryOp::Ne, _) => self.equal(left_type, &l, &r, cx).not(),
            (BinaryOp::MapContains, _) => {
                let Type::Map(from, _) = substitute(right_type, &cx.types) else { return Ok(l.equals(r)) };
                let (set, map) = (self.mangled(&Type::Set(from), cx), self.mangled(right_type, cx));
                call(format!("in#{set}"), [l, call(format!("domain#{map}"), [r])])
            }
            (_, Kind::Scalar(symbol)) => {
                let number = |ty: &Type, value: Expr| match (ty, program.ty(expr)) {
                    (Type::Int, Type::Perm) => value.to_real(),
                    _ => value,
                };
                let (left, right) = (number(left_type, l), number(right_type, r));
                match Binary::written(symbol) {
                    Some(Binary::And) => left.and(right),
                    Some(op) => left.by(op, right),
                    None => return self.unknown(id, "this operator is not supported by verification conditions"),
                }
            }
            (_, Kind::Collection(function, side)) => {
                let collection = match side {
                    Side::Left => left_type,
                    Side::Right => right_type,
                    Side::Result => program.ty(expr),
                };
                call(format!("{function}#{}", self.mangled(collection, cx)), [l, r])
            }
        })
    }
    /// Collections are equal if they have the same elements, which has to be looked at.
    fn equal(&mut self, ty: &Type, left: &Expr, right: &Expr, cx: &ExprContext) -> Expr {
        match substitute(ty, &cx.types) {
            ty @ (Type::Seq(_) | Type::Set(_) | Type::Multiset(_) | Type::Map(..)) => {
                call(format!("equal#{}", self.mangled(&ty, cx)), [left.clone(), right.clone()])
            }
            _ => left.equals(right),
        }
    }
}

fn looks_at_amounts(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::PermOf(_) | ExprKind::ForPerm { .. })
}
