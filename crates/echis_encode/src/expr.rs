//! Pure expressions as text. `defined` checks their definedness.

use crate::encoder::{Encoder, ExprContext, LONGEST, ResourceInstance, Result, St, keys, let_in};
use crate::names;
use crate::resource::Resource;
use echis_base::SyntaxId;
use echis_program::program::{
    BinaryOp, DomainFunctionId, ExprId, ExprKind, FunctionId, Kind, LocalId, Location, OldState, PredicateId,
    Quantifier, Side, Type, UnaryOp,
};
use echis_program::reach::{substitute, substitute_all};

impl Encoder<'_> {
    pub fn expr(&mut self, expr: ExprId, cx: &ExprContext) -> Result<String> {
        let text = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.expr_kind(expr, cx))?;
        self.bounded(expr, text)
    }
    /// Limits the length of texts that repeat others, which could grow without bound.
    pub fn bounded(&self, expr: ExprId, text: String) -> Result<String> {
        match text.len() > LONGEST {
            true => self.unknown(self.id(expr), "this is too large for verification conditions"),
            false => Ok(text),
        }
    }
    pub fn exprs(&mut self, exprs: &[ExprId], cx: &ExprContext) -> Result<Vec<String>> {
        exprs.iter().map(|expr| self.expr(*expr, cx)).collect()
    }
    fn expr_kind(&mut self, expr: ExprId, cx: &ExprContext) -> Result<String> {
        let program = self.program;
        let id = self.id(expr);
        if let Some(value) = cx.settled.get(&expr) {
            return Ok(value.clone());
        }
        Ok(match program.kind(expr) {
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Int(value) => match value.to_string() {
                text if text.starts_with('-') => format!("({text})"),
                text => text,
            },
            ExprKind::Null => "null".into(),
            ExprKind::Write => "1.0".into(),
            ExprKind::NonePerm => "0.0".into(),
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
                let parts = self.exprs(&[*condition, *then, *otherwise], cx)?;
                format!("(if {} then {} else {})", parts[0], parts[1], parts[2])
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
                let word = if *quantifier == Quantifier::Forall { "forall" } else { "exists" };
                format!("({word} {binders} ::{triggers} {body})")
            }
            ExprKind::Field { receiver, field } => {
                let receiver = self.expr(*receiver, cx)?;
                let heap = self.heap(&cx.now, Resource::Field(*field));
                format!("{heap}[{receiver}]")
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
            // Text cannot replace the instance by its body in a mask.
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
                format!("(forall {binders} :: {{{held}}} {held} > 0.0 ==> {body})")
            }
            ExprKind::SeqLiteral(elements) => self.literal(expr, elements, "append", cx)?,
            ExprKind::SetLiteral(elements) | ExprKind::MultisetLiteral(elements) => {
                self.literal(expr, elements, "union", cx)?
            }
            ExprKind::MapLiteral(entries) => {
                let ty = self.mangled(program.ty(expr), cx);
                let mut map = format!("empty#{ty}()");
                for (key, value) in entries {
                    let (key, value) = (self.expr(*key, cx)?, self.expr(*value, cx)?);
                    map = format!("update#{ty}({map}, {key}, {value})");
                }
                map
            }
            ExprKind::SeqUpdate(base, index, value) | ExprKind::MapUpdate(base, index, value) => {
                let ty = self.mangled(program.ty(*base), cx);
                let parts = self.exprs(&[*base, *index, *value], cx)?;
                format!("update#{ty}({})", parts.join(", "))
            }
            ExprKind::InhaleExhale(assumed, checked) => self.expr(if cx.assumed { *assumed } else { *checked }, cx)?,
            ExprKind::TriggerLocation(location) => {
                let place = self.place(location, cx)?;
                let heap = self.heap(&cx.now, place.resource);
                format!("{heap}[{}]", place.args.join(", "))
            }
            ExprKind::Acc { .. } | ExprKind::ForallAcc { .. } | ExprKind::Wand { .. } => {
                return self.unknown(id, "permission has no value here");
            }
        })
    }
    pub fn local(&mut self, local: LocalId, cx: &ExprContext) -> String {
        match cx.locals.get(&local) {
            Some(text) => text.clone(),
            None => {
                let name = names::local(self.program, local);
                let ty = self.local_type(local, cx);
                self.body.declare(&name, &ty);
                name
            }
        }
    }
    /// The name of a bound variable, distinct from all variables of procedures.
    pub fn bound_name(&self, local: LocalId) -> String {
        format!("{}'", names::local(self.program, local))
    }
    /// `x: int, y: Ref`
    pub fn bound(&mut self, vars: &[LocalId], cx: &ExprContext) -> (String, ExprContext) {
        let mut binders = Vec::new();
        let mut inner = cx.clone();
        for var in vars {
            let (name, ty) = (self.unbound_name(*var, cx), self.local_type(*var, cx));
            binders.push(format!("{name}: {ty}"));
            inner.bound.insert(name.clone());
            inner.locals.insert(*var, name);
        }
        (binders.join(", "), inner)
    }
    /// The name of a variable, renamed if it would capture an outer one.
    fn unbound_name(&self, var: LocalId, cx: &ExprContext) -> String {
        let name = self.bound_name(var);
        let others = (2..).map(|number| format!("{name}~{number}"));
        let mut names = std::iter::once(name.clone()).chain(others);
        names.find(|name| !cx.bound.contains(name)).expect("finitely many names are bound")
    }
    /// Short values need no name.
    pub fn bind_let(&mut self, var: LocalId, value: &str, cx: &ExprContext) -> (Option<String>, ExprContext) {
        if value.len() < 40 {
            return (None, cx.with([(var, value.to_string())]));
        }
        let name = self.unbound_name(var, cx);
        let mut inner = cx.with([(var, name.clone())]);
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
    pub fn amount_at(&mut self, mask: &str, place: &ResourceInstance) -> String {
        let mask = self.mask(mask, place.resource);
        format!("{mask}[{}]", place.args.join(", "))
    }
    pub fn value_at(&mut self, st: &St, place: &ResourceInstance) -> String {
        let heap = self.heap(st, place.resource);
        format!("{heap}[{}]", place.args.join(", "))
    }
    /// An application of a version of a function to the heaps of a state.
    pub fn application(&mut self, function: FunctionId, version: &str, args: &[String], cx: &ExprContext) -> String {
        let resources: Vec<Resource> = self.behind.functions[function].iter().copied().collect();
        let mut all: Vec<String> = resources.into_iter().map(|resource| self.heap(&cx.now, resource)).collect();
        all.extend(args.iter().cloned());
        format!("{}{version}({})", names::function(self.program, function), all.join(", "))
    }
    pub fn instance(&mut self, predicate: PredicateId, args: &[String], cx: &ExprContext) -> String {
        let resource = Resource::Predicate(predicate);
        let place = ResourceInstance { resource, args: keys(args.to_vec()) };
        let value = self.value_at(&cx.now, &place);
        format!("instance#{}({value}, {})", names::resource(self.program, resource), place.args.join(", "))
    }
    pub fn domain_app(
        &mut self,
        function: DomainFunctionId,
        types: &[Type],
        args: &[String],
        cx: &ExprContext,
    ) -> String {
        let types = substitute_all(types, &cx.types);
        let program = self.program;
        let declared = &program.domain_functions[function];
        for ty in declared.params.iter().chain([&declared.result]) {
            self.meet(&substitute(ty, &types));
        }
        self.domain_functions.insert((function, types.clone()));
        format!("{}({})", names::domain_function(self.program, function, &types), args.join(", "))
    }
    fn literal(&mut self, expr: ExprId, elements: &[ExprId], join: &str, cx: &ExprContext) -> Result<String> {
        let ty = self.mangled(self.program.ty(expr), cx);
        let mut parts = Vec::new();
        for element in elements {
            parts.push(format!("single#{ty}({})", self.expr(*element, cx)?));
        }
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_else(|| format!("empty#{ty}()"));
        Ok(parts.fold(first, |all, part| format!("{join}#{ty}({all}, {part})")))
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprId, cx: &ExprContext) -> Result<String> {
        let ty = self.mangled(self.program.ty(operand), cx);
        let inner = self.expr(operand, cx)?;
        Ok(match op {
            UnaryOp::Not => format!("!({inner})"),
            UnaryOp::Minus => format!("(-({inner}))"),
            UnaryOp::SeqLength | UnaryOp::SetCardinality | UnaryOp::MultisetCardinality | UnaryOp::MapCardinality => {
                format!("size#{ty}({inner})")
            }
            UnaryOp::MapDomain => format!("domain#{ty}({inner})"),
            UnaryOp::MapRange => format!("range#{ty}({inner})"),
        })
    }
    fn binary(&mut self, expr: ExprId, op: BinaryOp, left: ExprId, right: ExprId, cx: &ExprContext) -> Result<String> {
        let program = self.program;
        let (left_type, right_type) = (program.ty(left), program.ty(right));
        let (l, r) = (self.expr(left, cx)?, self.expr(right, cx)?);
        Ok(match (op, op.row().kind) {
            (BinaryOp::Eq, _) => self.equal(left_type, &l, &r, cx),
            (BinaryOp::Ne, _) => format!("!{}", self.equal(left_type, &l, &r, cx)),
            (BinaryOp::MapContains, _) => {
                let Type::Map(from, _) = substitute(right_type, &cx.types) else { return Ok(format!("({l} == {r})")) };
                let (set, map) = (self.mangled(&Type::Set(from), cx), self.mangled(right_type, cx));
                format!("in#{set}({l}, domain#{map}({r}))")
            }
            (_, Kind::Scalar(symbol)) => {
                let number = |ty: &Type, text: String| match (ty, program.ty(expr)) {
                    (Type::Int, Type::Perm) => format!("real({text})"),
                    _ => text,
                };
                format!("({} {symbol} {})", number(left_type, l), number(right_type, r))
            }
            (_, Kind::Collection(function, side)) => {
                let collection = match side {
                    Side::Left => left_type,
                    Side::Right => right_type,
                    Side::Result => program.ty(expr),
                };
                format!("{function}#{}({l}, {r})", self.mangled(collection, cx))
            }
        })
    }
    /// Collections are equal if they have the same elements, which requires the extensional equality.
    fn equal(&mut self, ty: &Type, left: &str, right: &str, cx: &ExprContext) -> String {
        match substitute(ty, &cx.types) {
            ty @ (Type::Seq(_) | Type::Set(_) | Type::Multiset(_) | Type::Map(..)) => {
                format!("equal#{}({left}, {right})", self.mangled(&ty, cx))
            }
            _ => format!("({left} == {right})"),
        }
    }
}

fn looks_at_amounts(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::PermOf(_) | ExprKind::ForPerm { .. })
}
