//! What this engine does at most: every bound, with its unit and its reason.

/// Solver units for one core.
pub(crate) const CORE_EFFORT: u64 = 20_000_000;
/// Solver units to look for a contradiction.
pub(crate) const CONTRADICTION_EFFORT: u64 = 2_000_000;
/// Solver units for one core of many goals together.
pub(crate) const TOGETHER_EFFORT: u64 = 2_000_000;
/// Solver units for all such cores of a member. What is not explained by then may need anything.
pub(crate) const TOGETHER_MOST: u64 = 8_000_000;
/// If the proof of all goals, as often as there are goals, takes no more solver units than this, each is explained alone.
pub(crate) const THOROUGH_EFFORT: u64 = 200_000;
/// Where all goals are explained together, their core is made smaller, and contradictions are looked for, with so much of the
/// effort of their proof, as one part of so many.
pub(crate) const AFTERTHOUGHT_SHARE: u64 = 4;
/// Solver units that are spent on that in any case, and on one question of it at most: small programs are explained
/// thoroughly, and questions that may take little share what the solver was told.
pub(crate) const AFTERTHOUGHT_LEAST: u64 = 100_000;
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
/// How often the head of a loop is looked at before the bounds of its variables are widened.
pub(crate) const VISITS: usize = 3;
/// How many values of a quantified variable are tried.
pub(crate) const VALUES_TRIED: usize = 300;
/// How many instances of quantifiers are evaluated for one model.
pub(crate) const INSTANCES_EVALUATED: usize = 100_000;
/// How many terms get values.
pub(crate) const TERMS_WATCHED: usize = 600;

/// How much effort a second of `{:timeLimit}` is. No clock decides, so that two runs agree.
pub const EFFORT_OF_A_SECOND: u32 = 2_000_000;
