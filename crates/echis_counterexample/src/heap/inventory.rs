//! Checks that a heap can exist, including the contents of predicates: no more than the whole permission to a field,
//! one value per location, no fields of null, no instances whose bodies are false, and no instances that contain
//! themselves.

use super::Heaps;
use crate::unroll::{Piece, PieceOf};
use crate::value::Value;
use echis_program::program::{FieldId, PredicateId};
use echis_term::Rational;
use std::collections::BTreeMap;

#[derive(Default)]
pub struct Inventory {
    fields: BTreeMap<(FieldId, Value), (Rational, Option<Value>)>,
    /// The enclosing instances, with their arguments as far as known.
    around: Vec<(PredicateId, Vec<Option<Value>>)>,
    /// Why the heap in the model is impossible, if it is.
    impossible: Option<String>,
}

impl Heaps<'_> {
    /// Starts another heap.
    pub fn start_inventory(&self) {
        self.inventory.borrow_mut().fields.clear();
    }
    pub fn impossible(&self) -> Option<String> {
        self.inventory.borrow().impossible.clone()
    }
    fn blame(&self, why: String) {
        self.inventory.borrow_mut().impossible.get_or_insert(why);
    }
    fn predicate_of(&self, piece: &Piece) -> String {
        match piece.resource {
            PieceOf::Predicate(predicate) => self.program.predicates[predicate].name.to_string(),
            PieceOf::Field(field) => self.program.fields[field].name.to_string(),
        }
    }
    pub fn blame_contents(&self, piece: &Piece) {
        self.blame(format!("the body of `{}` does not hold in it", self.predicate_of(piece)));
    }
    /// Records an instance that was not opened.
    pub fn cut(&self, piece: &Piece) {
        self.blame(format!("instances of `{}` are nested too deeply in it", self.predicate_of(piece)));
    }
    /// Records a share of a field, held directly or in a predicate instance.
    pub fn hold_field(&self, field: FieldId, receiver: &Value, share: &Rational, value: Option<&Value>) {
        if *share <= Rational::ZERO {
            return;
        }
        let location = || format!("{}.{}", self.names.reference(receiver), self.program.fields[field].name);
        if self.names.is_null(receiver) {
            self.blame("it has a field of null".to_string());
        }
        let mut inventory = self.inventory.borrow_mut();
        let (total, known) = inventory.fields.entry((field, receiver.clone())).or_default();
        *total = &*total + share;
        let exceeds = *total > Rational::ONE;
        let clashes = matches!((&*known, value), (Some(known), Some(value)) if known != value);
        *known = known.take().or_else(|| value.cloned());
        drop(inventory);
        if exceeds {
            self.blame(format!("it has more than full permission to `{}`", location()));
        }
        if clashes {
            self.blame(format!("it has two values of `{}`", location()));
        }
    }
    /// Opens an instance, unless it contains itself.
    pub fn inside<T: Default>(&self, predicate: PredicateId, args: &[Option<Value>], look: impl FnOnce() -> T) -> T {
        let instance = (predicate, args.to_vec());
        let is_known = args.iter().all(Option::is_some);
        if is_known && self.inventory.borrow().around.contains(&instance) {
            self.blame(format!("an instance of `{}` contains itself in it", self.program.predicates[predicate].name));
            return T::default();
        }
        self.inventory.borrow_mut().around.push(instance);
        let result = look();
        self.inventory.borrow_mut().around.pop();
        result
    }
}
