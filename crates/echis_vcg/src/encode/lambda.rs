//! Lambda expressions, as functions with axioms.

use super::{Encoder, Env, Polarity};
use echis_boogie::ast::{ExprId, Quantified};
use echis_boogie::program::VarId;
use echis_boogie::types::{Instance, MapType, Type};
use echis_term::{Made, Quant, QuantifierRole, Scope, SymbolId, SymbolRole, TermId, Terms};

impl Encoder<'_> {
    /// A function of what the body mentions from outside, with an axiom that says what its value is at each index.
    /// Bodies that differ only in what they mention share the function.
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
        let (own, _) = self.bind(expr, vars, env);
        // Names that do not depend on which expression it is.
        let mut symbols = Vec::new();
        let mut bound = Vec::new();
        for (position, (var, symbol)) in vars.iter().zip(&own).enumerate() {
            let sort = self.terms.symbol(*symbol).result;
            // Another one than any that the values around mention.
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

    /// The term with variables in place of its largest parts that do not mention the bound ones.
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
                // What the inner quantifier binds belongs to the body, too.
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

    /// A record of arrays, each of them the lambda at one instance.
    pub(super) fn polymorphic_lambda(
        &mut self,
        expr: ExprId,
        quantified: &Quantified,
        ty: &Type,
        shape: &MapType,
        env: &Env<'_>,
    ) -> TermId {
        let vars = self.program.binders.get(expr).map(|binder| binder.vars.clone()).unwrap_or_default();
        let params = self.program.binders.get(expr).map(|binder| binder.type_params.clone()).unwrap_or_default();
        let ty = ty.expanded();
        let known: Vec<Vec<Type>> = self.sorts.known.maps.get(&ty.canonical()).into_iter().flatten().cloned().collect();
        let Some(first) = known.first() else { return self.unknown(&ty, env) };
        let Some(part) = self.sorts.part(&mut self.terms, &ty, first) else { return self.unknown(&ty, env) };
        if part.selectors.len() != known.len() {
            return self.unknown(&ty, env);
        }
        let mut arrays = Vec::new();
        for types in &known {
            // The map's parameters may stand in another order than the lambda's.
            let mut inner = env.clone();
            for (param, ty) in shape.params.iter().zip(types) {
                let name = &self.program.names.vars[*param];
                let own = params.iter().find(|own| self.program.names.vars[**own] == *name);
                inner.types.insert(*own.unwrap_or(param), ty.clone());
            }
            let instance: Instance = shape.params.iter().copied().zip(types.iter().cloned()).collect();
            let args = shape.args.iter().map(|arg| arg.replace(&instance)).collect();
            let at = MapType { params: Vec::new(), args, result: shape.result.replace(&instance) };
            arrays.push(self.lambda_at(expr, quantified.body, &vars, &at, &inner));
        }
        self.terms.app(part.make, arrays)
    }
}
