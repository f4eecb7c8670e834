//! Values of ADTs in a replay are terms of constructors: equal only if made alike, taken apart by destructors, told
//! apart by tags. What the axioms of ADTs say is true of such terms and need not be checked.

use super::decode::Decoder;
use super::tables::Tables;
use super::value::Value;
use echis_program::program::Program;
use echis_proof::Raw;
use echis_term::{SortId, SymbolId, TermId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Default)]
pub struct Adts {
    constructors: HashMap<SymbolId, Constructor>,
    /// The constructor, and the position of the argument.
    destructors: HashMap<SymbolId, (SymbolId, usize)>,
    /// The tag function of a sort.
    tags: HashMap<SymbolId, SortId>,
    by_sort: BTreeMap<SortId, BTreeSet<SymbolId>>,
}

struct Constructor {
    tag: u32,
    /// One for each argument, where the member knows it.
    destructors: Vec<Option<SymbolId>>,
}

/// Terms are read to this depth: a model may be cyclic.
const DEEPEST: usize = 12;

impl Adts {
    pub fn new(program: &Program, tables: &Tables<'_>) -> Self {
        let terms = tables.terms;
        let symbols: HashMap<&str, SymbolId> =
            terms.symbols().filter_map(|(id, symbol)| Some((symbol.name.strip_prefix("dom.")?, id))).collect();
        let mut adts = Adts::default();
        for (name, id) in &symbols {
            let (base, args) = name.find('<').map_or((*name, ""), |at| name.split_at(at));
            let sort = terms.symbol(*id).result;
            for domain in program.domains.values() {
                if *base == format!("{}#tag", domain.name) && domain.adt.is_some() {
                    adts.tags.insert(*id, terms.symbol(*id).params[0]);
                }
                for made in domain.adt.iter().flatten() {
                    if *program.domain_functions[made.constructor].name != *base {
                        continue;
                    }
                    let destructors: Vec<Option<SymbolId>> = made
                        .destructors
                        .iter()
                        .map(|function| {
                            let name = format!("{}{args}", program.domain_functions[*function].name);
                            symbols.get(name.as_str()).copied()
                        })
                        .collect();
                    for (position, destructor) in destructors.iter().enumerate() {
                        adts.destructors.extend(destructor.map(|destructor| (destructor, (*id, position))));
                    }
                    adts.by_sort.entry(sort).or_default().insert(*id);
                    adts.constructors.insert(*id, Constructor { tag: made.tag, destructors });
                }
            }
        }
        adts
    }
    pub fn is_adt(&self, sort: SortId) -> bool {
        self.by_sort.contains_key(&sort)
    }
    /// Whether a fact speaks of nothing but ADTs, so that it is one of their axioms or follows from them.
    pub fn is_axiom(&self, tables: &Tables<'_>, fact: TermId) -> bool {
        let symbols = tables.terms.symbols_of(fact);
        let known = |symbol: &SymbolId| {
            self.constructors.contains_key(symbol)
                || self.destructors.contains_key(symbol)
                || self.tags.contains_key(symbol)
        };
        let is_bound = |symbol: &SymbolId| tables.terms.symbol(*symbol).kind == echis_term::SymbolKind::Bound;
        symbols.iter().any(known) && symbols.iter().all(|symbol| known(symbol) || is_bound(symbol))
    }
    /// The value of an application, where the symbol is one of an ADT's.
    pub fn apply(
        &self,
        decoder: &Decoder<'_>,
        symbol: SymbolId,
        args: &[Value],
        result: SortId,
    ) -> Option<Option<Value>> {
        if self.constructors.contains_key(&symbol) {
            return Some(Some(Value::Made(symbol, args.to_vec())));
        }
        if self.tags.contains_key(&symbol) {
            let Some(Value::Made(made, _)) = args.first() else { return Some(None) };
            return Some(self.constructors.get(made).map(|constructor| Value::int(constructor.tag)));
        }
        let (constructor, position) = self.destructors.get(&symbol)?;
        Some(match args.first() {
            Some(Value::Made(made, parts)) if made == constructor => parts.get(*position).cloned(),
            Some(Value::Made(..)) => decoder.any(result),
            _ => None,
        })
    }
    /// The term that an element of the model is.
    pub fn read(
        &self,
        decoder: &Decoder<'_>,
        tables: &Tables<'_>,
        raw: &Raw,
        sort: SortId,
        depth: usize,
    ) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        let constructor = self.constructor_of(tables, raw, sort)?;
        let made = &self.constructors[&constructor];
        let params = &tables.terms.symbol(constructor).params;
        let arguments = tables.of_symbol(constructor).into_iter().flatten().find(|(_, value)| *value == raw);
        let mut parts = Vec::new();
        for (position, sort) in params.iter().enumerate() {
            let by_destructor = made.destructors.get(position).copied().flatten();
            let found =
                by_destructor.and_then(|destructor| tables.of_symbol(destructor)?.get(std::slice::from_ref(raw)));
            let part = match found.or(arguments.and_then(|(args, _)| args.get(position))) {
                Some(part) if self.is_adt(*sort) => self.read(decoder, tables, part, *sort, depth + 1)?,
                Some(part) => decoder.value(part, *sort)?,
                None => decoder.any(*sort)?,
            };
            parts.push(part);
        }
        Some(Value::Made(constructor, parts))
    }
    /// By what made it, or by its tag; elements that nothing is said of are the simplest there is.
    fn constructor_of(&self, tables: &Tables<'_>, raw: &Raw, sort: SortId) -> Option<SymbolId> {
        let constructors = self.by_sort.get(&sort)?;
        let made = |constructor: &&SymbolId| {
            tables.of_symbol(**constructor).is_some_and(|table| table.values().any(|value| value == raw))
        };
        if let Some(constructor) = constructors.iter().find(made) {
            return Some(*constructor);
        }
        let tag = self.tags.iter().find(|(_, of)| **of == sort);
        let tag = tag.and_then(|(tag, _)| tables.of_symbol(*tag)?.get(std::slice::from_ref(raw)));
        match tag {
            Some(Raw::Int(tag)) => constructors
                .iter()
                .find(|constructor| echis_term::Integer::from(self.constructors[*constructor].tag) == *tag)
                .copied(),
            _ => self.simplest(tables, sort),
        }
    }
    /// A constructor without arguments.
    fn simplest(&self, tables: &Tables<'_>, sort: SortId) -> Option<SymbolId> {
        let mut constructors = self.by_sort.get(&sort)?.iter();
        constructors.find(|constructor| tables.terms.symbol(**constructor).params.is_empty()).copied()
    }
    pub fn any(&self, tables: &Tables<'_>, sort: SortId) -> Option<Value> {
        self.simplest(tables, sort).map(|constructor| Value::Made(constructor, Vec::new()))
    }
}
