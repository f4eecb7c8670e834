//! The control-flow graph of a method body or proof script: basic blocks, and the loops among them.
//!
//! Loops are the natural loops of the graph (a block that can no longer reach the head is outside, even if it is in
//! the body of the `while`), so jumps need no special rules. A `while` always counts as a loop, even if its body
//! never reaches the head again, so that its invariants are checked. Invariants:
//! * only blocks reachable from the entry are kept, and their keys are a reverse postorder: an edge to a smaller or
//!   the same key is a back edge, and every back edge leads to a loop head that dominates its source;
//! * a loop head is the block of a `while`, which has no statements, or starts with a `label` statement;
//! * loops are numbered by their heads, so an outer loop has a smaller key than nested ones.

mod dominators;
mod lower;
#[cfg(test)]
mod tests;

use crate::program::{Block, Decreases, ExprId, LocalId, Program, Stmt, StmtKind};
use dominators::Dominators;
use echis_base::{IndexVec, SyntaxId, key};
use std::collections::BTreeSet;

key!(BlockId, "b");
key!(LoopId, "loop");

#[derive(Debug)]
pub struct Cfg<'p> {
    pub blocks: IndexVec<BlockId, BasicBlock<'p>>,
    pub entry: BlockId,
    pub loops: IndexVec<LoopId, Loop<'p>>,
    /// Label statements with invariants or `decreases` clauses that are not loop heads, so that the clauses have no
    /// effect.
    pub ignored: Vec<SyntaxId>,
}

#[derive(Debug)]
pub struct BasicBlock<'p> {
    pub stmts: Vec<Step<'p>>,
    pub end: End,
    /// The loops that contain the block, outermost first.
    pub loops: Vec<LoopId>,
    pub head_of: Option<LoopId>,
}

#[derive(Clone, Copy, Debug)]
pub enum Step<'p> {
    /// Never `if`, `while`, `goto` or a block. `label` is included, since it records the heap.
    Stmt(&'p Stmt),
    /// Enters a scope, havocking its variables. A jump into the scope skips this step.
    Havoc(&'p [LocalId]),
}

#[derive(Clone, Copy, Debug)]
pub enum End {
    Goto(BlockId),
    Branch { condition: ExprId, site: SyntaxId, kind: BranchKind, then: BlockId, otherwise: BlockId },
    Return,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BranchKind {
    If,
    While,
}

#[derive(Debug)]
pub struct Loop<'p> {
    pub head: BlockId,
    pub invariants: &'p [ExprId],
    pub decreases: &'p Decreases,
    /// The condition, for a `while`.
    pub condition: Option<ExprId>,
    /// The `while` or `label` statement.
    pub id: SyntaxId,
    pub blocks: BTreeSet<BlockId>,
    /// Every variable that a statement in the loop may change or declare.
    pub assigned: BTreeSet<LocalId>,
}

/// Control flow without loop structure: a loop with several entries, or a jump out of a proof script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Irreducible {
    /// The `goto` statement to blame.
    pub jump: SyntaxId,
    /// The label that it jumps to.
    pub label: SyntaxId,
}

/// Builds the graph of a body. Scripts of `package` statements are separate bodies.
pub fn build<'p>(program: &'p Program, body: &'p Block) -> Result<Cfg<'p>, Irreducible> {
    let graph = lower::lower(program, body)?;
    let successors = graph.blocks.values().map(|block| block.end.successors()).collect();
    let dominators = Dominators::new(successors);
    check_reducible(&graph, &dominators)?;
    Ok(with_loops(graph, &dominators))
}

impl End {
    pub fn successors(&self) -> Vec<BlockId> {
        match *self {
            End::Goto(next) => vec![next],
            End::Branch { then, otherwise, .. } => vec![then, otherwise],
            End::Return => Vec::new(),
        }
    }
}

impl Cfg<'_> {
    /// The loops that an edge leaves, innermost first.
    pub fn left(&self, from: BlockId, to: BlockId) -> impl Iterator<Item = LoopId> {
        let left = self.blocks[from].loops.iter().rev().copied();
        left.filter(move |&key| !self.loops[key].blocks.contains(&to))
    }

    /// Whether an edge is a back edge to the head of a loop that contains its source.
    pub fn is_back_edge(&self, from: BlockId, to: BlockId) -> bool {
        self.blocks[to].head_of.is_some_and(|key| self.loops[key].blocks.contains(&from))
    }
}

