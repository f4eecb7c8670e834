//! Snapshots: the values of everything that an assertion gives access to.

use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result, let_in};
use crate::resource::Resource;
use crate::write::zero;
use echis_boogie::build::{self, Expr, call, conditional, lambda, var};
use echis_program::program::{BinaryOp, ExprId, ExprKind};

impl Encoder<'_> {
    pub fn snapshot(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Expr> {
        let value = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.snapshot_kind(expr, cx))?;
        self.bounded(expr, value)
    }
    pub fn snapshots(&mut self, exprs: &[ExprId], cx: &ExprContext) -> Result<Expr> {
        let mut all = unit();
        for expr in exprs.iter().rev() {
            let part = self.snapshot(*expr, cx)?;
            all = pair(part, all);
        }
        Ok(all)
    }
    fn snapshot_kind(&mut self, expr: ExprId, cx: &ExprContext) -> Result<Expr> {
        let program = self.program;
        if program.is_pure(expr) {
            return Ok(unit());
        }
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let (left, right) = (self.snapshot(*left, cx)?, self.snapshot(*right, cx)?);
                Ok(pair(left, right))
            }
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                let (condition, body) = (self.expr(*condition, cx)?, self.snapshot(*body, cx)?);
                Ok(if_some(condition, body, unit()))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.expr(*condition, cx)?;
                let (then, otherwise) = (self.snapshot(*then, cx)?, self.snapshot(*otherwise, cx)?);
                Ok(if_some(condition, then, otherwise))
            }
            ExprKind::Let { var, value, body } => {
                let value = self.expr(*value, cx)?;
                let (name, inner) = self.bind_let(*var, &value, cx);
                let body = self.snapshot(*body, &inner)?;
                Ok(let_in(name, &value, body))
            }
            ExprKind::InhaleExhale(assumed, checked) => self.snapshot(if cx.assumed { *assumed } else { *checked }, cx),
            ExprKind::Acc { location, amount, .. } => {
                let place = self.place(location, cx)?;
                let value = self.boxed(&place, cx);
                match program.kind(*amount) {
                    ExprKind::Wildcard | ExprKind::Write => Ok(value),
                    _ => {
                        let amount = self.expr(*amount, cx)?;
                        Ok(if_some(amount.greater(zero()), value, unit()))
                    }
                }
            }
            ExprKind::ForallAcc { vars, condition, location, amount, .. } => {
                let (binders, inner) = self.bound(vars, cx);
                let types = binders.iter().map(|var| var.ty.clone()).collect();
                let place = self.place(location, &inner)?;
                let condition = self.expr(*condition, &inner)?;
                let held = match program.kind(*amount) {
                    ExprKind::Wildcard | ExprKind::Write => condition,
                    _ => condition.and(self.expr(*amount, &inner)?.greater(zero())),
                };
                let value = self.value_at(&cx.now, &place);
                let value_type = self.value_type(place.resource);
                let default = self.default(&value_type);
                let values = lambda(&binders, conditional(held, value, default));
                Ok(self.boxed_value(build::Type::map(types, value_type), values))
            }
            ExprKind::Wand { .. } => {
                let place = self.wand_place(expr, cx)?;
                Ok(self.value_at(&cx.now, &place))
            }
            _ => self.unknown(self.id(expr), "this assertion is not supported by verification conditions"),
        }
    }
    fn boxed(&mut self, place: &ResourceInstance, cx: &ExprContext) -> Expr {
        let value = self.value_at(&cx.now, place);
        match place.resource {
            Resource::Predicate(_) | Resource::Wand(_) => value,
            Resource::Field(_) => {
                let ty = self.value_type(place.resource);
                self.boxed_value(ty, value)
            }
        }
    }
    /// Makes a snapshot of a value.
    fn boxed_value(&mut self, ty: build::Type, value: Expr) -> Expr {
        let text = ty.to_string();
        let name = box_name(&text);
        self.boxes.insert(text, ty);
        call(name, [value])
    }
    /// A value of which nothing is known.
    fn default(&mut self, ty: &build::Type) -> Expr {
        let text = ty.to_string();
        let name = unbox_name(&text);
        self.boxes.insert(text, ty.clone());
        call(name, [unit()])
    }
}

/// Encodes a type as part of a name.
fn in_name(ty: &str) -> String {
    ty.chars()
        .map(|c| match c {
            '[' => '$',
            ']' => '^',
            ',' => '?',
            ' ' => '_',
            c => c,
        })
        .collect()
}
pub fn box_name(ty: &str) -> String {
    format!("box#{}", in_name(ty))
}
pub fn unbox_name(ty: &str) -> String {
    format!("unbox#{}", in_name(ty))
}

fn unit() -> Expr {
    var("unit")
}
fn pair(left: Expr, right: Expr) -> Expr {
    match (left == unit(), right == unit()) {
        (true, true) => left,
        _ => call("pair", [left, right]),
    }
}
fn if_some(condition: Expr, then: Expr, otherwise: Expr) -> Expr {
    if then == otherwise { then } else { conditional(condition, then, otherwise) }
}
