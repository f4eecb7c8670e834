//! Verifying the members of a program: scheduling, solvers, cancellation, progress, and what is concluded.

pub(crate) mod cancel;
pub(crate) mod conclude;
pub(crate) mod cores;
pub(crate) mod explainers;
pub(crate) mod interpretations;
pub(crate) mod measure;
pub(crate) mod members;
pub(crate) mod part;
pub(crate) mod pattern;
pub(crate) mod run;
pub(crate) mod schedule;
pub(crate) mod second;
pub(crate) mod settings;
pub(crate) mod share;
pub(crate) mod solvers;
pub(crate) mod verifier;
