//! Layout, and nothing else: findings, counterexamples, coverage and dependency graphs as text and HTML for people, as JSON,
//! SARIF and other formats for programs. A saved graph is read back here too.

mod counterexample;
mod counterexample_text;
pub mod cover;
pub mod deps;
mod excerpt;
pub mod export;
pub mod html;
mod human;
mod json;
pub mod prune;
mod sarif;
pub mod saved;

pub use human::{Human, Style};
pub use json::document as json;
pub use sarif::document as sarif;
