//! Statements.

use super::Resolver;
use crate::ast::{self, Ident};
use crate::attributes::{Known, has_attribute};
use crate::program::{Block, Clause, FunctionId, Reference, Step, StepKind, Stmt, StmtKind, Target, VarId};
use crate::types::Instance;
use echis_base::Name;
use std::collections::BTreeSet;

impl<'a> Resolver<'a> {
    pub(super) fn body(&mut self, body: &'a ast::Body) -> Block {
        self.labels(&body.stmts, &mut BTreeSet::new());
        let stmts = self.stmts(&body.stmts);
        Block { stmts, end: self.syntax(body.end) }
    }
    fn labels(&mut self, stmts: &'a [ast::Stmt], known: &mut BTreeSet<Name>) {
        for stmt in stmts {
            match &stmt.kind {
                ast::StmtKind::Label(name) if !known.insert(name.clone()) => {
                    self.error(stmt.span, format!("more than one declaration of block name: {name}"));
                }
                ast::StmtKind::If { then, otherwise, .. } => {
                    self.labels(&then.stmts, known);
                    otherwise.iter().for_each(|block| self.labels(&block.stmts, known));
                }
                ast::StmtKind::While { body, .. } => self.labels(&body.stmts, known),
                _ => {}
            }
        }
    }
    fn block(&mut self, block: &'a ast::Block) -> Block {
        let stmts = self.stmts(&block.stmts);
        Block { stmts, end: self.syntax(block.end) }
    }
    fn stmts(&mut self, stmts: &'a [ast::Stmt]) -> Vec<Stmt> {
        stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || stmts.iter().filter_map(|stmt| self.stmt(stmt)).collect())
    }

    /// Returns `None` if the statement has errors.
    fn stmt(&mut self, stmt: &'a ast::Stmt) -> Option<Stmt> {
        self.statement_id(&stmt.attributes, stmt.span);
        self.attributes(&stmt.attributes);
        let kind = match &stmt.kind {
            ast::StmtKind::Label(name) => Some(StmtKind::Label(name.clone())),
            ast::StmtKind::Assert(condition) => self.with(*condition, StmtKind::Assert),
            ast::StmtKind::Assume(condition) => self.with(*condition, StmtKind::Assume),
            ast::StmtKind::Yield(value) => self.with(*value, StmtKind::Yield),
            ast::StmtKind::Measure(values) => {
                self.exprs(values);
                Some(StmtKind::Measure(values.clone()))
            }
            ast::StmtKind::Havoc(names) => self.use_vars(names).map(StmtKind::Havoc),
            ast::StmtKind::Assign { targets, values } => self.assignment(stmt, targets, values),
            ast::StmtKind::Unpack { constructor, vars, value } => self.unpack(constructor, vars, *value),
            ast::StmtKind::Call(call) => self.call(stmt, call),
            ast::StmtKind::Hide(function) => self.hidden(function.as_ref()).map(StmtKind::Hide),
            ast::StmtKind::Reveal(function) => self.hidden(function.as_ref()).map(StmtKind::Reveal),
            ast::StmtKind::Push => Some(StmtKind::Push),
            ast::StmtKind::Pop => Some(StmtKind::Pop),
            ast::StmtKind::If { condition, then, otherwise } => {
                condition.iter().for_each(|condition| self.expr(*condition));
                let then = self.block(then);
                let otherwise = otherwise.as_ref().map(|block| self.block(block));
                Some(StmtKind::If { condition: *condition, then, otherwise })
            }
            ast::StmtKind::While { condition, invariants, measures, body } => {
                condition.iter().for_each(|condition| self.expr(*condition));
                let state = self.state;
                let invariants: Vec<Clause> = self.clauses(invariants, state);
                measures.iter().for_each(|measure| self.exprs(&measure.values));
                let body = self.block(body);
                Some(StmtKind::While { condition: *condition, invariants, measures: measures.clone(), body })
            }
            ast::StmtKind::Break(label) => Some(StmtKind::Break(label.as_ref().map(|label| label.name.clone()))),
            ast::StmtKind::Goto(labels) => {
                Some(StmtKind::Goto(labels.iter().map(|label| label.name.clone()).collect()))
            }
            ast::StmtKind::Return => Some(StmtKind::Return),
        };
        let id = self.syntax(stmt.span);
        self.program.extents.insert(id, stmt.whole);
        self.program.marks.extend(stmt.mark.map(|mark| (id, mark)));
        if let ast::StmtKind::Call(call) = &stmt.kind {
            self.program.results.insert(id, call.outs.iter().map(|out| out.span).collect());
        }
        kind.map(|kind| Stmt { id, attributes: stmt.attributes.clone(), kind })
    }
    fn with(&mut self, expr: ast::ExprId, kind: impl FnOnce(ast::ExprId) -> StmtKind) -> Option<StmtKind> {
        self.expr(expr);
        Some(kind(expr))
    }
    fn use_vars(&mut self, names: &[Ident]) -> Option<Vec<VarId>> {
        let vars: Vec<_> = names.iter().map(|name| self.use_var(name)).collect();
        vars.into_iter().collect()
    }

    fn assignment(&mut self, stmt: &ast::Stmt, targets: &'a [ast::Target], values: &[ast::ExprId]) -> Option<StmtKind> {
        if targets.len() != values.len() {
            self.error(stmt.span, "number of left-hand sides does not match number of right-hand sides");
        }
        let targets: Vec<_> = targets.iter().map(|target| self.target(target)).collect();
        self.exprs(values);
        let targets: Vec<Target> = targets.into_iter().collect::<Option<_>>()?;
        for (at, first) in targets.iter().enumerate() {
            for again in targets[at + 1..].iter().filter(|other| other.var == first.var) {
                let name = self.program.vars[again.var].name.clone();
                let message = format!("variable {name} is assigned more than once in parallel assignment");
                self.error(again.place(), message);
            }
        }
        for (target, value) in targets.iter().zip(values).filter(|(target, _)| target.steps.is_empty()) {
            self.assumption(stmt.span, target.var, *value);
        }
        Some(StmtKind::Assign { targets, values: values.to_vec() })
    }
    /// An assumption variable only changes to false, once: `a := a && …`.
    fn assumption(&mut self, span: echis_base::Span, var: VarId, value: ast::ExprId) {
        if !has_attribute(&self.program.vars[var].attributes, Known::Assumption) {
            return;
        }
        let reads_it = |expr: ast::ExprId| self.program.references.get(expr) == Some(&Reference::Var(var));
        let narrows = match &self.tree.exprs[value].kind {
            ast::ExprKind::Binary(ast::Binary::And, left, _) => reads_it(*left),
            _ => false,
        };
        if !narrows {
            let name = self.program.vars[var].name.clone();
            let form = format!("must match expression \"{name} && <boolean expression>\"");
            self.error(span, format!("RHS of assignment to assumption variable {name} {form}"));
        } else if !self.assumed.insert(var) {
            self.error(span, "assumption variable may not be assigned to more than once");
        }
    }
    fn target(&mut self, target: &'a ast::Target) -> Option<Target> {
        let var = self.use_var(&target.name);
        let mut step = |(span, step): &'a (echis_base::Span, ast::Step)| {
            let kind = match step {
                ast::Step::Index(indices) => {
                    self.exprs(indices);
                    StepKind::Index { indices: indices.clone(), instance: Instance::new() }
                }
                ast::Step::Field(name) => StepKind::Field { name: name.clone(), selectors: Vec::new() },
            };
            Step { span: *span, kind }
        };
        let steps = target.steps.iter().map(&mut step).collect();
        Some(Target { name: target.name.span, var: var?, steps, types: Vec::new() })
    }

    fn unpack(&mut self, constructor: &Ident, names: &[Ident], value: ast::ExprId) -> Option<StmtKind> {
        self.expr(value);
        let vars = self.use_vars(names);
        let constructor_id = self.function(constructor)?;
        Some(StmtKind::Unpack { constructor: constructor_id, vars: vars?, value })
    }
    fn function(&mut self, name: &Ident) -> Option<FunctionId> {
        let found = self.functions.get(&name.name).copied();
        if found.is_none() {
            self.missing.insert(name.name.clone());
            self.error(name.span, format!("use of undeclared function: {}", name.name));
        }
        found
    }
    /// The inner `None` means everything.
    fn hidden(&mut self, name: Option<&Ident>) -> Option<Option<FunctionId>> {
        match name {
            None => Some(None),
            Some(name) => self.function(name).map(Some),
        }
    }

    fn call(&mut self, stmt: &ast::Stmt, call: &'a ast::Call) -> Option<StmtKind> {
        self.exprs(&call.args);
        let outs = self.use_vars(&call.outs);
        let Some(&procedure) = self.procedures.get(&call.procedure.name) else {
            self.missing.insert(call.procedure.name.clone());
            let message = format!("call to undeclared procedure: {}", call.procedure.name);
            self.error(stmt.span, message);
            return None;
        };
        let mut seen = BTreeSet::new();
        for out in &call.outs {
            if !seen.insert(out.name.clone()) {
                self.error(stmt.span, format!("left-hand side of call command contains variable twice: {}", out.name));
            }
        }
        let callee = &self.program.procedures[procedure];
        let (name, ins, results) = (callee.name.clone(), callee.ins.len(), callee.outs.len());
        let (args, targets) = (call.args.len(), call.outs.len());
        if ins != args {
            self.error(stmt.span, format!("wrong number of arguments in call to {name}: {args}"));
            return None;
        }
        if results != targets {
            self.error(stmt.span, format!("wrong number of result variables in call to {name}: {targets}"));
            return None;
        }
        if let Some(caller) = self.procedure {
            let (caller, callee) = (&self.program.procedures[caller], &self.program.procedures[procedure]);
            let is_other = callee.is_concurrent && !caller.is_concurrent;
            let is_impure = caller.pure && !callee.pure;
            if is_other {
                self.error(stmt.span, "a procedure may only call other procedures");
            }
            if is_impure {
                self.error(stmt.span, "pure procedure may only call a pure procedure");
            }
        }
        let instance = Instance::new();
        Some(StmtKind::Call { procedure, free: call.free, args: call.args.clone(), outs: outs?, instance })
    }
}
