//! Expressions.

use super::{
    BinaryOp, Copied, Copier, DomainFunctionId, ExprId, FieldId, FunctionId, LabelId, LocalId, Location, Part, Parts,
    PredicateAccess, PredicateId, Type, UnaryOp,
};
use dashu::Integer;
use echis_base::{SyntaxId, kinds};

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub id: SyntaxId,
    /// Whether no accessibility predicate or wand is in an assertion position.
    pub pure: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Quantifier {
    Forall,
    Exists,
}

/// The heap that an `old` expression reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum OldState {
    Pre,
    Label(LabelId),
    /// `old[lhs]` in a wand's right-hand side or proof script.
    Lhs,
}

kinds! {
    copied by Copier;
    #[derive(Clone, Debug)]
    pub enum ExprKind: &'static str {
        Bool(value: bool) = "bool";
        Int(value: Integer) = "int";
        Null = "null";
        /// `write` is 1, `none` is 0.
        Write = "write";
        NonePerm = "none";
        Wildcard = "wildcard";
        Epsilon = "epsilon";
        Local(local: LocalId) = "local";
        /// The function's value, in its postconditions.
        Result = "result";

        Unary(op: UnaryOp, operand: ExprId) = "unary";
        Binary(op: BinaryOp, left: ExprId, right: ExprId) = "binary";
        /// Pure or impure.
        Conditional(condition: ExprId, then: ExprId, otherwise: ExprId) = "conditional";
        Let { value: ExprId, var: LocalId, body: ExprId } = "let";
        /// A pure quantifier. `given` tells whether the user wrote the triggers.
        Quantified { quantifier: Quantifier, vars: Vec<LocalId>, triggers: Vec<Vec<ExprId>>, given: bool, body: ExprId }
            = "quantified";

        Field { receiver: ExprId, field: FieldId } = "field";
        FunctionApp { function: FunctionId, args: Vec<ExprId>, reveal: bool } = "function";
        DomainApp { function: DomainFunctionId, type_args: Vec<Type>, args: Vec<ExprId> } = "domain function";
        /// `#P(args)`
        PredicateInstance { predicate: PredicateId, args: Vec<ExprId> } = "instance";
        Old { state: OldState, body: ExprId } = "old";
        Unfolding { access: PredicateAccess, body: ExprId } = "unfolding";
        Applying { wand: ExprId, body: ExprId } = "applying";
        Asserting { assertion: ExprId, body: ExprId } = "asserting";
        PermOf(location: Location) = "perm";
        ForPerm { vars: Vec<LocalId>, location: Location, location_id: SyntaxId, body: ExprId } = "forperm";

        /// Elements in order; an empty list is the empty collection. The type is the expression's.
        SeqLiteral(items: Vec<ExprId>) = "seq";
        SetLiteral(items: Vec<ExprId>) = "set";
        MultisetLiteral(items: Vec<ExprId>) = "multiset";
        MapLiteral(entries: Vec<(ExprId, ExprId)>) = "map";
        /// `s[i := v]`, `m[k := v]`
        SeqUpdate(base: ExprId, index: ExprId, value: ExprId) = "seq update";
        MapUpdate(base: ExprId, key: ExprId, value: ExprId) = "map update";

        // The following kinds are impure: they assert permission.
        /// `acc(location, amount)` for a field or predicate.
        Acc { location: Location, location_id: SyntaxId, amount: ExprId } = "acc";
        Wand { left: ExprId, right: ExprId } = "wand";
        /// `forall vars :: {triggers} condition ==> acc(location, amount)`; for a wand the amount is `write`.
        ForallAcc {
            vars: Vec<LocalId>,
            triggers: Vec<Vec<ExprId>>,
            given: bool,
            condition: ExprId,
            location: Location,
            location_id: SyntaxId,
            amount: ExprId,
        } = "forall acc";
        /// `[assumed, checked]`, pure or impure.
        InhaleExhale(inhale: ExprId, exhale: ExprId) = "inhale exhale";
        /// A predicate access or field access in a trigger, which does not denote permission.
        TriggerLocation(location: Location) = "trigger";
    }
}

impl ExprKind {
    pub fn each_part<'a>(&'a self, mut visit: impl FnMut(Part<'a>)) {
        self.each_field(&mut |_, field| field.each_part(&mut visit));
    }

    /// The direct sub-expressions in evaluation order, without triggers.
    pub fn children(&self) -> Vec<ExprId> {
        let mut children = Vec::new();
        self.each_part(|part| {
            if let Part::Expr(expr) = part {
                children.push(expr);
            }
        });
        children
    }

    /// The direct sub-expressions, starting with triggers.
    pub fn children_with_triggers(&self) -> Vec<ExprId> {
        let mut children: Vec<ExprId> = self.triggers().iter().flatten().copied().collect();
        children.extend(self.children());
        children
    }

    pub fn triggers(&self) -> &[Vec<ExprId>] {
        let mut triggers: &[Vec<ExprId>] = &[];
        self.each_part(|part| {
            if let Part::Triggers(found) = part {
                triggers = found;
            }
        });
        triggers
    }

    /// The variables that the expression binds: all variables in its fields, unless it is a variable itself.
    pub fn bound(&self) -> &[LocalId] {
        let mut bound: &[LocalId] = &[];
        self.each_part(|part| match part {
            Part::Locals(locals) if !matches!(self, ExprKind::Local(_)) => bound = locals,
            _ => {}
        });
        bound
    }
}
