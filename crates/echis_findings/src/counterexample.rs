//! A concrete state in which an obligation fails, as plain data, with its degree of confirmation.

use crate::Condition;
use echis_base::Span;
use std::fmt;

/// Shown for a value that the model leaves open.
pub const UNSPECIFIED: &str = "#unspecified";

/// The name of a heap that a function's value depends on and that is not shown.
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
    /// Number of axioms that were checked only for the values that occur.
    pub sampled: usize,
    pub store: Vec<Variable>,
    /// Every collection of the model, in the intermediate view.
    pub collections: Vec<Variable>,
    pub heaps: Vec<HeapPart>,
    pub functions: Vec<FunctionPart>,
    pub domains: Vec<DomainPart>,
    pub path: Vec<Condition>,
    /// Branches and assignments in order, if the view includes them.
    pub trace: Vec<TraceStep>,
    /// Whether it is a run of the program.
    pub account: Account,
    /// Methods whose bodies were executed at their calls.
    pub ran: Vec<String>,
    /// Where in the text its values can be assumed.
    pub insertion: Option<Insertion>,
    /// The state in terms of the language that the program was translated from, if known.
    pub in_source: Option<SourceView>,
}

/// A counterexample in terms of another language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceView {
    pub language: String,
    pub variables: Vec<SourceVariable>,
    /// The contents of each state, as lines.
    pub states: Vec<(String, Vec<String>)>,
    /// Values of functions, as lines.
    pub functions: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceVariable {
    pub name: String,
    pub ty: String,
    /// `None` if any value will do, or the object is only known by the variable.
    pub value: Option<String>,
}

/// An empty range of the text at which something can be inserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insertion {
    /// Statements.
    Statement(Span),
    /// Statements, but the current heap is not the one at that position: a wand is being packaged.
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
    /// Whether the value does not affect the failure.
    pub irrelevant: bool,
    /// Whether it is in scope where its value can be assumed (see [`Counterexample::insertion`]).
    pub nameable: bool,
    /// The range of the declaration.
    pub span: Option<Span>,
}

/// A value as text and as data, with the known elements of a collection.
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
        /// The numerator.
        numerator: i128,
        /// The denominator, which is positive.
        denominator: i128,
    },
    /// The null reference.
    Null,
    /// Another reference. Equal references have equal names, which are also those of the receivers in heaps.
    Ref(String),
    /// A value of a domain. Equal values of a type have equal names.
    Element(String),
    /// A value of an ADT, or the result of a function at arguments that are not in the model.
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
    /// The keys with their values.
    Map(Vec<(Value, Value)>),
    /// Any other value, as text.
    Other(String),
    /// The model leaves the value open: any value will do.
    Unspecified,
}

/// In Viper syntax, as far as possible.
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

/// Maximum number of copies of one element that are written one by one.
const MOST_COPIES: usize = 20;

fn multiset(f: &mut fmt::Formatter<'_>, items: &[(Value, Value)]) -> fmt::Result {
    let items = items.iter().flat_map(|(item, count)| copies(&item.to_string(), &count.to_string()));
    write!(f, "Multiset({})", items.collect::<Vec<_>>().join(", "))
}

/// The copies of an element of a multiset in Viper syntax. Where there are many, a comment says how many.
pub fn copies(item: &str, count: &str) -> Vec<String> {
    match count.parse::<usize>() {
        Ok(count) if count <= MOST_COPIES => vec![item.to_string(); count],
        _ => vec![format!("{item} /* {count} times */")],
    }
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
    /// Whether quantified permission may cover more than the references of the model.
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
    /// Both sides, with the values they had when the wand was created.
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
    /// The state whose heap the function reads; `None` if it reads no heap.
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
    /// Every value is that of an argument, or was computed by statements.
    Run,
    /// The state satisfies these contracts and invariants, which is all that is known about some values; whether a
    /// run reaches it is unknown.
    Allowed(Vec<Allowance>),
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Allowance {
    pub by: By,
    pub span: Span,
    /// Whether the method's body was executed, and never leads to a state in which this fails.
    pub ruled_out: bool,
}

impl Allowance {
    pub fn new(by: By, span: Span) -> Self {
        Allowance { by, span, ruled_out: false }
    }
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum By {
    /// The invariant of a loop.
    Invariant,
    /// The postcondition of the called method.
    Postcondition(String),
    /// A function without a body.
    Function(String),
    /// A magic wand that was received, not packaged, and applied here.
    Wand,
    /// What precedes an expression of a declaration that is not well-formed.
    Declaration,
}

#[derive(Clone, Debug)]
pub struct TraceStep {
    pub span: Span,
    pub event: Event,
    /// The heap after it, if known.
    pub heap: Option<HeapPart>,
}

#[derive(Clone, Debug)]
pub enum Event {
    /// The condition, as it evaluated.
    Branch(String),
    /// An assignment: the target, its value, and the statement.
    Assigned { target: String, value: Shown, statement: String },
    /// A target that is arbitrary at a loop head, constrained only by the invariant.
    Loop { target: String, value: Shown },
}