fn check_reducible(graph: &lower::Graph, dominators: &Dominators) -> Result<(), Irreducible> {
    for (from, block) in graph.blocks.iter() {
        for to in block.end.successors() {
            if to <= from && !dominators.dominates(to, from) {
                return Err(blame(graph, dominators, from, to));
            }
        }
    }
    Ok(())
}

/// The jump to blame for a back edge that does not lead to a loop head. The edge is part of a cycle with several
/// entries, below the nearest common dominator of its ends; the first `goto` from outside to one of them is to blame.
fn blame(graph: &lower::Graph, dominators: &Dominators, from: BlockId, to: BlockId) -> Irreducible {
    let top = dominators.common(from, to);
    let cycle = dominators.cycle_below(top, to);
    let enters = |jump: &&lower::Jump| cycle.contains(&jump.to) && !cycle.contains(&jump.from);
    let jump = graph.jumps.iter().find(enters);
    let jump = jump.or_else(|| graph.jumps.iter().find(|jump| cycle.contains(&jump.to)));
    let jump = jump.expect("without a jump into a cycle, every cycle is that of a `while`");
    Irreducible { jump: jump.id, label: jump.label }
}

/// Finds the loops and records them in the blocks.
fn with_loops<'p>(graph: lower::Graph<'p>, dominators: &Dominators) -> Cfg<'p> {
    let lower::Graph { mut blocks, leads, entry, labels, .. } = graph;
    let mut loops: IndexVec<LoopId, Loop<'p>> = IndexVec::new();
    for head in blocks.keys() {
        let starts: Vec<BlockId> = dominators.predecessors(head).iter().copied().filter(|&from| from >= head).collect();
        let lead = leads[head].filter(|stmt| !starts.is_empty() || matches!(stmt.kind, StmtKind::While { .. }));
        let Some(lead) = lead else {
            assert!(starts.is_empty(), "an edge that goes back ends at a `while` or a label");
            continue;
        };
        let inside = dominators.natural_loop(head, starts);
        let assigned = inside.iter().flat_map(|&block| &blocks[block].stmts).flat_map(Step::assigned).collect();
        let key = loops.push(Loop::new(head, lead, inside, assigned));
        blocks[head].head_of = Some(key);
        loops[key].blocks.iter().for_each(|&block| blocks[block].loops.push(key));
    }
    let heads: BTreeSet<SyntaxId> = loops.values().map(|found| found.id).collect();
    let ignored = labels.into_iter().filter(|&label| has_clauses(label) && !heads.contains(&label.id));
    let ignored = ignored.map(|label| label.id).collect();
    Cfg { blocks, entry, loops, ignored }
}

impl<'p> Loop<'p> {
    fn new(head: BlockId, lead: &'p Stmt, blocks: BTreeSet<BlockId>, assigned: BTreeSet<LocalId>) -> Self {
        let (invariants, decreases, condition) = match &lead.kind {
            StmtKind::While { condition, invariants, decreases, .. } => (invariants, decreases, Some(*condition)),
            StmtKind::Label { invariants, decreases, .. } => (invariants, decreases, None),
            other => unreachable!("only `while` and `label` begin loops, not {other:?}"),
        };
        Loop { head, invariants, decreases, condition, id: lead.id, blocks, assigned }
    }
}

fn has_clauses(label: &Stmt) -> bool {
    let StmtKind::Label { invariants, decreases, .. } = &label.kind else { return false };
    !invariants.is_empty() || decreases.tuple.is_some() || decreases.wildcard.is_some() || decreases.star.is_some()
}

impl Step<'_> {
    /// The variables that the step may change, including those assigned by a proof script, which may name variables
    /// of the method.
    fn assigned(&self) -> Vec<LocalId> {
        let mut locals = Vec::new();
        match self {
            Step::Havoc(scope) => locals.extend(*scope),
            Step::Stmt(stmt) => {
                locals.extend(stmt.kind.written());
                if let StmtKind::Package { script, .. } = &stmt.kind {
                    locals.extend(&script.locals);
                    script.visit_stmts(&mut |stmt| locals.extend(stmt.kind.written()));
                }
            }
        }
        locals
    }
}
