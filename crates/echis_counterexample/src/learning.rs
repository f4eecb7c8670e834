//! Learns lemmas from refuted models: instances of quantified facts that were false, and values that the solver got
//! wrong. They are asserted for the next model.

use super::lemma::Lemma;
use super::structure::Structure;
use super::value::Value;
use crate::limits::LIMITS;
use echis_proof::{Needed, NodeId, ProofTree, Raw};
use echis_term::{
    Integer, Op, Quantifier, QuantifierRole, Sort, SortId, Symbol, SymbolId, SymbolKind, SymbolRole, TermId, TermKind,
    Terms,
};
use std::collections::{BTreeMap, BTreeSet};

/// Values with terms that denote them.
pub type Denoted = BTreeMap<(SortId, Value), TermId>;

impl Structure<'_> {
    /// The smallest subterms of a proposition whose values differ from the model's.
    pub fn disagreements(&self, fact: TermId) -> Vec<Lemma> {
        let terms = self.tables.terms;
        let mut found = Vec::new();
        terms.for_each_subterm(fact, |term| {
            let smallest = || self.disagrees(term) && !terms.children(term).iter().any(|part| self.disagrees(*part));
            if found.len() < LIMITS.lemmas && (self.is_unaware(term) || smallest()) {
                found.extend(self.point(term));
            }
        });
        found
    }
    /// Values at which existential parts of a goal hold: where the goal fails, they hold nowhere.
    pub fn existing(&self, goal: TermId) -> Vec<Lemma> {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.existing_in(goal))
    }
    fn existing_in(&self, goal: TermId) -> Vec<Lemma> {
        let terms = self.tables.terms;
        match (terms.as_op(goal), terms.kind(goal)) {
            (Some((Op::Implies, [_, rest])), _) => self.existing(*rest),
            (Some((Op::Or, parts)), _) => parts.iter().flat_map(|part| self.existing(*part)).collect(),
            (_, TermKind::Quant(quant)) if quant.quantifier == Quantifier::Exists => {
                self.witness.take();
                let holds = self.quantified(quant) == Some(true);
                let values = self.witness.take();
                let found = holds && values.len() == quant.vars.len();
                found.then_some(Lemma::Instance { fact: goal, values }).into_iter().collect()
            }
            _ => Vec::new(),
        }
    }
    fn disagrees(&self, term: TermId) -> bool {
        let terms = self.tables.terms;
        if !terms.term(term).free.is_empty() || matches!(terms.kind(term), TermKind::Quant(_)) {
            return false;
        }
        let solver = self.tables.eval(term).and_then(|raw| self.decoder.value(&raw, terms.sort_of(term)));
        solver.zip(self.eval(term)).is_some_and(|(solver, own)| solver != own)
    }
    /// A solver that knows the elements of sequences does not always know that they are equal.
    fn is_unaware(&self, term: TermId) -> bool {
        let terms = self.tables.terms;
        let Some((Op::Eq, [left, _])) = terms.as_op(term) else { return false };
        matches!(terms.sort_data(terms.sort_of(*left)), Sort::Seq(_))
            && terms.term(term).free.is_empty()
            && self.tables.eval(term) != Some(Raw::Bool(true))
            && self.truth(term) == Some(true)
    }
    fn point(&self, term: TermId) -> Option<Lemma> {
        let parts = match self.tables.terms.kind(term) {
            TermKind::App(_, args) | TermKind::Op(_, args) => args.iter().map(|arg| self.eval(*arg)),
            _ => return None,
        };
        Some(Lemma::Point { term, parts: parts.collect::<Option<_>>()?, value: self.eval(term)? })
    }
    /// Terms for the elements of sorts without literals: ground terms of the facts, and the elements of sequences
    /// that these denote, which are identified by position.
    pub fn denoted(&self, facts: impl Iterator<Item = TermId>) -> (Denoted, Vec<Element>) {
        let terms = self.tables.terms;
        let mut all: BTreeSet<TermId> = self.tables.model.watched.keys().copied().collect();
        for fact in facts {
            terms.for_each_subterm(fact, |term| {
                if terms.term(term).free.is_empty() && !matches!(terms.sort_data(terms.sort_of(term)), Sort::Bool) {
                    all.insert(term);
                }
            });
        }
        let (mut denoted, mut elements) = (Denoted::new(), Vec::new());
        for term in all {
            let sort = terms.sort_of(term);
            match (self.eval(term), terms.sort_data(sort)) {
                (Some(Value::Seq(items)), Sort::Seq(element)) => {
                    let places = items.into_iter().enumerate();
                    elements.extend(places.map(|(index, value)| Element { of: term, index, value, sort: *element }));
                }
                (Some(Value::Plain(Raw::Bool(_) | Raw::Perm(_))), _) => {}
                (Some(value), _) if !matches!(terms.kind(term), TermKind::Int(_)) => {
                    denoted.entry((sort, value)).or_insert(term);
                }
                _ => {}
            }
        }
        (denoted, elements)
    }
}

