//! Maps a location back to the values of the variables for which a quantified access covers it.
//!
//! `image(r)` holds exactly for the covered locations, and `inverse(r)` are the variables' values there:
//!
//! ```text
//! (I1)  ∀ xs {triggers} {image(e(xs))}.  domain(xs) ⇒ image(e(xs)) ∧ inverse(e(xs)) = xs
//! (I2)  ∀ r  {image(r)}.  image(r) ⇒ domain(inverse(r)) ∧ e(inverse(r)) = r
//! ```
//!
//! The second trigger of (I1) is for triggers that read the heap: a location may be tested for coverage without being
//! read, for instance to compare the domains of two function snapshots.
//!
//! Both are satisfiable because the access was checked to be injective. Where each variable is itself an argument of
//! the location, no functions are needed: the inverse is a projection.

use super::access::QuantifiedAccess;
use crate::heap::Memory;
use crate::limits::STATEMENTS_LOOKED_AT;
use crate::state::{Cx, Location, State, Step};
use echis_proof::{Because, NodeId, Premise, Rule};
use echis_term::{Made, QuantifierRole, SymbolId, TermId};
use std::collections::BTreeMap;

/// The terms that determine the inverse.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Covered {
    location: Location,
    vars: Vec<SymbolId>,
    domain: TermId,
}

/// Inverse functions introduced earlier. Their axioms hold on the paths through one of the nodes.
pub(crate) struct Introduced {
    inverse: Inverse,
    stated: Vec<Stated>,
}

struct Stated {
    at: NodeId,
    triggers: Vec<Vec<TermId>>,
    /// The check that the access is injective.
    injective: Option<Premise>,
}

/// The image and inverse, over the canonical variables.
#[derive(Clone)]
pub(crate) struct Inverse {
    pub image: TermId,
    pub values: Vec<TermId>,
}

