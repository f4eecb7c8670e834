//! Heap entries: what is held, how much, and with which value.

use super::names::{Names, perm_text};
use super::tables::{Env, Tables};
use super::types::type_text;
use super::{Entry, HeapPart, Shown, UNSPECIFIED, contents, wands};
use crate::diagnose::Place;
use echis_base::SyntaxId;
use echis_program::program::{PredicateId, Program};
use echis_proof::{ChunkView, Extent, HeapView, Raw, ResourceView};
use echis_term::{Rational, Sort, SortId, SymbolId};
use std::collections::BTreeMap;

pub struct Heaps<'a> {
    pub place: Place<'a>,
    pub program: &'a Program,
    /// The holes of wands.
    pub wands: &'a BTreeMap<SyntaxId, Vec<SyntaxId>>,
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
    /// Quantified permission at the values of the model. Where the model does not fix the amount, nothing is said.
    fn enumerate(&self, chunk: &ChunkView, variables: &[SymbolId], position: usize, into: &mut Locations) {
        let sorts: Vec<SortId> = variables.iter().map(|variable| self.tables.terms.symbol(*variable).result).collect();
        for args in self.tuples(&sorts) {
            // Nobody has permission to fields of null; predicates may hold of it.
            if matches!(chunk.resource, ResourceView::Field(_)) && self.tables.null() == args.first() {
                continue;
            }
            let env: Env = variables.iter().copied().zip(args.iter().cloned()).collect();
            let Some(perm) = self.amount(chunk, &env).filter(|perm| *perm > Rational::ZERO) else { continue };
            let (value, value_sort) = self.looked_up(chunk, &args, &sorts);
            let held = Held { perm: Some(perm), value, sorts: sorts.clone(), value_sort, chunk: position };
            add(into, (chunk.resource, args.into_iter().map(Some).collect()), held);
        }
    }
    /// Choices of values for each sort, not too many.
    fn tuples(&self, sorts: &[SortId]) -> Vec<Vec<Raw>> {
        const MOST: usize = 400;
        let mut tuples: Vec<Vec<Raw>> = vec![Vec::new()];
        for sort in sorts {
            let values = self.tables.values(*sort);
            let longer = tuples
                .iter()
                .flat_map(|tuple| values.iter().map(|value| [tuple.as_slice(), std::slice::from_ref(value)].concat()));
            tuples = longer.take(MOST).collect();
        }
        tuples
    }
    /// The value that a chunk's map has at a location, and its sort.
    fn looked_up(&self, chunk: &ChunkView, args: &[Raw], sorts: &[SortId]) -> (Option<Raw>, Option<SortId>) {
        let map = self.tables.terms.sort_of(chunk.value);
        let Sort::SnapMap { key, value, .. } = self.tables.terms.sort_data(map) else { return (None, None) };
        let key = match self.tables.terms.sort_data(*key) {
            Sort::Snap => self.tables.tuple(args, sorts),
            _ => args.first().cloned(),
        };
        let lookup = format!("SnapMap.lookup<{}>", self.tables.sort_name(map));
        let found = self.tables.eval(chunk.value).zip(key);
        (found.and_then(|(map, key)| self.tables.model.value(&lookup, &[map, key]).cloned()), Some(*value))
    }
    /// What a heap holds at one location.
    pub fn value_at(&self, heap: &HeapView, resource: ResourceView, args: &[Raw]) -> Option<Raw> {
        heap.chunks.iter().filter(|chunk| chunk.resource == resource).find_map(|chunk| match &chunk.extent {
            Extent::One(held) => {
                let here = held.iter().zip(args).all(|(held, arg)| self.tables.eval(*held).as_ref() == Some(arg));
                here.then(|| self.tables.eval(chunk.value))?
            }
            Extent::Many(variables) => {
                let sorts: Vec<SortId> =
                    variables.iter().map(|variable| self.tables.terms.symbol(*variable).result).collect();
                self.looked_up(chunk, args, &sorts).0
            }
        })
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
            ResourceView::Wand(wand) => {
                let holes = wand.and_then(|wand| self.wands.get(&wand)).map_or(&[] as &[SyntaxId], Vec::as_slice);
                let sides = wand.and_then(|wand| wands::sides(self.place, wand, holes, &texts));
                let unknown = || (UNSPECIFIED.to_string(), UNSPECIFIED.to_string());
                let (left, right) = sides.unwrap_or_else(unknown);
                Some(Entry::Wand { left, right, perm })
            }
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
