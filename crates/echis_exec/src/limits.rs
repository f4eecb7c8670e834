//! What the executor does at most: every bound, with its unit and its reason. None decides whether an answer is true; beyond
//! one, something is not tried, or less is known.

// Dead paths

/// Paths of a member that no execution takes and that are followed, so that proofs on them can be explained.
pub(crate) const DEAD_PATHS: usize = 64;
/// Questions on them, besides a share of the questions on other paths. No solver is asked: each is worth a derivation.
pub(crate) const DEAD_PATH_QUESTIONS: usize = 80;
/// The share: questions on other paths divided by this.
pub(crate) const DEAD_PATH_SHARE: usize = 4;

// Terms and triggers

/// Alternative triggers of one axiom: more are not worth their instances.
pub(crate) const PATTERNS: usize = 6;
/// Larger numbers are not counted down.
pub(crate) const LARGEST_COUNTDOWN: i64 = 64;
/// A sum of more parts is no literal.
pub(crate) const LITERAL_SUMMANDS: usize = 8;
/// How many facts back the value of a constant is searched for.
pub(crate) const FACTS_LOOKED_BACK: usize = 200;
/// More equations than this are not tried for one expression.
pub(crate) const EQUATIONS_TRIED: usize = 16;

// Paths

/// Into how many paths the conditions of an assertion may divide a path. With more, conditional permissions are
/// conditional amounts: the path stays one, and each question is harder.
pub(crate) const PATHS_OF_AN_ASSERTION: usize = 32;

/// When so many questions of a member that has failed have reached their bounds that are about whether a path is
/// contradictory, its paths are not followed further.
pub(crate) const CONTRADICTIONS_IN_VAIN: usize = 40;
/// The same where the contract itself is ill-formed: most of what follows is due to that.
pub(crate) const CONTRADICTIONS_IF_ILL_FORMED: usize = 4;

// Runs: executions of loops whose invariants failed, and of callees

/// Runs of one loop that are followed at a time.
pub(crate) const RUNS: usize = 3;
/// Iterations of a run.
pub(crate) const RUN_ITERATIONS: usize = 2;
/// Loops of more basic blocks are not run.
pub(crate) const RUN_BLOCKS: usize = 8;
/// Callees with more statements are not run.
pub(crate) const RUN_STATEMENTS: usize = 60;
/// Callees with more branches are not run.
pub(crate) const RUN_BRANCHES: usize = 4;

// Chunks

/// Above this many chunks of one resource, facts about pairs would be too many.
pub(crate) const CHUNKS_IN_PAIRS: usize = 24;
/// Chunks that are asked whether they alone suffice, or have the location.
pub(crate) const CHUNKS_ASKED: usize = 3;
/// How many statements of the same fact are looked at to find one on the path. The rest are on paths that ended.
pub(crate) const STATEMENTS_LOOKED_AT: usize = 6;
/// How many cases an amount may have to be computed with case by case.
pub(crate) const AMOUNT_CASES: usize = 8;
/// Above this size the amount of a chunk gets a name.
pub(crate) const UNNAMED_AMOUNT: usize = 60;
/// An amount that is given by more cases is not looked into.
pub(crate) const TRANSFERRED_CASES: usize = 64;
