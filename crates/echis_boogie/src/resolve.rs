//! Name resolution. Error messages are Boogie's own.

mod attributes;
mod datatypes;
pub(crate) mod decl;
mod expr;
mod layers;
mod stmt;
mod ty;

use crate::ast::{self, ExprId, Ident};
use crate::program::{Clause, FunctionId, ProcedureId, Program, VarId, VarKind, Variable};
use crate::types::{ConstructorId, Type, TypeVar};
use echis_base::{Diagnostic, Name, Span, SyntaxId};
use std::collections::{BTreeMap, BTreeSet};

pub const RESOLUTION_ERROR: &str = "resolver.error";

/// Resolves all names, as far as possible.
pub fn resolve(tree: ast::File) -> Resolved {
    let mut program = Program::default();
    program.names.reserve();
    let mut resolver = Resolver {
        tree: &tree,
        program,
        type_names: BTreeMap::new(),
        synonyms: Vec::new(),
        functions: BTreeMap::new(),
        globals: BTreeMap::new(),
        procedures: BTreeMap::new(),
        scope: Vec::new(),
        type_scope: Vec::new(),
        repeated: BTreeSet::new(),
        state: State::None,
        in_trigger: false,
        procedure: None,
        assumed: BTreeSet::new(),
        ids: BTreeSet::new(),
        missing: BTreeSet::new(),
        errors: Vec::new(),
    };
    resolver.program();
    let Resolver { mut program, errors, missing, .. } = resolver;
    program.tree = tree;
    Resolved { program, errors, missing }
}

pub struct Resolved {
    pub program: Program,
    pub errors: Vec<Diagnostic>,
    /// Names of types, functions and procedures that are used but not declared.
    pub missing: BTreeSet<Name>,
}

/// The states that an expression may refer to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum State {
    None,
    One,
    /// `old` is allowed.
    Two,
    /// For attributes, which may mention anything.
    Any,
}

#[derive(Clone, Copy)]
pub(crate) enum TypeName {
    Constructor(ConstructorId),
    Synonym(usize),
}

pub(crate) struct Synonym<'a> {
    decl: &'a ast::TypeDecl,
    /// Its parameters and meaning, once computed.
    meaning: Option<(Vec<TypeVar>, Type)>,
}

pub(crate) struct Resolver<'a> {
    tree: &'a ast::File,
    program: Program,
    type_names: BTreeMap<Name, TypeName>,
    synonyms: Vec<Synonym<'a>>,
    functions: BTreeMap<Name, FunctionId>,
    globals: BTreeMap<Name, VarId>,
    procedures: BTreeMap<Name, ProcedureId>,
    /// Local and bound variables, innermost last.
    scope: Vec<(Name, VarId)>,
    type_scope: Vec<(Name, TypeVar)>,
    /// Type variables whose name was already taken.
    repeated: BTreeSet<TypeVar>,
    state: State,
    /// Whether the expression is part of a trigger.
    in_trigger: bool,
    /// The procedure whose body is being resolved.
    procedure: Option<ProcedureId>,
    /// Assumption variables that the body has assigned to.
    assumed: BTreeSet<VarId>,
    /// Values of `{:id "…"}`.
    ids: BTreeSet<Name>,
    missing: BTreeSet<Name>,
    errors: Vec<Diagnostic>,
}

impl<'a> Resolver<'a> {
    fn error(&mut self, span: Span, message: impl Into<String>) {
        self.errors.push(Diagnostic::error(RESOLUTION_ERROR, span, message));
    }
    fn syntax(&mut self, span: Span) -> SyntaxId {
        self.program.syntax.add_span(span)
    }

    fn var(&mut self, name: &Ident, ty: Type, kind: VarKind, attributes: &[ast::Attribute]) -> VarId {
        let id = self.syntax(name.span);
        let (name, attributes) = (name.name.clone(), attributes.to_vec());
        self.program.vars.push(Variable { name, id, ty, kind, constraint: None, attributes })
    }
    /// Brings a local variable into scope. Names in one scope must differ.
    fn bind(&mut self, name: &Ident, var: VarId, scope_start: usize) {
        if self.scope[scope_start..].iter().any(|(known, _)| *known == name.name) {
            self.error(name.span, format!("more than one declaration of variable name: {}", name.name));
        }
        self.scope.push((name.name.clone(), var));
    }
    /// Declares variables; their constraints may mention all of them.
    fn variables(&mut self, vars: &'a [ast::Variable], kind: VarKind) -> Vec<VarId> {
        let start = self.scope.len();
        self.variables_since(vars, kind, start)
    }
    fn variables_since(&mut self, vars: &'a [ast::Variable], kind: VarKind, start: usize) -> Vec<VarId> {
        let declare = |var: &'a ast::Variable| {
            let ty = self.ty(&var.ty);
            let id = self.var(&var.name, ty, kind, &var.attributes);
            self.bind(&var.name, id, start);
            id
        };
        vars.iter().map(declare).collect()
    }
    fn constraints(&mut self, vars: &'a [ast::Variable], ids: &[VarId]) {
        for (var, id) in vars.iter().zip(ids) {
            self.attributes(&var.attributes);
            if let Some(condition) = var.constraint {
                self.in_state(State::One, |resolver| resolver.expr(condition));
                self.program.vars[*id].constraint = Some(condition);
            }
        }
    }
    fn in_state<T>(&mut self, state: State, work: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.state, state);
        let result = work(self);
        self.state = outer;
        result
    }
    fn find_var(&self, name: &str) -> Option<VarId> {
        let local = self.scope.iter().rev().find(|(known, _)| **known == *name).map(|(_, var)| *var);
        local.or_else(|| self.globals.get(name).copied())
    }
    fn use_var(&mut self, name: &Ident) -> Option<VarId> {
        let found = self.find_var(&name.name);
        if found.is_none() {
            self.error(name.span, format!("undeclared identifier: {}", name.name));
        }
        found
    }
    fn clauses(&mut self, clauses: &'a [ast::Clause], state: State) -> Vec<Clause> {
        clauses.iter().map(|clause| self.clause(clause, state)).collect()
    }
    fn clause(&mut self, clause: &'a ast::Clause, state: State) -> Clause {
        self.statement_id(&clause.attributes, clause.span);
        self.attributes(&clause.attributes);
        self.in_state(state, |resolver| resolver.expr(clause.condition));
        let id = self.syntax(clause.span);
        self.program.extents.insert(id, clause.whole);
        let (free, condition) = (clause.free, clause.condition);
        Clause { id, free, condition, attributes: clause.attributes.clone() }
    }
    fn exprs(&mut self, exprs: &[ExprId]) {
        exprs.iter().for_each(|expr| self.expr(*expr));
    }
}
