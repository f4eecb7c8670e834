//! What a solver says about a state in which a goal is false: finite tables of the values that it fixed. Where a table
//! has no entry, the solver did not need a value, and none is made up.

use crate::premise::NodeId;
use crate::tree::ProofTree;
use echis_base::{Name, SyntaxId};
use echis_term::{Integer, Rational, SymbolId, TermId, Terms};
use std::collections::BTreeMap;

/// A value as the solver has it. Elements of sorts that it knows nothing of are names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Raw {
    Bool(bool),
    Int(Integer),
    Perm(Rational),
    Element(Name),
    Unit,
    Combine(Box<Raw>, Box<Raw>),
    /// A bitvector: its value without a sign, and its width.
    Bits(Integer, u32),
    /// A value of a datatype: its constructor and what it was made of.
    Made(Name, Vec<Raw>),
    Array(Box<Array>),
}

/// An array: its elements at some indices, and at all others, where the solver fixed these.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Array {
    pub entries: BTreeMap<Raw, Raw>,
    pub otherwise: Option<Raw>,
}

/// The values of a function at some arguments. A constant has one entry, without arguments.
pub type Table = BTreeMap<Vec<Raw>, Raw>;

#[derive(Clone, Default, Debug)]
pub struct Model {
    /// By the name that the solver was told.
    pub tables: BTreeMap<String, Table>,
    /// The values of the terms that were watched.
    pub watched: BTreeMap<TermId, Raw>,
    /// Whether the solver vouches for the model; otherwise it gave up with this candidate.
    pub definite: bool,
    /// How it was completed when it was replayed.
    pub completion: Option<Completion>,
}

/// What was chosen where a model says nothing. Whether a completed model is a counterexample is a question of its own.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Completion {
    /// Which of the choices that there are for a function, for those that do not have the first one.
    pub choices: BTreeMap<SymbolId, usize>,
    /// Whether axioms were checked for the values that occur only.
    pub sampled: bool,
}

/// What a model should tell.
#[derive(Clone, Default, Debug)]
pub struct Wanted {
    /// Terms that get values.
    pub watched: Vec<TermId>,
    /// Propositions that make for a readable model: bounds of numbers, of lengths. Each set is tried in turn, and then
    /// none.
    pub wishes: Vec<Vec<TermId>>,
    /// Propositions that must hold, which models that were found before did not respect.
    pub learned: Vec<TermId>,
    /// Whether values of the solver's own sorts are told too: bitvectors, datatypes, arrays.
    pub interpreted: bool,
}

/// Why there is no model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoModel {
    /// Asked once more, the solver found a proof.
    Proved,
    /// With these consequences of what is known the solver finds a proof.
    Follows(Vec<Needed>),
    /// The solver gave up before it had a candidate.
    GaveUp,
    /// The solver's answer could not be read, or it broke down.
    Solver(String),
    /// The time of the whole run was over.
    TimeUp,
    /// The failure is one of Echis: the construct is not supported.
    Unsupported,
}

/// A consequence of what is known: a quantified fact at some values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needed {
    pub clause: SyntaxId,
    /// The application of the function that the fact defines, or the values of its variables.
    pub at: String,
    pub is_application: bool,
}

/// Finds models.
pub trait Modeler {
    /// A state with the facts of the path in which the goal is false.
    fn model(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, wanted: &Wanted) -> Result<Model, NoModel>;
}

/// The name of the table that tells the value of an application: its symbol or operator.
pub type Head<'a> = &'a dyn Fn(&Terms, TermId) -> String;

impl Model {
    pub fn value(&self, head: &str, args: &[Raw]) -> Option<&Raw> {
        self.tables.get(head)?.get(args)
    }
}
