//! What explaining, confirming and pruning do at most, besides the budgets of dependencies
//! ([`Policy`](echis_depend::Policy)).

use std::time::Duration;

// Explaining

/// The messages about a member that may be in its channel.
pub(crate) const MESSAGES_IN_CHANNEL: usize = 256;
/// How many members wait to be explained before another explainer is started for them.
pub(crate) const JOBS_WAITING: usize = 2;
/// A member with no more checks is explained by the thread that verified it, if none was hard.
pub(crate) const CHECKS_EXPLAINED_IN_PLACE: usize = 100;
/// Idle processes that are kept for replays: most members are explained without a question, so that more processes come than go.
pub(crate) const IDLE_SOLVERS: usize = 4;
/// So often a model is asked for that respects what those before did not.
pub(crate) const MODELS_ASKED_FOR: usize = 12;

// Facts with names

/// When a session whose facts have names has spent this on obligations of a member without proving them, it is not asked any
/// more, in solver units.
pub(crate) const NAMES_IN_VAIN: u64 = 300_000;
/// What each such obligation counts at least.
pub(crate) const LEAST_IN_VAIN: u64 = 100_000;

// Second solvers

/// The least that a question of the other engine may take, in solver units; with less it is not asked.
pub(crate) const LEAST_ELSEWHERE: u32 = 50_000;

/// How many contradictions between solvers a report lists.
pub(crate) const CONTRADICTIONS_LISTED: usize = 10;

// Proofs that are used again

/// How many proofs of one goal are kept.
pub(crate) const PROOFS_OF_A_GOAL: usize = 4;
/// With more facts than this it is not noted that something was not proved.
pub(crate) const FACTS_KNOWN: usize = 2000;

// Confirming and pruning

/// The budget for confirming that proofs need what they use, as a multiple of the checks in the program. Each candidate
/// is tried in the member that most likely needs it.
pub(crate) const CONFIRMING_CHECKS: usize = 2;
/// The bound of one obligation while something is confirmed, as a multiple of what all obligations took before.
pub(crate) const OBLIGATION_FACTOR: u64 = 4;
/// The least that one may take, in solver units.
pub(crate) const OBLIGATION_LEAST: u32 = 200_000;
/// What confirming may spend at most on a question about a Boogie program, which is about a whole procedure.
pub(crate) const PROCEDURE_MOST: u32 = 2_000_000;
/// A run may take so many times as long as the first one did. That only ends runs that hang: what others may take is
/// bounded by what each obligation may.
pub(crate) const RUN_FACTOR: u32 = 20;
/// The least time that it may take.
pub(crate) const RUN_LEAST: Duration = Duration::from_secs(60);
/// How many clauses a contradiction names at most.
pub(crate) const CLAUSES_NAMED: usize = 6;
/// Lines of obligations that follow from one contradiction, named in its warning.
pub(crate) const LINES_NAMED: usize = 10;
/// How many programs are verified to find out which of the added nodes matter.
pub(crate) const PRUNED_PROGRAMS: usize = 16;
/// How often a pruned program is tidied: what one pass empties may be superfluous in the next.
pub(crate) const TIDYING_PASSES: usize = 32;
/// How many earlier forms of a member are looked up.
pub(crate) const REMEMBERED_FORMS: usize = 8;
/// What a member is taken to cost for each byte of its text, in milliseconds, where no earlier run tells.
pub(crate) const COST_OF_A_BYTE: f64 = 0.01;
/// Members of which verdicts and explanations are kept in memory.
pub(crate) const REMEMBERED_MEMBERS: usize = 4096;
/// Steps that the outline of one member's proof lists: more than anybody reads, and a bound on the size of reports.
pub(crate) const OUTLINE_STEPS: usize = 1500;
/// Characters of a clause in such an outline.
pub(crate) const OUTLINE_CLAUSE: usize = 160;
