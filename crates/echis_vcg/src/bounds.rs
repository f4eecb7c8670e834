//! Infers bounds of integer variables at loop heads by interval analysis, like Boogie's `/infer:j`.
//!
//! The bounds of a block hold in every execution that reaches it without a violated assertion: its state is the join
//! of those at the ends of its predecessors. A bound that does not stabilise at a loop head is widened to the next
//! number that the body mentions, and then to infinity. Nothing is known about variables assigned by calls, `havoc`
//! and inlined bodies.

use crate::graph::{Cmd, Graph};
use crate::limits::VISITS;
use crate::loops::Loops;
use echis_boogie::Program;
use echis_boogie::ast::{Attribute, Binary, ExprId, ExprKind, Unary};
use echis_boogie::attributes::{Known, has_attribute};
use echis_boogie::program::{ImplementationId, Reference, StmtKind, VarId};
use echis_boogie::types::Type;
use echis_boogie::walk;
use echis_term::Integer;
use std::collections::{BTreeMap, BTreeSet};

/// Lower and upper bound.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Bounds {
    pub least: Option<Integer>,
    pub most: Option<Integer>,
}

/// The known bounds; a missing variable may have any value.
type State = BTreeMap<VarId, Bounds>;

/// Infers the bounds of variables at each loop head.
pub fn infer(
    program: &Program,
    implementation: ImplementationId,
    graph: &Graph<'_>,
    loops: &Loops,
) -> BTreeMap<usize, State> {
    let analysis = Analysis { program, implementation, graph, loops, marks: marks(program, graph) };
    analysis.run()
}

/// Numbers in the body, and their neighbours, which are common bounds.
fn marks(program: &Program, graph: &Graph<'_>) -> BTreeSet<Integer> {
    let mut marks = BTreeSet::new();
    let mut note = |expr: ExprId| {
        walk::for_each(&program.tree, expr, &mut |part| {
            if let ExprKind::Int(value) = program.kind(part) {
                marks.extend([value - Integer::ONE, value.clone(), value + Integer::ONE]);
            }
        });
    };
    for (_, cmd) in graph.blocks.iter().flat_map(|block| &block.cmds) {
        match cmd {
            Cmd::Guard { condition, .. } => note(*condition),
            Cmd::Invariant(clause) => note(clause.condition),
            Cmd::Stmt(stmt) => match &stmt.kind {
                StmtKind::Assert(expr) | StmtKind::Assume(expr) => note(*expr),
                StmtKind::Assign { values, .. } => values.iter().for_each(|value| note(*value)),
                _ => {}
            },
            _ => {}
        }
    }
    marks
}

struct Analysis<'g, 'a> {
    program: &'g Program,
    implementation: ImplementationId,
    graph: &'g Graph<'a>,
    loops: &'g Loops,
    marks: BTreeSet<Integer>,
}

impl Analysis<'_, '_> {
    fn run(&self) -> BTreeMap<usize, State> {
        let mut before: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for from in &self.loops.order {
            self.graph.blocks[*from].next.iter().for_each(|to| before.entry(*to).or_default().push(*from));
        }
        let mut at_heads: BTreeMap<usize, State> = BTreeMap::new();
        let mut ends: BTreeMap<usize, State> = BTreeMap::new();
        let mut visits: BTreeMap<usize, usize> = BTreeMap::new();
        loop {
            let mut changed = false;
            for block in &self.loops.order {
                let known = before.get(block).into_iter().flatten().filter_map(|from| ends.get(from).cloned());
                let mut state = match block {
                    0 => known.fold(self.entry(), join),
                    _ => match known.reduce(join) {
                        Some(state) => state,
                        None => continue,
                    },
                };
                if self.loops.heads.iter().any(|head| head.block == *block) {
                    if let Some(old) = at_heads.get(block) {
                        let count = visits.entry(*block).or_default();
                        *count += 1;
                        state = self.widened(old, join(old.clone(), state), *count > VISITS);
                    }
                    changed |= at_heads.get(block) != Some(&state);
                    at_heads.insert(*block, state.clone());
                }
                let end = self.through(*block, state);
                changed |= ends.get(block) != Some(&end);
                ends.insert(*block, end);
            }
            if !changed {
                return at_heads;
            }
        }
    }
    /// The state given by preconditions on parameters and globals.
    fn entry(&self) -> State {
        let body = &self.program.implementations[self.implementation];
        let procedure = &self.program.procedures[body.procedure];
        let mut state = State::new();
        procedure.requires.iter().for_each(|clause| self.refine(&mut state, clause.condition, true));
        // The body uses other names for parameters.
        for (own, formal) in body.ins.iter().zip(&procedure.ins) {
            if let Some(bounds) = state.get(formal).cloned() {
                state.insert(*own, bounds);
            }
        }
        state
    }
    /// Widens changed bounds to the next mark, or drops them.
    fn widened(&self, old: &State, new: State, give_up: bool) -> State {
        if !give_up {
            return new;
        }
        let widen = |(var, bounds): (VarId, Bounds)| {
            let known = old.get(&var).cloned().unwrap_or_default();
            let below = |least: Integer| self.marks.range(..=least).next_back().cloned();
            let above = |most: Integer| self.marks.range(most..).next().cloned();
            let least = if bounds.least == known.least { bounds.least } else { bounds.least.and_then(below) };
            let most = if bounds.most == known.most { bounds.most } else { bounds.most.and_then(above) };
            kept(var, Bounds { least, most })
        };
        new.into_iter().filter_map(widen).collect()
    }

