//! What a model fixes of a collection: its size, and the elements that it speaks of.

use super::names::Names;
use super::{Collection, CollectionKind};
use echis_proof::Raw;
use echis_term::{Integer, Sort, SortId};

impl Names<'_> {
    pub(super) fn collection(&self, value: &Raw, sort: SortId) -> Option<Collection> {
        let kind = match self.tables.terms.sort_data(sort) {
            Sort::Seq(_) => CollectionKind::Seq,
            Sort::Set(_) => CollectionKind::Set,
            Sort::Multiset(_) => CollectionKind::Multiset,
            Sort::Map(..) => CollectionKind::Map,
            _ => return None,
        };
        Some(self.collection_of(value, kind, Some(sort)))
    }
    pub(super) fn collection_of(&self, value: &Raw, kind: CollectionKind, sort: Option<SortId>) -> Collection {
        let (size, elements) = match kind {
            CollectionKind::Seq => ("Seq.length", "Seq.index"),
            CollectionKind::Set => ("Set.card", "Set.in"),
            CollectionKind::Multiset => ("Multiset.card", "Multiset.count"),
            CollectionKind::Map => ("Map.card", "Map.lookup"),
        };
        // A map has the size of its domain.
        let domain = self.tables.of_collection("Map.domain", value);
        let domain = domain.and_then(|table| table.get(std::slice::from_ref(value)));
        let (size, sized) =
            if kind == CollectionKind::Map { ("Set.card", domain.unwrap_or(value)) } else { (size, value) };
        let size = self.tables.of_collection(size, sized).and_then(|table| table.get(std::slice::from_ref(sized)));
        let inside = |index: &Raw| match (index, size) {
            (Raw::Int(index), Some(Raw::Int(size))) => *index >= Integer::ZERO && index < size,
            _ => false,
        };
        let in_domain = |key: &Raw| {
            let table = self.tables.of_collection("Map.in", value);
            let known = table.and_then(|table| table.get(&[value.clone(), key.clone()] as &[Raw]));
            // The domain may be spoken of instead.
            let domain =
                self.tables.of_collection("Map.domain", value).and_then(|table| table.get(std::slice::from_ref(value)));
            let through = domain.and_then(|domain| {
                self.tables.of_collection("Set.in", domain)?.get(&[domain.clone(), key.clone()] as &[Raw])
            });
            known.or(through) != Some(&Raw::Bool(false))
        };
        let table = self.tables.of_collection(elements, value);
        let of_this = table.into_iter().flatten().filter_map(|(args, result)| match args.as_slice() {
            [collection, key] if collection == value => Some((key, result)),
            _ => None,
        });
        let (key_sort, value_sort) = match sort.map(|sort| self.tables.terms.sort_data(sort)) {
            Some(Sort::Seq(element)) => (None, Some(*element)),
            Some(Sort::Set(element) | Sort::Multiset(element)) => (Some(*element), None),
            Some(Sort::Map(key, value)) => (Some(*key), Some(*value)),
            _ => (None, None),
        };
        let text = |value: &Raw, sort: Option<SortId>| match sort {
            Some(sort) => self.text(Some(value), sort),
            None => self.plain(Some(value)),
        };
        let elements: Vec<(String, String)> = of_this
            .filter(|(key, result)| match kind {
                CollectionKind::Seq => inside(key),
                CollectionKind::Map => in_domain(key),
                CollectionKind::Set => true,
                CollectionKind::Multiset => **result != Raw::Int(Integer::ZERO),
            })
            .map(|(key, result)| (text(key, key_sort), text(result, value_sort)))
            .collect();
        // The solver's count of members is not always that of the members that it names.
        let named: usize = match kind {
            CollectionKind::Set => elements.iter().filter(|(_, inside)| inside == "true").count(),
            CollectionKind::Multiset => elements.iter().filter_map(|(_, count)| count.parse::<usize>().ok()).sum(),
            CollectionKind::Seq | CollectionKind::Map => 0,
        };
        let length = match size {
            Some(Raw::Int(size)) if *size < Integer::from(named) => Some(named.to_string()),
            _ => size.map(super::names::raw_text),
        };
        Collection { kind, length, elements }
    }
}
