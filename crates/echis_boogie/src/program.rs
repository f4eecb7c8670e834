//! The resolved and typed program. Expressions stay where the parser put them; what is known about them is in side
//! tables under their keys.

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
    /// For each type constructor: how many arguments it has, and what it is.
    pub constructors: IndexVec<ConstructorId, TypeConstructor>,
    pub vars: IndexVec<VarId, Variable>,
    pub functions: IndexVec<FunctionId, Function>,
    pub axioms: IndexVec<AxiomId, Axiom>,
    pub procedures: IndexVec<ProcedureId, Procedure>,
    pub implementations: IndexVec<ImplementationId, Implementation>,
    /// What a name or call refers to.
    pub references: SideTable<ExprId, Reference>,
    pub binders: SideTable<ExprId, Binder>,
    /// The types that coercions name.
    pub coercions: SideTable<ExprId, Type>,
    pub types: SideTable<ExprId, Type>,
    /// Which types stand for the type parameters of a function or map that is applied.
    pub instances: SideTable<ExprId, Instance>,
    /// The constructor that an `is`, a field or an update speaks of. A field may belong to several.
    pub selectors: SideTable<ExprId, Vec<(FunctionId, usize)>>,
    /// The statements of code expressions.
    pub codes: SideTable<ExprId, Code>,
    /// All that belongs to statements, clauses and axioms, whose own places are what messages point at.
    pub extents: BTreeMap<SyntaxId, Span>,
    /// What the builder of the program calls its statements.
    pub marks: BTreeMap<SyntaxId, ast::Mark>,
    /// Where it comes from, if Dafny printed it.
    pub places: Places,
    /// The variables that calls assign to, where they are written.
    pub results: BTreeMap<SyntaxId, Vec<Span>>,
    pub options: Options,
}

/// Options of Boogie that change what a program means.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// Loops are followed so many times instead of being cut at their invariants.
    pub unroll: Option<u32>,
    /// Procedures with a body modify what it assigns to, whatever their clauses say.
    pub infer_modifies: bool,
    /// Loops have bounds of integer variables as further invariants.
    pub infer_bounds: bool,
}

impl Program {
    pub fn kind(&self, expr: ExprId) -> &ast::ExprKind {
        &self.tree.exprs[expr].kind
    }
    pub fn span(&self, expr: ExprId) -> Span {
        self.tree.exprs[expr].span
    }
    /// The type that was found for an expression.
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
    /// For a constructor of a datatype.
    pub datatype: Option<ConstructorId>,
}

/// How a function's body is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// By an axiom.
    Axiom,
    /// Put in place of each application.
    Inline,
    /// Told to the solver as a definition.
    Define,
}

pub struct Axiom {
    pub id: SyntaxId,
    pub condition: ExprId,
    pub attributes: Vec<ast::Attribute>,
    pub hideable: bool,
    /// The functions and constants that it was written for.
    pub uses: Vec<Reference>,
}

pub struct Procedure {
    pub name: Name,
    pub id: SyntaxId,
    pub type_params: Vec<TypeVar>,
    pub ins: Vec<VarId>,
    pub outs: Vec<VarId>,
    pub pure: bool,
    /// It is not verified, because other threads matter.
    pub is_concurrent: bool,
    pub requires: Vec<Clause>,
    pub ensures: Vec<Clause>,
    pub modifies: Vec<VarId>,
    /// At most one, once the program is checked.
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
    /// The end of a code expression, with its value.
    Yield(ExprId),
}

#[derive(Clone, Debug)]
pub struct Target {
    pub name: Span,
    pub var: VarId,
    pub steps: Vec<Step>,
    /// The variable's type is the first; each step leads to the next one.
    pub types: Vec<Type>,
}

impl Target {
    /// The place that messages point at: the last step, or the variable.
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
