//! The attempts to prove an obligation: a fixed order of ways to ask, each with its own limit, all together within
//! the limit of the obligation.
//!
//! The next attempt is made only after a limit was reached. A model refutes the goal, and an exhausted search without
//! a proof refutes it as far as the solver can tell; a few times in a member, a new solver is asked as well.
//! Incomplete arithmetic is neither: the other arithmetic decides, and if it reaches its limit, the obligation is
//! undecided. No clock is used, so two runs agree.
//!
//! If another engine verifies the member, the member's obligations hold, but nothing follows for other goals: it
//! counts only for goals that the caller declared to be obligations
//! ([`Prover::obliged`](echis_proof::Prover::obliged)).
//!
//! Each attempt has a small limit, since most proofs are short and another way is often faster than more patience;
//! the last one gets what is left. After a member has spent the limit of one obligation without success, its other
//! obligations get one short attempt each, so that a hopeless member ends, too. If the process breaks twice, the
//! member has no answer.

use super::Session;
use super::attempt::{Allowance, Attempt};
use super::cases::is_nonlinear;
use crate::backend::Backend;
use crate::limits::{
    AFRESH, ALL_CASES, ALL_PARTS, AT_ONCE, ELSEWHERE, FIRST_TRY, OTHER_ARITHMETIC, OTHER_TRY, PROCEDURE_TRY, SHORT_TRY,
    SPENT_IN_VAIN, SPENT_TRY,
};
use crate::settings::Limit;
use echis_proof::{Bound, ErrorKind, GaveUp, ProofTree, Property, Reason, Verdict};
use echis_term::TermId;

/// An attempt and its limit; `None` means all that is left.
type Rung = (Attempt, Option<u32>);

/// Tried first for products and quotients of unknown numbers: the usual arithmetic proves them at once or searches
/// forever.
const NONLINEAR: [Rung; 2] = [(Attempt::Usual, Some(AT_ONCE)), (Attempt::OtherArithmetic, Some(OTHER_ARITHMETIC))];

/// Short attempts first, since most proofs are short and another way is often faster than more patience.
const LADDER: [Rung; 10] = [
    (Attempt::Usual, Some(SHORT_TRY)),
    (Attempt::Afresh, Some(AFRESH)),
    (Attempt::Elsewhere, Some(ELSEWHERE)),
    (Attempt::Usual, Some(FIRST_TRY)),
    (Attempt::Parts, Some(ALL_PARTS)),
    (Attempt::OtherArithmetic, Some(OTHER_TRY)),
    (Attempt::NearFacts, Some(OTHER_TRY)),
    (Attempt::OtherChoices, Some(OTHER_TRY)),
    (Attempt::Cases, Some(ALL_CASES)),
    (Attempt::Usual, None),
];

/// For Boogie programs, where a question concerns a whole procedure: the usual attempt gets more time.
const PROCEDURES: [Rung; 7] = [
    (Attempt::Usual, Some(PROCEDURE_TRY)),
    (Attempt::Afresh, Some(AFRESH)),
    (Attempt::Parts, Some(ALL_PARTS)),
    (Attempt::OtherArithmetic, Some(OTHER_TRY)),
    (Attempt::NearFacts, Some(OTHER_TRY)),
    (Attempt::OtherChoices, Some(OTHER_TRY)),
    (Attempt::Usual, None),
];

/// Asks another engine whether all obligations of the tree hold, within the given effort. Returns the answer and the
/// effort, or `None` if there is no other engine.
pub type Elsewhere<'a> = dyn FnMut(u64) -> Option<(bool, u64)> + 'a;

/// The current obligation.
#[derive(Clone, Copy)]
pub(super) struct Open {
    left: Allowance,
    /// Whether every engine has this obligation: a violated assertion or missing permission.
    is_shared: bool,
}

