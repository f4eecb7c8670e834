//! The resolved and typed program. Expressions stay in the parser's table; derived data is in side tables with the
//! same keys.

use crate::ast::{self, ExprId};
use crate::dafny::Places;
use crate::types::{ConstructorId, Instance, Names, Type, TypeVar};
use echis_base::{IndexVec, Name, SideTable, Span, SyntaxId, SyntaxTable, key};
use std::collections::BTreeMap;

key!(VarId, "v");
key!(FunctionId, "f");
key!(AxiomId, "a");
key!(ProcedureId, "p");
key!(ImplementationId, "i");

#[derive(Default)]
pub struct Program {
    pub syntax: SyntaxTable,
    pub tree: ast::File,
    pub names: Names,
    /// The type constructors.
    pub constructors: IndexVec<ConstructorId, TypeConstructor>,
    pub vars: IndexVec<VarId, Variable>,
    pub functions: IndexVec<FunctionId, Function>,
    pub axioms: IndexVec<AxiomId, Axiom>,
    pub procedures: IndexVec<ProcedureId, Procedure>,
    pub implementations: IndexVec<ImplementationId, Implementation>,
    /// The declaration that a name or call refers to.
    pub references: SideTable<ExprId, Reference>,
    pub binders: SideTable<ExprId, Binder>,
    /// The target types of coercions.
    pub coercions: SideTable<ExprId, Type>,
    pub types: SideTable<ExprId, Type>,
    /// The type arguments of applied functions and maps.
    pub instances: SideTable<ExprId, Instance>,
    /// The constructor for an `is`, a field or an update. A field may belong to several.
    pub selectors: SideTable<ExprId, Vec<(FunctionId, usize)>>,
    /// The statements of code expressions.
    pub codes: SideTable<ExprId, Code>,
    /// The full ranges of statements, clauses and axioms, whose own spans are what messages point at.
    pub extents: BTreeMap<SyntaxId, Span>,
    /// What the builder of the program calls its statements.
    pub marks: BTreeMap<SyntaxId, ast::Mark>,
    /// Where it comes from, if Dafny printed it.
    pub places: Places,
    /// The ranges of variables that calls assign to.
    pub results: BTreeMap<SyntaxId, Vec<Span>>,
    pub options: Options,
}

/// Options of Boogie that affect the meaning of programs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// The number of times to unroll loops, instead of cutting them at their invariants.
    pub unroll: Option<u32>,
    /// Whether to infer modifies clauses of procedures with a body.
    pub infer_modifies: bool,
    /// Whether to infer bounds of integer variables as loop invariants.
    pub infer_bounds: bool,
}

