//! The tables of binary operators: the properties of each operation, and the operation that a written operator
//! denotes for given operand types. Used by checker, lowering, printer, triggers, both engines and counterexamples.

use echis_syntax::ast;
use echis_term::{Op, TermId, Terms};

/// The properties of an operation, except the types of its operands.
#[derive(Clone, Copy)]
pub struct Operation {
    pub form: Form,
    pub kind: Kind,
    pub defined: Defined,
    term: fn(&mut Terms, TermId, TermId) -> TermId,
}

/// How an operation is printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Infix(&'static str),
    /// The texts before, between and after the operands.
    Around([&'static str; 3]),
}

/// The operands of an operation, with its name in Boogie programs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An operator on truth values or numbers; integers are converted to amounts if mixed with them.
    Scalar(&'static str),
    /// A function on collections, one for each type; a term that solvers can match on.
    Collection(&'static str, Side),
}

/// The type that determines the instance of a function on collections.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Left,
    Right,
    Result,
}

/// When an operation is defined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Defined {
    Always,
    /// The right operand is nonzero.
    Divisor,
    /// The right operand is an index of the left one.
    Index,
    /// The right operand is a key of the left operand.
    Key,
}

use Defined::{Always, Divisor, Index, Key};
use Form::{Around, Infix};
use Kind::{Collection, Scalar};
use Side::{Left, Result, Right};

