//! Clauses that are like others: the same is said of a similar function, or the other way round.

use crate::site::Site;
use crate::text::{renamed, words};
use echis_program::program::{Function, Type};

/// Maximum number of clauses made.
const MOST: usize = 8;

/// The texts with a function replaced by a similar one, which none of them mentions: as they are, and with comparisons
/// reversed.
pub(crate) fn mirrored(site: &Site<'_>, texts: &[String]) -> Vec<String> {
    let program = site.program;
    let types = |function: &Function| -> Vec<Type> {
        let params = function.params.iter().map(|param| program.locals[*param].ty.clone());
        params.chain([function.result.clone()]).collect()
    };
    let functions: Vec<(&str, Vec<Type>)> =
        program.functions.values().map(|function| (&*function.name, types(function))).collect();
    let is_said = |name: &str| texts.iter().any(|text| words(text).any(|word| word == name));
    let mut found: Vec<String> = Vec::new();
    for (name, types) in functions.iter().filter(|(name, _)| is_said(name)) {
        let similar = functions.iter().filter(|(other, theirs)| theirs == types && !is_said(other));
        for (other, _) in similar {
            for text in texts.iter().filter(|text| words(text).any(|word| word == *name)) {
                let text = renamed(text, name, other);
                found.extend([reversed(&text), text]);
            }
        }
    }
    found.dedup();
    found.truncate(MOST);
    found
}

/// The text with comparisons reversed: `i > v` for `i < v`.
fn reversed(text: &str) -> String {
    let reverse = |word: &str| match word {
        "<" => ">".to_string(),
        "<=" => ">=".to_string(),
        ">" => "<".to_string(),
        ">=" => "<=".to_string(),
        word => word.to_string(),
    };
    text.split(' ').map(reverse).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_reversed() {
        assert_eq!(reversed("below(t, i) && v < i ==> i >= 0"), "below(t, i) && v > i ==> i <= 0");
    }
}
