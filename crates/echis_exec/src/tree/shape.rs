//! Which wands are the same kind of wand: those that differ only in expressions that do not depend on the heap.
//! Such expressions are the holes of the shape; their values are the arguments of the instance. `old(..)` is a hole:
//! its value is settled when the instance is made. Bound variables are numbered, so their names do not matter.

use crate::context::Context;
use crate::state::{Resource, State};
use crate::tree::Writer as TreeWriter;
use echis_base::FastMap;
use echis_program::program::{ExprId, ExprKind, LocalId, Location, OldState, Program};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::rc::Rc;

/// The shapes of the wands of one member.
#[derive(Default)]
pub(crate) struct Shapes {
    /// The text of a shape, and the versions of earlier heaps that it reads at places that depend on the current one.
    known: BTreeMap<(String, Vec<u64>), u32>,
    of: FastMap<ExprId, Rc<WandShape>>,
    /// The texts of shapes that are quantified over, and all shapes with such texts.
    quantified_texts: BTreeSet<String>,
    quantified: BTreeSet<u32>,
    collected: bool,
}

/// A wand as it is written.
pub(crate) struct WandShape {
    text: String,
    /// Earlier heaps that are read where the value is not settled when an instance is made.
    olds: Vec<OldState>,
    /// Maximal heap-independent expressions, in order of occurrence.
    pub holes: Vec<ExprId>,
}

impl Shapes {
    pub fn is_quantified(&self, shape: u32) -> bool {
        self.quantified.contains(&shape)
    }
    /// Some wand of the shape, as it is written; the same one for everybody.
    pub fn some_wand(&self, shape: u32) -> Option<ExprId> {
        let (text, _) = self.known.iter().find(|(_, index)| **index == shape)?.0;
        self.of.iter().filter(|(_, of)| of.text == *text).map(|(wand, _)| *wand).min()
    }
    /// The holes of a wand that was met.
    pub fn holes_of(&self, is_it: impl Fn(ExprId) -> bool) -> Vec<ExprId> {
        let found = self.of.iter().filter(|(wand, _)| is_it(**wand)).min_by_key(|(wand, _)| **wand);
        found.map(|(_, shape)| shape.holes.clone()).unwrap_or_default()
    }
}

impl TreeWriter<'_> {
    pub fn wand_shape(&mut self, wand: ExprId) -> Rc<WandShape> {
        if !self.shapes.collected {
            self.shapes.collected = true;
            if self.context.reach.quantified_wands {
                self.collect_quantified_wands();
            }
        }
        self.shape_of(wand)
    }
    fn shape_of(&mut self, wand: ExprId) -> Rc<WandShape> {
        if let Some(known) = self.shapes.of.get(&wand) {
            return known.clone();
        }
        let (text, holes) = (String::new(), Vec::new());
        let mut writer = Writer { executor: &self.context, text, holes, olds: Vec::new(), bound: Vec::new() };
        writer.write(wand);
        let Writer { text, holes, olds, .. } = writer;
        let shape = Rc::new(WandShape { text, olds, holes });
        self.shapes.of.insert(wand, shape.clone());
        shape
    }
    /// The resource that wands of the shape are in this state.
    pub fn wand_resource(&mut self, st: &State, shape: &WandShape) -> Resource {
        // `old(e)` in which `e` depends on the current heap as well means another assertion for another old heap.
        let versions = shape.olds.iter().map(|state| st.old.get(state).map_or(0, |heap| heap.version)).collect();
        let next = self.shapes.known.len() as u32;
        let index = *self.shapes.known.entry((shape.text.clone(), versions)).or_insert(next);
        if self.shapes.quantified_texts.contains(&shape.text) {
            self.shapes.quantified.insert(index);
        }
        Resource::Wand(index)
    }
    /// A shape that is quantified over anywhere is kept in quantified form everywhere.
    fn collect_quantified_wands(&mut self) {
        let program = self.context.program;
        let mut wands: Vec<ExprId> = Vec::new();
        for (_, expr) in program.exprs.iter() {
            if let ExprKind::ForallAcc { location: Location::Wand(wand), .. } = &expr.kind {
                wands.push(*wand);
            }
        }
        for method in program.methods.values() {
            if let Some(body) = &method.body {
                body.visit_stmts(&mut |stmt| {
                    if let echis_program::program::StmtKind::QuasihavocAll { location: Location::Wand(wand), .. } =
                        &stmt.kind
                    {
                        wands.push(*wand);
                    }
                });
            }
        }
        for wand in wands {
            let shape = self.shape_of(wand);
            self.shapes.quantified_texts.insert(shape.text.clone());
        }
    }
}

struct Writer<'x, 'a> {
    executor: &'x Context<'a>,
    text: String,
    holes: Vec<ExprId>,
    olds: Vec<OldState>,
    /// Variables bound in the wand, in order of their binders.
    bound: Vec<LocalId>,
}

impl Writer<'_, '_> {
    fn write(&mut self, expr: ExprId) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.write_node(expr));
    }
    fn write_node(&mut self, expr: ExprId) {
        let program = self.executor.program;
        if self.is_hole(expr) {
            let _ = write!(self.text, "_{:?}", program.ty(expr));
            self.holes.push(expr);
            return;
        }
        let kind = program.kind(expr);
        if let ExprKind::Local(local) = kind {
            let number = self.bound.iter().position(|bound| bound == local);
            let _ = write!(self.text, "%{number:?}");
            return;
        }
        if let ExprKind::Old { state: state @ (OldState::Pre | OldState::Label(_)), .. } = kind {
            self.olds.push(*state);
        }
        self.bound.extend(kind.bound());
        self.text.push_str(&head(program, kind));
        self.text.push('(');
        for child in kind.children() {
            self.write(child);
            self.text.push(' ');
        }
        self.text.push(')');
    }
    fn is_hole(&self, expr: ExprId) -> bool {
        self.executor.is_pure(expr)
            && self.is_settled(expr)
            && self.executor.program.free_locals(expr).iter().all(|local| !self.bound.contains(local))
    }
    /// Whether the value is known when the instance is made: it depends on variables and earlier heaps only.
    fn is_settled(&self, expr: ExprId) -> bool {
        let program = self.executor.program;
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
            ExprKind::FunctionApp { function, .. } if self.executor.facts.reads_heap(*function) => false,
            kind => kind.children().iter().all(|child| self.is_settled(*child)),
        }
    }
}

/// A text that is the same for expressions that are written the same.
pub(crate) fn text_of(program: &Program, expr: ExprId) -> String {
    let kind = program.kind(expr);
    let parts: Vec<String> = kind.children().iter().map(|child| text_of(program, *child)).collect();
    format!("{}({})", head(program, kind), parts.join(" "))
}

/// What a node is besides its parts.
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