impl Memory<'_> {
    /// For each variable, the index of the argument that equals it, if every variable has one.
    fn projections(&self, extent: &QuantifiedAccess) -> Option<Vec<usize>> {
        let position = |var: &SymbolId| {
            extent.location.args.iter().position(
                |arg| matches!(self.writer.tree.terms.kind(*arg), echis_term::TermKind::App(symbol, _) if symbol == var),
            )
        };
        extent.vars.iter().map(position).collect()
    }
    /// Whether the access is injective by its form.
    pub fn is_direct(&self, extent: &QuantifiedAccess) -> bool {
        self.projections(extent).is_some()
    }
    fn covered(extent: &QuantifiedAccess) -> Covered {
        Covered { location: extent.location.clone(), vars: extent.vars.clone(), domain: extent.domain }
    }
    /// The injectivity check, if the axioms are known on this path.
    pub fn known_injective(&self, st: &State, extent: &QuantifiedAccess) -> Option<Option<Premise>> {
        let known = self.quantified.inverses.get(&Self::covered(extent))?;
        let mut recent = known.stated.iter().rev().take(STATEMENTS_LOOKED_AT);
        recent.find(|stated| self.writer.is_on_path(stated.at, st.at)).map(|stated| stated.injective)
    }
    /// The inverse of an access that was checked to be injective.
    pub fn inverse(
        &mut self,
        st: &mut State,
        extent: &QuantifiedAccess,
        injective: Option<Premise>,
        cx: &Cx,
    ) -> Step<Inverse> {
        if let Some(projections) = self.projections(extent) {
            return Ok(self.projected(extent, &projections));
        }
        let covered = Self::covered(extent);
        let known = match self.quantified.inverses.get(&covered) {
            Some(known) => known.inverse.clone(),
            None => {
                let inverse = self.new_inverse(st, extent);
                let known = Introduced { inverse: inverse.clone(), stated: Vec::new() };
                self.quantified.inverses.insert(covered.clone(), known);
                inverse
            }
        };
        let stated = &self.quantified.inverses[&covered].stated;
        let there: Vec<&Vec<Vec<TermId>>> = stated
            .iter()
            .rev()
            .take(STATEMENTS_LOOKED_AT)
            .filter(|stated| self.writer.is_on_path(stated.at, st.at))
            .map(|stated| &stated.triggers)
            .collect();
        let missing: Vec<Vec<TermId>> =
            extent.triggers.iter().filter(|set| !there.iter().any(|sets| sets.contains(set))).cloned().collect();
        let is_new = there.is_empty();
        if is_new || !missing.is_empty() {
            let premises: Vec<Premise> = injective.into_iter().collect();
            let mut triggers = missing.clone();
            triggers.extend(is_new.then(|| self.asked(extent, &known)).flatten());
            self.state_forward(st, extent, &known, triggers, &premises, cx)?;
            if is_new {
                self.state_backward(st, extent, &known, &premises, cx)?;
            }
            let entry = self.quantified.inverses.get_mut(&covered).expect("it was inserted above");
            entry.stated.push(Stated { at: st.at, triggers: missing, injective });
        }
        Ok(known)
    }
    fn projected(&mut self, extent: &QuantifiedAccess, projections: &[usize]) -> Inverse {
        let values: Vec<TermId> = projections.iter().map(|index| extent.keys.terms[*index]).collect();
        let map: BTreeMap<SymbolId, TermId> = extent.vars.iter().copied().zip(values.iter().copied()).collect();
        let terms = self.writer.terms();
        let mut parts = vec![terms.substitute(extent.domain, &map)];
        for (index, arg) in extent.location.args.iter().enumerate() {
            let arg = terms.substitute(*arg, &map);
            parts.push(terms.eq(extent.keys.terms[index], arg));
        }
        Inverse { image: terms.and(parts), values }
    }
    fn new_inverse(&mut self, st: &State, extent: &QuantifiedAccess) -> Inverse {
        let mut about = extent.location.args.to_vec();
        about.push(extent.domain);
        let scope = self.writer.tree.terms.scope_of(&st.scope, &about);
        let bool_sort = self.writer.terms().bool_sort();
        let image = self.writer.terms().fresh(&scope, Made::Image, &extent.keys.terms, bool_sort);
        let values = extent
            .vars
            .iter()
            .map(|var| {
                let sort = self.writer.tree.terms.symbol(*var).result;
                self.writer.terms().fresh(&scope, Made::Inverse, &extent.keys.terms, sort)
            })
            .collect();
        Inverse { image, values }
    }
    /// The trigger for testing whether a location is covered. If there are no other triggers, the solver chooses its
    /// own.
    fn asked(&mut self, extent: &QuantifiedAccess, inverse: &Inverse) -> Option<Vec<TermId>> {
        let asked = vec![self.writer.at_location(&extent.keys, inverse.image, &extent.location.args)];
        (!extent.triggers.is_empty() && self.writer.is_pattern_set(&asked, &extent.vars)).then_some(asked)
    }
    fn state_forward(
        &mut self,
        st: &mut State,
        extent: &QuantifiedAccess,
        inverse: &Inverse,
        triggers: Vec<Vec<TermId>>,
        premises: &[Premise],
        cx: &Cx,
    ) -> Step<()> {
        let mut parts = vec![self.writer.at_location(&extent.keys, inverse.image, &extent.location.args)];
        for (var, value) in extent.vars.iter().zip(&inverse.values) {
            let back = self.writer.at_location(&extent.keys, *value, &extent.location.args);
            let var = self.writer.terms().constant(*var);
            parts.push(self.writer.terms().eq(back, var));
        }
        let conclusion = self.writer.terms().and(parts);
        let fact = self.writer.terms().implies(extent.domain, conclusion);
        let fact = self.writer.terms().forall(&extent.vars, triggers, fact, QuantifierRole::InverseOf);
        self.assume_inverse(st, fact, premises, cx)
    }
    fn state_backward(
        &mut self,
        st: &mut State,
        extent: &QuantifiedAccess,
        inverse: &Inverse,
        premises: &[Premise],
        cx: &Cx,
    ) -> Step<()> {
        let domain = self.at_values(extent, inverse, extent.domain);
        let args: Vec<TermId> = extent.location.args.iter().map(|arg| self.at_values(extent, inverse, *arg)).collect();
        let there = self.writer.is_location(&extent.keys, &args);
        let conclusion = self.writer.terms().and([domain, there]);
        let fact = self.writer.terms().implies(inverse.image, conclusion);
        let fact =
            self.writer.terms().forall(&extent.keys.vars, vec![vec![inverse.image]], fact, QuantifierRole::InverseFrom);
        self.assume_inverse(st, fact, premises, cx)
    }
    fn assume_inverse(&mut self, st: &mut State, fact: TermId, premises: &[Premise], cx: &Cx) -> Step<()> {
        let origin = cx.origin(echis_proof::Part::Permission);
        self.writer.assume(st, fact, Because::Rule(Rule::Inverse), premises, origin)
    }
    /// A term over the variables of the access, in terms of the location.
    pub fn at_values(&mut self, extent: &QuantifiedAccess, inverse: &Inverse, term: TermId) -> TermId {
        let map: BTreeMap<SymbolId, TermId> = extent.vars.iter().copied().zip(inverse.values.iter().copied()).collect();
        self.writer.terms().substitute(term, &map)
    }
    /// The amount of the access at the canonical variables.
    pub fn amount_at(&mut self, extent: &QuantifiedAccess, inverse: &Inverse) -> TermId {
        let amount = self.at_values(extent, inverse, extent.amount);
        let zero = self.writer.terms().no_perm();
        self.writer.terms().ite(inverse.image, amount, zero)
    }
}
