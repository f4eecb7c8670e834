//! Loop heads: invariants, havoc of the loop's targets, and back edges.

use super::{Goal, Round, first_id, invariant};
use crate::bounds::Bounds;
use crate::encode::Polarity;
use crate::graph::{Cmd, Frame};
use crate::history::What;
use crate::labels::Use;
use crate::loops::Head;
use echis_base::SyntaxId;
use echis_boogie::ast::ExprKind;
use echis_boogie::program::{StmtKind, VarId, VarKind};
use echis_boogie::types::Type;
use echis_proof::{Because, ErrorKind, Origin, Reason, Rule};
use echis_term::{Made, TermId};
use std::collections::BTreeSet;

impl Round<'_> {
    /// The start of a loop: havocs what the loop changes and assumes the invariants. Returns the number of commands
    /// processed.
    pub(super) fn head(&mut self, head: &Head) -> usize {
        let graph = self.graph;
        let cmds = &graph.blocks[head.block].cmds;
        let prefix =
            cmds.iter().take_while(|(_, cmd)| invariant(cmd).is_some() || matches!(cmd, Cmd::Measure(_))).count();
        self.invariants = demanded(&cmds[..prefix]);
        for (frame, cmd) in &cmds[..prefix] {
            self.invariant_goal(*frame, cmd, Use::Established);
        }
        if head.irreducible {
            // Executions may reach it without having been at the head: nothing is known about how they came.
            self.place.reached = self.encoder.fresh(Made::Reached, &Type::Bool);
        }
        let own = graph.blocks[head.block].frame;
        // Inlined bodies start with fresh values of their variables.
        let matters = |(frame, var): &(Frame, VarId)| *frame == own || self.program.vars[*var].kind == VarKind::Global;
        let cmds_inside = head.body.iter().flat_map(|block| &graph.blocks[*block].cmds);
        let changed = cmds_inside.flat_map(|(frame, cmd)| self.changed(*frame, cmd)).filter(matters);
        let changed: BTreeSet<VarId> = changed.map(|(_, var)| var).collect();
        // All at once, since a where-clause may mention other variables.
        let changed: Vec<VarId> = changed.into_iter().collect();
        let origin = self.origin(self.member);
        self.havoc(own, &changed, origin);
        let at = self.loop_statement(head.block);
        self.happened(at, What::Head);
        for var in changed {
            let value = self.place.values[&var];
            self.happened(at, What::Looped { var, value });
        }
        if !head.irreducible {
            self.bounded(head.block, origin);
        }
        for (frame, cmd) in &cmds[..prefix] {
            if let Some((clause, attributes, id, _)) = invariant(cmd) {
                let fact = self.formula(*frame, clause, Polarity::Stated);
                let origin = self.origin(id);
                let label = self.invariant_label(attributes, id, Use::Assumed);
                self.assume(fact, Because::Checked, origin, label);
            } else if let Cmd::Measure(measure) = cmd {
                let values = measure.values.iter().map(|value| self.value(*frame, *value)).collect();
                self.measures.insert(head.block, values);
            }
        }
        prefix
    }

    /// Assumes inferred bounds at the head, if requested.
    fn bounded(&mut self, head: usize, origin: Origin) {
        let Some(bounds) = self.bounds.get(&head).cloned() else { return };
        for (var, Bounds { least, most }) in bounds {
            let Some(value) = self.place.values.get(&var).copied() else { continue };
            let terms = &mut self.encoder.terms;
            let least = least.map(|least| terms.int(least));
            let most = most.map(|most| terms.int(most));
            let least = least.map(|least| terms.le(least, value));
            let most = most.map(|most| terms.le(value, most));
            for fact in least.into_iter().chain(most) {
                self.assume(fact, Because::Rule(Rule::Definition), origin, None);
            }
        }
    }

    /// The statement of the loop for users: its own statement, or the first one of its head.
    fn loop_statement(&self, head: usize) -> SyntaxId {
        let guard = self.graph.blocks[head].next.iter().find_map(|next| match self.graph.blocks[*next].cmds.first() {
            Some((_, Cmd::Guard { id, .. })) => Some(*id),
            _ => None,
        });
        let written = || self.graph.blocks[head].cmds.iter().find_map(|(_, cmd)| Some(invariant(cmd)?.2));
        guard.or_else(written).or_else(|| first_id(&self.graph.blocks[head].cmds)).unwrap_or(self.member)
    }

    pub(super) fn go_back(&mut self, block: usize, to: usize) {
        let graph = self.graph;
        let before = self.place.clone();
        let cmds = &graph.blocks[to].cmds;
        let prefix = cmds.iter().take_while(|(_, cmd)| invariant(cmd).is_some() || matches!(cmd, Cmd::Measure(_)));
        let prefix: Vec<_> = prefix.copied().collect();
        self.invariants = demanded(&prefix);
        for (frame, cmd) in &prefix {
            self.invariant_goal(*frame, cmd, Use::Maintained);
            if let (Cmd::Measure(measure), Some(old)) = (cmd, self.measures.get(&to).cloned()) {
                let now: Vec<TermId> = measure.values.iter().map(|value| self.value(*frame, *value)).collect();
                let at = first_id(&graph.blocks[block].cmds).unwrap_or(self.member);
                self.decreases(&now, &old, at);
            }
        }
        // Other exits of the block are independent of this goal.
        self.place = before;
    }

    pub(super) fn invariant_goal(&mut self, frame: Frame, cmd: &Cmd<'_>, becomes: Use) {
        let Some((condition, attributes, id, free)) = invariant(cmd) else { return };
        // A free invariant is assumed for an arbitrary iteration. It must not restrict how the loop is entered or
        // re-entered, since that could contradict the facts there.
        if free {
            return;
        }
        let origin = self.origin(id);
        let term = self.verified_under(frame, condition, attributes);
        let error = match becomes {
            // In Boogie, `false` at the start of a loop is an assertion, not an invariant.
            _ if matches!(self.encoder.program.kind(condition), ExprKind::Bool(false)) => ErrorKind::Assert,
            Use::Assertion => ErrorKind::Assert,
            Use::Established => ErrorKind::InvariantNotEstablished,
            _ => ErrorKind::InvariantNotPreserved,
        };
        let label = self.invariant_label(attributes, id, becomes);
        self.demand(Goal { label, known: Some(None), ..Goal::new(term, error, id, origin) });
    }

    pub(super) fn decreases(&mut self, now: &[TermId], old: &[TermId], at: SyntaxId) {
        let mut less = self.encoder.terms.falsity();
        for (now, old) in now.iter().zip(old).rev() {
            let equal = self.encoder.eq(*now, *old);
            let later = self.encoder.terms.and([equal, less]);
            let smaller = self.smaller(*now, *old);
            less = self.encoder.terms.or([smaller, later]);
        }
        let origin = self.origin(at);
        let goal = Goal::new(less, ErrorKind::Termination, at, origin);
        self.demand(Goal { reason: Reason::TupleFalse, known: Some(None), ..goal });
    }

    pub(super) fn smaller(&mut self, now: TermId, old: TermId) -> TermId {
        let bool = self.encoder.terms.bool_sort();
        if self.encoder.terms.sort_of(now) == bool {
            let not = self.encoder.terms.not(now);
            return self.encoder.terms.and([not, old]);
        }
        let zero = self.encoder.terms.int(0);
        let bounded = self.encoder.terms.le(zero, old);
        let less = self.encoder.terms.lt(now, old);
        self.encoder.terms.and([bounded, less])
    }

    pub(super) fn changed(&self, frame: Frame, cmd: &Cmd<'_>) -> Vec<(Frame, VarId)> {
        let own = |vars: &[VarId]| vars.iter().map(|var| (frame, *var)).collect();
        match cmd {
            Cmd::Stmt(stmt) => match &stmt.kind {
                StmtKind::Havoc(vars) | StmtKind::Unpack { vars, .. } => own(vars),
                StmtKind::Assign { targets, .. } => targets.iter().map(|target| (frame, target.var)).collect(),
                StmtKind::Call { procedure, outs, .. } => {
                    let modifies = &self.program.procedures[*procedure].modifies;
                    outs.iter().chain(modifies).map(|var| (frame, *var)).collect()
                }
                _ => Vec::new(),
            },
            Cmd::Enter { inner, .. } => {
                let body = &self.program.implementations[self.graph.frames[*inner]];
                body.ins.iter().chain(&body.outs).chain(&body.locals).map(|var| (*inner, *var)).collect()
            }
            Cmd::Leave { call, .. } => match &call.kind {
                StmtKind::Call { outs, .. } => own(outs),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }
}

/// The invariants that must be proved.
fn demanded(cmds: &[(Frame, Cmd<'_>)]) -> Vec<SyntaxId> {
    cmds.iter().filter_map(|(_, cmd)| invariant(cmd)).filter(|(_, _, _, free)| !free).map(|(_, _, id, _)| id).collect()
}
