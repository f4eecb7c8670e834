//! Proofs that need no solver: equal terms, truth values, linear arithmetic, a few laws of collections, claims of
//! quantifiers where their triggers match, and few case distinctions. Most obligations are like that, and are explained
//! here in a fraction of the time that a solver takes to be told the question.
//!
//! A [`Problem`] is a goal with numbered groups of facts; an [`Engine`] answers with a core, with *no proof*, or that it gave
//! up at its [`Limits`]. What is proved holds; what is not proved may hold even so. That is tested for all operators
//! against a solver.

mod engine;
mod ground;
mod limits;
mod linear;
mod mask;
mod problem;
mod ratio;

pub use engine::Engine;
pub use problem::{Answer, Derivation, Limits, NoPreference, Preference, Problem};
