//! `{:selective_checking}`: only code reached after `assume {:start_checking_here} e` is checked, and other
//! assertions are assumed. The author asked for this, as with `{:verify false}`.

use crate::graph::{Cmd, Graph};
use echis_boogie::Program;
use echis_boogie::ast::Attribute;
use echis_boogie::attributes::{Known, has_attribute};
use echis_boogie::program::ImplementationId;
use std::collections::BTreeSet;

pub(super) struct Selection {
    /// Blocks reachable from where checking starts. `None`: everything is checked.
    reached: Option<BTreeSet<usize>>,
    /// Whether checking has started in the current block.
    started: bool,
}

impl Selection {
    pub fn of(program: &Program, implementation: ImplementationId, graph: &Graph<'_>) -> Self {
        let body = &program.implementations[implementation];
        let is_on = |attributes: &[Attribute]| program.tree.is_on(attributes, Known::SelectiveChecking);
        let selective = is_on(&body.attributes) || is_on(&program.procedures[body.procedure].attributes);
        Selection { reached: selective.then(|| reached(graph)), started: false }
    }
    /// Starts another block.
    pub fn begin(&mut self) {
        self.started = false;
    }
    pub fn meet(&mut self, attributes: &[Attribute]) {
        self.started |= starts(attributes);
    }
    pub fn checks(&self, block: usize) -> bool {
        self.started || self.reached.as_ref().is_none_or(|reached| reached.contains(&block))
    }
}

fn starts(attributes: &[Attribute]) -> bool {
    has_attribute(attributes, Known::StartCheckingHere)
}

/// The blocks after those in which checking starts; these themselves only if they are on a cycle.
fn reached(graph: &Graph<'_>) -> BTreeSet<usize> {
    let is_start = |cmds: &[(usize, Cmd<'_>)]| {
        cmds.iter().any(|(_, cmd)| matches!(cmd, Cmd::Stmt(stmt) if starts(&stmt.attributes)))
    };
    let blocks = graph.blocks.iter();
    let mut pending: Vec<usize> =
        blocks.filter(|block| is_start(&block.cmds)).flat_map(|block| block.next.iter().copied()).collect();
    let mut found = BTreeSet::new();
    while let Some(block) = pending.pop() {
        if found.insert(block) {
            pending.extend(graph.blocks[block].next.iter().copied());
        }
    }
    found
}