impl Program {
    pub fn kind(&self, expr: ExprId) -> &ast::ExprKind {
        &self.tree.exprs[expr].kind
    }
    pub fn span(&self, expr: ExprId) -> Span {
        self.tree.exprs[expr].span
    }
    /// The type of an expression.
    pub fn type_of(&self, expr: ExprId) -> &Type {
        self.types.get(expr).unwrap_or(&Type::Bool)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reference {
    Var(VarId),
    Function(FunctionId),
}

#[derive(Clone, Default, Debug)]
pub struct Binder {
    pub type_params: Vec<TypeVar>,
    pub vars: Vec<VarId>,
}

pub struct TypeConstructor {
    pub name: Name,
    pub id: SyntaxId,
    pub arity: usize,
    pub attributes: Vec<ast::Attribute>,
    pub datatype: Option<Datatype>,
}

pub struct Datatype {
    pub params: Vec<TypeVar>,
    pub constructors: Vec<FunctionId>,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Name,
    pub id: SyntaxId,
    pub ty: Type,
    pub kind: VarKind,
    pub constraint: Option<ExprId>,
    pub attributes: Vec<ast::Attribute>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VarKind {
    Const { unique: bool },
    Global,
    In,
    Out,
    Local,
    Bound,
}

impl VarKind {
    pub fn is_mutable(self) -> bool {
        matches!(self, VarKind::Global | VarKind::Out | VarKind::Local)
    }
}

pub struct Function {
    pub name: Name,
    pub id: SyntaxId,
    pub type_params: Vec<TypeVar>,
    pub params: Vec<VarId>,
    pub result: Type,
    pub body: Option<ExprId>,
    pub meaning: Meaning,
    pub attributes: Vec<ast::Attribute>,
    pub revealed: bool,
    /// The datatype, for a constructor.
    pub datatype: Option<ConstructorId>,
}

/// How a function's body is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// As an axiom.
    Axiom,
    /// Substituted for each application.
    Inline,
    /// As a definition for the solver.
    Define,
}

pub struct Axiom {
    pub id: SyntaxId,
    pub condition: ExprId,
    pub attributes: Vec<ast::Attribute>,
    pub hideable: bool,
    /// The functions and constants it was declared for.
    pub uses: Vec<Reference>,
}

pub struct Procedure {
    pub name: Name,
    pub id: SyntaxId,
    pub type_params: Vec<TypeVar>,
    pub ins: Vec<VarId>,
    pub outs: Vec<VarId>,
    pub pure: bool,
    /// Whether it is not verified, because of other threads.
    pub is_concurrent: bool,
    pub requires: Vec<Clause>,
    pub ensures: Vec<Clause>,
    pub modifies: Vec<VarId>,
    /// At most one, after checking.
    pub measures: Vec<(SyntaxId, Vec<ExprId>)>,
    pub attributes: Vec<ast::Attribute>,
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub id: SyntaxId,
    pub free: bool,
    pub condition: ExprId,
    pub attributes: Vec<ast::Attribute>,
}

pub struct Implementation {
    pub procedure: ProcedureId,
    pub id: SyntaxId,
    pub type_params: Vec<TypeVar>,
    pub ins: Vec<VarId>,
    pub outs: Vec<VarId>,
    pub locals: Vec<VarId>,
    pub body: Block,
    pub attributes: Vec<ast::Attribute>,
}

/// `|{ var x: int; A: x := 1; return x == 1; }|`
#[derive(Clone, Debug)]
pub struct Code {
    pub locals: Vec<VarId>,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    /// The closing brace.
    pub end: SyntaxId,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub id: SyntaxId,
    pub attributes: Vec<ast::Attribute>,
    pub kind: StmtKind,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Label(Name),
    Assert(ExprId),
    Assume(ExprId),
    Measure(Vec<ExprId>),
    Havoc(Vec<VarId>),
    Assign {
        targets: Vec<Target>,
        values: Vec<ExprId>,
    },
    Unpack {
        constructor: FunctionId,
        vars: Vec<VarId>,
        value: ExprId,
    },
    Call {
        procedure: ProcedureId,
        free: bool,
        args: Vec<ExprId>,
        outs: Vec<VarId>,
        instance: Instance,
    },
    Hide(Option<FunctionId>),
    Reveal(Option<FunctionId>),
    Push,
    Pop,
    If {
        condition: Option<ExprId>,
        then: Block,
        otherwise: Option<Block>,
    },
    While {
        condition: Option<ExprId>,
        invariants: Vec<Clause>,
        measures: Vec<ast::Measure>,
        body: Block,
    },
    Break(Option<Name>),
    Goto(Vec<Name>),
    Return,
    /// The result of a code expression.
    Yield(ExprId),
}

#[derive(Clone, Debug)]
pub struct Target {
    pub name: Span,
    pub var: VarId,
    pub steps: Vec<Step>,
    /// The variable's type, followed by the type after each step.
    pub types: Vec<Type>,
}

impl Target {
    /// The range for messages: the last step, or the variable.
    pub fn place(&self) -> Span {
        self.steps.last().map_or(self.name, |step| step.span)
    }
}

#[derive(Clone, Debug)]
pub struct Step {
    pub span: Span,
    pub kind: StepKind,
}

#[derive(Clone, Debug)]
pub enum StepKind {
    Index { indices: Vec<ExprId>, instance: Instance },
    Field { name: ast::Ident, selectors: Vec<(FunctionId, usize)> },
}
