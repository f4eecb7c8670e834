//! Copies of expressions in which some variables stand for something else. Bound variables of the copy are new, so
//! that every variable keeps a key of its own and nothing is captured.

use crate::program::{ExprId, ExprKind, Local, LocalId, Location, PredicateAccess, Program};
use crate::walk::guarded;
use std::collections::HashMap;

/// What variables stand for in a copy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Substitution {
    map: HashMap<LocalId, Replacement>,
}

#[derive(Clone, Copy, Debug)]
enum Replacement {
    Variable(LocalId),
    /// Each occurrence becomes a copy of its own, made without the substitution.
    Expr(ExprId),
}

impl Substitution {
    pub(crate) fn variable(&mut self, from: LocalId, to: LocalId) {
        self.map.insert(from, Replacement::Variable(to));
    }
    pub(crate) fn expr(&mut self, from: LocalId, to: ExprId) {
        self.map.insert(from, Replacement::Expr(to));
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.map.is_empty()
    }
}

impl Program {
    /// A copy with new bound variables. Nodes keep their syntax ids.
    pub(crate) fn copy(&mut self, expr: ExprId) -> ExprId {
        self.substitute(expr, &mut Substitution::default())
    }

    /// New variables with the names and types of the given ones, noted in the substitution.
    pub(crate) fn renew(&mut self, vars: &[LocalId], substitution: &mut Substitution) -> Vec<LocalId> {
        let renew = |var: &LocalId| {
            let Local { name, ty, id } = self.locals[*var].clone();
            let fresh = self.fresh_local(name, ty, id);
            substitution.variable(*var, fresh);
            fresh
        };
        vars.iter().map(renew).collect()
    }

    /// A copy with the substitution applied. The substitution grows by the renewed bound variables, whose keys are
    /// unique, so growing changes nothing else.
    pub(crate) fn substitute(&mut self, expr: ExprId, map: &mut Substitution) -> ExprId {
        guarded(|| self.substitute_node(expr, map))
    }

    fn substitute_node(&mut self, expr: ExprId, map: &mut Substitution) -> ExprId {
        let node = self.exprs[expr].clone();
        if let ExprKind::Local(local) = node.kind {
            match map.map.get(&local) {
                Some(Replacement::Variable(other)) => return self.local(*other, node.id),
                Some(Replacement::Expr(other)) => return self.copy(*other),
                None => {}
            }
        }
        let kind = self.substitute_kind(node.kind, map);
        self.add_expr(kind, node.ty, node.id)
    }

    pub(crate) fn substitute_all(&mut self, exprs: &[ExprId], map: &mut Substitution) -> Vec<ExprId> {
        exprs.iter().map(|expr| self.substitute(*expr, map)).collect()
    }

    pub(crate) fn substitute_triggers(&mut self, sets: &[Vec<ExprId>], map: &mut Substitution) -> Vec<Vec<ExprId>> {
        sets.iter().map(|set| self.substitute_all(set, map)).collect()
    }

    pub(crate) fn substitute_location(&mut self, location: &Location, map: &mut Substitution) -> Location {
        match location {
            Location::Field { receiver, field } => {
                Location::Field { receiver: self.substitute(*receiver, map), field: *field }
            }
            Location::Predicate { predicate, args } => {
                Location::Predicate { predicate: *predicate, args: self.substitute_all(args, map) }
            }
            Location::Wand(wand) => Location::Wand(self.substitute(*wand, map)),
        }
    }

    fn substitute_access(&mut self, access: &PredicateAccess, map: &mut Substitution) -> PredicateAccess {
        PredicateAccess {
            predicate: access.predicate,
            args: self.substitute_all(&access.args, map),
            amount: self.substitute(access.amount, map),
            id: access.id,
        }
    }

