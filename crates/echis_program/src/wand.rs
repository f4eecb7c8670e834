//! Determines which wands are of the same kind: those that differ only in heap-independent expressions. Such
//! expressions are the holes of the shape; their values are the arguments of the instance. `old(..)` is a hole: its
//! value is fixed when the instance is created. Bound variables are numbered, so their names do not matter.

use crate::program::{ExprId, ExprKind, FunctionId, LocalId, Location, OldState, Program};
use crate::walk::guarded;
use std::fmt::Write;

/// A wand in the program.
pub struct WandShape {
    /// Equal for wands that differ at most in their holes.
    pub text: String,
    /// `old` expressions whose value is not fixed when an instance is created, and the states they read.
    pub olds: Vec<(OldState, ExprId)>,
    /// Maximal heap-independent expressions, in order of occurrence.
    pub holes: Vec<ExprId>,
}

/// The shape of a wand. `reads_heap` tells which functions read the heap.
pub fn shape(program: &Program, wand: ExprId, reads_heap: &dyn Fn(FunctionId) -> bool) -> WandShape {
    let shape = WandShape { text: String::new(), olds: Vec::new(), holes: Vec::new() };
    let mut writer = Writer { program, reads_heap, shape, bound: Vec::new() };
    writer.write(wand);
    writer.shape
}

struct Writer<'a> {
    program: &'a Program,
    reads_heap: &'a dyn Fn(FunctionId) -> bool,
    shape: WandShape,
    /// Variables bound in the wand, in order of their binders.
    bound: Vec<LocalId>,
}

impl Writer<'_> {
    fn write(&mut self, expr: ExprId) {
        guarded(|| self.write_node(expr));
    }
    fn write_node(&mut self, expr: ExprId) {
        let program = self.program;
        if self.is_hole(expr) {
            let _ = write!(self.shape.text, "_{:?}", program.ty(expr));
            self.shape.holes.push(expr);
            return;
        }
        let kind = program.kind(expr);
        if let ExprKind::Local(local) = kind {
            let number = self.bound.iter().position(|bound| bound == local);
            let _ = write!(self.shape.text, "%{number:?}");
            return;
        }
        if let ExprKind::Old { state: state @ (OldState::Pre | OldState::Label(_)), .. } = kind {
            self.shape.olds.push((*state, expr));
        }
        self.bound.extend(kind.bound());
        self.shape.text.push_str(&head(program, kind));
        self.shape.text.push('(');
        for child in kind.children() {
            self.write(child);
            self.shape.text.push(' ');
        }
        self.shape.text.push(')');
    }
    fn is_hole(&self, expr: ExprId) -> bool {
        self.program.is_pure(expr)
            && self.is_settled(expr)
            && self.program.free_locals(expr).iter().all(|local| !self.bound.contains(local))
    }
    /// Whether the value is known when the instance is created: it depends only on variables and earlier heaps.
    fn is_settled(&self, expr: ExprId) -> bool {
        let program = self.program;
        match program.kind(expr) {
            ExprKind::Old { state: OldState::Pre | OldState::Label(_), .. } => {
                !program.any(expr, |kind| matches!(kind, ExprKind::Old { state: OldState::Lhs, .. }))
            }
            ExprKind::Field { .. }
            | ExprKind::PredicateInstance { .. }
            | ExprKind::Old { .. }
            | ExprKind::Unfolding { .. }
            | ExprKind::Applying { .. }
            | ExprKind::Asserting { .. }
            | ExprKind::PermOf(_)
            | ExprKind::ForPerm { .. }
            | ExprKind::Acc { .. }
            | ExprKind::Wand { .. }
            | ExprKind::ForallAcc { .. }
            | ExprKind::InhaleExhale(..)
            | ExprKind::TriggerLocation(_)
            | ExprKind::Wildcard
            | ExprKind::Epsilon => false,
            ExprKind::FunctionApp { function, .. } if (self.reads_heap)(*function) => false,
            kind => kind.children().iter().all(|child| self.is_settled(*child)),
        }
    }
}

/// A text that is equal for syntactically equal expressions.
pub fn text_of(program: &Program, expr: ExprId) -> String {
    let kind = program.kind(expr);
    let parts: Vec<String> = kind.children().iter().map(|child| text_of(program, *child)).collect();
    format!("{}({})", head(program, kind), parts.join(" "))
}

/// The text of a node without its parts.
fn head(program: &Program, kind: &ExprKind) -> String {
    let types = |vars: &[LocalId]| vars.iter().map(|var| format!("{:?},", program.locals[*var].ty)).collect::<String>();
    match kind {
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Null => "null".into(),
        ExprKind::Write => "write".into(),
        ExprKind::NonePerm => "none".into(),
        ExprKind::Wildcard => "wildcard".into(),
        ExprKind::Epsilon => "epsilon".into(),
        ExprKind::Local(local) => format!("{local:?}"),
        ExprKind::Result => "result".into(),
        ExprKind::Unary(op, _) => format!("{op:?}"),
        ExprKind::Binary(op, ..) => format!("{op:?}"),
        ExprKind::Conditional(..) => "cond".into(),
        ExprKind::Let { .. } => "let".into(),
        ExprKind::Quantified { quantifier, vars, .. } => format!("{quantifier:?} {}", types(vars)),
        ExprKind::Field { field, .. } => format!("field {field:?}"),
        ExprKind::FunctionApp { function, reveal, .. } => format!("app {function:?} {reveal}"),
        ExprKind::DomainApp { function, type_args, .. } => format!("domain {function:?} {type_args:?}"),
        ExprKind::PredicateInstance { predicate, .. } => format!("instance {predicate:?}"),
        ExprKind::Old { state, .. } => format!("old {state:?}"),
        ExprKind::Unfolding { access, .. } => format!("unfolding {:?}", access.predicate),
        ExprKind::Applying { .. } => "applying".into(),
        ExprKind::Asserting { .. } => "asserting".into(),
        ExprKind::PermOf(location) => format!("perm {}", location_head(location)),
        ExprKind::ForPerm { vars, location, .. } => format!("forperm {} {}", types(vars), location_head(location)),
        ExprKind::SeqLiteral(items) => format!("seq {}", items.len()),
        ExprKind::SetLiteral(items) => format!("set {}", items.len()),
        ExprKind::MultisetLiteral(items) => format!("multiset {}", items.len()),
        ExprKind::MapLiteral(items) => format!("map {}", items.len()),
        ExprKind::SeqUpdate(..) => "seq-update".into(),
        ExprKind::MapUpdate(..) => "map-update".into(),
        ExprKind::Acc { location, .. } => format!("acc {}", location_head(location)),
        ExprKind::Wand { .. } => "wand".into(),
        ExprKind::ForallAcc { vars, location, .. } => format!("all {} {}", types(vars), location_head(location)),
        ExprKind::InhaleExhale(..) => "inhale-exhale".into(),
        ExprKind::TriggerLocation(location) => format!("trigger {}", location_head(location)),
    }
}

fn location_head(location: &Location) -> String {
    match location {
        Location::Field { field, .. } => format!("{field:?}"),
        Location::Predicate { predicate, .. } => format!("{predicate:?}"),
        Location::Wand(_) => "wand".into(),
    }
}
