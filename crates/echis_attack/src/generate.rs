//! Programs by chance, each kind in a file of its own.

pub mod contracts;
mod exprs;
pub mod functions;
pub mod methods;
mod probe;
pub mod quantified;
pub mod wands;
