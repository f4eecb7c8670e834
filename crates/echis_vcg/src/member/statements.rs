//! Statements and calls.

use super::{Goal, Round};
use crate::encode::{Env, Polarity, State};
use crate::graph::Frame;
use crate::history::What;
use crate::labels::{Use, label};
use echis_base::SyntaxId;
use echis_boogie::ast::{Attribute, ExprId};
use echis_boogie::attributes::{Known, has_attribute};
use echis_boogie::program::{ProcedureId, Stmt, StmtKind, VarId};
use echis_boogie::types::{Instance, Type};
use echis_proof::{Because, ErrorKind, Origin, Part};
use echis_term::TermId;

impl<'a> Round<'a> {
    pub(super) fn stmt(&mut self, frame: Frame, stmt: &'a Stmt) {
        self.selection.meet(&stmt.attributes);
        let origin = self.origin(stmt.id);
        let becomes = match stmt.kind {
            StmtKind::Assert(_) => Use::Assertion,
            StmtKind::Assume(_) => Use::Assumption,
            _ => Use::Code,
        };
        let own = self.statement_label(stmt, becomes);
        match &stmt.kind {
            StmtKind::Assert(condition) => {
                let term = self.verified_under(frame, *condition, &stmt.attributes);
                let goal = Goal::new(term, ErrorKind::Assert, stmt.id, origin);
                let known = self.is_subsumed(&stmt.attributes).then_some(own.clone());
                let is_known = known.is_some();
                self.demand(Goal { label: own.clone(), known, ..goal });
                let stated = self.formula(frame, *condition, Polarity::Stated);
                if !self.selection.checks(self.current.0) {
                    self.assume(stated, Because::Written, origin, None);
                } else if is_known && stated != term {
                    // An assertion proved for an arbitrary type holds for others.
                    self.assume(stated, Because::Checked, origin, own);
                }
                if has_attribute(&stmt.attributes, Known::VerifiedUnder) {
                    let fact = self.formula(frame, *condition, Polarity::Stated);
                    self.assume(fact, Because::Checked, origin, None);
                }
            }
            StmtKind::Assume(condition) => {
                let fact = self.formula(frame, *condition, Polarity::Stated);
                self.assume(fact, Because::Written, origin, own);
            }
            StmtKind::Havoc(vars) => {
                self.havoc(frame, vars, origin);
                for var in vars {
                    let value = self.place.values[var];
                    self.happened(stmt.id, What::Assigned { var: *var, value });
                }
            }
            StmtKind::Assign { targets, values } => {
                let values: Vec<TermId> = values.iter().map(|value| self.value(frame, *value)).collect();
                let state = self.state(frame);
                let types = self.types[frame].clone();
                let env = Env::new(&state, &types, Polarity::Neither);
                let written = |(target, value)| self.encoder.target(target, value, &env);
                let values: Vec<TermId> = targets.iter().zip(values).map(written).collect();
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
        self.refresh_contract(frame);
    }

    /// Whether an assertion is assumed afterwards; `{:subsumption 0}` prevents it.
    pub(super) fn is_subsumed(&self, attributes: &[Attribute]) -> bool {
        let level = self.program.tree.number_attribute(attributes, Known::Subsumption);
        level.is_none_or(|level| *level != 0.into()) && !has_attribute(attributes, Known::VerifiedUnder)
    }

    pub(super) fn call(&mut self, frame: Frame, stmt: &'a Stmt) {
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
                if has_attribute(&clause.attributes, Known::AlwaysAssume) {
                    let fact = in_callee(self, &bound, clause.condition, Polarity::Stated);
                    let origin = Origin { site: Some(stmt.id), ..self.origin(clause.id) };
                    self.assume(fact, Because::Written, origin, None);
                }
                continue;
            }
            let term = in_callee(self, &bound, clause.condition, Polarity::Demanded);
            let term = self.or_verified(frame, term, &stmt.attributes);
            let origin = Origin { site: Some(stmt.id), ..self.origin(clause.id) };
            let goal = Goal::new(term, ErrorKind::CallPrecondition, stmt.id, origin);
            let label_of = |becomes| label(&clause.attributes, at_call, becomes);
            // The assertion inherits the attributes of the call.
            let known = self.is_subsumed(&stmt.attributes).then(|| label_of(Use::RequiredAssumed));
            self.demand(Goal { related: Some(clause.id), label: label_of(Use::Required), known, ..goal });
            if has_attribute(&stmt.attributes, Known::VerifiedUnder) {
                let fact = in_callee(self, &bound, clause.condition, Polarity::Stated);
                self.assume(fact, Because::Checked, origin, None);
            }
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
        let results: Vec<TermId> = callee
            .outs
            .iter()
            .filter_map(|out| bound.iter().find(|(var, _)| var == out))
            .map(|(_, value)| *value)
            .collect();
        self.happened(stmt.id, What::Called(*procedure));
        for global in &callee.modifies {
            let value = self.place.values[global];
            self.happened(stmt.id, What::Assigned { var: *global, value });
        }
        for (out, value) in outs.iter().zip(results) {
            self.place.values.insert(*out, value);
            self.happened(stmt.id, What::Assigned { var: *out, value });
            self.refresh_contract(frame);
            self.constrained(frame, *out, origin);
        }
    }

    /// Starts the body of an inlined procedure.
    pub(super) fn enter(&mut self, frame: Frame, call: &'a Stmt, inner: Frame) {
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
        let formals = procedure.ins.iter().chain(&procedure.outs);
        let own: Vec<VarId> = body.ins.iter().chain(&body.outs).chain(&body.locals).chain(formals).copied().collect();
        self.outer[inner] = own.iter().map(|var| (*var, self.place.values.get(var).copied())).collect();
        for (var, value) in body.ins.iter().zip(args) {
            self.assign(inner, *var, value, origin, None);
        }
        let rest: Vec<VarId> = body.outs.iter().chain(&body.locals).copied().collect();
        self.havoc(inner, &rest, origin);
        self.enter_contract(implementation);
        self.olds[inner] = self.place.values.clone();
        for clause in procedure.requires.iter().filter(|clause| !clause.free) {
            let term = self.formula(inner, clause.condition, Polarity::Demanded);
            let origin = Origin { site: Some(call.id), ..self.origin(clause.id) };
            let goal = Goal::new(term, ErrorKind::CallPrecondition, call.id, origin);
            let label = label(&clause.attributes, Some(&call.attributes), Use::Required);
            self.demand(Goal { related: Some(clause.id), label, known: Some(None), ..goal });
        }
    }

    pub(super) fn ensures(&mut self, frame: Frame, procedure: ProcedureId, at: SyntaxId) {
        self.refresh_contract(frame);
        let program = self.program;
        let clauses = &program.procedures[procedure].ensures;
        for (index, clause) in clauses.iter().enumerate() {
            let origin = Origin { site: Some(at), ..self.origin(clause.id) };
            if clause.free {
                if has_attribute(&clause.attributes, Known::AlwaysAssume) {
                    let fact = self.formula(frame, clause.condition, Polarity::Stated);
                    self.assume(fact, Because::Written, origin, None);
                }
                continue;
            }
            let term = self.formula(frame, clause.condition, Polarity::Demanded);
            let goal = Goal::new(term, ErrorKind::PostconditionViolated, at, origin);
            let label = self.clause_label(clauses, index, "postcondition", Use::Postcondition);
            self.demand(Goal { related: Some(clause.id), label: label.clone(), known: Some(label), ..goal });
        }
    }
}
