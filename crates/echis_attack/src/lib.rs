//! Tries to have wrong programs accepted: `cargo xtask attack`.
//!
//! Generators write programs by chance ([`generate`]), Echis verifies them ([`program`]), and an oracle executes their
//! members on small states ([`oracle`]). A member that was verified and that some execution refutes was accepted wrongly
//! ([`judge`]); the program is made small ([`minimise`]) and written to a file ([`campaign`]).

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
