//! Proof trees as text that reads back, so that trees can be inspected, stored, and written by hand in tests.
//!
//! One s-expression per line: the symbols and shared terms, then nodes and checks in key order.
//!
//! ```text
//! (symbol x (uninterpreted x) () Int)
//! (node n0 - (root) (origin @0 - Value))
//! (node n1 n0 (assume (%Lt 0 x) Written) (origin @3 - Value))
//! (node n2 n1 (split (%Lt x 5) taken) (origin @4 - Guard))
//! (check c0 n2 (%Lt 0 x) (obligation assert.failed @7 assertion.false @8) (origin @7 - Value) Proved)
//! ```
//!
//! Nodes and checks may end with the premises: `(premises c0 n1)`.

mod names;
mod read;
mod write;

pub use read::TreeError;

#[cfg(test)]
mod tests;
