//! Keywords of other languages, permission without `acc`, and undeclared variables.

use crate::text::{indent, words};
use crate::{Candidate, Kind};
use echis::coverage::Edit;

/// Words of other languages, each with its Viper equivalent.
const WORDS: [(&str, &str); 21] = [
    ("nil", "null"),
    ("NULL", "null"),
    ("None", "null"),
    ("nullptr", "null"),
    ("True", "true"),
    ("False", "false"),
    ("Boolean", "Bool"),
    ("boolean", "Bool"),
    ("bool", "Bool"),
    ("Integer", "Int"),
    ("integer", "Int"),
    ("int", "Int"),
    ("nat", "Int"),
    ("Object", "Ref"),
    ("object", "Ref"),
    ("ref", "Ref"),
    ("seq", "Seq"),
    ("List", "Seq"),
    ("set", "Set"),
    ("map", "Map"),
    ("returning", "returns"),
];

/// Types tried for an undeclared variable.
const TYPES: [&str; 9] =
    ["Int", "Bool", "Ref", "Seq[Int]", "Set[Int]", "Seq[Ref]", "Set[Ref]", "Perm", "Multiset[Int]"];

/// Candidates for the word at an error.
pub(crate) fn candidates(text: &str, start: usize, end: usize) -> Vec<Candidate> {
    let Some(written) = text.get(start..end) else { return Vec::new() };
    let mut found = Vec::new();
    for (word, meant) in WORDS.iter().filter(|(word, _)| *word == written) {
        let edit = Edit::replace(start, end, *meant);
        found.push(Candidate::new(Kind::Slip, format!("write {meant} for {word}"), vec![edit]));
    }
    found.extend(accessible(text, start, end));
    found.extend(length(text, start, end));
    if words(written).eq([written]) && !written.starts_with(|c: char| c.is_ascii_digit()) {
        found.extend(declared(text, start, written));
    }
    found
}

/// `x.f` where `acc(x.f)` is meant.
fn accessible(text: &str, start: usize, end: usize) -> Option<Candidate> {
    let written = text.get(start..end).filter(|written| written.contains('.') && !written.contains([' ', '(']))?;
    let explanation = format!("write acc({written}) for permission to {written}");
    Some(Candidate::new(Kind::Slip, explanation, vec![Edit::replace(start, end, format!("acc({written})"))]))
}

/// `s.length` for `|s|`.
fn length(text: &str, start: usize, end: usize) -> Option<Candidate> {
    let (from, to) = (text.get(..start)?, text.get(end..)?);
    let name = text.get(start..end).filter(|name| matches!(*name, "length" | "size" | "len" | "count" | "Length"))?;
    let before = from.strip_suffix('.')?;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
    let at =
        before.rfind(|c: char| !is_part(c)).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let receiver = &before[at..];
    let behind = if to.starts_with("()") { end + 2 } else { end };
    let edit = Edit::replace(at, behind, format!("|{receiver}|"));
    Some(Candidate::new(Kind::Slip, format!("write |{receiver}| for {receiver}.{name}"), vec![edit]))
}

/// A declaration of a variable where it is assigned, or as a result of the method.
fn declared(text: &str, start: usize, name: &str) -> Vec<Candidate> {
    let line = text[..start].rfind('\n').map_or(0, |at| at + 1);
    let before = text[line..start].trim();
    let is_assigned = before.is_empty() && text[start + name.len()..].trim_start().starts_with(":=");
    let mut found = Vec::new();
    for ty in TYPES {
        if is_assigned {
            let space = indent(text, start);
            let edit = Edit::insert(start, format!("var {name}: {ty}\n{space}"));
            found.push(Candidate::new(Kind::Slip, format!("declare {name} with var {name}: {ty}"), vec![edit]));
        }
        if let Some((at, returns)) = result(text, start, name, ty) {
            let explanation = format!("declare the result with returns ({name}: {ty})");
            found.push(Candidate::new(Kind::Slip, explanation, vec![Edit::insert(at, returns)]));
        }
    }
    found
}

/// The position and text of a result to add to the enclosing method.
fn result(text: &str, start: usize, name: &str, ty: &str) -> Option<(usize, String)> {
    let method = text[..start].rfind("method ")?;
    let open = method + text[method..].find('(')? + 1;
    let close = open + crate::text::closed(&text[open..])? + 1;
    let header = text[close..].trim_start();
    (!header.starts_with("returns")).then(|| (close, format!(" returns ({name}: {ty})")))
}
