//! Axioms of the form `forall x :: g(x) ==> f(x) == t`, used as rewrite rules: they give `f` a value where the model
//! has none. The replay checks whether the result satisfies the axioms.

use super::Structure;
use super::defined::Functions;
use crate::limits::LIMITS;
use crate::value::Value;
use echis_term::{Op, Quant, Quantifier, QuantifierRole, SymbolId, TermId, TermKind, Terms};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Default)]
pub struct Rules {
    of: HashMap<RuleHead, Vec<Rule>>,
    /// Functions whose applications should be distinct: `g`, if a fact mentions `f(g(x))`.
    makers: BTreeSet<SymbolId>,
    /// The function of each version of its symbol.
    versions: BTreeMap<SymbolId, SymbolId>,
    /// Functions that equal their rules wherever these apply.
    told: BTreeSet<SymbolId>,
    /// The keys of maps: the variable, the map, and the condition for keys.
    keys: Vec<(SymbolId, TermId, TermId)>,
}

/// A function, or the lookup in maps of quantified resources.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RuleHead {
    Function(SymbolId),
    Lookup,
}

struct Rule {
    /// Whether variables are found by trying values.
    tried: bool,
    /// Whether it leads to other arguments of the same function. Other rules are tried first: that a relation is
    /// symmetric does not tell whether it is reflexive.
    recursive: bool,
    vars: Vec<SymbolId>,
    guards: Vec<TermId>,
    args: Vec<TermId>,
    value: RuleValue,
}

#[derive(Clone, Copy)]
enum RuleValue {
    Term(TermId),
    Truth(bool),
}

