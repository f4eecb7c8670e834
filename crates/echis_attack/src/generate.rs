//! Random programs, one kind per file.

pub mod contracts;
mod exprs;
pub mod functions;
pub mod methods;
pub mod openings;
pub mod pairs;
mod probe;
pub mod quantified;
pub mod wands;
