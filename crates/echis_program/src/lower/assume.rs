//! `assume` of assertions: it states facts about held permissions and never adds any. `acc(x.f, p)` becomes
//! `perm(x.f) >= p`; an access to a resource that was accessed before requires both amounts, so the amounts of
//! earlier accesses to a possibly equal location are added up.
//!
//! For an earlier access under a quantifier, the sum contains the instance that may be meant:
//! `forall i :: perm(y.f) >= q + (c(i) && e(i) == y ? p(i) : none)`. That is the sum for the single matching
//! instance, if there is one, without a function that finds it.
//!
//! This is done before the consistency checks, so `unfolding A in acc(..)` is allowed only in `assume`.

use super::Lowering;
use crate::copy::Substitution;
use crate::program::{BinaryOp, ExprId, ExprKind, LocalId, Location, Quantifier, Type};
use crate::walk::guarded;
use echis_base::SyntaxId;

/// An access before the current one in a separating conjunction.
#[derive(Clone, Debug)]
struct Earlier {
    /// Quantified variables, empty for a single access.
    vars: Vec<LocalId>,
    conditions: Vec<Guard>,
    location: Location,
    amount: ExprId,
    inside: Vec<Scope>,
}

/// A condition, and the number of enclosing scopes it belongs to.
#[derive(Clone, Copy, Debug)]
struct Guard {
    condition: ExprId,
    depth: usize,
}

/// `unfolding A in ..` and similar: the contents are well-defined only inside it.
#[derive(Clone, Copy, Debug)]
struct Scope {
    written: ExprId,
    /// The expression with `let` variables substituted.
    closed: ExprId,
}

/// The context of an access.
#[derive(Clone, Default)]
struct Context {
    conditions: Vec<Guard>,
    /// Values of `let` variables, which are out of scope for later accesses.
    lets: Substitution,
    /// Outermost first.
    inside: Vec<Scope>,
}

