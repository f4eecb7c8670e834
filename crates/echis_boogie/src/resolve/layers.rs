//! Layers of yield procedures in concurrent programs. They are not verified, but measures in them belong to layers.

use super::Resolver;
use crate::ast::{Argument, Attribute, Block, ExprKind, Layer, Measure, Procedure, Stmt, StmtKind};
use crate::attributes::Known;

impl Resolver<'_> {
    pub(super) fn layers(&mut self, decl: &Procedure) {
        let Some(layer) = decl.layer else { return };
        decl.measures.iter().for_each(|measure| self.measure_layers(measure, layer));
        if let Some(body) = &decl.body {
            self.loop_layers(&body.stmts, layer);
        }
    }
    fn loop_layers(&mut self, stmts: &[Stmt], layer: Layer) {
        for stmt in stmts {
            let mut inside = |block: &Block| {
                stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.loop_layers(&block.stmts, layer));
            };
            match &stmt.kind {
                StmtKind::If { then, otherwise, .. } => {
                    [Some(then), otherwise.as_ref()].into_iter().flatten().for_each(inside)
                }
                StmtKind::While { measures, body, .. } => {
                    inside(body);
                    measures.iter().for_each(|measure| self.measure_layers(measure, layer));
                }
                _ => {}
            }
        }
    }
    fn measure_layers(&mut self, measure: &Measure, layer: Layer) {
        let layers = self.layer_numbers(&measure.attributes);
        if layers.is_empty() {
            self.error(measure.span, "measure command in a yield procedure must specify at least one layer");
        }
        if let Some(most) = layer.number
            && layers.iter().any(|number| *number > most)
        {
            self.error(measure.span, format!("each layer must not be more than {most}"));
        }
    }
    fn layer_numbers(&self, attributes: &[Attribute]) -> Vec<u32> {
        let found = attributes.iter().filter(|attribute| attribute.is(Known::Layer));
        let number = |argument: &Argument| match argument {
            Argument::Expr(value) => match &self.tree.exprs[*value].kind {
                ExprKind::Int(number) => u32::try_from(number.clone()).ok(),
                _ => None,
            },
            Argument::Text(_) => None,
        };
        found.flat_map(|attribute| &attribute.args).filter_map(number).collect()
    }
}
