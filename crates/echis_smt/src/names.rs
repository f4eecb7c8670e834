//! Names in SMT-LIB text.
//!
//! Sessions number sorts and symbols, so that a program and its renaming send the same text, and user-chosen names
//! mean nothing to the solver. Dumps for users keep the names and add the numbers.

use echis_base::Key;
use echis_term::{Sort, SortId, SymbolId, SymbolKind, Terms};
use std::fmt::{Display, Write};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    Numbered,
    /// Numbered in another way. The solver's behaviour should not depend on that, but it may.
    Renamed(u32),
    /// Numbered, with quantifiers named by their terms.
    Profiled,
    Readable,
}

pub fn write_sort(terms: &Terms, style: Style, id: SortId, out: &mut String) {
    match terms.sort_data(id) {
        Sort::Interpreted(text) | Sort::Declared { name: text, .. } => out.push_str(text),
        _ => write_tag(terms, style, id, out),
    }
}

/// Writes a sort as part of a name.
fn write_tag(terms: &Terms, style: Style, id: SortId, out: &mut String) {
    match terms.sort_data(id) {
        Sort::Bool => out.push_str("Bool"),
        Sort::Int => out.push_str("Int"),
        Sort::Perm => out.push_str("Real"),
        Sort::Ref => out.push_str("Ref"),
        Sort::Snap => out.push_str("Snap"),
        Sort::WandMap => out.push_str("WandMap"),
        Sort::Seq(element) => write_instance(terms, style, "Seq", &[*element], out),
        Sort::Set(element) => write_instance(terms, style, "Set", &[*element], out),
        Sort::Multiset(element) => write_instance(terms, style, "Multiset", &[*element], out),
        Sort::Map(key, value) => write_instance(terms, style, "Map", &[*key, *value], out),
        Sort::User(name) => write_numbered(style, "S", name, id.index(), out),
        Sort::Interpreted(name) | Sort::Declared { name, .. } => write_numbered(style, "I", name, id.index(), out),
        Sort::SnapMap { resource, .. } => write_numbered(style, "M", resource, id.index(), out),
    }
}

/// Writes `Map<Int~Ref>`: a family of names, one for each choice of sorts.
pub fn write_instance(terms: &Terms, style: Style, head: &str, sorts: &[SortId], out: &mut String) {
    out.push_str(head);
    for (index, sort) in sorts.iter().enumerate() {
        out.push(if index == 0 { '<' } else { '~' });
        write_tag(terms, style, *sort, out);
    }
    out.push('>');
}

pub fn write_symbol(terms: &Terms, style: Style, id: SymbolId, out: &mut String) {
    let symbol = terms.symbol(id);
    match symbol.kind() {
        SymbolKind::Interpreted => drop(write!(out, "{}", symbol.role)),
        SymbolKind::Function | SymbolKind::Bound => write_numbered(style, "f", &symbol.role, id.index(), out),
    }
}

/// Always adds the number: names may clash after sanitising, or with the solver's own.
fn write_numbered(style: Style, prefix: &str, name: &dyn Display, number: usize, out: &mut String) {
    let _ = match style {
        Style::Numbered | Style::Profiled => write!(out, "{prefix}{number}"),
        Style::Renamed(seed) => write!(out, "{prefix}{}!{seed}", (number + 1).wrapping_mul(0x9e37_79b1) & 0xffff_ffff),
        Style::Readable => write!(out, "{}.{number}", sanitised(&name.to_string())),
    };
}

fn needs_no_quotes(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(is_plain)
}

/// The characters of a simple symbol in SMT-LIB.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c)
}

/// Replaces special characters. Quoting would not help, since names become parts of others.
fn sanitised(name: &str) -> String {
    if needs_no_quotes(name) {
        return name.to_string();
    }
    let replaced = name.chars().map(|c| match c {
        '[' => '<',
        ']' => '>',
        ',' => '~',
        c if is_plain(c) => c,
        _ => '_',
    });
    "_".chars().chain(replaced).collect()
}
