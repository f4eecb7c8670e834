//! Global facts: axioms, function definitions, and distinctness of unique constants. A member gets those connected to
//! the symbols it mentions.

mod candidates;

pub use candidates::Candidates;

use crate::encode::{Encoder, Env, Polarity, State};
use crate::generic;
use crate::instances::choices;
use crate::labels::{Label, Use};
use crate::sorts::Met;
use echis_base::SyntaxId;
use echis_boogie::ast::{Attribute, ExprKind, Quantifier};
use echis_boogie::attributes::{Known, text_attribute};
use echis_boogie::program::{AxiomId, FunctionId, Meaning, Reference, VarKind};
use echis_boogie::types::Instance;
use echis_term::{Op, QuantifierRole, SortId, SymbolId, SymbolKind, SymbolRole, TermId, TermKind};
use std::collections::{BTreeMap, BTreeSet};

pub struct Fact {
    pub term: TermId,
    /// `None` for the engine's own definitions.
    pub id: Option<SyntaxId>,
    pub label: Option<Label>,
    /// The functions whose hiding makes the axiom unavailable.
    pub hideable: Option<Vec<FunctionId>>,
    /// The types and instances that it mentions.
    met: Met,
}

/// All facts relevant to the given terms. Types that only other facts mention are not recorded.
pub fn facts(encoder: &mut Encoder<'_>, candidates: &Candidates, spoken_of: &[TermId]) -> Vec<Fact> {
    let mut own = std::mem::take(&mut encoder.sorts.met);
    let mut facts = Vec::new();
    let known = encoder.definitions.iter().chain(spoken_of).copied();
    let reached = candidates.reached(candidates.mentioned(&encoder.terms, known));
    axioms(encoder, &reached, &mut facts);
    bodies(encoder, &own, &mut facts);
    for term in encoder.definitions.clone() {
        facts.push(Fact { term, id: None, label: None, hideable: None, met: Met::default() });
    }
    let mut kept = reachable(encoder, facts, spoken_of);
    kept.iter().for_each(|fact| own.add(&fact.met));
    encoder.sorts.met = own;
    unique(encoder, &kept, spoken_of).into_iter().for_each(|fact| kept.insert(0, fact));
    kept
}

fn axioms(encoder: &mut Encoder<'_>, reached: &BTreeSet<AxiomId>, into: &mut Vec<Fact>) {
    let program = encoder.program;
    for axiom in reached.iter().map(|id| &program.axioms[*id]) {
        let state = State::default();
        let env = Env::new(&state, &Instance::new(), Polarity::Stated);
        let uses = axiom.uses.iter().filter_map(|used| match used {
            Reference::Function(function) => Some(*function),
            Reference::Var(_) => None,
        });
        let hideable: Option<Vec<FunctionId>> = axiom.hideable.then(|| uses.collect());
        let mut add = |encoder: &mut Encoder<'_>, term| {
            let met = std::mem::take(&mut encoder.sorts.met);
            let (label, hideable) = (named(&axiom.attributes), hideable.clone());
            into.push(Fact { term, id: Some(axiom.id), label, hideable, met });
        };
        match program.kind(axiom.condition) {
            // A quantifier over types becomes one fact per choice of types.
            ExprKind::Quantified(quantified)
                if quantified.quantifier == Quantifier::Forall && !quantified.type_params.is_empty() =>
            {
                for choice in choices(program, &encoder.sorts, axiom.condition, &env.types) {
                    let mut env = env.clone();
                    env.types.extend(choice);
                    let term = encoder.quantified_at(axiom.condition, quantified, &env);
                    add(encoder, term);
                }
            }
            _ => {
                let term = encoder.expr(axiom.condition, &env);
                add(encoder, term);
            }
        }
    }
}

fn named(attributes: &[Attribute]) -> Option<Label> {
    text_attribute(attributes, Known::Id).map(|name| Label { name: name.clone(), becomes: Use::Axiom })
}

