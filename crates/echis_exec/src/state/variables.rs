//! The values of variables.

use echis_program::program::LocalId;
use echis_term::TermId;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Variable {
    Local(LocalId),
    /// `result`, in postconditions of functions.
    Result,
}

/// The values of variables in one scope.
#[derive(Clone, Default)]
pub(crate) struct Store(BTreeMap<Variable, TermId>);

impl Store {
    /// The parameters of a callee or predicate, bound to the arguments.
    pub fn of(parameters: &[LocalId], args: &[TermId]) -> Self {
        let pairs = parameters.iter().copied().map(Variable::Local).zip(args.iter().copied());
        Store(pairs.collect())
    }
    pub fn get(&self, variable: Variable) -> Option<TermId> {
        self.0.get(&variable).copied()
    }
    pub fn local(&self, local: LocalId) -> Option<TermId> {
        self.get(Variable::Local(local))
    }
    pub fn set(&mut self, variable: Variable, value: TermId) {
        self.0.insert(variable, value);
    }
    pub fn iter(&self) -> impl Iterator<Item = (Variable, TermId)> {
        self.0.iter().map(|(variable, value)| (*variable, *value))
    }
    pub fn values(&self) -> impl Iterator<Item = TermId> {
        self.0.values().copied()
    }
}

/// The variables that expressions read.
#[derive(Clone)]
pub(crate) enum Variables {
    /// The member's variables.
    Own(Rc<Store>),
    /// The variables of a callee or a predicate; the member's are set aside.
    Inner { store: Rc<Store>, own: Rc<Store> },
}

impl Variables {
    pub fn store(&self) -> &Rc<Store> {
        match self {
            Variables::Own(store) | Variables::Inner { store, .. } => store,
        }
    }
    pub fn store_mut(&mut self) -> &mut Store {
        match self {
            Variables::Own(store) | Variables::Inner { store, .. } => Rc::make_mut(store),
        }
    }
    /// The member's variables.
    pub fn own(&self) -> &Rc<Store> {
        match self {
            Variables::Own(store) | Variables::Inner { own: store, .. } => store,
        }
    }
    /// The variables of a callee or a predicate, setting the member's aside.
    pub fn inner(&self, store: Rc<Store>) -> Variables {
        Variables::Inner { store, own: self.own().clone() }
    }
}

impl Default for Variables {
    fn default() -> Self {
        Variables::Own(Rc::default())
    }
}