    fn through(&self, block: usize, mut state: State) -> State {
        for (_, cmd) in &self.graph.blocks[block].cmds {
            match cmd {
                Cmd::Guard { condition, negated, .. } => self.refine(&mut state, *condition, !negated),
                // Free invariants say nothing about how the loop is entered.
                Cmd::Invariant(clause) if clause.free => {}
                Cmd::Invariant(clause) => self.asserted(&mut state, clause.condition, &clause.attributes),
                Cmd::Stmt(stmt) => match &stmt.kind {
                    StmtKind::Assume(condition) => self.refine(&mut state, *condition, true),
                    StmtKind::Assert(condition) => self.asserted(&mut state, *condition, &stmt.attributes),
                    StmtKind::Havoc(vars) | StmtKind::Unpack { vars, .. } => forget(&mut state, vars),
                    StmtKind::Assign { targets, values } => {
                        let values: Vec<Bounds> = values.iter().map(|value| self.value(&state, *value)).collect();
                        for (target, bounds) in targets.iter().zip(values) {
                            state.remove(&target.var);
                            if target.steps.is_empty() && self.is_integer(target.var) {
                                state.extend(kept(target.var, bounds));
                            }
                        }
                    }
                    StmtKind::Call { procedure, outs, .. } => {
                        forget(&mut state, outs);
                        forget(&mut state, &self.program.procedures[*procedure].modifies);
                    }
                    _ => {}
                },
                Cmd::Enter { inner, .. } | Cmd::Leave { inner, .. } => {
                    let body = &self.program.implementations[self.graph.frames[*inner]];
                    let procedure = &self.program.procedures[body.procedure];
                    for vars in [&body.ins, &body.outs, &body.locals, &procedure.ins, &procedure.outs] {
                        forget(&mut state, vars);
                    }
                    if let Cmd::Leave { call, .. } = cmd
                        && let StmtKind::Call { outs, .. } = &call.kind
                    {
                        forget(&mut state, outs);
                    }
                }
                Cmd::Measure(_) | Cmd::Exit(_) | Cmd::Yield(_) | Cmd::Stop => {}
            }
        }
        state
    }
    /// Adds assertions that are known afterwards.
    fn asserted(&self, state: &mut State, condition: ExprId, attributes: &[Attribute]) {
        if !has_attribute(attributes, Known::Subsumption) && !has_attribute(attributes, Known::VerifiedUnder) {
            self.refine(state, condition, true);
        }
    }

    fn is_integer(&self, var: VarId) -> bool {
        self.program.vars[var].ty.expanded() == Type::Int
    }
    fn var(&self, expr: ExprId) -> Option<VarId> {
        match (self.program.kind(expr), self.program.references.get(expr)) {
            (ExprKind::Name(_), Some(Reference::Var(var))) if self.is_integer(*var) => Some(*var),
            _ => None,
        }
    }

