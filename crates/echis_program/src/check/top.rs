//! Top-level expressions: inference starts and ends here.

use super::Checker;
use super::infer::{Inference, Inferred};
use super::ty::{Ty, TyId, VarId, parts};
use crate::program::Type;
use crate::typed::Use;
use echis_base::Span;
use echis_syntax::ast::ExprId;

impl<'a> Checker<'a> {
    /// Checks a separate expression. `None` accepts any type.
    pub(super) fn check_top(&mut self, expr: ExprId, expected: Option<TyId>) {
        self.inference = Inference::default();
        let outcome = self.infer(expr);
        if self.settle(expr, outcome, expected).is_some() {
            self.finish(expr);
        }
    }

    /// Selects the first alternative that fits the expected type, or reports an error.
    pub(super) fn settle(&mut self, expr: ExprId, outcome: Inferred, expected: Option<TyId>) -> Option<TyId> {
        let found = self.inference.possible(expr, outcome);
        let fitting = found.iter().enumerate().find_map(|(index, ty)| {
            let mut binds = Vec::new();
            let fits = expected.is_none_or(|expected| self.inference.fits(&mut self.types, expected, *ty, &mut binds));
            fits.then_some((index, *ty, binds))
        });
        let Some((index, ty, binds)) = fitting else {
            if let (false, Some(expected)) = (outcome == Inferred::Error, expected) {
                self.mismatch(expr, &[expected], &found);
            }
            return None;
        };
        self.inference.commit(&mut self.types, &binds);
        self.inference.pick(&mut self.types, vec![(expr, index as u32)]);
        Some(ty)
    }

    /// "expected …, found …" at an expression.
    pub(super) fn mismatch(&mut self, expr: ExprId, expected: &[TyId], found: &[TyId]) {
        let expr = self.expr(expr);
        self.mismatch_at((expr.span, expr.macro_span), expected, found);
    }

    /// Reports a mismatch at a range, with its place in the macro it came from.
    pub(super) fn mismatch_at(&mut self, (span, place): (Span, Option<Span>), expected: &[TyId], found: &[TyId]) {
        let message = format!("expected {}, found {}", self.show_expected(expected), self.show_any(found));
        self.report_from_macro(super::error(span, message), place);
    }

    /// `Bool` is not listed in addition to `Assertion`, which includes it.
    fn show_expected(&mut self, types: &[TyId]) -> String {
        let assertion = self.types.assertion();
        if !types.contains(&assertion) {
            return self.show_any(types);
        }
        let others: Vec<TyId> = types.iter().copied().filter(|ty| *ty != assertion).collect();
        let others: Vec<TyId> = others.into_iter().filter(|ty| *ty != self.types.bool()).collect();
        match &others[..] {
            [] => "Bool or an assertion".into(),
            others => format!("{}, Bool or an assertion", self.show_any(others)),
        }
    }

    fn show_any(&mut self, types: &[TyId]) -> String {
        let mut shown: Vec<String> = Vec::new();
        for ty in types {
            let ty = self.inference.resolve(&mut self.types, *ty, &Vec::new());
            let text = match self.types.get(ty) {
                Ty::Var(_) => "a value".into(),
                _ => self.types.show(&self.typed, ty),
            };
            if !shown.contains(&text) {
                shown.push(text);
            }
        }
        shown.join(" or ")
    }

    /// Determines remaining variables and writes the results into the tables.
    pub(super) fn finish(&mut self, expr: ExprId) {
        let mut inference = std::mem::take(&mut self.inference);
        for (node, ty) in std::mem::take(&mut inference.nodes) {
            let ty = self.solved(&mut inference, ty);
            self.typed.types.replace(node, ty);
        }
        for (node, usage, args) in std::mem::take(&mut inference.uses) {
            let solved: Vec<Type> = args.into_iter().map(|ty| self.solved(&mut inference, ty)).collect();
            self.typed.uses.replace(node, with_type_args(usage, solved));
        }
        for (local, ty) in std::mem::take(&mut inference.lets) {
            self.typed.locals[local].ty = self.solved(&mut inference, ty);
        }
        if std::mem::take(&mut self.types.overflow) {
            self.error_at(expr, "expected types of reasonable size, found one that is nested too deeply or too large");
        }
    }

    fn solved(&mut self, inference: &mut Inference, ty: TyId) -> Type {
        let mut ty = inference.resolve(&mut self.types, ty, &Vec::new());
        if self.types.has_vars(ty) {
            let mut open = Vec::new();
            self.variables(ty, &mut open);
            open.into_iter().for_each(|var| self.decide_default(inference, var));
            ty = inference.resolve(&mut self.types, ty, &Vec::new());
        }
        self.types.to_program(ty)
    }

    /// The default for an undetermined variable: in an axiom the domain's own parameter, elsewhere `Int`.
    fn decide_default(&mut self, inference: &mut Inference, var: VarId) {
        let origin = inference.origins[var];
        let own = origin.owner.filter(|(owner, _)| self.context.in_axiom && self.context.domain == Some(*owner));
        let ty = match own {
            Some((owner, index)) => self.types.intern(Ty::Parameter(owner, index)),
            None => {
                let message = "expected the context to decide this type argument, found nothing that does: it is `Int`";
                self.warning(origin.span, message);
                self.types.int()
            }
        };
        inference.decide(var, ty);
    }

    fn variables(&self, ty: TyId, found: &mut Vec<VarId>) {
        match self.types.get(ty) {
            Ty::Var(var) if !found.contains(var) => found.push(*var),
            other => parts(other).into_iter().for_each(|part| self.variables(part, found)),
        }
    }
}

fn with_type_args(usage: Use, solved: Vec<Type>) -> Use {
    match usage {
        Use::DomainFunction { function, .. } => Use::DomainFunction { function, type_args: solved },
        Use::Constructor { adt, constructor, .. } => Use::Constructor { adt, constructor, type_args: solved },
        other => other,
    }
}
