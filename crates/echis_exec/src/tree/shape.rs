//! The shapes of wands that a member meets, as resources.

use crate::state::{Resource, State};
use crate::tree::Writer as TreeWriter;
use echis_base::FastMap;
use echis_program::program::{ExprId, ExprKind, Location};
use echis_program::wand::{self, WandShape};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The shapes of the wands of one member.
#[derive(Default)]
pub(crate) struct Shapes {
    /// Each shape's text, and the versions of earlier heaps that it reads at places that depend on the current one.
    known: BTreeMap<(String, Vec<u64>), u32>,
    of: FastMap<ExprId, Rc<WandShape>>,
    /// The texts of shapes that are quantified over, and all shapes with such texts.
    quantified_texts: BTreeSet<String>,
    quantified: BTreeSet<u32>,
    collected: bool,
}

impl Shapes {
    pub fn is_quantified(&self, shape: u32) -> bool {
        self.quantified.contains(&shape)
    }
    /// The first wand of the shape in the program.
    pub fn some_wand(&self, shape: u32) -> Option<ExprId> {
        let (text, _) = self.known.iter().find(|(_, index)| **index == shape)?.0;
        self.of.iter().filter(|(_, of)| of.text == *text).map(|(wand, _)| *wand).min()
    }
    /// The holes of a wand that occurred already.
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
        let reads_heap = |function| self.context.facts.reads_heap(function);
        let shape = Rc::new(wand::shape(self.context.program, wand, &reads_heap));
        self.shapes.of.insert(wand, shape.clone());
        shape
    }
    /// The resource of wands of this shape in this state.
    pub fn wand_resource(&mut self, st: &State, shape: &WandShape) -> Resource {
        // If `e` in `old(e)` also depends on the current heap, a different old heap makes it a different assertion.
        let versions = shape.olds.iter().map(|(state, _)| st.old.get(state).map_or(0, |heap| heap.version)).collect();
        let next = self.shapes.known.len() as u32;
        let index = *self.shapes.known.entry((shape.text.clone(), versions)).or_insert(next);
        if self.shapes.quantified_texts.contains(&shape.text) {
            self.shapes.quantified.insert(index);
        }
        Resource::Wand(index)
    }
    /// Collects the shapes that occur under quantifiers; these are kept in quantified form everywhere.
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
