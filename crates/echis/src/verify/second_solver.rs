//! A second solver: asked what the first leaves undecided, or asked again what the first proved.
//!
//! The order is fixed: the first solver is asked first, even if the second is faster, so two runs agree.

use crate::limits::CONTRADICTIONS_LISTED;
use echis_proof::{Bound, GaveUp, NodeId, ProofTree, Prover, Verdict};
use echis_smt::{Backend, Session, SolverVersion};
use echis_term::TermId;
use std::sync::{Mutex, PoisonError};

/// What a second solver is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// Obligations that the first solver leaves undecided at its bound.
    Portfolio,
    /// Everything that the first solver proved, once more.
    CrossCheck,
}

/// What a second solver said in a run.
#[derive(Clone, Debug)]
pub struct SecondOpinion {
    /// What the second solver is for.
    pub purpose: Purpose,
    /// Which solver it is.
    pub solver: SolverVersion,
    /// Questions that it was asked, and how it answered; the rest it did not decide.
    pub asked: u64,
    /// Goals that it proved.
    pub proved: u64,
    /// Goals that it refuted.
    pub refuted: u64,
    /// What it refuted, as far as the first solver had proved it: one of both is wrong.
    pub contradictions: Vec<String>,
}

/// Counts of all workers.
#[derive(Default)]
pub(crate) struct Tally(Mutex<Counts>);

#[derive(Clone, Default)]
struct Counts {
    asked: u64,
    proved: u64,
    refuted: u64,
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
        counts.proved += u64::from(verdict.is_proved());
        counts.refuted += u64::from(*verdict == Verdict::Refuted);
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
    /// The verdict, given the first solver's.
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
                // What stands among the facts was proved by neither.
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
    /// Whether both solvers cannot be right.
    pub fn contradicts(&self) -> bool {
        self.purpose == Purpose::CrossCheck && self.refuted > 0
    }
    /// One sentence for people.
    pub fn summary(&self) -> String {
        let SecondOpinion { purpose, asked, proved, refuted, .. } = self;
        let undecided = asked - proved - refuted;
        let name = match &self.solver.version {
            Some(version) => format!("{} {version}", self.solver.name),
            None => self.solver.name.clone(),
        };
        match purpose {
            Purpose::Portfolio => format!(
                "portfolio: {name} was asked about {asked} undecided obligations: {proved} proved, {refuted} refuted, \
                 {undecided} not decided"
            ),
            Purpose::CrossCheck => format!(
                "cross-check: of {asked} proofs {name} confirmed {proved}, did not decide {undecided}, refuted {refuted}"
            ),
        }
    }
}
