//! Checks the guarantees of the typed program: for tests, after every change to lowering.
//!
//! Variables are bound once and used where they are in scope; types of operands, arguments and clauses agree;
//! expressions that must be pure are; quantified permissions are canonical; type arguments match their domains.

use crate::overloads;
use crate::program::{
    BinaryOp, Block, Decreases, ExprId, ExprKind, LocalId, Location, Part, Parts, PredicateAccess, Program, StmtKind,
    Type, UnaryOp,
};
use crate::walk::guarded;
use std::collections::HashSet;

/// All problems of a program; none, if lowering is correct.
pub fn validate(program: &Program) -> Vec<String> {
    let mut validation = Validation { program, bound: HashSet::new(), scope: HashSet::new(), problems: Vec::new() };
    validation.program();
    validation.problems
}

struct Validation<'a> {
    program: &'a Program,
    /// Every variable bound or declared so far.
    bound: HashSet<LocalId>,
    scope: HashSet<LocalId>,
    problems: Vec<String>,
}

impl Validation<'_> {
    fn program(&mut self) {
        let program = self.program;
        for axiom in program.axioms.values() {
            self.scope.clear();
            self.value(axiom.body, &Type::Bool);
        }
        for function in program.functions.values() {
            self.scope.clear();
            self.bind(&function.params);
            function.pre.iter().for_each(|clause| self.assertion(*clause));
            function.post.iter().for_each(|clause| self.value(*clause, &Type::Bool));
            self.decreases(&function.decreases);
            function.body.iter().for_each(|body| self.value(*body, &function.result));
        }
        for predicate in program.predicates.values() {
            self.scope.clear();
            self.bind(&predicate.params);
            predicate.body.iter().for_each(|body| self.assertion(*body));
        }
        for method in program.methods.values() {
            self.scope.clear();
            self.bind(&method.params);
            self.bind(&method.returns);
            method.pre.iter().chain(&method.post).for_each(|clause| self.assertion(*clause));
            self.decreases(&method.decreases);
            method.body.iter().for_each(|body| self.block(body));
        }
    }

    fn problem(&mut self, expr: ExprId, what: impl std::fmt::Display) {
        let kind = format!("{:?}", self.program.kind(expr));
        self.problems.push(format!("{expr}: {what}: {}", kind.chars().take(120).collect::<String>()));
    }

    fn require(&mut self, expr: ExprId, holds: bool, what: &str) {
        if !holds {
            self.problem(expr, what);
        }
    }

    fn bind(&mut self, vars: &[LocalId]) {
        for var in vars {
            if !self.bound.insert(*var) {
                self.problems.push(format!("{var} ({}) is bound twice", self.program.locals[*var].name));
            }
            self.scope.insert(*var);
        }
    }

    fn block(&mut self, block: &Block) {
        self.bind(&block.locals);
        for stmt in &block.stmts {
            self.stmt(&stmt.kind);
            guarded(|| stmt.kind.blocks().into_iter().for_each(|block| self.block(block)));
        }
        block.locals.iter().for_each(|local| {
            self.scope.remove(local);
        });
    }

    fn stmt(&mut self, stmt: &StmtKind) {
        let program = self.program;
        match stmt {
            StmtKind::Assign { target, value } => {
                let ty = program.locals[*target].ty.clone();
                self.value(*value, &ty);
                self.in_scope(*target, *value);
            }
            StmtKind::AssignField { receiver, field, value } => {
                self.value(*receiver, &Type::Ref);
                self.value(*value, &program.fields[*field].ty);
            }
            StmtKind::Call { targets, method, args } => {
                let method = &program.methods[*method];
                if targets.len() != method.returns.len() {
                    self.problems.push(format!("a call of {} has a wrong number of targets", method.name));
                }
                self.args(args, &method.params);
            }
            StmtKind::Assume(expr) | StmtKind::Refute(expr) => self.value(*expr, &Type::Bool),
            StmtKind::Package { wand, .. } | StmtKind::Apply { wand } => self.wand(*wand),
            StmtKind::If { condition, .. } => self.value(*condition, &Type::Bool),
            kind => {
                if let StmtKind::While { condition, .. }
                | StmtKind::Quasihavoc { condition: Some(condition), .. }
                | StmtKind::QuasihavocAll { condition: Some(condition), .. } = kind
                {
                    self.require(*condition, program.is_pure(*condition), "must be pure");
                }
                self.bind(kind.bound());
                kind.each_field(&mut |_, field| self.field(field));
            }
        }
    }

    /// The requirements on a field in any node: expressions are assertions.
    fn field(&mut self, field: &dyn Parts) {
        let mut whole = false;
        field.each_part(&mut |part| {
            match part {
                Part::Location(location) => self.location(location),
                Part::Access(access) => self.access(access),
                Part::Decreases(decreases) => self.decreases(decreases),
                Part::Expr(expr) if !whole => return self.assertion(expr),
                _ => return,
            }
            whole = true;
        });
    }

    fn decreases(&mut self, decreases: &Decreases) {
        for root in decreases.roots() {
            let ty = self.program.ty(root).clone();
            self.value(root, &ty);
        }
    }

    fn in_scope(&mut self, local: LocalId, at: ExprId) {
        if !self.scope.contains(&local) {
            let name = self.program.locals[local].name.clone();
            self.problem(at, format!("{local} ({name}) is not in scope"));
        }
    }

    /// Requires a pure expression of a type.
    fn value(&mut self, expr: ExprId, ty: &Type) {
        self.require(expr, self.program.is_pure(expr), "must be pure");
        let found = self.program.ty(expr);
        if found != ty {
            self.problem(expr, format!("has type {found:?} where {ty:?} is wanted"));
        }
        self.expr(expr);
    }

    fn assertion(&mut self, expr: ExprId) {
        self.require(expr, *self.program.ty(expr) == Type::Bool, "is no assertion");
        self.expr(expr);
    }

    fn wand(&mut self, wand: ExprId) {
        self.require(wand, matches!(self.program.kind(wand), ExprKind::Wand { .. }), "is no wand");
        self.expr(wand);
    }

    fn access(&mut self, access: &PredicateAccess) {
        let predicate = &self.program.predicates[access.predicate];
        self.args(&access.args, &predicate.params);
        self.value(access.amount, &Type::Perm);
    }

    fn args(&mut self, args: &[ExprId], params: &[LocalId]) {
        if args.len() != params.len() {
            self.problems.push(format!("{} arguments for {} parameters", args.len(), params.len()));
        }
        for (arg, param) in args.iter().zip(params) {
            let ty = self.program.locals[*param].ty.clone();
            self.value(*arg, &ty);
        }
    }

    fn location(&mut self, location: &Location) {
        match location {
            Location::Field { receiver, .. } => self.value(*receiver, &Type::Ref),
            Location::Predicate { predicate, args } => {
                let params = &self.program.predicates[*predicate].params;
                self.args(args, params);
            }
            Location::Wand(wand) => self.wand(*wand),
        }
    }

    fn expr(&mut self, expr: ExprId) {
        guarded(|| self.node(expr));
    }

    fn node(&mut self, expr: ExprId) {
        let program = self.program;
        let ty = program.ty(expr);
        match program.kind(expr) {
            ExprKind::Bool(_) => self.require(expr, *ty == Type::Bool, "is no Bool"),
            ExprKind::Int(_) => self.require(expr, *ty == Type::Int, "is no Int"),
            ExprKind::Null => self.require(expr, *ty == Type::Ref, "is no Ref"),
            ExprKind::Write | ExprKind::NonePerm | ExprKind::Wildcard | ExprKind::Epsilon => {
                self.require(expr, *ty == Type::Perm, "is no Perm");
            }
            ExprKind::Local(local) => {
                self.in_scope(*local, expr);
                self.require(expr, *ty == program.locals[*local].ty, "does not have the variable's type");
            }
            ExprKind::Result => {}
            ExprKind::Unary(op, operand) => self.unary(expr, *op, *operand),
            ExprKind::Binary(op, left, right) => self.binary(expr, *op, *left, *right),
            ExprKind::Conditional(condition, then, otherwise) => {
                self.value(*condition, &Type::Bool);
                self.same(expr, &[*then, *otherwise], ty);
            }
            ExprKind::Let { var, value, body } => {
                self.value(*value, &program.locals[*var].ty);
                self.bind(&[*var]);
                self.same(expr, &[*body], ty);
            }
            ExprKind::Quantified { vars, triggers, body, .. } => {
                self.bind(vars);
                self.triggers(triggers);
                self.value(*body, &Type::Bool);
            }
            ExprKind::Field { receiver, field } => {
                self.value(*receiver, &Type::Ref);
                self.require(expr, *ty == program.fields[*field].ty, "does not have the field's type");
            }
            ExprKind::FunctionApp { function, args, .. } => {
                self.args(args, &program.functions[*function].params);
                self.require(expr, *ty == program.functions[*function].result, "does not have the result's type");
            }
            ExprKind::DomainApp { function, type_args, args } => self.domain_app(expr, *function, type_args, args),
            ExprKind::PredicateInstance { predicate, args } => {
                self.args(args, &program.predicates[*predicate].params);
                self.require(expr, *ty == Type::PredicateInstance, "is no predicate instance");
            }
            ExprKind::Old { body, .. } => self.same(expr, &[*body], ty),
            ExprKind::Unfolding { access, body } => {
                self.access(access);
                self.same(expr, &[*body], ty);
            }
            ExprKind::Applying { wand, body } => {
                self.wand(*wand);
                self.same(expr, &[*body], ty);
            }
            ExprKind::Asserting { assertion, body } => {
                self.assertion(*assertion);
                self.same(expr, &[*body], ty);
            }
            ExprKind::PermOf(location) => self.location(location),
            ExprKind::TriggerLocation(_) => self.problem(expr, "stands outside of a trigger"),
            ExprKind::ForPerm { vars, location, body, .. } => {
                self.bind(vars);
                self.location(location);
                self.value(*body, &Type::Bool);
            }
            ExprKind::SeqLiteral(items) | ExprKind::SetLiteral(items) | ExprKind::MultisetLiteral(items) => {
                let (Type::Seq(element) | Type::Set(element) | Type::Multiset(element)) = ty else {
                    return self.problem(expr, "is no collection");
                };
                items.iter().for_each(|item| self.value(*item, element));
            }
            ExprKind::MapLiteral(entries) => {
                let Type::Map(key_ty, value_ty) = ty else { return self.problem(expr, "is no map") };
                for (key, value) in entries {
                    self.value(*key, key_ty);
                    self.value(*value, value_ty);
                }
            }
            ExprKind::SeqUpdate(base, index, value) => {
                self.value(*base, ty);
                self.value(*index, &Type::Int);
                let Type::Seq(element) = ty else { return self.problem(expr, "is no sequence") };
                self.value(*value, element);
            }
            ExprKind::MapUpdate(base, key, value) => {
                self.value(*base, ty);
                let Type::Map(key_ty, value_ty) = ty else { return self.problem(expr, "is no map") };
                self.value(*key, key_ty);
                self.value(*value, value_ty);
            }
            ExprKind::Acc { location, amount, .. } => {
                self.require(expr, !matches!(location, Location::Wand(_)), "is an access to a wand");
                self.location(location);
                self.value(*amount, &Type::Perm);
            }
            ExprKind::Wand { left, right } => {
                self.assertion(*left);
                self.assertion(*right);
            }
            ExprKind::ForallAcc { vars, triggers, condition, location, amount, .. } => {
                self.bind(vars);
                self.triggers(triggers);
                self.value(*condition, &Type::Bool);
                self.location(location);
                self.value(*amount, &Type::Perm);
            }
            ExprKind::InhaleExhale(inhale, exhale) => self.same(expr, &[*inhale, *exhale], ty),
        }
    }

    /// Requires parts that have the type of the whole, pure or not.
    fn same(&mut self, expr: ExprId, parts: &[ExprId], ty: &Type) {
        for part in parts {
            self.require(expr, self.program.ty(*part) == ty, "has a part of another type");
            self.expr(*part);
        }
    }

    fn triggers(&mut self, triggers: &[Vec<ExprId>]) {
        for term in triggers.iter().flatten() {
            let mut inner = *term;
            while let ExprKind::Old { body, .. } = self.program.kind(inner) {
                inner = *body;
            }
            match self.program.kind(inner) {
                ExprKind::TriggerLocation(location) => self.location(location),
                _ => self.expr(inner),
            }
        }
    }

    fn domain_app(
        &mut self,
        expr: ExprId,
        function: crate::program::DomainFunctionId,
        type_args: &[Type],
        args: &[ExprId],
    ) {
        let program = self.program;
        let function = &program.domain_functions[function];
        let parameters = program.domains[function.domain].parameters.len();
        self.require(expr, type_args.len() == parameters, "has a wrong number of type arguments");
        self.require(expr, args.len() == function.params.len(), "has a wrong number of arguments");
        self.require(expr, *program.ty(expr) == function.result.with(type_args), "does not have the result's type");
        for (arg, param) in args.iter().zip(&function.params) {
            self.value(*arg, &param.with(type_args));
        }
    }

    fn unary(&mut self, expr: ExprId, op: UnaryOp, operand: ExprId) {
        let (ty, operand_ty) = (self.program.ty(expr), self.program.ty(operand));
        let fits = match op {
            UnaryOp::Not => *ty == Type::Bool && *operand_ty == Type::Bool,
            UnaryOp::Minus => ty == operand_ty && matches!(ty, Type::Int | Type::Perm),
            UnaryOp::SeqLength => *ty == Type::Int && matches!(operand_ty, Type::Seq(_)),
            UnaryOp::SetCardinality => *ty == Type::Int && matches!(operand_ty, Type::Set(_)),
            UnaryOp::MultisetCardinality => *ty == Type::Int && matches!(operand_ty, Type::Multiset(_)),
            UnaryOp::MapCardinality => *ty == Type::Int && matches!(operand_ty, Type::Map(..)),
            UnaryOp::MapDomain => matches!((operand_ty, ty), (Type::Map(key, _), Type::Set(element)) if key == element),
            UnaryOp::MapRange => {
                matches!((operand_ty, ty), (Type::Map(_, value), Type::Set(element)) if value == element)
            }
        };
        self.require(expr, fits, "is an operation on a wrong type");
        self.value(operand, operand_ty);
    }

    fn binary(&mut self, expr: ExprId, op: BinaryOp, left: ExprId, right: ExprId) {
        let (ty, left_ty, right_ty) = (self.program.ty(expr), self.program.ty(left), self.program.ty(right));
        let fits = overloads::fits(op, left_ty, right_ty, ty);
        self.require(expr, fits, "is an operation on wrong types");
        let pure = |side| self.program.is_pure(side);
        let purity = match op {
            BinaryOp::And => true,
            BinaryOp::Implies => pure(left),
            _ => pure(left) && pure(right),
        };
        self.require(expr, purity, "has an impure operand where none may be");
        self.expr(left);
        self.expr(right);
    }
}
