//! Prints terms.

use super::roles::{quantifier_text, symbol_text};
use crate::sexp::quoted;
use crate::sort::{Sort, SortId};
use crate::store::Terms;
use crate::term::{Quant, Quantifier, SymbolId, TermId, TermKind};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// Prints terms of a table: first the lines they need, then each of them as often as required.
pub struct Writer<'a> {
    terms: &'a Terms,
    symbols: BTreeMap<SymbolId, String>,
    /// Terms on separate lines, because they are large and occur more than once.
    named: BTreeMap<TermId, usize>,
}

/// Maximum size of terms that are written out at each occurrence.
const SMALL: usize = 6;

impl<'a> Writer<'a> {
    pub fn new(terms: &'a Terms, roots: &[TermId]) -> Self {
        let mut uses: BTreeMap<TermId, usize> = BTreeMap::new();
        let mut symbols = BTreeSet::new();
        let mut pending: Vec<TermId> = roots.to_vec();
        while let Some(term) = pending.pop() {
            let count = uses.entry(term).or_default();
            *count += 1;
            if *count == 1 {
                pending.extend(terms.children(term));
                match terms.kind(term) {
                    TermKind::App(symbol, _) => drop(symbols.insert(*symbol)),
                    TermKind::Quant(quant) => symbols.extend(quant.vars.iter().copied()),
                    _ => {}
                }
            }
        }
        // Subterms have smaller keys than the terms that contain them, so sizes are computed in key order.
        let mut sizes: BTreeMap<TermId, usize> = BTreeMap::new();
        let mut named = BTreeMap::new();
        for (term, count) in &uses {
            let parts = terms.children(*term);
            let size = 1 + parts.iter().map(|part| sizes.get(part).copied().unwrap_or(1)).sum::<usize>();
            let is_named = *count > 1 && size > SMALL;
            if is_named {
                named.insert(*term, named.len());
            }
            sizes.insert(*term, if is_named { 1 } else { size });
        }
        Writer { terms, symbols: symbol_names(terms, &symbols), named }
    }

    /// One line for each symbol and each term that is referred to by key.
    pub fn preamble(&self) -> String {
        let mut text = String::new();
        for (symbol, name) in &self.symbols {
            let data = self.terms.symbol(*symbol);
            let params: Vec<String> = data.params.iter().map(|sort| sort_text(self.terms, *sort)).collect();
            let result = sort_text(self.terms, data.result);
            let _ = writeln!(text, "(symbol {name} {} ({}) {result})", symbol_text(&data.role), params.join(" "));
        }
        for (term, number) in &self.named {
            let _ = write!(text, "(term %t{number} ");
            self.write(*term, true, &mut text);
            text.push_str(")\n");
        }
        text
    }

    pub fn term(&self, term: TermId) -> String {
        let mut text = String::new();
        self.write(term, false, &mut text);
        text
    }

    fn write(&self, term: TermId, defines: bool, out: &mut String) {
        if let Some(number) = self.named.get(&term).filter(|_| !defines) {
            let _ = write!(out, "%t{number}");
            return;
        }
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match self.terms.kind(term) {
            TermKind::Bool(value) => drop(write!(out, "{value}")),
            TermKind::Int(value) => drop(write!(out, "{value}")),
            TermKind::Perm(value) => drop(write!(out, "{}/{}p", value.numerator(), value.denominator())),
            TermKind::App(symbol, args) if args.is_empty() => out.push_str(&self.symbols[symbol]),
            TermKind::App(symbol, args) => self.write_list(&self.symbols[symbol], args, out),
            TermKind::Op(op, args) => {
                let head = match op.instance() {
                    None => format!("%{}", op.name()),
                    Some(sort) => format!("(%{} {})", op.name(), sort_text(self.terms, sort)),
                };
                self.write_list(&head, args, out);
            }
            TermKind::Quant(quant) => self.write_quant(quant, out),
        });
    }

    fn write_list(&self, head: &str, args: &[TermId], out: &mut String) {
        let _ = write!(out, "({head}");
        for arg in args {
            out.push(' ');
            self.write(*arg, false, out);
        }
        out.push(')');
    }

    /// `(%forall role weight (x y) (({p q}) …) body)`
    fn write_quant(&self, quant: &Quant, out: &mut String) {
        out.push_str(if quant.quantifier == Quantifier::Forall { "(%forall " } else { "(%exists " });
        let weight = quant.weight.map_or("_".to_string(), |weight| weight.to_string());
        let vars: Vec<&str> = quant.vars.iter().map(|var| &*self.symbols[var]).collect();
        let _ = write!(out, "{} {weight} ({}) (", quantifier_text(&quant.role), vars.join(" "));
        for (index, set) in quant.triggers.iter().enumerate() {
            out.push_str(if index > 0 { " (" } else { "(" });
            for (index, trigger) in set.iter().enumerate() {
                if index > 0 {
                    out.push(' ');
                }
                self.write(*trigger, false, out);
            }
            out.push(')');
        }
        out.push_str(") ");
        self.write(quant.body, false, out);
        out.push(')');
    }
}

/// Names of symbols. If several share one, later ones are numbered, and so are those that would be parsed as values:
/// a program may name the solver's own constants.
fn symbol_names(terms: &Terms, symbols: &BTreeSet<SymbolId>) -> BTreeMap<SymbolId, String> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut names = BTreeMap::new();
    for symbol in symbols {
        // A word cannot contain bars.
        let name = terms.symbol(*symbol).role.to_string().replace('|', "!");
        let count = counts.entry(name.clone()).or_default();
        let is_number = name.starts_with(|c: char| c.is_ascii_digit() || c == '-');
        let clashes = is_number || matches!(&*name, "true" | "false");
        let text = if *count == 0 && !clashes { quoted(&name) } else { quoted(&format!("{name}!{count}")) };
        names.insert(*symbol, text);
        *count += 1;
    }
    names
}

pub fn sort_text(terms: &Terms, sort: SortId) -> String {
    match terms.sort_data(sort) {
        Sort::Bool => "Bool".into(),
        Sort::Int => "Int".into(),
        Sort::Perm => "Perm".into(),
        Sort::Ref => "Ref".into(),
        Sort::Snap => "Snap".into(),
        Sort::WandMap => "WandMap".into(),
        Sort::Seq(element) => format!("(Seq {})", sort_text(terms, *element)),
        Sort::Set(element) => format!("(Set {})", sort_text(terms, *element)),
        Sort::Multiset(element) => format!("(Multiset {})", sort_text(terms, *element)),
        Sort::Map(key, value) => format!("(Map {} {})", sort_text(terms, *key), sort_text(terms, *value)),
        Sort::User(name) => format!("(User {})", quoted(name)),
        Sort::Interpreted(name) => format!("(Interpreted {})", quoted(name)),
        Sort::Declared { name, commands } => format!("(Declared {} {})", quoted(name), quoted(commands)),
        Sort::SnapMap { resource, key, value } => {
            format!("(SnapMap {} {} {})", quoted(resource), sort_text(terms, *key), sort_text(terms, *value))
        }
    }
}