/// An obligation while its attempts are made.
struct Climb<'c, 'e> {
    tree: &'c ProofTree,
    goal: TermId,
    nonlinear: bool,
    left: &'c mut Allowance,
    elsewhere: &'c mut Elsewhere<'e>,
}

/// The ladder.
impl<B: Backend> Session<B> {
    /// Proves an obligation at the session's current node.
    pub(super) fn insist(&mut self, tree: &ProofTree, goal: TermId, elsewhere: &mut Elsewhere<'_>) -> Verdict {
        if !self.settings.insists {
            return self.settle(tree, goal, self.full());
        }
        let mut left = self.open.map_or(Allowance::of(self.full()), |open| open.left);
        let before = self.effort;
        let verdict = match self.climb(tree, goal, &mut left, elsewhere) {
            Verdict::Unknown(_) if self.is_known_elsewhere() => Verdict::Proved,
            verdict => verdict,
        };
        self.open = self.open.map(|open| Open { left, ..open });
        if !verdict.is_proved() {
            self.in_vain += self.effort - before;
        }
        verdict
    }
    /// The limit of an obligation.
    pub(super) fn full(&self) -> Limit {
        self.own_bound.unwrap_or(self.settings.full)
    }
    /// The limit of any question of this tree.
    pub(super) fn limit(&self, bound: Bound) -> Limit {
        match self.own_bound {
            Some(own) => self.settings.clone().with_full(own).limit(bound),
            None => self.settings.limit(bound),
        }
    }
    /// Starts an obligation: all its questions that insist on an answer share one limit.
    pub(super) fn open_obligation(&mut self, property: Property) {
        let is_shared = property.error != ErrorKind::Termination
            && matches!(property.reason, Reason::AssertionFalse | Reason::InsufficientPermission);
        self.open = Some(Open { left: Allowance::of(self.full()), is_shared });
    }
    fn is_known_elsewhere(&self) -> bool {
        self.elsewhere == Some(true) && self.open.is_some_and(|open| open.is_shared)
    }
    fn climb(
        &mut self,
        tree: &ProofTree,
        goal: TermId,
        left: &mut Allowance,
        elsewhere: &mut Elsewhere<'_>,
    ) -> Verdict {
        let nonlinear = is_nonlinear(&tree.terms, goal);
        let mut climb = Climb { tree, goal, nonlinear, left, elsewhere };
        let first: &[Rung] = if nonlinear { &NONLINEAR } else { &[] };
        let only = match self.is_known_elsewhere() {
            // Easy proofs are still worth finding, because they can be explained.
            true => Some([(Attempt::Usual, Some(AT_ONCE)), (Attempt::Elsewhere, None)]),
            false => self.spent_in_vain().map(last_tries),
        };
        let usual: &[Rung] = if self.eager { &PROCEDURES } else { &LADDER };
        let rest: &[Rung] = only.as_ref().map_or(usual, |only| only);
        for (position, rung) in first.iter().chain(rest).enumerate() {
            if let Some(verdict) = self.step(*rung, &mut climb) {
                return verdict;
            }
            // Products among the facts may cause a nonterminating search.
            let among_facts = position == 0 && !nonlinear && only.is_none() && self.has_nonlinear_facts(tree);
            if let Some(verdict) = among_facts.then(|| self.step(NONLINEAR[1], &mut climb)).flatten() {
                return verdict;
            }
        }
        Verdict::Unknown(GaveUp::Resources)
    }
    /// Makes one attempt; returns the verdict if it is conclusive.
    fn step(&mut self, (attempt, most): Rung, climb: &mut Climb<'_, '_>) -> Option<Verdict> {
        let Climb { tree, goal, nonlinear, .. } = *climb;
        let found = match attempt {
            Attempt::Elsewhere => self.ask_elsewhere(climb.left, most, climb.elsewhere),
            _ => self.attempt(tree, goal, attempt, climb.left, most),
        };
        match (attempt, found?) {
            (_, Verdict::Unknown(GaveUp::Resources)) => None,
            (_, Verdict::Proved) => Some(Verdict::Proved),
            (Attempt::Usual, Verdict::Unknown(GaveUp::Incomplete)) => {
                Some(self.saturated(tree, goal, nonlinear, climb.left))
            }
            (Attempt::Usual, verdict) => Some(verdict),
            (attempt, Verdict::Refuted) if is_whole(attempt) => Some(Verdict::Refuted),
            (_, Verdict::Refuted | Verdict::Unknown(_)) => None,
        }
    }
    fn has_nonlinear_facts(&self, tree: &ProofTree) -> bool {
        self.trail.iter().filter_map(|node| tree.fact(*node)).any(|fact| is_nonlinear(&tree.terms, fact))
    }
    /// Asks the other engine, once per tree.
    fn ask_elsewhere(
        &mut self,
        left: &mut Allowance,
        most: Option<u32>,
        elsewhere: &mut Elsewhere<'_>,
    ) -> Option<Verdict> {
        if !self.open.is_some_and(|open| open.is_shared) {
            return None;
        }
        if self.elsewhere.is_none() {
            let limit = left.share(most)?;
            let most = if limit.rlimit == super::UNLIMITED { u64::MAX } else { u64::from(limit.rlimit) };
            let (holds, effort) = elsewhere(most)?;
            self.effort += effort;
            left.spend(effort);
            self.attempted.entry(Attempt::Elsewhere).or_default().add(holds, effort);
            self.elsewhere = Some(holds);
        }
        Some(if self.elsewhere == Some(true) { Verdict::Proved } else { Verdict::Unknown(GaveUp::Resources) })
    }
    /// The effort spent beyond the limit of one obligation, on obligations that were not proved.
    fn spent_in_vain(&self) -> Option<u64> {
        let full = u64::from(self.full().rlimit);
        if full == 0 { None } else { self.in_vain.checked_sub(full) }
    }
    /// The verdict after the search was exhausted without a proof. That is conclusive, except for parts of the goal,
    /// since one part may lead to the proof of the next, for incomplete arithmetic, where the other solver may
    /// succeed, and, a few times in a member, for a new solver, which earlier questions have not misled.
    fn saturated(&mut self, tree: &ProofTree, goal: TermId, nonlinear: bool, left: &mut Allowance) -> Verdict {
        let lacks_arithmetic = self.lacks_arithmetic;
        if self.attempt(tree, goal, Attempt::Parts, left, Some(ALL_PARTS)) == Some(Verdict::Proved) {
            return Verdict::Proved;
        }
        if nonlinear || lacks_arithmetic {
            match self.attempt(tree, goal, Attempt::OtherArithmetic, left, Some(OTHER_ARITHMETIC)) {
                Some(Verdict::Unknown(GaveUp::Incomplete | GaveUp::Solver(_))) => {}
                Some(verdict) => return verdict,
                None if lacks_arithmetic => return Verdict::Unknown(GaveUp::Resources),
                None => {}
            }
        }
        if self.attempt(tree, goal, Attempt::Afresh, left, Some(AFRESH)) == Some(Verdict::Proved) {
            return Verdict::Proved;
        }
        Verdict::Unknown(GaveUp::Incomplete)
    }
}

/// The only attempts in a member that has exceeded its budget for unproved obligations by this effort.
fn last_tries(spent: u64) -> [Rung; 2] {
    let less = u64::from(SHORT_TRY) / (1 + spent / SPENT_IN_VAIN);
    let bound = u32::try_from(less).unwrap_or(SHORT_TRY).max(SPENT_TRY);
    [(Attempt::Usual, Some(bound)), (Attempt::Elsewhere, Some(ELSEWHERE))]
}

/// Whether the attempt asks for the whole goal with all facts, so that a model refutes it.
fn is_whole(attempt: Attempt) -> bool {
    !matches!(attempt, Attempt::Parts | Attempt::Cases | Attempt::NearFacts)
}
