//! Statements.

use super::{Annotation, Decreases, ExprId, Formal, Ident, Macro};
use echis_base::Span;

/// `{ … }`. Statements of an expanded statement macro stand directly in the block around its use.
#[derive(Clone, Debug)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    /// Including the braces.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    /// Including annotations, excluding a trailing `;`. For a statement of an expanded macro: its place in the body.
    pub span: Span,
    /// For a statement of an expanded macro: the (outermost) use.
    pub macro_use: Option<Span>,
    /// Outer annotations first.
    pub annotations: Vec<Annotation>,
}

#[derive(Clone, Debug)]
pub enum StmtKind {
    /// The operand is an [`ExprKind::Acc`] or an [`ExprKind::Call`] (a bare predicate instance).
    Fold(ExprId),
    Unfold(ExprId),
    Inhale(ExprId),
    Exhale(ExprId),
    Assert(ExprId),
    Assume(ExprId),
    Refute(ExprId),
    /// `if` and each `elseif`: at least one arm.
    If {
        arms: Vec<IfArm>,
        otherwise: Option<Block>,
    },
    While {
        condition: ExprId,
        invariants: Invariants,
        body: Block,
    },
    /// `var x: T, y: U [:= e]`.
    Var {
        vars: Vec<Formal>,
        init: Option<ExprId>,
    },
    Goto(Ident),
    Label {
        name: Ident,
        invariants: Invariants,
    },
    /// The wand is any expression that parses where a wand may stand; the checker insists on a wand.
    Package {
        wand: ExprId,
        script: Option<Block>,
    },
    Apply(ExprId),
    /// `quasihavoc [c ==>] r`.
    Quasihavoc {
        condition: Option<ExprId>,
        resource: ExprId,
    },
    QuasihavocAll {
        vars: Vec<Formal>,
        condition: Option<ExprId>,
        resource: ExprId,
    },
    Block(Block),
    /// `t1, t2 := e` with at least one target; a target is an [`ExprKind::Ident`] or [`ExprKind::Field`].
    Assign {
        targets: Vec<ExprId>,
        value: ExprId,
    },
    /// A method call without results: [`ExprKind::Call`]. A lone [`ExprKind::Ident`] parses too (it may have been
    /// meant as a macro) and is for the checker to reject.
    Call(ExprId),
    /// Only before macros are expanded.
    Define(Macro),
}

/// The condition and body of an `if` or `elseif`.
#[derive(Clone, Debug)]
pub struct IfArm {
    pub condition: ExprId,
    pub body: Block,
    /// From `if` or `elseif` to the end of the whole statement: the range of the nested `if` that it means.
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct Invariants {
    pub exprs: Vec<ExprId>,
    pub decreases: Vec<Decreases>,
}
