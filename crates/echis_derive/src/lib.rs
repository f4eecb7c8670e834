//! Proofs without a solver: equalities, truth values, linear arithmetic, a few laws of collections, instances of
//! quantifiers whose triggers match, and a few case distinctions. Most obligations need no more, and are explained
//! here in a fraction of the time needed to send the question to a solver.
//!
//! A [`Problem`] is a goal with numbered groups of facts; an [`Engine`] returns a core, *no proof*, or that it
//! reached its [`Limits`]. Everything it proves holds; what it does not prove may still hold. This is tested against
//! a solver for all operators.

mod engine;
mod ground;
mod limits;
mod linear;
mod mask;
mod problem;
mod ratio;

pub use engine::Engine;
pub use problem::{Answer, Derivation, Limits, NoPreference, Preference, Problem};
