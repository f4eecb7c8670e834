//! Expressions and assertions: from the program's text to terms, chunks and obligations.

mod access;
mod apply;
pub(crate) mod consume;
mod expr;
mod fold;
mod forperm;
mod pay;
mod perm;
pub(crate) mod produce;
mod quantifier;
pub(crate) mod termination;
mod wand;

use crate::heap::{Layer, Memory};
use echis_program::program::PredicateId;
use echis_term::TermId;
use std::ops::{Deref, DerefMut};

pub(crate) struct Evaluator<'a> {
    memory: Memory<'a>,
    pub termination: termination::Termination,
    /// Predicates unfolded around the function body that is being evaluated: snapshot and arguments, for triggers.
    pub unfolded: Vec<(PredicateId, Vec<TermId>)>,
    pub payments: pay::Payments,
}

impl<'a> Evaluator<'a> {
    pub fn new(memory: Memory<'a>) -> Self {
        Evaluator { memory, termination: Default::default(), unfolded: Vec::new(), payments: Default::default() }
    }
    pub fn into_memory(self) -> Memory<'a> {
        self.memory
    }
}

impl<'a> Deref for Evaluator<'a> {
    type Target = Memory<'a>;
    fn deref(&self) -> &Memory<'a> {
        &self.memory
    }
}
impl DerefMut for Evaluator<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.memory
    }
}

impl<'a> Layer<'a> for Evaluator<'a> {
    fn memory(&mut self) -> &mut Memory<'a> {
        &mut self.memory
    }
}
