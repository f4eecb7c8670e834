//! The solver's view of collections: their sizes and elements in the model.

use super::datum::datum;
use super::value_text::{ValueText, raw_text};
use super::{Collection, CollectionKind, Shown, UNSPECIFIED, Variable};
use echis_findings::counterexample::Value as Datum;
use echis_proof::Raw;
use echis_term::{Integer, Sort, TermId};
use std::collections::BTreeMap;

impl ValueText<'_> {
    pub(super) fn modelled(&self, term: TermId) -> Shown {
        let tables = self.structure.tables;
        let Some(value) = tables.eval(term) else { return Shown::unspecified() };
        let kind = match tables.terms.sort_data(tables.terms.sort_of(term)) {
            Sort::Seq(_) => Some(CollectionKind::Seq),
            Sort::Set(_) => Some(CollectionKind::Set),
            Sort::Multiset(_) => Some(CollectionKind::Multiset),
            Sort::Map(..) => Some(CollectionKind::Map),
            _ => None,
        };
        let is_null = tables.null() == Some(&value);
        let text = match &value {
            _ if is_null => "null".to_string(),
            Raw::Unit | Raw::Combine(..) => UNSPECIFIED.to_string(),
            value => raw_text(value),
        };
        let modelled = if is_null { Datum::Null } else { datum(&value).unwrap_or(Datum::Unspecified) };
        Shown { text, value: modelled, collection: kind.map(|kind| self.modelled_collection(&value, kind)) }
    }
    fn modelled_collection(&self, value: &Raw, kind: CollectionKind) -> Collection {
        let tables = self.structure.tables;
        let (size, elements) = match kind {
            CollectionKind::Seq => ("Seq.length", "Seq.index"),
            CollectionKind::Set => ("Set.card", "Set.in"),
            CollectionKind::Multiset => ("Multiset.card", "Multiset.count"),
            CollectionKind::Map => ("Map.card", "Map.lookup"),
        };
        // The size of a map is that of its domain.
        let domain = tables.of_collection("Map.domain", value);
        let domain = domain.and_then(|table| table.get(std::slice::from_ref(value)));
        let (size, sized) =
            if kind == CollectionKind::Map { ("Set.card", domain.unwrap_or(value)) } else { (size, value) };
        let size = tables.of_collection(size, sized).and_then(|table| table.get(std::slice::from_ref(sized)));
        let inside = |index: &Raw| match (index, size) {
            (Raw::Int(index), Some(Raw::Int(size))) => *index >= Integer::ZERO && index < size,
            _ => false,
        };
        let table = tables.of_collection(elements, value);
        let of_this = table.into_iter().flatten().filter_map(|(args, result)| match args.as_slice() {
            [collection, key] if collection == value => Some((key, result)),
            _ => None,
        });
        let elements = of_this
            .filter(|(key, result)| match kind {
                CollectionKind::Seq => inside(key),
                CollectionKind::Map | CollectionKind::Set => true,
                CollectionKind::Multiset => **result != Raw::Int(Integer::ZERO),
            })
            .map(|(key, result)| (raw_text(key), raw_text(result)))
            .collect();
        Collection { kind, length: size.map(raw_text), elements }
    }
    /// Every collection in the model.
    pub fn collections(&self) -> Vec<Variable> {
        let mut found: BTreeMap<Raw, Shown> = BTreeMap::new();
        for (operator, kind) in [
            ("Seq.length", CollectionKind::Seq),
            ("Set.card", CollectionKind::Set),
            ("Multiset.card", CollectionKind::Multiset),
            ("Map.card", CollectionKind::Map),
        ] {
            let tables = self.structure.tables.model.tables.iter().filter(|(name, _)| name.starts_with(operator));
            for value in tables.flat_map(|(_, table)| table.keys()).filter_map(|args| args.first()) {
                let collection = self.modelled_collection(value, kind);
                let (text, datum) = (raw_text(value), datum(value).unwrap_or(Datum::Unspecified));
                found.insert(value.clone(), Shown { text, value: datum, collection: Some(collection) });
            }
        }
        let named = found.into_iter().map(|(value, shown)| Variable {
            name: raw_text(&value),
            ty: raw_text(&value).split("!val!").next().unwrap_or_default().replace('<', "[").replace('>', "]"),
            value: shown,
            irrelevant: false,
            nameable: false,
            span: None,
        });
        named.collect()
    }
}
