//! Statements.

use super::{Annotation, Copied, Copier, Decreases, ExprId, Formal, LabelName, Macro, Parts};
use crate::token::Keyword;
use echis_base::{Span, kinds};

/// `{ … }`. Statements from a statement macro are directly in the block around its use.
#[derive(Clone, Debug)]
pub struct Block {
    pub stmts: Vec<Stmt>,
    /// Including the braces.
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    /// Including annotations, excluding a trailing `;`. For a statement from a macro: its range in the macro's body.
    pub span: Span,
    /// For a statement from a macro: the (outermost) use.
    pub macro_use: Option<Span>,
    /// Outer annotations first.
    pub annotations: Vec<Annotation>,
}

kinds! {
    copied by Copier;
    #[derive(Clone, Debug)]
    pub enum StmtKind: (&'static str, Removal) {
        /// The operand is an [`ExprKind::Acc`](super::ExprKind::Acc) or an [`ExprKind::Call`](super::ExprKind::Call)
        /// (a bare predicate instance).
        Fold(access: ExprId) = ("fold", Removal::Whole);
        Unfold(access: ExprId) = ("unfold", Removal::Whole);
        Inhale(assertion: ExprId) = ("inhale", Removal::Conjuncts);
        Exhale(assertion: ExprId) = ("exhale", Removal::Conjuncts);
        Assert(assertion: ExprId) = ("assert", Removal::Conjuncts);
        Assume(assertion: ExprId) = ("assume", Removal::Conjuncts);
        Refute(assertion: ExprId) = ("refute", Removal::Conjuncts);
        /// `if` and each `elseif`: at least one arm.
        If { arms as "if": Vec<IfArm>, otherwise as "else": Option<Block> } = ("if", Removal::Never);
        While { condition: ExprId, invariants as "invariant": Invariants, body as "body": Block } = ("while", Removal::Never);
        /// `var x: T, y: U [:= e]`.
        Var { vars: Vec<Formal>, init as ":=": Option<ExprId> } = ("var", Removal::Never);
        Goto(label: LabelName) = ("goto", Removal::Never);
        Label { name: LabelName, invariants as "invariant": Invariants } = ("label", Removal::Never);
        /// The wand is any expression that parses in this position; the checker requires a wand.
        Package { wand: ExprId, script as "script": Option<Block> } = ("package", Removal::Whole);
        Apply(wand: ExprId) = ("apply", Removal::Whole);
        /// `quasihavoc [c ==>] r`.
        Quasihavoc { condition as "if": Option<ExprId>, resource: ExprId } = ("quasihavoc", Removal::Whole);
        QuasihavocAll { vars: Vec<Formal>, condition as "if": Option<ExprId>, resource: ExprId }
            = ("quasihavocall", Removal::Whole);
        Block(block: Block) = ("block", Removal::Never);
        /// `t1, t2 := e` with at least one target; a target is an [`ExprKind::Ident`](super::ExprKind::Ident) or
        /// [`ExprKind::Field`](super::ExprKind::Field).
        Assign { targets as "to": Vec<ExprId>, value as ":=": ExprId } = ("assign", Removal::Whole);
        /// A method call without results: [`ExprKind::Call`](super::ExprKind::Call). A lone identifier also parses
        /// (it may be meant as a macro), and is rejected by the checker.
        Call(call: ExprId) = ("call", Removal::Whole);
        /// Only before macros are expanded.
        Define(decl: Macro) = ("define", Removal::Never);
    }
}

/// How a statement is removed from a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Removal {
    /// Conjunct by conjunct.
    Conjuncts,
    Whole,
    /// Never removed, although its contents may be.
    Never,
}

/// The part of a statement after its keyword.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Behind {
    Expr,
    /// `acc(P(x), p)` or `P(x)`.
    Access,
    Wand,
}

/// A statement consisting of a keyword and one operand.
pub type Simple = (Keyword, Behind, fn(ExprId) -> StmtKind);

impl StmtKind {
    pub const SIMPLE: &[Simple] = &[
        (Keyword::Fold, Behind::Access, StmtKind::Fold),
        (Keyword::Unfold, Behind::Access, StmtKind::Unfold),
        (Keyword::Inhale, Behind::Expr, StmtKind::Inhale),
        (Keyword::Exhale, Behind::Expr, StmtKind::Exhale),
        (Keyword::Assert, Behind::Expr, StmtKind::Assert),
        (Keyword::Assume, Behind::Expr, StmtKind::Assume),
        (Keyword::Refute, Behind::Expr, StmtKind::Refute),
        (Keyword::Apply, Behind::Wand, StmtKind::Apply),
    ];

    pub fn word(&self) -> &'static str {
        self.row().0
    }
    pub fn removal(&self) -> Removal {
        self.row().1
    }
}

/// The condition and body of an `if` or `elseif`.
#[derive(Clone, Debug)]
pub struct IfArm {
    pub condition: ExprId,
    pub body: Block,
    /// From `if` or `elseif` to the end of the whole statement: the range of the equivalent nested `if`.
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub struct Invariants {
    pub exprs: Vec<ExprId>,
    pub decreases: Vec<Decreases>,
}
