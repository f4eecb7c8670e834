//! Questions that are asked once: mostly the engine's own, where "don't know" is harmless.
//!
//! The engine asks the same at many steps and on many paths, such as whether two references are the same. A question that
//! was not answered before is answered later only if facts came that say so, and then the proof is short: it is asked with
//! a small bound. If the facts of a member keep the solver busy, most answers are found at once or not at all: where many
//! questions reached their bounds, the next ones get less.

use super::Session;
use crate::backend::Backend;
use crate::limits::{IN_DOUBT, WONDERED_IN_VAIN};
use crate::settings::Limit;
use echis_base::FastSet;
use echis_proof::{Bound, GaveUp, ProofTree, Verdict};
use echis_term::TermId;

/// What questions that are asked once came to in this tree.
#[derive(Default)]
pub(super) struct Doubts {
    /// What was spent on those that reached their bounds.
    in_vain: u64,
    /// Those that were not answered.
    open: FastSet<TermId>,
}

impl<B: Backend> Session<B> {
    pub(super) fn wonder(&mut self, tree: &ProofTree, goal: TermId, bound: Bound) -> Verdict {
        let limit = self.limit_of_doubt(goal, bound);
        let verdict = self.settle(tree, goal, limit);
        if verdict == Verdict::Unknown(GaveUp::Resources) {
            self.doubts.in_vain += u64::from(limit.rlimit);
        }
        // That everything is contradictory is another question after each fact.
        if bound == Bound::Quick && !verdict.is_proved() && !tree.terms.is_false(goal) {
            self.doubts.open.insert(goal);
        }
        verdict
    }
    fn limit_of_doubt(&self, goal: TermId, bound: Bound) -> Limit {
        let Limit { rlimit, clock } = self.limit(bound);
        let least = match bound {
            Bound::Quick if self.doubts.open.contains(&goal) => {
                return Limit { rlimit: rlimit.min(IN_DOUBT), clock };
            }
            Bound::Quick | Bound::Again => u64::from(self.settings.brief.rlimit.min(rlimit)),
            Bound::Brief | Bound::Patient | Bound::Full => return Limit { rlimit, clock },
        };
        let less = u64::from(rlimit) / (1 + self.doubts.in_vain / WONDERED_IN_VAIN);
        Limit { rlimit: u32::try_from(less.max(least)).unwrap_or(rlimit), clock }
    }
}
