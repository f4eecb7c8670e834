//! Heap entries: locations with amounts and values.

pub mod inventory;

use super::interval::IntervalOwner;
use super::types::type_text;
use super::unroll::{Piece, PieceOf};
use super::value::Value;
use super::value_text::{ValueText, perm_text};
use super::{Entry, HeapPart, Shown, UNSPECIFIED, wands};
use crate::limits::LIMITS;
use echis_base::SyntaxId;
use echis_findings::diagnose::Place;
use echis_program::program::Program;
use echis_proof::{ChunkView, Extent, HeapView, Raw, ResourceView};
use echis_term::{Rational, Sort, SortId, SymbolId, TermId};
use std::collections::BTreeMap;

pub struct Heaps<'a> {
    pub place: Place<'a>,
    pub program: &'a Program,
    /// The holes of wands.
    pub wands: &'a BTreeMap<SyntaxId, Vec<SyntaxId>>,
    pub names: &'a ValueText<'a>,
    pub inventory: std::cell::RefCell<inventory::Inventory>,
    /// Number of axioms checked only for the values that occur: the model may need other values to satisfy them.
    pub sampled: usize,
}

/// The permission and value of one location, over all chunks.
struct Held {
    /// `None` if some part is unknown.
    perm: Option<Rational>,
    value: Shown,
    sorts: Vec<SortId>,
    chunk: usize,
}

/// Whether quantified permission is known to cover only locations that were enumerated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extends {
    NoFurther,
    Further,
}

type Locations = BTreeMap<(ResourceView, Vec<Option<Value>>), Held>;

