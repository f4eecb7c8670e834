//! Names, types, well-formedness, and the small typed language that back ends consume.

pub mod program;
pub mod typed;