impl Rules {
    pub fn new(terms: &Terms, facts: impl Iterator<Item = TermId>, functions: &Functions<'_>) -> Self {
        let mut rules = Rules { versions: functions.versions().clone(), ..Rules::default() };
        for fact in facts {
            rules.read_fact(terms, fact);
        }
        rules
    }
    fn read_fact(&mut self, terms: &Terms, fact: TermId) {
        match (terms.kind(fact), terms.as_op(fact)) {
            (TermKind::Quant(quant), _) if quant.role != QuantifierRole::Limited => {
                let inverse = quant.role == QuantifierRole::InverseOf;
                let mut reader = Reader { vars: Vec::new(), guards: Vec::new(), inverse };
                self.read(terms, quant, &mut reader);
                self.read_keys(terms, quant);
            }
            // Axioms that are conjunctions.
            (_, Some((Op::And, parts))) => {
                let is_quant = |part: &TermId| matches!(terms.kind(*part), TermKind::Quant(_));
                if parts.iter().any(is_quant) {
                    let mut reader = Reader { vars: Vec::new(), guards: Vec::new(), inverse: false };
                    parts.iter().for_each(|part| self.part(terms, *part, &mut reader));
                }
            }
            _ => {}
        }
    }
    fn read(&mut self, terms: &Terms, quant: &Quant, reader: &mut Reader) {
        if quant.quantifier == Quantifier::Forall {
            let outer = reader.vars.len();
            reader.vars.extend(quant.vars.iter());
            self.part(terms, quant.body, reader);
            reader.vars.truncate(outer);
        }
    }
    fn part(&mut self, terms: &Terms, part: TermId, reader: &mut Reader) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match (terms.kind(part), terms.as_op(part)) {
            (TermKind::Quant(quant), _) => self.read(terms, quant, reader),
            (_, Some((Op::And, parts))) => parts.iter().for_each(|part| self.part(terms, *part, reader)),
            (_, Some((Op::Implies, [guard, rest]))) => {
                let outer = reader.guards.len();
                match terms.as_op(*guard) {
                    Some((Op::And, parts)) => reader.guards.extend(parts),
                    _ => reader.guards.push(*guard),
                }
                self.part(terms, *rest, reader);
                reader.guards.truncate(outer);
            }
            (_, Some((Op::Eq, [left, right]))) => {
                let map = |term: TermId| match terms.as_op(term) {
                    Some((Op::Lookup, [map, _])) => Some(*map),
                    _ => None,
                };
                // Maps are defined by earlier ones.
                let backwards = matches!((map(*left), map(*right)), (Some(left), Some(right)) if left < right);
                let (left, right) = if backwards { (right, left) } else { (left, right) };
                if !self.add(terms, *left, RuleValue::Term(*right), reader) {
                    self.add(terms, *right, RuleValue::Term(*left), reader);
                }
            }
            (_, Some((Op::Not, [inner]))) => drop(self.add(terms, *inner, RuleValue::Truth(false), reader)),
            _ => drop(self.add(terms, part, RuleValue::Truth(true), reader)),
        });
    }
    /// Adds a fact if it is a rule: the function's arguments must be patterns that determine all variables. Inverse
    /// functions are found by trying values.
    fn add(&mut self, terms: &Terms, left: TermId, value: RuleValue, reader: &Reader) -> bool {
        let (of, args) = match terms.kind(left) {
            TermKind::App(symbol, args) => (RuleHead::Function(*self.versions.get(symbol).unwrap_or(symbol)), args),
            TermKind::Op(Op::Lookup, args) => (RuleHead::Lookup, args),
            _ => return false,
        };
        let told = terms.term(left).free.clone();
        let known =
            |term: TermId| terms.term(term).free.iter().all(|var| !reader.vars.contains(var) || told.contains(var));
        let value_known = if let RuleValue::Term(value) = value { known(value) } else { true };
        let patterns = args.iter().all(|arg| is_pattern(terms, *arg)) && is_linear(terms, args);
        let known = value_known && reader.guards.iter().all(|guard| known(*guard));
        if args.is_empty() || !known || !(patterns || reader.inverse) {
            return false;
        }
        for arg in args.iter().filter(|arg| !terms.term(**arg).free.is_empty()) {
            if let TermKind::App(maker, parts) = terms.kind(*arg)
                && !parts.is_empty()
            {
                self.makers.insert(*maker);
            }
        }
        if let (RuleHead::Function(symbol), true) = (of, reader.inverse) {
            self.told.insert(symbol);
        }
        let rules = self.of.entry(of).or_default();
        if rules.len() < LIMITS.rules {
            let vars = reader.vars.iter().copied().filter(|var| told.contains(var)).collect();
            let guards = reader.guards.clone();
            let itself = |value: TermId| match terms.kind(left) {
                TermKind::App(symbol, _) => terms.symbols_of(value).contains(symbol),
                _ => false,
            };
            let recursive = matches!(value, RuleValue::Term(value) if itself(value));
            let plain = rules.iter().position(|rule| rule.recursive).filter(|_| !recursive);
            let at = plain.unwrap_or(rules.len());
            rules.insert(at, Rule { tried: !patterns, recursive, vars, guards, args: args.to_vec(), value });
        }
        true
    }
    fn read_keys(&mut self, terms: &Terms, quant: &Quant) {
        let ([var], Some((Op::Eq, [left, right]))) = (&*quant.vars, terms.as_op(quant.body)) else { return };
        for (contains, is) in [(left, right), (right, left)] {
            if let Some((Op::SetContains, [set, key])) = terms.as_op(*contains)
                && let Some((Op::KeySet, [map])) = terms.as_op(*set)
                && matches!(terms.kind(*key), TermKind::App(symbol, args) if symbol == var && args.is_empty())
                && terms.term(*map).free.is_empty()
            {
                self.keys.push((*var, *map, *is));
            }
        }
    }
    /// The function for which a fact states only its single rule, which depends on no other: where the model does not
    /// fix the function, the fact holds because the function equals the rule.
    pub fn defines(&self, terms: &Terms, quant: &Quant) -> Option<SymbolId> {
        let conclusion = match terms.as_op(quant.body) {
            Some((Op::Implies, [_, conclusion])) => *conclusion,
            _ => quant.body,
        };
        let left = match terms.as_op(conclusion) {
            Some((Op::Eq, [left, _])) => *left,
            Some((Op::Not, [inner])) => *inner,
            _ => conclusion,
        };
        let TermKind::App(symbol, args) = terms.kind(left) else { return None };
        let is_var = |(arg, var): (&TermId, &SymbolId)| matches!(terms.kind(*arg), TermKind::App(symbol, none) if symbol == var && none.is_empty());
        let at_variables = args.len() == quant.vars.len() && args.iter().zip(&quant.vars).all(is_var);
        let rules = self.of.get(&RuleHead::Function(*symbol))?;
        let alone = |other: &SymbolId| other == symbol || !self.of.contains_key(&RuleHead::Function(*other));
        let other_parts = terms.symbols_of(quant.body);
        let once = terms.children(quant.body).len() <= 2 && {
            let mut count = 0;
            terms.for_each_subterm(quant.body, |term| {
                count += usize::from(matches!(terms.kind(term), TermKind::App(other, _) if other == symbol))
            });
            count == 1
        };
        (at_variables && rules.len() == 1 && once && other_parts.iter().all(alone)).then_some(*symbol)
    }
    pub fn makers(&self) -> &BTreeSet<SymbolId> {
        &self.makers
    }
    pub fn is_told(&self, symbol: SymbolId) -> bool {
        self.told.contains(&symbol)
    }
}

