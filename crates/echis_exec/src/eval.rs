//! Expressions and assertions: from the program's text to terms, chunks and obligations.
//!
//! Pure expressions do not fork the path: conditionals and short-circuit operators evaluate their branches under
//! guards, lift the facts learned there behind the guard, and join to one term. A value written to the store or heap
//! is a fresh symbol with a defining fact, so that provenance survives assignments.
//!
//! Assertions do fork it where permission is conditional, unless that would make too many paths (`cases`).
//!
//! An evaluated function application is known, whether its value is used or not: its precondition was checked, so its
//! postcondition is a fact. Definitions are unrolled once for each application in the text, and further where
//! something in the text pays for it (`pay`). Definitions and triggers use limited versions of the symbols, which
//! have the same values but are not unrolled.
//!
//! A function depends on its snapshot. Maps of quantified permissions in snapshots are equal if they agree on their
//! keys; this is tried only for snapshots to which the same function is applied with the same arguments.

mod access;
mod apply;
mod cases;
pub(crate) mod consume;
mod expr;
mod fold;
mod forperm;
mod perm;
pub(crate) mod produce;
mod quantifier;
pub(crate) mod termination;
mod unrolling_budget;
mod wand;

use crate::context::Context;
use crate::heap::{Layer, Memory};
use echis_program::program::PredicateId;
use echis_term::TermId;

pub(crate) struct Evaluator<'a> {
    pub context: Context<'a>,
    pub memory: Memory<'a>,
    pub termination: termination::Termination,
    /// Predicates unfolded around the function body that is being evaluated: snapshot and arguments, for triggers.
    pub unfolded: Vec<(PredicateId, Vec<TermId>)>,
    pub payments: unrolling_budget::Payments,
}

impl<'a> Evaluator<'a> {
    pub fn new(memory: Memory<'a>) -> Self {
        let context = memory.context.clone();
        Evaluator {
            context,
            memory,
            termination: Default::default(),
            unfolded: Vec::new(),
            payments: Default::default(),
        }
    }
    pub fn into_memory(self) -> Memory<'a> {
        self.memory
    }
}

impl<'a> Layer<'a> for Evaluator<'a> {
    fn memory(&mut self) -> &mut Memory<'a> {
        &mut self.memory
    }
}
