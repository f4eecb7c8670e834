//! Small vocabularies, written as the code names them.

use crate::check::Question;
use crate::origin::Part;
use crate::tree::Rule;
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

pub fn rule(name: &str) -> Result<Rule, String> {
    find(RULES, name)
}

pub fn part(name: &str) -> Result<Part, String> {
    find(PARTS, name)
}

pub fn question(name: &str) -> Result<Question, String> {
    find(QUESTIONS, name)
}

fn find<T: Copy + Debug>(all: &[T], name: &str) -> Result<T, String> {
    let found = all.iter().copied().find(|one| format!("{one:?}") == name);
    found.ok_or_else(|| format!("{name} is not known here"))
}
