//! Locations of a resource: canonical variables for its arguments, and keys of its maps.
//!
//! A field's key is its receiver. The key of a predicate or wand instance is the tuple of its arguments, as one
//! snapshot; facts about maps quantify over keys, and destructure them where they mention permissions.

use crate::state::{Chunk, Produced, Resource, Shape};
use crate::tree::Writer;
use echis_term::{Op, Sort, SortId, SymbolId, TermId};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The location keys of the quantified resources in one member.
#[derive(Default)]
pub(crate) struct Table(BTreeMap<Resource, Rc<Keys>>);

impl Table {
    /// The canonical variables of a resource in use, for inspecting its chunks.
    pub fn variables_of(&self, resource: Resource) -> Vec<SymbolId> {
        self.0.get(&resource).map_or_else(Vec::new, |keys| keys.vars.to_vec())
    }
}

/// The representation of locations of one resource.
pub(crate) struct Keys {
    /// The canonical variables: one for each argument.
    pub vars: Box<[SymbolId]>,
    pub terms: Box<[TermId]>,
    /// A variable for a whole key, and the arguments projected from it.
    pub key: SymbolId,
    pub key_term: TermId,
    pub parts: Box<[TermId]>,
    /// The condition that the key is a tuple of arguments.
    pub shape: TermId,
    pub map_sort: SortId,
}

impl Writer<'_> {
    /// Returns the keys of a resource. On first use, the sorts of `args` determine those of the variables.
    pub fn keys(&mut self, resource: Resource, args: &[TermId]) -> Rc<Keys> {
        if let Some(keys) = self.keys.0.get(&resource) {
            return keys.clone();
        }
        let sorts: Vec<SortId> = args.iter().map(|arg| self.tree.terms.sort_of(*arg)).collect();
        let keys = Rc::new(self.new_keys(resource, &sorts));
        self.keys.0.insert(resource, keys.clone());
        keys
    }
    /// The keys of a resource, if one of its locations occurred already.
    pub fn met_keys(&self, resource: Resource) -> Option<Rc<Keys>> {
        self.keys.0.get(&resource).cloned()
    }
    /// The keys of a resource that has a chunk.
    pub fn known_keys(&mut self, resource: Resource) -> Rc<Keys> {
        self.keys(resource, &[])
    }
    fn new_keys(&mut self, resource: Resource, sorts: &[SortId]) -> Keys {
        let value = self.value_sort(resource);
        let name = self.context.resource_name(resource);
        let (prefix, base) = match resource {
            Resource::Field(_) => ("field", "r"),
            Resource::Predicate(_) => ("pred", "a"),
            Resource::Wand(_) => ("wand", "a"),
        };
        let terms = self.terms();
        let vars: Box<[SymbolId]> = sorts.iter().map(|sort| terms.fresh_variable(base, *sort)).collect();
        let args: Box<[TermId]> = vars.iter().map(|var| terms.constant(*var)).collect();
        let snap = terms.snap_sort();
        let is_field = matches!(resource, Resource::Field(_));
        let key_sort = if is_field { sorts[0] } else { snap };
        let map_sort = terms.sort(Sort::SnapMap { resource: format!("{prefix}.{name}").into(), key: key_sort, value });
        if is_field {
            let (key, key_term, shape) = (vars[0], args[0], terms.truth());
            return Keys { vars, terms: args.clone(), key, key_term, parts: args, shape, map_sort };
        }
        let key = terms.fresh_variable("key", snap);
        let key_term = terms.constant(key);
        let mut parts = Vec::new();
        let mut rest = key_term;
        for (index, sort) in sorts.iter().enumerate() {
            let last = index + 1 == sorts.len();
            let part = if last { rest } else { terms.first(rest) };
            parts.push(terms.unwrap(part, *sort));
            if !last {
                rest = terms.second(rest);
            }
        }
        let tuple = terms.tuple(&parts);
        let shape = terms.eq(key_term, tuple);
        Keys { vars, terms: args, key, key_term, parts: parts.into(), shape, map_sort }
    }
    /// The key of a location.
    pub fn key_of(&mut self, resource: Resource, args: &[TermId]) -> TermId {
        match resource {
            Resource::Field(_) => args[0],
            Resource::Predicate(_) | Resource::Wand(_) => self.terms().tuple(args),
        }
    }
    /// Instantiates a term over the canonical variables at the given arguments.
    pub fn at_location(&mut self, keys: &Keys, term: TermId, args: &[TermId]) -> TermId {
        let map: BTreeMap<SymbolId, TermId> = keys.vars.iter().copied().zip(args.iter().copied()).collect();
        self.terms().substitute(term, &map)
    }
    pub fn perm_at(&mut self, chunk: &Chunk, args: &[TermId]) -> TermId {
        let keys = self.keys(chunk.resource, args);
        self.at_location(&keys, chunk.perm, args)
    }
    /// The value that a chunk has for a location, provided it has permission to it.
    pub fn value_at(&mut self, chunk: &Chunk, args: &[TermId]) -> TermId {
        if singleton(chunk).is_some() {
            return chunk.value;
        }
        self.look_up(chunk.resource, chunk.value, args)
    }
    pub fn look_up(&mut self, resource: Resource, map: TermId, args: &[TermId]) -> TermId {
        let key = self.key_of(resource, args);
        self.terms().op(Op::Lookup, [map, key])
    }
    /// The condition that the canonical variables equal the arguments.
    pub fn is_location(&mut self, keys: &Keys, args: &[TermId]) -> TermId {
        self.terms().eq_all(&keys.terms, args)
    }
    /// Instantiates a term over the canonical variables at the arguments in the key.
    pub fn at_key(&mut self, keys: &Keys, term: TermId) -> TermId {
        self.at_location(keys, term, &keys.parts.clone())
    }
    /// The chunks of a resource, with their indices in the heap.
    pub fn chunks_of(&self, heap: &crate::state::Heap, resource: Resource) -> Vec<(usize, Chunk)> {
        heap.of(resource).map(|(index, chunk)| (index, chunk.clone())).collect()
    }
}

/// The arguments of a chunk that covers a single location.
pub fn singleton(chunk: &Chunk) -> Option<Rc<[TermId]>> {
    match &chunk.shape {
        Shape::Single(args) => Some(args.clone()),
        Shape::Many(many) => many.singleton.clone(),
    }
}

/// The access that a quantified chunk was produced from.
pub fn produced(chunk: &Chunk) -> Option<&Produced> {
    match &chunk.shape {
        Shape::Single(_) => None,
        Shape::Many(many) => many.produced.as_ref(),
    }
}
