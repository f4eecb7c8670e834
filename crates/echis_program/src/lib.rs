//! Names, types, well-formedness, and the small typed language that back ends consume.

mod build;
mod call_graph;
pub mod cfg;
mod check;
mod consistency;
mod copy;
mod fingerprint;
mod limits;
mod lower;
mod misplaced;
mod operators;
mod overloads;
pub mod pipeline;
pub mod print;
pub mod program;
pub mod reach;
mod triggers;
pub mod typed;
mod validate;
mod walk;
pub mod wand;
pub mod weaken;

pub use check::check;
pub use fingerprint::{Fingerprint, Fingerprints};
pub use misplaced::{Misplaced, MisplacedIn};
pub use pipeline::check_program;
pub use validate::validate;
