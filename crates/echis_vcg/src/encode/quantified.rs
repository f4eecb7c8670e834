//! Quantifiers, over values and over types.

use super::{Encoder, Env, Polarity};
use crate::generic;
use crate::limits::TYPE_CASES;
use echis_boogie::ast::{ExprId, Quantified, Quantifier};
use echis_boogie::attributes::{Known, text_attribute};
use echis_boogie::types::{Instance, Type};
use echis_term::{Quant, Quantifier as TermQuantifier, QuantifierRole, TermId};
use std::collections::BTreeSet;

impl Encoder<'_> {
    pub(super) fn quantified(&mut self, expr: ExprId, quantified: &Quantified, env: &Env<'_>) -> TermId {
        let program = self.program;
        let Some(binder) = program.binders.get(expr) else { return self.unknown(&Type::Bool, env) };
        if binder.type_params.is_empty() {
            return self.quantified_at(expr, quantified, env);
        }
        let is_forall = quantified.quantifier == Quantifier::Forall;
        // A demanded quantifier over types covers the known types and all others; a stated one those that matter.
        let arbitrary = match env.polarity {
            Polarity::Demanded => is_forall,
            Polarity::Stated => !is_forall,
            Polarity::Neither => true,
        };
        if !arbitrary {
            let choices = crate::instances::choices(program, &self.sorts, expr, &env.types);
            return self.at_each(expr, quantified, choices, env);
        }
        if let [param] = binder.type_params[..]
            && generic::of_binder(program, expr, &env.types, self.sorts.other)
        {
            let mut types = self.sorts.arguments();
            if env.polarity == Polarity::Neither {
                // It follows for every other type; but the known facts are about known types.
                let relevant = crate::instances::relevant(program, self.sorts.known, expr, &env.types);
                types.extend(relevant.into_iter().flatten().flatten());
            }
            types.insert(Type::Var(self.sorts.other));
            let choices = types.into_iter().map(|ty| Instance::from([(param, ty)])).collect();
            return self.at_each(expr, quantified, choices, env);
        }
        match env.varies {
            true => self.unknown(&Type::Bool, env),
            false => self.at_witness(expr, quantified, env),
        }
    }
    /// The quantifier for all given types, or for some of them.
    fn at_each(&mut self, expr: ExprId, quantified: &Quantified, choices: Vec<Instance>, env: &Env<'_>) -> TermId {
        let instances: Vec<TermId> = choices
            .into_iter()
            .map(|choice| {
                let mut env = env.clone();
                env.types.extend(choice);
                self.quantified_at(expr, quantified, &env)
            })
            .collect();
        let is_forall = quantified.quantifier == Quantifier::Forall;
        if is_forall { self.terms.and(instances) } else { self.terms.or(instances) }
    }
    /// The quantifier at all relevant types, and at a witness type that is a counterexample if one exists: it is true
    /// there only if it is true for all types. Each evaluation has its own witness.
    fn at_witness(&mut self, expr: ExprId, quantified: &Quantified, env: &Env<'_>) -> TermId {
        let before = self.evaluated.entry(expr).or_default();
        let number = *before;
        *before += 1;
        let params = self.program.binders.get(expr).map(|binder| binder.type_params.clone()).unwrap_or_default();
        let relevant = crate::instances::relevant(self.program, self.sorts.known, expr, &env.types);
        let Some(relevant) = relevant else { return self.unknown(&Type::Bool, env) };
        // Whichever parameter it instantiates, a witness differs from all types considered.
        let mut types: BTreeSet<Type> = relevant.into_iter().flatten().chain(self.sorts.arguments()).collect();
        types.retain(|ty| !self.sorts.is_witness(ty) && !ty.mentions(self.sorts.other));
        let witnesses: Vec<Type> = params.iter().map(|param| self.sorts.witness(expr, *param, number)).collect();
        for witness in &witnesses {
            if let Type::Var(var) = witness {
                self.excluded.insert(*var, types.clone());
            }
        }
        // Parameters may be instantiated with the same type.
        let mut choices = vec![Instance::new()];
        for param in &params {
            let all: BTreeSet<&Type> = types.iter().chain(&witnesses).collect();
            let extended = |choice: &Instance| -> Vec<Instance> {
                all.iter()
                    .map(|ty| {
                        choice.iter().map(|(param, ty)| (*param, ty.clone())).chain([(*param, (*ty).clone())]).collect()
                    })
                    .collect()
            };
            choices = choices.iter().flat_map(extended).collect();
            if choices.len() > TYPE_CASES {
                return self.unknown(&Type::Bool, env);
            }
        }
        self.at_each(expr, quantified, choices, env)
    }
    pub fn quantified_at(&mut self, expr: ExprId, quantified: &Quantified, env: &Env<'_>) -> TermId {
        let vars = self.program.binders.get(expr).map(|binder| binder.vars.clone()).unwrap_or_default();
        let (symbols, bound) = self.bind(expr, &vars, env);
        let mut env = env.clone();
        env.bound.extend(bound);
        env.varies |= !matches!(
            (quantified.quantifier, env.polarity),
            (Quantifier::Forall, Polarity::Demanded) | (Quantifier::Exists, Polarity::Stated)
        );
        let body = self.expr(quantified.body, &env);
        if symbols.is_empty() {
            return body;
        }
        let mut triggers: Vec<Box<[TermId]>> = Vec::new();
        for trigger in &quantified.triggers {
            triggers.push(self.all(trigger, &env).into_boxed_slice());
        }
        // Solvers reject triggers that do not mention all variables, which simplification may cause.
        triggers.retain(|trigger| {
            symbols.iter().all(|symbol| trigger.iter().any(|term| self.terms.is_free(*symbol, *term)))
        });
        if triggers.is_empty() {
            let mut excluded = self.all(&quantified.excluded, &env);
            excluded.extend(self.never_patterns(body));
            if !excluded.is_empty() {
                triggers = self.other_triggers(body, &symbols, &excluded);
            }
        }
        let weight = self.program.tree.number_attribute(&quantified.attributes, Known::Weight);
        let weight = weight.and_then(|weight| u32::try_from(weight.clone()).ok());
        let qid = text_attribute(&quantified.attributes, Known::QuantifierId).filter(|name| !name.is_empty());
        let role = QuantifierRole::Written(qid.cloned().unwrap_or_else(|| expr.to_string().into()));
        let quantifier = match quantified.quantifier {
            Quantifier::Exists => TermQuantifier::Exists,
            Quantifier::Forall | Quantifier::Lambda => TermQuantifier::Forall,
        };
        let vars = symbols.into_boxed_slice();
        self.terms.quant(Quant { quantifier, vars, triggers: triggers.into(), body, weight, role })
    }
}
