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
        "**invariant**: must hold before the loop and after each iteration. After the loop, nothing else is known about what the loop changes.",
    ),
    (
        "decreases",
        "**decreases**: a measure that becomes smaller with each recursive call or iteration, which proves termination. `*` permits nontermination; `_` assumes termination without proof.",
    ),
    ("assert", "**assert**: must hold here; permissions are kept."),
    ("assume", "**assume**: assumed from here on, without proof."),
    ("inhale", "**inhale**: assumed from here on, without proof; adds the permissions in it."),
    (
        "exhale",
        "**exhale**: must hold here; removes the permissions in it. Values of locations without any permission are forgotten.",
    ),
    ("refute", "**refute**: fails if the expression can be proved here."),
    ("fold", "**fold**: exchanges the body of a predicate for the predicate."),
    ("unfold", "**unfold**: exchanges a predicate for its body."),
    ("unfolding", "**unfolding**: evaluates an expression as if the predicate were unfolded."),
    (
        "package",
        "**package**: creates a wand: proves its right side from its left side and permissions that are taken from the current state.",
    ),
    ("apply", "**apply**: exchanges a wand and its left side for its right side."),
    ("applying", "**applying**: evaluates an expression as if the wand were applied."),
    ("acc", "**acc**: permission to a location; without an amount, full permission."),
    ("old", "**old**: the value at the start of the method, or at a label."),
    ("axiom", "**axiom**: assumed everywhere, without proof."),
    ("asserting", "**asserting**: evaluates an expression; the assertion must hold there."),
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
