//! The executor's limits, each with its unit and reason. None affects the truth of an answer: beyond a limit,
//! something is not tried, or less is known.

// Dead paths

/// Maximum number of dead paths of a member that are followed, so that proofs on them can be explained.
pub(crate) const DEAD_PATHS: usize = 64;
/// Maximum number of checks on dead paths, plus a share of the checks on other paths. They are only derived, never
/// sent to the solver.
pub(crate) const DEAD_PATH_QUESTIONS: usize = 80;
/// The share: the number of checks on other paths divided by this.
pub(crate) const DEAD_PATH_SHARE: usize = 4;

// Terms and triggers

/// Maximum number of alternative triggers of one axiom: more are not worth their instances.
pub(crate) const PATTERNS: usize = 6;
/// Largest number that is counted down.
pub(crate) const LARGEST_COUNTDOWN: i64 = 64;
/// Maximum number of summands in a sum that counts as a literal.
pub(crate) const LITERAL_SUMMANDS: usize = 8;
/// Maximum number of facts to look back for the value of a constant.
pub(crate) const FACTS_LOOKED_BACK: usize = 200;
/// Maximum number of equations tried for one expression.
pub(crate) const EQUATIONS_TRIED: usize = 16;

// Paths

/// Maximum number of paths into which the conditions of one assertion may split a path. Beyond it, conditional
/// permissions become conditional amounts: the path is not split, but each check is harder.
pub(crate) const PATHS_OF_AN_ASSERTION: usize = 32;

/// Maximum number of questions whether a path is dead that may reach their limits in a member that has failed. After
/// that, its paths are not followed further.
pub(crate) const CONTRADICTIONS_IN_VAIN: usize = 40;
/// The limit if the contract itself is ill-formed, in which case most later failures are consequences.
pub(crate) const CONTRADICTIONS_IF_ILL_FORMED: usize = 4;

// Runs: executions of loops whose invariants failed, and of callees

/// Maximum number of runs of one loop that are followed at a time.
pub(crate) const RUNS: usize = 3;
/// Number of iterations of a run.
pub(crate) const RUN_ITERATIONS: usize = 2;
/// Maximum number of basic blocks of a loop that is run.
pub(crate) const RUN_BLOCKS: usize = 8;
/// Maximum number of statements of a callee that is run.
pub(crate) const RUN_STATEMENTS: usize = 60;
/// Maximum number of branches of a callee that is run.
pub(crate) const RUN_BRANCHES: usize = 4;

// Chunks

/// Maximum number of chunks of one resource for which facts about pairs are stated; they grow quadratically.
pub(crate) const CHUNKS_IN_PAIRS: usize = 24;
/// Maximum number of chunks checked one by one for being the location or sufficing alone.
pub(crate) const CHUNKS_ASKED: usize = 3;
/// Number of locations with missing permission whose aliases are followed; the cases of each multiply those of the
/// others. Later ones are taken to be locations of their own.
pub(crate) const MISSING_THROUGH_ALIASES: usize = 3;
/// Maximum number of occurrences of a fact that are searched for one on the path. The others are on paths that ended.
pub(crate) const STATEMENTS_LOOKED_AT: usize = 6;
/// Maximum number of cases of an amount that is computed case by case.
pub(crate) const AMOUNT_CASES: usize = 8;
/// Size above which the amount of a chunk gets a name.
pub(crate) const UNNAMED_AMOUNT: usize = 60;
/// Maximum number of cases of an amount that is simplified case by case.
pub(crate) const TRANSFERRED_CASES: usize = 64;
