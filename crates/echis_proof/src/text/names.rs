//! Small enums, written by their variant names.

use crate::check::Question;
use crate::origin::Part;
use crate::tree::Rule;
use echis_term::TextError;
use std::fmt::Debug;

const RULES: &[Rule] = &[
    Rule::Snapshot,
    Rule::PermissionBound,
    Rule::NonAliasing,
    Rule::Merge,
    Rule::Lemma,
    Rule::Kept,
    Rule::Definition,
    Rule::Freshness,
    Rule::Inverse,
    Rule::FunctionPrecondition,
    Rule::Application,
    Rule::Wildcard,
    Rule::Wand,
    Rule::Mark,
];
const PARTS: &[Part] = &[Part::Value, Part::Permission, Part::Definition, Part::Guard];
const QUESTIONS: &[Question] =
    &[Question::Infeasible, Question::Alias, Question::Depleted, Question::Equal, Question::Positive, Question::Other];

pub fn rule(name: &str) -> Result<Rule, TextError> {
    find(RULES, name, "rule")
}

pub fn part(name: &str) -> Result<Part, TextError> {
    find(PARTS, name, "part")
}

pub fn question(name: &str) -> Result<Question, TextError> {
    find(QUESTIONS, name, "question")
}

fn find<T: Copy + Debug>(all: &[T], name: &str, kind: &'static str) -> Result<T, TextError> {
    let found = all.iter().copied().find(|one| format!("{one:?}") == name);
    found.ok_or_else(|| TextError::unknown(name, kind))
}
