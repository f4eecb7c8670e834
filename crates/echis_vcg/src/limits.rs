//! The engine's limits, each with its unit and reason.

/// Limit for one core, in solver units.
pub(crate) const CORE_EFFORT: u64 = 20_000_000;
/// Limit for finding a contradiction, in solver units.
pub(crate) const CONTRADICTION_EFFORT: u64 = 2_000_000;
/// Solver units for one proof of many goals together.
pub const TOGETHER_EFFORT: u64 = 6_000_000;
/// Solver units for all proofs of some of the goals, where there is none of all together. What is not explained by then may
/// need anything.
pub(crate) const TOGETHER_MOST: u64 = 4_000_000;
/// If the proof of all goals, as often as there are goals, takes no more solver units than this, each is explained alone,
/// with so much effort for all of them.
pub(crate) const THOROUGH_EFFORT: u64 = 100_000;
/// Then a question may take so many times as much as the proof of all goals, or so many solver units.
pub(crate) const ALONE_FACTOR: u64 = 2;
pub(crate) const ALONE_LEAST: u64 = 5_000;
/// Otherwise the core is made smaller, and contradictions are looked for, each with so much of the effort of the proof, as
/// one part of so many.
pub(crate) const AFTERTHOUGHT_SHARE: u64 = 8;
/// Quantifiers over types with more cases than this are left unknown.
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
pub(crate) const MONOMORPHIC_ROUNDS: usize = 16;
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