    fn substitute_kind(&mut self, kind: ExprKind, map: &mut Substitution) -> ExprKind {
        match kind {
            ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Null
            | ExprKind::Write
            | ExprKind::NonePerm
            | ExprKind::Wildcard
            | ExprKind::Epsilon
            | ExprKind::Local(_)
            | ExprKind::Result => kind,
            ExprKind::Unary(op, operand) => ExprKind::Unary(op, self.substitute(operand, map)),
            ExprKind::Binary(op, left, right) => {
                ExprKind::Binary(op, self.substitute(left, map), self.substitute(right, map))
            }
            ExprKind::InhaleExhale(left, right) => {
                ExprKind::InhaleExhale(self.substitute(left, map), self.substitute(right, map))
            }
            ExprKind::Wand { left, right } => {
                ExprKind::Wand { left: self.substitute(left, map), right: self.substitute(right, map) }
            }
            ExprKind::Conditional(condition, then, otherwise) => ExprKind::Conditional(
                self.substitute(condition, map),
                self.substitute(then, map),
                self.substitute(otherwise, map),
            ),
            ExprKind::SeqUpdate(base, index, value) => ExprKind::SeqUpdate(
                self.substitute(base, map),
                self.substitute(index, map),
                self.substitute(value, map),
            ),
            ExprKind::MapUpdate(base, key, value) => {
                ExprKind::MapUpdate(self.substitute(base, map), self.substitute(key, map), self.substitute(value, map))
            }
            ExprKind::Let { var, value, body } => {
                let value = self.substitute(value, map);
                let var = self.renew(&[var], map)[0];
                ExprKind::Let { var, value, body: self.substitute(body, map) }
            }
            ExprKind::Quantified { quantifier, vars, triggers, given, body } => {
                let vars = self.renew(&vars, map);
                let triggers = self.substitute_triggers(&triggers, map);
                ExprKind::Quantified { quantifier, vars, triggers, given, body: self.substitute(body, map) }
            }
            ExprKind::Field { receiver, field } => ExprKind::Field { receiver: self.substitute(receiver, map), field },
            ExprKind::FunctionApp { function, args, reveal } => {
                ExprKind::FunctionApp { function, args: self.substitute_all(&args, map), reveal }
            }
            ExprKind::DomainApp { function, type_args, args } => {
                ExprKind::DomainApp { function, type_args, args: self.substitute_all(&args, map) }
            }
            ExprKind::PredicateInstance { predicate, args } => {
                ExprKind::PredicateInstance { predicate, args: self.substitute_all(&args, map) }
            }
            ExprKind::Old { state, body } => ExprKind::Old { state, body: self.substitute(body, map) },
            ExprKind::Unfolding { access, body } => {
                ExprKind::Unfolding { access: self.substitute_access(&access, map), body: self.substitute(body, map) }
            }
            ExprKind::Applying { wand, body } => {
                ExprKind::Applying { wand: self.substitute(wand, map), body: self.substitute(body, map) }
            }
            ExprKind::Asserting { assertion, body } => {
                ExprKind::Asserting { assertion: self.substitute(assertion, map), body: self.substitute(body, map) }
            }
            ExprKind::PermOf(location) => ExprKind::PermOf(self.substitute_location(&location, map)),
            ExprKind::TriggerLocation(location) => ExprKind::TriggerLocation(self.substitute_location(&location, map)),
            ExprKind::ForPerm { vars, location, location_id, body } => {
                let vars = self.renew(&vars, map);
                let location = self.substitute_location(&location, map);
                ExprKind::ForPerm { vars, location, location_id, body: self.substitute(body, map) }
            }
            ExprKind::SeqLiteral(items) => ExprKind::SeqLiteral(self.substitute_all(&items, map)),
            ExprKind::SetLiteral(items) => ExprKind::SetLiteral(self.substitute_all(&items, map)),
            ExprKind::MultisetLiteral(items) => ExprKind::MultisetLiteral(self.substitute_all(&items, map)),
            ExprKind::MapLiteral(entries) => {
                let entry = |(key, value): (ExprId, ExprId)| (self.substitute(key, map), self.substitute(value, map));
                ExprKind::MapLiteral(entries.into_iter().map(entry).collect())
            }
            ExprKind::Acc { location, location_id, amount } => ExprKind::Acc {
                location: self.substitute_location(&location, map),
                location_id,
                amount: self.substitute(amount, map),
            },
            ExprKind::ForallAcc { vars, triggers, given, condition, location, location_id, amount } => {
                let vars = self.renew(&vars, map);
                ExprKind::ForallAcc {
                    vars,
                    triggers: self.substitute_triggers(&triggers, map),
                    given,
                    condition: self.substitute(condition, map),
                    location: self.substitute_location(&location, map),
                    location_id,
                    amount: self.substitute(amount, map),
                }
            }
        }
    }
}
