//! `refute` statements: one is an error unless some path reaches it without proving it.
//!
//! Where `false` is not proved, it is not proved earlier on the same path either, with fewer facts. So of the
//! `refute false` on a path, the last one is tried first, when the path ends.

use crate::exec::Executor;
use crate::heap::Layer;
use crate::state::{Mode, Obligation, State, Stop};
use echis_base::SyntaxId;
use echis_program::program::{Block, ExprId, ExprKind, MethodId, StmtKind};
use echis_proof::{ErrorKind, NodeId, ProofTree, Property, Reason};
use std::collections::BTreeSet;

#[derive(Default)]
pub(super) struct Refutes {
    /// The assertions that some path reached without proving them.
    refuted: BTreeSet<SyntaxId>,
    /// The `refute false` that were reached and are not yet tried, in the order of execution.
    waiting: Vec<Waiting>,
}

/// A `refute false`, with the state that reached it.
struct Waiting {
    st: State,
    assertion: ExprId,
    mode: Mode,
}

impl Executor<'_> {
    /// Records whether a `refute` is proved on this path.
    pub(super) fn refute(&mut self, st: &State, assertion: ExprId, mode: Mode) {
        if st.is_dead() || self.refutes.refuted.contains(&self.context.syntax(assertion)) {
            return;
        }
        if matches!(self.context.program.kind(assertion), ExprKind::Bool(false)) {
            self.try_refutes_apart_from(Some(st.at));
            self.refutes.waiting.push(Waiting { st: st.clone(), assertion, mode });
        } else if !self.is_proved(st, assertion, mode) {
            self.refutes.refuted.insert(self.context.syntax(assertion));
        }
    }

    /// Tries the `refute false` that are not on the path to this node; `None` means all.
    pub(super) fn try_refutes_apart_from(&mut self, at: Option<NodeId>) {
        loop {
            let tree = &self.eval.memory.writer.tree;
            let continues = |last: &Waiting| at.is_some_and(|at| is_on_path(tree, last.st.at, at));
            let Some(Waiting { st, assertion, mode }) = self.refutes.waiting.pop_if(|last| !continues(last)) else {
                return;
            };
            if self.is_proved(&st, assertion, mode) {
                continue;
            }
            self.refutes.refuted.insert(self.context.syntax(assertion));
            let tree = &self.eval.memory.writer.tree;
            let earlier = self.refutes.waiting.extract_if(.., |other| is_on_path(tree, other.st.at, st.at));
            self.refutes.refuted.extend(earlier.map(|other| self.context.syntax(other.assertion)));
        }
    }

    /// Whether an assertion is proved in a copy of the state. If it is undefined, it is not.
    fn is_proved(&mut self, st: &State, assertion: ExprId, mode: Mode) -> bool {
        let cx = mode.cx(ErrorKind::Refute, self.context.syntax(assertion));
        let mark = self.eval.memory.writer.mark();
        let mut scratch = st.aside();
        let holds = self.tentatively(mode, |executor, mode| {
            match executor.eval.assert_copy(&mut scratch, assertion, &cx.within(mode)) {
                Err(Stop::Infeasible) => Ok(()),
                result => result,
            }
        });
        self.eval.memory.writer.release(mark);
        holds.is_some()
    }

    /// Reports `refute` statements that were proved on every path that reached them. Nothing is reported if paths were
    /// left out, since these may reach them.
    pub(super) fn report_refutes(&mut self, id: MethodId) {
        if self.eval.memory.writer.is_hopeless() {
            return;
        }
        self.try_refutes_apart_from(None);
        let mut refutes: Vec<ExprId> = Vec::new();
        if let Some(body) = &self.context.program.methods[id].body {
            collect_refutes(body, &mut refutes);
        }
        for expr in refutes {
            let at = self.context.syntax(expr);
            if !self.refutes.refuted.contains(&at) {
                let property = Property { error: ErrorKind::Refute, at, reason: Reason::RefutationTrue, offending: at };
                let st = State::new(self.eval.memory.writer.tree.root());
                let _ = self.eval.memory.writer.fail(&st, Obligation::other(property), None, Mode::default());
            }
        }
    }
}

/// Whether a node is on the path from the root to another one.
fn is_on_path(tree: &ProofTree, node: NodeId, to: NodeId) -> bool {
    tree.nodes[node].depth <= tree.nodes[to].depth && tree.common_ancestor(node, to) == node
}

fn collect_refutes(block: &Block, refutes: &mut Vec<ExprId>) {
    let mut blocks = vec![block];
    while let Some(block) = blocks.pop() {
        for stmt in &block.stmts {
            if let StmtKind::Refute(expr) = &stmt.kind {
                refutes.push(*expr);
            }
            blocks.extend(stmt.kind.blocks());
        }
    }
}