/// An element of the sequence denoted by a term.
pub struct Element {
    of: TermId,
    index: usize,
    value: Value,
    sort: SortId,
}

impl Element {
    /// The element as a term, if it is a number beyond a bound and its negation.
    pub fn beyond(&self, terms: &mut Terms, bound: i32) -> Option<TermId> {
        let value = self.value.as_int()?;
        let is_beyond = *value > Integer::from(bound) || *value < Integer::from(-bound);
        let index = terms.int(self.index);
        is_beyond.then(|| terms.op(Op::SeqIndex, [self.of, index]))
    }
}

/// Denotes elements without their own terms by their position in a sequence.
pub fn name_elements(terms: &mut Terms, denoted: &mut Denoted, elements: Vec<Element>, null: Option<&Raw>) {
    let (sort, term) = (terms.ref_sort(), terms.null());
    denoted.extend(null.map(|null| ((sort, Value::Plain(null.clone())), term)));
    for Element { of, index, value, sort } in elements {
        let index = terms.int(index);
        let term = terms.op(Op::SeqIndex, [of, index]);
        denoted.entry((sort, value)).or_insert(term);
    }
}

impl Lemma {
    /// The lemma stated for terms instead of values, if such terms exist.
    pub fn by_terms(&self, terms: &mut Terms, denoted: &Denoted) -> Option<Self> {
        let Lemma::Instance { fact, values } = self else { return None };
        let mut named = false;
        let mut found = Vec::new();
        for (var, value) in values {
            let sort = terms.symbol(*var).result;
            let known = denoted.get(&(sort, value.clone())).copied();
            named |= known.is_some();
            let term = known.or_else(|| term_of(terms, denoted, value, sort))?;
            found.push((*var, term));
        }
        named.then_some(Lemma::At { fact: *fact, terms: found })
    }
    /// The lemma in source syntax, if it is an instance of a quantified fact. Other lemmas need not follow from the
    /// facts.
    pub fn needed(&self, tree: &ProofTree, at: NodeId) -> Option<Needed> {
        let terms = &tree.terms;
        let (fact, values): (_, Vec<(SymbolId, String)>) = match self {
            Lemma::Instance { fact, values } => {
                (fact, values.iter().map(|(var, value)| (*var, plain_text(terms, value))).collect())
            }
            Lemma::At { fact, terms: of } => (fact, of.iter().map(|(var, term)| (*var, name(terms, *term))).collect()),
            Lemma::Point { .. } => return None,
        };
        let node = tree.path(at).find(|node| tree.fact(*node) == Some(*fact))?;
        let TermKind::Quant(quant) = terms.kind(*fact) else { return None };
        let is_plain = |var: &SymbolId| !matches!(terms.sort_data(terms.symbol(*var).result), Sort::Snap);
        let plain: Vec<(String, String)> = values
            .iter()
            .filter(|(var, _)| is_plain(var))
            .map(|(var, value)| (terms.symbol(*var).role.base(), value.clone()))
            .collect();
        let mut function = None;
        terms.for_each_subterm(quant.body, |term| {
            if let TermKind::App(symbol, _) = terms.kind(term)
                && let SymbolRole::Precondition(name) = &terms.symbol(*symbol).role
            {
                function.get_or_insert(name);
            }
        });
        let is_definition = quant.role == QuantifierRole::Definition;
        let at = match function.filter(|_| is_definition) {
            Some(name) => {
                let args: Vec<&str> = plain.iter().map(|(_, value)| value.as_str()).collect();
                format!("{name}({})", args.join(", "))
            }
            None => {
                let values: Vec<String> = plain.iter().map(|(var, value)| format!("{var} = {value}")).collect();
                values.join(", ")
            }
        };
        let clause = tree.origin_of(node).clause;
        Some(Needed { clause, at, is_application: is_definition && function.is_some() })
    }
}

