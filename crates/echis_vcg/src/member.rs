//! One implementation as facts and goals, in program order.
//!
//! Each block has a proposition that it is reached. Facts are guarded by the reachability proposition of the current
//! place, which is replaced after each goal: an execution that violates the goal does not continue, so no later
//! assumption can hide the violation.

mod goal;
mod heads;
mod hiding;
mod join;
mod places;
mod read;
mod selection;
mod statements;
mod tree;

use self::goal::Goal;
use self::hiding::Hiding;
use self::read::{first_id, invariant, own_types};
use self::selection::Selection;
use crate::axioms::Candidates;
use crate::bounds::{self, Bounds};
use crate::encode::{Encoder, Env, Polarity, State};
use crate::graph::{self, Cmd, Frame, Graph};
use crate::history::{History, Seen, What};
use crate::labels::{Label, Use};
use crate::limits::MONOMORPHIC_ROUNDS;
use crate::loops::{self, Loops};
use crate::sorts::{Met, Sorts};
use crate::unroll::unroll;
use crate::{Outcome, unsupported};
use echis_base::SyntaxId;
use echis_boogie::Program;
use echis_boogie::ast::{Attribute, ExprId};
use echis_boogie::attributes::{Known, attribute, has_attribute};
use echis_boogie::program::{FunctionId, ImplementationId, Reference, StmtKind, VarId, VarKind};
use echis_boogie::types::{Instance, Type};
use echis_proof::{Because, Origin, Part, Property, Rule};
use echis_term::{Made, TermId};
use std::collections::{BTreeMap, BTreeSet};

pub fn encode(program: &Program, candidates: &Candidates, implementation: ImplementationId) -> Outcome {
    let mut graph = graph::build(program, implementation);
    let mut loops = loops::find(&graph);
    if let Some(times) = program.options.unroll {
        graph = unroll(&graph, &loops, times);
        loops = loops::find(&graph);
    }
    let mut met = Met::default();
    for _ in 0..MONOMORPHIC_ROUNDS {
        let mut round = Round::run(program, candidates, implementation, &graph, &loops, &met);
        let grown = round.encoder.sorts.grown();
        if grown.size() == met.size() {
            if let Some(datatype) = round.encoder.sorts.maps_from_itself() {
                let message = format!("`{datatype}` has maps from itself as fields, which is not supported");
                round.unsupported = Some((round.member, message));
            }
            return round.outcome();
        }
        met = grown;
    }
    let id = program.implementations[implementation].id;
    let mut outcome = Round::run(program, candidates, implementation, &graph, &loops, &met).outcome();
    outcome.failures = vec![unsupported(&outcome, id, "types lead to ever larger types, which is not supported")];
    outcome
}

enum Entry {
    Fact { term: TermId, because: Because, origin: Origin, label: Option<Label> },
    Goal { hypothesis: TermId, bare: TermId, property: Property, origin: Origin, label: Option<Label>, seen: Seen },
}

/// The state at the end of a block.
#[derive(Clone)]
struct BlockEnd {
    reached: TermId,
    values: BTreeMap<VarId, TermId>,
    hiding: Hiding,
}

struct Round<'a> {
    program: &'a Program,
    candidates: &'a Candidates,
    graph: &'a Graph<'a>,
    loops: &'a Loops,
    encoder: Encoder<'a>,
    entries: Vec<Entry>,
    /// Number of global facts, which are the first entries at the end.
    globals: usize,
    /// The states at the ends of visited blocks.
    ends: BTreeMap<usize, BlockEnd>,
    place: BlockEnd,
    /// The values of globals at the entry of each frame.
    olds: Vec<BTreeMap<VarId, TermId>>,
    types: Vec<Instance>,
    /// For each frame, the outer values of its variables: a recursive body has different values outside.
    outer: Vec<Vec<(VarId, Option<TermId>)>>,
    /// Measures at loop heads, and at the entry.
    measures: BTreeMap<usize, Vec<TermId>>,
    entry_measure: Option<Vec<TermId>>,
    /// For hideable axioms: their visibility propositions.
    visible: BTreeMap<FunctionId, TermId>,
    unsupported: Option<(SyntaxId, String)>,
    member: SyntaxId,
    /// The non-free invariants of the current loop.
    invariants: Vec<SyntaxId>,
    history: History,
    /// The current block and frame.
    current: (usize, Frame),
    selection: Selection,
    /// Bounds of variables at loop heads.
    bounds: BTreeMap<usize, BTreeMap<VarId, Bounds>>,
}

