//! Quantified accesses: from the text to a [`QuantifiedAccess`], and from there to chunks.

use super::Evaluator;
use super::produce::Giving;
use crate::heap::Layer;
use crate::heap::branch::Guard;
use crate::heap::quantified::access::QuantifiedAccess;
use crate::heap::quantified::perms;
use crate::heap::single::Amount;
use crate::state::{self, Cx, State, Step};
use echis_base::SyntaxId;
use echis_program::program::{ExprId, ExprKind, LocalId, Location};
use echis_proof::{Injectivity, NodeId, Part, Reason, Rule, Step as TreeStep};
use echis_term::{Made, QuantifierRole, SymbolId, TermId, TermKind};
use std::collections::BTreeMap;

/// The text of a quantified access.
pub(crate) struct Access<'p> {
    pub vars: &'p [LocalId],
    pub triggers: &'p [Vec<ExprId>],
    pub given: bool,
    pub condition: Option<ExprId>,
    pub location: &'p Location,
    pub location_id: SyntaxId,
    /// `None`: the whole permission.
    pub amount: Option<ExprId>,
}

/// The meaning of a wildcard amount.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wildcards {
    /// An unknown positive amount for each location.
    Chosen,
    /// Left open; the removal chooses it.
    Open,
}

impl Evaluator<'_> {
    /// Evaluates a [`ExprKind::ForallAcc`]. Returns `None` if its condition is never true.
    pub fn extent(
        &mut self,
        st: &mut State,
        expr: ExprId,
        scale: Option<Amount>,
        wildcards: Wildcards,
        cx: &Cx,
    ) -> Step<Option<QuantifiedAccess>> {
        let program = self.context.program;
        let ExprKind::ForallAcc { vars, triggers, given, condition, location, location_id, amount } =
            program.kind(expr)
        else {
            let id = self.context.syntax(expr);
            return self.memory.writer.unsupported(
                st,
                id,
                "this quantified assertion is not in canonical form",
                cx.mode,
            );
        };
        let access = Access {
            vars,
            triggers,
            given: *given,
            condition: Some(*condition),
            location,
            location_id: *location_id,
            amount: Some(*amount),
        };
        self.extent_of(st, &access, scale, wildcards, cx)
    }
    pub fn extent_of(
        &mut self,
        st: &mut State,
        access: &Access,
        scale: Option<Amount>,
        wildcards: Wildcards,
        cx: &Cx,
    ) -> Step<Option<QuantifiedAccess>> {
        let program = self.context.program;
        let source = access.condition.map_or(access.location_id, |condition| self.context.syntax(condition));
        let (parts, symbols) = self.bind(st, access.vars, |executor, st, symbols| {
            let before = st.at;
            let condition = match access.condition {
                Some(condition) => executor.eval(st, condition, cx)?,
                None => executor.memory.writer.terms().truth(),
            };
            let inner = executor.under(st, Guard::of(condition, source), cx, |executor, st| {
                let location = executor.eval_location(st, access.location, cx)?;
                let written = executor.amount(st, access.amount, wildcards, cx)?;
                let amount = executor.scaled(st, written, scale.map(Amount::term), cx)?;
                Ok((location, written, amount))
            })?;
            for trigger in access.triggers.iter().flatten() {
                executor.memory.prepare_trigger(st, *trigger, cx)?;
            }
            let mut scratch = st.clone();
            scratch.at = executor.memory.writer.tree.split(scratch.at, condition, false, cx.origin(Part::Guard));
            let triggers = executor.eval_triggers(&scratch, access.triggers, symbols, access.given, cx);
            let Some((location, written, amount)) = inner else { return Ok((None, triggers)) };
            let known = executor.known_applications(before, st.at, symbols);
            let own =
                if access.given { triggers.clone() } else { executor.memory.writer.patterns(&location.args, symbols) };
            let own = if own.is_empty() { triggers.clone() } else { own };
            let own = if own.is_empty() { executor.memory.writer.patterns(&[condition], symbols) } else { own };
            let lifting = if triggers.is_empty() { own.clone() } else { triggers };
            Ok((Some((location, written, amount, condition, known, own)), lifting))
        })?;
        let Some((location, written, amount, condition, known, triggers)) = parts else { return Ok(None) };
        let vars = self.normal_variables(st, &symbols);
        let map: BTreeMap<SymbolId, TermId> = symbols
            .iter()
            .zip(&vars)
            .map(|(symbol, var)| (*symbol, self.memory.writer.tree.terms.constant(*var)))
            .collect();
        let keys = self.memory.writer.keys(location.resource, &location.args);
        let terms = self.memory.writer.terms();
        let condition = terms.substitute(condition, &map);
        let known = terms.substitute(known, &map);
        let written = terms.substitute(written, &map);
        let amount = terms.substitute(amount, &map);
        let args: Vec<TermId> = location.args.iter().map(|arg| terms.substitute(*arg, &map)).collect();
        let location = state::Location::new(location.resource, &args);
        let triggers: Vec<Vec<TermId>> =
            triggers.iter().map(|set| set.iter().map(|term| terms.substitute(*term, &map)).collect()).collect();
        let text = access.amount.is_some_and(|amount| self.is_wildcard_text(amount));
        if text && wildcards == Wildcards::Chosen {
            self.state_wildcard(st, &vars, written, cx)?;
        }
        let positive = perms::is_some(self.memory.writer.terms(), written);
        let domain = if text { condition } else { self.memory.writer.tree.terms.and([condition, positive]) };
        let wildcard = text || scale.is_some_and(Amount::is_open);
        let amount_id = access.amount.map_or(access.location_id, |amount| program.exprs[amount].id);
        let location_id = access.location_id;
        Ok(Some(QuantifiedAccess {
            location,
            keys,
            vars,
            condition,
            known,
            domain,
            written,
            amount,
            wildcard,
            triggers,
            location_id,
            amount_id,
        }))
    }
    /// The function preconditions established between two nodes that mention the variables.
    fn known_applications(&mut self, before: NodeId, after: NodeId, vars: &[SymbolId]) -> TermId {
        let mut known = Vec::new();
        for node in self.memory.writer.tree.path_since(before, after) {
            let TreeStep::Assume { fact, .. } = self.memory.writer.tree.nodes[node].step else { continue };
            if vars.iter().any(|var| self.memory.writer.tree.terms.is_free(*var, fact))
                && self.memory.writer.is_application(fact)
            {
                known.push(fact);
            }
        }
        self.memory.writer.terms().and(known)
    }
    fn is_wildcard_text(&self, amount: ExprId) -> bool {
        matches!(self.context.program.kind(amount), ExprKind::Wildcard)
    }
    fn amount(&mut self, st: &mut State, amount: Option<ExprId>, wildcards: Wildcards, cx: &Cx) -> Step<TermId> {
        let Some(amount) = amount else { return Ok(self.memory.writer.terms().write()) };
        if !self.is_wildcard_text(amount) {
            return self.eval(st, amount, cx);
        }
        if !self.context.amounts_matter() || wildcards == Wildcards::Open {
            return Ok(self.memory.writer.terms().write());
        }
        let sort = self.memory.writer.terms().perm_sort();
        Ok(self.memory.writer.fresh(st, Made::Wildcard, sort))
    }
    /// States that a chosen wildcard is positive wherever it occurs.
    fn state_wildcard(&mut self, st: &mut State, vars: &[SymbolId], amount: TermId, cx: &Cx) -> Step<()> {
        let positive = self.memory.writer.terms().positive(amount);
        let trigger = match self.memory.writer.tree.terms.kind(amount) {
            TermKind::App(_, args) if !args.is_empty() => vec![vec![amount]],
            _ => Vec::new(),
        };
        let fact = self.memory.writer.terms().forall(vars, trigger, positive, QuantifierRole::Wildcard);
        self.memory.writer.assume_rule(st, fact, Rule::Wildcard, cx)
    }
    /// Variables of the same sorts that depend only on their position. None of them is in scope.
    fn normal_variables(&mut self, st: &State, symbols: &[SymbolId]) -> Vec<SymbolId> {
        let mut vars: Vec<SymbolId> = Vec::new();
        for symbol in symbols {
            let sort = self.memory.writer.tree.terms.symbol(*symbol).result;
            let position = vars.iter().filter(|var| self.memory.writer.tree.terms.symbol(**var).result == sort).count();
            let known = self.memory.quantified.variables.get(&(sort, position)).copied();
            let var = known.unwrap_or_else(|| {
                let base = self.memory.writer.tree.terms.symbol(*symbol).role.base();
                self.memory.writer.tree.terms.fresh_variable(&base, sort)
            });
            debug_assert!(!st.scope.contains(var), "normal variables are never in scope");
            self.memory.quantified.variables.insert((sort, position), var);
            vars.push(var);
        }
        vars
    }
}

