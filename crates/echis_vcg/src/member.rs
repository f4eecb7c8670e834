//! One implementation as facts and goals, in program order.
//!
//! Each block is reached if its proposition is true. What is stated in a block is stated behind the proposition of the
//! place, which is another one after each goal: an execution that violates the goal does not come further, so nothing
//! that is assumed later can hide the violation.

use crate::Outcome;
use crate::axioms;
use crate::encode::{Encoder, Env, Polarity, State};
use crate::graph::{self, Cmd, Frame, Graph};
use crate::instances::matches;
use crate::labels::{Label, Use, label};
use crate::loops::{self, Head, Loops};
use crate::sorts::{Met, Sorts};
use echis_base::SyntaxId;
use echis_boogie::Program;
use echis_boogie::ast::{Attribute, ExprId, has_attribute};
use echis_boogie::program::{
    Clause, FunctionId, ImplementationId, ProcedureId, Reference, StepKind, Stmt, StmtKind, Target, VarId, VarKind,
};
use echis_boogie::types::{Instance, Type};
use echis_proof::{Because, Check, ErrorKind, NodeId, Origin, Part, ProofTree, Property, Reason, Role, Rule};
use echis_term::{Scope, SymbolKind, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// More rounds do not make a program monomorphic.
const ROUNDS: usize = 8;

pub fn encode(program: &Program, implementation: ImplementationId) -> Outcome {
    let graph = graph::build(program, implementation);
    let loops = loops::find(&graph);
    let mut met = Met::default();
    for _ in 0..ROUNDS {
        let round = Round::run(program, implementation, &graph, &loops, &met);
        if round.encoder.sorts.met.size() == met.size() {
            return round.outcome();
        }
        met = round.encoder.sorts.met;
    }
    let id = program.implementations[implementation].id;
    let mut outcome = Round::run(program, implementation, &graph, &loops, &met).outcome();
    outcome.unsupported = Some((id, "types lead to ever larger types, which is not supported".to_string()));
    outcome
}

enum Entry {
    Fact { term: TermId, because: Because, origin: Origin, label: Option<Label> },
    Goal { hypothesis: TermId, bare: TermId, property: Property, origin: Origin, label: Option<Label> },
}

/// What holds at the end of a block.
#[derive(Clone)]
struct Place {
    reached: TermId,
    values: BTreeMap<VarId, TermId>,
    hiding: Hiding,
}

/// Which functions' axioms are hidden, and how it was before each `push`.
#[derive(Clone, Default, PartialEq, Eq)]
struct Hiding {
    all: bool,
    except: BTreeSet<FunctionId>,
    outer: Vec<(bool, BTreeSet<FunctionId>)>,
}

impl Hiding {
    fn hides(&self, function: FunctionId) -> bool {
        self.all != self.except.contains(&function)
    }
    fn set(&mut self, function: Option<FunctionId>, hidden: bool) {
        match function {
            None => (self.all, self.except) = (hidden, BTreeSet::new()),
            Some(function) if self.all == hidden => drop(self.except.remove(&function)),
            Some(function) => drop(self.except.insert(function)),
        }
    }
}

struct Round<'a> {
    program: &'a Program,
    graph: &'a Graph<'a>,
    loops: &'a Loops,
    encoder: Encoder<'a>,
    entries: Vec<Entry>,
    /// At the end of each block that was seen.
    ends: BTreeMap<usize, Place>,
    place: Place,
    /// The values of globals where each frame was entered.
    olds: Vec<BTreeMap<VarId, TermId>>,
    types: Vec<Instance>,
    /// Measures at heads of loops, and at the entry.
    measures: BTreeMap<usize, Vec<TermId>>,
    entry_measure: Option<Vec<TermId>>,
    /// For hideable axioms: propositions that say that they are visible.
    visible: BTreeMap<FunctionId, TermId>,
    unsupported: Option<(SyntaxId, String)>,
    member: SyntaxId,
}

