//! Layout, and nothing else: findings as text for people, JSON and SARIF for programs.

mod counterexample;
mod counterexample_text;
pub mod cover;
pub mod deps;
mod excerpt;
pub mod html;
mod human;
mod json;
mod sarif;

pub use human::{Human, Style};
pub use json::document as json;
pub use sarif::document as sarif;
