//! Verifying the members of a program: scheduling, solvers, cancellation, progress, and results.

pub(crate) mod callees;
pub(crate) mod cancel;
pub(crate) mod cores;
pub(crate) mod counters;
pub(crate) mod explainers;
pub(crate) mod interpretations;
pub(crate) mod known;
pub(crate) mod members;
pub(crate) mod other_engine;
pub(crate) mod part;
pub(crate) mod pattern;
pub(crate) mod profile;
pub(crate) mod results;
pub(crate) mod run;
pub(crate) mod schedule;
pub(crate) mod second_solver;
pub(crate) mod settings;
pub(crate) mod shard;
pub(crate) mod solvers;
pub(crate) mod verifier;