impl<'a> Round<'a> {
    fn run(
        program: &'a Program,
        implementation: ImplementationId,
        graph: &'a Graph<'a>,
        loops: &'a Loops,
        known: &'a Met,
    ) -> Round<'a> {
        let mut encoder = Encoder::new(program, Sorts::new(program, known));
        let reached = encoder.terms.truth();
        let place = Place { reached, values: BTreeMap::new(), hiding: Hiding::default() };
        let member = program.implementations[implementation].id;
        let mut round = Round {
            program,
            graph,
            loops,
            encoder,
            entries: Vec::new(),
            ends: BTreeMap::new(),
            place,
            olds: vec![BTreeMap::new(); graph.frames.len()],
            types: vec![Instance::new(); graph.frames.len()],
            measures: BTreeMap::new(),
            entry_measure: None,
            visible: BTreeMap::new(),
            unsupported: None,
            member,
        };
        if graph.too_deep {
            let message = "procedures that are inlined into themselves more than once are not supported";
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
    /// A fact about a new symbol, which holds wherever execution is.
    fn define(&mut self, fact: TermId, origin: Origin, label: Option<Label>) {
        if !self.encoder.terms.is_true(fact) {
            self.entries.push(Entry::Fact { term: fact, because: Because::Written, origin, label });
        }
    }
    fn demand(&mut self, goal: Goal) {
        let Goal { term, error, reason, at, related, origin, label, known } = goal;
        let mut hypotheses = vec![self.place.reached];
        let shown: Vec<FunctionId> =
            self.visible.keys().copied().filter(|function| !self.place.hiding.hides(*function)).collect();
        hypotheses.extend(shown.iter().map(|function| self.visible[function]));
        let hypothesis = self.encoder.terms.and(hypotheses);
        let property = Property { error, at, reason, offending: related.unwrap_or(at) };
        self.entries.push(Entry::Goal { hypothesis, bare: term, property, origin, label });
        // Behind the goal.
        let next = self.encoder.fresh("reached", &Type::Bool);
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
            self.entries.push(Entry::Fact { term: fact, because: Because::Rule(Rule::Definition), origin, label: None });
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
    /// Forgets the value of variables; what they are declared to satisfy they satisfy.
    fn havoc(&mut self, frame: Frame, vars: &[VarId], origin: Origin) {
        for var in vars {
            let ty = self.var_type(frame, *var);
            let name = self.program.vars[*var].name.clone();
            let value = self.encoder.fresh(&name, &ty);
            let before = self.place.values.insert(*var, value);
            if has_attribute(&self.program.vars[*var].attributes, "assumption") && ty == Type::Bool {
                // It only ever becomes false, and locals begin as true.
                let before = before.or_else(|| {
                    (self.program.vars[*var].kind == VarKind::Local).then(|| self.encoder.terms.falsity())
                });
                let fact = match before {
                    Some(before) if self.encoder.terms.is_false(before) => value,
                    Some(before) => self.encoder.terms.implies(value, before),
                    None => self.encoder.terms.truth(),
                };
                self.assume(fact, Because::Written, origin, None);
            }
        }
        for var in vars {
            if let Some(constraint) = self.program.vars[*var].constraint {
                let fact = self.formula(frame, constraint, Polarity::Stated);
                let origin = Origin { clause: self.program.vars[*var].id, ..origin };
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
        self.enter_contract(0, implementation);
        self.olds[0] = self.place.values.clone();
        // What the procedure's own declaration says about its parameters.
        let formals: Vec<VarId> = procedure.ins.iter().chain(&procedure.outs).copied().collect();
        for var in formals {
            if let Some(constraint) = program.vars[var].constraint {
                let fact = self.formula(0, constraint, Polarity::Stated);
                let origin = self.origin(program.vars[var].id);
                self.assume(fact, Because::Written, origin, None);
            }
        }
        for clause in &procedure.requires {
            let fact = self.formula(0, clause.condition, Polarity::Stated);
            let origin = self.origin(clause.id);
            self.assume(fact, Because::Written, origin, label(&clause.attributes, None, Use::Assumption));
        }
        if let Some((_, values)) = procedure.measures.first() {
            self.entry_measure = Some(values.iter().map(|value| self.value(0, *value)).collect());
        }
    }
    /// The formals of the procedure's declaration are those of the implementation.
    fn enter_contract(&mut self, _frame: Frame, implementation: ImplementationId) {
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
            self.cmd(*frame, *cmd);
        }
        for next in &graph.blocks[block].next {
            if loops.back.contains(&(block, *next)) {
                self.go_back(block, *next);
            }
        }
        self.ends.insert(block, self.place.clone());
    }

    /// The state in which a block begins, made of those in which blocks before it end.
    fn join(&mut self, block: usize) {
        if block == 0 {
            return;
        }
        let mut before: Vec<Place> = Vec::new();
        for (from, place) in &self.ends {
            let edges = self.graph.blocks[*from].next.iter().filter(|next| **next == block).count();
            if edges > 0 && !self.loops.back.contains(&(*from, block)) {
                before.push(place.clone());
            }
        }
        let origin = Origin { part: Part::Guard, ..self.origin(self.member) };
        let reached = self.encoder.fresh("reached", &Type::Bool);
        let edges: Vec<TermId> = match before.len() {
            1 => vec![reached],
            count => (0..count).map(|_| self.encoder.fresh("edge", &Type::Bool)).collect(),
        };
        if before.len() != 1 {
            let some = self.encoder.terms.or(edges.clone());
            let fact = self.encoder.terms.implies(reached, some);
            self.define_rule(fact, origin);
        }
        for (edge, place) in edges.iter().zip(&before) {
            let fact = self.encoder.terms.implies(*edge, place.reached);
            self.define_rule(fact, origin);
        }
        let Some(first) = before.first() else {
            self.place.reached = self.encoder.terms.falsity();
            return;
        };
        let mut values = first.values.clone();
        let vars: Vec<VarId> = before.iter().flat_map(|place| place.values.keys().copied()).collect();
        for var in vars.into_iter().collect::<BTreeSet<_>>() {
            let found: Vec<Option<TermId>> = before.iter().map(|place| place.values.get(&var).copied()).collect();
            let Some(value) = found.iter().flatten().next().copied() else { continue };
            if found.iter().all(|other| *other == Some(value)) {
                values.insert(var, value);
                continue;
            }
            let sort = self.encoder.terms.sort_of(value);
            let name = self.program.vars[var].name.clone();
            let merged = self.encoder.terms.fresh(&Scope::default(), &name, &[], sort);
            for (edge, found) in edges.iter().zip(&found) {
                if let Some(found) = found {
                    let equation = self.encoder.eq(merged, *found);
                    let fact = self.encoder.terms.implies(*edge, equation);
                    self.define_rule(fact, origin);
                }
            }
            values.insert(var, merged);
        }
        let mut hiding = first.hiding.clone();
        for place in &before[1..] {
            if place.hiding != hiding {
                hiding = merged_hiding(self.program, &hiding, &place.hiding);
            }
        }
        self.place = Place { reached, values, hiding };
    }

    /// The beginning of a loop: invariants hold here, whatever the loop has changed. How many commands were done.
    fn head(&mut self, head: &Head) -> usize {
        let graph = self.graph;
        let cmds = &graph.blocks[head.block].cmds;
        let prefix = cmds.iter().take_while(|(_, cmd)| invariant(cmd).is_some() || matches!(cmd, Cmd::Measure(_))).count();
        for (frame, cmd) in &cmds[..prefix] {
            self.invariant_goal(*frame, cmd, Use::Established);
        }
        if head.irreducible {
            // Executions come back to it that were never here before: nothing is known about how they came.
            self.place.reached = self.encoder.fresh("reached", &Type::Bool);
        }
        let mut changed: BTreeSet<(Frame, VarId)> = BTreeSet::new();
        for block in &head.body {
            for (frame, cmd) in &graph.blocks[*block].cmds {
                changed.extend(self.changed(*frame, cmd));
            }
        }
        let mut seen = BTreeSet::new();
        for (frame, var) in changed {
            if seen.insert(var) {
                let origin = self.origin(self.member);
                self.havoc(frame, &[var], origin);
            }
        }
        self.refresh_contract();
        for (frame, cmd) in &cmds[..prefix] {
            if let Some((clause, attributes, id, _)) = invariant(cmd) {
                let fact = self.formula(*frame, clause, Polarity::Stated);
                let origin = self.origin(id);
                self.assume(fact, Because::Checked, origin, label(attributes, None, Use::Assumed));
            } else if let Cmd::Measure(measure) = cmd {
                let values = measure.values.iter().map(|value| self.value(*frame, *value)).collect();
                self.measures.insert(head.block, values);
            }
        }
        prefix
    }
    /// Results of the member have other values now, under both of their names.
    fn refresh_contract(&mut self) {
        for implementation in self.graph.frames.clone() {
            self.enter_contract(0, implementation);
        }
    }
    fn go_back(&mut self, block: usize, to: usize) {
        let graph = self.graph;
        let before = self.place.clone();
        let cmds = &graph.blocks[to].cmds;
        let prefix = cmds.iter().take_while(|(_, cmd)| invariant(cmd).is_some() || matches!(cmd, Cmd::Measure(_)));
        for (frame, cmd) in prefix {
            self.invariant_goal(*frame, cmd, Use::Maintained);
            if let (Cmd::Measure(measure), Some(old)) = (cmd, self.measures.get(&to).cloned()) {
                let now: Vec<TermId> = measure.values.iter().map(|value| self.value(*frame, *value)).collect();
                let at = first_id(&graph.blocks[block].cmds).unwrap_or(self.member);
                self.decreases(&now, &old, at);
            }
        }
        // Other ways out of the block are not bound by what was shown for this one.
        self.place = before;
    }
    fn invariant_goal(&mut self, frame: Frame, cmd: &Cmd<'_>, becomes: Use) {
        let Some((condition, attributes, id, free)) = invariant(cmd) else { return };
        let origin = self.origin(id);
        if free {
            let fact = self.formula(frame, condition, Polarity::Stated);
            return self.assume(fact, Because::Written, origin, None);
        }
        let term = self.verified_under(frame, condition, attributes);
        let error = match becomes {
            Use::Established => ErrorKind::InvariantNotEstablished,
            _ => ErrorKind::InvariantNotPreserved,
        };
        let label = label(attributes, None, becomes);
        self.demand(Goal { label, known: Some(None), ..Goal::new(term, error, id, origin) });
    }
    /// `{:verified_under e}`: where `e` holds, somebody else has proved it.
    fn verified_under(&mut self, frame: Frame, condition: ExprId, attributes: &[Attribute]) -> TermId {
        let goal = self.formula(frame, condition, Polarity::Demanded);
        let under = attributes.iter().find(|attribute| &*attribute.name == "verified_under");
        match under.and_then(|attribute| attribute.args.first()) {
            Some(echis_boogie::ast::Argument::Expr(under)) => {
                let under = self.formula(frame, *under, Polarity::Neither);
                self.encoder.terms.or([under, goal])
            }
            _ => goal,
        }
    }
    fn decreases(&mut self, now: &[TermId], old: &[TermId], at: SyntaxId) {
        let mut less = self.encoder.terms.falsity();
        for (now, old) in now.iter().zip(old).rev() {
            let equal = self.encoder.eq(*now, *old);
            let later = self.encoder.terms.and([equal, less]);
            let smaller = self.smaller(*now, *old);
            less = self.encoder.terms.or([smaller, later]);
        }
        let origin = self.origin(at);
        let goal = Goal::new(less, ErrorKind::Termination, at, origin);
        self.demand(Goal { reason: Reason::TupleFalse, known: Some(None), ..goal });
    }
    fn smaller(&mut self, now: TermId, old: TermId) -> TermId {
        let bool = self.encoder.terms.bool_sort();
        if self.encoder.terms.sort_of(now) == bool {
            let not = self.encoder.terms.not(now);
            return self.encoder.terms.and([not, old]);
        }
        let zero = self.encoder.terms.int(0);
        let bounded = self.encoder.terms.le(zero, old);
        let less = self.encoder.terms.lt(now, old);
        self.encoder.terms.and([bounded, less])
    }
    fn changed(&self, frame: Frame, cmd: &Cmd<'_>) -> Vec<(Frame, VarId)> {
        let own = |vars: &[VarId]| vars.iter().map(|var| (frame, *var)).collect();
        match cmd {
            Cmd::Stmt(stmt) => match &stmt.kind {
                StmtKind::Havoc(vars) | StmtKind::Unpack { vars, .. } => own(vars),
                StmtKind::Assign { targets, .. } => targets.iter().map(|target| (frame, target.var)).collect(),
                StmtKind::Call { procedure, outs, .. } => {
                    let modifies = &self.program.procedures[*procedure].modifies;
                    outs.iter().chain(modifies).map(|var| (frame, *var)).collect()
                }
                _ => Vec::new(),
            },
            Cmd::Enter { inner, .. } => {
                let body = &self.program.implementations[self.graph.frames[*inner]];
                body.ins.iter().chain(&body.outs).chain(&body.locals).map(|var| (*inner, *var)).collect()
            }
            Cmd::Leave { call, .. } => match &call.kind {
                StmtKind::Call { outs, .. } => own(outs),
                _ => Vec::new(),
            },
            _ => Vec::new(),
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
            }
            // A loop that no edge goes back to.
            Cmd::Invariant(_) => self.invariant_goal(frame, &cmd, Use::Established),
            Cmd::Measure(_) => {}
            Cmd::Exit(at) => {
                let procedure = self.program.implementations[self.graph.frames[0]].procedure;
                self.ensures(frame, procedure, at);
            }
            Cmd::Enter { call, inner } => self.enter(frame, call, inner),
            Cmd::Leave { call, inner } => {
                let body = &self.program.implementations[self.graph.frames[inner]];
                self.ensures(inner, body.procedure, call.id);
                if let StmtKind::Call { outs, .. } = &call.kind {
                    for (out, result) in outs.iter().zip(&body.outs) {
                        if let Some(value) = self.place.values.get(result).copied() {
                            let origin = self.origin(call.id);
                            self.assign(frame, *out, value, origin, None);
                        }
                    }
                }
                self.refresh_contract();
            }
            Cmd::Stop => self.place.reached = self.encoder.terms.falsity(),
        }
    }

    fn stmt(&mut self, frame: Frame, stmt: &'a Stmt) {
        let origin = self.origin(stmt.id);
        let becomes = match stmt.kind {
            StmtKind::Assert(_) => Use::Assertion,
            StmtKind::Assume(_) => Use::Assumption,
            _ => Use::Code,
        };
        let own = label(&stmt.attributes, None, becomes);
        match &stmt.kind {
            StmtKind::Assert(condition) => {
                let term = self.verified_under(frame, *condition, &stmt.attributes);
                let goal = Goal::new(term, ErrorKind::Assert, stmt.id, origin);
                let known = self.is_subsumed(&stmt.attributes).then_some(own.clone());
                self.demand(Goal { label: own, known, ..goal });
                if has_attribute(&stmt.attributes, "verified_under") {
                    let fact = self.formula(frame, *condition, Polarity::Stated);
                    self.assume(fact, Because::Checked, origin, None);
                }
            }
            StmtKind::Assume(condition) => {
                let fact = self.formula(frame, *condition, Polarity::Stated);
                self.assume(fact, Because::Written, origin, own);
            }
            StmtKind::Havoc(vars) => self.havoc(frame, vars, origin),
            StmtKind::Assign { targets, values } => {
                let values: Vec<TermId> = values.iter().map(|value| self.value(frame, *value)).collect();
                let values: Vec<TermId> =
                    targets.iter().zip(values).map(|(target, value)| self.written(frame, target, value)).collect();
                for (target, value) in targets.iter().zip(values) {
                    self.assign(frame, target.var, value, origin, own.clone());
                }
            }
            StmtKind::Unpack { constructor, vars, value } => {
                let ty = self.program.type_of(*value).replace(&self.types[frame]);
                let value = self.value(frame, *value);
                let term = self.encoder.is(&ty, *constructor, value);
                let goal = Goal::new(term, ErrorKind::Assignment, stmt.id, origin);
                self.demand(Goal { known: Some(None), ..goal });
                let fields = self.encoder.fields(&ty, *constructor, value);
                for (var, field) in vars.iter().zip(fields) {
                    self.assign(frame, *var, field, origin, own.clone());
                }
            }
            StmtKind::Call { .. } => self.call(frame, stmt),
            StmtKind::Hide(function) => self.place.hiding.set(*function, true),
            StmtKind::Reveal(function) => self.place.hiding.set(*function, false),
            StmtKind::Push => {
                let hiding = &mut self.place.hiding;
                hiding.outer.push((hiding.all, hiding.except.clone()));
            }
            StmtKind::Pop => {
                if let Some((all, except)) = self.place.hiding.outer.pop() {
                    (self.place.hiding.all, self.place.hiding.except) = (all, except);
                }
            }
            _ => {}
        }
        self.refresh_contract();
    }
    /// Whether an assertion is known afterwards: `{:subsumption 0}` says that it is not.
    fn is_subsumed(&self, attributes: &[Attribute]) -> bool {
        let level = self.program.tree.number_attribute(attributes, "subsumption");
        level.is_none_or(|level| *level != 0.into()) && !has_attribute(attributes, "verified_under")
    }
    /// The variable's value with the part that the target names replaced.
    fn written(&mut self, frame: Frame, target: &Target, value: TermId) -> TermId {
        let Some(whole) = self.place.values.get(&target.var).copied() else { return value };
        self.written_at(frame, target, 0, whole, value)
    }
    fn written_at(&mut self, frame: Frame, target: &Target, step: usize, whole: TermId, value: TermId) -> TermId {
        let Some(found) = target.steps.get(step) else { return value };
        let ty = target.types[step].replace(&self.types[frame]);
        match &found.kind {
            StepKind::Index { indices, instance } => {
                let instance: Instance =
                    instance.iter().map(|(param, ty)| (*param, ty.replace(&self.types[frame]))).collect();
                let indices: Vec<TermId> = indices.iter().map(|index| self.value(frame, *index)).collect();
                let value = if step + 1 < target.steps.len() {
                    let inner = self.encoder.select(&ty, whole, &indices, &instance);
                    self.written_at(frame, target, step + 1, inner, value)
                } else {
                    value
                };
                self.encoder.store(&ty, whole, &indices, value, &instance)
            }
            StepKind::Field { selectors, .. } => {
                let value = if step + 1 < target.steps.len() {
                    let inner = self.encoder.field(&ty, selectors, whole);
                    self.written_at(frame, target, step + 1, inner, value)
                } else {
                    value
                };
                self.encoder.update(&ty, selectors, whole, value)
            }
        }
    }

    fn call(&mut self, frame: Frame, stmt: &'a Stmt) {
        let StmtKind::Call { procedure, free, args, outs, instance } = &stmt.kind else { return };
        let program = self.program;
        let callee = &program.procedures[*procedure];
        let types: Instance = instance.iter().map(|(param, ty)| (*param, ty.replace(&self.types[frame]))).collect();
        let args: Vec<TermId> = args.iter().map(|arg| self.value(frame, *arg)).collect();
        let mut bound: Vec<(VarId, TermId)> = callee.ins.iter().copied().zip(args).collect();
        let before = self.place.values.clone();
        let at_call = Some(&stmt.attributes[..]);
        let in_callee = |round: &mut Self, bound: &[(VarId, TermId)], expr: ExprId, polarity: Polarity| {
            let state = State { current: round.place.values.clone(), old: before.clone() };
            let env = Env { bound: bound.to_vec(), ..Env::new(&state, &types, polarity) };
            round.encoder.expr(expr, &env)
        };
        for clause in callee.requires.iter().filter(|_| !free) {
            if clause.free {
                if has_attribute(&clause.attributes, "always_assume") {
                    let fact = in_callee(self, &bound, clause.condition, Polarity::Stated);
                    let origin = Origin { site: Some(stmt.id), ..self.origin(clause.id) };
                    self.assume(fact, Because::Written, origin, None);
                }
                continue;
            }
            let term = in_callee(self, &bound, clause.condition, Polarity::Demanded);
            let origin = Origin { site: Some(stmt.id), ..self.origin(clause.id) };
            let goal = Goal::new(term, ErrorKind::CallPrecondition, stmt.id, origin);
            let label_of = |becomes| label(&clause.attributes, at_call, becomes);
            let known = Some(label_of(Use::RequiredAssumed));
            self.demand(Goal { related: Some(clause.id), label: label_of(Use::Required), known, ..goal });
        }
        if let (Some((_, values)), Some(old)) = (callee.measures.first(), self.entry_measure.clone())
            && values.len() == old.len()
        {
            let now: Vec<TermId> =
                values.iter().map(|value| in_callee(self, &bound, *value, Polarity::Neither)).collect();
            self.decreases(&now, &old, stmt.id);
        }
        let origin = self.origin(stmt.id);
        for global in &callee.modifies {
            let ty = self.var_type(frame, *global);
            let value = self.encoder.fresh(&program.vars[*global].name, &ty);
            self.place.values.insert(*global, value);
        }
        for (result, out) in callee.outs.iter().zip(outs) {
            let ty = program.vars[*result].ty.expanded().replace(&types);
            let value = self.encoder.fresh(&program.vars[*out].name, &ty);
            bound.push((*result, value));
        }
        let constrained = callee.modifies.iter().chain(&callee.outs);
        for var in constrained {
            if let Some(constraint) = program.vars[*var].constraint {
                let fact = in_callee(self, &bound, constraint, Polarity::Stated);
                let origin = Origin { clause: program.vars[*var].id, site: Some(stmt.id), part: Part::Value };
                self.assume(fact, Because::Written, origin, None);
            }
        }
        for clause in &callee.ensures {
            let fact = in_callee(self, &bound, clause.condition, Polarity::Stated);
            let origin = Origin { site: Some(stmt.id), ..self.origin(clause.id) };
            self.assume(fact, Because::Written, origin, label(&clause.attributes, at_call, Use::Ensured));
        }
        let results: Vec<TermId> =
            callee.outs.iter().filter_map(|out| bound.iter().find(|(var, _)| var == out)).map(|(_, value)| *value).collect();
        for (out, value) in outs.iter().zip(results) {
            self.place.values.insert(*out, value);
            if let Some(constraint) = program.vars[*out].constraint {
                let fact = self.formula(frame, constraint, Polarity::Stated);
                self.assume(fact, Because::Written, origin, None);
            }
        }
    }

    /// The body of a called procedure begins.
    fn enter(&mut self, frame: Frame, call: &'a Stmt, inner: Frame) {
        let StmtKind::Call { args, instance, .. } = &call.kind else { return };
        let program = self.program;
        let implementation = self.graph.frames[inner];
        let body = &program.implementations[implementation];
        let args: Vec<TermId> = args.iter().map(|arg| self.value(frame, *arg)).collect();
        let procedure = &program.procedures[body.procedure];
        let outer: Instance = instance.iter().map(|(param, ty)| (*param, ty.replace(&self.types[frame]))).collect();
        let mut types = outer.clone();
        for (own, declared) in body.type_params.iter().zip(&procedure.type_params) {
            types.insert(*own, outer.get(declared).cloned().unwrap_or(Type::Int));
        }
        self.types[inner] = types;
        let origin = self.origin(call.id);
        for (var, value) in body.ins.iter().zip(args) {
            self.assign(inner, *var, value, origin, None);
        }
        let rest: Vec<VarId> = body.outs.iter().chain(&body.locals).copied().collect();
        self.havoc(inner, &rest, origin);
        self.enter_contract(inner, implementation);
        self.olds[inner] = self.place.values.clone();
        for clause in procedure.requires.iter().filter(|clause| !clause.free) {
            let term = self.formula(inner, clause.condition, Polarity::Demanded);
            let origin = Origin { site: Some(call.id), ..self.origin(clause.id) };
            let goal = Goal::new(term, ErrorKind::CallPrecondition, call.id, origin);
            let label = label(&clause.attributes, Some(&call.attributes), Use::Required);
            self.demand(Goal { related: Some(clause.id), label, known: Some(None), ..goal });
        }
    }

    fn ensures(&mut self, frame: Frame, procedure: ProcedureId, at: SyntaxId) {
        self.refresh_contract();
        let program = self.program;
        let clauses: Vec<&Clause> = program.procedures[procedure].ensures.iter().collect();
        for clause in clauses {
            let origin = Origin { site: Some(at), ..self.origin(clause.id) };
            if clause.free {
                if has_attribute(&clause.attributes, "always_assume") {
                    let fact = self.formula(frame, clause.condition, Polarity::Stated);
                    self.assume(fact, Because::Written, origin, None);
                }
                continue;
            }
            let term = self.formula(frame, clause.condition, Polarity::Demanded);
            let goal = Goal::new(term, ErrorKind::PostconditionViolated, at, origin);
            let label = label(&clause.attributes, None, Use::Postcondition);
            self.demand(Goal { related: Some(clause.id), label: label.clone(), known: Some(label), ..goal });
        }
    }

    // The tree.

    /// Adds what holds everywhere, at the front.
    fn finish(&mut self) {
        let spoken_of: Vec<TermId> = self
            .entries
            .iter()
            .flat_map(|entry| match entry {
                Entry::Fact { term, .. } => vec![*term],
                Entry::Goal { hypothesis, bare, .. } => vec![*hypothesis, *bare],
            })
            .collect();
        let facts = axioms::facts(&mut self.encoder, &spoken_of);
        let mut front = Vec::new();
        for fact in facts {
            let mut term = fact.term;
            for function in fact.hideable.into_iter().flatten() {
                if let Some(visible) = self.visible.get(&function).copied() {
                    term = self.encoder.terms.implies(visible, term);
                }
            }
            let origin = Origin { clause: fact.id, site: None, part: Part::Definition };
            front.push(Entry::Fact { term, because: Because::Written, origin, label: fact.label });
        }
        for definition in self.encoder.definitions.clone() {
            let origin = Origin { part: Part::Definition, ..self.origin(self.member) };
            front.push(Entry::Fact {
                term: definition,
                because: Because::Rule(Rule::Definition),
                origin,
                label: None,
            });
        }
        front.append(&mut self.entries);
        self.entries = front;
    }
    fn hides_anything(&self) -> bool {
        let hides = |(_, cmd): &(Frame, Cmd<'_>)| {
            matches!(cmd, Cmd::Stmt(stmt) if matches!(stmt.kind, StmtKind::Hide(_) | StmtKind::Reveal(_)))
        };
        self.graph.blocks.iter().any(|block| block.cmds.iter().any(hides))
    }
    fn visible_symbol(&mut self, function: FunctionId) -> TermId {
        let name = format!("visible {}", self.program.functions[function].name);
        let bool = self.encoder.terms.bool_sort();
        let symbol = self.encoder.terms.declare(name, [], bool, SymbolKind::Function);
        self.encoder.terms.constant(symbol)
    }

    fn outcome(self) -> Outcome {
        let Round { encoder, entries, member, unsupported, .. } = self;
        let origin = Origin { clause: member, site: None, part: Part::Value };
        let mut tree = ProofTree::new(encoder.terms, origin);
        let mut at: NodeId = tree.root();
        let (mut fact_labels, mut goal_labels) = (BTreeMap::new(), BTreeMap::new());
        let mut parts = BTreeMap::new();
        for entry in entries {
            match entry {
                Entry::Fact { term, because, origin, label } => {
                    at = tree.assume(at, term, because, &[], origin);
                    label.into_iter().for_each(|label| drop(fact_labels.insert(at, label)));
                }
                Entry::Goal { hypothesis, bare, property, origin, label } => {
                    let origin = tree.origin(origin);
                    let role = Role::Obligation(property);
                    let goal = tree.terms.implies(hypothesis, bare);
                    let check = tree.add_check(Check { at, goal, role, origin, premises: Box::from([]) });
                    parts.insert(check, (hypothesis, bare));
                    label.into_iter().for_each(|label| drop(goal_labels.insert(check, label)));
                }
            }
        }
        Outcome { tree, failures: Vec::new(), unsupported, fact_labels, goal_labels, parts }
    }
}

/// Something to be shown.
struct Goal {
    term: TermId,
    error: ErrorKind,
    reason: Reason,
    at: SyntaxId,
    related: Option<SyntaxId>,
    origin: Origin,
    label: Option<Label>,
    /// Whether it is known afterwards, and under which label.
    known: Option<Option<Label>>,
}

impl Goal {
    fn new(term: TermId, error: ErrorKind, at: SyntaxId, origin: Origin) -> Self {
        let reason = Reason::AssertionFalse;
        Goal { term, error, reason, at, related: None, origin, label: None, known: None }
    }
}

/// What the type parameters of the procedure are called in the implementation.
fn own_types(program: &Program, implementation: ImplementationId) -> Instance {
    let body = &program.implementations[implementation];
    let procedure = &program.procedures[body.procedure];
    let mut instance = Instance::new();
    let pairs = procedure.ins.iter().zip(&body.ins).chain(procedure.outs.iter().zip(&body.outs));
    for (formal, own) in pairs {
        let (formal, own) = (program.vars[*formal].ty.expanded(), program.vars[*own].ty.expanded());
        matches(&formal, &own, &procedure.type_params, &mut instance);
    }
    instance
}

/// The condition, attributes and place of an invariant, and whether it is free.
fn invariant<'c>(cmd: &Cmd<'c>) -> Option<(ExprId, &'c [Attribute], SyntaxId, bool)> {
    match cmd {
        Cmd::Invariant(clause) => Some((clause.condition, &clause.attributes, clause.id, clause.free)),
        Cmd::Stmt(stmt) => match &stmt.kind {
            StmtKind::Assert(condition) => Some((*condition, &stmt.attributes, stmt.id, false)),
            StmtKind::Assume(condition) => Some((*condition, &stmt.attributes, stmt.id, true)),
            _ => None,
        },
        _ => None,
    }
}

fn first_id(cmds: &[(Frame, Cmd<'_>)]) -> Option<SyntaxId> {
    cmds.iter().find_map(|(_, cmd)| match cmd {
        Cmd::Stmt(stmt) => Some(stmt.id),
        _ => None,
    })
}

/// Hidden is what is hidden on one of the ways.
fn merged_hiding(program: &Program, a: &Hiding, b: &Hiding) -> Hiding {
    let hidden = program.functions.keys().filter(|function| a.hides(*function) || b.hides(*function));
    let outer = if a.outer.len() <= b.outer.len() { a.outer.clone() } else { b.outer.clone() };
    Hiding { all: false, except: hidden.collect(), outer }
}