impl<'a> Round<'a> {
    fn run(
        program: &'a Program,
        candidates: &'a Candidates,
        implementation: ImplementationId,
        graph: &'a Graph<'a>,
        loops: &'a Loops,
        known: &'a Met,
    ) -> Round<'a> {
        let mut encoder = Encoder::new(program, Sorts::new(program, known));
        let reached = encoder.terms.truth();
        let place = BlockEnd { reached, values: BTreeMap::new(), hiding: Hiding::default() };
        let member = program.implementations[implementation].id;
        let mut round = Round {
            program,
            candidates,
            graph,
            loops,
            encoder,
            entries: Vec::new(),
            globals: 0,
            ends: BTreeMap::new(),
            place,
            olds: vec![BTreeMap::new(); graph.frames.len()],
            types: vec![Instance::new(); graph.frames.len()],
            outer: vec![Vec::new(); graph.frames.len()],
            measures: BTreeMap::new(),
            entry_measure: None,
            visible: BTreeMap::new(),
            unsupported: None,
            member,
            invariants: Vec::new(),
            history: History::default(),
            current: (0, 0),
            selection: Selection::of(program, implementation, graph),
            bounds: BTreeMap::new(),
        };
        if program.options.infer_bounds {
            round.bounds = bounds::infer(program, implementation, graph, loops);
        }
        if graph.too_large {
            let message = "inlined procedures and unrolled loops lead to more than 100,000 blocks";
            round.unsupported = Some((member, message.to_string()));
        }
        if round.hides_anything() {
            let axioms = program.axioms.values().filter(|axiom| axiom.hideable);
            let functions = axioms.flat_map(|axiom| axiom.uses.clone()).filter_map(|used| match used {
                Reference::Function(function) => Some(function),
                Reference::Var(_) => None,
            });
            for function in functions.filter(|function| !program.functions[*function].revealed) {
                let visible = round.visible_symbol(function);
                round.visible.insert(function, visible);
            }
        }
        round.entry(implementation);
        for block in &loops.order {
            round.block(*block);
        }
        round.finish();
        round
    }

    // Facts and goals.

    fn origin(&self, id: SyntaxId) -> Origin {
        Origin { clause: id, site: None, part: Part::Value }
    }
    fn assume(&mut self, fact: TermId, because: Because, origin: Origin, label: Option<Label>) {
        let reached = self.place.reached;
        let term = self.encoder.terms.implies(reached, fact);
        if !self.encoder.terms.is_true(term) {
            self.entries.push(Entry::Fact { term, because, origin, label });
        }
    }
    /// A fact about a fresh symbol, which holds everywhere.
    fn define(&mut self, fact: TermId, origin: Origin, label: Option<Label>) {
        if !self.encoder.terms.is_true(fact) {
            self.entries.push(Entry::Fact { term: fact, because: Because::Written, origin, label });
        }
    }
    fn demand(&mut self, goal: Goal) {
        let Goal { term, error, reason, at, related, origin, label, known } = goal;
        if !self.selection.checks(self.current.0) {
            return;
        }
        let mut hypotheses = vec![self.place.reached];
        let shown: Vec<FunctionId> =
            self.visible.keys().copied().filter(|function| !self.place.hiding.hides(*function)).collect();
        hypotheses.extend(shown.iter().map(|function| self.visible[function]));
        let hypothesis = self.encoder.terms.and(hypotheses);
        let property = Property { error, at, reason, offending: related.unwrap_or(at) };
        let (block, frame) = self.current;
        let values = self.place.values.clone();
        let is_other = |(var, old): &(&VarId, &TermId)| {
            self.program.vars[**var].kind == VarKind::Global && values.get(var) != Some(old)
        };
        let old = self.olds[frame].iter().filter(is_other).map(|(var, old)| (*var, *old)).collect();
        let seen = self.history.seen(block, values, old);
        self.entries.push(Entry::Goal { hypothesis, bare: term, property, origin, label, seen });
        // After the goal.
        let next = self.encoder.fresh(Made::Reached, &Type::Bool);
        let before = self.place.reached;
        let step = self.encoder.terms.implies(next, before);
        let quiet = Origin { part: Part::Guard, ..origin };
        self.define_rule(step, quiet);
        self.place.reached = next;
        if let Some(known) = known {
            self.assume(term, Because::Checked, origin, known);
        }
    }
    fn define_rule(&mut self, fact: TermId, origin: Origin) {
        if !self.encoder.terms.is_true(fact) {
            self.entries.push(Entry::Fact {
                term: fact,
                because: Because::Rule(Rule::Definition),
                origin,
                label: None,
            });
        }
    }

    fn state(&self, frame: Frame) -> State {
        State { current: self.place.values.clone(), old: self.olds[frame].clone() }
    }
    fn formula(&mut self, frame: Frame, expr: ExprId, polarity: Polarity) -> TermId {
        let state = self.state(frame);
        let types = self.types[frame].clone();
        self.encoder.expr(expr, &Env::new(&state, &types, polarity))
    }
    fn value(&mut self, frame: Frame, expr: ExprId) -> TermId {
        self.formula(frame, expr, Polarity::Neither)
    }

    // Variables.

    fn var_type(&self, frame: Frame, var: VarId) -> Type {
        self.program.vars[var].ty.expanded().replace(&self.types[frame])
    }
    /// Havocs variables; their where-clauses are assumed.
    fn havoc(&mut self, frame: Frame, vars: &[VarId], origin: Origin) {
        for var in vars {
            let ty = self.var_type(frame, *var);
            let name = self.program.vars[*var].name.clone();
            let value = self.encoder.fresh(&name, &ty);
            let before = self.place.values.insert(*var, value);
            if has_attribute(&self.program.vars[*var].attributes, Known::Assumption) && ty == Type::Bool {
                // The flag only changes to false, and is initially true for locals.
                let before = before
                    .or_else(|| (self.program.vars[*var].kind == VarKind::Local).then(|| self.encoder.terms.falsity()));
                let fact = match before {
                    Some(before) if self.encoder.terms.is_false(before) => value,
                    Some(before) => self.encoder.terms.implies(value, before),
                    None => self.encoder.terms.truth(),
                };
                self.assume(fact, Because::Written, origin, None);
            }
        }
        self.refresh_contract(frame);
        vars.iter().for_each(|var| self.constrained(frame, *var, origin));
    }
    /// Assumes the where-clause of a variable, or of the procedure parameter that it copies.
    fn constrained(&mut self, frame: Frame, var: VarId, origin: Origin) {
        let body = &self.program.implementations[self.graph.frames[frame]];
        let procedure = &self.program.procedures[body.procedure];
        let mut copies = body.ins.iter().chain(&body.outs).zip(procedure.ins.iter().chain(&procedure.outs));
        let declared = copies.find(|(own, _)| **own == var).map_or(var, |(_, declared)| *declared);
        for declared in BTreeSet::from([var, declared]) {
            if let Some(constraint) = self.program.vars[declared].constraint {
                let fact = self.formula(frame, constraint, Polarity::Stated);
                let origin = Origin { clause: self.program.vars[declared].id, ..origin };
                self.assume(fact, Because::Written, origin, None);
            }
        }
    }
    fn assign(&mut self, frame: Frame, var: VarId, value: TermId, origin: Origin, label: Option<Label>) {
        let ty = self.var_type(frame, var);
        let name = self.program.vars[var].name.clone();
        let new = self.encoder.fresh(&name, &ty);
        let equation = self.encoder.eq(new, value);
        self.place.values.insert(var, new);
        self.define(equation, origin, label);
        self.happened(origin.clause, What::Assigned { var, value: new });
    }
    fn happened(&mut self, at: SyntaxId, what: What) {
        self.history.note(self.current.0, at, what);
    }

    // The member.

    fn entry(&mut self, implementation: ImplementationId) {
        let program = self.program;
        let body = &program.implementations[implementation];
        let procedure = &program.procedures[body.procedure];
        self.types[0] = own_types(program, implementation);
        let origin = self.origin(self.member);
        let globals: Vec<VarId> =
            program.vars.iter().filter(|(_, var)| var.kind == VarKind::Global).map(|(id, _)| id).collect();
        let locals: Vec<VarId> = body.ins.iter().chain(&body.outs).chain(&body.locals).copied().collect();
        let all: Vec<VarId> = globals.iter().copied().chain(locals).collect();
        self.havoc(0, &all, origin);
        self.enter_contract(implementation);
        self.olds[0] = self.place.values.clone();
        for (at, clause) in procedure.requires.iter().enumerate() {
            let fact = self.formula(0, clause.condition, Polarity::Stated);
            let origin = self.origin(clause.id);
            let label = self.clause_label(&procedure.requires, at, "precondition", Use::Assumption);
            self.assume(fact, Because::Written, origin, label);
        }
        if let Some((_, values)) = procedure.measures.first() {
            self.entry_measure = Some(values.iter().map(|value| self.value(0, *value)).collect());
        }
    }
    /// Binds the formals of the procedure's declaration to those of the implementation.
    fn enter_contract(&mut self, implementation: ImplementationId) {
        let body = &self.program.implementations[implementation];
        let procedure = &self.program.procedures[body.procedure];
        let pairs = procedure.ins.iter().zip(&body.ins).chain(procedure.outs.iter().zip(&body.outs));
        for (formal, own) in pairs {
            if let Some(value) = self.place.values.get(own).copied() {
                self.place.values.insert(*formal, value);
            }
        }
    }

    fn block(&mut self, block: usize) {
        self.current = (block, self.graph.blocks[block].frame);
        self.selection.begin();
        self.join(block);
        let loops = self.loops;
        let head = loops.heads.iter().find(|head| head.block == block);
        let graph = self.graph;
        let cmds = &graph.blocks[block].cmds;
        let skipped = match head {
            Some(head) => self.head(head),
            None => 0,
        };
        for (frame, cmd) in &cmds[skipped..] {
            self.current.1 = *frame;
            self.cmd(*frame, *cmd);
        }
        for next in &graph.blocks[block].next {
            if loops.back.contains(&(block, *next)) {
                self.go_back(block, *next);
            }
        }
        self.ends.insert(block, self.place.clone());
    }

    /// Updates the results of the member, under both of their names.
    fn refresh_contract(&mut self, frame: Frame) {
        self.enter_contract(self.graph.frames[frame]);
    }
    /// `{:verified_under e}`: another tool has proved it where `e` holds.
    fn verified_under(&mut self, frame: Frame, condition: ExprId, attributes: &[Attribute]) -> TermId {
        let goal = self.formula(frame, condition, Polarity::Demanded);
        self.or_verified(frame, goal, attributes)
    }
    fn or_verified(&mut self, frame: Frame, goal: TermId, attributes: &[Attribute]) -> TermId {
        let under = attribute(attributes, Known::VerifiedUnder);
        match under.and_then(|attribute| attribute.args.first()) {
            Some(echis_boogie::ast::Argument::Expr(under)) => {
                let under = self.formula(frame, *under, Polarity::Neither);
                self.encoder.terms.or([under, goal])
            }
            _ => goal,
        }
    }

    // Commands.

    fn cmd(&mut self, frame: Frame, cmd: Cmd<'a>) {
        match cmd {
            Cmd::Stmt(stmt) => self.stmt(frame, stmt),
            Cmd::Guard { condition, negated, id } => {
                let polarity = if negated { Polarity::Demanded } else { Polarity::Stated };
                let mut fact = self.formula(frame, condition, polarity);
                if negated {
                    fact = self.encoder.terms.not(fact);
                }
                let origin = Origin { part: Part::Guard, ..self.origin(id) };
                self.assume(fact, Because::Written, origin, None);
                self.happened(id, What::Branch { condition, negated });
            }
            // Invariants without a back edge are assertions in Boogie.
            Cmd::Invariant(_) => self.invariant_goal(frame, &cmd, Use::Assertion),
            Cmd::Measure(_) => {}
            Cmd::Exit(at) => {
                let procedure = self.program.implementations[self.graph.frames[0]].procedure;
                self.ensures(frame, procedure, at);
            }
            Cmd::Enter { call, inner } => self.enter(frame, call, inner),
            Cmd::Leave { call, inner } => {
                let body = &self.program.implementations[self.graph.frames[inner]];
                self.refresh_contract(inner);
                self.ensures(inner, body.procedure, call.id);
                let results: Vec<_> = body.outs.iter().map(|result| self.place.values.get(result).copied()).collect();
                for (var, value) in std::mem::take(&mut self.outer[inner]) {
                    match value {
                        Some(value) => self.place.values.insert(var, value),
                        None => self.place.values.remove(&var),
                    };
                }
                if let StmtKind::Call { outs, .. } = &call.kind {
                    for (out, result) in outs.iter().zip(results) {
                        if let Some(value) = result {
                            let origin = self.origin(call.id);
                            self.assign(frame, *out, value, origin, None);
                        }
                    }
                }
                self.refresh_contract(frame);
            }
            // Occurs only in code expressions.
            Cmd::Yield(_) => {}
            Cmd::Stop => self.place.reached = self.encoder.terms.falsity(),
        }
    }
}
