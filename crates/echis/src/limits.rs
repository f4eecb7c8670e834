//! Limits for explaining, confirming and pruning, besides the budgets for dependencies
//! ([`Policy`](echis_depend::Policy)).

use std::time::Duration;

// Explaining

/// Capacity of the channel for messages about a member.
pub(crate) const MESSAGES_IN_CHANNEL: usize = 256;
/// Number of members waiting to be explained before another explainer is started.
pub(crate) const JOBS_WAITING: usize = 2;
/// Maximum number of checks of a member for it to be explained by the thread that verified it, if none was hard.
pub(crate) const CHECKS_EXPLAINED_IN_PLACE: usize = 100;
/// Maximum number of idle processes kept for replays: most members are explained without a query, so more processes
/// come than go.
pub(crate) const IDLE_SOLVERS: usize = 4;
/// Maximum number of models requested to satisfy constraints that earlier models violated.
pub(crate) const MODELS_ASKED_FOR: usize = 12;

// Facts with names

/// When a session whose facts have names has spent this on obligations of a member without proving them, it is not asked any
/// more, in solver units.
pub(crate) const NAMES_IN_VAIN: u64 = 300_000;
/// What each such obligation counts at least.
pub(crate) const LEAST_IN_VAIN: u64 = 100_000;

// Second solvers

/// Minimum resource limit for a query to the other engine, in solver units; with less it is not asked.
pub(crate) const LEAST_ELSEWHERE: u32 = 50_000;

/// Maximum number of contradictions between solvers listed in a report.
pub(crate) const CONTRADICTIONS_LISTED: usize = 10;

// Proofs that are used again

/// How many proofs of one goal are kept, and how many failed attempts.
pub(crate) const PROOFS_OF_A_GOAL: usize = 256;
/// With more new facts than this, what was not proved is asked again.
pub(crate) const NEW_FACTS: usize = 3;
/// With more facts than this it is not noted that something was not proved.
pub(crate) const FACTS_KNOWN: usize = 2000;

// Confirming and pruning

/// The budget for confirming that proofs need what they use, as a multiple of the checks in the program. Each
/// candidate is tried in the member that most likely needs it.
pub(crate) const CONFIRMING_CHECKS: usize = 2;
/// Minimum of that budget, in checks.
pub(crate) const CONFIRMING_LEAST: usize = 200;
/// Limit of one obligation during confirmation, as a multiple of the previous cost of all obligations.
pub(crate) const OBLIGATION_FACTOR: u64 = 4;
/// If that is more than this many solver units, a multiple of the largest previous cost of one obligation is enough.
pub(crate) const OBLIGATION_USUAL: u64 = 2_000_000;
pub(crate) const LARGEST_FACTOR: u64 = 3;
/// Minimum of the limit, in solver units.
pub(crate) const OBLIGATION_LEAST: u32 = 200_000;
/// Limit of one obligation of the survey, as a multiple of the largest previous cost of one, with the same minimum.
/// Most cannot be proved, and candidates that stay undecided are tried on their own; but a contradiction that takes
/// longer to find is not reported.
pub(crate) const SURVEY_FACTOR: u64 = 2;
/// When this many obligations of a member have reached that limit, the others have a lower one, in solver units.
pub(crate) const SURVEY_PATIENCE: usize = 4;
pub(crate) const SURVEY_IMPATIENT: u32 = 20_000;
/// Maximum cost of confirming a question about a Boogie program, which concerns a whole procedure.
pub(crate) const PROCEDURE_MOST: u32 = 2_000_000;
/// Maximum duration of a run, as a multiple of the first one's. It only ends runs that hang: others are limited by
/// the limits of their obligations.
pub(crate) const RUN_FACTOR: u32 = 20;
/// Minimum of that duration.
pub(crate) const RUN_LEAST: Duration = Duration::from_secs(60);
/// Maximum number of clauses named for a contradiction.
pub(crate) const CLAUSES_NAMED: usize = 6;
/// Maximum number of lines named in a warning for obligations that follow from one contradiction.
pub(crate) const LINES_NAMED: usize = 10;
/// How many warnings with the same message and text are shown; of more, the first names the lines of the others.
pub(crate) const ALIKE_SHOWN: usize = 3;
/// How many warnings of one kind in one member are shown.
pub(crate) const OF_A_MEMBER_SHOWN: usize = 10;
/// Maximum number of programs verified to find out which of the added nodes matter.
pub(crate) const PRUNED_PROGRAMS: usize = 16;
/// Maximum number of passes for tidying a pruned program: each may make more code superfluous.
pub(crate) const TIDYING_PASSES: usize = 32;
/// Maximum number of earlier forms of a member that are looked up.
pub(crate) const REMEMBERED_FORMS: usize = 8;
/// Estimated cost of a member per byte of its text, in milliseconds, if unknown from earlier runs.
pub(crate) const COST_OF_A_BYTE: f64 = 0.01;
/// Maximum number of members whose verdicts and explanations are kept in memory.
pub(crate) const REMEMBERED_MEMBERS: usize = 4096;
/// Maximum number of steps in the outline of a member's proof, to bound the size of reports.
pub(crate) const OUTLINE_STEPS: usize = 1500;
/// Maximum length of a clause in such an outline.
pub(crate) const OUTLINE_CLAUSE: usize = 160;
