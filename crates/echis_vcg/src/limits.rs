//! What this engine does at most: every bound, with its unit and its reason.

/// Solver units for one core.
pub(crate) const CORE_EFFORT: u64 = 20_000_000;
/// Solver units to look for a contradiction.
pub(crate) const CONTRADICTION_EFFORT: u64 = 2_000_000;
/// Quantifiers over types with more cases than this are left unknown.
pub(crate) const TYPE_CASES: usize = 256;
/// Instances of a polymorphic axiom.
pub(crate) const INSTANCES: usize = 200;
/// Types that are nested deeper than this are not tried: axioms may lead from each type to a larger one.
pub(crate) const TYPE_DEPTH: usize = 5;
/// Blocks of a procedure: inlining stops here.
pub(crate) const BLOCKS: usize = 100_000;
/// More steps are not looked at: executions are told apart, so there may be very many.
pub(crate) const STEPS: usize = 20_000;
/// More rounds do not make a program monomorphic.
pub(crate) const MONOMORPHIC_ROUNDS: usize = 8;
/// How many values of a quantified variable are tried.
pub(crate) const VALUES_TRIED: usize = 300;
/// How many instances of quantifiers are evaluated for one model.
pub(crate) const INSTANCES_EVALUATED: usize = 100_000;
/// How many terms get values.
pub(crate) const TERMS_WATCHED: usize = 600;

/// How much effort a second of `{:timeLimit}` is. No clock decides, so that two runs agree.
pub const EFFORT_OF_A_SECOND: u32 = 2_000_000;
