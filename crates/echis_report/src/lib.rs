//! Layout, and nothing else: findings as text for people, JSON and SARIF for programs.

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
