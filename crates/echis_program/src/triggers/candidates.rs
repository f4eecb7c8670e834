//! The terms of a body that may be used as triggers.

use super::Inference;
use super::shape::{is_forbidden_in_trigger, is_trigger_head};
use crate::copy::Substitution;
use crate::limits::{TRIGGER_CANDIDATES, TRIGGER_SIZE};
use crate::program::{ExprId, ExprKind, LocalId, Location, OldState, Type};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The terms that are considered.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Allowed {
    Applications,
    /// Also field accesses, which are evaluated in a heap.
    Fields,
}

pub(super) struct Candidate {
    pub term: ExprId,
    /// Positions of the covered variables in the quantifier.
    pub covers: BTreeSet<usize>,
    /// Fresh variables in place of forbidden subterms.
    pub extra: Vec<LocalId>,
    /// The texts of the term and its subterms: equal terms have equal texts.
    pub key: String,
    pub parts: HashSet<String>,
}

/// The context of the search: values of `let` variables and the old state.
#[derive(Clone, Default)]
struct Around {
    lets: HashMap<LocalId, ExprId>,
    old: Option<OldState>,
}

impl Inference<'_> {
    /// All candidates in some expressions, in textual order, without duplicates.
    pub(super) fn candidates(&mut self, roots: &[ExprId], vars: &[LocalId], allowed: Allowed) -> Vec<Candidate> {
        let mut found = Vec::new();
        let mut seen = HashSet::new();
        let mut bound: HashSet<LocalId> = HashSet::new();
        let mut pending: Vec<(ExprId, Around)> = roots.iter().rev().map(|root| (*root, Around::default())).collect();
        while let Some((expr, around)) = pending.pop() {
            if found.len() >= TRIGGER_CANDIDATES {
                break;
            }
            if self.is_candidate(expr, allowed)
                && let Some(candidate) = self.candidate(expr, &around, vars, &bound)
                && seen.insert(candidate.key.clone())
            {
                found.push(candidate);
            }
            let kind = self.program.kind(expr).clone();
            let mut inner = around.clone();
            match &kind {
                ExprKind::Let { var, value, .. } => {
                    inner.lets.insert(*var, *value);
                }
                ExprKind::Old { state, .. } => inner.old = Some(*state),
                kind => bound.extend(kind.bound()),
            }
            pending.extend(kind.children().into_iter().rev().map(|child| (child, inner.clone())));
        }
        found
    }

    fn is_candidate(&self, expr: ExprId, allowed: Allowed) -> bool {
        match self.program.kind(expr) {
            ExprKind::Field { .. } => allowed == Allowed::Fields,
            ExprKind::DomainApp { function, .. } => self.program.domain_functions[*function].interpretation.is_none(),
            kind => is_trigger_head(kind),
        }
    }

    /// The term as a trigger, if it mentions a quantified variable and none bound further inside.
    fn candidate(
        &mut self,
        expr: ExprId,
        around: &Around,
        vars: &[LocalId],
        bound: &HashSet<LocalId>,
    ) -> Option<Candidate> {
        if !self.is_worth_it(expr, vars, around) {
            return None;
        }
        let mut inlined = self.program.copy(expr);
        // A value may mention variables of outer `let`s.
        for _ in 0..around.lets.len() {
            let mut map = Substitution::default();
            let mentioned = self.mentioned(inlined);
            around
                .lets
                .iter()
                .filter(|(var, _)| mentioned.contains(var))
                .for_each(|(var, value)| map.expr(*var, *value));
            if map.is_empty() {
                break;
            }
            inlined = self.program.substitute(inlined, &mut map);
        }
        let mut extra = Vec::new();
        let term = self.without_forbidden(inlined, true, vars, &mut extra);
        let mentioned = self.mentioned(term);
        if mentioned.iter().any(|local| bound.contains(local)) {
            return None;
        }
        let covers: BTreeSet<usize> = (0..vars.len()).filter(|index| mentioned.contains(&vars[*index])).collect();
        if covers.is_empty() {
            return None;
        }
        let term = self.in_trigger(term, around.old);
        let key = self.key(term);
        let parts = self.part_keys(term);
        Some(Candidate { term, covers, extra, key, parts })
    }

    /// A cheap check before anything is copied.
    fn is_worth_it(&self, expr: ExprId, vars: &[LocalId], around: &Around) -> bool {
        let mut size = 0;
        let mut mentions = false;
        self.program.visit(expr, |part| {
            size += 1;
            if let ExprKind::Local(local) = self.program.kind(part) {
                mentions = mentions || vars.contains(local) || around.lets.contains_key(local);
            }
            size <= TRIGGER_SIZE
        });
        mentions && size <= TRIGGER_SIZE
    }

    fn mentioned(&self, expr: ExprId) -> HashSet<LocalId> {
        let mut mentioned = HashSet::new();
        self.program.visit(expr, |part| {
            if let ExprKind::Local(local) = self.program.kind(part) {
                mentioned.insert(*local);
            }
            true
        });
        mentioned
    }

    /// A copy with fresh variables in place of the outermost forbidden subterms. An `unfolding` that does not depend
    /// on the quantified variables has a single value for all of them.
    fn without_forbidden(&mut self, expr: ExprId, top: bool, vars: &[LocalId], extra: &mut Vec<LocalId>) -> ExprId {
        let node = self.program.exprs[expr].clone();
        if matches!(node.kind, ExprKind::Unfolding { .. }) {
            let mentioned = self.mentioned(expr);
            if !vars.iter().any(|var| mentioned.contains(var)) {
                return expr;
            }
        }
        if !top && is_forbidden_in_trigger(&node.kind) {
            let name = format!("y@{}", self.program.locals.len());
            let var = self.program.fresh_local(name, node.ty, node.id);
            extra.push(var);
            return self.program.local(var, node.id);
        }
        let children = node.kind.children();
        if children.is_empty() {
            return expr;
        }
        let renewed: Vec<ExprId> =
            children.iter().map(|child| self.without_forbidden(*child, false, vars, extra)).collect();
        match renewed == children {
            true => expr,
            false => {
                let kind = with_children(node.kind, &renewed);
                self.program.add_expr(kind, node.ty, node.id)
            }
        }
    }

    /// Adapts a term to its use in a trigger: field accesses at the top denote locations; terms from inside `old` are
    /// wrapped in it.
    fn in_trigger(&mut self, term: ExprId, old: Option<OldState>) -> ExprId {
        let node = self.program.exprs[term].clone();
        let term = match node.kind {
            ExprKind::Field { receiver, field } => {
                let kind = ExprKind::TriggerLocation(Location::Field { receiver, field });
                self.program.add_expr(kind, node.ty.clone(), node.id)
            }
            _ => term,
        };
        match old {
            None => term,
            Some(state) => self.program.add_expr(ExprKind::Old { state, body: term }, node.ty, node.id),
        }
    }

    /// The location of a quantified permission as a candidate.
    pub(super) fn location_candidate(&mut self, expr: ExprId, vars: &[LocalId]) -> Vec<Candidate> {
        let ExprKind::ForallAcc { location, location_id, .. } = self.program.kind(expr).clone() else {
            return Vec::new();
        };
        let mut map = Substitution::default();
        let location = self.program.substitute_in(&location, &mut map);
        let term = self.program.add_expr(ExprKind::TriggerLocation(location), Type::Bool, location_id);
        let forbidden = self.program.any(term, is_forbidden_in_trigger);
        if forbidden {
            return Vec::new();
        }
        let mentioned = self.mentioned(term);
        let covers = (0..vars.len()).filter(|index| mentioned.contains(&vars[*index])).collect();
        vec![Candidate { term, covers, extra: Vec::new(), key: self.key(term), parts: HashSet::new() }]
    }

    /// The texts of all proper subterms.
    fn part_keys(&self, term: ExprId) -> HashSet<String> {
        let mut keys = HashSet::new();
        self.program.visit(term, |part| {
            if part != term && !matches!(self.program.kind(part), ExprKind::Local(_)) {
                keys.insert(self.key(part));
            }
            true
        });
        keys
    }

    /// A text that is equal for structurally equal terms.
    pub(super) fn key(&self, term: ExprId) -> String {
        use std::fmt::Write;
        let mut key = String::new();
        self.program.visit(term, |part| {
            let _ = match self.program.kind(part) {
                ExprKind::Local(local) => write!(key, "{local} "),
                ExprKind::Bool(value) => write!(key, "{value} "),
                ExprKind::Int(value) => write!(key, "{value} "),
                ExprKind::Unary(op, _) => write!(key, "{op:?} "),
                ExprKind::Binary(op, ..) => write!(key, "{op:?} "),
                ExprKind::Field { field, .. } => write!(key, "{field} "),
                ExprKind::TriggerLocation(location) => match location {
                    Location::Field { field, .. } => write!(key, "at {field} "),
                    Location::Predicate { predicate, .. } => write!(key, "at {predicate} "),
                    Location::Wand(_) => write!(key, "at wand {part} "),
                },
                ExprKind::FunctionApp { function, .. } => write!(key, "{function} "),
                ExprKind::DomainApp { function, type_args, .. } => write!(key, "{function} {type_args:?} "),
                ExprKind::PredicateInstance { predicate, .. } => write!(key, "{predicate} "),
                ExprKind::Old { state, .. } => write!(key, "{state:?} "),
                ExprKind::SeqLiteral(items) => write!(key, "seq {} {:?} ", items.len(), self.program.ty(part)),
                ExprKind::SetLiteral(items) => write!(key, "set {} {:?} ", items.len(), self.program.ty(part)),
                ExprKind::MultisetLiteral(items) => {
                    write!(key, "multiset {} {:?} ", items.len(), self.program.ty(part))
                }
                ExprKind::MapLiteral(entries) => write!(key, "map {} {:?} ", entries.len(), self.program.ty(part)),
                ExprKind::SeqUpdate(..) | ExprKind::MapUpdate(..) => write!(key, "update "),
                ExprKind::Null => write!(key, "null "),
                ExprKind::Write => write!(key, "write "),
                ExprKind::NonePerm => write!(key, "none "),
                ExprKind::Result => write!(key, "result "),
                // Does not occur in triggers, so it is never compared.
                _ => write!(key, "{part} "),
            };
            true
        });
        key
    }
}

