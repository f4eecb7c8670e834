//! A second solver: asked what the first leaves undecided, or to check what the first proved.
//!
//! The order is fixed: the first solver is asked first, even if the second is faster, so two runs agree.

use crate::limits::CONTRADICTIONS_LISTED;
use echis_base::counted;
use echis_proof::{Bound, GaveUp, NodeId, ProofTree, Prover, Verdict};
use echis_smt::{Backend, Session, SolverVersion};
use echis_term::TermId;
use std::sync::{Mutex, PoisonError};

/// The purpose of a second solver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Obligations that the first solver leaves undecided at its bound.
    Portfolio,
    /// Checking everything that the first solver proved.
    CrossCheck,
}

/// Results of the second solver in a run.
#[derive(Clone, Debug)]
pub struct SecondOpinion {
    /// Why the second solver was asked.
    pub purpose: Purpose,
    /// The name and version of the solver.
    pub solver: SolverVersion,
    /// Number of questions; those neither proved nor refuted were undecided.
    pub asked: usize,
    /// Number of goals proved.
    pub proved: usize,
    /// Number of goals refuted.
    pub refuted: usize,
    /// Goals proved by the first solver and refuted by the second: one of them is wrong.
    pub contradictions: Vec<String>,
}

/// Totals over all workers.
#[derive(Default)]
pub(crate) struct Tally(Mutex<Counts>);

#[derive(Clone, Default)]
struct Counts {
    asked: usize,
    proved: usize,
    refuted: usize,
    contradictions: Vec<String>,
}

impl Tally {
    pub fn opinion(&self, purpose: Purpose, solver: SolverVersion) -> SecondOpinion {
        let Counts { asked, proved, refuted, mut contradictions } =
            self.0.lock().unwrap_or_else(PoisonError::into_inner).clone();
        contradictions.sort();
        contradictions.truncate(CONTRADICTIONS_LISTED);
        SecondOpinion { purpose, solver, asked, proved, refuted, contradictions }
    }
    fn note(&self, verdict: &Verdict, contradiction: Option<String>) {
        let mut counts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        counts.asked += 1;
        counts.proved += usize::from(verdict.is_proved());
        counts.refuted += usize::from(*verdict == Verdict::Refuted);
        counts.contradictions.extend(contradiction);
    }
}

/// A worker's session with the second solver.
pub(crate) struct SecondSession<B> {
    pub session: Session<B>,
    pub purpose: Purpose,
    pub tally: std::sync::Arc<Tally>,
}

impl<B: Backend> SecondSession<B> {
    /// The combined verdict, given that of the first solver.
    pub fn consider(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound, first: Verdict) -> Verdict {
        match (self.purpose, &first) {
            (Purpose::Portfolio, Verdict::Unknown(GaveUp::Resources)) if bound == Bound::Full => {
                let second = self.session.check(tree, at, goal, Bound::Full);
                self.tally.note(&second, None);
                if matches!(second, Verdict::Proved | Verdict::Refuted) { second } else { first }
            }
            (Purpose::CrossCheck, Verdict::Proved) => {
                let before = self.session.statistics().trivial;
                let second = self.session.check(tree, at, goal, Bound::Patient);
                // A goal that is among the facts was not proved by either solver.
                if self.session.statistics().trivial == before {
                    let contradiction = (second == Verdict::Refuted).then(|| tree.terms.text(goal).to_string());
                    self.tally.note(&second, contradiction);
                }
                first
            }
            _ => first,
        }
    }
}

impl SecondOpinion {
    /// Whether the solvers contradict each other.
    pub fn contradicts(&self) -> bool {
        self.purpose == Purpose::CrossCheck && self.refuted > 0
    }
    /// A one-sentence summary for users.
    pub fn summary(&self) -> String {
        let SecondOpinion { purpose, asked, proved, refuted, .. } = self;
        let undecided = asked - proved - refuted;
        let name = match &self.solver.version {
            Some(version) => format!("{} {version}", self.solver.name),
            None => self.solver.name.clone(),
        };
        match purpose {
            Purpose::Portfolio => format!(
                "portfolio: {name} was asked about {}: {proved} proved, {refuted} refuted, {undecided} not decided",
                counted(*asked, "undecided obligation")
            ),
            Purpose::CrossCheck => format!(
                "cross-check: of {} {name} confirmed {proved}, did not decide {undecided}, refuted {refuted}",
                counted(*asked, "proof")
            ),
        }
    }
}
