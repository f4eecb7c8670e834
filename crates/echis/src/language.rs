//! Support for each language: how its programs are checked, verified and reported.

pub(crate) mod boogie;
pub(crate) mod conditions;
pub(crate) mod engines;
pub(crate) mod pruned_program;
pub(crate) mod vcg;
pub(crate) mod viper;
