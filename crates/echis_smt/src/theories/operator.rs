//! The names of operators in SMT-LIB text.

use super::Theory;
use crate::names::{self, Style};
use echis_term::{Op, Sort, SortId, TermId, Terms, Text};

/// Whether equality of this sort is a separate predicate instead of the solver's own.
pub fn is_collection(terms: &Terms, sort: SortId) -> bool {
    matches!(terms.sort_data(sort), Sort::Seq(_) | Sort::Set(_) | Sort::Multiset(_) | Sort::Map(..))
}

/// The head of an application of `op` to `args`.
pub fn write_operator(terms: &Terms, style: Style, op: Op, args: &[TermId], out: &mut String) {
    let head = match op.row().text {
        _ if op == Op::Eq => return write_equality(terms, style, terms.sort_of(args[0]), out),
        Text::Plain(name) => return out.push_str(name),
        Text::Family(head) => head,
    };
    match Theory::of_operator(terms, op, args) {
        Some(Theory::Map(key, value)) => names::write_instance(terms, style, head, &[key, value], out),
        Some(
            Theory::Seq(sort)
            | Theory::SeqMembers(sort)
            | Theory::SeqRange(sort)
            | Theory::Set(sort)
            | Theory::Multiset(sort)
            | Theory::Wrap(sort)
            | Theory::Mentions(sort)
            | Theory::Lookup(sort)
            | Theory::KeySet(sort),
        ) => names::write_instance(terms, style, head, &[sort], out),
        Some(Theory::Compared | Theory::Inverse | Theory::Remainder) | None => out.push_str(head),
    }
}

/// The equality of a sort: the solver's own, or the extensional predicate of a collection.
pub fn write_equality(terms: &Terms, style: Style, sort: SortId, out: &mut String) {
    match *terms.sort_data(sort) {
        Sort::Seq(element) => names::write_instance(terms, style, "Seq.equal", &[element], out),
        Sort::Set(element) => names::write_instance(terms, style, "Set.equal", &[element], out),
        Sort::Multiset(element) => names::write_instance(terms, style, "Multiset.equal", &[element], out),
        Sort::Map(key, value) => names::write_instance(terms, style, "Map.equal", &[key, value], out),
        _ => out.push('='),
    }
}

/// The operands of the mark for members that are read, if the term is a membership in a sequence (read by index) or
/// in the range of a map (looked up): the collection and the member.
pub fn read_form(terms: &Terms, term: TermId) -> Option<[TermId; 2]> {
    match terms.as_op(term)? {
        (Op::SeqContains, &[seq, member]) => Some([seq, member]),
        (Op::SetContains, &[set, member]) => match terms.as_op(set)? {
            (Op::MapRange, &[map]) => Some([map, member]),
            _ => None,
        },
        _ => None,
    }
}

/// The head of the mark.
pub fn write_read_mark(terms: &Terms, style: Style, collection: TermId, out: &mut String) {
    match *terms.sort_data(terms.sort_of(collection)) {
        Sort::Seq(element) => names::write_instance(terms, style, "Seq.read", &[element], out),
        Sort::Map(key, value) => names::write_instance(terms, style, "Map.read", &[key, value], out),
        ref other => unreachable!("{other:?} has no members"),
    }
}
