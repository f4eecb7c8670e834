//! Bodies with jumps, block by block. Each loop of the graph is cut at its head, like a `while` loop: its invariants
//! are asserted at entry and at back edges, and what they do not take is framed until the loop is left.

use crate::encoder::{Encoder, ExprContext, Result, St};
use crate::resource::{Resource, Resources};
use crate::termination::Start;
use crate::write::{Blame, one, zero};
use echis_base::{Key, Name};
use echis_boogie::build::{Expr, forall, no, var};
use echis_program::cfg::{self, BlockId, BranchKind, Cfg, End, Loop, LoopId, Step};
use echis_program::program::{Block, Decreases, ExprId, LocalId, Stmt, StmtKind};
use echis_proof::ErrorKind;
use std::collections::{BTreeMap, BTreeSet};

struct Graph<'p> {
    cfg: Cfg<'p>,
    number: usize,
    starts: BTreeMap<LoopId, Option<Start>>,
    /// Unreachable `refute` statements.
    unreached: BTreeSet<ExprId>,
}

impl Graph<'_> {
    fn name(&self, block: BlockId) -> Name {
        format!("block{}~{}", self.number, block.index()).into()
    }
    fn end(&self) -> Name {
        format!("end{}~", self.number).into()
    }
    fn frame(&self, key: LoopId) -> St {
        St::named(&format!("frame{}~{}.", self.number, key.index()))
    }
}

