//! The syntax tree. Expressions are in a table, because the checked program refers to them.

use crate::float::Float;
use dashu::{Integer, Rational};
use echis_base::{IndexVec, Name, Span, key};

key!(ExprId, "e");
key!(
    /// What the builder of a program calls a statement. Texts have none.
    Mark,
    "m"
);

#[derive(Clone, Debug)]
pub struct Ident {
    pub name: Name,
    pub span: Span,
}

#[derive(Default)]
pub struct File {
    pub exprs: IndexVec<ExprId, Expr>,
    pub decls: Vec<Decl>,
}

#[derive(Clone, Debug)]
pub struct Type {
    pub span: Span,
    pub kind: TypeKind,
}

#[derive(Clone, Debug)]
pub enum TypeKind {
    Bool,
    Int,
    Real,
    /// Also bitvectors, such as `bv32`.
    Named(Name, Vec<Type>),
    Map {
        params: Vec<Ident>,
        args: Vec<Type>,
        result: Box<Type>,
    },
}

/// `{:name "text", e}`
#[derive(Clone, Debug)]
pub struct Attribute {
    pub span: Span,
    pub name: Name,
    pub args: Vec<Argument>,
}

#[derive(Clone, Debug)]
pub enum Argument {
    Text(Name),
    Expr(ExprId),
}