    fn value(&self, state: &State, expr: ExprId) -> Bounds {
        if let Some(var) = self.var(expr) {
            return state.get(&var).cloned().unwrap_or_default();
        }
        match self.program.kind(expr) {
            ExprKind::Int(value) => Bounds { least: Some(value.clone()), most: Some(value.clone()) },
            ExprKind::Unary(Unary::Neg, inner) => self.value(state, *inner).negated(),
            ExprKind::Binary(Binary::Add, left, right) => self.value(state, *left).plus(self.value(state, *right)),
            ExprKind::Binary(Binary::Sub, left, right) => {
                self.value(state, *left).plus(self.value(state, *right).negated())
            }
            ExprKind::Binary(Binary::Mod, _, right) => match self.program.kind(*right) {
                ExprKind::Int(by) if *by > Integer::ZERO => {
                    Bounds { least: Some(Integer::ZERO), most: Some(by - Integer::ONE) }
                }
                _ => Bounds::default(),
            },
            ExprKind::If(_, then, otherwise) => self.value(state, *then).or(self.value(state, *otherwise)),
            _ => Bounds::default(),
        }
    }

    /// Refines the state by a condition with a known truth value.
    fn refine(&self, state: &mut State, condition: ExprId, truth: bool) {
        match self.program.kind(condition) {
            ExprKind::Unary(Unary::Not, inner) => self.refine(state, *inner, !truth),
            ExprKind::Binary(op, left, right) => match (op, truth) {
                (Binary::And, true) | (Binary::Or, false) => {
                    self.refine(state, *left, truth);
                    self.refine(state, *right, truth);
                }
                (Binary::Implies, false) => {
                    self.refine(state, *left, true);
                    self.refine(state, *right, false);
                }
                (Binary::Eq, true) | (Binary::Ne, false) => {
                    self.at_most(state, *left, *right, 0);
                    self.at_most(state, *right, *left, 0);
                }
                (Binary::Lt, true) | (Binary::Ge, false) => self.at_most(state, *left, *right, 1),
                (Binary::Le, true) | (Binary::Gt, false) => self.at_most(state, *left, *right, 0),
                (Binary::Gt, true) | (Binary::Le, false) => self.at_most(state, *right, *left, 1),
                (Binary::Ge, true) | (Binary::Lt, false) => self.at_most(state, *right, *left, 0),
                _ => {}
            },
            _ => {}
        }
    }
    /// `left + gap <= right`
    fn at_most(&self, state: &mut State, left: ExprId, right: ExprId, gap: u8) {
        // Gaps exist only between integers.
        if [left, right].iter().any(|side| self.program.type_of(*side).expanded() != Type::Int) {
            return;
        }
        let (below, above) = (self.value(state, left), self.value(state, right));
        let gap = Integer::from(gap);
        if let (Some(var), Some(most)) = (self.var(left), above.most) {
            let bounds = state.entry(var).or_default();
            let most = most - &gap;
            bounds.most = Some(bounds.most.take().map_or(most.clone(), |known| known.min(most)));
        }
        if let (Some(var), Some(least)) = (self.var(right), below.least) {
            let bounds = state.entry(var).or_default();
            let least = least + &gap;
            bounds.least = Some(bounds.least.take().map_or(least.clone(), |known| known.max(least)));
        }
    }
}

impl Bounds {
    fn plus(self, other: Bounds) -> Bounds {
        let sum = |a: Option<Integer>, b: Option<Integer>| Some(a? + b?);
        Bounds { least: sum(self.least, other.least), most: sum(self.most, other.most) }
    }
    fn negated(self) -> Bounds {
        Bounds { least: self.most.map(|most| -most), most: self.least.map(|least| -least) }
    }
    fn or(self, other: Bounds) -> Bounds {
        let least = self.least.zip(other.least).map(|(a, b)| a.min(b));
        Bounds { least, most: self.most.zip(other.most).map(|(a, b)| a.max(b)) }
    }
}

fn kept(var: VarId, bounds: Bounds) -> Option<(VarId, Bounds)> {
    (bounds != Bounds::default()).then_some((var, bounds))
}

fn forget(state: &mut State, vars: &[VarId]) {
    vars.iter().for_each(|var| drop(state.remove(var)));
}

fn join(left: State, mut right: State) -> State {
    let both = |(var, bounds): (VarId, Bounds)| kept(var, bounds.or(right.remove(&var)?));
    left.into_iter().filter_map(both).collect()
}