impl Encoder<'_> {
    /// The body of a method.
    pub fn code(&mut self, body: &Block, cx: &ExprContext) -> Result<()> {
        let mut jumps = false;
        body.visit_stmts(&mut |stmt: &Stmt| jumps |= matches!(stmt.kind, StmtKind::Goto(_)));
        if !jumps {
            return self.block(body, cx);
        }
        let program = self.program;
        let cfg = match cfg::build(program, body) {
            Ok(cfg) => cfg,
            Err(irreducible) => return self.unknown(irreducible.jump, "this jump makes a loop with several entries"),
        };
        let mut unreached = BTreeSet::new();
        body.visit_stmts(&mut |stmt: &Stmt| {
            if let StmtKind::Refute(assertion) = &stmt.kind {
                unreached.insert(*assertion);
            }
        });
        let mut graph = Graph { cfg, number: self.number(), starts: BTreeMap::new(), unreached };
        self.body.goto(graph.name(graph.cfg.entry));
        let blocks: Vec<BlockId> = graph.cfg.blocks.keys().collect();
        for block in blocks {
            self.graph_block(&mut graph, block, cx)?;
        }
        self.body.label(graph.end());
        graph.unreached.iter().for_each(|assertion| self.refute_nowhere(*assertion));
        Ok(())
    }
    fn graph_block(&mut self, graph: &mut Graph<'_>, block: BlockId, cx: &ExprContext) -> Result<()> {
        self.body.label(graph.name(block));
        let head = graph.cfg.blocks[block].head_of;
        if let Some(key) = head
            && graph.cfg.loops[key].condition.is_none()
        {
            let start = self.start_iteration(graph.cfg.loops[key].decreases, cx)?;
            graph.starts.insert(key, start);
        }
        for index in 0..graph.cfg.blocks[block].stmts.len() {
            match graph.cfg.blocks[block].stmts[index] {
                Step::Havoc(locals) => self.havoc(locals, cx),
                Step::Stmt(stmt) => {
                    if let StmtKind::Refute(assertion) = &stmt.kind {
                        graph.unreached.remove(assertion);
                    }
                    self.stmt(stmt, cx)?;
                }
            }
        }
        match graph.cfg.blocks[block].end {
            End::Return => {
                self.body.goto(graph.end());
                Ok(())
            }
            End::Goto(next) => self.edge(graph, block, next, cx),
            End::Branch { condition, kind, then, otherwise, .. } => {
                let error = if kind == BranchKind::If { ErrorKind::If } else { ErrorKind::While };
                let blame = Blame { error, at: self.id(condition) };
                let holds = self.checked(condition, cx, blame)?;
                self.body.begin(holds);
                if let (Some(key), BranchKind::While) = (head, kind) {
                    let start = self.start_iteration(graph.cfg.loops[key].decreases, cx)?;
                    graph.starts.insert(key, start);
                }
                self.edge(graph, block, then, cx)?;
                self.body.otherwise();
                self.edge(graph, block, otherwise, cx)?;
                self.body.end();
                Ok(())
            }
        }
    }
    pub fn havoc(&mut self, locals: &[LocalId], cx: &ExprContext) {
        for local in locals {
            let name = self.local(*local, cx);
            self.body.havoc(&[&name]);
        }
    }
    /// Follows an edge: leaves loops, enters one, or returns to a loop head.
    fn edge(&mut self, graph: &mut Graph<'_>, from: BlockId, to: BlockId, cx: &ExprContext) -> Result<()> {
        let left: Vec<LoopId> = graph.cfg.left(from, to).collect();
        let all = self.resources.clone();
        for key in left {
            self.combine(&cx.now, &graph.frame(key), &all);
        }
        let head = graph.cfg.blocks[to].head_of;
        let goal = match head {
            Some(key) if graph.cfg.is_back_edge(from, to) => {
                let start = graph.starts.get(&key).cloned().flatten();
                self.come_back(&graph.cfg.loops[key], start, cx)?;
                graph.end()
            }
            Some(key) => {
                self.enter(&graph.cfg.loops[key], &graph.frame(key), cx)?;
                graph.name(to)
            }
            None => graph.name(to),
        };
        self.body.goto(goal);
        Ok(())
    }
    fn enter(&mut self, entered: &Loop<'_>, frame: &St, cx: &ExprContext) -> Result<()> {
        let assigned: Vec<LocalId> = entered.assigned.iter().copied().collect();
        self.check_termination_of_loop(entered.condition, entered.decreases, entered.id, cx)?;
        self.establish(entered.invariants, &assigned, cx)?;
        self.copy(&cx.now, frame);
        self.havoc(&assigned, cx);
        self.arbitrary_iteration(entered.invariants, cx)
    }
    fn come_back(&mut self, ended: &Loop<'_>, start: Option<Start>, cx: &ExprContext) -> Result<()> {
        self.finish_loop(ended.condition, ended.invariants, ended.decreases, start, cx)?;
        self.body.assume(no());
        Ok(())
    }

    // Shared by all loops.

    /// Asserts the invariants and takes their permissions.
    pub fn establish(&mut self, invariants: &[ExprId], assigned: &[LocalId], cx: &ExprContext) -> Result<()> {
        let assumed = ExprContext { assumed: true, ..cx.clone() };
        // For an ill-formed invariant, that is the error, not that it does not hold.
        self.aside(|encoder| {
            encoder.empty(&cx.now);
            encoder.havoc(assigned, cx);
            for clause in invariants {
                let blame = Blame { error: ErrorKind::ContractNotWellformed, at: encoder.id(*clause) };
                encoder.inhale(*clause, &assumed, None, Some(blame))?;
            }
            Ok(())
        })?;
        let clauses = self.blamed(invariants, ErrorKind::InvariantNotEstablished);
        self.exhale(&clauses, cx, true, self.have_halves(invariants))
    }
    pub fn blamed(&self, clauses: &[ExprId], error: ErrorKind) -> Vec<(ExprId, Blame)> {
        clauses.iter().map(|clause| (*clause, Blame { error, at: self.id(*clause) })).collect()
    }
    /// Leaves only what the invariants provide.
    pub fn arbitrary_iteration(&mut self, invariants: &[ExprId], cx: &ExprContext) -> Result<()> {
        self.empty(&cx.now);
        let assumed = ExprContext { assumed: true, ..cx.clone() };
        invariants.iter().try_for_each(|clause| self.inhale(*clause, &assumed, None, None))
    }
    pub fn finish_loop(
        &mut self,
        condition: Option<ExprId>,
        invariants: &[ExprId],
        decreases: &Decreases,
        start: Option<Start>,
        cx: &ExprContext,
    ) -> Result<()> {
        self.finish_iteration(condition, decreases, start, cx)?;
        let clauses = self.blamed(invariants, ErrorKind::InvariantNotPreserved);
        self.exhale(&clauses, cx, false, self.have_halves(invariants))
    }

    /// Adds another state to one. They agree on locations that both hold, and together hold at most the maximum.
    pub fn combine(&mut self, st: &St, other: &St, resources: &Resources) {
        for resource in resources.clone() {
            let (binders, keys) = self.key_binders(resource);
            let (heap, mask) = (self.heap_var(st, resource), self.mask_var(&st.mask, resource));
            let (other_heap, other_mask) = (self.heap_var(other, resource), self.mask_var(&other.mask, resource));
            let (values, amounts) = self.map_types(resource);
            let (value, amount) = (self.unknown_value(&values), self.unknown_value(&amounts));
            let [new_value, new_amount, old_value, gained_value] =
                [&value, &amount, &heap, &other_heap].map(|map| map.at(&keys));
            let [held, brought] = [&mask, &other_mask].map(|mask| mask.at(&keys));
            let [here, there] = [&held, &brought].map(|amount| amount.greater(zero()));
            let (own, added) = match resource {
                // An instance on either side is known by its name, several are not.
                Resource::Wand(_) => (here.and(there.not()), there.and(here.not())),
                Resource::Field(_) | Resource::Predicate(_) => (here, there),
            };
            let kept = own.implies(new_value.equals(old_value));
            let gained = added.implies(new_value.equals(gained_value));
            let triggers = vec![vec![new_value], vec![new_amount.clone()]];
            self.body.assume(forall(&binders, triggers, kept.and(gained)));
            let mut sum = vec![new_amount.equals(held.plus(brought))];
            if let Resource::Field(_) = resource {
                sum.push(new_amount.at_most(one()));
                sum.push(new_amount.greater(zero()).implies(keys[0].differs(var("null"))));
            }
            self.body.assume(forall(&binders, vec![vec![new_amount]], Expr::all(sum)));
            self.body.assign(&heap, value);
            self.body.assign(&mask, amount);
        }
    }
}
