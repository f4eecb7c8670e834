//! Postconditions of functions that could not be proved.
//!
//! Callers rely on a function's postcondition even if it fails: the failure is reported once, at the function. This
//! is how execution continues after any failure, as if the failed obligation had held. It must not hide errors of
//! callers, so conjuncts that cannot hold are not exported:
//!
//! - a failed conjunct that does not mention the result. It could only restrict the arguments, and it is false for
//!   some that the precondition admits: `ensures false`, `ensures x > 0`;
//! - a failed conjunct that no result satisfies, such as `ensures result != result`.
//!
//! An implication is judged by its conclusion. Mutually recursive functions assume each other's postconditions before
//! any of them is proved. Conjuncts that are impossible and have no precondition that could exclude them are left out
//! there too, whether or not they turn out to fail, so that errors do not depend on the order of functions. For the
//! same reason, the other functions of a component treat a failed function like one that has not been verified yet.

use crate::context::ExportedFact;
use crate::exec::Executor;
use crate::state::{Concern, State};
use echis_base::SyntaxId;
use echis_program::program::{BinaryOp, ExprId, ExprKind};
use echis_proof::{Bound, Origin, Part};
use echis_term::{Op, TermId};
use std::collections::BTreeSet;

/// A conjunct of a postcondition, about the symbolic application.
pub(crate) struct Promise {
    pub conjunct: ExprId,
    pub all: TermId,
    /// Its value, for each case of the precondition.
    pub values: Vec<(State, TermId)>,
    pub origin: Origin,
}

impl Executor<'_> {
    /// Removes failed conjuncts that cannot hold from the exported facts. Returns whether a postcondition failed.
    pub fn withdraw_failed(&mut self, facts: &mut Vec<ExportedFact>, promises: &[Promise]) -> bool {
        let failed = self.failed_promises();
        let mut withdrawn: BTreeSet<SyntaxId> = BTreeSet::new();
        for promise in promises.iter().filter(|promise| failed.contains(&promise.origin.clause)) {
            if !self.speaks_of_result(promise.conjunct) || self.cannot_hold(promise) {
                withdrawn.insert(promise.origin.clause);
            }
        }
        facts.retain(|fact| fact.origin.part != Part::Value || !withdrawn.contains(&fact.origin.clause));
        !failed.is_empty()
    }
    fn failed_promises(&self) -> BTreeSet<SyntaxId> {
        let writer = &self.eval.memory.writer;
        let checks = writer.failures_in(Concern::Postcondition).filter_map(|(_, failure)| failure.check);
        checks.map(|check| writer.tree.origins[writer.tree.checks[check].origin].clause).collect()
    }
    /// Whether the conjunct could hold only because it is unreachable, which is evident without verifying the
    /// function.
    pub fn is_impossible(&mut self, promise: &Promise) -> bool {
        !self.speaks_of_result(promise.conjunct) && self.cannot_hold(promise)
    }
    fn speaks_of_result(&self, conjunct: ExprId) -> bool {
        let mut concluded = conjunct;
        while let ExprKind::Binary(BinaryOp::Implies, _, body) = self.context.program.kind(concluded) {
            concluded = *body;
        }
        self.context.program.any(concluded, |kind| matches!(kind, ExprKind::Result))
    }
    /// Whether the conclusion of a conjunct is false wherever the conjunct applies.
    fn cannot_hold(&mut self, promise: &Promise) -> bool {
        promise.values.iter().all(|(st, value)| {
            let (mut conditions, mut concluded) = (Vec::new(), *value);
            while let Some((Op::Implies, &[condition, body])) = self.eval.memory.writer.tree.terms.as_op(concluded) {
                conditions.push(condition);
                concluded = body;
            }
            let condition = self.eval.memory.writer.terms().and(conditions);
            let negation = self.eval.memory.writer.tree.terms.not(concluded);
            let goal = self.eval.memory.writer.terms().implies(condition, negation);
            self.eval.memory.writer.ask(st, goal, Bound::Quick).is_proved()
        })
    }
}
