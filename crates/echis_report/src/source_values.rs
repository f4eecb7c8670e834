//! Counterexamples in terms of the language that a program was translated from. A front end describes its encoding in
//! a mapping, which affects only the printed output.

mod mapping;
mod pattern;
mod translation;

pub use mapping::Mapping;
pub use translation::in_source;
