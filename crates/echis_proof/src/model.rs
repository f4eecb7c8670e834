//! A solver's model of a state in which a goal is false: finite tables of the values that it fixed. If a table has no
//! entry, the solver did not need a value, and none is invented.

use crate::premise::NodeId;
use crate::tree::ProofTree;
use echis_base::{Name, SyntaxId};
use echis_term::{Integer, Rational, SymbolId, TermId, Terms};
use std::collections::BTreeMap;

/// A value in the solver's model. Elements of uninterpreted sorts are names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Raw {
    Bool(bool),
    Int(Integer),
    Perm(Rational),
    Element(Name),
    Unit,
    Combine(Box<Raw>, Box<Raw>),
    /// A bitvector: its unsigned value and its width.
    Bits(Integer, u32),
    /// A datatype value: its constructor and arguments.
    Made(Name, Vec<Raw>),
    Array(Box<Array>),
}

/// An array: its elements at some indices, and its default, if fixed by the solver.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Array {
    pub entries: BTreeMap<Raw, Raw>,
    pub otherwise: Option<Raw>,
}

/// The values of a function at some arguments. A constant has one entry, with no arguments.
pub type Table = BTreeMap<Vec<Raw>, Raw>;

#[derive(Clone, Default, Debug)]
pub struct Model {
    /// By the name sent to the solver.
    pub tables: BTreeMap<String, Table>,
    /// The values of the terms that were watched.
    pub watched: BTreeMap<TermId, Raw>,
    /// Whether the solver guarantees the model; otherwise it gave up with this candidate.
    pub definite: bool,
    /// How the model was completed in its replay.
    pub completion: Option<Completion>,
}

/// The choices where a model says nothing. Whether a completed model is a counterexample is decided separately.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Completion {
    /// For each function that does not have the first possible choice: the number of its choice.
    pub choices: BTreeMap<SymbolId, usize>,
    /// Whether axioms were checked only for the values that occur.
    pub sampled: bool,
}

/// The required content of a model.
#[derive(Clone, Default, Debug)]
pub struct Wanted {
    /// Terms whose values are requested.
    pub watched: Vec<TermId>,
    /// Soft constraints for a readable model: bounds of numbers and lengths. Each set is tried in turn, and finally
    /// none.
    pub wishes: Vec<Vec<TermId>>,
    /// Hard constraints, which earlier models violated.
    pub learned: Vec<TermId>,
    /// Whether values of interpreted sorts are included: bitvectors, datatypes, arrays.
    pub interpreted: bool,
}

/// Why there is no model.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoModel {
    /// On the renewed question, the solver found a proof.
    Proved,
    /// The solver finds a proof with these consequences of the facts.
    Follows(Vec<Needed>),
    /// The solver gave up without a candidate.
    GaveUp,
    /// The solver's answer was invalid, or it broke.
    Solver(String),
    /// The time limit of the run was reached.
    TimeUp,
    /// The failure is an unsupported construct.
    Unsupported,
}

/// A consequence of the facts: a quantified fact at some values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needed {
    pub clause: SyntaxId,
    /// The application of the function that the fact defines, or the values of its variables.
    pub at: String,
    pub is_application: bool,
}

/// Finds models.
pub trait Modeler {
    /// Returns a state that satisfies the facts of the path but not the goal.
    fn model(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, wanted: &Wanted) -> Result<Model, NoModel>;
}

/// The name of the table with an application's value: its symbol or operator.
pub type Head<'a> = &'a dyn Fn(&Terms, TermId) -> String;

impl Model {
    pub fn value(&self, head: &str, args: &[Raw]) -> Option<&Raw> {
        self.tables.get(head)?.get(args)
    }
}
