//! A concrete state in which an obligation fails, as plain data: what is shown, and how far it is to be believed.

use crate::Condition;
use echis_base::Span;
use std::fmt;

/// In place of a value that the model leaves open.
pub const UNSPECIFIED: &str = "#unspecified";

/// The heap of a function's value that is none of those shown.
pub const UNNAMED_HEAP: &str = "another";

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

/// A state in which an obligation fails.
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
    /// Methods whose bodies were run where they are called.
    pub ran: Vec<String>,
    /// Where in the text its values can be assumed.
    pub insertion: Option<Insertion>,
    /// The state in the terms of the language that the program was translated from, if they are known.
    pub in_source: Option<SourceView>,
}

/// What a counterexample says in the terms of another language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceView {
    pub language: String,
    pub variables: Vec<SourceVariable>,
    /// What is held in each state, as lines.
    pub states: Vec<(String, Vec<String>)>,
    /// Values of functions, as lines.
    pub functions: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceVariable {
    pub name: String,
    pub ty: String,
    /// None where any value will do, or the variable is all that the object is known by.
    pub value: Option<String>,
}

/// An empty range of the text at which something can be written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insertion {
    /// Statements.
    Statement(Span),
    /// Statements, but the current heap is not the one that they would meet: a wand is being packaged.
    Package(Span),
    /// Preconditions.
    Contract(Span),
}

impl Insertion {
    pub fn at(self) -> Span {
        match self {
            Insertion::Statement(at) | Insertion::Package(at) | Insertion::Contract(at) => at,
        }
    }
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

/// A value as text and as data, and what is known of its elements where it is a collection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    pub text: String,
    pub value: Value,
    pub collection: Option<Collection>,
}

impl Shown {
    /// A value that the model leaves open.
    pub fn unspecified() -> Self {
        Shown { text: UNSPECIFIED.to_string(), value: Value::Unspecified, collection: None }
    }
}

/// A value as data.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(i128),
    /// An integer that does not fit into 128 bits, in decimal digits.
    Large(String),
    /// An amount of permission, as a reduced fraction.
    Perm {
        /// Above the line.
        numerator: i128,
        /// Below it; positive.
        denominator: i128,
    },
    /// The null reference.
    Null,
    /// Another reference. Equal references have equal names, which are also those of the receivers in heaps.
    Ref(String),
    /// A value of a domain. Equal values of a type have equal names.
    Element(String),
    /// A value of an ADT, or what a function makes of values that the model says nothing about.
    Made {
        /// The constructor or function.
        constructor: String,
        /// Its arguments.
        args: Vec<Value>,
    },
    /// The elements of a sequence, in order.
    Seq(Vec<Value>),
    /// The elements of a set.
    Set(Vec<Value>),
    /// The elements of a multiset, each with its multiplicity.
    Multiset(Vec<(Value, Value)>),
    /// Keys and values.
    Map(Vec<(Value, Value)>),
    /// A value of another kind, as it is shown.
    Other(String),
    /// The model leaves it open: any value will do.
    Unspecified,
}

/// As Viper writes it, where that is possible.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => write!(f, "{value}"),
            Value::Large(text) | Value::Ref(text) | Value::Element(text) | Value::Other(text) => f.write_str(text),
            Value::Perm { numerator, denominator } => write!(f, "{numerator}/{denominator}"),
            Value::Null => f.write_str("null"),
            Value::Made { constructor, args } => list(f, constructor, args),
            Value::Seq(items) => list(f, "Seq", items),
            Value::Set(items) => list(f, "Set", items),
            Value::Multiset(items) => multiset(f, items),
            Value::Map(items) => entries(f, "Map", items),
            Value::Unspecified => f.write_str(UNSPECIFIED),
        }
    }
}

fn list(f: &mut fmt::Formatter<'_>, name: &str, items: &[Value]) -> fmt::Result {
    let items: Vec<String> = items.iter().map(Value::to_string).collect();
    write!(f, "{name}({})", items.join(", "))
}

fn entries(f: &mut fmt::Formatter<'_>, name: &str, items: &[(Value, Value)]) -> fmt::Result {
    let items: Vec<String> = items.iter().map(|(key, value)| format!("{key} := {value}")).collect();
    write!(f, "{name}({})", items.join(", "))
}

/// At most this many copies of one element are written.
const MOST_COPIES: usize = 100;

fn multiset(f: &mut fmt::Formatter<'_>, items: &[(Value, Value)]) -> fmt::Result {
    let copies = |count: &Value| match count {
        Value::Int(count) => usize::try_from(*count).unwrap_or(0).min(MOST_COPIES),
        _ => MOST_COPIES,
    };
    let items = items.iter().flat_map(|(item, count)| std::iter::repeat_n(item.to_string(), copies(count)));
    write!(f, "Multiset({})", items.collect::<Vec<_>>().join(", "))
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

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HeapPart {
    /// `current`, `old`, or a label.
    pub state: String,
    pub entries: Vec<Entry>,
    /// Quantified permission may cover more than the references of the model.
    pub more_possible: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
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
        args: Vec<Shown>,
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
    /// The types of its arguments and of its results.
    pub params: Vec<String>,
    pub result: String,
    pub cases: Vec<Case>,
}

#[derive(Clone, Debug)]
pub struct Case {
    /// The state whose heap the function reads; none where it reads no heap.
    pub heap: Option<String>,
    pub args: Vec<Shown>,
    pub value: Shown,
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
    /// The method's body was run, and never leads to a state in which this fails.
    pub ruled_out: bool,
}

impl Allowance {
    pub fn new(by: By, span: Span) -> Self {
        Allowance { by, span, ruled_out: false }
    }
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
    /// What is held after it, where that is known.
    pub heap: Option<HeapPart>,
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
