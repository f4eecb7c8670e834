//! Quantifiers, and quantified permissions in canonical form: each access under a `forall` becomes a separate
//! quantifier, guarded by its context.

use super::Lowering;
use crate::copy::Substitution;
use crate::program::{BinaryOp, ExprId, ExprKind, LocalId, Location, Quantifier, Type};
use crate::walk::guarded;
use echis_base::SyntaxId;
use echis_syntax::ast;

/// One conjunct of a `forall`'s body, with its guards.
#[derive(Debug)]
struct Leaf {
    guards: Vec<Guard>,
    side: Side,
    /// A pure conjunct, an access, a wand or a quantified access.
    body: ExprId,
}

#[derive(Clone, Copy, Debug)]
enum Guard {
    Holds(ExprId),
    Fails(ExprId),
    /// An enclosing `let`: the variable is replaced by its value, which must still be well-defined.
    Let {
        var: LocalId,
        value: ExprId,
        id: SyntaxId,
    },
}

/// In which half of `[a, b]` a conjunct is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    Both,
    Inhale,
    Exhale,
}

/// The quantifier whose body is being split.
struct Outer {
    vars: Vec<LocalId>,
    triggers: Vec<Vec<ExprId>>,
    id: SyntaxId,
}

impl<'a> Lowering<'a> {
    pub(super) fn quantifier(&mut self, quantifier: Quantifier, decl: &'a ast::Quantifier, id: SyntaxId) -> ExprId {
        let vars: Vec<_> = decl.vars.iter().map(|var| self.typed.local(var)).collect();
        let triggers = self.triggers(&decl.triggers);
        self.check_trigger_variables(&vars, &triggers);
        let body = self.expr(decl.body);
        if quantifier == Quantifier::Forall && !self.program.is_pure(body) {
            return self.canonical(Outer { vars, triggers, id }, body);
        }
        let given = !triggers.is_empty();
        let kind = ExprKind::Quantified { quantifier, vars, triggers, given, body };
        self.program.add_expr(kind, Type::Bool, id)
    }

    /// Each set must mention every variable and each term some variable; errors point at the variables.
    fn check_trigger_variables(&mut self, vars: &[LocalId], triggers: &[Vec<ExprId>]) {
        for set in triggers {
            let mentioned: Vec<Vec<bool>> =
                set.iter().map(|term| vars.iter().map(|var| self.mentions(*term, *var)).collect()).collect();
            for (index, var) in vars.iter().enumerate() {
                if !mentioned.iter().any(|term| term[index]) {
                    let local = &self.program.locals[*var];
                    let message = format!("The trigger does not mention the quantified variable `{}`.", local.name);
                    let span = self.program.syntax.span(local.id);
                    self.consistency_error(span, message);
                }
            }
            for (term, mentioned) in set.iter().zip(&mentioned) {
                if !mentioned.contains(&true) {
                    let span = self.program.syntax.span(self.program.expr(*term).id);
                    self.consistency_error(span, "The trigger term mentions no quantified variable.");
                }
            }
        }
    }

    fn mentions(&self, expr: ExprId, var: LocalId) -> bool {
        self.program.any(expr, |kind| matches!(kind, ExprKind::Local(local) if *local == var))
    }

    fn canonical(&mut self, outer: Outer, body: ExprId) -> ExprId {
        let mut leaves = Vec::new();
        self.leaves(body, Vec::new(), Side::Both, &mut leaves);
        let shared = leaves.len() > 1 || leaves.iter().any(|leaf| leaf.guards.iter().any(is_let));
        let parts: Vec<ExprId> = leaves.into_iter().map(|leaf| self.leaf(&outer, leaf, shared)).collect();
        self.program.conjunction(parts, outer.id)
    }

    fn leaves(&mut self, body: ExprId, guards: Vec<Guard>, side: Side, leaves: &mut Vec<Leaf>) {
        guarded(|| self.leaves_inner(body, guards, side, leaves));
    }

