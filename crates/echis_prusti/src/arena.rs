//! Node handles and the tables behind them.
//!
//! All expressions of a context share one builder. A program is a list of members; to verify or print it, the members
//! are added to a copy of the builder.

use echis_build::{self as build, Built, Param, Problem, ProgramBuilder};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::marker::PhantomData;

/// Declares handle types: indices into tables of the arena.
macro_rules! handles {
    ($($(#[$doc:meta])* $Handle:ident)*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Debug)]
            pub struct $Handle<'a> {
                pub(crate) index: usize,
                context: PhantomData<&'a ()>,
            }
            impl $Handle<'_> {
                pub(crate) fn new(index: usize) -> Self {
                    $Handle { index, context: PhantomData }
                }
            }
        )*
    };
}

handles! {
    Type
    Trigger
    /// The source position of a node. Errors report the identifier of the position, if it has one.
    Position
    Domain
    DomainFunc
    NamedDomainAxiom
    Function
    Method
    Field
    Predicate
    LocalVarDecl
    Stmt
    Program
}

/// A handle to an expression or assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Expr<'a> {
    pub(crate) expr: build::Expr,
    context: PhantomData<&'a ()>,
}

impl Expr<'_> {
    pub(crate) fn new(expr: build::Expr) -> Self {
        Expr { expr, context: PhantomData }
    }
}

/// A resource that `for_perm` ranges over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Location<'a> {
    #[doc(hidden)]
    Field(Field<'a>),
    #[doc(hidden)]
    Predicate(Predicate<'a>),
}

impl<'a> From<Field<'a>> for Location<'a> {
    fn from(field: Field<'a>) -> Self {
        Location::Field(field)
    }
}

impl<'a> From<Predicate<'a>> for Location<'a> {
    fn from(predicate: Predicate<'a>) -> Self {
        Location::Predicate(predicate)
    }
}

/// A declaration in a sequence of statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Declaration<'a> {
    #[doc(hidden)]
    LocalVar(LocalVarDecl<'a>),
    /// A label. Its statement alone declares it.
    #[doc(hidden)]
    Label(Stmt<'a>),
}

impl<'a> From<LocalVarDecl<'a>> for Declaration<'a> {
    fn from(variable: LocalVarDecl<'a>) -> Self {
        Declaration::LocalVar(variable)
    }
}

impl<'a> From<Stmt<'a>> for Declaration<'a> {
    fn from(label: Stmt<'a>) -> Self {
        Declaration::Label(label)
    }
}

/// Annotations of a member: names with arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annotations(pub(crate) BTreeMap<String, Vec<String>>);

/// An index into the table of positions, used as the origin of a node.
pub(crate) type PositionId = usize;

/// The data of a position.
#[derive(Clone, Debug, Default)]
pub(crate) struct PositionData {
    pub(crate) id: Option<String>,
}

/// A statement or a sequence of statements.
#[derive(Clone)]
pub(crate) enum StmtData {
    One(build::Stmt),
    /// Statements; in their own scope if they declare variables.
    Sequence {
        variables: Vec<Param>,
        stmts: Vec<usize>,
    },
}

#[derive(Clone)]
pub(crate) struct DomainFuncData {
    pub(crate) name: String,
    pub(crate) result: build::Type,
    pub(crate) function: build::DomainFunction<PositionId>,
}

#[derive(Clone)]
pub(crate) struct PredicateData {
    pub(crate) name: String,
    pub(crate) predicate: build::Predicate<PositionId>,
}

/// The members of a program, as indices into the tables.
#[derive(Clone, Default)]
pub(crate) struct ProgramData {
    pub(crate) domains: Vec<usize>,
    pub(crate) fields: Vec<usize>,
    pub(crate) functions: Vec<usize>,
    pub(crate) predicates: Vec<usize>,
    pub(crate) methods: Vec<usize>,
}

