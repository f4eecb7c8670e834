//! Expressions, bottom-up: one function per form.

use super::infer::{Alternative, Inferred, Signature};
use super::operators::MapPart;
use super::scope::Variable;
use super::suggestions::Fitting;
use super::ty::TyId;
use super::{Checker, ResultUse};
use crate::operators::Written;
use crate::typed::{Address, LocalKind, Use};
use echis_base::Name;
use echis_syntax::ast::{self, BinaryOp, ExprId, ExprKind, UnaryOp};

impl<'a> Checker<'a> {
    pub(super) fn infer(&mut self, expr: ExprId) -> Inferred {
        stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.infer_form(expr))
    }

    /// Visits an operand.
    pub(super) fn operand(&mut self, expr: ExprId) -> (ExprId, Inferred) {
        (expr, self.infer(expr))
    }

    fn infer_form(&mut self, id: ExprId) -> Inferred {
        let expr = self.expr(id);
        let span = expr.span;
        match &expr.kind {
            ExprKind::Bool(_) => self.known(id, self.types.bool()),
            ExprKind::Null => self.known(id, self.types.reference()),
            ExprKind::Int(_) => self.known(id, self.types.int()),
            ExprKind::Perm(_) => self.known(id, self.types.perm()),
            ExprKind::Result => self.infer_result(id),
            ExprKind::Ident(name) => self.infer_variable(id, name),
            ExprKind::Call(call) => self.infer_call(id, call),
            ExprKind::PredicateInstance(call) => self.infer_predicate_instance(id, call),
            ExprKind::Field { receiver, field } => self.infer_selection(id, *receiver, field),
            ExprKind::Unary { op, operand } => self.infer_unary(id, *op, *operand),
            ExprKind::Binary { .. } => self.infer_binary(id),
            ExprKind::Chain { first, links } => self.infer_chain(id, *first, links),
            ExprKind::Conditional { condition, then, otherwise } => {
                let operands = [self.operand(*condition), self.operand(*then), self.operand(*otherwise)];
                let signatures = self.conditional_signatures(span);
                self.apply(id, &operands, signatures)
            }
            ExprKind::Old { label, body } => self.infer_old(id, label, *body),
            ExprKind::Acc { location, amount } => self.infer_acc(id, *location, *amount),
            ExprKind::CurrentPerm(resource) => match self.infer_resource(*resource) {
                Inferred::Error => Inferred::Error,
                _ => {
                    self.check_introspection_allowed(id);
                    self.known(id, self.types.perm())
                }
            },
            ExprKind::Let { var, value, body } => self.infer_let(id, var, *value, *body),
            ExprKind::Forall(quantifier) => self.infer_quantifier(id, quantifier, self.types.assertion()),
            ExprKind::Exists(quantifier) => self.infer_quantifier(id, quantifier, self.types.bool()),
            ExprKind::Forperm(forperm) => self.infer_forperm(id, forperm),
            ExprKind::Unfolding { access, body } => self.infer_unfolding(id, *access, *body),
            ExprKind::Applying { wand, body } => {
                let (applies, body) = (self.infer_wand(*wand), self.operand(*body));
                if applies == Inferred::Error { Inferred::Error } else { self.forward(id, body) }
            }
            ExprKind::Asserting { assertion, body } => self.infer_asserting(id, *assertion, *body),
            ExprKind::Collection(collection) => self.infer_collection(id, collection),
            ExprKind::Map(map) => self.infer_map(id, map),
            ExprKind::MapDomain(map) => self.infer_map_part(id, *map, MapPart::Domain),
            ExprKind::MapRange(map) => self.infer_map_part(id, *map, MapPart::Range),
            ExprKind::New(_) => {
                self.error_at(id, "expected an expression, found `new`, which may only be a whole right-hand side");
                Inferred::Error
            }
            ExprKind::Cardinality(collection) => {
                let operands = [self.operand(*collection)];
                let signatures = self.cardinality_signatures(span);
                self.apply(id, &operands, signatures)
            }
            ExprKind::InhaleExhale { inhale, exhale } => {
                let operands = [self.operand(*inhale), self.operand(*exhale)];
                let signatures = self.conjunction_signatures();
                self.apply(id, &operands, signatures)
            }
            ExprKind::Range { low, high } => {
                let operands = [self.operand(*low), self.operand(*high)];
                let signatures = self.signatures(Written::Range, span);
                self.apply(id, &operands, signatures)
            }
            ExprKind::Index { base, index } => {
                let operands = [self.operand(*base), self.operand(*index)];
                let signatures = self.signatures(Written::Index, span);
                self.apply(id, &operands, signatures)
            }
            ExprKind::Update { base, index, value } => {
                let operands = [self.operand(*base), self.operand(*index), self.operand(*value)];
                let signatures = self.update_signatures(span);
                self.apply(id, &operands, signatures)
            }
            ExprKind::Take { base, end: bound } | ExprKind::Drop { base, start: bound } => {
                let operands = [self.operand(*base), self.operand(*bound)];
                let signatures = self.signatures(Written::Take, span);
                self.apply(id, &operands, signatures)
            }
            ExprKind::Slice { base, start, end } => {
                let operands = [self.operand(*base), self.operand(*start), self.operand(*end)];
                let signatures = self.slice_signatures(span);
                self.apply(id, &operands, signatures)
            }
        }
    }

    fn infer_result(&mut self, id: ExprId) -> Inferred {
        match self.context.result {
            ResultUse::Of(Some(ty)) => self.known(id, ty),
            ResultUse::Of(None) => Inferred::Error,
            ResultUse::Nothing => {
                self.error_at(id, "expected `result` only in postconditions of functions, found it elsewhere");
                Inferred::Error
            }
        }
    }

    fn infer_variable(&mut self, id: ExprId, name: &Name) -> Inferred {
        match self.scopes.lookup(name) {
            Variable::Local(local) => {
                self.typed.uses.replace(id, Use::Variable(local));
                match self.local_types[local] {
                    Some(ty) => self.known(id, ty),
                    None => Inferred::Error,
                }
            }
            Variable::Ambiguous => {
                self.error_at(id, format!("expected one variable `{name}`, found several: the name is ambiguous"));
                Inferred::Error
            }
            Variable::Unknown => {
                let (span, place) = (self.expr(id).span, self.expr(id).macro_span);
                let diagnostic = self.not_fitting(span, name, "a variable", Fitting::Variables);
                self.report_from_macro(diagnostic, place);
                Inferred::Error
            }
        }
    }

    fn infer_unary(&mut self, id: ExprId, op: UnaryOp, operand: ExprId) -> Inferred {
        let operands = [self.operand(operand)];
        let signatures = match op {
            UnaryOp::Not => vec![Signature { params: vec![self.types.bool()], result: self.types.bool() }],
            UnaryOp::Neg => self.negation_signatures(),
        };
        self.apply(id, &operands, signatures)
    }

    /// Trees of binary operators may be very deep (a conjunction of 100,000 facts), so they are processed
    /// iteratively.
    fn infer_binary(&mut self, root: ExprId) -> Inferred {
        enum Step {
            Visit(ExprId),
            Combine(ExprId, BinaryOp),
        }
        let (mut steps, mut operands) = (vec![Step::Visit(root)], Vec::new());
        while let Some(step) = steps.pop() {
            match step {
                Step::Visit(id) => match &self.expr(id).kind {
                    ExprKind::Binary { op, left, right } => {
                        steps.extend([Step::Combine(id, *op), Step::Visit(*right), Step::Visit(*left)]);
                    }
                    _ => operands.push(self.operand(id)),
                },
                Step::Combine(id, op) => {
                    let both = operands.split_off(operands.len() - 2);
                    operands.push((id, self.combine(id, op, &both)));
                }
            }
        }
        operands.pop().map_or(Inferred::Error, |(_, outcome)| outcome)
    }

    fn combine(&mut self, id: ExprId, op: BinaryOp, operands: &[(ExprId, Inferred)]) -> Inferred {
        if let [(_, Inferred::Type(left)), (_, Inferred::Type(right))] = operands
            && left == right
            && let Some(result) = self.plain_result(op, *left)
        {
            return self.known(id, result);
        }
        let signatures = self.binary_signatures(op, self.expr(id).span);
        self.apply(id, operands, signatures)
    }

    /// The result of an operator on two operands of the same plain type: a shortcut for the most common case.
    fn plain_result(&self, op: BinaryOp, operand: TyId) -> Option<TyId> {
        let (int, bool, perm) = (self.types.int(), self.types.bool(), self.types.perm());
        let is_number = operand == int || operand == perm;
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies | BinaryOp::Iff => (operand == bool).then_some(bool),
            BinaryOp::Eq | BinaryOp::Ne => {
                let plain = !self.types.has_vars(operand) && !self.types.is_impure(operand);
                plain.then_some(bool)
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => is_number.then_some(bool),
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul => is_number.then_some(operand),
            BinaryOp::IntDiv | BinaryOp::Mod => (operand == int).then_some(int),
            _ => None,
        }
    }

    /// `a < b <= c` is `a < b && b <= c` with one type for `b`.
    fn infer_chain(&mut self, id: ExprId, first: ExprId, links: &[(BinaryOp, ExprId)]) -> Inferred {
        let previous = self.operand(first);
        let operands: Vec<_> = links.iter().map(|(op, operand)| (*op, self.operand(*operand))).collect();
        if previous.1 == Inferred::Error || operands.iter().any(|(_, (_, outcome))| *outcome == Inferred::Error) {
            return Inferred::Error;
        }
        let mut candidates = self.inference.start(previous);
        for (op, operand) in &operands {
            match self.infer_link(*op, *operand, candidates) {
                Some(next) => candidates = next,
                None => {
                    self.report_chain(id, previous, &operands);
                    return Inferred::Error;
                }
            }
        }
        let bool = self.types.bool();
        let alternatives = candidates.into_iter().map(|candidate| Alternative { ty: bool, ..candidate }).collect();
        self.inference.conclude(&mut self.types, id, alternatives)
    }

    /// One comparison of a chain; a candidate's type is that of its last operand.
    fn infer_link(
        &mut self,
        op: BinaryOp,
        operand: (ExprId, Inferred),
        candidates: Vec<Alternative>,
    ) -> Option<Vec<Alternative>> {
        let signatures = self.binary_signatures(op, self.expr(operand.0).span);
        let bool = self.types.bool();
        let mut opened = Vec::new();
        for signature in signatures.iter().filter(|signature| signature.result == bool) {
            for candidate in &candidates {
                let mut binds = candidate.binds.clone();
                if self.inference.fits(&mut self.types, signature.params[0], candidate.ty, &mut binds) {
                    opened.push((signature.params[1], Alternative { binds, ..candidate.clone() }));
                }
            }
        }
        let mut next: Vec<Alternative> = Vec::new();
        for (_, candidate) in self.inference.step(&mut self.types, opened, |ty| *ty, operand) {
            if self.inference.escaping || !next.iter().any(|known| known.ty == candidate.ty) {
                next.push(candidate);
            }
        }
        (!next.is_empty()).then_some(next)
    }

    /// The comparisons of a wrong chain are checked separately.
    fn report_chain(&mut self, id: ExprId, first: (ExprId, Inferred), links: &[(BinaryOp, (ExprId, Inferred))]) {
        let (errors, mut left) = (self.diagnostics.len(), first);
        for (op, right) in links {
            let signatures = self.binary_signatures(*op, self.expr(id).span);
            self.report_misfit(id, &[left, *right], &signatures);
            left = *right;
        }
        if self.diagnostics.len() == errors {
            self.error_at(id, "expected comparisons of type Bool with one type for each operand, found others");
        }
    }

    fn infer_old(&mut self, id: ExprId, label: &'a ast::OldLabel, body: ExprId) -> Inferred {
        if let ast::OldLabel::Label(name) = label {
            self.use_label(name);
        }
        let operands = [self.operand(body)];
        let any = self.fresh(self.expr(id).span);
        self.apply(id, &operands, vec![Signature { params: vec![any], result: any }])
    }

    /// Unknown labels are left to the consistency checks.
    pub(super) fn use_label(&mut self, name: &ast::Ident) {
        if let Some(label) = self.scopes.labels.get(&name.name) {
            self.typed.used_labels.insert(Address::of(name), *label);
        }
    }

    fn infer_let(&mut self, id: ExprId, var: &'a ast::Ident, value: ExprId, body: ExprId) -> Inferred {
        self.scopes.open();
        let value = self.operand(value);
        let outer = self.inference.escaping;
        let ty = match value.1 {
            Inferred::Error => None,
            // Impure values are left to the consistency checks.
            Inferred::Type(ty) if self.types.is_impure(ty) => Some(self.types.bool()),
            Inferred::Type(ty) => Some(ty),
            Inferred::Choice => Some(self.fresh(self.expr(id).span)),
        };
        self.inference.escaping |= ty.is_some_and(|ty| self.types.has_vars(ty));
        let local = self.declare(var, ty, LocalKind::Let);
        self.inference.lets.extend(ty.map(|ty| (local, ty)));
        let body = self.operand(body);
        self.scopes.close();
        let outcome = match (value.1, ty) {
            (Inferred::Error, _) | (_, None) => Inferred::Error,
            (Inferred::Type(_), _) => self.forward(id, body),
            (Inferred::Choice, Some(ty)) => {
                let (any, assertion) = (self.fresh(self.expr(id).span), self.types.assertion());
                let pure = Signature { params: vec![ty, any], result: any };
                let impure = Signature { params: vec![ty, assertion], result: assertion };
                self.apply(id, &[value, body], vec![pure, impure])
            }
        };
        self.inference.escaping = outer;
        outcome
    }

    fn infer_quantifier(&mut self, id: ExprId, quantifier: &'a ast::Quantifier, expected: TyId) -> Inferred {
        self.quantifiers.push(id);
        self.scopes.open();
        self.declare_bound(&quantifier.vars);
        let mut good = true;
        for term in quantifier.triggers.iter().flat_map(|trigger| &trigger.terms) {
            let outcome = self.infer(*term);
            good &= self.settle(*term, outcome, None).is_some();
        }
        let outcome = self.infer(quantifier.body);
        let body = self.settle(quantifier.body, outcome, Some(expected));
        self.scopes.close();
        let wrong = || self.inference.possible(quantifier.body, outcome).first().copied();
        match body.or_else(wrong) {
            Some(ty) if good && self.types.is_impure(ty) => self.known(id, self.types.assertion()),
            // The quantifier has the type of its body, which may cause another error in its context.
            Some(ty) if good => self.known(id, ty),
            _ => Inferred::Error,
        }
    }

    pub(super) fn declare_bound(&mut self, vars: &'a [ast::Formal]) {
        for var in vars {
            let ty = self.resolve_type(&var.ty);
            self.declare(&var.name, ty, LocalKind::Bound);
        }
    }

    fn infer_forperm(&mut self, id: ExprId, forperm: &'a ast::Forperm) -> Inferred {
        self.forperms.push(id);
        self.scopes.open();
        self.declare_bound(&forperm.vars);
        let resource = self.infer_resource(forperm.resource);
        let body = self.infer(forperm.body);
        let body = self.settle(forperm.body, body, Some(self.types.bool()));
        self.scopes.close();
        self.forbid_permission_introspection(forperm.body, "in the body of `forperm`");
        match body {
            Some(_) if resource != Inferred::Error => {
                self.check_introspection_allowed(id);
                self.known(id, self.types.bool())
            }
            _ => Inferred::Error,
        }
    }

    fn infer_unfolding(&mut self, id: ExprId, access: ExprId, body: ExprId) -> Inferred {
        let (unfolds, body) = (self.infer_foldable(access), self.operand(body));
        if unfolds == Inferred::Error { Inferred::Error } else { self.forward(id, body) }
    }

    fn infer_asserting(&mut self, id: ExprId, assertion: ExprId, body: ExprId) -> Inferred {
        let asserted = self.infer(assertion);
        let asserted = self.settle(assertion, asserted, Some(self.types.assertion()));
        let body = self.operand(body);
        if asserted.is_none() { Inferred::Error } else { self.forward(id, body) }
    }

    fn infer_collection(&mut self, id: ExprId, collection: &'a ast::Collection) -> Inferred {
        let element = match &collection.element {
            Some(ty) => self.resolve_type(ty),
            None => Some(self.fresh(self.expr(id).span)),
        };
        let operands: Vec<_> = collection.elements.iter().map(|element| self.operand(*element)).collect();
        let Some(element) = element else { return Inferred::Error };
        let signature = self.collection_signature(collection.kind, element, operands.len());
        self.apply(id, &operands, vec![signature])
    }

    fn infer_map(&mut self, id: ExprId, map: &'a ast::MapLiteral) -> Inferred {
        let span = self.expr(id).span;
        let types = match &map.types {
            Some((key, value)) => (self.resolve_type(key), self.resolve_type(value)),
            None => (Some(self.fresh(span)), Some(self.fresh(span))),
        };
        let mut operands = Vec::new();
        for (key, value) in &map.entries {
            operands.extend([self.operand(*key), self.operand(*value)]);
        }
        let (Some(key), Some(value)) = types else { return Inferred::Error };
        let signature = self.map_signature(key, value, map.entries.len());
        self.apply(id, &operands, vec![signature])
    }

    fn infer_map_part(&mut self, id: ExprId, map: ExprId, part: MapPart) -> Inferred {
        let operands = [self.operand(map)];
        let signatures = self.map_part_signatures(part, self.expr(id).span);
        self.apply(id, &operands, signatures)
    }
}
