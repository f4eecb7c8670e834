//! Limits on the search for triggers, instances of axioms and types. Reaching a limit only makes proofs weaker.

/// Maximum number of trigger candidates: more only make the search longer.
pub(crate) const TRIGGER_CANDIDATES: usize = 64;
/// Maximum number of nodes of a trigger term.
pub(crate) const TRIGGER_SIZE: usize = 100;
/// Maximum number of trigger sets of a quantifier.
pub(crate) const TRIGGER_SETS: usize = 16;
/// Maximum number of search steps for triggers.
pub(crate) const TRIGGER_STEPS: usize = 4096;
/// Maximum nesting of type arguments of axioms beyond that in the program text.
pub(crate) const INSTANCE_DEPTH: usize = 2;
/// Maximum number of instances of generic domains whose axioms a member gets.
pub(crate) const INSTANCES: usize = 4096;
/// Maximum number of alternatives of an expression; only contrived programs reach it.
pub(crate) const ALTERNATIVES: usize = 64;
