//! Converts roles of symbols and quantifiers to and from text.

use crate::error::TextError;
use crate::role::{FreshRole, Made, Mark, QuantifierRole, SymbolRole, WandNote};
use crate::sexp::{Sexp, quoted};
use echis_base::Name;
use std::str::FromStr;

pub fn symbol_text(role: &SymbolRole) -> String {
    let list = |head: &str, words: &[&str]| {
        let words = words.iter().map(|word| format!(" {}", quoted(word)));
        format!("({head}{})", words.collect::<String>())
    };
    match role {
        SymbolRole::Function(function) => list("function", &[function]),
        SymbolRole::Limited(function) => list("limited", &[function]),
        SymbolRole::Precondition(function) => list("precondition", &[function]),
        SymbolRole::Called(function) => list("called", &[function]),
        SymbolRole::DomainFunction { function, type_args } => list("domain-function", &[function, type_args]),
        SymbolRole::Trigger(predicate) => list("trigger", &[predicate]),
        SymbolRole::PredicateInstance(predicate) => list("predicate-instance", &[predicate]),
        SymbolRole::Mark(mark, about) => list("mark", &[mark.name(), about]),
        SymbolRole::WandApplied => list("wand-applied", &[]),
        SymbolRole::WandNote(note, about) => list("wand-note", &[note.name(), about]),
        SymbolRole::BoogieConstant(name) => list("boogie-constant", &[name]),
        SymbolRole::BoogieFunction { function, type_args } => list("boogie-function", &[function, type_args]),
        SymbolRole::Revealed(function) => list("revealed", &[function]),
        SymbolRole::Uninterpreted(name) => list("uninterpreted", &[name]),
        SymbolRole::Fresh { role: FreshRole::Named(name), number } => format!("(fresh {} {number})", quoted(name)),
        SymbolRole::Fresh { role: FreshRole::Made(made), number } => format!("(made {} {number})", made.name()),
        SymbolRole::Variable { base, number } => format!("(variable {} {number})", quoted(base)),
        SymbolRole::VariableAt { base, place } => list("variable-at", &[base, place]),
        SymbolRole::Interpreted(text) => list("interpreted", &[text]),
        SymbolRole::Select => list("select", &[]),
        SymbolRole::Store => list("store", &[]),
        SymbolRole::Constructor(text) => list("constructor", &[&bare(text)]),
        SymbolRole::Selector { text, constructor, index } => {
            list("selector", &[&bare(text), &bare(constructor), &index.to_string()])
        }
        SymbolRole::Tester(constructor) => list("tester", &[&bare(constructor)]),
        SymbolRole::Compared => list("compared", &[]),
    }
}

pub fn symbol_role(text: &Sexp) -> Result<SymbolRole, TextError> {
    let words = text.list()?.iter().map(Sexp::word).collect::<Result<Vec<&str>, _>>()?;
    Ok(match words.as_slice() {
        ["function", function] => SymbolRole::Function((*function).into()),
        ["limited", function] => SymbolRole::Limited((*function).into()),
        ["precondition", function] => SymbolRole::Precondition((*function).into()),
        ["called", function] => SymbolRole::Called((*function).into()),
        ["domain-function", function, type_args] => {
            SymbolRole::DomainFunction { function: (*function).into(), type_args: (*type_args).into() }
        }
        ["trigger", predicate] => SymbolRole::Trigger((*predicate).into()),
        ["predicate-instance", predicate] => SymbolRole::PredicateInstance((*predicate).into()),
        ["mark", mark, about] => SymbolRole::Mark(named(Mark::ALL, Mark::name, mark)?, (*about).into()),
        ["wand-applied"] => SymbolRole::WandApplied,
        ["wand-note", note, about] => {
            SymbolRole::WandNote(named(WandNote::ALL, WandNote::name, note)?, (*about).into())
        }
        ["boogie-constant", name] => SymbolRole::BoogieConstant((*name).into()),
        ["boogie-function", function, type_args] => {
            SymbolRole::BoogieFunction { function: (*function).into(), type_args: (*type_args).into() }
        }
        ["revealed", function] => SymbolRole::Revealed((*function).into()),
        ["uninterpreted", name] => SymbolRole::Uninterpreted((*name).into()),
        ["fresh", name, number] => SymbolRole::Fresh { role: FreshRole::Named((*name).into()), number: parse(number)? },
        ["made", made, number] => {
            SymbolRole::Fresh { role: named(Made::ALL, Made::name, made)?.into(), number: parse(number)? }
        }
        ["variable", base, number] => SymbolRole::Variable { base: (*base).into(), number: parse(number)? },
        ["variable-at", base, place] => SymbolRole::VariableAt { base: (*base).into(), place: (*place).into() },
        ["interpreted", text] => SymbolRole::Interpreted((*text).into()),
        ["select"] => SymbolRole::Select,
        ["store"] => SymbolRole::Store,
        ["constructor", text] => SymbolRole::Constructor(barred(text)),
        ["selector", text, constructor, index] => {
            SymbolRole::Selector { text: barred(text), constructor: barred(constructor), index: parse(index)? }
        }
        ["tester", constructor] => SymbolRole::Tester(barred(constructor)),
        ["compared"] => SymbolRole::Compared,
        _ => return Err(TextError::unknown(words.first().unwrap_or(&"nothing"), "role of a symbol")),
    })
}

/// `definition`, or `(written name)`.
pub fn quantifier_text(role: &QuantifierRole) -> String {
    match role {
        QuantifierRole::Written(name) => format!("(written {})", quoted(name)),
        stated => stated.name().to_string(),
    }
}

pub fn quantifier_role(text: &Sexp) -> Result<QuantifierRole, TextError> {
    match text {
        Sexp::Word(word) => {
            let stated = QuantifierRole::STATED.iter().find(|role| role.name() == word);
            stated.cloned().ok_or_else(|| TextError::unknown(word, "role of a quantifier"))
        }
        Sexp::List(items) => match &items[..] {
            [head, name] if head.word()? == "written" => Ok(QuantifierRole::Written(name.word()?.into())),
            _ => Err(TextError::Shape("the role of a quantifier is a word or (written name)")),
        },
    }
}

/// Names of datatypes may be quoted with bars, like words of this text.
fn bare(text: &str) -> String {
    text.trim_matches('|').to_string()
}

fn barred(text: &str) -> Name {
    format!("|{text}|").into()
}

fn named<T: Copy>(all: &[T], name: fn(T) -> &'static str, word: &str) -> Result<T, TextError> {
    all.iter().copied().find(|one| name(*one) == word).ok_or_else(|| TextError::unknown(word, "role"))
}

fn parse<T: FromStr>(number: &str) -> Result<T, TextError> {
    number.parse().map_err(|_| TextError::unknown(number, "number"))
}
