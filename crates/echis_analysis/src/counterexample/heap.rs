//! Heap entries: what is held, how much, and with which value.

use super::names::{Names, perm_text};
use super::tables::{Env, Tables};
use super::types::type_text;
use super::{Entry, HeapPart, Shown, UNSPECIFIED, contents};
use echis_program::program::{PredicateId, Program};
use echis_proof::{ChunkView, Extent, HeapView, Raw, ResourceView};
use echis_term::{Rational, Sort, SortId};
use std::collections::BTreeMap;

pub struct Heaps<'a> {
    pub program: &'a Program,
    pub tables: &'a Tables<'a>,
    pub names: &'a Names<'a>,
}

/// What is held of one location, over all chunks.
#[derive(Default)]
struct Held {
    /// `None`: some share of it is not known.
    perm: Option<Rational>,
    value: Option<Raw>,
    sorts: Vec<SortId>,
    value_sort: Option<SortId>,
    chunk: usize,
}

type Locations = BTreeMap<(ResourceView, Vec<Option<Raw>>), Held>;

impl Heaps<'_> {
    pub fn part(&self, state: String, heap: &HeapView) -> HeapPart {
        let mut locations = Locations::new();
        let mut more_possible = false;
        for (position, chunk) in heap.chunks.iter().enumerate() {
            match &chunk.extent {
                Extent::One(args) => {
                    let sorts = args.iter().map(|arg| self.tables.terms.sort_of(*arg)).collect();
                    let args = args.iter().map(|arg| self.tables.eval(*arg)).collect();
                    let perm = self.amount(chunk, &Env::new());
                    let value = self.tables.eval(chunk.value);
                    let value_sort = self.tables.terms.sort_of(chunk.value);
                    add(
                        &mut locations,
                        (chunk.resource, args),
                        Held { perm, value, sorts, value_sort: Some(value_sort), chunk: position },
                    );
                }
                Extent::Many(variables) => {
                    more_possible = true;
                    self.enumerate(chunk, variables, position, &mut locations);
                }
            }
        }
        let mut entries: Vec<(usize, Entry)> = Vec::new();
        for ((resource, args), held) in &locations {
            if held.perm.as_ref().is_some_and(|perm| *perm <= Rational::ZERO) {
                continue;
            }
            entries.extend(self.entry(*resource, args, held).map(|entry| (held.chunk, entry)));
        }
        entries.sort_by_key(|(chunk, _)| *chunk);
        HeapPart { state, entries: entries.into_iter().map(|(_, entry)| entry).collect(), more_possible }
    }
    fn amount(&self, chunk: &ChunkView, env: &Env) -> Option<Rational> {
        match self.tables.eval_in(chunk.perm, env)? {
            Raw::Perm(perm) => Some(perm),
            _ => None,
        }
    }
    /// Quantified permission at the references of the model. Where the model does not fix the amount, nothing is said.
    fn enumerate(&self, chunk: &ChunkView, variables: &[echis_term::SymbolId], position: usize, into: &mut Locations) {
        let sorts: Vec<SortId> = variables.iter().map(|variable| self.tables.terms.symbol(*variable).result).collect();
        let [sort] = sorts.as_slice() else { return };
        let lookup = self.lookup_name(chunk);
        let map = self.tables.eval(chunk.value);
        for reference in self.tables.universe(*sort) {
            // Nobody has permission to fields of null; predicates may hold of it.
            if matches!(chunk.resource, ResourceView::Field(_)) && self.tables.null() == Some(&reference) {
                continue;
            }
            let env = Env::from([(variables[0], reference.clone())]);
            let Some(perm) = self.amount(chunk, &env) else { continue };
            if perm <= Rational::ZERO {
                continue;
            }
            let value = map.as_ref().zip(lookup.as_ref()).and_then(|(map, (lookup, _))| {
                self.tables.model.value(lookup, &[map.clone(), reference.clone()]).cloned()
            });
            let held = Held {
                perm: Some(perm),
                value,
                sorts: sorts.clone(),
                value_sort: lookup.as_ref().map(|(_, sort)| *sort),
                chunk: position,
            };
            add(into, (chunk.resource, vec![Some(reference)]), held);
        }
    }
    /// The lookup operator of a chunk's map, if its keys are references, and the sort of its values.
    fn lookup_name(&self, chunk: &ChunkView) -> Option<(String, SortId)> {
        let Sort::SnapMap { key, value, .. } = self.tables.terms.sort_data(self.tables.terms.sort_of(chunk.value))
        else {
            return None;
        };
        if !matches!(self.tables.terms.sort_data(*key), Sort::Ref) {
            return None;
        }
        let map = self.tables.eval(chunk.value)?;
        let Raw::Element(name) = &map else { return None };
        let sort = name.split("!val!").next()?;
        Some((format!("SnapMap.lookup<{sort}>"), *value))
    }

    fn entry(&self, resource: ResourceView, args: &[Option<Raw>], held: &Held) -> Option<Entry> {
        let perm = held.perm.as_ref().map_or_else(|| UNSPECIFIED.to_string(), perm_text);
        let texts: Vec<String> =
            args.iter().zip(&held.sorts).map(|(arg, sort)| self.names.text(arg.as_ref(), *sort)).collect();
        match resource {
            ResourceView::Field(id) => {
                let (_, field) = self.program.fields.iter().find(|(_, field)| field.id == id)?;
                let value = match held.value_sort {
                    Some(sort) => self.names.shown(held.value.as_ref(), sort),
                    None => Shown { text: UNSPECIFIED.to_string(), collection: None },
                };
                Some(Entry::Field {
                    receiver: texts.into_iter().next()?,
                    field: field.name.to_string(),
                    value,
                    ty: type_text(self.program, &field.ty),
                    perm,
                })
            }
            ResourceView::Predicate(id) => {
                let (key, predicate) = self.program.predicates.iter().find(|(_, predicate)| predicate.id == id)?;
                let contents = self.contents(key, args, held.value.as_ref());
                Some(Entry::Predicate { name: predicate.name.to_string(), args: texts, perm, contents })
            }
            ResourceView::Wand(_) => Some(Entry::Wand { args: texts, perm }),
        }
    }
    fn contents(&self, predicate: PredicateId, args: &[Option<Raw>], snapshot: Option<&Raw>) -> Vec<Entry> {
        contents::contents(self, predicate, args, snapshot, contents::DEEPEST)
    }
}

fn add(locations: &mut Locations, key: (ResourceView, Vec<Option<Raw>>), held: Held) {
    match locations.entry(key) {
        std::collections::btree_map::Entry::Vacant(entry) => {
            entry.insert(held);
        }
        std::collections::btree_map::Entry::Occupied(mut entry) => {
            let known = entry.get_mut();
            known.perm = known.perm.take().zip(held.perm).map(|(a, b)| a + b);
            known.value = known.value.take().or(held.value);
        }
    }
}
