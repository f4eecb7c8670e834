//! The keywords of Viper, with their documentation.

use echis::operator_words;
use std::sync::LazyLock;

pub(crate) const TYPES: &[&str] = &["Int", "Bool", "Ref", "Perm", "Rational", "Seq", "Set", "Multiset", "Map"];

/// All keywords, including operators that are words.
pub(crate) static WORDS: LazyLock<Vec<&str>> =
    LazyLock::new(|| OTHERS.iter().copied().chain(operator_words()).collect());

/// A sentence that describes a clause or statement keyword.
pub(crate) fn meaning(word: &str) -> Option<&'static str> {
    MEANINGS.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning)
}

const MEANINGS: &[(&str, &str)] = &[
    ("requires", "**requires**: callers prove it; the body may rely on it."),
    ("ensures", "**ensures**: the body proves it; callers may rely on it."),
    (
        "invariant",
        "**invariant**: holds before the loop and after each iteration. All that is known after the loop about what the loop changes.",
    ),
    (
        "decreases",
        "**decreases**: becomes smaller with each call or iteration, so that it ends. `*` allows endless runs, `_` claims an end without proof.",
    ),
    ("assert", "**assert**: proved here; permission stays."),
    ("assume", "**assume**: believed from here on, without proof."),
    ("inhale", "**inhale**: believed from here on, without proof; its permission is added."),
    (
        "exhale",
        "**exhale**: proved here; its permission is given away, and what is known about these locations is forgotten.",
    ),
    ("refute", "**refute**: fails if it can be proved here."),
    ("fold", "**fold**: gives away the body of a predicate and gets the predicate."),
    ("unfold", "**unfold**: gives away a predicate and gets its body."),
    ("unfolding", "**unfolding**: evaluates an expression as if the predicate were unfolded."),
    ("package", "**package**: proves that the left side of a wand and what is taken from here give the right side."),
    ("apply", "**apply**: gives away a wand and its left side and gets its right side."),
    ("applying", "**applying**: evaluates an expression as if the wand were applied."),
    ("acc", "**acc**: permission to a location; without an amount, all of it."),
    ("old", "**old**: the value before the method, or at a label."),
    ("axiom", "**axiom**: believed everywhere, without proof."),
    ("asserting", "**asserting**: proved where the expression is evaluated."),
    ("inhaling", "**inhaling**: evaluates an expression as if the assertion were inhaled."),
];

const OTHERS: &[&str] = &[
    "method",
    "function",
    "predicate",
    "field",
    "domain",
    "axiom",
    "adt",
    "define",
    "requires",
    "ensures",
    "invariant",
    "decreases",
    "returns",
    "var",
    "while",
    "if",
    "else",
    "elseif",
    "assert",
    "assume",
    "inhale",
    "exhale",
    "refute",
    "fold",
    "unfold",
    "unfolding",
    "package",
    "apply",
    "applying",
    "forall",
    "exists",
    "forperm",
    "let",
    "old",
    "acc",
    "perm",
    "write",
    "none",
    "wildcard",
    "epsilon",
    "result",
    "null",
    "true",
    "false",
    "new",
    "label",
    "goto",
    "import",
    "unique",
    "interpretation",
    "domain",
    "range",
    "derives",
    "asserting",
    "inhaling",
    "quasihavoc",
    "quasihavocall",
    "Int",
    "Bool",
    "Ref",
    "Perm",
    "Rational",
    "Seq",
    "Set",
    "Multiset",
    "Map",
];
