//! Symbolic execution: program → proof tree.
//!
//! [`Engine`] verifies the members of a program, each with an `Executor` of its own. The executor
//! walks every path of the member, keeping a small symbolic `State`, and writes facts and checks into
//! the proof tree.
//!
//! The executor has layers; each contains the one below it and sees no other:
//!
//! | part | type | does |
//! |---|---|---|
//! | `exec` | `Executor` | statements, contracts, bodies; packaging wands |
//! | `eval` | `Evaluator` | expressions and assertions of the program's text |
//! | `heap` | `Memory` | finds, takes, gives, reads and summarises chunks; case distinctions |
//! | `tree` | `Writer` | assumes, asks and records; the vocabulary of terms |
//! | `context` | `Context` | program, options and what is known of the text, which never change |
//!
//! # One tree
//!
//! A member is executed in one way only, and its tree is complete: verification, dependencies and coverage all read
//! it. Besides the facts and checks that verdicts rest on, it records what explanations need:
//!
//! | what | where | told to sessions |
//! |---|---|---|
//! | propositions about sums, with each grant behind a label | `labelled_facts`, `labelled_goals` | no |
//! | facts of the engine's own without what they presuppose | `labelled_facts` | no |
//! | paths that no execution takes, followed within bounds | nodes below a `Step::Dead`; `closed` where a bound was reached | no: what closes them is not asserted |
//! | what a statement used without a question | checks with the goal `true` | no |
//! | removals, if the program contains `perm` or `forperm` | nodes with the fact `true`, and labels | no |
//! | how permission moves | `moves` | no |
//! | a name for the amount that `perm` sees | a definition on the path | yes |
//!
//! Checks on dead paths have the bound `Brief`: they are derived or left unproved, so the solver is asked nothing
//! beyond what verdicts need. Checks about a named amount that are decided by the amount itself are not asked either.
//! `Outcome::checks` does not count checks that are recorded only for explanations. A finished tree never changes:
//! later stages keep what they learn in tables of their own.

mod context;
mod engine;
mod eval;
mod exec;
mod heap;
mod limits;
mod purity;
mod runnable;
mod state;
mod tree;

pub use engine::Engine;
pub use runnable::Runnable;
