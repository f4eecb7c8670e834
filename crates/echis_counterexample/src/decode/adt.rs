//! Values of ADTs in a replay are constructor terms: equal only if constructed the same way, with destructors and
//! tags determined by the constructor. The axioms of ADTs hold for such terms and need not be checked.

use super::Decoder;
use crate::limits::LIMITS;
use crate::tables::Tables;
use crate::value::Value;
use echis_base::Name;
use echis_program::program::Program;
use echis_proof::Raw;
use echis_term::{SortId, SymbolId, SymbolRole, TermId, Terms};
use std::collections::{BTreeMap, BTreeSet, HashMap};

#[derive(Default)]
pub struct Adts {
    constructors: HashMap<SymbolId, Constructor>,
    /// The constructor, and the argument's position.
    destructors: HashMap<SymbolId, (SymbolId, usize)>,
    /// The tag function of a sort.
    tags: HashMap<SymbolId, SortId>,
    by_sort: BTreeMap<SortId, BTreeSet<SymbolId>>,
}

struct Constructor {
    tag: u32,
    /// One for each argument, if the member mentions it.
    destructors: Vec<Option<SymbolId>>,
}

impl Adts {
    pub fn new(program: &Program, terms: &Terms) -> Self {
        let mut adts = Adts::default();
        if program.domains.values().all(|domain| domain.adt.is_none()) {
            return adts;
        }
        // By function, for each instance.
        let mut symbols: HashMap<&Name, Vec<(SymbolId, &Name)>> = HashMap::new();
        let mut instances: HashMap<(&Name, &Name), SymbolId> = HashMap::new();
        for (id, symbol) in terms.symbols() {
            let SymbolRole::DomainFunction { function, type_args } = &symbol.role else { continue };
            symbols.entry(function).or_default().push((id, type_args));
            instances.insert((function, type_args), id);
        }
        for domain in program.domains.values() {
            let Some(adt) = &domain.adt else { continue };
            for made in adt {
                let [tag, name] =
                    [made.tag_function, made.constructor].map(|function| &program.domain_functions[function].name);
                for (id, _) in symbols.get(tag).into_iter().flatten() {
                    adts.tags.insert(*id, terms.symbol(*id).params[0]);
                }
                for (id, type_args) in symbols.get(name).into_iter().flatten() {
                    let found = made.destructors.iter().map(|function| {
                        instances.get(&(&program.domain_functions[*function].name, *type_args)).copied()
                    });
                    let destructors: Vec<Option<SymbolId>> = found.collect();
                    for (position, destructor) in destructors.iter().enumerate() {
                        adts.destructors.extend(destructor.map(|destructor| (destructor, (*id, position))));
                    }
                    adts.by_sort.entry(terms.symbol(*id).result).or_default().insert(*id);
                    adts.constructors.insert(*id, Constructor { tag: made.tag, destructors });
                }
            }
        }
        adts
    }
    /// The terms that determine the constructor of an ADT value and its arguments.
    pub fn apart(&self, terms: &mut Terms, term: TermId) -> Vec<TermId> {
        let sort = terms.sort_of(term);
        let tags = self.tags.iter().filter(|(_, of)| **of == sort).map(|(tag, _)| *tag);
        let parts = self.by_sort.get(&sort).into_iter().flatten();
        let parts = parts.flat_map(|constructor| self.constructors[constructor].destructors.iter().copied().flatten());
        let symbols: BTreeSet<SymbolId> = tags.chain(parts).collect();
        symbols.into_iter().map(|symbol| terms.app(symbol, [term])).collect()
    }
    pub fn is_adt(&self, sort: SortId) -> bool {
        self.by_sort.contains_key(&sort)
    }
    /// Whether a fact is only about ADTs, so that it is one of their axioms or follows from them.
    pub fn is_axiom(&self, tables: &Tables<'_>, fact: TermId) -> bool {
        let symbols = tables.terms.symbols_of(fact);
        let known = |symbol: &SymbolId| {
            self.constructors.contains_key(symbol)
                || self.destructors.contains_key(symbol)
                || self.tags.contains_key(symbol)
        };
        let is_bound = |symbol: &SymbolId| tables.terms.symbol(*symbol).kind() == echis_term::SymbolKind::Bound;
        symbols.iter().any(known) && symbols.iter().all(|symbol| known(symbol) || is_bound(symbol))
    }
    /// The value of an application, if the symbol belongs to an ADT.
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
    /// The constructor term for an element of the model.
    pub fn read(
        &self,
        decoder: &Decoder<'_>,
        tables: &Tables<'_>,
        raw: &Raw,
        sort: SortId,
        depth: usize,
    ) -> Option<Value> {
        if depth > LIMITS.adt_depth {
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
    /// The constructor of an element: by its construction, or by its tag; if both are unknown, the simplest one.
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
        // It is none of the constants with other values, whatever its tag.
        let constant = |constructor: &SymbolId| tables.terms.symbol(*constructor).params.is_empty();
        let is_another = |constructor: &SymbolId| {
            constant(constructor) && tables.of_symbol(*constructor).is_some_and(|table| !table.is_empty())
        };
        let tagged = constructors.iter().find(|constructor| {
            let own = Raw::Int(echis_term::Integer::from(self.constructors[*constructor].tag));
            tag == Some(&own) && !is_another(constructor)
        });
        let left = || constructors.iter().find(|constructor| constant(constructor) && !is_another(constructor));
        tagged.or_else(left).copied().or_else(|| self.simplest(tables, sort))
    }
    /// The simplest constructor: without arguments, or with arguments that are no harder to construct.
    fn simplest(&self, tables: &Tables<'_>, sort: SortId) -> Option<SymbolId> {
        let params = |constructor: &SymbolId| &tables.terms.symbol(*constructor).params;
        let constructors = self.by_sort.get(&sort)?;
        let flat = |constructor: &&SymbolId| params(constructor).iter().all(|param| !self.is_adt(*param));
        let apart = |constructor: &&SymbolId| params(constructor).iter().all(|param| *param != sort);
        let mut all = constructors.iter();
        all.find(|constructor| params(constructor).is_empty())
            .or_else(|| constructors.iter().find(flat))
            .or_else(|| constructors.iter().find(apart))
            .copied()
    }
    pub fn any(&self, decoder: &Decoder<'_>, tables: &Tables<'_>, sort: SortId, depth: usize) -> Option<Value> {
        let constructor = self.simplest(tables, sort).filter(|_| depth < LIMITS.adt_depth)?;
        let params = tables.terms.symbol(constructor).params.iter();
        let parts = params.map(|param| match self.is_adt(*param) {
            true => self.any(decoder, tables, *param, depth + 1),
            false => decoder.any(*param),
        });
        parts.collect::<Option<_>>().map(|parts| Value::Made(constructor, parts))
    }
}