/// An expression. The span is the token that messages point at: the operator of a binary expression.
#[derive(Clone, Debug)]
pub struct Expr {
    pub span: Span,
    pub kind: ExprKind,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Bool(bool),
    Int(Integer),
    Real(Rational),
    Bitvector(Integer, u32),
    Float(Float),
    /// `RNE`, `RTZ` and others, named as in SMT-LIB.
    RoundingMode(&'static str),
    Text(Name),
    Name(Name),
    Call(Name, Vec<ExprId>),
    Old(ExprId),
    Unary(Unary, ExprId),
    Binary(Binary, ExprId, ExprId),
    ToInt(ExprId),
    ToReal(ExprId),
    Coerce(ExprId, Type),
    /// `t[a:b]`, before the base is known.
    Bounds {
        high: Integer,
        low: Integer,
    },
    Extract {
        base: ExprId,
        high: u32,
        low: u32,
    },
    Select(ExprId, Vec<ExprId>),
    Store(ExprId, Vec<ExprId>, ExprId),
    Is(ExprId, Ident),
    Field(ExprId, Ident),
    Update(ExprId, Ident, ExprId),
    If(ExprId, ExprId, ExprId),
    Quantified(Box<Quantified>),
    Let(Box<Let>),
    /// `|{ … }|`
    Code(Box<Body>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    Not,
    Neg,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Iff,
    Implies,
    And,
    Or,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Concat,
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    RealDiv,
    Pow,
}

impl Binary {
    const ALL: [Binary; 18] = [
        Binary::Iff,
        Binary::Implies,
        Binary::And,
        Binary::Or,
        Binary::Eq,
        Binary::Ne,
        Binary::Lt,
        Binary::Le,
        Binary::Gt,
        Binary::Ge,
        Binary::Concat,
        Binary::Add,
        Binary::Sub,
        Binary::Mul,
        Binary::Div,
        Binary::Mod,
        Binary::RealDiv,
        Binary::Pow,
    ];
    /// The operator that is written so.
    pub fn written(text: &str) -> Option<Binary> {
        Binary::ALL.into_iter().find(|op| op.text() == text)
    }
    pub fn text(self) -> &'static str {
        match self {
            Binary::Iff => "<==>",
            Binary::Implies => "==>",
            Binary::And => "&&",
            Binary::Or => "||",
            Binary::Eq => "==",
            Binary::Ne => "!=",
            Binary::Lt => "<",
            Binary::Le => "<=",
            Binary::Gt => ">",
            Binary::Ge => ">=",
            Binary::Concat => "++",
            Binary::Add => "+",
            Binary::Sub => "-",
            Binary::Mul => "*",
            Binary::Div => "div",
            Binary::Mod => "mod",
            Binary::RealDiv => "/",
            Binary::Pow => "**",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Quantifier {
    Forall,
    Exists,
    Lambda,
}

#[derive(Clone, Debug)]
pub struct Quantified {
    pub quantifier: Quantifier,
    pub type_params: Vec<Ident>,
    pub vars: Vec<Variable>,
    pub attributes: Vec<Attribute>,
    pub triggers: Vec<Vec<ExprId>>,
    /// The opening brace of each trigger.
    pub trigger_spans: Vec<Span>,
    /// Terms that the solver must not choose as triggers.
    pub excluded: Vec<ExprId>,
    pub body: ExprId,
}

#[derive(Clone, Debug)]
pub struct Let {
    pub vars: Vec<Ident>,
    pub values: Vec<ExprId>,
    pub attributes: Vec<Attribute>,
    pub body: ExprId,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Ident,
    pub ty: Type,
    pub constraint: Option<ExprId>,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Debug)]
pub enum Decl {
    Type(TypeDecl),
    Datatype(Datatype),
    Const(Const),
    Function(Function),
    Axiom(Axiom),
    Global(Variable),
    Procedure(Procedure),
    Implementation(Implementation),
    Concurrent(Concurrent),
}

/// A CIVL declaration, which is not parsed: its meaning for other threads is not supported.
#[derive(Clone, Debug)]
pub struct Concurrent {
    pub name: Name,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct TypeDecl {
    pub name: Ident,
    pub params: Vec<Ident>,
    /// The type that a synonym stands for.
    pub synonym: Option<Type>,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Debug)]
pub struct Datatype {
    pub name: Ident,
    pub params: Vec<Ident>,
    pub constructors: Vec<(Ident, Vec<Variable>)>,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Debug)]
pub struct Const {
    pub unique: bool,
    pub names: Vec<Ident>,
    pub ty: Type,
    pub attributes: Vec<Attribute>,
    /// Axioms that are relevant if one of the constants is.
    pub axioms: Vec<Axiom>,
}

#[derive(Clone, Debug)]
pub struct Param {
    pub name: Option<Ident>,
    pub ty: Type,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: Ident,
    pub type_params: Vec<Ident>,
    pub params: Vec<Param>,
    pub result: Param,
    pub body: Option<ExprId>,
    pub axioms: Vec<Axiom>,
    pub attributes: Vec<Attribute>,
    /// Whether `hide` has no effect on it.
    pub revealed: bool,
}

#[derive(Clone, Debug)]
pub struct Axiom {
    pub span: Span,
    /// The whole clause.
    pub whole: Span,
    pub condition: ExprId,
    pub attributes: Vec<Attribute>,
    pub hideable: bool,
}

#[derive(Clone, Debug)]
pub struct Procedure {
    pub name: Ident,
    pub type_params: Vec<Ident>,
    pub ins: Vec<Variable>,
    pub outs: Vec<Variable>,
    pub pure: bool,
    /// The layer, for a yield procedure of a concurrent program.
    pub layer: Option<Layer>,
    pub requires: Vec<Clause>,
    pub ensures: Vec<Clause>,
    pub modifies: Vec<Ident>,
    pub measures: Vec<Measure>,
    pub attributes: Vec<Attribute>,
    pub body: Option<Body>,
}

/// `yield procedure {:layer 1} P()`: the layer up to which its body counts, if given.
#[derive(Clone, Copy, Debug)]
pub struct Layer {
    pub span: Span,
    pub number: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct Clause {
    pub span: Span,
    /// The whole clause.
    pub whole: Span,
    pub free: bool,
    pub condition: ExprId,
    pub attributes: Vec<Attribute>,
}

/// Lexicographically decreasing values.
#[derive(Clone, Debug)]
pub struct Measure {
    pub span: Span,
    pub values: Vec<ExprId>,
    pub attributes: Vec<Attribute>,
}

#[derive(Clone, Debug)]
pub struct Implementation {
    pub name: Ident,
    pub type_params: Vec<Ident>,
    pub ins: Vec<Variable>,
    pub outs: Vec<Variable>,
    pub attributes: Vec<Attribute>,
    pub body: Body,
}

#[derive(Clone, Debug)]
pub struct Body {
    pub locals: Vec<Variable>,
    pub stmts: Vec<Stmt>,
    /// The closing brace.
    pub end: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub span: Span,
    /// The whole statement; for one with blocks, the part before them.
    pub whole: Span,
    pub attributes: Vec<Attribute>,
    pub kind: StmtKind,
    pub mark: Option<Mark>,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    Label(Name),
    Assert(ExprId),
    Assume(ExprId),
    Measure(Vec<ExprId>),
    Havoc(Vec<Ident>),
    Assign {
        targets: Vec<Target>,
        values: Vec<ExprId>,
    },
    /// `C(x, y) := e`
    Unpack {
        constructor: Ident,
        vars: Vec<Ident>,
        value: ExprId,
    },
    Call(Call),
    Hide(Option<Ident>),
    Reveal(Option<Ident>),
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
        measures: Vec<Measure>,
        body: Block,
    },
    Break(Option<Ident>),
    Goto(Vec<Ident>),
    Return,
    /// The result of a code expression.
    Yield(ExprId),
}

#[derive(Clone, Debug)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    /// The closing brace, or the inner statement for `else if`.
    pub end: Span,
}

#[derive(Clone, Debug)]
pub struct Call {
    pub free: bool,
    pub procedure: Ident,
    pub args: Vec<ExprId>,
    pub outs: Vec<Ident>,
}

/// `x[i, j]->f[k]`: the steps in source order.
#[derive(Clone, Debug)]
pub struct Target {
    pub name: Ident,
    pub steps: Vec<(Span, Step)>,
}

#[derive(Clone, Debug)]
pub enum Step {
    Index(Vec<ExprId>),
    Field(Ident),
}
