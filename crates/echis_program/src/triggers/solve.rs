//! A change of variables that makes a term usable as a trigger: for `f(i + 1)`, quantify over `i' == i + 1` instead
//! of `i`. The new variable ranges over all integers like the old one, so the meaning is unchanged.

use super::Inference;
use super::candidates::Allowed;
use super::shape::{is_forbidden_in_trigger, is_trigger_head};
use crate::copy::Substitution;
use crate::program::{BinaryOp, ExprId, ExprKind, LocalId, Type};

/// `e == new`, solved for a variable of `e`.
struct Solved {
    var: LocalId,
    sum: ExprId,
}

impl Inference<'_> {
    /// Tries the sums that are arguments of function-like terms, one at a time. Returns whether triggers were set.
    pub(super) fn change_variables(&mut self, expr: ExprId, roots: &[ExprId], vars: &[LocalId]) -> bool {
        let mut solved: Vec<Solved> = Vec::new();
        for sum in self.sums(roots) {
            let Some(var) = self.single_variable(sum, vars) else { continue };
            if !solved.iter().any(|other| other.var == var) {
                solved.push(Solved { var, sum });
            }
        }
        if solved.is_empty() {
            return false;
        }
        // All at once covers quantifiers over several variables; if that fails, each separately.
        let all: Vec<&Solved> = solved.iter().collect();
        let attempts = std::iter::once(all).chain(solved.iter().map(|one| vec![one]));
        for attempt in attempts.collect::<Vec<_>>() {
            if self.attempt(expr, vars, &attempt) {
                return true;
            }
        }
        false
    }

    /// Integer sums and differences directly below function-like terms, in textual order.
    fn sums(&self, roots: &[ExprId]) -> Vec<ExprId> {
        let program = &*self.program;
        let mut sums = Vec::new();
        for root in roots {
            program.visit(*root, |expr| {
                let kind = program.kind(expr);
                if is_trigger_head(kind) || matches!(kind, ExprKind::Field { .. }) {
                    sums.extend(kind.children().into_iter().filter(|child| self.is_sum(*child)));
                }
                true
            });
        }
        sums
    }

    fn is_sum(&self, expr: ExprId) -> bool {
        matches!(self.program.kind(expr), ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..))
            && *self.program.ty(expr) == Type::Int
    }

    /// The quantified variable of a sum, if there is only one and it occurs once, as a summand.
    fn single_variable(&self, sum: ExprId, vars: &[LocalId]) -> Option<LocalId> {
        let mut found = Vec::new();
        self.program.visit(sum, |expr| {
            if let ExprKind::Local(local) = self.program.kind(expr)
                && vars.contains(local)
            {
                found.push(*local);
            }
            true
        });
        let [var] = found[..] else { return None };
        let mut summand = sum;
        loop {
            match self.program.kind(summand) {
                ExprKind::Local(_) => return Some(var),
                ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
                    summand = if self.mentions(*left, var) { *left } else { *right };
                }
                _ => return None,
            }
        }
    }

    fn mentions(&self, expr: ExprId, var: LocalId) -> bool {
        self.program.any(expr, |kind| matches!(kind, ExprKind::Local(local) if *local == var))
    }

    /// Rewrites a copy of the quantifier and keeps it if triggers can be found for it.
    fn attempt(&mut self, expr: ExprId, vars: &[LocalId], solved: &[&Solved]) -> bool {
        let node = self.program.exprs[expr].clone();
        let mut map = Substitution::default();
        let mut new_vars = Vec::new();
        let mut renamed = Substitution::default();
        for var in vars {
            let fresh = self.program.renew(&[*var], &mut renamed)[0];
            new_vars.push(fresh);
            match solved.iter().find(|one| one.var == *var) {
                None => map.variable(*var, fresh),
                Some(one) => {
                    let value = self.program.local(fresh, node.id);
                    let value = self.solution(one.sum, *var, value);
                    map.expr(*var, value);
                }
            }
        }
        let (kind, roots) = match node.kind {
            ExprKind::Quantified { quantifier, body, given, .. } => {
                let body = self.program.substitute(body, &mut map);
                self.fold_solutions(body);
                let kind =
                    ExprKind::Quantified { quantifier, vars: new_vars.clone(), triggers: Vec::new(), given, body };
                (kind, vec![body])
            }
            ExprKind::ForallAcc { given, condition, location, location_id, amount, .. } => {
                let condition = self.program.substitute(condition, &mut map);
                let location = self.program.substitute_in(&location, &mut map);
                let amount = self.program.substitute(amount, &mut map);
                let mut roots = vec![condition];
                roots.extend(location.parts());
                roots.push(amount);
                roots.iter().for_each(|root| self.fold_solutions(*root));
                let kind = ExprKind::ForallAcc {
                    vars: new_vars.clone(),
                    triggers: Vec::new(),
                    given,
                    condition,
                    location,
                    location_id,
                    amount,
                };
                (kind, roots)
            }
            _ => return false,
        };
        let candidates = self.candidates(&roots, &new_vars, Allowed::Applications);
        let Some(found) = self.cover(&new_vars, candidates, |candidate| candidate.extra.is_empty()) else {
            return false;
        };
        self.program.exprs[expr].kind = kind;
        self.set(expr, found);
        true
    }

    /// `value - (rest of the sum)`: the value of the variable for a given value of the sum.
    fn solution(&mut self, sum: ExprId, var: LocalId, value: ExprId) -> ExprId {
        let node = self.program.exprs[sum].clone();
        let ExprKind::Binary(op, left, right) = node.kind else { return value };
        let in_left = self.mentions(left, var);
        let (inner, other) = if in_left { (left, right) } else { (right, left) };
        let other = self.program.copy(other);
        let kind = match (op, in_left) {
            // left + other == value, other + right == value
            (BinaryOp::Add, _) => ExprKind::Binary(BinaryOp::Sub, value, other),
            // left - other == value
            (_, true) => ExprKind::Binary(BinaryOp::Add, value, other),
            // other - right == value
            (_, false) => ExprKind::Binary(BinaryOp::Sub, other, value),
        };
        let value = self.program.add_expr(kind, Type::Int, node.id);
        self.solution(inner, var, value)
    }

    /// Simplifies `(y - 1) + 1` to `y` in the copy, so that the term can be matched.
    fn fold_solutions(&mut self, root: ExprId) {
        let mut sums = Vec::new();
        let program = &*self.program;
        program.visit(root, |expr| {
            if self.is_sum(expr) {
                sums.push(expr);
            }
            true
        });
        for sum in sums {
            if let Some(local) = self.cancelled(sum) {
                self.program.exprs[sum].kind = ExprKind::Local(local);
            }
        }
    }

    /// The variable that a sum equals when everything else in it cancels.
    fn cancelled(&self, sum: ExprId) -> Option<LocalId> {
        let mut positive: Vec<ExprId> = Vec::new();
        let mut negative: Vec<ExprId> = Vec::new();
        let mut pending = vec![(sum, true)];
        while let Some((expr, sign)) = pending.pop() {
            match self.program.kind(expr) {
                ExprKind::Binary(BinaryOp::Add, left, right) => pending.extend([(*right, sign), (*left, sign)]),
                ExprKind::Binary(BinaryOp::Sub, left, right) => pending.extend([(*right, !sign), (*left, sign)]),
                _ if sign => positive.push(expr),
                _ => negative.push(expr),
            }
        }
        if positive.len() != negative.len() + 1 || positive.len() > 8 {
            return None;
        }
        for minus in negative {
            let key = self.sum_key(minus)?;
            let at = positive.iter().position(|plus| self.sum_key(*plus).as_ref() == Some(&key))?;
            positive.remove(at);
        }
        match self.program.kind(positive[0]) {
            ExprKind::Local(local) => Some(*local),
            _ => None,
        }
    }

    /// Summands are compared by text, which is reliable only without forbidden operators.
    fn sum_key(&self, expr: ExprId) -> Option<String> {
        let plain = !self.program.any(expr, is_forbidden_in_trigger);
        plain.then(|| self.key(expr))
    }
}
