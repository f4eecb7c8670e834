//! The trace of a path to its failure: branches taken and values assigned, in order.

use super::value_text::ValueText;
use super::{Event, FailedObligation, HeapPart, TraceStep, heap::Heaps};
use echis_base::SyntaxId;
use echis_findings::Condition;
use echis_findings::diagnose::{self, Place, source_text};
use echis_program::program::{ExprId, ExprKind, StmtKind};
use echis_proof::{Guard, HeapView, NodeId, ProofTree, Step, Target, Written};
use std::collections::BTreeMap;

pub fn steps(
    place: Place<'_>,
    tree: &ProofTree,
    failing: FailedObligation<'_>,
    names: &ValueText<'_>,
    failed: SyntaxId,
) -> Vec<TraceStep> {
    let branches = splits(tree, failing).map(|(node, guard)| {
        let condition = diagnose::condition(place, guard);
        (tree.nodes[node].depth, TraceStep { span: condition.span, event: Event::Branch(condition.text), heap: None })
    });
    let mut steps: Vec<(u32, TraceStep)> = branches.collect();
    let loops = loops(place);
    let program = place.program;
    // A failing statement assigns no value.
    for written in failing.state.trace.iter().filter(|written| written.at != failed) {
        let target = match written.target {
            Target::Local(id) => {
                program.locals.values().find(|local| local.id == id).map(|local| local.name.to_string())
            }
            Target::Field { receiver, field } => {
                program.fields.values().find(|declared| declared.id == field).map(|field| {
                    let sort = tree.terms.sort_of(receiver);
                    format!("{}.{}", names.text(names.value(receiver).as_ref(), sort), field.name)
                })
            }
        };
        let span = program.syntax.span(written.at);
        let value = names.shown(written.value);
        let target = target.unwrap_or_default();
        let event = if loops.contains(&written.at) {
            Event::Loop { target, value }
        } else {
            Event::Assigned { target, value, statement: source_text(place.sources, span) }
        };
        let heap = written.heap.as_ref().and_then(|heap| held(place, failing, names, heap));
        steps.push((tree.nodes[written.node].depth, TraceStep { span, event, heap }));
    }
    steps.sort_by_key(|(depth, _)| *depth);
    steps.into_iter().map(|(_, step)| step).collect()
}

/// The branches of the path, latest first.
fn splits(tree: &ProofTree, failing: FailedObligation<'_>) -> impl Iterator<Item = (NodeId, Guard)> {
    tree.path(failing.at).filter_map(|node| match tree.nodes[node].step {
        Step::Split { negated, .. } => {
            let origin = tree.origin_of(node);
            Some((node, Guard { condition: origin.clause, site: origin.site, negated }))
        }
        _ => None,
    })
}

/// The conditions of a path. Conditions on something that changed later are marked: the values shown are the final
/// ones.
pub fn conditions(
    place: Place<'_>,
    tree: &ProofTree,
    failing: FailedObligation<'_>,
    names: &ValueText<'_>,
    path: Vec<Condition>,
) -> Vec<Condition> {
    let mut splits: Vec<(NodeId, Guard)> = splits(tree, failing).collect();
    let shown = |condition: Condition| {
        // Every condition from the start of the path is that of a branch.
        let found = loop {
            match splits.pop() {
                Some((node, guard)) if diagnose::condition(place, guard) == condition => break Some((node, guard)),
                Some(_) => {}
                None => break None,
            }
        };
        let when = found.and_then(|(node, guard)| when(place, tree, failing, names, (node, guard.condition)));
        Condition { when, ..condition }
    };
    path.into_iter().map(shown).collect()
}

/// Earlier values of variables that were assigned since; for fields, the line of the assignment.
fn when(
    place: Place<'_>,
    tree: &ProofTree,
    failing: FailedObligation<'_>,
    names: &ValueText<'_>,
    (at, condition): (NodeId, SyntaxId),
) -> Option<String> {
    let program = place.program;
    let depth = |node: NodeId| tree.nodes[node].depth;
    let (expr, _) = program.exprs.iter().find(|(_, expr)| expr.id == condition)?;
    let trace = &failing.state.trace;
    let is_later = |written: &&Written| depth(written.node) > depth(at);
    let mut parts = Vec::new();
    for local in program.free_locals(expr) {
        let local = &program.locals[local];
        let writes = || trace.iter().filter(|write| matches!(write.target, Target::Local(id) if id == local.id));
        let then = writes().rfind(|write| !is_later(write)).map(|write| names.shown(write.value).text);
        let now = writes().rfind(is_later).map(|write| names.shown(write.value).text);
        if let (Some(then), Some(now)) = (then, now)
            && then != now
            && then != *local.name
        {
            parts.push(format!("{} = {then}", local.name));
        }
    }
    let mut fields = Vec::new();
    fields_in(place, expr, &mut fields);
    let of_field = |write: &&Written| matches!(write.target, Target::Field { field, .. } if fields.contains(&field));
    if parts.is_empty()
        && let Some(write) = trace.iter().filter(is_later).find(of_field)
    {
        let line = place.sources.position(program.syntax.span(write.at)).start.line;
        parts.push(format!("before line {line}"));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The declarations of the fields that an expression reads.
fn fields_in(place: Place<'_>, expr: ExprId, into: &mut Vec<SyntaxId>) {
    place.program.visit(expr, |part| {
        if let ExprKind::Field { field, .. } = place.program.kind(part) {
            into.push(place.program.fields[*field].id);
        }
        true
    });
}

/// The contents of a heap on the path, without those of predicates. `None` if there is no such heap.
fn held(place: Place<'_>, failing: FailedObligation<'_>, names: &ValueText<'_>, heap: &HeapView) -> Option<HeapPart> {
    let wands = &failing.state.wands;
    let heaps = Heaps { place, program: place.program, wands, names, inventory: Default::default(), sampled: 0 };
    let part = heaps.part(super::state_name(place.program, heap.state), heap, &BTreeMap::new());
    heaps.impossible().is_none().then_some(part)
}

/// The loop statements.
fn loops(place: Place<'_>) -> Vec<SyntaxId> {
    let mut loops = Vec::new();
    for method in place.program.methods.values() {
        if let Some(body) = &method.body {
            body.visit_stmts(&mut |stmt| {
                if matches!(stmt.kind, StmtKind::While { .. } | StmtKind::Label { .. }) {
                    loops.push(stmt.id);
                }
            });
        }
    }
    loops
}
