//! Layout and nothing else: findings, counterexamples, coverage and dependency graphs as text and pages for users,
//! and as JSON, SARIF and other formats for programs. Saved graphs are also read here.

pub mod boogie;
mod counterexample;
mod counterexample_text;
pub mod cover;
pub mod deps;
mod draw;
mod excerpt;
pub mod explain;
pub mod export;
pub mod github;
mod human;
mod json;
pub mod junit;
pub mod labels;
pub mod lines;
mod markup;
mod part;
mod position;
mod profile;
pub mod prune;
mod reproduction;
mod sarif;
pub mod saved;
mod source_values;
mod stopped;
mod unified;
mod unreadable;
pub mod web;

pub use draw::Graph;
pub use human::{Human, Style, is_not_looked_at};
pub use json::{Piece, Run, SecondSolver, Solver, assembled, document as json};
pub use part::seal;
pub use profile::measures;
pub use reproduction::export_test;
pub use sarif::document as sarif;
pub use source_values::{Mapping, in_source};
pub use unified::unified;
pub use unreadable::Unreadable;
