//! What new symbols are functions of.

use crate::store::Terms;
use crate::term::{SymbolId, TermId};
use std::sync::Arc;

/// The variables that stand for arbitrary values where something is evaluated: those of quantifiers, and the unknown
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
    /// For a name of something that the terms determine: the variables that they mention. What is chosen, assumed or
    /// not known depends on all of them.
    pub fn determined_by(&self, terms: &Terms, by: &[TermId]) -> Scope {
        let mentioned = |var: &SymbolId| by.iter().any(|term| terms.is_free(*var, *term));
        Scope::of(self.vars.iter().copied().filter(mentioned).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_made_in_a_scope_depends_on_its_variables() {
        let mut terms = Terms::new();
        let sort = terms.int_sort();
        let [outer, inner] = ["x", "y"].map(|name| terms.fresh_variable(name, sort));
        let mut scope = Scope::of(vec![outer]);
        scope.enter(inner);
        let unknown = terms.fresh(&scope, "unknown", &[], sort);
        assert!(terms.is_free(outer, unknown) && terms.is_free(inner, unknown));
        let other = terms.fresh(&scope, "unknown", &[], sort);
        assert_ne!(unknown, other);
    }

    #[test]
    fn a_name_depends_on_what_determines_it() {
        let mut terms = Terms::new();
        let sort = terms.int_sort();
        let [outer, inner] = ["x", "y"].map(|name| terms.fresh_variable(name, sort));
        let scope = Scope::of(vec![outer, inner]);
        let by = terms.constant(inner);
        let scope = scope.determined_by(&terms, &[by]);
        let name = terms.fresh(&scope, "name", &[], sort);
        assert!(!terms.is_free(outer, name) && terms.is_free(inner, name));
    }
}
