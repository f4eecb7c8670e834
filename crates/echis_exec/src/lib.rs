//! Symbolic execution: program → proof tree.
//!
//! [`Engine`] verifies the members of a program; one [`Executor`](exec::Executor) verifies one of them. It walks every path
//! of the member, keeping a small symbolic [`State`](state::State), and writes facts and checks into the proof tree.
//!
//! The executor consists of parts, each of which contains the one below it and sees no other:
//!
//! | part | type | does |
//! |---|---|---|
//! | [`exec`] | `Executor` | statements, contracts, bodies; packaging wands |
//! | [`eval`] | `Evaluator` | expressions and assertions of the program's text |
//! | [`heap`] | `Memory` | finds, takes, gives, reads and summarises chunks; case distinctions |
//! | [`tree`] | `Writer` | assumes, asks and records; the vocabulary of terms |
//! | [`context`] | `Context` | program, options and what is known of the text, which never change |

mod cfg;
mod context;
mod engine;
mod eval;
mod exec;
mod heap;
mod limits;
mod purity;
mod state;
mod tree;

pub use engine::Engine;
