//! Checks SMT-LIB interpretations. They are inserted into the solver's input, so they must be expressions: anything
//! else could assert an unproved fact.

use super::Checks;
use crate::program::{Domain, DomainFunction};

impl Checks<'_> {
    pub(super) fn sort_interpretation(&mut self, domain: &Domain) {
        if let Some(text) = domain.interpretation.as_deref().filter(|text| expressions(text) != Some(1)) {
            self.error(domain.id, format!("The interpretation `{text}` is not one sort of SMT-LIB."));
        }
    }

    /// For a function with parameters, the text precedes the arguments and may be more than a name.
    pub(super) fn function_interpretation(&mut self, function: &DomainFunction) {
        let Some(text) = function.interpretation.as_deref() else { return };
        let fits = match expressions(text) {
            Some(1) => true,
            Some(count) => count > 1 && !function.params.is_empty(),
            None => false,
        };
        if !fits {
            self.error(function.id, format!("The interpretation `{text}` is not one expression of SMT-LIB."));
        }
    }
}

/// Counts the symbols, numerals and parenthesised lists in the text. `None` if it contains anything else. Comments,
/// strings and quoted symbols are not supported.
fn expressions(text: &str) -> Option<u32> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/#:".contains(c);
    let (mut depth, mut items, mut in_word) = (0_u32, 0_u32, false);
    for c in text.trim().chars() {
        let starts_word = is_plain(c) && !in_word;
        if depth == 0 && (starts_word || c == '(') {
            items += 1;
        }
        in_word = is_plain(c);
        match c {
            '(' => depth += 1,
            ')' if depth > 0 => depth -= 1,
            c if is_plain(c) || c.is_ascii_whitespace() => {}
            _ => return None,
        }
    }
    (depth == 0).then_some(items)
}

#[cfg(test)]
mod tests {
    use super::expressions;

    #[test]
    fn expressions_and_nothing_else() {
        for text in ["Int", "bvadd", "(_ BitVec 32)", " (_ int2bv 8) ", "0", "#b101", "(as seq.empty (Seq Int))"] {
            assert_eq!(expressions(text), Some(1), "{text}");
        }
        for text in ["fp.add RNE", "(_ to_fp 8 24) RNE", "(a)(b)"] {
            assert_eq!(expressions(text), Some(2), "{text}");
        }
        for text in ["", " "] {
            assert_eq!(expressions(text), Some(0), "{text}");
        }
        for text in ["(_ BitVec 32", "0)", "0) (assert false", "; note", "\"x\"", "|x|", "a)(b"] {
            assert_eq!(expressions(text), None, "{text}");
        }
    }
}
