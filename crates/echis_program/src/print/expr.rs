//! Expressions as text, fully parenthesised. Deep trees are written iteratively, with a work list, into one buffer.

use super::Out;
use crate::program::{
    BinaryOp, ExprId, ExprKind, Form, LocalId, Location, OldState, Part, Parts, PredicateAccess, Quantifier, UnaryOp,
};
use echis_base::Name;
use std::fmt::Write;

/// A work item.
enum Todo {
    Expr(ExprId),
    Text(String),
}

impl Out<'_> {
    pub(super) fn expr(&self, expr: ExprId) -> String {
        self.expr_in(expr, &[])
    }

    pub(super) fn expr_in(&self, expr: ExprId, parameters: &[Name]) -> String {
        let mut text = String::new();
        let mut pending = vec![Todo::Expr(expr)];
        while let Some(todo) = pending.pop() {
            match todo {
                Todo::Text(part) => text.push_str(&part),
                Todo::Expr(expr) => pending.extend(self.parts(expr, parameters).into_iter().rev()),
            }
        }
        text
    }

    fn parts(&self, expr: ExprId, parameters: &[Name]) -> Vec<Todo> {
        let word = |text: &str| vec![Todo::Text(text.into())];
        match self.p().kind(expr) {
            ExprKind::Bool(value) => word(&value.to_string()),
            ExprKind::Int(value) => word(&value.to_string()),
            ExprKind::Local(local) => word(&self.local(*local)),
            ExprKind::Unary(op, operand) => unary(*op, *operand),
            ExprKind::Binary(op, left, right) => binary(*op, *left, *right),
            ExprKind::Conditional(condition, then, otherwise) => {
                join(["(", " ? ", " : ", ")"], [*condition, *then, *otherwise])
            }
            ExprKind::Let { var, value, body } => {
                let head = format!("(let {} == (", self.local(*var));
                join([&head, ") in ", ")"], [*value, *body])
            }
            ExprKind::Quantified { quantifier, vars, triggers, given, body } => {
                let keyword = match quantifier {
                    Quantifier::Forall => "forall",
                    Quantifier::Exists => "exists",
                };
                let mut parts = self.binder(keyword, vars, triggers, *given, parameters);
                parts.extend([Todo::Expr(*body), text(")")]);
                parts
            }
            ExprKind::Field { receiver, field } => {
                let name = format!(".{}", self.p().fields[*field].name);
                join(["", &name], [*receiver])
            }
            ExprKind::FunctionApp { function, args, reveal } => {
                let reveal = if *reveal { "@reveal() " } else { "" };
                call(format!("{reveal}{}", self.p().functions[*function].name), args)
            }
            ExprKind::DomainApp { function, type_args, args } => {
                let mut name = self.p().domain_functions[*function].name.to_string();
                if !type_args.is_empty() {
                    let type_args: Vec<_> = type_args.iter().map(|ty| self.ty(ty, parameters)).collect();
                    let _ = write!(name, "[{}]", type_args.join(", "));
                }
                call(name, args)
            }
            ExprKind::PredicateInstance { predicate, args } => {
                call(format!("#{}", self.p().predicates[*predicate].name), args)
            }
            ExprKind::Old { state, body } => {
                let head = match state {
                    OldState::Pre => "old(".to_owned(),
                    OldState::Label(label) => format!("old[{}](", self.p().labels[*label].name),
                    OldState::Lhs => "old[lhs](".to_owned(),
                };
                join([&head, ")"], [*body])
            }
            ExprKind::Unfolding { access, body } => {
                let mut parts = vec![text("(unfolding ")];
                parts.extend(self.access(access));
                parts.extend([text(" in "), Todo::Expr(*body), text(")")]);
                parts
            }
            ExprKind::Applying { wand, body } => join(["(applying (", ") in ", ")"], [*wand, *body]),
            ExprKind::Asserting { assertion, body } => join(["(asserting (", ") in ", ")"], [*assertion, *body]),
            ExprKind::ForPerm { vars, location, body, .. } => {
                let head = format!("(forperm {} [", self.formals(vars));
                let mut parts = around(&head, self.location(location), "] :: ");
                parts.extend([Todo::Expr(*body), text(")")]);
                parts
            }
            ExprKind::SeqLiteral(items) => call(self.literal("Seq", expr, items, parameters), items),
            ExprKind::SetLiteral(items) => call(self.literal("Set", expr, items, parameters), items),
            ExprKind::MultisetLiteral(items) => call(self.literal("Multiset", expr, items, parameters), items),
            ExprKind::MapLiteral(entries) => {
                let keys: Vec<ExprId> = entries.iter().map(|(key, _)| *key).collect();
                let mut parts = vec![text(&format!("{}(", self.literal("Map", expr, &keys, parameters)))];
                for (index, (key, value)) in entries.iter().enumerate() {
                    let before = if index == 0 { "" } else { ", " };
                    parts.extend([text(before), Todo::Expr(*key), text(" := "), Todo::Expr(*value)]);
                }
                parts.push(text(")"));
                parts
            }
            ExprKind::SeqUpdate(base, index, value) | ExprKind::MapUpdate(base, index, value) => {
                join(["", "[", " := ", "]"], [*base, *index, *value])
            }
            ExprKind::Acc { location, amount, .. } => {
                let mut parts = around("acc(", self.location(location), ", ");
                parts.extend([Todo::Expr(*amount), text(")")]);
                parts
            }
            ExprKind::Wand { left, right } => join(["(", " --* ", ")"], [*left, *right]),
            ExprKind::ForallAcc { vars, triggers, given, condition, location, amount, .. } => {
                let mut parts = self.binder("forall", vars, triggers, *given, parameters);
                parts.extend([Todo::Expr(*condition), text(" ==> acc(")]);
                parts.extend(self.location(location));
                parts.extend([text(", "), Todo::Expr(*amount), text("))")]);
                parts
            }
            ExprKind::InhaleExhale(inhale, exhale) => join(["[", ", ", "]"], [*inhale, *exhale]),
            ExprKind::TriggerLocation(location) => self.location(location),
            kind => {
                let mut operands = Vec::new();
                kind.each_field(&mut |_, field| {
                    let field = self.field(field);
                    if !field.is_empty() && !operands.is_empty() {
                        operands.push(text(", "));
                    }
                    operands.extend(field);
                });
                match operands.is_empty() {
                    true => word(kind.row()),
                    false => around(&format!("{}(", kind.row()), operands, ")"),
                }
            }
        }
    }

    /// The default text of a node's field.
    fn field(&self, field: &dyn Parts) -> Vec<Todo> {
        let mut whole = false;
        let mut todo = Vec::new();
        field.each_part(&mut |part| match part {
            Part::Location(location) => (whole, todo) = (true, self.location(location)),
            Part::Access(access) => (whole, todo) = (true, self.access(access)),
            Part::Expr(expr) if !whole => todo.push(Todo::Expr(expr)),
            Part::Locals(locals) => todo.push(text(&self.formals(locals))),
            Part::Label(label) => todo.push(text(&self.p().labels[label].name)),
            Part::Field(field) => todo.push(text(&self.p().fields[field].name)),
            Part::Function(function) => todo.push(text(&self.p().functions[function].name)),
            Part::DomainFunction(function) => todo.push(text(&self.p().domain_functions[function].name)),
            Part::Predicate(predicate) => todo.push(text(&self.p().predicates[predicate].name)),
            Part::Method(method) => todo.push(text(&self.p().methods[method].name)),
            Part::Integer(value) => todo.push(text(&value.to_string())),
            Part::Types(types) => todo.extend(types.iter().map(|ty| text(&self.ty(ty, &[])))),
            Part::Expr(_) | Part::Block(_) | Part::Triggers(_) | Part::Decreases(_) => {}
            Part::Syntax(_) | Part::Number(_) => {}
        });
        todo
    }

    /// `None` if the field has no text.
    pub(super) fn field_text(&self, field: &dyn Parts) -> Option<String> {
        let todo = self.field(field);
        (!todo.is_empty()).then(|| self.text_of(todo))
    }

    /// An empty literal shows its type.
    fn literal(&self, name: &str, expr: ExprId, items: &[ExprId], parameters: &[Name]) -> String {
        match items.is_empty() {
            true => self.ty(self.p().ty(expr), parameters),
            false => name.into(),
        }
    }

    /// The part of a quantifier before its body; inferred triggers are marked.
    fn binder(
        &self,
        keyword: &str,
        vars: &[LocalId],
        triggers: &[Vec<ExprId>],
        given: bool,
        parameters: &[Name],
    ) -> Vec<Todo> {
        let formal =
            |var: &LocalId| format!("{}: {}", self.local(*var), self.ty(&self.p().locals[*var].ty, parameters));
        let vars: Vec<_> = vars.iter().map(formal).collect();
        let mut parts = vec![text(&format!("({keyword} {} :: ", vars.join(", ")))];
        let open = if given { "{ " } else { "{? " };
        for set in triggers {
            parts.push(text(open));
            for (index, term) in set.iter().enumerate() {
                parts.extend([text(if index == 0 { "" } else { ", " }), Todo::Expr(*term)]);
            }
            parts.push(text(" } "));
        }
        parts
    }

    fn location(&self, location: &Location) -> Vec<Todo> {
        match location {
            Location::Field { receiver, field } => {
                let name = format!(".{}", self.p().fields[*field].name);
                join(["", &name], [*receiver])
            }
            Location::Predicate { predicate, args } => call(self.p().predicates[*predicate].name.to_string(), args),
            Location::Wand(wand) => vec![Todo::Expr(*wand)],
        }
    }

    pub(super) fn location_text(&self, location: &Location) -> String {
        self.text_of(self.location(location))
    }

    fn text_of(&self, parts: Vec<Todo>) -> String {
        let piece = |part| match part {
            Todo::Text(text) => text,
            Todo::Expr(expr) => self.expr(expr),
        };
        parts.into_iter().map(piece).collect()
    }

    fn access(&self, access: &PredicateAccess) -> Vec<Todo> {
        let name = self.p().predicates[access.predicate].name.to_string();
        let mut parts = around("acc(", call(name, &access.args), ", ");
        parts.extend([Todo::Expr(access.amount), text(")")]);
        parts
    }
}

