//! Snapshots: the values of everything that an assertion gives access to.

use crate::encoder::{Encoder, ExprContext, ResourceInstance, Result, let_in};
use crate::resource::Resource;
use echis_program::program::{BinaryOp, ExprId, ExprKind};

impl Encoder<'_> {
    pub fn snapshot(&mut self, expr: ExprId, cx: &ExprContext) -> Result<String> {
        let text = stacker::maybe_grow(256 * 1024, 4 * 1024 * 1024, || self.snapshot_kind(expr, cx))?;
        self.bounded(expr, text)
    }
    pub fn snapshots(&mut self, exprs: &[ExprId], cx: &ExprContext) -> Result<String> {
        let mut all = String::from("unit");
        for expr in exprs.iter().rev() {
            let part = self.snapshot(*expr, cx)?;
            all = pair(&part, &all);
        }
        Ok(all)
    }
    fn snapshot_kind(&mut self, expr: ExprId, cx: &ExprContext) -> Result<String> {
        let program = self.program;
        if program.is_pure(expr) {
            return Ok("unit".into());
        }
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let (left, right) = (self.snapshot(*left, cx)?, self.snapshot(*right, cx)?);
                Ok(pair(&left, &right))
            }
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                let (condition, body) = (self.expr(*condition, cx)?, self.snapshot(*body, cx)?);
                Ok(if_some(&condition, body, "unit"))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let condition = self.expr(*condition, cx)?;
                let (then, otherwise) = (self.snapshot(*then, cx)?, self.snapshot(*otherwise, cx)?);
                Ok(if_some(&condition, then, &otherwise))
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
                        Ok(if_some(&format!("({amount} > 0.0)"), value, "unit"))
                    }
                }
            }
            ExprKind::ForallAcc { vars, condition, location, amount, .. } => {
                let (binders, inner) = self.bound(vars, cx);
                let types: Vec<String> = vars.iter().map(|var| self.local_type(*var, cx)).collect();
                let place = self.place(location, &inner)?;
                let condition = self.expr(*condition, &inner)?;
                let held = match program.kind(*amount) {
                    ExprKind::Wildcard | ExprKind::Write => condition,
                    _ => format!("({condition} && {} > 0.0)", self.expr(*amount, &inner)?),
                };
                let value = self.value_at(&cx.now, &place);
                let value_type = self.value_type(place.resource);
                let map = format!("[{}]{value_type}", types.join(","));
                let default = self.default(&value_type);
                let values = format!("(lambda {binders} :: if {held} then {value} else {default})");
                Ok(format!("{}({values})", self.box_name(&map)))
            }
            ExprKind::Wand { .. } => {
                let place = self.wand_place(expr, cx)?;
                Ok(self.value_at(&cx.now, &place))
            }
            _ => self.unknown(self.id(expr), "this assertion is not supported by verification conditions"),
        }
    }
    fn boxed(&mut self, place: &ResourceInstance, cx: &ExprContext) -> String {
        let value = self.value_at(&cx.now, place);
        match place.resource {
            Resource::Predicate(_) | Resource::Wand(_) => value,
            Resource::Field(_) => {
                let ty = self.value_type(place.resource);
                format!("{}({value})", self.box_name(&ty))
            }
        }
    }
    /// The function that boxes a value into a snapshot.
    pub fn box_name(&mut self, ty: &str) -> String {
        self.boxes.insert(ty.to_string());
        box_name(ty)
    }
    /// An unconstrained value.
    fn default(&mut self, ty: &str) -> String {
        self.boxes.insert(ty.to_string());
        format!("{}(unit)", unbox_name(ty))
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

pub fn pair(left: &str, right: &str) -> String {
    match (left, right) {
        ("unit", "unit") => "unit".into(),
        _ => format!("pair({left}, {right})"),
    }
}
fn if_some(condition: &str, then: String, otherwise: &str) -> String {
    if then == otherwise { then } else { format!("(if {condition} then {then} else {otherwise})") }
}
