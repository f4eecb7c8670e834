//! What sessions and replays do at most, besides the limits of single answers ([`Settings`](crate::Settings)). Units are the
//! solver's own (`rlimit`) where nothing else is said. Beyond a bound the answer is `unknown`.

use std::time::Duration;

// Attempts to prove an obligation; all together have the bound of the obligation

/// The bound of the first attempt: most proofs are shorter.
pub(crate) const SHORT_TRY: u32 = 1_000_000;
/// The bound of the first attempt where a question is about a whole procedure.
pub(crate) const PROCEDURE_TRY: u32 = 6_000_000;
/// The bound of a new solver where the old one takes longer.
pub(crate) const AFRESH: u32 = 1_000_000;
/// How often that is tried in one member without success.
pub(crate) const NEW_SOLVERS_IN_VAIN: u32 = 4;
/// The bound of another attempt in the session, before other ways are tried.
pub(crate) const FIRST_TRY: u32 = 3_000_000;
/// The bound of each other way.
pub(crate) const OTHER_TRY: u32 = 1_500_000;
/// The bound of the usual arithmetic before the other one, where goals have products of unknown numbers.
pub(crate) const AT_ONCE: u32 = 150_000;
/// The bound of another engine for a whole member.
pub(crate) const ELSEWHERE: u32 = 4_000_000;
/// The bound of another arithmetic where the usual one came to its end.
pub(crate) const OTHER_ARITHMETIC: u32 = 500_000;
/// The bounds of each part of a goal and of all together.
pub(crate) const ONE_PART: u32 = 1_500_000;
pub(crate) const ALL_PARTS: u32 = 3_000_000;
/// The bounds of each case and of all together.
pub(crate) const ONE_CASE: u32 = 500_000;
pub(crate) const ALL_CASES: u32 = 2_500_000;
/// A member that has spent the bound of an obligation in vain has one short attempt for each other obligation. When these
/// have spent this in vain, the next ones have half of their bound, then a third, and so on.
pub(crate) const SPENT_IN_VAIN: u64 = 4_000_000;
/// The bound of such an attempt in the end.
pub(crate) const SPENT_TRY: u32 = 100_000;
/// When questions of a member that are asked once have spent this in vain, the next ones have half of their bound, then a
/// third, and so on.
pub(crate) const WONDERED_IN_VAIN: u64 = 500_000;
/// The bound of a question of the engine's own that was asked before and not answered.
pub(crate) const IN_DOUBT: u32 = 2_000;
/// How many conditions are distinguished. Each doubles the number of cases.
pub(crate) const CONDITIONS: usize = 3;
/// The largest number of parts that a goal is split into.
pub(crate) const GOAL_PARTS: usize = 16;
/// How many of the latest facts are searched for conditions.
pub(crate) const LATEST_FACTS: usize = 40;
/// How many steps from symbol to symbol lead to near facts.
pub(crate) const STEPS_TO_NEAR_FACTS: usize = 2;

// Sessions

/// The bound of an obligation where facts have names. Beyond it the obligation is asked without names.
pub(crate) const NAMED_TRY: u32 = 200_000;

/// Facts between two pushes where nothing else asks for one.
pub(crate) const FACTS_PER_LEVEL: u32 = 16;

// Replays

/// A question that may take no more than this is short.
pub(crate) const SHORT_ANSWER: u64 = 2_000_000;
/// The answer to a short question that takes longer than this does not come.
pub(crate) const SHORT_CLOCK: Duration = Duration::from_secs(5);
/// Above this many facts, if the next question has only a part of them, a new chapter begins.
pub(crate) const CHAPTER_FACTS: usize = 400;
/// The part: the facts of the chapter divided by this.
pub(crate) const CHAPTER_SHARE: usize = 8;
/// A question that may take this much begins a chapter of its own: what was asked before may lead a solver astray.
pub(crate) const OWN_CHAPTER: u64 = 100_000;
/// The second process is asked when so many more questions are open at the first.
pub(crate) const OPEN_QUESTIONS: usize = 6;
/// What answers have to take before another process is worth starting, with what the next one may take.
pub(crate) const SECOND_PROCESS: u64 = 200_000;
