//! Sessions that end with the run, and report which facts a proof uses.

use super::Bounded;
use crate::defect::{Over, give_up};
use crate::limits::{LEAST_IN_VAIN, NAMES_IN_VAIN, SURVEY_IMPATIENT, SURVEY_PATIENCE};
use crate::verify::cancel::Cancel;
use crate::verify::second_solver::SecondSession;
use echis_proof::{
    Bound, GaveUp, Model, Modeler, NoModel, NodeId, ProofCore, ProofTree, Property, Prover, Verdict, Wanted,
};
use echis_smt::{Attempt, Attempted, Elsewhere, Instances, Session};
use echis_term::TermId;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// Whether facts have names in the solver, so that unsat cores name them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    On,
    Off,
}

/// A session that aborts the work on a member when the run is cancelled or out of time.
pub(crate) struct BoundedSession {
    pub(super) session: Session<Bounded>,
    /// A session whose facts have names, if the solver reports unsat cores.
    pub(super) named: Option<Session<Bounded>>,
    /// Whether the session with names is asked first, and the effort that it spent on this member's obligations without
    /// an answer.
    pub(super) naming: Naming,
    pub(super) in_vain: u64,
    /// The facts used by the last proof, if known.
    pub(super) core: Option<ProofCore>,
    /// The effort of the last question.
    pub(super) effort: u64,
    /// Whether the limit is lowered when many obligations of a member reach it, and how many have.
    pub(super) patience: Patience,
    pub(super) exhausted: usize,
    pub(super) second: Option<SecondSession<Bounded>>,
    /// Shared with the backends inside.
    pub(super) cancel: Arc<Mutex<Cancel>>,
    pub(super) over: Cancel,
    pub(super) path: PathBuf,
}

/// Whether all obligations of a member may reach the limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Patience {
    Unlimited,
    /// Most obligations cannot be proved.
    Limited,
}

impl BoundedSession {
    /// Begins a new tree, counting effort and naming facts if requested.
    pub fn begin(&mut self, counted: bool, naming: Naming) {
        self.session.begin();
        self.session.count_effort(counted);
        (self.naming, self.in_vain, self.core, self.exhausted) = (naming, 0, None, 0);
        self.named.iter_mut().filter(|_| naming == Naming::On).for_each(Session::begin);
        if let Some(second) = &mut self.second {
            second.session.begin();
        }
    }
    /// Number of attempts by each way to prove the member's obligations.
    pub fn attempted(&self) -> BTreeMap<Attempt, Attempted> {
        self.session.attempted().clone()
    }
    pub fn last_effort(&self) -> u64 {
        self.effort
    }
    /// The facts used by the last proof, if known.
    pub fn take_core(&mut self) -> Option<ProofCore> {
        self.core.take()
    }
    pub fn take_instances(&mut self) -> Instances {
        self.session.take_instances()
    }
}

impl BoundedSession {
    /// The solver's error message if it rejects the goal.
    pub fn refusal(&mut self, tree: &ProofTree, goal: TermId) -> Option<String> {
        self.session.refusal(tree, goal).map(|said| complaint(&said))
    }
}

/// Strips the parentheses and the position, which refers to generated text:
/// `(error "line 3 column 5: unknown sort 'S'")`.
fn complaint(said: &str) -> String {
    let said = said.trim().trim_start_matches("(error").trim_end_matches(')').trim().trim_matches('"');
    match said.strip_prefix("line ").and_then(|rest| rest.split_once(": ")) {
        Some((_, rest)) => rest.to_string(),
        None => said.to_string(),
    }
}

impl Prover for BoundedSession {
    fn instantiate_eagerly(&mut self) {
        self.session.instantiate_eagerly();
        self.named.iter_mut().for_each(Session::instantiate_eagerly);
    }
    fn bound(&mut self, rlimit: u32) {
        self.session.bound(rlimit);
        self.named.iter_mut().for_each(|named| named.bound(rlimit));
    }
    fn obliged(&mut self, property: Property) {
        self.session.obliged(property);
    }
    fn tried(&mut self) {
        self.session.tried();
    }
    fn check(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> Verdict {
        self.check_with(tree, at, goal, bound, &mut |_| None)
    }
}

impl BoundedSession {
    /// An answer after the time limit does not count.
    pub fn check_with(
        &mut self,
        tree: &ProofTree,
        at: NodeId,
        goal: TermId,
        bound: Bound,
        elsewhere: &mut Elsewhere<'_>,
    ) -> Verdict {
        if let Some(over) = self.over.over() {
            give_up(over);
        }
        let verdict = match self.prove_with_names(tree, at, goal, bound) {
            Some(verdict) => verdict,
            None => {
                let verdict = self.session.check_with(tree, at, goal, bound, elsewhere);
                self.effort += self.session.last_effort();
                verdict
            }
        };
        let verdict = match &mut self.second {
            Some(second) => second.consider(tree, at, goal, bound, verdict),
            None => verdict,
        };
        if verdict.is_proved() {
            return verdict;
        }
        if bound == Bound::Full && verdict == Verdict::Unknown(GaveUp::Resources) {
            self.exhausted += 1;
            if self.patience == Patience::Limited && self.exhausted == SURVEY_PATIENCE {
                self.bound(SURVEY_IMPATIENT);
            }
        }
        if let Some(over) = self.over.over() {
            give_up(over);
        }
        match verdict {
            // A process that never gave an answer is not a solver, and its output must not be reported as errors of
            // the program.
            Verdict::Unknown(GaveUp::Solver(text)) if !self.session.has_answered() => {
                let path = self.path.display();
                give_up(Over::NoSolver(format!("{path} is not a solver that can be used: {text}")))
            }
            verdict => verdict,
        }
    }
}

impl BoundedSession {
    /// Asks the session whose facts have names. `None` if it does not prove an obligation, or is not asked. It is no
    /// longer asked after spending much effort on a member's obligations without an answer.
    fn prove_with_names(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> Option<Verdict> {
        (self.core, self.effort) = (None, 0);
        let named = self.named.as_mut().filter(|_| self.naming == Naming::On)?;
        let (verdict, core) = named.prove(tree, at, goal, bound);
        (self.core, self.effort) = (core, named.effort());
        let is_unanswered = bound == Bound::Full || matches!(verdict, Verdict::Unknown(GaveUp::Solver(_)));
        if verdict.is_proved() || !is_unanswered {
            return Some(verdict);
        }
        self.in_vain += self.effort.max(LEAST_IN_VAIN);
        if self.in_vain > NAMES_IN_VAIN {
            self.naming = Naming::Off;
        }
        None
    }
}

impl Modeler for BoundedSession {
    fn model(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, wanted: &Wanted) -> Result<Model, NoModel> {
        if self.over.is_over() { Err(NoModel::TimeUp) } else { self.session.model(tree, at, goal, wanted) }
    }
}
