//! The control-flow graph of a body, in which calls of procedures marked `{:inline}` are expanded.

use crate::limits::BLOCKS;
use echis_base::{Name, SyntaxId};
use echis_boogie::Program;
use echis_boogie::ast::{ExprId, Measure};
use echis_boogie::attributes::Known;
use echis_boogie::program::{Block as Body, Clause, Code, ImplementationId, ProcedureId, Stmt, StmtKind};
use std::collections::HashMap;

/// One activation of a body: that of the member itself is the first.
pub type Frame = usize;

#[derive(Default)]
pub struct Graph<'a> {
    pub blocks: Vec<Block<'a>>,
    /// The body of each frame.
    pub frames: Vec<ImplementationId>,
    /// Whether inlining was cut off because of too many blocks.
    pub too_large: bool,
}

#[derive(Default)]
pub struct Block<'a> {
    /// The frame of its statements.
    pub frame: Frame,
    pub cmds: Vec<(Frame, Cmd<'a>)>,
    pub next: Vec<usize>,
}

#[derive(Clone, Copy)]
pub enum Cmd<'a> {
    Stmt(&'a Stmt),
    Guard {
        condition: ExprId,
        negated: bool,
        id: SyntaxId,
    },
    Invariant(&'a Clause),
    Measure(&'a Measure),
    /// The end of the member, with the statement or brace where it is.
    Exit(SyntaxId),
    /// A call whose inlined body follows, in another frame.
    Enter {
        call: &'a Stmt,
        inner: Frame,
    },
    Leave {
        call: &'a Stmt,
        inner: Frame,
    },
    /// The end of a code expression.
    Yield(ExprId),
    /// Nothing follows.
    Stop,
}

pub fn build(program: &Program, implementation: ImplementationId) -> Graph<'_> {
    let graph = Graph { frames: vec![implementation], ..Graph::default() };
    let mut builder = Builder { program, graph, calls: vec![program.implementations[implementation].procedure] };
    let start = builder.block(0);
    builder.body(0, start, None);
    builder.graph
}

/// The graph of a code expression, whose statements belong to no body.
pub fn build_code<'a>(program: &'a Program, code: &'a Code) -> Graph<'a> {
    let mut builder = Builder { program, graph: Graph::default(), calls: Vec::new() };
    let start = builder.block(0);
    let mut jumps = Jumps::default();
    builder.stmts(0, &code.body.stmts, start, &mut jumps, None);
    builder.graph
}

/// The body that replaces calls of the procedure, and the inlining depth.
pub fn inlined(program: &Program, procedure: ProcedureId) -> Option<(ImplementationId, usize)> {
    let attributes = &program.procedures[procedure].attributes;
    let depth = usize::try_from(program.tree.number_attribute(attributes, Known::Inline)?.clone()).ok()?;
    let found = program.implementations.iter().find(|(_, found)| found.procedure == procedure)?;
    (depth > 0).then_some((found.0, depth))
}

struct Builder<'a> {
    program: &'a Program,
    graph: Graph<'a>,
    /// The enclosing inlined procedures.
    calls: Vec<ProcedureId>,
}

/// Jump targets within one body.
#[derive(Default)]
struct Jumps {
    labels: HashMap<Name, usize>,
    /// Enclosing statements, outermost first.
    around: Vec<Around>,
    /// The target of `return`; `None` if it ends the member.
    exit: Option<usize>,
}

/// An enclosing statement that can be left by `break`.
struct Around {
    label: Option<Name>,
    is_loop: bool,
    /// The block after it.
    after: usize,
    /// Whether nothing follows it: leaving it ends the body.
    is_last: bool,
}

impl<'a> Builder<'a> {
    fn block(&mut self, frame: Frame) -> usize {
        self.graph.blocks.push(Block { frame, ..Block::default() });
        self.graph.blocks.len() - 1
    }
    fn push(&mut self, block: usize, frame: Frame, cmd: Cmd<'a>) {
        self.graph.blocks[block].cmds.push((frame, cmd));
    }
    fn goto(&mut self, from: usize, to: usize) {
        self.graph.blocks[from].next.push(to);
    }

    fn body(&mut self, frame: Frame, start: usize, exit: Option<usize>) {
        let program = self.program;
        let body: &'a Body = &program.implementations[self.graph.frames[frame]].body;
        let mut jumps = Jumps { exit, ..Jumps::default() };
        let end = self.stmts(frame, &body.stmts, start, &mut jumps, Some(body.end));
        self.leave(frame, end, body.end, &jumps);
    }
    fn leave(&mut self, frame: Frame, block: usize, at: SyntaxId, jumps: &Jumps) {
        match jumps.exit {
            Some(exit) => self.goto(block, exit),
            None => self.push(block, frame, Cmd::Exit(at)),
        }
    }

