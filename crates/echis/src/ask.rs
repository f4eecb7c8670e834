//! Questions about verified programs, one file each.

pub(crate) mod coverage;
pub(crate) mod dependencies;
pub(crate) mod dump;
pub(crate) mod prune;
pub(crate) mod stability;