fn text(text: &str) -> Todo {
    Todo::Text(text.into())
}

fn around(before: &str, parts: Vec<Todo>, after: &str) -> Vec<Todo> {
    let mut all = vec![text(before)];
    all.extend(parts);
    all.push(text(after));
    all
}

/// Texts alternating with expressions.
fn join<const T: usize, const E: usize>(texts: [&str; T], exprs: [ExprId; E]) -> Vec<Todo> {
    let mut parts = Vec::new();
    for (index, part) in texts.into_iter().enumerate() {
        parts.push(text(part));
        parts.extend(exprs.get(index).map(|expr| Todo::Expr(*expr)));
    }
    parts
}

fn call(name: String, args: &[ExprId]) -> Vec<Todo> {
    let mut parts = vec![Todo::Text(name), text("(")];
    for (index, arg) in args.iter().enumerate() {
        parts.extend([text(if index == 0 { "" } else { ", " }), Todo::Expr(*arg)]);
    }
    parts.push(text(")"));
    parts
}

fn unary(op: UnaryOp, operand: ExprId) -> Vec<Todo> {
    match op {
        UnaryOp::Not => join(["!", ""], [operand]),
        UnaryOp::Minus => join(["-", ""], [operand]),
        UnaryOp::SeqLength | UnaryOp::SetCardinality | UnaryOp::MultisetCardinality | UnaryOp::MapCardinality => {
            join(["|", "|"], [operand])
        }
        UnaryOp::MapDomain => join(["domain(", ")"], [operand]),
        UnaryOp::MapRange => join(["range(", ")"], [operand]),
    }
}

fn binary(op: BinaryOp, left: ExprId, right: ExprId) -> Vec<Todo> {
    match op.row().form {
        Form::Around(texts) => join(texts, [left, right]),
        Form::Infix(symbol) => join(["(", &format!(" {symbol} "), ")"], [left, right]),
    }
}
