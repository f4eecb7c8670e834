//! Background theories. Each is a template of SMT-LIB text, instantiated for the sorts that a session uses.
//! Declarations and axioms are separate: declarations hold everywhere, axioms are asserted at the base.

mod operator;
mod vocabulary;

pub use operator::{is_collection, read_form, write_equality, write_operator, write_read_mark};
pub use vocabulary::Vocabulary;

use crate::names::{self, Style};
use echis_term::{Op, Sort, SortId, TermId, TermKind, Terms, Text};

/// An instance of a template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Theory {
    Seq(SortId),
    /// Membership in sequences.
    SeqMembers(SortId),
    /// Ranges, for sequences of integers.
    SeqRange(SortId),
    Set(SortId),
    Multiset(SortId),
    Map(SortId, SortId),
    /// Wrapping values of a sort into snapshots.
    Wrap(SortId),
    /// A mark for terms that a goal mentions.
    Mentions(SortId),
    /// Lookup in the maps of a quantified resource.
    Lookup(SortId),
    /// The mark on snapshots that are compared. Its name is also a symbol in terms.
    Compared,
    /// One divided by a non-literal amount.
    Inverse,
    /// Quotients and remainders of integers by non-literals.
    Remainder,
    /// The key set of such a map, and extensionality of maps.
    KeySet(SortId),
}

