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
//!
//! # One tree
//!
//! There is one way to execute a member, and the tree is complete: verification, dependencies and coverage read the same
//! one. Besides the facts and checks that verdicts rest on, it has what explanations need.
//!
//! | what | where | told to sessions |
//! |---|---|---|
//! | propositions about sums, with each grant behind a label | `labelled_facts`, `labelled_goals` | no |
//! | paths that no execution takes, followed within bounds | nodes below a `Step::Dead`; `closed` where a bound was reached | no: what closes them is not asserted |
//! | what a statement used without a question | checks with the goal `true` | no |
//! | removals, if the program contains `perm` or `forperm` | nodes with the fact `true`, and labels | no |
//! | how permission moves | `moves` | no |
//! | a name for the amount that `perm` sees | a definition on the path | yes |
//!
//! Questions on closed paths have the bound `Brief`: they are answered by derivation or not at all, so the solver is asked
//! no more than verdicts need. Questions about a named amount that the amount itself decides are not asked either.
//! `Outcome::checks` counts the checks that were made, without those that are recorded for explanations. A finished tree
//! does not change: later stages keep what they learn in tables of their own.

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
