//! Missing brackets, and statements with the syntax of other languages.

use crate::{Candidate, Kind};
use echis::coverage::Edit;

/// Candidates for an error on the lines from `line` to `until`.
pub(crate) fn candidates(text: &str, start: usize, line: usize, until: usize) -> Vec<Candidate> {
    let mut found = Vec::new();
    found.extend(condition(text, start));
    for (at, written) in lines(text, line, until) {
        found.extend(compound(at, written));
        found.extend(returned(text, at, written));
    }
    found
}

/// The trimmed lines between two positions, with their starts.
fn lines(text: &str, line: usize, until: usize) -> Vec<(usize, &str)> {
    let (mut at, mut found) = (line, Vec::new());
    for written in text[line..until].split_inclusive('\n') {
        let trimmed = written.trim_start();
        found.push((at + written.len() - trimmed.len(), trimmed.trim_end()));
        at += written.len();
    }
    found
}

/// `while i < n` and `if b`: missing parentheses around the condition.
fn condition(text: &str, start: usize) -> Option<Candidate> {
    let before = text[..start].trim_end();
    let keyword = ["while", "elseif", "if"].into_iter().find(|keyword| before.ends_with(keyword))?;
    let rest = &text[start..];
    let end = rest.find(['{', '\n']).unwrap_or(rest.len());
    let condition = rest[..end].trim_end();
    let edits = vec![Edit::insert(start, "("), Edit::insert(start + condition.len(), ")")];
    Some(Candidate::new(Kind::Slip, format!("write parentheses: {keyword} ({condition})"), edits))
}

/// An unclosed brace or parenthesis before the error.
pub(crate) fn closing(text: &str, start: usize) -> Vec<Candidate> {
    let before = text[..start].trim_end().len();
    let candidate = |(bracket, what): (&str, &str)| {
        let edit = if bracket == "}" { "\n}" } else { bracket };
        Candidate::new(Kind::Slip, format!("close the {what} with {bracket}"), vec![Edit::insert(before, edit)])
    };
    [("}", "block"), (")", "parenthesis"), ("]", "bracket")].into_iter().map(candidate).collect()
}

/// `x += 1` and `x++`.
fn compound(at: usize, written: &str) -> Option<Candidate> {
    let written = written.trim_end_matches(';');
    let new = |target: &str, op: &str, value: &str| format!("{target} := {target} {op} {value}");
    let split =
        |form: &str, op: &str| written.split_once(form).map(|(target, value)| new(target.trim(), op, value.trim()));
    let step = |form: &str, op: &str| written.strip_suffix(form).map(|target| new(target.trim(), op, "1"));
    let text = split("+=", "+").or_else(|| split("-=", "-")).or_else(|| split("*=", "*"));
    let text = text.or_else(|| step("++", "+")).or_else(|| step("--", "-"))?;
    Some(Candidate::new(Kind::Slip, format!("write {text}"), vec![Edit::replace(at, at + written.len(), text)]))
}

/// `return e`: assigns the result.
fn returned(text: &str, at: usize, written: &str) -> Option<Candidate> {
    let value = written.trim_end_matches(';').strip_prefix("return ")?;
    let header = &text[text[..at].rfind("method ")?..at];
    let (_, results) = header.split_once("returns")?;
    let name = results.trim_start().strip_prefix('(')?.split(':').next()?.trim();
    let edit = Edit::replace(at, at + written.len(), format!("{name} := {value}"));
    Some(Candidate::new(Kind::Slip, format!("assign the result: {name} := {value}"), vec![edit]))
}