    /// Returns the block where execution continues. `tail` is the closing brace, if nothing follows in the whole
    /// body.
    fn stmts(
        &mut self,
        frame: Frame,
        stmts: &'a [Stmt],
        start: usize,
        jumps: &mut Jumps,
        tail: Option<SyntaxId>,
    ) -> usize {
        let mut block = start;
        let mut label: Option<Name> = None;
        for (position, stmt) in stmts.iter().enumerate() {
            let tail = tail.filter(|_| position + 1 == stmts.len());
            if let StmtKind::Label(name) = &stmt.kind {
                let target = self.labelled(frame, name, jumps);
                self.goto(block, target);
                (block, label) = (target, Some(name.clone()));
                continue;
            }
            block = stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
                self.stmt(frame, stmt, block, label.take(), jumps, tail)
            });
        }
        block
    }
    fn labelled(&mut self, frame: Frame, name: &Name, jumps: &mut Jumps) -> usize {
        if let Some(block) = jumps.labels.get(name) {
            return *block;
        }
        let block = self.block(frame);
        jumps.labels.insert(name.clone(), block);
        block
    }

    fn stmt(
        &mut self,
        frame: Frame,
        stmt: &'a Stmt,
        block: usize,
        label: Option<Name>,
        jumps: &mut Jumps,
        tail: Option<SyntaxId>,
    ) -> usize {
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                let (yes, no, after) = (self.block(frame), self.block(frame), self.block(frame));
                self.goto(block, yes);
                self.goto(block, no);
                self.guards(frame, stmt, *condition, yes, no);
                jumps.around.push(Around { label, is_loop: false, after, is_last: tail.is_some() });
                let (then_end, else_end) = (then.end, otherwise.as_ref().map(|block| block.end));
                let yes = self.stmts(frame, &then.stmts, yes, jumps, tail.map(|_| then_end));
                let no = match otherwise {
                    Some(otherwise) => self.stmts(frame, &otherwise.stmts, no, jumps, tail.map(|_| otherwise.end)),
                    None => no,
                };
                jumps.around.pop();
                // A branch at the end of the body ends it at its own brace, a missing one at the `if`.
                match tail {
                    Some(_) => {
                        self.leave(frame, yes, then_end, jumps);
                        self.leave(frame, no, else_end.unwrap_or(stmt.id), jumps);
                    }
                    None => {
                        self.goto(yes, after);
                        self.goto(no, after);
                    }
                }
                after
            }
            StmtKind::While { condition, invariants, measures, body } => {
                let (head, inside, after) = (self.block(frame), self.block(frame), self.block(frame));
                self.goto(block, head);
                invariants.iter().for_each(|clause| self.push(head, frame, Cmd::Invariant(clause)));
                measures.iter().for_each(|measure| self.push(head, frame, Cmd::Measure(measure)));
                self.goto(head, inside);
                let done = self.block(frame);
                self.goto(head, done);
                self.guards(frame, stmt, *condition, inside, done);
                jumps.around.push(Around { label, is_loop: true, after, is_last: tail.is_some() });
                let end = self.stmts(frame, &body.stmts, inside, jumps, None);
                jumps.around.pop();
                self.goto(end, head);
                match tail {
                    // A loop at the end of the body ends it.
                    Some(_) => self.leave(frame, done, stmt.id, jumps),
                    None => self.goto(done, after),
                }
                after
            }
            StmtKind::Break(target) => {
                let found = jumps.around.iter().rev().find(|around| match target {
                    Some(target) => around.label.as_ref() == Some(target),
                    None => around.is_loop,
                });
                match found.map(|around| (around.after, around.is_last)) {
                    Some((_, true)) => self.leave(frame, block, stmt.id, jumps),
                    Some((after, false)) => self.goto(block, after),
                    None => {}
                }
                self.block(frame)
            }
            StmtKind::Goto(labels) => {
                for label in labels {
                    let target = self.labelled(frame, label, jumps);
                    self.goto(block, target);
                }
                self.block(frame)
            }
            StmtKind::Return => {
                self.leave(frame, block, stmt.id, jumps);
                self.block(frame)
            }
            StmtKind::Yield(value) => {
                self.push(block, frame, Cmd::Yield(*value));
                self.block(frame)
            }
            StmtKind::Call { procedure, .. } => self.call(frame, stmt, *procedure, block),
            _ => {
                self.push(block, frame, Cmd::Stmt(stmt));
                block
            }
        }
    }
    fn guards(&mut self, frame: Frame, stmt: &Stmt, condition: Option<ExprId>, yes: usize, no: usize) {
        if let Some(condition) = condition {
            self.push(yes, frame, Cmd::Guard { condition, negated: false, id: stmt.id });
            self.push(no, frame, Cmd::Guard { condition, negated: true, id: stmt.id });
        }
    }

    fn call(&mut self, frame: Frame, stmt: &'a Stmt, procedure: ProcedureId, block: usize) -> usize {
        let Some((implementation, depth)) = inlined(self.program, procedure) else {
            self.push(block, frame, Cmd::Stmt(stmt));
            return block;
        };
        let around = self.calls.iter().filter(|call| **call == procedure).count();
        if around >= depth || self.graph.blocks.len() > BLOCKS {
            // Deeper activations are cut off, as in Boogie.
            self.graph.too_large |= self.graph.blocks.len() > BLOCKS;
            self.push(block, frame, Cmd::Stop);
            return self.block(frame);
        }
        self.graph.frames.push(implementation);
        let inner = self.graph.frames.len() - 1;
        self.push(block, frame, Cmd::Enter { call: stmt, inner });
        let (start, exit) = (self.block(inner), self.block(frame));
        self.goto(block, start);
        self.calls.push(procedure);
        self.body(inner, start, Some(exit));
        self.calls.pop();
        self.push(exit, frame, Cmd::Leave { call: stmt, inner });
        exit
    }
}