/// The name of a term that is a number, or a variable with a single value.
fn name(terms: &Terms, term: TermId) -> String {
    match terms.kind(term) {
        TermKind::Int(value) => value.to_string(),
        TermKind::App(symbol, args) if args.is_empty() => {
            let role = &terms.symbol(*symbol).role;
            let is_value = |other: &Symbol| other.kind() == SymbolKind::Function && other.params.is_empty();
            let values = terms.symbols().filter(|(_, other)| is_value(other) && other.role.is_shown_like(role));
            if values.count() == 1 { role.base() } else { "…".to_string() }
        }
        _ => "…".to_string(),
    }
}

fn plain_text(terms: &Terms, value: &Value) -> String {
    match value {
        Value::Plain(Raw::Int(value)) => value.to_string(),
        Value::Plain(Raw::Bool(value)) => value.to_string(),
        Value::Interval(between) => between.example().to_string(),
        Value::Made(symbol, parts) => {
            let name = terms.symbol(*symbol).role.base();
            let parts: Vec<String> = parts.iter().map(|part| plain_text(terms, part)).collect();
            format!("{name}({})", parts.join(", "))
        }
        _ => "…".to_string(),
    }
}

/// The lemma as a proposition, if there are terms for its values.
pub fn proposition(terms: &mut Terms, denoted: &Denoted, lemma: &Lemma) -> Option<TermId> {
    match lemma {
        Lemma::Instance { fact, values } => {
            let mut at = Vec::new();
            for (var, value) in values {
                let sort = terms.symbol(*var).result;
                at.push((*var, term_of(terms, denoted, value, sort)?));
            }
            instance(terms, *fact, &at)
        }
        Lemma::At { fact, terms: at } => instance(terms, *fact, at),
        Lemma::Point { term, parts, value } => point(terms, denoted, (*term, parts), value),
    }
}

fn instance(terms: &mut Terms, fact: TermId, at: &[(SymbolId, TermId)]) -> Option<TermId> {
    let TermKind::Quant(quant) = terms.kind(fact) else { return None };
    let (body, vars, quantifier) = (quant.body, quant.vars.clone(), quant.quantifier);
    let map = at.iter().copied().filter(|(var, _)| vars.contains(var)).collect();
    let mut instance = terms.substitute(body, &map);
    // What exists in a refuted model must not exist in the next one.
    if quantifier == Quantifier::Exists {
        instance = terms.not(instance);
    }
    terms.term(instance).free.is_empty().then_some(instance)
}

