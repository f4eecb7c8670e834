//! A second engine for members with obligations that are hard to prove.
//!
//! What is hard in the way of one engine may be easy in the way of another. If an engine leaves an obligation open after its
//! first attempts, the other one may be asked about the member as a whole, within a bound, and once. If that verifies all of
//! the member, no execution of it violates any of its obligations, so the obligations of the first engine may be taken as
//! proved: assuming them excludes no execution. If it does not, nothing follows.
//!
//! To explain such an obligation, a proof from the facts of its path is looked for first; one that is found stands on its own.
//! If none is found, everything that the other engine can have read is named (`echis_depend`: `member::elsewhere`). The path
//! alone is not enough: it lacks what this engine withholds, such as a conjunct of a function's postcondition that failed.

use crate::limits::LEAST_ELSEWHERE;
use crate::verify::solvers::BoundedSession;
use echis_base::SyntaxId;
use echis_proof::{Bound, GaveUp, NodeId, ProofTree, Prover, Verdict};
use echis_term::TermId;

/// The other engine, with the program.
pub(crate) trait OtherEngine: Sync {
    /// Whether it verifies the member within this effort, and the effort spent. `None` if it cannot handle the
    /// member.
    fn verifies(&self, member: SyntaxId, most: u64) -> Option<(bool, u64)>;
}

/// A solver with a total budget, of which each answer may use at most half of what is left.
pub(crate) struct Rationed<'a> {
    solver: &'a mut BoundedSession,
    most: u64,
    pub spent: u64,
}

impl<'a> Rationed<'a> {
    pub fn new(solver: &'a mut BoundedSession, most: u64) -> Self {
        Rationed { solver, most, spent: 0 }
    }
}

impl Prover for Rationed<'_> {
    fn check(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> Verdict {
        let share = (self.most.saturating_sub(self.spent) / 2).min(u64::from(u32::MAX));
        let Some(share) = u32::try_from(share).ok().filter(|share| *share >= LEAST_ELSEWHERE) else {
            return Verdict::Unknown(GaveUp::Resources);
        };
        self.solver.bound(share);
        let verdict = self.solver.check(tree, at, goal, bound);
        self.spent += self.solver.last_effort();
        verdict
    }
    fn instantiate_eagerly(&mut self) {
        self.solver.instantiate_eagerly();
    }
}