impl Lowering<'_> {
    /// The pure conjuncts that `assume` of the assertion means.
    pub(super) fn assumed(&mut self, assertion: ExprId) -> Vec<ExprId> {
        let pure = match self.program.is_pure(assertion) {
            true => assertion,
            false => self.introspect(assertion, &Context::default(), &mut Vec::new()),
        };
        let mut conjuncts = Vec::new();
        self.program.visit(pure, |expr| match self.program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, ..) => true,
            _ => {
                conjuncts.push(expr);
                false
            }
        });
        conjuncts
    }

    fn introspect(&mut self, assertion: ExprId, context: &Context, earlier: &mut Vec<Earlier>) -> ExprId {
        guarded(|| self.introspect_inner(assertion, context, earlier))
    }

    fn introspect_inner(&mut self, assertion: ExprId, context: &Context, earlier: &mut Vec<Earlier>) -> ExprId {
        if self.program.is_pure(assertion) {
            return assertion;
        }
        let id = self.program.expr(assertion).id;
        match self.program.kind(assertion).clone() {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let left = self.introspect(left, context, earlier);
                let right = self.introspect(right, context, earlier);
                self.program.and(left, right, id)
            }
            ExprKind::Binary(BinaryOp::Implies, condition, right) => {
                let inner = context.under(condition);
                let right = self.introspect(right, &inner, earlier);
                self.program.implies(condition, right, id)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let then = self.introspect(then, &context.under(condition), earlier);
                let negated = self.program.not(condition, id);
                let otherwise = self.introspect(otherwise, &context.under(negated), earlier);
                self.program.add_expr(ExprKind::Conditional(condition, then, otherwise), Type::Bool, id)
            }
            ExprKind::Let { var, value, body } => {
                let mut inner = context.clone();
                let closed = self.program.substitute(value, &mut inner.lets);
                inner.lets.expr(var, closed);
                let body = self.introspect(body, &inner, earlier);
                self.program.add_expr(ExprKind::Let { var, value, body }, Type::Bool, id)
            }
            ExprKind::InhaleExhale(inhale, _) => self.introspect(inhale, context, earlier),
            ExprKind::Acc { location, amount, .. } => {
                let known = self.relevant(earlier, &location, context);
                let held = self.held(&location, amount, &known, id);
                self.remember(earlier, context, Vec::new(), None, location, amount);
                held
            }
            ExprKind::Wand { .. } => {
                let amount = self.program.write(id);
                self.held(&Location::Wand(assertion), amount, &[], id)
            }
            ExprKind::ForallAcc { vars, triggers, given, condition, location, amount, .. } => {
                let known = self.relevant(earlier, &location, context);
                let held = self.held(&location, amount, &known, id);
                self.remember(earlier, context, vars.clone(), Some(condition), location, amount);
                let body = self.program.implies(condition, held, id);
                let kind = ExprKind::Quantified { quantifier: Quantifier::Forall, vars, triggers, given, body };
                self.program.add_expr(kind, Type::Bool, id)
            }
            ExprKind::Unfolding { body, .. } | ExprKind::Applying { body, .. } | ExprKind::Asserting { body, .. } => {
                let mut inner = context.clone();
                let closed = self.program.substitute(assertion, &mut inner.lets);
                inner.inside.push(Scope { written: assertion, closed });
                let body = self.introspect(body, &inner, earlier);
                self.with_body(assertion, body)
            }
            // `forall xs :: unfolding A in acc(..)`. Accesses inside are unknown to later ones.
            ExprKind::Quantified { quantifier, vars, triggers, given, body } => {
                let body = self.introspect(body, &Context::default(), &mut Vec::new());
                let kind = ExprKind::Quantified { quantifier, vars, triggers, given, body };
                self.program.add_expr(kind, Type::Bool, id)
            }
            _ => {
                let span = self.program.syntax.span(id);
                self.consistency_error(span, "This assertion cannot be assumed; `inhale` adds permissions.");
                self.program.bool(true, id)
            }
        }
    }

    /// The earlier accesses to the same kind of resource, as expressed in the current context.
    fn relevant(&mut self, earlier: &[Earlier], location: &Location, context: &Context) -> Vec<Earlier> {
        let relevant = earlier.iter().filter(|access| same_resource(&access.location, location));
        relevant.cloned().collect::<Vec<_>>().into_iter().map(|access| self.seen_from(access, context)).collect()
    }

    /// Wraps the parts of an access in the scopes that were left since.
    fn seen_from(&mut self, access: Earlier, context: &Context) -> Earlier {
        let shared =
            access.inside.iter().zip(&context.inside).take_while(|(left, right)| left.written == right.written);
        let shared = shared.count();
        let mut scoped = |expr: ExprId, depth: usize| {
            let left = access.inside.get(shared..depth).unwrap_or_default();
            self.in_scopes(expr, left)
        };
        let depth = access.inside.len();
        let conditions = access
            .conditions
            .iter()
            .map(|guard| Guard { condition: scoped(guard.condition, guard.depth), depth: guard.depth });
        let conditions = conditions.collect();
        let location = match access.location {
            Location::Field { receiver, field } => Location::Field { receiver: scoped(receiver, depth), field },
            Location::Predicate { predicate, args } => {
                Location::Predicate { predicate, args: args.into_iter().map(|arg| scoped(arg, depth)).collect() }
            }
            Location::Wand(wand) => Location::Wand(wand),
        };
        let amount = scoped(access.amount, depth);
        Earlier { vars: access.vars, conditions, location, amount, inside: access.inside }
    }

    fn in_scopes(&mut self, expr: ExprId, scopes: &[Scope]) -> ExprId {
        let reads = |kind: &ExprKind| matches!(kind, ExprKind::Field { .. } | ExprKind::FunctionApp { .. });
        if !self.program.any(expr, reads) {
            return expr;
        }
        scopes.iter().rev().fold(expr, |expr, scope| self.with_body(scope.closed, expr))
    }

    fn remember(
        &mut self,
        earlier: &mut Vec<Earlier>,
        context: &Context,
        vars: Vec<LocalId>,
        condition: Option<ExprId>,
        location: Location,
        amount: ExprId,
    ) {
        let mut map = context.lets.clone();
        let own = condition.map(|condition| Guard { condition, depth: context.inside.len() });
        let conditions = context.conditions.iter().copied().chain(own);
        let close = |guard: Guard| Guard { condition: self.program.substitute(guard.condition, &mut map), ..guard };
        let conditions = conditions.map(close).collect();
        let location = self.program.substitute_in(&location, &mut map);
        let amount = self.program.substitute(amount, &mut map);
        earlier.push(Earlier { vars, conditions, location, amount, inside: context.inside.clone() });
    }

    /// `unfolding A in ..` and similar, with another body.
    fn with_body(&mut self, around: ExprId, body: ExprId) -> ExprId {
        let ty = self.program.ty(body).clone();
        let id = self.program.expr(around).id;
        let around = self.program.copy(around);
        let kind = match self.program.kind(around).clone() {
            ExprKind::Unfolding { access, .. } => ExprKind::Unfolding { access, body },
            ExprKind::Applying { wand, .. } => ExprKind::Applying { wand, body },
            ExprKind::Asserting { assertion, .. } => ExprKind::Asserting { assertion, body },
            other => other,
        };
        self.program.add_expr(kind, ty, id)
    }

    /// `perm(location)` is at least the amount plus that of earlier accesses to the same location.
    fn held(&mut self, location: &Location, amount: ExprId, earlier: &[Earlier], id: SyntaxId) -> ExprId {
        if earlier.is_empty() {
            return self.at_least(location, amount, &[], id);
        }
        let mut vars = Vec::new();
        let mut matching = Vec::new();
        for access in earlier {
            let mut map = Substitution::default();
            vars.extend(self.program.renew(&access.vars, &mut map));
            let conditions: Vec<ExprId> = access.conditions.iter().map(|guard| guard.condition).collect();
            let conditions = self.program.substitute_in(&conditions, &mut map);
            let other = self.program.substitute_in(&access.location, &mut map);
            let amount = self.program.substitute(access.amount, &mut map);
            let here = self.program.substitute_in(location, &mut Substitution::default());
            let equal = self.equal_arguments(&other, &here, id);
            let matches = self.program.conjunction(conditions.into_iter().chain(equal), id);
            matching.push((matches, amount));
        }
        let all = self.at_least(location, amount, &matching, id);
        if vars.is_empty() {
            return all;
        }
        let kind = ExprKind::Quantified {
            quantifier: Quantifier::Forall,
            vars,
            triggers: Vec::new(),
            given: false,
            body: all,
        };
        let all = self.program.add_expr(kind, Type::Bool, id);
        // Instances of the quantifier need a term for each variable; the access alone does not.
        let amount = self.program.copy(amount);
        let own = self.at_least(location, amount, &[], id);
        self.program.and(own, all, id)
    }

    /// `perm(l) >= amount + sum`, strictly if it includes a wildcard.
    fn at_least(&mut self, location: &Location, amount: ExprId, matching: &[(ExprId, ExprId)], id: SyntaxId) -> ExprId {
        let location = self.program.substitute_in(location, &mut Substitution::default());
        let mut strict = Vec::new();
        let mut sum = None;
        match self.is_wildcard(amount) {
            true => strict.push(self.program.bool(true, id)),
            false => sum = Some(amount),
        }
        for (matches, amount) in matching {
            if self.is_wildcard(*amount) {
                strict.push(*matches);
                continue;
            }
            let none = self.program.add_expr(ExprKind::NonePerm, Type::Perm, id);
            let part = self.program.add_expr(ExprKind::Conditional(*matches, *amount, none), Type::Perm, id);
            sum = Some(match sum {
                None => part,
                Some(sum) => self.program.add_expr(ExprKind::Binary(BinaryOp::Add, sum, part), Type::Perm, id),
            });
        }
        let sum = sum.unwrap_or_else(|| self.program.add_expr(ExprKind::NonePerm, Type::Perm, id));
        let held = self.program.perm_of(location, id);
        let always = strict.iter().any(|when| matches!(self.program.kind(*when), ExprKind::Bool(true)));
        if always || strict.is_empty() {
            let op = if always { BinaryOp::Gt } else { BinaryOp::Ge };
            return self.program.test(op, held, sum, id);
        }
        let when = strict.into_iter().reduce(|left, right| self.program.test(BinaryOp::Or, left, right, id));
        let when = when.unwrap_or(held);
        let (held_again, sum_again) = (self.program.copy(held), self.program.copy(sum));
        let more = self.program.test(BinaryOp::Gt, held_again, sum_again, id);
        let enough = self.program.test(BinaryOp::Ge, held, sum, id);
        self.program.add_expr(ExprKind::Conditional(when, more, enough), Type::Bool, id)
    }

    fn is_wildcard(&self, amount: ExprId) -> bool {
        matches!(self.program.kind(amount), ExprKind::Wildcard)
    }

    fn equal_arguments(&mut self, left: &Location, right: &Location, id: SyntaxId) -> Vec<ExprId> {
        let pairs = left.parts().into_iter().zip(right.parts());
        pairs.map(|(left, right)| self.program.eq(left, right, id)).collect()
    }
}

impl Context {
    fn under(&self, condition: ExprId) -> Context {
        let mut inner = self.clone();
        inner.conditions.push(Guard { condition, depth: self.inside.len() });
        inner
    }
}

fn same_resource(left: &Location, right: &Location) -> bool {
    match (left, right) {
        (Location::Field { field: left, .. }, Location::Field { field: right, .. }) => left == right,
        (Location::Predicate { predicate: left, .. }, Location::Predicate { predicate: right, .. }) => left == right,
        _ => false,
    }
}
