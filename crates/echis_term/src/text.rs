//! Terms as text, for dumps: s-expressions with the operators' own names.

use crate::sort::{Sort, SortId};
use crate::store::Terms;
use crate::term::{Quantifier, TermId, TermKind};
use std::fmt::Write;

/// Maximum length of a text, in characters.
const READABLE: usize = 4_000;

impl Terms {
    pub fn sort_text(&self, id: SortId) -> String {
        match self.sort_data(id) {
            Sort::Seq(element) => format!("Seq<{}>", self.sort_text(*element)),
            Sort::Set(element) => format!("Set<{}>", self.sort_text(*element)),
            Sort::Multiset(element) => format!("Multiset<{}>", self.sort_text(*element)),
            Sort::Map(key, value) => format!("Map<{},{}>", self.sort_text(*key), self.sort_text(*value)),
            Sort::User(name) | Sort::Interpreted(name) | Sort::Declared { name, .. } => name.to_string(),
            Sort::SnapMap { resource, .. } => format!("SnapMap<{resource}>"),
            simple => format!("{simple:?}"),
        }
    }
    /// For users and tests. Shared subterms are written out each time, so a long text is cut off with `…`: written
    /// out, thirty terms that each contain the previous one twice have 2³⁰ subterms.
    pub fn text(&self, term: TermId) -> String {
        let mut out = String::new();
        self.write_term(term, &mut out);
        if out.len() > READABLE {
            let end = (0..=READABLE).rev().find(|end| out.is_char_boundary(*end)).unwrap_or(0);
            out.truncate(end);
            out.push('…');
        }
        out
    }
    fn write_term(&self, term: TermId, out: &mut String) {
        if out.len() > READABLE {
            return;
        }
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match self.kind(term) {
            TermKind::Bool(value) => drop(write!(out, "{value}")),
            TermKind::Int(value) => drop(write!(out, "{value}")),
            TermKind::Perm(value) => drop(write!(out, "{}p", value)),
            TermKind::App(symbol, args) => self.write_list(&self.symbol(*symbol).role.to_string(), args, out),
            TermKind::Op(op, args) => self.write_list(&format!("{op:?}"), args, out),
            TermKind::Quant(quant) => {
                out.push_str(if quant.quantifier == Quantifier::Forall { "(forall (" } else { "(exists (" });
                for (index, var) in quant.vars.iter().enumerate() {
                    let symbol = self.symbol(*var);
                    let gap = if index > 0 { " " } else { "" };
                    let _ = write!(out, "{gap}({} {})", symbol.role, self.sort_text(symbol.result));
                }
                out.push(')');
                for set in &quant.triggers {
                    self.write_list(" :pattern", set, out);
                }
                out.push(' ');
                self.write_term(quant.body, out);
                out.push(')');
            }
        });
    }
    fn write_list(&self, head: &str, args: &[TermId], out: &mut String) {
        if args.is_empty() {
            out.push_str(head);
            return;
        }
        let _ = write!(out, "({head}");
        for arg in args {
            out.push(' ');
            self.write_term(*arg, out);
        }
        out.push(')');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_shared_terms_end() {
        let mut terms = Terms::new();
        let sort = terms.sort(Sort::Int);
        let variable = terms.fresh_variable("x", sort);
        let mut power = terms.constant(variable);
        for _ in 0..64 {
            power = terms.mul(power, power);
        }
        let text = terms.text(power);
        assert!(text.len() < READABLE + 4 && text.ends_with('…'), "{text}");
    }
}
