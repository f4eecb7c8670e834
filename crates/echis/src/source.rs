//! Where programs come from.

pub(crate) mod files;
