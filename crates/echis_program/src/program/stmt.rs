//! Statements.

use super::{Decreases, ExprId, FieldId, LabelId, LocalId, MethodId, Part, Parts, PredicateId};
use echis_base::{SyntaxId, kinds};

/// A sequence of statements with the variables declared in it, which are arbitrary on entry.
#[derive(Clone, Debug, Default)]
pub struct Block {
    pub locals: Vec<LocalId>,
    pub stmts: Vec<Stmt>,
}

#[derive(Clone, Debug)]
pub struct Stmt {
    pub kind: StmtKind,
    pub id: SyntaxId,
}

kinds! {
    #[derive(Clone, Debug)]
    pub enum StmtKind: (&'static str, Role) {
        /// `var x: T` reached: the variable becomes arbitrary.
        Declare(local: LocalId) = ("declare", Role::Control);
        Assign { target: LocalId, value: ExprId } = ("assign", Role::Assign);
        AssignField { receiver: ExprId, field: FieldId, value: ExprId } = ("assign field", Role::Assign);
        New { target: LocalId, fields: Vec<FieldId> } = ("new", Role::Assign);
        Call { targets: Vec<LocalId>, method: MethodId, args: Vec<ExprId> } = ("call", Role::Call);
        Inhale(assertion: ExprId) = ("inhale", Role::Assume);
        Exhale(assertion: ExprId) = ("exhale", Role::Exhale);
        Assert(assertion: ExprId) = ("assert", Role::Assert);
        /// One pure top-level conjunct of a written `assume`; errors are `inhale.failed` at the expression.
        Assume(condition: ExprId) = ("assume", Role::Assume);
        Refute(condition: ExprId) = ("refute", Role::Refute);
        Fold(access: PredicateAccess) = ("fold", Role::Rewrite);
        Unfold(access: PredicateAccess) = ("unfold", Role::Rewrite);
        /// The wand is an [`ExprKind::Wand`](super::ExprKind::Wand).
        Package { wand: ExprId, script: Block } = ("package", Role::Rewrite);
        Apply { wand: ExprId } = ("apply", Role::Rewrite);
        Quasihavoc { condition: Option<ExprId>, location: Location, location_id: SyntaxId } = ("quasihavoc", Role::Havoc);
        QuasihavocAll { vars: Vec<LocalId>, condition: Option<ExprId>, location: Location, location_id: SyntaxId }
            = ("quasihavocall", Role::Havoc);
        If { condition: ExprId, then: Block, otherwise: Block } = ("if", Role::Control);
        While { condition: ExprId, invariants: Vec<ExprId>, decreases: Decreases, body: Block } = ("while", Role::Control);
        Label { label: LabelId, invariants: Vec<ExprId>, decreases: Decreases } = ("label", Role::Control);
        Goto(label: LabelId) = ("goto", Role::Control);
        Block(block: Block) = ("block", Role::Control);
    }
}

/// The role of a statement in a proof: what it provides and what it explicitly demands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Determines control flow or declares variables.
    Control,
    /// Changes the value of a variable or a field.
    Assign,
    Call,
    /// Its assertion is assumed.
    Assume,
    /// Its assertion is checked, and nothing changes.
    Assert,
    /// Its assertion is checked, and its permission is removed.
    Exhale,
    /// Checks that something can *not* be proved: additional assumptions may make a member with such a statement
    /// fail.
    Refute,
    /// Exchanges a predicate or wand for its contents.
    Rewrite,
    /// Forgets values of locations.
    Havoc,
}

impl StmtKind {
    /// The name in dumps.
    pub fn word(&self) -> &'static str {
        self.row().0
    }
    pub fn role(&self) -> Role {
        self.row().1
    }
    pub fn each_part<'a>(&'a self, mut visit: impl FnMut(Part<'a>)) {
        self.each_field(&mut |_, field| field.each_part(&mut visit));
    }

    /// The expressions directly in the statement, without those of nested blocks.
    pub fn roots(&self) -> Vec<ExprId> {
        let mut roots = Vec::new();
        self.each_part(|part| {
            if let Part::Expr(expr) = part {
                roots.push(expr);
            }
        });
        roots
    }

    /// The blocks directly in the statement.
    pub fn blocks(&self) -> Vec<&Block> {
        let mut blocks = Vec::new();
        self.each_part(|part| {
            if let Part::Block(block) = part {
                blocks.push(block);
            }
        });
        blocks
    }

    /// The variables that the statement itself writes, without those written in its blocks. Used by rules that forbid
    /// or forget writes; so a variable in a statement counts as written unless it is bound.
    pub fn written(&self) -> &[LocalId] {
        if self.is_quantified() { &[] } else { self.locals() }
    }

    /// Whether it ranges over all values of bound variables, so that it covers many locations.
    pub fn is_quantified(&self) -> bool {
        matches!(self, StmtKind::QuasihavocAll { .. })
    }

    /// The variables that the statement binds.
    pub fn bound(&self) -> &[LocalId] {
        if self.is_quantified() { self.locals() } else { &[] }
    }

    fn locals(&self) -> &[LocalId] {
        let mut locals: &[LocalId] = &[];
        self.each_part(|part| {
            if let Part::Locals(found) = part {
                debug_assert!(locals.is_empty(), "a statement has one field of variables");
                locals = found;
            }
        });
        locals
    }
}

/// `acc(P(args), amount)`, the operand of fold, unfold and unfolding.
#[derive(Clone, Debug)]
pub struct PredicateAccess {
    pub predicate: PredicateId,
    pub args: Vec<ExprId>,
    pub amount: ExprId,
    pub id: SyntaxId,
}

/// A location.
#[derive(Clone, Debug)]
pub enum Location {
    Field {
        receiver: ExprId,
        field: FieldId,
    },
    Predicate {
        predicate: PredicateId,
        args: Vec<ExprId>,
    },
    /// The expression is an [`ExprKind::Wand`](super::ExprKind::Wand).
    Wand(ExprId),
}
