//! Translates Viper programs to Boogie, following the published design of Carbon.
//!
//! A state consists of a heap and a mask. Here both are split by resource: each field and each predicate has a map of
//! values and a map of permission amounts, so that a write to one field does not affect another and no map is
//! polymorphic. The value of a predicate instance is its snapshot, built from the values that it holds; pairs and
//! boxes in it are injective.
//!
//! Heaps are total. In every reachable state:
//! - a location for which no permission is held, neither directly nor inside a predicate instance, has an arbitrary
//!   value: giving permission away also havocs the corresponding values;
//! - the snapshot of a held predicate instance is that of the values in the heap, so a reader that looks inside
//!   (`unfold`, `unfolding`, the definition of a function that does) may assume it.
//!
//! A function takes the heaps that it can read. It is defined only where its precondition was proved: this is stated
//! by a proposition, assumed at each checked application, which guards definition and postcondition.

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

/// A Boogie program and its relation to the Viper program.
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
    /// Whether it is an error if the goal holds.
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
