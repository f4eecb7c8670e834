//! Lambda expressions, as functions with axioms.

use super::{Encoder, Env, Polarity};
use crate::generic;
use echis_boogie::ast::{ExprId, Quantified};
use echis_boogie::program::VarId;
use echis_boogie::types::{MapType, Type};
use echis_term::{Made, Quant, QuantifierRole, Scope, SymbolId, SymbolRole, TermId, Terms};

impl Encoder<'_> {
    /// A function of the terms that the body mentions from outside, with an axiom for its value at each index. Bodies
    /// that differ only in these terms share the function.
    pub(super) fn lambda(&mut self, expr: ExprId, quantified: &Quantified, env: &Env<'_>) -> TermId {
        let ty = self.ty(expr, env);
        let Type::Map(shape) = ty.clone() else { return self.unknown(&Type::Int, env) };
        if !shape.params.is_empty() {
            return self.polymorphic_lambda(expr, quantified, &ty, &shape, env);
        }
        let vars = self.program.binders.get(expr).map(|binder| binder.vars.clone()).unwrap_or_default();
        self.lambda_at(expr, quantified.body, &vars, &shape, env)
    }

    pub(super) fn lambda_at(
        &mut self,
        expr: ExprId,
        body: ExprId,
        vars: &[VarId],
        shape: &MapType,
        env: &Env<'_>,
    ) -> TermId {
        let (symbols, value) = self.lambda_body(expr, body, vars, env);
        let mut holes = Vec::new();
        let template = self.template(value, &symbols, &mut holes);
        let map_type = Type::Map(std::sync::Arc::new(shape.clone()));
        let result = self.sort(&map_type);
        let symbol = match self.lambdas.get(&template) {
            Some(symbol) if self.terms.symbol(*symbol).result == result => *symbol,
            _ => {
                let args: Vec<TermId> = holes.iter().map(|(_, hole)| self.terms.constant(*hole)).collect();
                let map = self.terms.fresh(&Scope::default(), Made::Lambda, &args, result);
                let echis_term::TermKind::App(symbol, _) = *self.terms.kind(map) else { return map };
                self.lambdas.insert(template, symbol);
                let indices: Vec<TermId> = symbols.iter().map(|symbol| self.terms.constant(*symbol)).collect();
                let read = self.read(shape, map, &indices);
                let body = self.eq(read, template);
                let all: Vec<SymbolId> = holes.iter().map(|(_, hole)| *hole).chain(symbols).collect();
                let axiom = self.terms.forall(&all, vec![vec![read]], body, QuantifierRole::Lambda);
                self.definitions.push(axiom);
                symbol
            }
        };
        let args: Vec<TermId> = holes.iter().map(|(term, _)| *term).collect();
        self.terms.app(symbol, args)
    }

    /// The indices and the body of a lambda expression.
    fn lambda_body(&mut self, expr: ExprId, body: ExprId, vars: &[VarId], env: &Env<'_>) -> (Vec<SymbolId>, TermId) {
        let (own, _) = self.bind(expr, vars, env);
        // Names that do not depend on the expression.
        let mut symbols = Vec::new();
        let mut bound = Vec::new();
        for (position, (var, symbol)) in vars.iter().zip(&own).enumerate() {
            let sort = self.terms.symbol(*symbol).result;
            // A symbol that the surrounding values do not mention.
            let mut depth = 0;
            let symbol = loop {
                let place = format!("{depth}.{position}").into();
                let symbol = self.terms.declare(SymbolRole::VariableAt { base: "index".into(), place }, [], sort);
                if !env.bound.iter().any(|(_, value)| self.terms.is_free(symbol, *value)) {
                    break symbol;
                }
                depth += 1;
            };
            symbols.push(symbol);
            bound.push((*var, self.terms.constant(symbol)));
        }
        let mut inner = env.with(Polarity::Neither);
        inner.varies = true;
        inner.bound.extend(bound.iter().copied());
        let value = self.expr(body, &inner);
        (symbols, value)
    }

    /// Replaces the largest subterms without bound variables by variables.
    pub(super) fn template(&mut self, term: TermId, own: &[SymbolId], holes: &mut Vec<(TermId, SymbolId)>) -> TermId {
        let mentions = |terms: &Terms, term: TermId| own.iter().any(|symbol| terms.is_free(*symbol, term));
        if !mentions(&self.terms, term) {
            let is_literal = matches!(
                self.terms.kind(term),
                echis_term::TermKind::Bool(_) | echis_term::TermKind::Int(_) | echis_term::TermKind::Perm(_)
            );
            if is_literal {
                return term;
            }
            if let Some((_, hole)) = holes.iter().find(|(known, _)| *known == term) {
                return self.terms.constant(*hole);
            }
            let sort = self.terms.sort_of(term);
            let place = holes.len().to_string().into();
            let hole = self.terms.declare(SymbolRole::VariableAt { base: "hole".into(), place }, [], sort);
            holes.push((term, hole));
            return self.terms.constant(hole);
        }
        match self.terms.kind(term).clone() {
            echis_term::TermKind::App(symbol, args) if !args.is_empty() => {
                let args: Vec<TermId> = args.iter().map(|arg| self.template(*arg, own, holes)).collect();
                self.terms.app(symbol, args)
            }
            echis_term::TermKind::Op(op, args) => {
                let args: Vec<TermId> = args.iter().map(|arg| self.template(*arg, own, holes)).collect();
                self.terms.rebuild(op, &args)
            }
            echis_term::TermKind::Quant(quant) => {
                // Variables of the inner quantifier also count as bound.
                let inner: Vec<SymbolId> = own.iter().chain(quant.vars.iter()).copied().collect();
                let body = self.template(quant.body, &inner, holes);
                let triggers = quant
                    .triggers
                    .iter()
                    .map(|set| set.iter().map(|term| self.template(*term, &inner, holes)).collect())
                    .collect();
                self.terms.quant(Quant { body, triggers, ..*quant })
            }
            _ => term,
        }
    }

    /// A record of arrays, one lambda for each instance, with a function of the outside terms for all other
    /// instances.
    pub(super) fn polymorphic_lambda(
        &mut self,
        expr: ExprId,
        quantified: &Quantified,
        ty: &Type,
        shape: &MapType,
        env: &Env<'_>,
    ) -> TermId {
        let vars = self.program.binders.get(expr).map(|binder| binder.vars.clone()).unwrap_or_default();
        let is_generic = generic::of_binder(self.program, expr, &env.types, self.sorts.other);
        if is_generic {
            self.sorts.meet_instance(ty, &[Type::Var(self.sorts.other)]);
        }
        let Some(record) = self.sorts.record(&mut self.terms, ty) else { return self.unknown(ty, env) };
        let mut parts = Vec::new();
        for array in &record.arrays {
            let inner = self.lambda_env(expr, shape, &array.types, env);
            parts.push(self.lambda_at(expr, quantified.body, &vars, &array.shape, &inner));
        }
        parts.push(match is_generic {
            true => self.lambda_rest(expr, quantified, ty, shape, &record.functions, env),
            // It may depend on anything.
            false => {
                let around: Vec<TermId> = env.bound.iter().map(|(_, value)| *value).collect();
                let sort = self.sorts.rest_sort(&mut self.terms, ty);
                self.terms.fresh(&Scope::default(), Made::Unknown, &around, sort)
            }
        });
        self.terms.app(record.make, parts)
    }
    /// The map's parameters may be in a different order than the lambda's.
    fn lambda_env<'s>(&self, expr: ExprId, shape: &MapType, types: &[Type], env: &Env<'s>) -> Env<'s> {
        let params = self.program.binders.get(expr).map(|binder| binder.type_params.clone()).unwrap_or_default();
        let mut inner = env.clone();
        for (param, ty) in shape.params.iter().zip(types) {
            let name = &self.program.names.vars[*param];
            let own = params.iter().find(|own| self.program.names.vars[**own] == *name);
            inner.types.insert(*own.unwrap_or(param), ty.clone());
        }
        inner
    }
    /// The lambda's value at instances without an array. Lambdas that agree on all of these share the function.
    fn lambda_rest(
        &mut self,
        expr: ExprId,
        quantified: &Quantified,
        ty: &Type,
        shape: &MapType,
        instances: &[Vec<Type>],
        env: &Env<'_>,
    ) -> TermId {
        let vars = self.program.binders.get(expr).map(|binder| binder.vars.clone()).unwrap_or_default();
        let mut holes = Vec::new();
        let mut values = Vec::new();
        for types in instances {
            let inner = self.lambda_env(expr, shape, types, env);
            let (symbols, value) = self.lambda_body(expr, quantified.body, &vars, &inner);
            let template = self.template(value, &symbols, &mut holes);
            values.push((symbols, template));
        }
        let args: Vec<TermId> = holes.iter().map(|(term, _)| *term).collect();
        let sort = self.sorts.rest_sort(&mut self.terms, ty);
        let key: Vec<TermId> = values.iter().map(|(_, template)| *template).collect();
        let known = self.other_lambdas.get(&key).filter(|symbol| self.terms.symbol(**symbol).result == sort);
        if let Some(symbol) = known.copied() {
            return self.terms.app(symbol, args);
        }
        let formals: Vec<SymbolId> = holes.iter().map(|(_, hole)| *hole).collect();
        let constants: Vec<TermId> = formals.iter().map(|hole| self.terms.constant(*hole)).collect();
        let rest = self.terms.fresh(&Scope::default(), Made::Lambda, &constants, sort);
        let echis_term::TermKind::App(symbol, _) = *self.terms.kind(rest) else { return rest };
        self.other_lambdas.insert(key, symbol);
        for (types, (symbols, template)) in instances.iter().zip(values) {
            let Some(read) = self.sorts.read_function(&mut self.terms, ty, types) else { continue };
            let indices = symbols.iter().map(|symbol| self.terms.constant(*symbol)).collect::<Vec<_>>();
            let read = self.terms.app(read, [rest].into_iter().chain(indices).collect::<Vec<_>>());
            let body = self.eq(read, template);
            let all: Vec<SymbolId> = formals.iter().copied().chain(symbols).collect();
            let axiom = self.terms.forall(&all, vec![vec![read]], body, QuantifierRole::Lambda);
            self.definitions.push(axiom);
        }
        self.terms.app(symbol, args)
    }
}
