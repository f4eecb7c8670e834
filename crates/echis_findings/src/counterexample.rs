//! A concrete state in which an obligation fails, as plain data: what is shown, and how far it is to be believed.

use crate::Condition;
use echis_base::Span;

/// In place of a value that the model leaves open.
pub const UNSPECIFIED: &str = "#unspecified";

/// How values are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Variables only, named as in `Extended`.
    Variables,
    /// The solver's names.
    Intermediate,
    /// The program's names.
    Extended,
    /// The program's names, with the path's branches and assignments.
    Trace,
}

#[derive(Clone, Debug)]
pub struct Counterexample {
    pub status: Status,
    /// Whether a fact of the path or what fails has a quantifier.
    pub quantified: bool,
    /// Axioms that hold for the values that occur, and were not looked at for others.
    pub sampled: usize,
    pub store: Vec<Variable>,
    /// Every collection of the model, in the intermediate view.
    pub collections: Vec<Variable>,
    pub heaps: Vec<HeapPart>,
    pub functions: Vec<FunctionPart>,
    pub domains: Vec<DomainPart>,
    pub path: Vec<Condition>,
    /// Branches and assignments in order, in the view that shows them.
    pub trace: Vec<TraceStep>,
    /// How far it is a run of the program.
    pub account: Account,
    /// Where in the text its values can be assumed.
    pub insertion: Option<Span>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Status {
    Confirmed,
    /// With the reason.
    PossiblySpurious(String),
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub ty: String,
    pub value: Shown,
    /// The failure has nothing to do with it: any value will do.
    pub irrelevant: bool,
    /// The declaration.
    pub span: Option<Span>,
}

/// A value as text, and what is known of its elements where it is a collection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    pub text: String,
    pub collection: Option<Collection>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Collection {
    pub kind: CollectionKind,
    /// The length or cardinality.
    pub length: Option<String>,
    /// Index and element, element and multiplicity or membership, or key and value.
    pub elements: Vec<(String, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CollectionKind {
    Seq,
    Set,
    Multiset,
    Map,
}

#[derive(Clone, Debug)]
pub struct HeapPart {
    /// `current`, `old`, or a label.
    pub state: String,
    pub entries: Vec<Entry>,
    /// Quantified permission may cover more than the references of the model.
    pub more_possible: bool,
}

#[derive(Clone, Debug)]
pub enum Entry {
    Field {
        receiver: String,
        field: String,
        value: Shown,
        ty: String,
        perm: String,
    },
    Predicate {
        name: String,
        args: Vec<String>,
        perm: String,
        contents: Vec<Entry>,
    },
    /// Both sides with the values that they had when the wand was made.
    Wand {
        left: String,
        right: String,
        perm: String,
    },
}

#[derive(Clone, Debug)]
pub struct FunctionPart {
    pub name: String,
    pub cases: Vec<Case>,
}

#[derive(Clone, Debug)]
pub struct Case {
    /// The state whose heap the function reads; none where it reads no heap.
    pub heap: Option<String>,
    pub args: Vec<String>,
    pub value: String,
}

#[derive(Clone, Debug)]
pub struct DomainPart {
    pub ty: String,
    pub functions: Vec<FunctionPart>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Account {
    /// Every value is that of an argument, or what statements made of them.
    Run,
    /// The state satisfies these contracts and invariants, which is all that is known of some values; whether a run reaches it
    /// is not known.
    Allowed(Vec<Allowance>),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Allowance {
    pub by: By,
    pub span: Span,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum By {
    /// The loop's.
    Invariant,
    /// The method that was called.
    Postcondition(String),
    /// A function without a body.
    Function(String),
}

#[derive(Clone, Debug)]
pub struct TraceStep {
    pub span: Span,
    pub event: Event,
}

#[derive(Clone, Debug)]
pub enum Event {
    /// The condition as it was taken.
    Branch(String),
    /// What got a value, and by which statement.
    Assigned { target: String, value: Shown, statement: String },
    /// What is arbitrary at the head of a loop, whose invariant is all that is known of it.
    Loop { target: String, value: Shown },
}
