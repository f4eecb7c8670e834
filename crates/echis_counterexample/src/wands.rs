//! Both sides of a wand instance as text, with the values of expressions that were fixed when the instance was
//! created.

use super::UNSPECIFIED;
use echis_base::{Span, SyntaxId};
use echis_findings::diagnose::{Place, source_text};
use echis_program::program::{BinaryOp, ExprId, ExprKind, Location};

/// The left and the right side. `values` are the values of the `holes`, in order.
pub fn sides(place: Place<'_>, wand: SyntaxId, holes: &[SyntaxId], values: &[String]) -> Option<(String, String)> {
    let program = place.program;
    let is_it = |kind: &ExprKind| matches!(kind, ExprKind::Wand { .. });
    let (_, found) = program.exprs.iter().find(|(_, expr)| expr.id == wand && is_it(&expr.kind))?;
    let ExprKind::Wand { left, right } = found.kind else { return None };
    let mut writer = Writer { place, holes, values, next: 0 };
    Some((writer.text(left), writer.text(right)))
}

/// Visits the wand in the order of its holes.
struct Writer<'a> {
    place: Place<'a>,
    holes: &'a [SyntaxId],
    values: &'a [String],
    next: usize,
}

impl Writer<'_> {
    fn text(&mut self, expr: ExprId) -> String {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.node(expr))
    }
    fn node(&mut self, expr: ExprId) -> String {
        if let Some(value) = self.hole(expr) {
            return value;
        }
        let program = self.place.program;
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => format!("{} && {}", self.text(*left), self.text(*right)),
            ExprKind::Binary(BinaryOp::Implies, left, right) => {
                format!("({} ==> {})", self.text(*left), self.text(*right))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                format!("({} ? {} : {})", self.text(*condition), self.text(*then), self.text(*otherwise))
            }
            ExprKind::Wand { left, right } => format!("({} --* {})", self.text(*left), self.text(*right)),
            ExprKind::Acc { location, amount, .. } => {
                let is_predicate = matches!(location, Location::Predicate { .. });
                let location = self.location(location);
                match self.text(*amount).as_str() {
                    "1/1" | "write" if is_predicate => location,
                    "1/1" | "write" => format!("acc({location})"),
                    amount => format!("acc({location}, {amount})"),
                }
            }
            ExprKind::Field { receiver, field } => {
                format!("{}.{}", self.text(*receiver), program.fields[*field].name)
            }
            _ => self.written(expr),
        }
    }
    fn location(&mut self, location: &Location) -> String {
        let program = self.place.program;
        match location {
            Location::Field { receiver, field } => {
                format!("{}.{}", self.text(*receiver), program.fields[*field].name)
            }
            Location::Predicate { predicate, args } => {
                let args: Vec<String> = args.iter().map(|arg| self.text(*arg)).collect();
                format!("{}({})", program.predicates[*predicate].name, args.join(", "))
            }
            Location::Wand(wand) => self.text(*wand),
        }
    }
    fn hole(&mut self, expr: ExprId) -> Option<String> {
        let program = self.place.program;
        if !program.is_pure(expr) || self.holes.get(self.next) != Some(&program.exprs[expr].id) {
            return None;
        }
        let value = self.values.get(self.next).cloned().unwrap_or_else(|| UNSPECIFIED.to_string());
        self.next += 1;
        Some(value)
    }
    /// The source text with values substituted for holes.
    fn written(&mut self, expr: ExprId) -> String {
        let program = self.place.program;
        let whole = program.syntax.span(program.exprs[expr].id);
        let mut values: Vec<(Span, String)> = Vec::new();
        self.holes_below(expr, &mut values);
        let mut text = String::new();
        let mut from = whole.start;
        for (span, value) in values {
            if whole.contains(span) && span.start >= from {
                text += &source_text(self.place.sources, Span::new(whole.file, from, span.start));
                if text.ends_with(|c: char| !c.is_alphanumeric() && !"([.!".contains(c)) {
                    text.push(' ');
                }
                text += &value;
                from = span.end;
            }
        }
        let rest = source_text(self.place.sources, Span::new(whole.file, from, whole.end));
        if !text.is_empty() && rest.starts_with(|c: char| !")].,".contains(c)) {
            text.push(' ');
        }
        text + &rest
    }
    fn holes_below(&mut self, expr: ExprId, into: &mut Vec<(Span, String)>) {
        let program = self.place.program;
        if let Some(value) = self.hole(expr) {
            return into.push((program.syntax.span(program.exprs[expr].id), value));
        }
        for child in program.kind(expr).children() {
            stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.holes_below(child, into));
        }
    }
}
