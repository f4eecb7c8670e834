//! Joins: the state at the start of a block.

use super::hiding::Hiding;
use super::{BlockEnd, Round};
use echis_boogie::Program;
use echis_boogie::program::VarId;
use echis_boogie::types::Type;
use echis_proof::{Origin, Part};
use echis_term::{Made, Scope, TermId};
use std::collections::BTreeSet;

impl Round<'_> {
    /// Computes the state at the start of a block from the ends of its predecessors.
    pub(super) fn join(&mut self, block: usize) {
        if block == 0 {
            return;
        }
        let (mut before, mut blocks): (Vec<BlockEnd>, Vec<usize>) = (Vec::new(), Vec::new());
        for (from, place) in &self.ends {
            let edges = self.graph.blocks[*from].next.iter().filter(|next| **next == block).count();
            if edges > 0 && !self.loops.back.contains(&(*from, block)) {
                before.push(place.clone());
                blocks.push(*from);
            }
        }
        let origin = Origin { part: Part::Guard, ..self.origin(self.member) };
        let reached = self.encoder.fresh(Made::Reached, &Type::Bool);
        let edges: Vec<TermId> = match before.len() {
            1 => vec![reached],
            count => (0..count).map(|_| self.encoder.fresh(Made::Edge, &Type::Bool)).collect(),
        };
        if before.len() != 1 {
            let some = self.encoder.terms.or(edges.clone());
            let fact = self.encoder.terms.implies(reached, some);
            self.define_rule(fact, origin);
        }
        for (edge, place) in edges.iter().zip(&before) {
            let fact = self.encoder.terms.implies(*edge, place.reached);
            self.define_rule(fact, origin);
        }
        self.history.enter(block, blocks.into_iter().zip(edges.iter().copied()).collect());
        let Some(first) = before.first() else {
            self.place.reached = self.encoder.terms.falsity();
            return;
        };
        let mut values = first.values.clone();
        let vars: Vec<VarId> = before.iter().flat_map(|place| place.values.keys().copied()).collect();
        for var in vars.into_iter().collect::<BTreeSet<_>>() {
            let found: Vec<Option<TermId>> = before.iter().map(|place| place.values.get(&var).copied()).collect();
            let Some(value) = found.iter().flatten().next().copied() else { continue };
            if found.iter().all(|other| *other == Some(value)) {
                values.insert(var, value);
                continue;
            }
            let sort = self.encoder.terms.sort_of(value);
            let name = self.program.vars[var].name.clone();
            let merged = self.encoder.terms.fresh(&Scope::default(), &name, &[], sort);
            for (edge, found) in edges.iter().zip(&found) {
                if let Some(found) = found {
                    let equation = self.encoder.eq(merged, *found);
                    let fact = self.encoder.terms.implies(*edge, equation);
                    self.define_rule(fact, origin);
                }
            }
            values.insert(var, merged);
        }
        let mut hiding = first.hiding.clone();
        for place in &before[1..] {
            if place.hiding != hiding {
                hiding = merged_hiding(self.program, &hiding, &place.hiding);
            }
        }
        self.place = BlockEnd { reached, values, hiding };
    }
}

/// Hides what either branch hides.
fn merged_hiding(program: &Program, a: &Hiding, b: &Hiding) -> Hiding {
    let hidden = program.functions.keys().filter(|function| a.hides(*function) || b.hides(*function));
    let outer = if a.outer.len() <= b.outer.len() { a.outer.clone() } else { b.outer.clone() };
    Hiding { all: false, except: hidden.collect(), outer }
}