/// Replaces the children of a node, given in the order of [`ExprKind::children`].
fn with_children(kind: ExprKind, children: &[ExprId]) -> ExprKind {
    match kind {
        ExprKind::Unary(op, _) => ExprKind::Unary(op, children[0]),
        ExprKind::Binary(op, ..) => ExprKind::Binary(op, children[0], children[1]),
        ExprKind::Field { field, .. } => ExprKind::Field { receiver: children[0], field },
        ExprKind::FunctionApp { function, reveal, .. } => {
            ExprKind::FunctionApp { function, args: children.to_vec(), reveal }
        }
        ExprKind::DomainApp { function, type_args, .. } => {
            ExprKind::DomainApp { function, type_args, args: children.to_vec() }
        }
        ExprKind::PredicateInstance { predicate, .. } => {
            ExprKind::PredicateInstance { predicate, args: children.to_vec() }
        }
        ExprKind::Old { state, .. } => ExprKind::Old { state, body: children[0] },
        ExprKind::SeqLiteral(_) => ExprKind::SeqLiteral(children.to_vec()),
        ExprKind::SetLiteral(_) => ExprKind::SetLiteral(children.to_vec()),
        ExprKind::MultisetLiteral(_) => ExprKind::MultisetLiteral(children.to_vec()),
        ExprKind::MapLiteral(_) => {
            ExprKind::MapLiteral(children.chunks_exact(2).map(|entry| (entry[0], entry[1])).collect())
        }
        ExprKind::SeqUpdate(..) => ExprKind::SeqUpdate(children[0], children[1], children[2]),
        ExprKind::MapUpdate(..) => ExprKind::MapUpdate(children[0], children[1], children[2]),
        other => other,
    }
}
