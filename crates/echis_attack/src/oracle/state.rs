//! States of executions: values and permissions.

use super::value::{Ratio, Value};
use echis_base::{Name, SyntaxId};
use echis_program::program::{Block, ExprId, FieldId, LabelId, LocalId, PredicateId};
use std::collections::BTreeMap;
use std::rc::Rc;

pub type Heap = BTreeMap<(u32, FieldId), Value>;
pub type Mask = BTreeMap<Resource, Ratio>;
pub type Store = BTreeMap<LocalId, Value>;

/// What permission is about.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Resource {
    Field(u32, FieldId),
    Predicate(PredicateId, Vec<Value>),
    /// A wand by its shape, with the values that it had when it was made.
    Wand(String),
}

/// Every location has a value, no matter what owns it: a folded predicate owns what its body speaks of, and the values stay
/// where they are. Copies are cheap.
#[derive(Clone, Default)]
pub struct State {
    pub heap: Rc<Heap>,
    pub mask: Rc<Mask>,
    pub wands: Rc<BTreeMap<String, Vec<Rc<Closure>>>>,
}

/// A packaged wand: what it owns, and what is to be done when it is applied.
pub struct Closure {
    pub wand: ExprId,
    pub script: Option<Block>,
    pub footprint: Mask,
    pub store: Store,
    pub pre: State,
    pub labels: BTreeMap<LabelId, State>,
}

impl State {
    pub fn held(&self, resource: &Resource) -> Ratio {
        held(&self.mask, resource)
    }
    pub fn set_held(&mut self, resource: Resource, amount: Ratio) {
        let mask = Rc::make_mut(&mut self.mask);
        if amount.is_positive() {
            mask.insert(resource, amount);
        } else {
            mask.remove(&resource);
        }
    }
    pub fn write(&mut self, object: u32, field: FieldId, value: Value) {
        Rc::make_mut(&mut self.heap).insert((object, field), value);
    }
    /// What is there of `before` and no longer here.
    pub fn given_since(&self, before: &Mask) -> Option<Mask> {
        let mut given = Mask::new();
        for (resource, amount) in before {
            let gone = amount.sub(self.held(resource))?;
            if gone.is_positive() {
                given.insert(resource.clone(), gone);
            }
        }
        Some(given)
    }
    pub fn add_all(&mut self, added: &Mask) -> Option<()> {
        for (resource, amount) in added {
            let sum = self.held(resource).add(*amount)?;
            self.set_held(resource.clone(), sum);
        }
        Some(())
    }
}

pub fn held(mask: &Mask, resource: &Resource) -> Ratio {
    mask.get(resource).copied().unwrap_or(Ratio::ZERO)
}

/// Why an execution ends before its end.
#[derive(Clone, Debug)]
pub enum Stop {
    /// An obligation does not hold.
    Violated(Fault),
    /// Something that is assumed does not hold: there is no such execution.
    Infeasible,
    /// The oracle does not know what the program means here.
    Unknown(&'static str),
    /// It took too long.
    Fuel,
}

#[derive(Clone, Debug)]
pub struct Fault {
    pub what: &'static str,
    pub at: SyntaxId,
    /// Whose obligation it is.
    pub member: Name,
}

pub type Run<T> = Result<T, Stop>;

/// For amounts and numbers that get too large.
pub fn known<T>(value: Option<T>) -> Run<T> {
    value.ok_or(Stop::Unknown("a number is too large"))
}

/// Where an expression is evaluated.
#[derive(Clone)]
pub struct View {
    pub heap: Rc<Heap>,
    /// What may be read.
    pub reads: Rc<Mask>,
    /// What `perm` sees: less than what may be read, in the middle of an exhale.
    pub perms: Rc<Mask>,
    pub checked: Checked,
}

/// Whether it is an obligation that the expression has a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Checked {
    Yes,
    /// Another member proves it.
    No,
}

impl View {
    pub fn of(state: &State, checked: Checked) -> View {
        View { heap: state.heap.clone(), reads: state.mask.clone(), perms: state.mask.clone(), checked }
    }
}
