//! Searches for wrong programs that Echis accepts: `cargo xtask attack`.
//!
//! Random programs are generated ([`generate`]) and verified with Echis ([`program`]), and an oracle executes their
//! members on small states ([`oracle`]). A member that verifies although an execution refutes it was accepted wrongly
//! ([`judge`]); its program is minimised ([`minimise`]) and written to a file ([`campaign`]).

pub mod boogie;
pub mod campaign;
pub mod generate;
mod inline;
pub mod judge;
pub mod metamorphic;
pub mod minimise;
pub mod mutate;
pub mod oracle;
pub mod program;
pub mod random;
pub mod silicon;
mod tree;