fn point(terms: &mut Terms, denoted: &Denoted, (term, parts): (TermId, &[Value]), value: &Value) -> Option<TermId> {
    if let (Some((op @ (Op::SetCardinality | Op::MultisetCardinality | Op::MapCardinality), [all])), [members]) =
        (terms.as_op(term), parts)
    {
        let all = *all;
        return counted(terms, denoted, (op, all, term), members);
    }
    if let (Some((Op::Eq, [left, right])), [Value::Seq(items), same]) = (terms.as_op(term), parts)
        && *same == parts[0]
        && items.len() <= LIMITS.lemmas
    {
        let (left, right) = (*left, *right);
        return Some(same_elements(terms, left, right, items.len()));
    }
    let args = terms.children(term);
    let mut equal = Vec::new();
    for (arg, part) in args.iter().zip(parts) {
        let sort = terms.sort_of(*arg);
        let part = written_out(terms, denoted, part, sort)?;
        equal.push(terms.eq(*arg, part));
    }
    let sort = terms.sort_of(term);
    let value = term_of(terms, denoted, value, sort)?;
    let (given, is) = (terms.and(equal), terms.eq(term, value));
    Some(terms.implies(given, is))
}

/// Sequences of this length are equal if their elements are.
fn same_elements(terms: &mut Terms, left: TermId, right: TermId, length: usize) -> TermId {
    let count = terms.int(length);
    let mut same = Vec::new();
    for sequence in [left, right] {
        let length = terms.op(Op::SeqLength, [sequence]);
        same.push(terms.eq(length, count));
    }
    for index in 0..length {
        let index = terms.int(index);
        let elements = [left, right].map(|sequence| terms.op(Op::SeqIndex, [sequence, index]));
        same.push(terms.eq(elements[0], elements[1]));
    }
    let (same, equal) = (terms.and(same), terms.eq(left, right));
    terms.implies(same, equal)
}

/// A set has only the given members, or as many as these.
fn counted(
    terms: &mut Terms,
    denoted: &Denoted,
    (op, all, size): (Op, TermId, TermId),
    members: &Value,
) -> Option<TermId> {
    let (Sort::Set(element) | Sort::Multiset(element) | Sort::Map(element, _)) = *terms.sort_data(terms.sort_of(all))
    else {
        return None;
    };
    let items: Vec<Value> = match members {
        Value::Set(items) => items.iter().cloned().collect(),
        Value::Multiset(items) => items.keys().cloned().collect(),
        Value::Map(items) => items.keys().cloned().collect(),
        _ => return None,
    };
    let items: Vec<TermId> = items.iter().map(|item| term_of(terms, denoted, item, element)).collect::<Option<_>>()?;
    let op = match op {
        Op::SetCardinality => Op::SetContains,
        Op::MapCardinality => Op::MapContains,
        _ => Op::MultisetCount,
    };
    let sum = sum_of(terms, all, op, &items);
    Some(terms.eq(sum, size))
}

/// The number of distinct items in a set.
pub fn sum_of(terms: &mut Terms, all: TermId, op: Op, items: &[TermId]) -> TermId {
    let (zero, one) = (terms.int(0), terms.int(1));
    let mut parts = Vec::new();
    for (position, item) in items.iter().enumerate() {
        let apart: Vec<TermId> = items[..position].iter().map(|other| terms.ne(*item, *other)).collect();
        let inside = terms.op(op, [all, *item]);
        let inside = if op == Op::MultisetCount { inside } else { terms.ite(inside, one, zero) };
        let apart = terms.and(apart);
        parts.push(terms.ite(apart, inside, zero));
    }
    parts.into_iter().fold(zero, |sum, part| terms.add(sum, part))
}

/// A term that denotes the value independent of other choices: a subterm of a term would denote itself.
fn written_out(terms: &mut Terms, denoted: &Denoted, value: &Value, sort: SortId) -> Option<TermId> {
    match value {
        Value::Plain(Raw::Bool(_) | Raw::Int(_) | Raw::Perm(_)) => term_of(terms, denoted, value, sort),
        Value::Made(symbol, parts) => {
            let sorts = terms.symbol(*symbol).params.clone();
            let parts = parts.iter().zip(sorts.iter());
            let args: Option<Vec<TermId>> =
                parts.map(|(part, sort)| written_out(terms, denoted, part, *sort)).collect();
            Some(terms.app(*symbol, args?))
        }
        Value::Seq(_) | Value::Set(_) | Value::Multiset(_) | Value::Map(_) => collection(terms, denoted, value, sort),
        _ => None,
    }
}