impl Theory {
    /// The theory that an operator belongs to, if it is not built into the solver: by default, that of its first
    /// operand.
    fn of_operator(terms: &Terms, op: Op, args: &[TermId]) -> Option<Theory> {
        use Op::*;
        let sort = || terms.sort_of(args[0]);
        match op {
            Eq | Distinct => Theory::of_equality(terms, sort()),
            SeqEmpty(element) => Some(Theory::Seq(element)),
            SetEmpty(element) => Some(Theory::Set(element)),
            MultisetEmpty(element) => Some(Theory::Multiset(element)),
            MapEmpty(map) => Theory::of_equality(terms, map),
            SeqSingleton => Some(Theory::Seq(sort())),
            SetSingleton => Some(Theory::Set(sort())),
            MultisetSingleton => Some(Theory::Multiset(sort())),
            SeqRange => Some(Theory::SeqRange(sort())),
            SeqContains => match *terms.sort_data(sort()) {
                Sort::Seq(element) => Some(Theory::SeqMembers(element)),
                _ => None,
            },
            Wrap(sort) | Unwrap(sort) => Some(Theory::Wrap(sort)),
            Lookup | LookupMark => Some(Theory::Lookup(sort())),
            KeySet => Some(Theory::KeySet(sort())),
            PermDiv if !matches!(terms.kind(args[1]), TermKind::Perm(_)) => Some(Theory::Inverse),
            Div | Mod if !matches!(terms.kind(args[1]), TermKind::Int(_)) => Some(Theory::Remainder),
            _ => match op.row().text {
                Text::Plain(_) => None,
                Text::Family(_) => Theory::of_equality(terms, sort()),
            },
        }
    }
    fn of_equality(terms: &Terms, sort: SortId) -> Option<Theory> {
        match *terms.sort_data(sort) {
            Sort::Seq(element) => Some(Theory::Seq(element)),
            Sort::Set(element) => Some(Theory::Set(element)),
            Sort::Multiset(element) => Some(Theory::Multiset(element)),
            Sort::Map(key, value) => Some(Theory::Map(key, value)),
            _ => None,
        }
    }
    /// Prerequisites: theories that the template mentions, and those of equality on elements.
    fn needs(self, terms: &Terms) -> Vec<Theory> {
        let equality = |sort| Theory::of_equality(terms, sort);
        match self {
            Theory::Seq(element) | Theory::Set(element) | Theory::Multiset(element) => {
                equality(element).into_iter().collect()
            }
            Theory::SeqMembers(element) => vec![Theory::Seq(element)],
            Theory::SeqRange(int) => vec![Theory::SeqMembers(int)],
            Theory::Map(key, value) => {
                let sets = [Theory::Set(key), Theory::Set(value)];
                equality(key).into_iter().chain(equality(value)).chain(sets).collect()
            }
            Theory::Wrap(_) | Theory::Mentions(_) | Theory::Compared | Theory::Inverse | Theory::Remainder => {
                Vec::new()
            }
            Theory::Lookup(map) => match *terms.sort_data(map) {
                Sort::SnapMap { value, .. } => equality(value).into_iter().collect(),
                _ => Vec::new(),
            },
            Theory::KeySet(map) => match *terms.sort_data(map) {
                Sort::SnapMap { key, .. } => {
                    vec![Theory::Set(key), Theory::Lookup(map), Theory::Wrap(map), Theory::Compared]
                }
                _ => Vec::new(),
            },
        }
    }
    fn template(self) -> &'static str {
        match self {
            Theory::Seq(_) => include_str!("theories/seq.smt2"),
            Theory::SeqMembers(_) => include_str!("theories/members.smt2"),
            Theory::SeqRange(_) => include_str!("theories/range.smt2"),
            Theory::Set(_) => include_str!("theories/set.smt2"),
            Theory::Multiset(_) => include_str!("theories/multiset.smt2"),
            Theory::Map(..) => include_str!("theories/map.smt2"),
            Theory::Wrap(_) => include_str!("theories/wrap.smt2"),
            Theory::Mentions(_) => "(declare-fun Goal.mentions<T> ($T) Bool)",
            Theory::Lookup(_) => include_str!("theories/lookup.smt2"),
            Theory::Compared => include_str!("theories/compared.smt2"),
            Theory::Inverse => include_str!("theories/inverse.smt2"),
            Theory::Remainder => include_str!("theories/remainder.smt2"),
            Theory::KeySet(_) => include_str!("theories/keyset.smt2"),
        }
    }
    /// The sorts that the template is instantiated with: its placeholders `$T`; `$K` and `$V`.
    fn parameters(self, terms: &Terms) -> Vec<(char, SortId)> {
        match self {
            Theory::Seq(sort)
            | Theory::SeqMembers(sort)
            | Theory::SeqRange(sort)
            | Theory::Set(sort)
            | Theory::Multiset(sort)
            | Theory::Wrap(sort)
            | Theory::Mentions(sort) => vec![('T', sort)],
            Theory::Compared | Theory::Inverse | Theory::Remainder => Vec::new(),
            Theory::Map(key, value) => vec![('K', key), ('V', value)],
            Theory::Lookup(map) | Theory::KeySet(map) => match *terms.sort_data(map) {
                Sort::SnapMap { key, value, .. } => vec![('T', map), ('K', key), ('V', value)],
                _ => vec![('T', map)],
            },
        }
    }
    fn text(self, terms: &Terms, style: Style) -> String {
        let template: String =
            self.template().lines().filter(|line| !line.starts_with(';')).collect::<Vec<_>>().join("\n");
        let mut tokens: Vec<(String, String)> = Vec::new();
        if let Theory::Map(key, value) = self {
            let mut tag = String::new();
            names::write_instance(terms, style, "", &[key, value], &mut tag);
            tokens.push(("<K~V>".into(), tag));
        }
        for (letter, sort) in self.parameters(terms) {
            let (mut name, mut tag, mut equality) = (String::new(), String::new(), String::new());
            names::write_sort(terms, style, sort, &mut name);
            names::write_instance(terms, style, "", &[sort], &mut tag);
            write_equality(terms, style, sort, &mut equality);
            let texts = [
                (format!("${letter}"), name),
                (format!("<{letter}>"), tag),
                (format!("(={letter} "), format!("({equality} ")),
            ];
            tokens.extend(texts);
        }
        substitute(&template, &tokens)
    }
}

/// Instantiates a template: `$T` is a sort, `<T>` its part of a name, and `(=T ` its equality. Inserted text is not
/// substituted again.
fn substitute(template: &str, tokens: &[(String, String)]) -> String {
    let mut out = String::with_capacity(template.len() * 2);
    let mut rest = template;
    while let Some(at) = rest.find(['$', '<', '(']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let token = tokens.iter().find(|(token, _)| rest.starts_with(token.as_str()));
        let (taken, text) = token.map_or((1, &rest[..1]), |(token, text)| (token.len(), text));
        out.push_str(text);
        rest = &rest[taken..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod model;
#[cfg(test)]
mod tests;
