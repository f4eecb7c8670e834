//! Statements. Each rule takes a state and returns the states after it.

use crate::eval::consume::Consumed;
use crate::eval::produce::Giving;
use crate::exec::Executor;
use crate::heap::remove::Removed;
use crate::heap::single::{Amount, Demand};
use crate::state::{self, Chunk, Cx, Heap, Mode, Resource, State, Step, Stop, Store, Variable};
use echis_base::SyntaxId;
use echis_program::program::{ExprId, ExprKind, FieldId, LocalId, Location, MethodId, OldState, Stmt, StmtKind};
use echis_proof::{Because, ErrorKind, Part, Premise, Rule, Step as TreeStep};
use echis_term::{Op, Sort, TermId};
use std::collections::BTreeMap;
use std::rc::Rc;

impl Executor<'_> {
    pub fn exec(&mut self, st: State, stmt: &Stmt, mode: Mode) -> Step<Vec<State>> {
        self.eval.memory.writer.begin_statement();
        let (before, ended, in_script) = (st.at, self.eval.memory.writer.ended(), !st.explores);
        let result = self.exec_kind(st, stmt, mode);
        self.eval.memory.writer.note_step(before, &mode.cx(ErrorKind::Internal, stmt.id));
        let result = match result {
            Err(Stop::Infeasible) => {
                self.eval.memory.writer.close_path(before, stmt.id, mode);
                Ok(Vec::new())
            }
            result => result,
        };
        self.eval.memory.writer.close_ended(ended, in_script, mode);
        result.map(|states| self.eval.memory.writer.drop_contradictions(states, &mode.cx(ErrorKind::Internal, stmt.id)))
    }
    /// The facts of earlier conjuncts of an `assume` that this conjunct rests on. An access demands its amount on top
    /// of earlier accesses to the same location, so without an earlier conjunct it says less.
    fn added_up(&self, st: &mut State, conjunct: ExprId, id: SyntaxId) -> Vec<Premise> {
        let start = match st.assumed {
            Some((stmt, start)) if stmt == id => start,
            _ => st.at,
        };
        st.assumed = Some((id, start));
        let contains = |wanted: fn(&ExprKind) -> bool| self.context.program.any(conjunct, wanted);
        let adds = contains(|kind| matches!(kind, ExprKind::PermOf(_)))
            && contains(|kind| matches!(kind, ExprKind::Conditional(..)));
        if !adds {
            return Vec::new();
        }
        let facts = self.eval.memory.writer.tree.path_since(start, st.at).into_iter().filter(|node| {
            matches!(self.eval.memory.writer.tree.nodes[*node].step, TreeStep::Assume { because: Because::Written, .. })
        });
        facts.map(Premise::Fact).collect()
    }
    fn exec_kind(&mut self, mut st: State, stmt: &Stmt, mode: Mode) -> Step<Vec<State>> {
        let id = stmt.id;
        match &stmt.kind {
            StmtKind::Declare(local) => {
                self.havoc(&mut st, &[*local]);
                Ok(vec![st])
            }
            StmtKind::Assign { target, value } => {
                let cx = mode.cx(ErrorKind::Assignment, id);
                let value = self.eval.eval(&mut st, *value, &cx)?;
                self.assign(&mut st, *target, value, &cx);
                self.eval.memory.writer.note_locals(&mut st, id, &[*target]);
                self.eval.memory.writer.note_heap(&st);
                Ok(vec![st])
            }
            StmtKind::AssignField { receiver, field, value } => {
                self.assign_field(&mut st, *receiver, *field, *value, id, mode)?;
                self.eval.memory.writer.note_heap(&st);
                Ok(vec![st])
            }
            StmtKind::New { target, fields } => {
                self.new_object(&mut st, *target, fields, id, mode)?;
                self.eval.memory.writer.note_locals(&mut st, id, &[*target]);
                self.eval.memory.writer.note_heap(&st);
                Ok(vec![st])
            }
            StmtKind::Call { targets, method, args } => self.call(st, targets, *method, args, id, mode),
            StmtKind::Inhale(assertion) => {
                let cx = mode.cx(ErrorKind::Inhale, self.context.syntax(*assertion));
                self.eval.produce_clauses(st, &[*assertion], &Giving::written(), |_, _| cx)
            }
            StmtKind::Assume(conjunct) => {
                let cx = mode.cx(ErrorKind::Inhale, self.context.syntax(*conjunct));
                let premises = self.added_up(&mut st, *conjunct, id);
                self.eval.produce_clauses(st, &[*conjunct], &Giving { premises, ..Giving::written() }, |_, _| cx)
            }
            StmtKind::Exhale(assertion) => {
                let cx = mode.cx(ErrorKind::Exhale, self.context.syntax(*assertion)).giving_away();
                let ends = self.eval.consume_clauses(st, &[*assertion], None, |_, _| cx)?;
                Ok(ends.into_iter().map(|end| end.st).collect())
            }
            StmtKind::Assert(assertion) => {
                let cx = mode.cx(ErrorKind::Assert, self.context.syntax(*assertion)).giving_away();
                let was_aside = std::mem::replace(&mut st.heap.aside, true);
                let ends = self.eval.consume_clauses(st, &[*assertion], None, |_, _| cx)?;
                // Permission that was missing, or that a package took for the assertion, stays in the state.
                let restored = |end: Consumed| State { heap: Heap { aside: was_aside, ..end.whole }, ..end.st };
                let mut states: Vec<State> = ends.into_iter().map(restored).collect();
                if matches!(self.context.program.kind(*assertion), ExprKind::Bool(false)) {
                    let obligation = cx.assertion(cx.at);
                    states.iter_mut().for_each(|st| self.eval.memory.writer.step_back(st, obligation.property));
                }
                Ok(states)
            }
            StmtKind::Refute(assertion) => {
                self.refute(&st, *assertion, mode);
                Ok(vec![st])
            }
            StmtKind::Fold(access) => self.eval.exec_fold(st, access, id, mode),
            StmtKind::Unfold(access) => self.eval.exec_unfold(st, access, id, mode),
            StmtKind::Package { wand, script } => self.exec_package(st, *wand, script, id, mode),
            StmtKind::Apply { wand } => self.eval.exec_apply(st, *wand, id, mode),
            StmtKind::Quasihavoc { condition, location, location_id } => {
                self.quasihavoc(&mut st, *condition, location, *location_id, mode)?;
                Ok(vec![st])
            }
            StmtKind::QuasihavocAll { vars, condition, location, location_id } => {
                let cx = mode.cx(ErrorKind::QuasihavocAll, *location_id);
                self.eval.quasihavoc_all(&mut st, vars, *condition, location, id, &cx)?;
                Ok(vec![st])
            }
            StmtKind::Label { label, .. } => {
                let heap = st.heap.clone();
                Rc::make_mut(&mut st.old).insert(OldState::Label(*label), heap);
                Ok(vec![st])
            }
            StmtKind::If { .. } | StmtKind::While { .. } | StmtKind::Goto(_) | StmtKind::Block(_) => {
                unreachable!("control flow is in the graph")
            }
        }
    }

    /// Makes the variables arbitrary.
    pub fn havoc(&mut self, st: &mut State, locals: &[LocalId]) {
        for local in locals {
            let declared = &self.context.program.locals[*local];
            let sort = self.eval.memory.writer.sort_of_type(&declared.ty);
            let term = self.eval.memory.writer.fresh(st, &declared.name, sort);
            st.set(*local, term);
        }
    }
    fn assign(&mut self, st: &mut State, target: LocalId, value: TermId, cx: &Cx) {
        let premises = self.eval.memory.writer.rested_on();
        let name = self.context.program.locals[target].name.clone();
        let symbol =
            self.eval.memory.writer.define(st, &name, value, Because::Written, &premises, cx.origin(Part::Value));
        st.set(target, symbol);
    }
    fn assign_field(
        &mut self,
        st: &mut State,
        receiver: ExprId,
        field: FieldId,
        value: ExprId,
        id: SyntaxId,
        mode: Mode,
    ) -> Step<()> {
        let cx = mode.cx(ErrorKind::Assignment, id);
        let receiver = self.eval.eval(st, receiver, &cx)?;
        let value = self.eval.eval(st, value, &cx)?;
        let value_premises = self.eval.memory.writer.rested_on();
        self.eval.memory.writer.begin_step();
        let name = self.context.program.fields[field].name.clone();
        let origin = cx.origin(Part::Value);
        let value = self.eval.memory.writer.define(st, &name, value, Because::Written, &value_premises, origin);
        self.eval.memory.writer.note_field(st, id, receiver, field, value);
        let resource = Resource::Field(field);
        if self.eval.memory.writer.is_quantified(resource)
            && self.eval.memory.quantified_write(st, resource, receiver, value, &cx)?
        {
            return Ok(());
        }
        let write = self.eval.memory.writer.terms().write();
        let obligation = cx.permission(id);
        let location = state::Location::new(resource, &[receiver]);
        let demand = Demand { location: location.clone(), amount: Amount::Exact(write), obligation };
        let Removed { check, .. } = self.eval.memory.remove(st, &demand, &cx)?;
        if check.is_some_and(|check| self.eval.memory.writer.is_vacuous(check)) {
            // On a dead path, the existing permission stays and the value changes.
            let chunks = st.heap.chunks.clone();
            if let Some(index) = self.eval.memory.find_same(&chunks, &location) {
                st.heap.chunks_mut()[index].value = value;
                return Ok(());
            }
        }
        // The permission is kept; it does not rest on the assigned value.
        let permission = self.eval.memory.writer.rested_on();
        let grant = self.eval.memory.grant(st, resource, Because::Rule(Rule::Kept), &permission, &cx);
        self.eval.memory.add_chunk(st, Chunk::at(location, write, value, grant), &cx)
    }

    fn new_object(
        &mut self,
        st: &mut State,
        target: LocalId,
        fields: &[FieldId],
        id: SyntaxId,
        mode: Mode,
    ) -> Step<()> {
        let cx = mode.cx(ErrorKind::Assignment, id);
        let sort = self.eval.memory.writer.terms().ref_sort();
        let program = self.context.program;
        let object = self.eval.memory.writer.fresh(st, &program.locals[target].name, sort);
        let origin = cx.origin(Part::Value);
        let null = self.eval.memory.writer.terms().null();
        let nonnull = self.eval.memory.writer.terms().ne(object, null);
        self.eval.memory.writer.assume(st, nonnull, Because::Written, &[], origin)?;
        for fact in self.freshness(st, object) {
            self.eval.memory.writer.assume(st, fact, Because::Written, &[], origin)?;
        }
        st.set(target, object);
        for &field in fields {
            let sort = self.eval.memory.writer.field_sort(field);
            let value = self.eval.memory.writer.fresh(st, &program.fields[field].name, sort);
            let resource = Resource::Field(field);
            let grant = self.eval.memory.grant(st, resource, Because::Written, &[], &cx);
            self.eval.memory.writer.note_creation(grant);
            let write = self.eval.memory.writer.terms().write();
            let location = state::Location::new(resource, &[object]);
            self.eval.memory.add_chunk(st, Chunk::at(location, write, value, grant), &cx)?;
        }
        Ok(())
    }
    /// Facts that the new object differs from everything that variables and chunks denote.
    fn freshness(&mut self, st: &State, object: TermId) -> Vec<TermId> {
        let heap_terms = st.heap.chunks.iter().flat_map(|chunk| chunk.args().iter().copied().chain([chunk.value]));
        let mut known: Vec<TermId> = st.variables.store().values().chain(heap_terms).collect();
        known.sort();
        known.dedup();
        let mut facts = Vec::new();
        let reference = self.eval.memory.writer.terms().ref_sort();
        for term in known {
            if !self.eval.memory.writer.tree.terms.term(term).free.is_empty() {
                continue;
            }
            let sort = self.eval.memory.writer.tree.terms.sort_of(term);
            let fact = match self.eval.memory.writer.tree.terms.sort_data(sort) {
                Sort::Ref => self.eval.memory.writer.terms().ne(object, term),
                Sort::Seq(element) if *element == reference => {
                    let contains = self.eval.memory.writer.terms().op(Op::SeqContains, [term, object]);
                    self.eval.memory.writer.terms().not(contains)
                }
                Sort::Set(element) if *element == reference => {
                    let contains = self.eval.memory.writer.terms().op(Op::SetContains, [term, object]);
                    self.eval.memory.writer.terms().not(contains)
                }
                _ => continue,
            };
            facts.push(fact);
        }
        facts
    }

    fn call(
        &mut self,
        mut st: State,
        targets: &[LocalId],
        method: MethodId,
        args: &[ExprId],
        id: SyntaxId,
        mode: Mode,
    ) -> Step<Vec<State>> {
        let program = self.context.program;
        let runs = self.context.library.bodies.contains(&method);
        if runs && self.running.contains(&method) {
            return Ok(Vec::new());
        }
        let callee = &program.methods[method];
        let eval_cx = mode.cx(ErrorKind::Call, id);
        let mut formals = Store::default();
        for (param, arg) in callee.params.iter().zip(args) {
            let mark = self.eval.memory.writer.mark();
            let value = self.eval.eval(&mut st, *arg, &eval_cx)?;
            let premises = self.eval.memory.writer.since(mark);
            let name = &program.locals[*param].name;
            let value = self.eval.memory.writer.define(
                &mut st,
                name,
                value,
                Because::Written,
                &premises,
                eval_cx.origin(Part::Value),
            );
            formals.set(Variable::Local(*param), value);
        }
        self.eval.memory.writer.begin_step();
        let store = Rc::new(formals.clone());
        self.check_termination_of_call(&mut st, method, &store, id, mode)?;
        let was_aside = st.heap.aside;
        st.heap.aside |= runs;
        let caller = (st.enter(store), st.old.clone());
        let pre_cx = Cx { site: Some(id), ..mode.cx(ErrorKind::CallPrecondition, id).giving_away() };
        let consumed = self.eval.consume_clauses(st, &callee.pre, None, |executor, clause| {
            pre_cx.clause(executor.context.syntax(clause))
        })?;
        let post_cx = Cx { site: Some(id), ..mode.cx(ErrorKind::Call, id) };
        let mut states = Vec::new();
        for mut end in consumed {
            let mut formals = formals.clone();
            for local in &callee.returns {
                let sort = self.eval.memory.writer.sort_of_type(&program.locals[*local].ty);
                let value = self.eval.memory.writer.fresh(&end.st, &program.locals[*local].name, sort);
                formals.set(Variable::Local(*local), value);
            }
            *end.st.variables.store_mut() = formals;
            let whole = Heap { aside: was_aside, ..end.whole };
            end.st.old = Rc::new(BTreeMap::from([(OldState::Pre, whole.clone())]));
            let ends = match &callee.body {
                Some(body) if runs => {
                    self.running.push(method);
                    let ends = self.run(State { heap: whole, ..end.st }, body, mode);
                    self.running.pop();
                    ends?
                }
                _ => {
                    let giving = Giving::checked(end.premises);
                    self.eval.produce_clauses(end.st, &callee.post, &giving, |executor, clause| {
                        post_cx.clause(executor.context.syntax(clause))
                    })?
                }
            };
            for mut st in ends {
                let returned = std::mem::replace(&mut st.variables, caller.0.clone());
                st.old = caller.1.clone();
                for (target, local) in targets.iter().zip(&callee.returns) {
                    let value = returned.store().local(*local).expect("what is returned has a value");
                    st.set(*target, value);
                }
                self.eval.memory.writer.note_locals(&mut st, id, targets);
                if !targets.is_empty() {
                    self.eval.memory.writer.note_heap(&st);
                }
                states.push(st);
            }
        }
        Ok(states)
    }

    /// Forgets the value of one location, keeping its permission.
    fn quasihavoc(
        &mut self,
        st: &mut State,
        condition: Option<ExprId>,
        location: &Location,
        location_id: SyntaxId,
        mode: Mode,
    ) -> Step<()> {
        let cx = mode.cx(ErrorKind::Quasihavoc, location_id);
        let guard = match condition {
            Some(condition) => self.eval.eval(st, condition, &cx)?,
            None => self.eval.memory.writer.terms().truth(),
        };
        let location = self.eval.eval_location(st, location, &cx)?;
        if self.eval.memory.writer.is_quantified(location.resource) {
            return self.eval.memory.quantified_havoc_single(st, &location, guard, &cx);
        }
        let chunks = st.heap.chunks.clone();
        for (index, chunk) in st.heap.clone().of(location.resource) {
            let equal = self.eval.memory.writer.tree.terms.eq_all(chunk.args(), &location.args);
            let changed = self.eval.memory.writer.terms().and([guard, equal]);
            if self.eval.memory.writer.tree.terms.is_false(changed) {
                continue;
            }
            let value = self.eval.memory.forgotten(st, changed, chunks[index].value, &cx)?;
            st.heap.chunks_mut()[index].value = value;
        }
        Ok(())
    }
}