impl Heaps<'_> {
    pub fn part(&self, state: String, heap: &HeapView, pieces: &BTreeMap<usize, Piece>) -> HeapPart {
        self.start_inventory();
        let mut locations = Locations::new();
        let mut more_possible = false;
        for (position, chunk) in heap.chunks.iter().enumerate() {
            match &chunk.extent {
                Extent::One(args) => self.one(chunk, args, position, &mut locations),
                Extent::Many(variables) => {
                    more_possible |= self.enumerate(chunk, variables, position, &mut locations) == Extends::Further;
                }
            }
        }
        let mut entries: Vec<(usize, Entry)> = Vec::new();
        for ((resource, args), held) in locations {
            let chunk = held.chunk;
            let piece = pieces.get(&chunk).filter(|_| matches!(heap.chunks[chunk].extent, Extent::One(_)));
            entries.extend(self.entry(resource, &args, held, piece).map(|entry| (chunk, entry)));
        }
        entries.sort_by_key(|(chunk, _)| *chunk);
        HeapPart { state, entries: entries.into_iter().map(|(_, entry)| entry).collect(), more_possible }
    }
    fn sort_of(&self, term: TermId) -> SortId {
        self.names.structure.tables.terms.sort_of(term)
    }
    pub fn amount(&self, perm: TermId) -> Option<Rational> {
        match self.names.value(perm)? {
            Value::Plain(Raw::Perm(perm)) => Some(perm),
            _ => None,
        }
    }
    fn one(&self, chunk: &ChunkView, args: &[TermId], position: usize, into: &mut Locations) {
        let sorts = args.iter().map(|arg| self.sort_of(*arg)).collect();
        let values: Vec<Option<Value>> = args.iter().map(|arg| self.names.value(*arg)).collect();
        let perm = self.amount(chunk.perm);
        if perm.as_ref().is_some_and(|perm| *perm <= Rational::ZERO) {
            return;
        }
        let value = match chunk.resource {
            ResourceView::Field(_) => self.names.shown(chunk.value),
            _ => Shown::unspecified(),
        };
        self.hold(chunk.resource, values.first(), perm.as_ref(), self.names.value(chunk.value).as_ref());
        add(into, (chunk.resource, values), Held { perm, value, sorts, chunk: position });
    }
    fn hold(
        &self,
        resource: ResourceView,
        receiver: Option<&Option<Value>>,
        perm: Option<&Rational>,
        value: Option<&Value>,
    ) {
        if let (ResourceView::Field(id), Some(perm), Some(Some(receiver))) = (resource, perm, receiver)
            && let Some((field, _)) = self.program.fields.iter().find(|(_, field)| field.id == id)
        {
            self.hold_field(field, receiver, perm, value);
        }
    }
    /// Evaluates quantified permission at the values of the model. Amounts that the model does not fix are left out.
    fn enumerate(&self, chunk: &ChunkView, variables: &[SymbolId], position: usize, into: &mut Locations) -> Extends {
        let structure = self.names.structure;
        let terms = structure.tables.terms;
        let sorts: Vec<SortId> = variables.iter().map(|variable| terms.symbol(*variable).result).collect();
        let choices = self.choices(&sorts, variables);
        let is_finite = |(sort, variable): (&SortId, &SymbolId)| {
            matches!(terms.sort_data(*sort), Sort::Bool) || structure.universe(*sort, *variable).is_some()
        };
        let is_enumerated = sorts.iter().zip(variables).all(is_finite) && choices.len() < LIMITS.heap_choices;
        let mut is_complete = self.sampled == 0 && is_enumerated;
        for args in choices {
            // There is no permission to fields of null; predicates may hold for null.
            if matches!(chunk.resource, ResourceView::Field(_))
                && args.first().is_some_and(|arg| self.names.is_null(arg))
            {
                continue;
            }
            let amount = structure.bind(variables, &args, || self.amount(chunk.perm));
            let is_held = amount.as_ref().is_none_or(|perm| *perm > Rational::ZERO);
            is_complete &= amount.is_some() && !(is_held && args.iter().any(Value::is_any));
            let Some(perm) = amount.filter(|_| is_held && !args.iter().any(Value::is_any)) else { continue };
            let value = structure.bind(variables, &args, || self.looked_up(chunk, &args, &sorts));
            let shown = match (&value, chunk.resource) {
                (Some((value, sort)), ResourceView::Field(_)) => self.names.shown_value(Some(value), *sort, &[]),
                _ => Shown::unspecified(),
            };
            let values: Vec<Option<Value>> = args.into_iter().map(Some).collect();
            self.hold(chunk.resource, values.first(), Some(&perm), value.as_ref().map(|(value, _)| value));
            let held = Held { perm: Some(perm), value: shown, sorts: sorts.clone(), chunk: position };
            add(into, (chunk.resource, values), held);
        }
        if is_complete { Extends::NoFurther } else { Extends::Further }
    }
    /// Combinations of values for the sorts, up to a limit.
    fn choices(&self, sorts: &[SortId], variables: &[SymbolId]) -> Vec<Vec<Value>> {
        let mut choices: Vec<Vec<Value>> = vec![Vec::new()];
        for (sort, variable) in sorts.iter().zip(variables) {
            let values = self.values(*sort, *variable);
            let longer = choices.iter().flat_map(|choice| {
                values.iter().map(|value| [choice.as_slice(), std::slice::from_ref(value)].concat())
            });
            choices = longer.take(LIMITS.heap_choices).collect();
        }
        choices
    }
    /// The values of a sort in the model.
    fn values(&self, sort: SortId, variable: SymbolId) -> Vec<Value> {
        let structure = self.names.structure;
        let terms = structure.tables.terms;
        match terms.sort_data(sort) {
            Sort::Bool => vec![Value::truth(false), Value::truth(true)],
            Sort::Ref | Sort::User(_) => structure.universe(sort, variable).unwrap_or_default(),
            _ => {
                let of_sort = structure.tables.model.watched.keys().filter(|term| terms.sort_of(**term) == sort);
                let values: std::collections::BTreeSet<Value> =
                    of_sort.filter_map(|term| structure.eval(*term)).collect();
                let marks = structure.marks.borrow();
                let of = |at: &IntervalOwner| terms.symbol(at.variable).result == sort;
                let marked =
                    marks.iter().filter(|(at, _)| of(at)).flat_map(|(_, marks)| marks).cloned().map(Value::int);
                let small = matches!(terms.sort_data(sort), Sort::Int);
                let whole = matches!(terms.sort_data(sort), Sort::Perm).then(|| Value::Plain(Raw::Perm(Rational::ONE)));
                values
                    .into_iter()
                    .chain(marked.filter(|_| small))
                    .chain(whole)
                    .collect::<std::collections::BTreeSet<_>>()
                    .into_iter()
                    .collect()
            }
        }
    }
    /// The value of a chunk's map at a location, and its sort.
    fn looked_up(&self, chunk: &ChunkView, args: &[Value], sorts: &[SortId]) -> Option<(Value, SortId)> {
        let structure = self.names.structure;
        let map = self.sort_of(chunk.value);
        let Sort::SnapMap { key, value, .. } = *structure.tables.terms.sort_data(map) else { return None };
        let at = match structure.tables.terms.sort_data(key) {
            Sort::Snap => structure.tuple(args, sorts)?,
            _ => args.first()?.clone(),
        };
        let found = structure.lookup((map, key, value), &structure.eval(chunk.value)?, &at)?;
        Some((found, value))
    }
    /// The value of a location in a heap, and its sort.
    pub fn value_at(&self, heap: &HeapView, resource: ResourceView, args: &[Value]) -> Option<(Value, SortId)> {
        heap.chunks.iter().filter(|chunk| chunk.resource == resource).find_map(|chunk| match &chunk.extent {
            Extent::One(held) => {
                let here = held.iter().zip(args).all(|(held, arg)| self.names.value(*held).as_ref() == Some(arg));
                here.then(|| Some((self.names.value(chunk.value)?, self.sort_of(chunk.value))))?
            }
            Extent::Many(variables) => {
                let terms = self.names.structure.tables.terms;
                let sorts: Vec<SortId> = variables.iter().map(|variable| terms.symbol(*variable).result).collect();
                self.looked_up(chunk, args, &sorts)
            }
        })
    }

    fn entry(
        &self,
        resource: ResourceView,
        args: &[Option<Value>],
        held: Held,
        piece: Option<&Piece>,
    ) -> Option<Entry> {
        let perm = held.perm.as_ref().map_or_else(|| UNSPECIFIED.to_string(), perm_text);
        let texts: Vec<String> =
            args.iter().zip(&held.sorts).map(|(arg, sort)| self.names.text(arg.as_ref(), *sort)).collect();
        match resource {
            ResourceView::Field(id) => {
                let (_, field) = self.program.fields.iter().find(|(_, field)| field.id == id)?;
                Some(Entry::Field {
                    receiver: texts.into_iter().next()?,
                    field: field.name.to_string(),
                    value: held.value,
                    ty: type_text(self.program, &field.ty),
                    perm,
                })
            }
            ResourceView::Predicate(id) => {
                let (key, predicate) = self.program.predicates.iter().find(|(_, predicate)| predicate.id == id)?;
                let share = held.perm.unwrap_or(Rational::ZERO);
                let shown = |(arg, sort): (&Option<Value>, &SortId)| self.names.shown_value(arg.as_ref(), *sort, &[]);
                let shown = args.iter().zip(&held.sorts).map(shown).collect();
                let contents = piece.map(|piece| self.inside(key, args, || self.contents(piece, &share)));
                let contents = contents.unwrap_or_default();
                Some(Entry::Predicate { name: predicate.name.to_string(), args: shown, perm, contents })
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
    /// The contents of an instance in this state.
    fn contents(&self, piece: &Piece, share: &Rational) -> Vec<Entry> {
        let holds = |conditions: &[TermId]| {
            conditions.iter().all(|condition| self.names.structure.truth(*condition) == Some(true))
        };
        for (conditions, fact) in &piece.facts {
            if holds(conditions) && self.names.structure.truth(*fact) == Some(false) {
                self.blame_contents(piece);
            }
        }
        if piece.closed {
            self.cut(piece);
        }
        let mut entries = Vec::new();
        for inner in piece.contents.iter().filter(|inner| holds(&inner.conditions)) {
            let args: Vec<Option<Value>> = inner.args.iter().map(|arg| self.names.value(*arg)).collect();
            let texts: Vec<String> = inner
                .args
                .iter()
                .zip(&args)
                .map(|(arg, value)| self.names.text(value.as_ref(), self.sort_of(*arg)))
                .collect();
            let amount = inner.perm.and_then(|perm| self.amount(perm));
            let perm = amount.as_ref().map_or_else(|| UNSPECIFIED.to_string(), perm_text);
            if amount.as_ref().is_some_and(|amount| *amount <= Rational::ZERO) {
                continue;
            }
            let share = amount.map_or(Rational::ZERO, |amount| share * &amount);
            match inner.resource {
                PieceOf::Field(field) => {
                    let declared = &self.program.fields[field];
                    let value = inner.value.and_then(|value| self.names.value(value));
                    if let Some(Some(receiver)) = args.first() {
                        self.hold_field(field, receiver, &share, value.as_ref());
                    }
                    entries.push(Entry::Field {
                        receiver: texts.into_iter().next().unwrap_or_default(),
                        field: declared.name.to_string(),
                        value: inner.value.map_or_else(Shown::unspecified, |value| self.names.shown(value)),
                        ty: type_text(self.program, &declared.ty),
                        perm,
                    });
                }
                PieceOf::Predicate(predicate) => entries.push(Entry::Predicate {
                    name: self.program.predicates[predicate].name.to_string(),
                    args: inner.args.iter().map(|arg| self.names.shown(*arg)).collect(),
                    perm,
                    contents: self.inside(predicate, &args, || self.contents(inner, &share)),
                }),
            }
        }
        entries
    }
}

fn add(locations: &mut Locations, key: (ResourceView, Vec<Option<Value>>), held: Held) {
    match locations.entry(key) {
        std::collections::btree_map::Entry::Vacant(entry) => {
            entry.insert(held);
        }
        std::collections::btree_map::Entry::Occupied(mut entry) => {
            let known = entry.get_mut();
            known.perm = known.perm.take().zip(held.perm).map(|(a, b)| a + b);
            if known.value.text == UNSPECIFIED {
                known.value = held.value;
            }
        }
    }
}
