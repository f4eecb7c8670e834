//! Viper programs as Boogie programs, after the published design of Carbon.
//!
//! A state is a heap and a mask. Here both are split by resource: each field and each predicate has a map of values and a
//! map of permission amounts, so that a write to one field says nothing about another one and no map is polymorphic. The
//! value of a predicate instance is its snapshot, made of the values that it holds; pairs and boxes in it are injective.
//!
//! Heaps are total. What holds of them in every state that is reached:
//! - a location for which no permission is held, neither directly nor inside of a predicate instance, has an arbitrary value:
//!   giving permission away also forgets the values that go with it;
//! - the snapshot of a predicate instance that is held is that of the values in the heap, so a reader that looks inside
//!   (`unfold`, `unfolding`, the definition of a function that does) may assume it.
//!
//! A function takes the heaps that it can reach. It is defined only where its precondition was shown: a proposition,
//! assumed at each application that was checked, says so, and definition and postcondition stand behind it.

mod applying;
mod assertion;
mod collections;
mod declare;
mod defined;
mod encoder;
mod expr;
mod facts;
mod footprint;
mod function;
mod jumps;
mod member;
mod names;
mod quantified;
mod refute;
mod resource;
mod snapshot;
mod stmt;
mod termination;
mod triggers;
mod wand;
mod write;

use echis_base::{IndexVec, SyntaxId};
use echis_boogie::ast::{self, Mark};
use echis_program::program::Program;
use echis_program::reach::Member;
use echis_proof::Property;
use std::collections::BTreeMap;

/// A Boogie program and what it has to do with the Viper program.
pub struct Translation {
    pub program: ast::File,
    /// What its assertions are about.
    pub goals: IndexVec<Mark, Goal>,
    /// Which procedure verifies which member.
    pub procedures: BTreeMap<String, Member>,
    /// Members that cannot be translated.
    pub refused: Vec<Refusal>,
}

#[derive(Clone, Copy, Debug)]
pub struct Goal {
    pub property: Property,
    /// Whether it is an error if it holds.
    pub refuted: bool,
}

/// Why a member cannot be translated.
#[derive(Clone, Debug)]
pub struct Refusal {
    pub member: Member,
    pub at: SyntaxId,
    pub message: String,
}

pub fn translate(program: &Program) -> Translation {
    declare::translate(program)
}
