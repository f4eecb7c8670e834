//! Scopes of arbitrary variables: a fresh symbol is a function of the variables in scope.

use crate::term::SymbolId;
use std::sync::Arc;

/// The variables that represent arbitrary values in the current evaluation: those of quantifiers, and the unknown
/// snapshots of left sides of wands.
#[derive(Clone, Default, Debug)]
pub struct Scope {
    vars: Arc<Vec<SymbolId>>,
}

impl Scope {
    pub fn of(vars: Vec<SymbolId>) -> Scope {
        Scope { vars: Arc::new(vars) }
    }
    pub fn enter(&mut self, var: SymbolId) {
        Arc::make_mut(&mut self.vars).push(var);
    }
    pub fn vars(&self) -> &[SymbolId] {
        &self.vars
    }
    pub fn contains(&self, var: SymbolId) -> bool {
        self.vars.contains(&var)
    }
    pub fn is_empty(&self) -> bool {
        self.vars.is_empty()
    }
}