macro_rules! operations {
    ($($(#[$doc:meta])* $op:ident $form:expr, $kind:expr, $defined:expr, $term:expr;)*) => {
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum BinaryOp {
            $($(#[$doc])* $op,)*
        }

        impl BinaryOp {
            pub fn row(self) -> Operation {
                match self {
                    $(BinaryOp::$op => Operation { form: $form, kind: $kind, defined: $defined, term: $term },)*
                }
            }
        }
    };
}

/// An operator of terms, applied to the operands.
macro_rules! op {
    ($op:ident) => {
        |terms, left, right| terms.op(Op::$op, [left, right])
    };
}

/// An operator of terms with the collection first, which is last in the source.
macro_rules! member {
    ($op:ident) => {
        |terms, left, right| terms.op(Op::$op, [right, left])
    };
}

operations! {
    /// `&&` and `==>` may have an impure right operand, `&&` also an impure left one.
    And Infix("&&"), Scalar("&&"), Always, |terms, left, right| terms.and([left, right]);
    Or Infix("||"), Scalar("||"), Always, |terms, left, right| terms.or([left, right]);
    Implies Infix("==>"), Scalar("==>"), Always, |terms, left, right| terms.implies(left, right);
    /// Also `<==>`.
    Eq Infix("=="), Scalar("=="), Always, |terms, left, right| terms.eq(left, right);
    Ne Infix("!="), Scalar("!="), Always, |terms, left, right| terms.ne(left, right);
    /// Both operands `Int` or both `Perm`.
    Lt Infix("<"), Scalar("<"), Always, |terms, left, right| terms.lt(left, right);
    Le Infix("<="), Scalar("<="), Always, |terms, left, right| terms.le(left, right);
    Gt Infix(">"), Scalar(">"), Always, |terms, left, right| terms.lt(right, left);
    Ge Infix(">="), Scalar(">="), Always, |terms, left, right| terms.le(right, left);
    /// Both operands `Int` or both `Perm`.
    Add Infix("+"), Scalar("+"), Always, |terms, left, right| terms.add(left, right);
    Sub Infix("-"), Scalar("-"), Always, |terms, left, right| terms.sub(left, right);
    Mul Infix("*"), Scalar("*"), Always, |terms, left, right| terms.mul(left, right);
    /// `Int * Perm` (the integer is the left operand).
    IntPermMul Infix("*"), Scalar("*"), Always, |terms, left, right| {
        let factor = terms.to_perm(left);
        terms.mul(factor, right)
    };
    /// Euclidean division on `Int`: `\`, and `/` where an `Int` is meant.
    IntDiv Infix("\\"), Scalar("div"), Divisor, |terms, left, right| terms.div(left, right);
    Mod Infix("%"), Scalar("mod"), Divisor, |terms, left, right| terms.modulo(left, right);
    /// `Int / Int` as a permission.
    Fraction Infix("/"), Scalar("/"), Divisor, |terms, left, right| {
        let (numerator, denominator) = (terms.to_perm(left), terms.to_perm(right));
        terms.perm_div(numerator, denominator)
    };
    PermDivInt Infix("/"), Scalar("/"), Divisor, |terms, left, right| {
        let divisor = terms.to_perm(right);
        terms.perm_div(left, divisor)
    };
    PermDivPerm Infix("/"), Scalar("/"), Divisor, |terms, left, right| terms.perm_div(left, right);

    SeqAppend Infix("++"), Collection("append", Left), Always, op!(SeqAppend);
    SeqIndex Around(["", "[", "]"]), Collection("at", Left), Index, op!(SeqIndex);
    /// `s[..n]`, `s[n..]`
    SeqTake Around(["", "[..", "]"]), Collection("take", Left), Always, op!(SeqTake);
    SeqDrop Around(["", "[", "..]"]), Collection("drop", Left), Always, op!(SeqDrop);
    /// `[a..b)`
    SeqRange Around(["[", "..", ")"]), Collection("interval", Result), Always, op!(SeqRange);
    /// `x in s`: the element is the left operand.
    SeqContains Infix("in"), Collection("in", Right), Always, member!(SeqContains);

    SetContains Infix("in"), Collection("in", Right), Always, member!(SetContains);
    SetUnion Infix("union"), Collection("union", Left), Always, op!(SetUnion);
    SetIntersection Infix("intersection"), Collection("intersection", Left), Always, op!(SetIntersection);
    SetDifference Infix("setminus"), Collection("difference", Left), Always, op!(SetDifference);
    SetSubset Infix("subset"), Collection("subset", Left), Always, op!(SetSubset);

    /// The multiplicity: `x in m` is an `Int`.
    MultisetCount Infix("in"), Collection("in", Right), Always, member!(MultisetCount);
    MultisetUnion Infix("union"), Collection("union", Left), Always, op!(MultisetUnion);
    MultisetIntersection Infix("intersection"), Collection("intersection", Left), Always, op!(MultisetIntersection);
    MultisetDifference Infix("setminus"), Collection("difference", Left), Always, op!(MultisetDifference);
    MultisetSubset Infix("subset"), Collection("subset", Left), Always, op!(MultisetSubset);

    MapContains Infix("in"), Collection("in", Right), Always, member!(MapContains);
    MapLookup Around(["", "[", "]"]), Collection("at", Left), Key, op!(MapLookup);
}

impl BinaryOp {
    /// The value of the operation, where it is defined.
    pub fn term(self, terms: &mut Terms, left: TermId, right: TermId) -> TermId {
        (self.row().term)(terms, left, right)
    }
    /// Whether solvers can match on it.
    pub fn is_on_collections(self) -> bool {
        matches!(self.row().kind, Collection(..))
    }
}

/// One meaning of an operator.
#[derive(Clone, Copy)]
pub(crate) struct Signature {
    pub written: Written,
    pub operands: [Shape; 2],
    pub result: Shape,
    pub operation: BinaryOp,
    /// Whether the operation has its operands swapped.
    pub flipped: bool,
}

/// The written forms of operations on two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Written {
    Operator(ast::BinaryOp),
    Index,
    Take,
    Drop,
    Range,
}

/// Operand types. Each letter denotes one type throughout a signature.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Bool,
    Int,
    Perm,
    /// `Bool`, or any other assertion.
    Assertion,
    T,
    U,
    Seq(&'static Shape),
    Set(&'static Shape),
    Multiset(&'static Shape),
    Map(&'static Shape, &'static Shape),
}

use Shape::{Assertion, Bool, Int, Map, Multiset, Perm, Seq, Set, T, U};

const SEQ: Shape = Seq(&T);
const SET: Shape = Set(&T);
const MULTISET: Shape = Multiset(&T);
const MAP: Shape = Map(&T, &U);

/// All meanings, of which the first that fits applies by default. Wands are not operations.
pub(crate) const SIGNATURES: &[Signature] = &[
    infix(ast::BinaryOp::Iff, [Bool, Bool], Bool, BinaryOp::Eq),
    infix(ast::BinaryOp::Implies, [Bool, Bool], Bool, BinaryOp::Implies),
    infix(ast::BinaryOp::Implies, [Bool, Assertion], Assertion, BinaryOp::Implies),
    infix(ast::BinaryOp::Or, [Bool, Bool], Bool, BinaryOp::Or),
    infix(ast::BinaryOp::And, [Bool, Bool], Bool, BinaryOp::And),
    infix(ast::BinaryOp::And, [Assertion, Assertion], Assertion, BinaryOp::And),
    infix(ast::BinaryOp::Eq, [T, T], Bool, BinaryOp::Eq),
    infix(ast::BinaryOp::Ne, [T, T], Bool, BinaryOp::Ne),
    infix(ast::BinaryOp::Lt, [Perm, Perm], Bool, BinaryOp::Lt),
    infix(ast::BinaryOp::Lt, [Int, Int], Bool, BinaryOp::Lt),
    infix(ast::BinaryOp::Le, [Perm, Perm], Bool, BinaryOp::Le),
    infix(ast::BinaryOp::Le, [Int, Int], Bool, BinaryOp::Le),
    infix(ast::BinaryOp::Gt, [Perm, Perm], Bool, BinaryOp::Gt),
    infix(ast::BinaryOp::Gt, [Int, Int], Bool, BinaryOp::Gt),
    infix(ast::BinaryOp::Ge, [Perm, Perm], Bool, BinaryOp::Ge),
    infix(ast::BinaryOp::Ge, [Int, Int], Bool, BinaryOp::Ge),
    infix(ast::BinaryOp::Add, [Perm, Perm], Perm, BinaryOp::Add),
    infix(ast::BinaryOp::Add, [Int, Int], Int, BinaryOp::Add),
    infix(ast::BinaryOp::Sub, [Perm, Perm], Perm, BinaryOp::Sub),
    infix(ast::BinaryOp::Sub, [Int, Int], Int, BinaryOp::Sub),
    infix(ast::BinaryOp::Mul, [Perm, Perm], Perm, BinaryOp::Mul),
    infix(ast::BinaryOp::Mul, [Int, Perm], Perm, BinaryOp::IntPermMul),
    infix(ast::BinaryOp::Mul, [Perm, Int], Perm, BinaryOp::IntPermMul).flipped(),
    infix(ast::BinaryOp::Mul, [Int, Int], Int, BinaryOp::Mul),
    infix(ast::BinaryOp::Div, [Perm, Perm], Perm, BinaryOp::PermDivPerm),
    infix(ast::BinaryOp::Div, [Perm, Int], Perm, BinaryOp::PermDivInt),
    infix(ast::BinaryOp::Div, [Int, Int], Perm, BinaryOp::Fraction),
    infix(ast::BinaryOp::Div, [Int, Int], Int, BinaryOp::IntDiv),
    infix(ast::BinaryOp::IntDiv, [Int, Int], Int, BinaryOp::IntDiv),
    infix(ast::BinaryOp::Mod, [Int, Int], Int, BinaryOp::Mod),
    infix(ast::BinaryOp::Append, [SEQ, SEQ], SEQ, BinaryOp::SeqAppend),
    infix(ast::BinaryOp::Union, [SET, SET], SET, BinaryOp::SetUnion),
    infix(ast::BinaryOp::Union, [MULTISET, MULTISET], MULTISET, BinaryOp::MultisetUnion),
    infix(ast::BinaryOp::Intersection, [SET, SET], SET, BinaryOp::SetIntersection),
    infix(ast::BinaryOp::Intersection, [MULTISET, MULTISET], MULTISET, BinaryOp::MultisetIntersection),
    infix(ast::BinaryOp::Setminus, [SET, SET], SET, BinaryOp::SetDifference),
    infix(ast::BinaryOp::Setminus, [MULTISET, MULTISET], MULTISET, BinaryOp::MultisetDifference),
    infix(ast::BinaryOp::Subset, [SET, SET], Bool, BinaryOp::SetSubset),
    infix(ast::BinaryOp::Subset, [MULTISET, MULTISET], Bool, BinaryOp::MultisetSubset),
    infix(ast::BinaryOp::In, [T, SET], Bool, BinaryOp::SetContains),
    infix(ast::BinaryOp::In, [T, SEQ], Bool, BinaryOp::SeqContains),
    infix(ast::BinaryOp::In, [T, MULTISET], Int, BinaryOp::MultisetCount),
    infix(ast::BinaryOp::In, [T, MAP], Bool, BinaryOp::MapContains),
    signature(Written::Index, [SEQ, Int], T, BinaryOp::SeqIndex),
    signature(Written::Index, [Map(&U, &T), U], T, BinaryOp::MapLookup),
    signature(Written::Take, [SEQ, Int], SEQ, BinaryOp::SeqTake),
    signature(Written::Drop, [SEQ, Int], SEQ, BinaryOp::SeqDrop),
    signature(Written::Range, [Int, Int], Seq(&Int), BinaryOp::SeqRange),
];

const fn signature(written: Written, operands: [Shape; 2], result: Shape, operation: BinaryOp) -> Signature {
    Signature { written, operands, result, operation, flipped: false }
}

const fn infix(op: ast::BinaryOp, operands: [Shape; 2], result: Shape, operation: BinaryOp) -> Signature {
    signature(Written::Operator(op), operands, result, operation)
}

impl Signature {
    const fn flipped(self) -> Self {
        Signature { flipped: true, ..self }
    }
}
