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

/// The role of a statement in a proof: what it provides, and what it demands explicitly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Says where execution goes on, or what variables there are.
    Control,
    /// Gives a variable or a field another value.
    Assign,
    Call,
    /// Its assertion is believed.
    Assume,
    /// Its assertion is demanded, and nothing changes.
    Assert,
    /// Its assertion is demanded, and permission in it goes.
    Exhale,
    /// Demands that something can *not* be proved: more to assume may make a member fail that has such a statement.
    Refute,
    /// Exchanges a predicate or wand and what it stands for.
    Rewrite,
    /// Forgets values of locations.
    Havoc,
}

impl StmtKind {
    /// As it is called in dumps.
    pub fn word(&self) -> &'static str {
        self.row().0
    }
    pub fn role(&self) -> Role {
        self.row().1
    }
    pub fn each_part<'a>(&'a self, mut visit: impl FnMut(Part<'a>)) {
        self.each_field(&mut |_, field| field.each_part(&mut visit));
    }

    /// The expressions directly in the statement, without those of the blocks inside.
    pub fn roots(&self) -> Vec<ExprId> {
        let mut roots = Vec::new();
        self.each_part(|part| {
            if let Part::Expr(expr) = part {
                roots.push(expr);
            }
        });
        roots
    }

    /// The blocks directly inside.
    pub fn blocks(&self) -> Vec<&Block> {
        let mut blocks = Vec::new();
        self.each_part(|part| {
            if let Part::Block(block) = part {
                blocks.push(block);
            }
        });
        blocks
    }

    /// The variables that the statement itself writes, without those that statements in its blocks do. A rule that forbids
    /// or forgets writes asks here; so a variable in a statement counts as written unless it is bound.
    pub fn written(&self) -> &[LocalId] {
        if self.is_quantified() { &[] } else { self.locals() }
    }

    /// Whether it is about all values of variables that it binds, so that its location is many.
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

/// `acc(P(args), amount)` as fold, unfold and unfolding name it.
#[derive(Clone, Debug)]
pub struct PredicateAccess {
    pub predicate: PredicateId,
    pub args: Vec<ExprId>,
    pub amount: ExprId,
    pub id: SyntaxId,
}

/// A resource instance.
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
