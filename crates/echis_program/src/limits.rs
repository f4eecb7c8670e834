//! Limits on the search for triggers, instances of axioms and types. Reaching a limit only makes proofs weaker.

/// More candidates than this do not make better triggers, only longer searches.
pub(crate) const TRIGGER_CANDIDATES: usize = 64;
/// Terms with more nodes than this are no triggers.
pub(crate) const TRIGGER_SIZE: usize = 100;
/// Enough sets for any solver; more only cost time.
pub(crate) const TRIGGER_SETS: usize = 16;
/// Bounds the search where many variables meet many candidates.
pub(crate) const TRIGGER_STEPS: usize = 4096;
/// Levels that type arguments of axioms may be nested deeper than what the text of the program writes.
pub(crate) const INSTANCE_DEPTH: usize = 2;
/// Instances of generic domains whose axioms a member is told.
pub(crate) const INSTANCES: usize = 4096;
/// More alternatives than this are cut off; only programs made for it get there.
pub(crate) const ALTERNATIVES: usize = 64;
