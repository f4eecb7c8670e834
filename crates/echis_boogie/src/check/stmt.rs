//! Statements: the types of assigned values, and the allowed targets.

use super::Checker;
use super::expr::Applied;
use crate::ast::ExprId;
use crate::program::{Block, ProcedureId, Step, StepKind, Stmt, StmtKind, Target, VarId, VarKind};
use crate::types::{Instance, Type};
use echis_base::Span;

const ASSERTED: &str = "an asserted expression must be of type bool (got: {})";
const RETURNED: &str = "return expression must be of type bool (got: {})";
const ASSUMED: &str = "an assumed expression must be of type bool (got: {})";

impl Checker<'_> {
    pub(super) fn block(&mut self, block: &mut Block) {
        self.measures(&block.stmts);
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
            block.stmts.iter_mut().for_each(|stmt| self.stmt(stmt));
        });
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        let span = self.program.syntax.span(stmt.id);
        self.attributes(&stmt.attributes);
        match &mut stmt.kind {
            StmtKind::Assert(condition) => self.proposition(span, *condition, ASSERTED),
            StmtKind::Assume(condition) => self.proposition(span, *condition, ASSUMED),
            StmtKind::Yield(value) => self.proposition(span, *value, RETURNED),
            StmtKind::Measure(values) => self.measure(values),
            StmtKind::Havoc(vars) => self.assigned(vars, span),
            StmtKind::Assign { targets, values } => self.assignment(targets, values, span),
            StmtKind::Unpack { constructor, vars, value } => {
                let (constructor, vars, value) = (*constructor, vars.clone(), *value);
                self.unpack(constructor, &vars, value, span);
            }
            StmtKind::Call { procedure, args, outs, instance, .. } => {
                let places = self.program.results.get(&stmt.id).cloned().unwrap_or_default();
                *instance = self.call(*procedure, args, (outs, &places), span).unwrap_or_default();
            }
            StmtKind::If { condition, then, otherwise } => {
                condition.iter().for_each(|condition| self.proposition(span, *condition, ASSUMED));
                self.block(then);
                otherwise.iter_mut().for_each(|block| self.block(block));
            }
            StmtKind::While { condition, invariants, measures, body } => {
                condition.iter().for_each(|condition| self.proposition(span, *condition, ASSUMED));
                for invariant in invariants.iter() {
                    self.attributes(&invariant.attributes);
                    let at = self.program.syntax.span(invariant.id);
                    self.proposition(at, invariant.condition, if invariant.free { ASSUMED } else { ASSERTED });
                }
                if let [_, second, ..] = &measures[..] {
                    let message = "Loop head may contain at most one measure command in a sequential procedure";
                    self.error(second.span, message);
                }
                measures.iter().for_each(|measure| self.measure(&measure.values));
                self.block(body);
            }
            StmtKind::Label(_)
            | StmtKind::Hide(_)
            | StmtKind::Reveal(_)
            | StmtKind::Push
            | StmtKind::Pop
            | StmtKind::Break(_)
            | StmtKind::Goto(_)
            | StmtKind::Return => {}
        }
    }

    /// A block has at most one measure, before any assignment.
    fn measures(&mut self, stmts: &[Stmt]) {
        let (mut label, mut count) = (None, 0);
        let mut assigned = false;
        for stmt in stmts {
            let span = self.program.syntax.span(stmt.id);
            match &stmt.kind {
                StmtKind::Label(_) => (label, count, assigned) = (Some(span), 0, false),
                StmtKind::Measure(_) => {
                    count += 1;
                    if std::mem::take(&mut assigned) {
                        self.error(span, "Assignment must come after the measure command in loop head");
                    }
                    if count == 2 {
                        let message = "Loop head may contain at most one measure command in a sequential procedure";
                        self.error(label.unwrap_or(span), message);
                    }
                }
                StmtKind::Assign { .. } | StmtKind::Havoc(_) | StmtKind::Call { .. } => assigned = true,
                _ => {}
            }
        }
    }

    /// Whether the variables may be assigned here.
    fn assigned(&mut self, vars: &[VarId], span: Span) {
        for var in vars {
            let (kind, name) = (self.program.vars[*var].kind, self.program.vars[*var].name.clone());
            if !kind.is_mutable() {
                self.error(span, format!("command assigns to an immutable variable: {name}"));
            } else if kind == VarKind::Global && !self.frame.contains(var) {
                let clause = "not in the enclosing procedure's modifies clause";
                self.error(span, format!("command assigns to a global variable that is {clause}: {name}"));
            }
        }
    }

    fn assignment(&mut self, targets: &mut [Target], values: &[ExprId], span: Span) {
        let errors = self.errors.len();
        let expected: Vec<Option<Type>> = targets.iter_mut().map(|target| self.target(target)).collect();
        let types = self.all(values);
        if self.errors.len() > errors {
            return;
        }
        let vars: Vec<VarId> = targets.iter().map(|target| target.var).collect();
        self.assigned(&vars, span);
        for (target, (ty, expected)) in targets.iter().zip(types.into_iter().zip(expected)) {
            let (Some(ty), Some(expected)) = (ty, expected) else { continue };
            // A failed unification may change open types.
            let (found, expected_text) = (self.text(&ty), self.text(&self.unifier.head(&expected)));
            if !self.unifier.unify(&ty, &expected) {
                let places = format!("cannot assign {found} to {expected_text}");
                self.error(target.place(), format!("mismatched types in assignment command ({places})"));
            }
        }
    }
    /// The type of an assignment target.
    fn target(&mut self, target: &mut Target) -> Option<Type> {
        let mut ty = self.program.vars[target.var].ty.clone();
        target.types = vec![ty.clone()];
        for Step { span, kind } in &mut target.steps {
            ty = match kind {
                StepKind::Index { indices, instance } => {
                    let types = self.all(indices);
                    let (map, opened) = self.as_map(&ty, indices.len(), "map assignment", *span)?;
                    self.arguments(indices, &types, &map.args, &opened, &Applied { what: "map assignment" })?;
                    *instance = opened;
                    map.result.replace(instance)
                }
                StepKind::Field { name, selectors } => {
                    let (found, ty) = self.selectors(&ty, name, "field-access")?;
                    *selectors = found;
                    ty
                }
            };
            target.types.push(ty.clone());
        }
        Some(ty)
    }

    fn unpack(&mut self, constructor: crate::program::FunctionId, vars: &[VarId], value: ExprId, span: Span) {
        let ty = self.expr(value);
        let function = &self.program.functions[constructor];
        let (params, result) = (function.params.clone(), function.result.clone());
        let type_params = function.type_params.clone();
        let name = function.name.clone();
        if params.len() != vars.len() {
            let (found, expected) = (vars.len(), params.len());
            let message = format!("wrong number of arguments to function: {name} ({found} instead of {expected})");
            return self.error(span, message);
        }
        let instance = self.open(&type_params);
        let result = result.replace(&instance);
        if let Some(ty) = ty
            && !self.unifier.unify(&ty, &result)
        {
            let (found, expected) = (self.text(&ty), self.text(&result));
            let message = format!("mismatched types in assignment command (cannot assign {found} to {expected})");
            self.error(span, message);
        }
        if self.program.functions[constructor].datatype.is_none() {
            self.error(span, "left side of unpack command must be a constructor application");
        }
        for (var, param) in vars.iter().zip(&params) {
            let expected = self.program.vars[*param].ty.replace(&instance);
            let found = self.program.vars[*var].ty.clone();
            if !self.unifier.unify(&expected, &found) {
                let (found, expected) = (self.text(&found), self.text(&expected));
                let message = format!("mismatched types in assignment command (cannot assign {expected} to {found})");
                self.error(span, message);
            }
        }
        let mut seen = std::collections::BTreeSet::new();
        for var in vars {
            if !seen.insert(*var) {
                let name = self.program.vars[*var].name.clone();
                self.error(span, format!("variable {name} is assigned more than once in unpack command"));
            }
        }
        self.assigned(vars, span);
    }

    fn call(
        &mut self,
        procedure: ProcedureId,
        args: &[ExprId],
        (outs, places): (&[VarId], &[Span]),
        span: Span,
    ) -> Option<Instance> {
        let types = self.all(args);
        let callee = &self.program.procedures[procedure];
        let name = callee.name.clone();
        let (ins, results) = (callee.ins.clone(), callee.outs.clone());
        let (type_params, modifies) = (callee.type_params.clone(), callee.modifies.clone());
        let instance = self.open(&type_params);
        let expected: Vec<Type> = ins.iter().map(|var| self.program.vars[*var].ty.clone()).collect();
        let what = format!("call to {name}");
        let fine = self.arguments(args, &types, &expected, &instance, &Applied { what: &what });
        for (index, (out, result)) in outs.iter().zip(&results).enumerate() {
            let found = self.program.vars[*out].ty.clone();
            let expected = self.program.vars[*result].ty.replace(&instance);
            if !self.unifier.unify(&found, &expected) {
                let (found, expected) = (self.text(&found), self.text(&expected));
                let place = format!("out-parameter {index} in call to {name}");
                let at = places.get(index).copied().unwrap_or(span);
                self.error(at, format!("invalid type for {place}: {found} (expected: {expected})"));
            }
        }
        let assigned: Vec<VarId> = outs.iter().copied().chain(modifies).collect();
        self.assigned(&assigned, span);
        fine.map(|()| instance)
    }
}

/// Substitutes inferred types.
pub(super) fn solve(block: &mut Block, ty: &dyn Fn(&Type) -> Type, instances: &dyn Fn(&Instance) -> Instance) {
    stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
        for stmt in &mut block.stmts {
            match &mut stmt.kind {
                StmtKind::Assign { targets, .. } => {
                    for target in targets {
                        target.types.iter_mut().for_each(|part| *part = ty(part));
                        for step in &mut target.steps {
                            if let StepKind::Index { instance, .. } = &mut step.kind {
                                *instance = instances(instance);
                            }
                        }
                    }
                }
                StmtKind::Call { instance, .. } => *instance = instances(instance),
                StmtKind::If { then, otherwise, .. } => {
                    solve(then, ty, instances);
                    otherwise.iter_mut().for_each(|block| solve(block, ty, instances));
                }
                StmtKind::While { body, .. } => solve(body, ty, instances),
                _ => {}
            }
        }
    });
}
