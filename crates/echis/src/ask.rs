//! Queries on verified programs, one file each.

pub(crate) mod by_origin;
pub(crate) mod counterexamples;
pub(crate) mod coverage;
pub(crate) mod dependencies;
pub(crate) mod dump;
pub(crate) mod explained;
pub(crate) mod labels;
pub(crate) mod outline;
pub(crate) mod prune;
pub(crate) mod stability;
pub(crate) mod touched;
pub(crate) mod trial;
