//! From structured statements to basic blocks in reverse postorder; loops are determined later.

use super::{BasicBlock, BlockId, BranchKind, End, Irreducible, Step};
use crate::program::{Block, ExprId, LabelId, Program, Stmt, StmtKind};
use echis_base::{IndexVec, SideTable, SyntaxId};

/// The reachable blocks.
pub(super) struct Graph<'p> {
    pub blocks: IndexVec<BlockId, BasicBlock<'p>>,
    pub entry: BlockId,
    /// The `while` or `label` at the start of a block.
    pub leads: IndexVec<BlockId, Option<&'p Stmt>>,
    /// In textual order, without those in unreachable code.
    pub jumps: Vec<Jump>,
    /// All label statements, in textual order.
    pub labels: Vec<&'p Stmt>,
}

/// A `goto` statement.
pub(super) struct Jump {
    pub from: BlockId,
    pub to: BlockId,
    pub id: SyntaxId,
    pub label: SyntaxId,
}

pub(super) fn lower<'p>(program: &'p Program, body: &'p Block) -> Result<Graph<'p>, Irreducible> {
    let mut lowering = Lowering::default();
    let entry = lowering.start_block(None);
    lowering.block(body);
    lowering.finish(program, entry)
}

/// A block under construction. One without an end falls off the end of the body.
struct Raw<'p> {
    stmts: Vec<Step<'p>>,
    end: End,
    lead: Option<&'p Stmt>,
}

#[derive(Default)]
struct Lowering<'p> {
    blocks: IndexVec<BlockId, Raw<'p>>,
    /// The block of each label seen so far.
    targets: SideTable<LabelId, BlockId>,
    /// The block, label and id of each jump; the ends of the blocks are set when all labels are known.
    gotos: Vec<(BlockId, LabelId, SyntaxId)>,
    labels: Vec<&'p Stmt>,
}

impl<'p> Lowering<'p> {
    /// Starts a new block, which becomes the current one.
    fn start_block(&mut self, lead: Option<&'p Stmt>) -> BlockId {
        self.blocks.push(Raw { stmts: Vec::new(), end: End::Return, lead })
    }

    /// The current block. Blocks are created in the order of their statements, so it is the latest one.
    fn current(&self) -> BlockId {
        self.blocks.keys().next_back().expect("the entry is made first")
    }
    fn push(&mut self, step: Step<'p>) {
        let current = self.current();
        self.blocks[current].stmts.push(step);
    }

    /// Ends the current block, falling through to a new one.
    fn fall_into(&mut self, lead: Option<&'p Stmt>) -> BlockId {
        let current = self.current();
        let next = self.start_block(lead);
        self.blocks[current].end = End::Goto(next);
        next
    }

    fn block(&mut self, block: &'p Block) {
        if !block.locals.is_empty() {
            self.push(Step::Havoc(&block.locals));
        }
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
    }

    fn nested(&mut self, block: &'p Block) {
        stacker::maybe_grow(96 * 1024, 2 * 1024 * 1024, || self.block(block));
    }

    fn stmt(&mut self, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::Block(block) => self.nested(block),
            StmtKind::If { condition, then, otherwise } => self.branch(*condition, stmt.id, then, otherwise),
            StmtKind::While { condition, body, .. } => self.repeat(*condition, stmt, body),
            StmtKind::Label { label, .. } => self.label(*label, stmt),
            StmtKind::Goto(label) => {
                self.gotos.push((self.current(), *label, stmt.id));
                // The following code is unreachable, unless it has a label.
                self.start_block(None);
            }
            _ => self.push(Step::Stmt(stmt)),
        }
    }

    fn branch(&mut self, condition: ExprId, site: SyntaxId, then: &'p Block, otherwise: &'p Block) {
        let start = self.current();
        let then_start = self.start_block(None);
        self.nested(then);
        let then_end = self.current();
        let otherwise_start = self.start_block(None);
        self.nested(otherwise);
        let join = self.fall_into(None);
        self.blocks[then_end].end = End::Goto(join);
        self.blocks[start].end =
            End::Branch { condition, site, kind: BranchKind::If, then: then_start, otherwise: otherwise_start };
    }

    fn repeat(&mut self, condition: ExprId, stmt: &'p Stmt, body: &'p Block) {
        let head = self.fall_into(Some(stmt));
        let then = self.start_block(None);
        self.nested(body);
        let body_end = self.current();
        self.blocks[body_end].end = End::Goto(head);
        let otherwise = self.start_block(None);
        self.blocks[head].end = End::Branch { condition, site: stmt.id, kind: BranchKind::While, then, otherwise };
    }

    fn label(&mut self, label: LabelId, stmt: &'p Stmt) {
        let target = self.fall_into(Some(stmt));
        self.targets.replace(label, target);
        self.labels.push(stmt);
        self.push(Step::Stmt(stmt));
    }

    fn finish(mut self, program: &Program, entry: BlockId) -> Result<Graph<'p>, Irreducible> {
        let mut jumps = Vec::new();
        for &(from, label, id) in &self.gotos {
            let declared = program.labels[label].id;
            let Some(&to) = self.targets.get(label) else { return Err(Irreducible { jump: id, label: declared }) };
            self.blocks[from].end = End::Goto(to);
            jumps.push(Jump { from, to, id, label: declared });
        }
        let order = self.reverse_postorder(entry);
        let mut renamed: SideTable<BlockId, BlockId> = SideTable::new();
        let mut blocks = IndexVec::new();
        let mut leads = IndexVec::new();
        for &old in &order {
            let raw = &mut self.blocks[old];
            let stmts = std::mem::take(&mut raw.stmts);
            renamed.set(old, blocks.push(BasicBlock { stmts, end: raw.end, loops: Vec::new(), head_of: None }));
            leads.push(raw.lead);
        }
        let rename = |old: BlockId| *renamed.get(old).expect("what a reached block leads to is reached");
        for (_, block) in blocks.iter_mut() {
            block.end = block.end.renamed(rename);
        }
        jumps.retain(|jump| renamed.get(jump.from).is_some());
        for jump in &mut jumps {
            jump.from = rename(jump.from);
            jump.to = rename(jump.to);
        }
        Ok(Graph { blocks, entry: rename(entry), leads, jumps, labels: self.labels })
    }

    /// The reachable blocks in reverse postorder. The last successor is visited first, so `then` precedes `otherwise`
    /// and a loop precedes what follows it.
    fn reverse_postorder(&self, entry: BlockId) -> Vec<BlockId> {
        let mut seen: SideTable<BlockId, ()> = SideTable::new();
        let mut order = Vec::new();
        let mut open = vec![(entry, self.blocks[entry].end.successors())];
        seen.set(entry, ());
        while let Some((block, rest)) = open.last_mut() {
            match rest.pop() {
                Some(next) if seen.get(next).is_some() => {}
                Some(next) => {
                    seen.set(next, ());
                    open.push((next, self.blocks[next].end.successors()));
                }
                None => {
                    order.push(*block);
                    open.pop();
                }
            }
        }
        order.reverse();
        order
    }
}

impl End {
    fn renamed(self, rename: impl Fn(BlockId) -> BlockId) -> End {
        match self {
            End::Goto(next) => End::Goto(rename(next)),
            End::Branch { condition, site, kind, then, otherwise } => {
                End::Branch { condition, site, kind, then: rename(then), otherwise: rename(otherwise) }
            }
            End::Return => End::Return,
        }
    }
}