/// All nodes created by the factories of one context.
#[derive(Default)]
pub(crate) struct Tables {
    pub(crate) builder: ProgramBuilder<PositionId>,
    pub(crate) types: Vec<build::Type>,
    pub(crate) triggers: Vec<Vec<build::Expr>>,
    pub(crate) positions: Vec<PositionData>,
    pub(crate) domains: Vec<build::Domain<PositionId>>,
    pub(crate) domain_funcs: Vec<DomainFuncData>,
    pub(crate) axioms: Vec<build::Axiom<PositionId>>,
    pub(crate) functions: Vec<build::Function<PositionId>>,
    pub(crate) methods: Vec<build::Method<PositionId>>,
    pub(crate) fields: Vec<Param>,
    pub(crate) predicates: Vec<PredicateData>,
    pub(crate) variables: Vec<Param>,
    pub(crate) stmts: Vec<StmtData>,
    pub(crate) programs: Vec<ProgramData>,
    /// The domains of the back-end types in use, by name.
    pub(crate) backend: BTreeMap<String, BackendDomain>,
}

/// A back-end type, with those of its functions that are in use.
#[derive(Clone)]
pub(crate) struct BackendDomain {
    pub(crate) smt_type: String,
    pub(crate) boogie_type: String,
    pub(crate) functions: BTreeMap<String, build::DomainFunction<PositionId>>,
}

pub(crate) type Arena = RefCell<Tables>;

/// Appends to a table and returns the index.
pub(crate) fn push<T>(table: &mut Vec<T>, item: T) -> usize {
    table.push(item);
    table.len() - 1
}

impl Tables {
    /// Lowers a statement to the builder's statements.
    pub(crate) fn statements(&mut self, stmt: usize) -> Vec<build::Stmt> {
        match self.stmts[stmt].clone() {
            StmtData::One(stmt) => vec![stmt],
            StmtData::Sequence { variables, stmts } if variables.is_empty() => self.all_statements(&stmts),
            sequence => {
                let body = self.body(&sequence);
                vec![self.builder.block(body)]
            }
        }
    }

    /// Lowers the body of a member, whose braces form its scope.
    pub(crate) fn body_of(&mut self, stmt: usize) -> Vec<build::Stmt> {
        let data = self.stmts[stmt].clone();
        self.body(&data)
    }

    fn body(&mut self, data: &StmtData) -> Vec<build::Stmt> {
        match data {
            StmtData::One(stmt) => vec![stmt.clone()],
            StmtData::Sequence { variables, stmts } => {
                let declare = |variable: &Param| self.builder.declare(&variable.name, &variable.ty);
                let mut body: Vec<build::Stmt> = variables.iter().map(declare).collect();
                body.extend(self.all_statements(stmts));
                body
            }
        }
    }

    fn all_statements(&mut self, stmts: &[usize]) -> Vec<build::Stmt> {
        stmts.iter().flat_map(|stmt| self.statements(*stmt)).collect()
    }

    /// Builds the program as text, with positions as origins.
    pub(crate) fn lay_out(&self, program: Program) -> Result<Built<PositionId>, Vec<Problem>> {
        let mut builder = self.builder.clone();
        let members = &self.programs[program.index];
        for domain in self.backend.iter().map(|(name, domain)| domain.lay_out(name)) {
            builder.domain(domain);
        }
        members.domains.iter().for_each(|index| builder.domain(self.domains[*index].clone()));
        members
            .fields
            .iter()
            .map(|index| &self.fields[*index])
            .for_each(|field| builder.field(&field.name, field.ty.clone()));
        members.functions.iter().for_each(|index| builder.function(self.functions[*index].clone()));
        members.predicates.iter().for_each(|index| builder.predicate(self.predicates[*index].predicate.clone()));
        members.methods.iter().for_each(|index| builder.method(self.methods[*index].clone()));
        builder.finish()
    }
}

impl BackendDomain {
    fn lay_out(&self, name: &str) -> build::Domain<PositionId> {
        let domain = build::Domain::new(name)
            .interpretation("SMTLIB", &*self.smt_type)
            .interpretation("Boogie", &*self.boogie_type);
        self.functions.values().cloned().fold(domain, build::Domain::function)
    }
}