/// Definitions of functions with bodies, at each instance that is used.
fn bodies(encoder: &mut Encoder<'_>, own: &Met, into: &mut Vec<Fact>) {
    let program = encoder.program;
    let mut all = encoder.sorts.known.clone();
    all.add(own);
    let met: Vec<_> = all.functions.into_iter().collect();
    for (function, instances) in met {
        let declared = &program.functions[function];
        let (Some(body), Meaning::Axiom) = (declared.body, declared.meaning) else { continue };
        for types in instances {
            let other = encoder.sorts.other;
            if types.iter().any(|ty| ty.mentions(other)) && !generic::of_function(program, function, other) {
                continue;
            }
            let instance: Instance = declared.type_params.iter().copied().zip(types).collect();
            let (symbol, _) = encoder.function(function, &instance);
            let mut vars: Vec<SymbolId> = Vec::new();
            let mut bound = Vec::new();
            for param in &declared.params {
                let ty = program.vars[*param].ty.expanded().replace(&instance);
                let sort = encoder.sort(&ty);
                let base = program.vars[*param].name.clone();
                let role = SymbolRole::VariableAt { base, place: param.to_string().into() };
                let var = encoder.terms.declare(role, [], sort);
                vars.push(var);
                bound.push((*param, encoder.terms.constant(var)));
            }
            let args: Vec<TermId> = bound.iter().map(|(_, term)| *term).collect();
            let state = State::default();
            let mut env = Env::new(&state, &instance, Polarity::Neither);
            env.varies = !bound.is_empty();
            env.bound = bound;
            let value = encoder.expr(body, &env);
            let applied = encoder.terms.app(symbol, args);
            let equation = encoder.eq(applied, value);
            let triggers = if vars.is_empty() { Vec::new() } else { vec![vec![applied]] };
            let term = if vars.is_empty() {
                equation
            } else {
                encoder.terms.forall(&vars, triggers, equation, QuantifierRole::Written(declared.name.clone()))
            };
            let label = named(&declared.attributes);
            let met = std::mem::take(&mut encoder.sorts.met);
            into.push(Fact { term, id: Some(declared.id), label, hideable: None, met });
        }
    }
}

/// Facts that share a symbol with the given terms, transitively; facts with triggers need all symbols of one trigger.
/// Facts without symbols are always relevant.
fn reachable(encoder: &Encoder<'_>, facts: Vec<Fact>, spoken_of: &[TermId]) -> Vec<Fact> {
    let symbols = |term: TermId| -> BTreeSet<SymbolId> {
        let all = encoder.terms.symbols_of(term);
        all.into_iter().filter(|symbol| encoder.terms.symbol(*symbol).kind() == SymbolKind::Function).collect()
    };
    let mut known: BTreeSet<SymbolId> = spoken_of.iter().flat_map(|term| symbols(*term)).collect();
    let of: Vec<BTreeSet<SymbolId>> = facts.iter().map(|fact| symbols(fact.term)).collect();
    let triggers: Vec<Vec<BTreeSet<SymbolId>>> = facts
        .iter()
        .map(|fact| match encoder.terms.kind(fact.term) {
            TermKind::Quant(quant) => {
                let of_set = |set: &[TermId]| set.iter().flat_map(|term| symbols(*term)).collect();
                quant.triggers.iter().map(|set| of_set(set)).collect()
            }
            _ => Vec::new(),
        })
        .collect();
    let matters = |index: usize, known: &BTreeSet<SymbolId>| match &triggers[index][..] {
        [] => of[index].is_empty() || !of[index].is_disjoint(known),
        sets => sets.iter().any(|set| set.is_subset(known)),
    };
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    loop {
        let new: Vec<usize> =
            (0..facts.len()).filter(|index| !kept.contains(index) && matters(*index, &known)).collect();
        if new.is_empty() {
            break;
        }
        new.iter().for_each(|index| known.extend(of[*index].iter().copied()));
        kept.extend(new);
    }
    let is_kept = |(index, fact): (usize, Fact)| kept.contains(&index).then_some(fact);
    facts.into_iter().enumerate().filter_map(is_kept).filter(|fact| !encoder.terms.is_true(fact.term)).collect()
}

/// The distinctness of unique constants of a type.
fn unique(encoder: &mut Encoder<'_>, facts: &[Fact], spoken_of: &[TermId]) -> Vec<Fact> {
    let program = encoder.program;
    let all = facts.iter().map(|fact| fact.term).chain(spoken_of.iter().copied());
    let used: BTreeSet<SymbolId> = all.flat_map(|term| encoder.terms.symbols_of(term)).collect();
    let mut groups: BTreeMap<SortId, (SyntaxId, Vec<TermId>)> = BTreeMap::new();
    for variable in program.vars.values().filter(|var| var.kind == VarKind::Const { unique: true }) {
        let sort = encoder.sort(&variable.ty.expanded());
        let symbol = encoder.terms.declare(SymbolRole::BoogieConstant(variable.name.clone()), [], sort);
        if used.contains(&symbol) {
            let constant = encoder.terms.constant(symbol);
            groups.entry(sort).or_insert_with(|| (variable.id, Vec::new())).1.push(constant);
        }
    }
    let several = groups.into_values().filter(|(_, constants)| constants.len() > 1);
    several
        .map(|(id, constants)| Fact {
            term: encoder.terms.op(Op::Distinct, constants),
            id: Some(id),
            label: None,
            hideable: None,
            met: Met::default(),
        })
        .collect()
}
