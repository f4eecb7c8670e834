//! The names of operators.

use crate::term::{Op, SortId};

/// Operators that stand for themselves.
const PLAIN: &[Op] = &[
    Op::Not,
    Op::And,
    Op::Or,
    Op::Implies,
    Op::Ite,
    Op::Eq,
    Op::Distinct,
    Op::Add,
    Op::Sub,
    Op::Neg,
    Op::Mul,
    Op::Div,
    Op::Mod,
    Op::PermDiv,
    Op::ToPerm,
    Op::Lt,
    Op::Le,
    Op::Min,
    Op::Max,
    Op::Null,
    Op::Unit,
    Op::Combine,
    Op::First,
    Op::Second,
    Op::Lookup,
    Op::KeySet,
    Op::LookupMark,
    Op::ApplyWand,
    Op::SeqSingleton,
    Op::SeqAppend,
    Op::SeqLength,
    Op::SeqIndex,
    Op::SeqUpdate,
    Op::SeqTake,
    Op::SeqDrop,
    Op::SeqRange,
    Op::SeqContains,
    Op::SetSingleton,
    Op::SetAdd,
    Op::SetUnion,
    Op::SetIntersection,
    Op::SetDifference,
    Op::SetSubset,
    Op::SetContains,
    Op::SetCardinality,
    Op::MultisetSingleton,
    Op::MultisetAdd,
    Op::MultisetUnion,
    Op::MultisetIntersection,
    Op::MultisetDifference,
    Op::MultisetSubset,
    Op::MultisetCount,
    Op::MultisetCardinality,
    Op::MapUpdate,
    Op::MapLookup,
    Op::MapContains,
    Op::MapDomain,
    Op::MapRange,
    Op::MapCardinality,
];

/// The operator's name, and the sort that it is an instance for.
pub fn name(op: Op) -> (String, Option<SortId>) {
    match op {
        Op::Wrap(sort) => ("Wrap".into(), Some(sort)),
        Op::Unwrap(sort) => ("Unwrap".into(), Some(sort)),
        Op::SeqEmpty(sort) => ("SeqEmpty".into(), Some(sort)),
        Op::SetEmpty(sort) => ("SetEmpty".into(), Some(sort)),
        Op::MultisetEmpty(sort) => ("MultisetEmpty".into(), Some(sort)),
        Op::MapEmpty(sort) => ("MapEmpty".into(), Some(sort)),
        plain => (format!("{plain:?}"), None),
    }
}

pub fn plain(name: &str) -> Option<Op> {
    PLAIN.iter().copied().find(|op| format!("{op:?}") == name)
}

pub fn instance(name: &str, sort: SortId) -> Option<Op> {
    match name {
        "Wrap" => Some(Op::Wrap(sort)),
        "Unwrap" => Some(Op::Unwrap(sort)),
        "SeqEmpty" => Some(Op::SeqEmpty(sort)),
        "SetEmpty" => Some(Op::SetEmpty(sort)),
        "MultisetEmpty" => Some(Op::MultisetEmpty(sort)),
        "MapEmpty" => Some(Op::MapEmpty(sort)),
        _ => None,
    }
}
