//! The table of operators: a row has the operator's SMT-LIB text, operand sorts and result sort. Its meaning is in
//! [`evaluate`](crate::evaluate); axioms are in the solver layer.

use crate::sort::SortId;
use Shape::{Bool, Int, K, Number, Own, Perm, Ref, Snap, T, V};

pub struct Operator {
    pub text: Text,
    /// The operands of the shortest application: connectives, sums and `Distinct` take more of the last kind.
    pub operands: &'static [Shape],
    pub result: Shape,
}

/// How an operator is written in SMT-LIB.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Text {
    /// A built-in operator, or one symbol for all sorts.
    Plain(&'static str),
    /// A family of symbols with axioms, one for each instance of the sort.
    Family(&'static str),
}

/// The possible sorts of an operand. Each letter denotes one sort throughout a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    Bool,
    Int,
    Perm,
    Ref,
    Snap,
    WandMap,
    /// `Int` or `Perm`, the same throughout a row.
    Number,
    T,
    K,
    V,
    /// The sort that the operator is instantiated with.
    Own,
    Seq(&'static Shape),
    Set(&'static Shape),
    Multiset(&'static Shape),
    Map,
    SnapMap,
}

const SEQ: Shape = Shape::Seq(&T);
const SET: Shape = Shape::Set(&T);
const MULTISET: Shape = Shape::Multiset(&T);
const MAP: Shape = Shape::Map;

macro_rules! operators {
    ($($(#[$doc:meta])* $op:ident $(($sort:ty))? $text:ident $name:literal ($($operand:expr),*) -> $result:expr;)*) => {
        /// Interpreted operators. Collections are axiomatised by the solver layer, the rest is built into solvers.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Op {
            $($(#[$doc])* $op $(($sort))?,)*
        }

        impl Op {
            pub fn row(self) -> &'static Operator {
                match self {
                    $(Op::$op { .. } => {
                        &Operator { text: Text::$text($name), operands: &[$($operand),*], result: $result }
                    })*
                }
            }
            pub fn name(self) -> &'static str {
                match self {
                    $(Op::$op { .. } => stringify!($op),)*
                }
            }
            /// All operators, with this instance of those that have a sort.
            pub fn all(instance: SortId) -> Vec<Op> {
                vec![$(made!($op, instance $(, $sort)?)),*]
            }
        }
    };
}

macro_rules! made {
    ($op:ident, $instance:ident) => {
        Op::$op
    };
    ($op:ident, $instance:ident, $sort:ty) => {
        Op::$op($instance)
    };
}

operators! {
    Not Plain "not" (Bool) -> Bool;
    And Plain "and" (Bool, Bool) -> Bool;
    Or Plain "or" (Bool, Bool) -> Bool;
    Implies Plain "=>" (Bool, Bool) -> Bool;
    Ite Plain "ite" (Bool, T, T) -> T;
    /// Any sort. On collections it is extensional equality.
    Eq Plain "=" (T, T) -> Bool;
    Distinct Plain "distinct" (T, T) -> Bool;

    /// `Int` or `Perm`, n-ary.
    Add Plain "+" (Number, Number) -> Number;
    Sub Plain "-" (Number, Number) -> Number;
    Neg Plain "-" (Number) -> Number;
    /// Binary.
    Mul Plain "*" (Number, Number) -> Number;
    /// Euclidean, on `Int`.
    Div Plain "div" (Int, Int) -> Int;
    Mod Plain "mod" (Int, Int) -> Int;
    /// On `Perm`.
    PermDiv Plain "/" (Perm, Perm) -> Perm;
    /// `Int` to `Perm`.
    ToPerm Plain "to_real" (Int) -> Perm;
    Lt Plain "<" (Number, Number) -> Bool;
    Le Plain "<=" (Number, Number) -> Bool;
    /// On `Perm`.
    Min Plain "Perm.min" (Perm, Perm) -> Perm;
    Max Plain "Perm.max" (Perm, Perm) -> Perm;

    Null Plain "null" () -> Ref;

    Unit Plain "Snap.unit" () -> Snap;
    Combine Plain "Snap.combine" (Snap, Snap) -> Snap;
    First Plain "Snap.first" (Snap) -> Snap;
    Second Plain "Snap.second" (Snap) -> Snap;
    /// A value as a snapshot, and back.
    Wrap(SortId) Family "Snap.wrap" (Own) -> Snap;
    Unwrap(SortId) Family "Snap.unwrap" (Snap) -> Own;

    /// `SnapMap`: the value at a key; the set of keys (`Set` of the key sort).
    Lookup Family "SnapMap.lookup" (Shape::SnapMap, K) -> V;
    KeySet Family "SnapMap.keys" (Shape::SnapMap) -> Shape::Set(&K);
    /// `SnapMap × key → Bool`: always true; a mark that quantifiers trigger on.
    LookupMark Family "SnapMap.mark" (Shape::SnapMap, K) -> Bool;
    /// `WandMap × Snap → Snap`
    ApplyWand Plain "Wand.apply" (Shape::WandMap, Snap) -> Snap;

    SeqEmpty(SortId) Family "Seq.empty" () -> Shape::Seq(&Own);
    SeqSingleton Family "Seq.singleton" (T) -> SEQ;
    SeqAppend Family "Seq.append" (SEQ, SEQ) -> SEQ;
    SeqLength Family "Seq.length" (SEQ) -> Int;
    SeqIndex Family "Seq.index" (SEQ, Int) -> T;
    SeqUpdate Family "Seq.update" (SEQ, Int, T) -> SEQ;
    SeqTake Family "Seq.take" (SEQ, Int) -> SEQ;
    SeqDrop Family "Seq.drop" (SEQ, Int) -> SEQ;
    SeqRange Family "Seq.range" (Int, Int) -> Shape::Seq(&Int);
    /// The sequence is the first operand, the element the second, for all containers.
    SeqContains Family "Seq.in" (SEQ, T) -> Bool;

    SetEmpty(SortId) Family "Set.empty" () -> Shape::Set(&Own);
    SetSingleton Family "Set.singleton" (T) -> SET;
    /// `SetAdd(s, x)`
    SetAdd Family "Set.add" (SET, T) -> SET;
    SetUnion Family "Set.union" (SET, SET) -> SET;
    SetIntersection Family "Set.intersection" (SET, SET) -> SET;
    SetDifference Family "Set.difference" (SET, SET) -> SET;
    SetSubset Family "Set.subset" (SET, SET) -> Bool;
    SetContains Family "Set.in" (SET, T) -> Bool;
    SetCardinality Family "Set.card" (SET) -> Int;

    MultisetEmpty(SortId) Family "Multiset.empty" () -> Shape::Multiset(&Own);
    MultisetSingleton Family "Multiset.singleton" (T) -> MULTISET;
    MultisetAdd Family "Multiset.add" (MULTISET, T) -> MULTISET;
    MultisetUnion Family "Multiset.union" (MULTISET, MULTISET) -> MULTISET;
    MultisetIntersection Family "Multiset.intersection" (MULTISET, MULTISET) -> MULTISET;
    MultisetDifference Family "Multiset.difference" (MULTISET, MULTISET) -> MULTISET;
    MultisetSubset Family "Multiset.subset" (MULTISET, MULTISET) -> Bool;
    MultisetCount Family "Multiset.count" (MULTISET, T) -> Int;
    MultisetCardinality Family "Multiset.card" (MULTISET) -> Int;

    /// The sort is that of the map.
    MapEmpty(SortId) Family "Map.empty" () -> Own;
    MapUpdate Family "Map.update" (MAP, K, V) -> MAP;
    MapLookup Family "Map.lookup" (MAP, K) -> V;
    MapContains Family "Map.in" (MAP, K) -> Bool;
    MapDomain Family "Map.domain" (MAP) -> Shape::Set(&K);
    MapRange Family "Map.range" (MAP) -> Shape::Set(&V);
    MapCardinality Family "Map.card" (MAP) -> Int;
}

impl Op {
    /// The sort that it is instantiated with.
    pub fn instance(self) -> Option<SortId> {
        match self {
            Op::Wrap(sort) | Op::Unwrap(sort) => Some(sort),
            Op::SeqEmpty(sort) | Op::SetEmpty(sort) | Op::MultisetEmpty(sort) | Op::MapEmpty(sort) => Some(sort),
            _ => None,
        }
    }
    /// The operator with this name, if there is one; if a sort is given, that instance.
    pub fn named(name: &str, instance: Option<SortId>) -> Option<Op> {
        let all = Op::all(instance.unwrap_or(echis_base::Key::new(0)));
        all.into_iter().find(|op| op.name() == name && op.instance().is_some() == instance.is_some())
    }
}