/// The position of a rule within a fact.
struct Reader {
    vars: Vec<SymbolId>,
    guards: Vec<TermId>,
    /// Whether the fact defines an inverse function.
    inverse: bool,
}

/// Whether no two non-variable arguments mention the same variable.
fn is_linear(terms: &Terms, args: &[TermId]) -> bool {
    let is_var = |term: TermId| matches!(terms.kind(term), TermKind::App(_, args) if args.is_empty());
    let nested: Vec<TermId> = args.iter().copied().filter(|arg| !is_var(*arg)).collect();
    let free = |term: TermId| &terms.term(term).free;
    (1..nested.len())
        .all(|at| nested[..at].iter().all(|other| !free(nested[at]).iter().any(|var| free(*other).contains(var))))
}

fn is_pattern(terms: &Terms, term: TermId) -> bool {
    match terms.kind(term) {
        _ if terms.term(term).free.is_empty() => true,
        TermKind::App(_, args) => args.iter().all(|arg| is_pattern(terms, *arg)),
        _ => false,
    }
}

enum Match {
    Yes,
    No,
    /// Only for some of the represented values.
    Open,
}

type Bindings = BTreeMap<SymbolId, Value>;

impl Structure<'_> {
    /// The value by a rule. `None`: no rule applies. `Some(None)`: unknown whether one applies.
    pub fn by_rule(&self, of: RuleHead, args: &[Value]) -> Option<Option<Value>> {
        for rule in self.rules.of.get(&of)? {
            if rule.tried {
                match self.by_trying(rule, args) {
                    None => continue,
                    found => return found,
                }
            }
            let mut bindings = Bindings::new();
            match self.matches(&rule.vars, &rule.args, args, &mut bindings) {
                Match::No => continue,
                Match::Open => return Some(None),
                Match::Yes => {}
            }
            let vars: Vec<SymbolId> = bindings.keys().copied().collect();
            let values: Vec<Value> = bindings.into_values().collect();
            let found = self.bind(&vars, &values, || {
                for guard in &rule.guards {
                    match self.truth(*guard) {
                        Some(true) => {}
                        Some(false) => return None,
                        None => return Some(None),
                    }
                }
                Some(match rule.value {
                    RuleValue::Term(value) => self.eval(value),
                    RuleValue::Truth(value) => Some(Value::truth(value)),
                })
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }
    /// Tries all values of the variables that satisfy the conditions.
    fn by_trying(&self, rule: &Rule, args: &[Value]) -> Option<Option<Value>> {
        self.without(&rule.vars, || self.tried(rule, &rule.vars, args))
    }
    fn tried(&self, rule: &Rule, open: &[SymbolId], args: &[Value]) -> Option<Option<Value>> {
        if self.spend().is_none() {
            return Some(None);
        }
        if open.is_empty() {
            for guard in &rule.guards {
                match self.truth(*guard) {
                    Some(true) => {}
                    Some(false) => return None,
                    None => return Some(None),
                }
            }
            for (arg, value) in rule.args.iter().zip(args) {
                match self.eval(*arg).and_then(|arg| self.same(&arg, value)) {
                    Some(true) => {}
                    Some(false) => return None,
                    None => return Some(None),
                }
            }
            return Some(match rule.value {
                RuleValue::Term(value) => self.eval(value),
                RuleValue::Truth(value) => Some(Value::truth(value)),
            });
        }
        let found = open.iter().find_map(|var| Some((*var, self.candidates(*var, &rule.guards)?)));
        let Some((var, candidates)) = found else { return Some(None) };
        let rest: Vec<SymbolId> = open.iter().copied().filter(|other| *other != var).collect();
        let mut unknown = None;
        for candidate in candidates {
            match self.with(var, Some(candidate), || self.tried(rule, &rest, args)) {
                Some(Some(value)) => return Some(Some(value)),
                Some(None) => unknown = Some(None),
                None => {}
            }
        }
        unknown
    }
    /// Whether a map has a key, if a fact determines its keys.
    pub fn has_key(&self, map: &Value, key: &Value) -> Option<bool> {
        let of_map = |of: &TermId| self.eval(*of).as_ref() == Some(map);
        let (var, _, has) = self.rules.keys.iter().find(|(_, of, _)| of_map(of))?;
        self.with(*var, Some(key.clone()), || self.truth(*has))
    }
    pub fn knows_keys(&self) -> bool {
        !self.rules.keys.is_empty()
    }
    fn matches(&self, vars: &[SymbolId], patterns: &[TermId], values: &[Value], bindings: &mut Bindings) -> Match {
        for (pattern, value) in patterns.iter().zip(values) {
            match self.match_one(vars, *pattern, value, bindings) {
                Match::Yes => {}
                other => return other,
            }
        }
        Match::Yes
    }
    fn match_one(&self, vars: &[SymbolId], pattern: TermId, value: &Value, bindings: &mut Bindings) -> Match {
        let terms = self.tables.terms;
        let told = |same: Option<bool>| match same {
            Some(true) => Match::Yes,
            Some(false) => Match::No,
            None => Match::Open,
        };
        let TermKind::App(symbol, args) = terms.kind(pattern) else {
            return self.eval(pattern).map_or(Match::Open, |known| told(self.same(&known, value)));
        };
        if args.is_empty() && vars.contains(symbol) {
            if let Some(known) = bindings.get(symbol) {
                return told(self.same(known, value));
            }
            bindings.insert(*symbol, value.clone());
            return Match::Yes;
        }
        match value {
            Value::Other(_) => Match::Open,
            _ if terms.term(pattern).free.is_empty() => {
                self.eval(pattern).map_or(Match::Open, |known| told(self.same(&known, value)))
            }
            Value::Fresh(made, parts) | Value::Made(made, parts) => {
                if made == symbol {
                    self.matches(vars, args, parts, bindings)
                } else {
                    Match::No
                }
            }
            _ => self.match_table(vars, (*symbol, args), value, bindings),
        }
    }
    /// The arguments for which the model has this value.
    fn match_table(
        &self,
        vars: &[SymbolId],
        (symbol, args): (SymbolId, &[TermId]),
        value: &Value,
        bindings: &mut Bindings,
    ) -> Match {
        let declared = self.tables.terms.symbol(symbol);
        let table = self.tabulated(&self.tables.symbol_name(symbol), &declared.params, declared.result);
        for (points, result) in table.iter().flat_map(|table| table.iter()) {
            match self.same(result, value) {
                None => return Match::Open,
                Some(false) => continue,
                Some(true) => {}
            }
            let mut more = bindings.clone();
            if let Match::Yes = self.matches(vars, args, points, &mut more) {
                *bindings = more;
                return Match::Yes;
            }
        }
        Match::No
    }
}
