//! Limits of sessions and replays, besides those of single answers ([`Settings`](crate::Settings)), in the solver's
//! units (`rlimit`) unless noted otherwise. Beyond a limit, the answer is `unknown`.

use std::time::Duration;

// Attempts to prove an obligation; their total is limited by that of the obligation

/// Limit of the first attempt: most proofs are shorter.
pub(crate) const SHORT_TRY: u32 = 1_000_000;
/// Limit of the first attempt if a question concerns a whole procedure.
pub(crate) const PROCEDURE_TRY: u32 = 6_000_000;
/// Limit of a new solver, tried when the old one takes longer.
pub(crate) const AFRESH: u32 = 1_000_000;
/// Maximum number of unsuccessful tries of new solvers in one member.
pub(crate) const NEW_SOLVERS_IN_VAIN: u32 = 4;
/// Limit of another attempt in the session, before other ways are tried.
pub(crate) const FIRST_TRY: u32 = 3_000_000;
/// Limit of each other way.
pub(crate) const OTHER_TRY: u32 = 1_500_000;
/// Limit of the usual arithmetic before the other one, for goals with products of unknown numbers.
pub(crate) const AT_ONCE: u32 = 150_000;
/// Limit of another engine for a whole member.
pub(crate) const ELSEWHERE: u32 = 4_000_000;
/// Limit of the other arithmetic after the usual one was exhausted.
pub(crate) const OTHER_ARITHMETIC: u32 = 500_000;
/// Limit of each part of a goal, and of all parts together.
pub(crate) const ONE_PART: u32 = 1_500_000;
pub(crate) const ALL_PARTS: u32 = 3_000_000;
/// Limit of each case, and of all cases together.
pub(crate) const ONE_CASE: u32 = 500_000;
pub(crate) const ALL_CASES: u32 = 2_500_000;
/// After a member has spent the limit of one obligation without success, its other obligations have one short attempt
/// each. Each time these have spent this amount without success, the limit decreases: to a half, then a third, and so
/// on.
pub(crate) const SPENT_IN_VAIN: u64 = 4_000_000;
/// Minimum limit of such an attempt.
pub(crate) const SPENT_TRY: u32 = 100_000;
/// Each time the one-attempt questions of a member have spent this amount without success, their limit decreases: to
/// a half, then a third, and so on.
pub(crate) const WONDERED_IN_VAIN: u64 = 500_000;
/// Limit of an internal question that was asked before without an answer.
pub(crate) const IN_DOUBT: u32 = 2_000;
/// Maximum number of conditions to split on. Each doubles the number of cases.
pub(crate) const CONDITIONS: usize = 3;
/// Maximum number of parts that a goal is split into.
pub(crate) const GOAL_PARTS: usize = 16;
/// Number of latest facts that are searched for conditions.
pub(crate) const LATEST_FACTS: usize = 40;
/// Maximum number of steps between symbols that lead to near facts.
pub(crate) const STEPS_TO_NEAR_FACTS: usize = 2;

// Sessions

/// Limit of an obligation in a session whose facts have names. After that, it is asked without names.
pub(crate) const NAMED_TRY: u32 = 200_000;

/// Maximum number of facts between two pushes.
pub(crate) const FACTS_PER_LEVEL: u32 = 16;

// Replays

/// Limit up to which a question is short.
pub(crate) const SHORT_ANSWER: u64 = 2_000_000;
/// Time limit for the answer to a short question.
pub(crate) const SHORT_CLOCK: Duration = Duration::from_secs(5);
/// Maximum number of facts in a chapter if the next question has only a fraction of them.
pub(crate) const CHAPTER_FACTS: usize = 400;
/// The fraction: the facts of the chapter divided by this.
pub(crate) const CHAPTER_SHARE: usize = 8;
/// Limit from which a question begins its own chapter: earlier questions may mislead a solver.
pub(crate) const OWN_CHAPTER: u64 = 100_000;
/// Number of additional open questions at the first process from which the second is used.
pub(crate) const OPEN_QUESTIONS: usize = 6;
/// Total effort, including the limit of the next answer, from which a second process is worth starting.
pub(crate) const SECOND_PROCESS: u64 = 200_000;
