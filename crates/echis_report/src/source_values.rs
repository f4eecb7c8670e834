//! Counterexamples in the terms of the language that a program was translated from. A front end describes its encoding in a
//! mapping; nothing but what is printed depends on it.

mod mapping;
mod pattern;
mod translation;

pub use mapping::Mapping;
pub use translation::in_source;