    fn leaves_inner(&mut self, body: ExprId, mut guards: Vec<Guard>, side: Side, leaves: &mut Vec<Leaf>) {
        let kind = self.program.kind(body).clone();
        if self.program.is_pure(body) {
            if !matches!(kind, ExprKind::Bool(true)) {
                leaves.push(Leaf { guards, side, body });
            }
            return;
        }
        match kind {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                self.leaves(left, guards.clone(), side, leaves);
                self.leaves(right, guards, side, leaves);
            }
            ExprKind::Binary(BinaryOp::Implies, condition, right) => {
                guards.push(Guard::Holds(condition));
                self.leaves(right, guards, side, leaves);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let mut negative = guards.clone();
                guards.push(Guard::Holds(condition));
                negative.push(Guard::Fails(condition));
                self.leaves(then, guards, side, leaves);
                self.leaves(otherwise, negative, side, leaves);
            }
            ExprKind::Let { var, value, body: inner } => {
                guards.push(Guard::Let { var, value, id: self.program.expr(body).id });
                self.leaves(inner, guards, side, leaves);
            }
            ExprKind::InhaleExhale(inhale, exhale) => {
                // Inside `[a, b]`, only one half of a nested `[c, d]` is relevant.
                if side != Side::Exhale {
                    self.leaves(inhale, guards.clone(), Side::Inhale, leaves);
                }
                if side != Side::Inhale {
                    self.leaves(exhale, guards, Side::Exhale, leaves);
                }
            }
            ExprKind::Acc { .. } | ExprKind::Wand { .. } | ExprKind::ForallAcc { .. } => {
                leaves.push(Leaf { guards, side, body });
            }
            // The consistency checks report the impure body of these.
            ExprKind::Unfolding { .. } | ExprKind::Applying { .. } | ExprKind::Asserting { .. } => {
                leaves.push(Leaf { guards, side, body });
            }
            _ => {
                let span = self.program.syntax.span(self.program.expr(body).id);
                let message =
                    "The body of a quantifier over permissions must be an access, guarded or in a conjunction.";
                self.consistency_error(span, message);
            }
        }
    }

    /// The quantifier for one conjunct. If there are several conjuncts, each gets copies of everything, since
    /// variables are bound only once in a program.
    fn leaf(&mut self, outer: &Outer, leaf: Leaf, shared: bool) -> ExprId {
        let mut map = Substitution::default();
        let vars = if shared { self.program.renew(&outer.vars, &mut map) } else { outer.vars.clone() };
        let mut conditions = Vec::new();
        for guard in leaf.guards {
            let condition = self.guard(guard, shared, &mut map);
            conditions.push(condition);
        }
        let triggers = match shared {
            true => self.program.substitute_in(&outer.triggers, &mut map),
            false => outer.triggers.clone(),
        };
        let body = if shared { self.program.substitute(leaf.body, &mut map) } else { leaf.body };
        let quantified = self.quantified_leaf(Outer { vars, triggers, id: outer.id }, conditions, body);
        self.on_side(leaf.side, quantified, outer.id)
    }

    fn guard(&mut self, guard: Guard, shared: bool, map: &mut Substitution) -> ExprId {
        let copied = |lowering: &mut Self, expr: ExprId, map: &mut Substitution| match shared {
            true => lowering.program.substitute(expr, map),
            false => expr,
        };
        match guard {
            Guard::Holds(condition) => copied(self, condition, map),
            Guard::Fails(condition) => {
                let id = self.program.expr(condition).id;
                let condition = copied(self, condition, map);
                self.program.not(condition, id)
            }
            Guard::Let { var, value, id } => {
                let value = copied(self, value, map);
                let defined = self.program.bool(true, id);
                let local = self.program.locals[var].clone();
                let witness = self.program.fresh_local(local.name, local.ty, local.id);
                map.expr(var, value);
                self.program.add_expr(ExprKind::Let { var: witness, value, body: defined }, Type::Bool, id)
            }
        }
    }

    fn quantified_leaf(&mut self, outer: Outer, mut conditions: Vec<ExprId>, body: ExprId) -> ExprId {
        let Outer { mut vars, mut triggers, id } = outer;
        let (location, location_id, amount) = match self.program.kind(body).clone() {
            ExprKind::Acc { location, location_id, amount } => (location, location_id, amount),
            ExprKind::Wand { .. } => {
                let wand_id = self.program.expr(body).id;
                let amount_id = self.generated(wand_id);
                (Location::Wand(body), wand_id, self.program.write(amount_id))
            }
            ExprKind::ForallAcc { vars: inner, triggers: below, condition, location, location_id, amount, .. } => {
                vars.extend(inner);
                triggers = self.pairs(&triggers, &below);
                conditions.push(condition);
                (location, location_id, amount)
            }
            _ => return self.pure_leaf(Outer { vars, triggers, id }, conditions, body),
        };
        let condition = self.program.conjunction(conditions, id);
        let given = !triggers.is_empty();
        let kind = ExprKind::ForallAcc { vars, triggers, given, condition, location, location_id, amount };
        self.program.add_expr(kind, Type::Bool, id)
    }

    fn pure_leaf(&mut self, outer: Outer, conditions: Vec<ExprId>, body: ExprId) -> ExprId {
        let Outer { vars, triggers, id } = outer;
        let body = match conditions.is_empty() {
            true => body,
            false => {
                let condition = self.program.conjunction(conditions, id);
                self.program.implies(condition, body, id)
            }
        };
        let given = !triggers.is_empty();
        let kind = ExprKind::Quantified { quantifier: Quantifier::Forall, vars, triggers, given, body };
        self.program.add_expr(kind, Type::Bool, id)
    }

    /// Trigger sets of a merged quantifier: each outer set combined with each inner one.
    fn pairs(&mut self, outer: &[Vec<ExprId>], inner: &[Vec<ExprId>]) -> Vec<Vec<ExprId>> {
        let mut pairs = Vec::new();
        for outer in outer {
            for inner in inner {
                let terms: Vec<ExprId> = outer.iter().chain(inner).copied().collect();
                pairs.push(self.program.substitute_in(&terms, &mut Substitution::default()));
            }
        }
        pairs
    }

    fn on_side(&mut self, side: Side, assertion: ExprId, id: SyntaxId) -> ExprId {
        if side == Side::Both {
            return assertion;
        }
        let other = self.program.bool(true, id);
        let kind = match side {
            Side::Inhale => ExprKind::InhaleExhale(assertion, other),
            _ => ExprKind::InhaleExhale(other, assertion),
        };
        self.program.add_expr(kind, Type::Bool, id)
    }
}

fn is_let(guard: &Guard) -> bool {
    matches!(guard, Guard::Let { .. })
}
