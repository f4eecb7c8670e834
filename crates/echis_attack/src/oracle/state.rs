//! The states of executions: values and permissions.

use super::value::{Ratio, Value};
use echis_base::{Name, SyntaxId};
use echis_program::program::{Block, ExprId, FieldId, LabelId, LocalId, PredicateId};
use std::collections::BTreeMap;
use std::rc::Rc;

pub type Heap = BTreeMap<(u32, FieldId), Value>;
pub type Mask = BTreeMap<Resource, Ratio>;
pub type Store = BTreeMap<LocalId, Value>;

/// The resource that a permission refers to.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Resource {
    Field(u32, FieldId),
    Predicate(PredicateId, Vec<Value>),
    /// A wand, identified by its shape: the wand with the values it had when it was created.
    Wand(String),
}

/// Every location has a value, whether or not it is owned: a folded predicate owns the locations of its body, and
/// their values stay in the heap. Copies are cheap.
#[derive(Clone, Default)]
pub struct State {
    pub heap: Rc<Heap>,
    pub mask: Rc<Mask>,
    pub wands: Rc<BTreeMap<String, Vec<Rc<Closure>>>>,
}

/// A packaged wand: its footprint, and the script to run when it is applied.
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
    /// The permissions in `before` that are no longer held.
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

/// The reason why an execution stops early.
#[derive(Clone, Debug)]
pub enum Stop {
    /// An obligation is violated.
    Violated(Fault),
    /// An assumption is false: the execution is impossible.
    Infeasible,
    /// The oracle does not model this part of the semantics.
    Unknown(&'static str),
    /// The execution ran out of fuel.
    Fuel,
}

#[derive(Clone, Debug)]
pub struct Fault {
    pub what: &'static str,
    pub at: SyntaxId,
    /// The member whose obligation it is.
    pub member: Name,
}

pub type Run<T> = Result<T, Stop>;

/// Stops the execution if an amount or number overflowed.
pub fn known<T>(value: Option<T>) -> Run<T> {
    value.ok_or(Stop::Unknown("a number is too large"))
}

/// The state in which an expression is evaluated.
#[derive(Clone)]
pub struct View {
    pub heap: Rc<Heap>,
    /// The permissions for reading.
    pub reads: Rc<Mask>,
    /// The permissions visible to `perm`; during an exhale, fewer than `reads`.
    pub perms: Rc<Mask>,
    pub checked: Checked,
}

/// Whether the well-definedness of the expression is an obligation.
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
