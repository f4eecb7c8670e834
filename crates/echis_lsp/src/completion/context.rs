//! What can stand at a position, judged by the tokens before it, so that it works while the text does not parse.

use crate::outline::{Declared, members};
use crate::text::{Text, offset};
use serde_json::Value;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Context {
    Fields,
    Predicates,
    Types,
    Labels,
    /// A name being declared, for which there are no completions.
    NewName,
    Members,
    /// The items of a domain.
    DomainItems,
    Statements,
    /// Statements, or clauses of the loop whose body has not begun.
    LoopClauses,
    /// Clauses of a method or function, or the next member.
    HeaderClauses,
    Expressions,
    /// An expression, or a call of a method.
    AssignedValues,
    Any,
}

/// A place, and the member around it.
pub(super) struct Place {
    pub context: Context,
    pub member: Option<Declared>,
}

pub(super) fn place(text: &Text, position: &Value) -> Place {
    let anywhere = Place { context: Context::Any, member: None };
    let Some(at) = offset(&text.text, position) else { return anywhere };
    // Ignore the part of the word that is already written.
    let before = text.words.iter().rposition(|word| word.end < at || word.end == at && !word.is_name);
    let Some(before) = before else { return Place { context: Context::Members, member: None } };
    let member = members(text).into_iter().rev().find(|member| member.keyword <= before);
    let context = after_word(text, before).unwrap_or_else(|| match member {
        Some(member) => in_member(text, &member, before, at),
        None => Context::Members,
    });
    Place { context, member }
}

/// The context after a token that determines it alone.
fn after_word(text: &Text, before: usize) -> Option<Context> {
    let is_double = |sign: &str| before > 0 && text.said(before - 1) == Some(sign);
    Some(match text.said(before)? {
        "." if is_double(".") => Context::Expressions,
        "." => Context::Fields,
        "fold" | "unfold" | "unfolding" => Context::Predicates,
        // `::` is followed by an expression.
        ":" if is_double(":") => Context::Expressions,
        ":" => Context::Types,
        "goto" => Context::Labels,
        "method" | "function" | "predicate" | "field" | "domain" | "adt" | "define" | "label" | "axiom" | "forall"
        | "exists" | "forperm" | "let" | "var" => Context::NewName,
        "=" if is_double(":") => Context::AssignedValues,
        word if expects_operand(word) => Context::Expressions,
        _ => return None,
    })
}

fn expects_operand(word: &str) -> bool {
    let keywords = [
        "assert",
        "assume",
        "inhale",
        "exhale",
        "refute",
        "requires",
        "ensures",
        "invariant",
        "decreases",
        "package",
        "apply",
        "applying",
        "asserting",
        "inhaling",
        "in",
        "union",
        "intersection",
        "setminus",
        "subset",
    ];
    let signs = ["&", "=", "<", ">", "+", "-", "/", "\\", "%", "?", "!", "["];
    keywords.contains(&word) || signs.contains(&word)
}

/// An open bracket.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    Parameters,
    Parenthesis,
    Trigger,
    Body,
}

/// What was seen of a member before a position.
#[derive(Default)]
struct Seen {
    open: Vec<Open>,
    /// Whether its body has begun.
    body: bool,
    /// Whether the body of the last loop has not begun.
    in_loop_header: bool,
}

impl Seen {
    fn of(text: &Text, member: &Declared, before: usize) -> Self {
        let mut seen = Seen::default();
        let mut closed = None;
        for index in member.keyword..=before {
            let previous = index.checked_sub(1).and_then(|index| text.said(index));
            match text.said(index).unwrap_or_default() {
                "(" if index == member.name + 1 || previous == Some("returns") => seen.open.push(Open::Parameters),
                "(" | "[" => seen.open.push(Open::Parenthesis),
                "{" if previous == Some(":") || previous == Some("}") && closed == Some(Open::Trigger) => {
                    seen.open.push(Open::Trigger);
                }
                "{" => {
                    seen.open.push(Open::Body);
                    seen.body = true;
                    seen.in_loop_header = false;
                }
                ")" | "]" | "}" => closed = seen.open.pop(),
                "while" => seen.in_loop_header = true,
                _ => {}
            }
        }
        seen
    }
}

fn in_member(text: &Text, member: &Declared, before: usize, at: usize) -> Context {
    let seen = Seen::of(text, member, before);
    let last = text.said(before).unwrap_or_default();
    let after_separator = matches!(last, "(" | ",");
    match (seen.open.last(), member.keyword(text)) {
        (Some(Open::Parameters), _) => Context::NewName,
        (Some(Open::Parenthesis | Open::Trigger), _) if after_separator || last == "{" => Context::Expressions,
        (Some(Open::Parenthesis | Open::Trigger), _) => Context::Any,
        (Some(Open::Body), "adt") => Context::NewName,
        (Some(Open::Body), "domain") if seen.open.len() == 1 => Context::DomainItems,
        (Some(Open::Body), "function" | "predicate" | "domain") if last == "{" => Context::Expressions,
        (Some(Open::Body), "method") if starts_statement(text, before, at) && seen.in_loop_header => {
            Context::LoopClauses
        }
        (Some(Open::Body), "method") if starts_statement(text, before, at) => Context::Statements,
        (Some(Open::Body), _) => Context::Any,
        (None, "method" | "function") if !seen.body && before > member.name => Context::HeaderClauses,
        (None, _) if starts_statement(text, before, at) => Context::Members,
        (None, _) => Context::Any,
    }
}

/// Whether a statement or member can start at a position: in a line of its own or after a brace.
fn starts_statement(text: &Text, before: usize, at: usize) -> bool {
    let gap = text.words.get(before).and_then(|word| text.text.get(word.end..at)).unwrap_or_default();
    matches!(text.said(before), Some("{" | "}" | ";")) || gap.contains('\n')
}