/// A term that denotes the value.
fn term_of(terms: &mut Terms, denoted: &Denoted, value: &Value, sort: SortId) -> Option<TermId> {
    let is_literal = matches!(value, Value::Plain(Raw::Int(_) | Raw::Bool(_) | Raw::Perm(_)));
    if let Some(term) = denoted.get(&(sort, value.clone())).filter(|_| !is_literal) {
        return Some(*term);
    }
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match value {
        Value::Plain(Raw::Bool(value)) => Some(terms.bool(*value)),
        Value::Plain(Raw::Int(value)) => Some(terms.int(value.clone())),
        Value::Plain(Raw::Perm(value)) => Some(terms.perm(value.clone())),
        Value::Plain(Raw::Unit) => Some(terms.unit()),
        Value::Plain(_) | Value::Other(_) | Value::Unlike(_) | Value::Keys(_) => None,
        Value::Interval(between) => Some(terms.int(between.example())),
        Value::Made(symbol, parts) | Value::Fresh(symbol, parts) => {
            let sorts = terms.symbol(*symbol).params.clone();
            let args: Option<Vec<TermId>> =
                parts.iter().zip(sorts.iter()).map(|(part, sort)| term_of(terms, denoted, part, *sort)).collect();
            Some(terms.app(*symbol, args?))
        }
        Value::Pair(parts) => {
            let (first, second) = (term_of(terms, denoted, &parts.0, sort)?, term_of(terms, denoted, &parts.1, sort)?);
            Some(terms.combine(first, second))
        }
        // A fresh snapshot has no term.
        Value::Wrapped(sort, _) if matches!(terms.sort_data(*sort), Sort::Snap) => None,
        Value::Wrapped(sort, value) => {
            let value = term_of(terms, denoted, value, *sort)?;
            Some(terms.wrap(value))
        }
        Value::Seq(_) | Value::Set(_) | Value::Multiset(_) | Value::Map(_) => collection(terms, denoted, value, sort),
    })
}

fn collection(terms: &mut Terms, denoted: &Denoted, value: &Value, sort: SortId) -> Option<TermId> {
    match (value, terms.sort_data(sort).clone()) {
        (Value::Seq(items), Sort::Seq(element)) => {
            let mut all = terms.op(Op::SeqEmpty(element), []);
            for item in items {
                let item = term_of(terms, denoted, item, element)?;
                let one = terms.op(Op::SeqSingleton, [item]);
                all = terms.op(Op::SeqAppend, [all, one]);
            }
            Some(all)
        }
        (Value::Set(items), Sort::Set(element)) => {
            let mut all = terms.op(Op::SetEmpty(element), []);
            for item in items {
                let item = term_of(terms, denoted, item, element)?;
                all = terms.op(Op::SetAdd, [all, item]);
            }
            Some(all)
        }
        (Value::Multiset(items), Sort::Multiset(element)) => {
            let mut all = terms.op(Op::MultisetEmpty(element), []);
            for (item, count) in items {
                let item = term_of(terms, denoted, item, element)?;
                let count = usize::try_from(count.clone()).ok().filter(|count| *count <= LIMITS.lemmas)?;
                for _ in 0..count {
                    all = terms.op(Op::MultisetAdd, [all, item]);
                }
            }
            Some(all)
        }
        (Value::Map(items), Sort::Map(key_sort, value_sort)) => {
            let mut all = terms.op(Op::MapEmpty(sort), []);
            for (key, value) in items {
                let key = term_of(terms, denoted, key, key_sort)?;
                let value = term_of(terms, denoted, value, value_sort)?;
                all = terms.op(Op::MapUpdate, [all, key, value]);
            }
            Some(all)
        }
        _ => None,
    }
}