/// Assertions and statements.
impl Evaluator<'_> {
    pub fn produce_quantified(
        &mut self,
        st: &mut State,
        expr: ExprId,
        snapshot: TermId,
        giving: &Giving,
        cx: &Cx,
    ) -> Step<()> {
        let mark = self.memory.writer.mark();
        let Some(extent) = self.extent(st, expr, giving.scale.map(Amount::Exact), Wildcards::Chosen, cx)? else {
            return Ok(());
        };
        self.memory.check_amounts(st, &extent, cx)?;
        let obligation = self.memory.injectivity(&extent, cx);
        let injective = match self.context.options.injectivity {
            Injectivity::Checked => self.memory.check_injective(st, &extent, obligation, cx)?,
            Injectivity::Assumed => self.memory.assume_injective(st, &extent, cx)?,
        };
        let premises = self.premises_with(giving, mark);
        let grant = self.memory.grant(st, extent.location.resource, giving.because.clone(), &premises, cx);
        self.memory.give_extent(st, extent, snapshot, injective, grant, cx)
    }
    pub fn consume_quantified(&mut self, st: &mut State, expr: ExprId, scale: Option<Amount>, cx: &Cx) -> Step<TermId> {
        if !self.context.amounts_matter() {
            return self.read_quantified(st, expr, cx);
        }
        let Some(extent) = self.extent(st, expr, scale, Wildcards::Open, cx)? else {
            let snap = self.memory.writer.terms().snap_sort();
            return Ok(self.memory.writer.fresh(st, Made::Snapshot, snap));
        };
        self.memory.take_extent(st, &extent, cx)
    }
    /// Like consume, but nothing is removed and any positive amount suffices; for preconditions of functions.
    pub fn read_quantified(&mut self, st: &mut State, expr: ExprId, cx: &Cx) -> Step<TermId> {
        let Some(extent) = self.extent(st, expr, None, Wildcards::Open, cx)? else {
            let snap = self.memory.writer.terms().snap_sort();
            return Ok(self.memory.writer.fresh(st, Made::Snapshot, snap));
        };
        self.memory.read_extent(st, &extent, cx)
    }
    pub fn quasihavoc_all(
        &mut self,
        st: &mut State,
        vars: &[LocalId],
        condition: Option<ExprId>,
        location: &Location,
        id: SyntaxId,
        cx: &Cx,
    ) -> Step<()> {
        let location_id = cx.at;
        let access = Access { vars, triggers: &[], given: false, condition, location, location_id, amount: None };
        let Some(extent) = self.extent_of(st, &access, None, Wildcards::Open, cx)? else { return Ok(()) };
        let obligation = cx.condition(Reason::QuasihavocAllNotInjective, id);
        self.memory.forget_extent(st, &extent, obligation, cx)
    }
}
