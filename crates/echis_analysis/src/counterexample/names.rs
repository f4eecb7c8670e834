//! Values as text.

use super::tables::Tables;
use super::types::StoreEntry;
use super::{Shown, UNSPECIFIED, Variable, View};
use echis_program::program::Program;
use echis_proof::Raw;
use echis_term::{Rational, Sort, SortId};
use std::cell::RefCell;
use std::collections::BTreeMap;

pub struct Names<'a> {
    pub program: &'a Program,
    pub tables: &'a Tables<'a>,
    view: View,
    /// Elements that exactly one variable denotes.
    variables: BTreeMap<Raw, String>,
    /// Names that were made up, and how many of each kind.
    fresh: RefCell<(BTreeMap<Raw, String>, BTreeMap<String, usize>)>,
}

/// Constructor terms are printed to this depth.
const DEEPEST: usize = 8;

impl<'a> Names<'a> {
    pub fn new(program: &'a Program, tables: &'a Tables<'a>, store: &[StoreEntry], view: View) -> Self {
        let mut denoting: BTreeMap<Raw, Vec<&str>> = BTreeMap::new();
        for entry in store {
            if let Some(value @ Raw::Element(_)) = tables.eval(entry.term) {
                denoting.entry(value).or_default().push(&entry.name);
            }
        }
        let variables = denoting
            .into_iter()
            .filter_map(|(value, names)| match names.as_slice() {
                [name] => Some((value, name.to_string())),
                _ => None,
            })
            .collect();
        Names { program, tables, view, variables, fresh: RefCell::default() }
    }
    pub fn shown(&self, value: Option<&Raw>, sort: SortId) -> Shown {
        let collection = value.and_then(|value| self.collection(value, sort));
        Shown { text: self.text(value, sort), collection }
    }
    pub fn text(&self, value: Option<&Raw>, sort: SortId) -> String {
        self.text_at(value, sort, DEEPEST)
    }
    fn text_at(&self, value: Option<&Raw>, sort: SortId, depth: usize) -> String {
        let Some(value) = value else { return UNSPECIFIED.to_string() };
        match value {
            Raw::Bool(value) => value.to_string(),
            Raw::Int(value) => value.to_string(),
            Raw::Perm(value) => perm_text(value),
            Raw::Unit | Raw::Combine(..) => UNSPECIFIED.to_string(),
            Raw::Element(_) => {
                if self.tables.null() == Some(value) {
                    return "null".to_string();
                }
                if self.view == View::Intermediate {
                    return raw_text(value);
                }
                self.constructed(value, sort, depth).unwrap_or_else(|| self.element(value, sort))
            }
        }
    }
    fn element(&self, value: &Raw, sort: SortId) -> String {
        let kind = match self.tables.terms.sort_data(sort) {
            Sort::Ref => "Ref",
            Sort::Seq(_) => "Seq",
            Sort::Set(_) => "Set",
            Sort::Multiset(_) => "Multiset",
            Sort::Map(..) => "Map",
            Sort::User(name) => name.trim_start_matches("sort.").split('<').next().unwrap_or_default(),
            _ => "value",
        };
        self.named(value, kind)
    }
    /// A value whose sort is only known by what the solver calls it.
    pub fn plain(&self, value: Option<&Raw>) -> String {
        match value {
            None | Some(Raw::Unit | Raw::Combine(..)) => UNSPECIFIED.to_string(),
            Some(value @ Raw::Element(name)) => {
                if self.tables.null() == Some(value) {
                    return "null".to_string();
                }
                if self.view == View::Intermediate {
                    return raw_text(value);
                }
                let sort = name.split("!val!").next().unwrap_or_default();
                let kinds = ["Ref", "Seq", "Set", "Multiset", "Map"];
                let kind = kinds.into_iter().find(|kind| sort == *kind || sort.starts_with(&format!("{kind}<")));
                self.named(value, kind.unwrap_or("value"))
            }
            Some(value) => raw_text(value),
        }
    }
    fn named(&self, value: &Raw, kind: &str) -> String {
        if let Some(name) = self.variables.get(value) {
            return name.clone();
        }
        let mut fresh = self.fresh.borrow_mut();
        if let Some(name) = fresh.0.get(value) {
            return name.clone();
        }
        let count = fresh.1.entry(kind.to_string()).or_insert(0);
        let name = format!("{kind}!{count}");
        *count += 1;
        fresh.0.insert(value.clone(), name.clone());
        name
    }
    /// Functions of ADTs say nothing that constructor terms do not show.
    pub fn hides(&self, function: &str) -> bool {
        let base = function.split('<').next().unwrap_or_default();
        let declared = self.program.domain_functions.values().find(|declared| *declared.name == *base);
        self.view != View::Intermediate
            && declared.is_some_and(|declared| self.program.domains[declared.domain].adt.is_some())
    }
    /// The constructor term of an ADT's value, where the model knows the constructor.
    fn constructed(&self, value: &Raw, sort: SortId, depth: usize) -> Option<String> {
        let Sort::User(name) = self.tables.terms.sort_data(sort) else { return None };
        let instance = name.strip_prefix("sort.")?;
        let (base, args) = instance.find('<').map_or((instance, ""), |at| instance.split_at(at));
        let (_, domain) = self.program.domains.iter().find(|(_, domain)| *domain.name == *base)?;
        for constructor in domain.adt.as_ref()? {
            let declared = &self.program.domain_functions[constructor.constructor];
            let Some(table) = self.domain_table(&declared.name, args) else { continue };
            let Some((fields, _)) = table.0.iter().find(|(_, made)| *made == value) else { continue };
            if depth == 0 {
                return Some(format!("{}(…)", declared.name));
            }
            let fields: Vec<String> =
                fields.iter().zip(table.1).map(|(field, sort)| self.text_at(Some(field), *sort, depth - 1)).collect();
            return Some(format!("{}({})", declared.name, fields.join(", ")));
        }
        None
    }
    fn domain_table(&self, function: &str, args: &str) -> Option<(&echis_proof::Table, &[SortId])> {
        let name = format!("dom.{function}{args}");
        let (id, symbol) = self.tables.terms.symbols().find(|(_, symbol)| *symbol.name == *name)?;
        Some((self.tables.of_symbol(id)?, &symbol.params))
    }
    /// Every collection that the model speaks of.
    pub fn collections(&self) -> Vec<Variable> {
        let mut found: BTreeMap<Raw, Shown> = BTreeMap::new();
        for (operator, kind) in [
            ("Seq.length", super::CollectionKind::Seq),
            ("Set.card", super::CollectionKind::Set),
            ("Multiset.card", super::CollectionKind::Multiset),
            ("Map.card", super::CollectionKind::Map),
        ] {
            let tables = self.tables.model.tables.iter().filter(|(name, _)| name.starts_with(operator));
            for value in tables.flat_map(|(_, table)| table.keys()).filter_map(|args| args.first()) {
                let collection = self.collection_of(value, kind, None);
                found.insert(value.clone(), Shown { text: raw_text(value), collection: Some(collection) });
            }
        }
        let named = found.into_iter().map(|(value, shown)| Variable {
            name: raw_text(&value),
            ty: raw_text(&value).split("!val!").next().unwrap_or_default().replace('<', "[").replace('>', "]"),
            value: shown,
            irrelevant: false,
        });
        named.collect()
    }
}

/// An amount of permission as a fraction.
pub fn perm_text(value: &Rational) -> String {
    format!("{}/{}", value.numerator(), value.denominator())
}

pub fn raw_text(value: &Raw) -> String {
    match value {
        Raw::Element(name) => name.to_string(),
        Raw::Bool(value) => value.to_string(),
        Raw::Int(value) => value.to_string(),
        Raw::Perm(value) => perm_text(value),
        Raw::Unit => "unit".to_string(),
        Raw::Combine(first, second) => format!("({}, {})", raw_text(first), raw_text(second)),
    }
}
