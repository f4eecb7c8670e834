//! The engine's limits, each with its unit and reason.

/// Limit for one core, in solver units.
pub(crate) const CORE_EFFORT: u64 = 20_000_000;
/// Limit for finding a contradiction, in solver units.
pub(crate) const CONTRADICTION_EFFORT: u64 = 2_000_000;
/// Limit for one core of several goals, in solver units.
pub(crate) const TOGETHER_EFFORT: u64 = 2_000_000;
/// Limit for all such cores of a member, in solver units. Goals not explained by then may need anything.
pub(crate) const TOGETHER_MOST: u64 = 8_000_000;
/// If the proof of all goals, times their number, costs at most this many solver units, each is explained separately.
pub(crate) const THOROUGH_EFFORT: u64 = 200_000;
/// The share of the cost of the proof of all goals that may be spent on minimising their common core and on finding
/// contradictions: the cost divided by this.
pub(crate) const AFTERTHOUGHT_SHARE: u64 = 4;
/// Minimum of that budget, and maximum for one of its questions, in solver units: small programs are explained
/// thoroughly, and questions with small limits share what the solver has received.
pub(crate) const AFTERTHOUGHT_LEAST: u64 = 100_000;
/// Maximum number of cases of a quantifier over types; beyond it, the value is unknown.
pub(crate) const TYPE_CASES: usize = 256;
/// Maximum number of instances of a polymorphic axiom.
pub(crate) const INSTANCES: usize = 200;
/// Maximum nesting depth of types: axioms may lead from each type to a larger one.
pub(crate) const TYPE_DEPTH: usize = 5;
/// Maximum number of blocks of a procedure, at which inlining stops.
pub(crate) const BLOCKS: usize = 100_000;
/// Maximum number of steps in a code expression: executions are enumerated, so there may be very many.
pub(crate) const STEPS: usize = 20_000;
/// Maximum number of rounds for making a program monomorphic.
pub(crate) const MONOMORPHIC_ROUNDS: usize = 8;
/// Number of visits of a loop head before the bounds of its variables are widened.
pub(crate) const VISITS: usize = 3;
/// Maximum number of values tried for a quantified variable.
pub(crate) const VALUES_TRIED: usize = 300;
/// Maximum number of quantifier instances evaluated for one model.
pub(crate) const INSTANCES_EVALUATED: usize = 100_000;
/// Maximum number of terms whose values are requested.
pub(crate) const TERMS_WATCHED: usize = 600;

/// The effort that corresponds to a second of `{:timeLimit}`. No clock decides, so that two runs agree.
pub const EFFORT_OF_A_SECOND: u32 = 2_000_000;
