//! How a path came to its failure: the branches it took and the values it assigned, in order.

use super::value_text::ValueText;
use super::{Event, FailedObligation, HeapPart, TraceStep, heap::Heaps};
use echis_findings::diagnose::{self, Place, source_text};
use echis_program::program::StmtKind;
use echis_proof::{Guard, HeapView, ProofTree, Step, Target};
use std::collections::BTreeMap;

pub fn steps(
    place: Place<'_>,
    tree: &ProofTree,
    failing: FailedObligation<'_>,
    names: &ValueText<'_>,
) -> Vec<TraceStep> {
    let branches = tree.path(failing.at).filter_map(|node| match tree.nodes[node].step {
        Step::Split { negated, .. } => {
            let guard = Guard { condition: tree.origin_of(node).clause, site: tree.origin_of(node).site, negated };
            let condition = diagnose::condition(place, guard);
            let event = Event::Branch(condition.text);
            Some((tree.nodes[node].depth, TraceStep { span: condition.span, event, heap: None }))
        }
        _ => None,
    });
    let mut steps: Vec<(u32, TraceStep)> = branches.collect();
    let loops = loops(place);
    let program = place.program;
    for written in &failing.state.trace {
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

/// What is held in a heap of the path, without what is inside of predicates. Nothing, if there is no such heap.
fn held(place: Place<'_>, failing: FailedObligation<'_>, names: &ValueText<'_>, heap: &HeapView) -> Option<HeapPart> {
    let wands = &failing.state.wands;
    let heaps = Heaps { place, program: place.program, wands, names, inventory: Default::default() };
    let part = heaps.part(super::state_name(place.program, heap.state), heap, &BTreeMap::new());
    heaps.impossible().is_none().then_some(part)
}

/// The statements that are heads of loops.
fn loops(place: Place<'_>) -> Vec<echis_base::SyntaxId> {
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
