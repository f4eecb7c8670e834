//! The declarations that terms need: sorts, symbols and theories. They are kept as two growing texts, so that a new
//! process can receive all of them.

use super::Theory;
use crate::names::{self, Style};
use echis_base::FastSet;
use echis_term::{Sort, SortId, SymbolId, SymbolKind, SymbolRole, TermId, TermKind, Terms};
use std::ops::Range;

pub struct Vocabulary {
    style: Style,
    terms: FastSet<TermId>,
    symbols: FastSet<SymbolId>,
    /// By name, since sorts that occur only in templates have no key.
    sorts: FastSet<String>,
    theories: FastSet<Theory>,
    /// Commands that are independent of pushes and pops.
    pub declarations: String,
    /// Assertions at the base.
    pub axioms: String,
    /// The range of axioms that replace arithmetic with products.
    instead_of_products: Range<usize>,
}

impl Vocabulary {
    pub fn new(style: Style) -> Self {
        Vocabulary {
            style,
            terms: FastSet::default(),
            symbols: FastSet::default(),
            sorts: FastSet::default(),
            theories: FastSet::default(),
            declarations: String::new(),
            axioms: String::new(),
            instead_of_products: 0..0,
        }
    }
    /// The axioms for a solver that supports products. Quotients by bound variables make Z3 ignore products.
    pub fn axioms_beside_products(&self) -> String {
        let Range { start, end } = self.instead_of_products;
        [&self.axioms[..start], &self.axioms[end..]].concat()
    }

    /// Adds missing declarations for the term.
    pub fn require(&mut self, terms: &Terms, term: TermId) {
        let mut stack = vec![term];
        while let Some(term) = stack.pop() {
            if !self.terms.insert(term) {
                continue;
            }
            match terms.kind(term) {
                TermKind::Bool(_) | TermKind::Int(_) | TermKind::Perm(_) => {}
                TermKind::App(symbol, _) => self.symbol(terms, *symbol),
                TermKind::Op(op, args) => {
                    if let Some(theory) = Theory::of_operator(terms, *op, args) {
                        self.theory(terms, theory);
                    }
                }
                // The variables of a quantifier occur as applications in its body.
                TermKind::Quant(quant) => {
                    quant.vars.iter().for_each(|var| self.symbol(terms, *var));
                    let triggers = quant.triggers.iter().flatten();
                    triggers.for_each(|trigger| self.theory(terms, Theory::Mentions(terms.sort_of(*trigger))));
                }
            }
            // Reversed, so that declarations come in reading order.
            stack.extend(terms.children(term).into_iter().rev());
        }
    }

    fn symbol(&mut self, terms: &Terms, id: SymbolId) {
        let symbol = terms.symbol(id);
        if !self.symbols.insert(id) {
            return;
        }
        symbol.params.iter().for_each(|sort| self.sort(terms, *sort));
        self.sort(terms, symbol.result);
        if symbol.kind() == SymbolKind::Interpreted {
            if symbol.role == SymbolRole::Compared {
                self.theory(terms, Theory::Compared);
            }
            return;
        }
        let out = &mut self.declarations;
        out.push_str("(declare-fun ");
        names::write_symbol(terms, self.style, id, out);
        out.push_str(" (");
        for (index, sort) in symbol.params.iter().enumerate() {
            if index > 0 {
                out.push(' ');
            }
            names::write_sort(terms, self.style, *sort, out);
        }
        out.push_str(") ");
        names::write_sort(terms, self.style, symbol.result, out);
        out.push_str(")\n");
    }

    fn sort(&mut self, terms: &Terms, id: SortId) {
        match *terms.sort_data(id) {
            Sort::Declared { ref commands, .. } => {
                if !self.sorts.contains(&**commands) {
                    self.sorts.insert(commands.to_string());
                    self.declarations.push_str(commands);
                }
                return;
            }
            Sort::Bool | Sort::Int | Sort::Perm | Sort::Ref | Sort::Snap | Sort::WandMap | Sort::Interpreted(_) => {
                return;
            }
            Sort::Seq(element) | Sort::Set(element) | Sort::Multiset(element) => self.sort(terms, element),
            Sort::Map(key, value) | Sort::SnapMap { key, value, .. } => {
                self.sort(terms, key);
                self.sort(terms, value);
            }
            Sort::User(_) => {}
        }
        let mut name = String::new();
        names::write_sort(terms, self.style, id, &mut name);
        self.declare_sort(name);
    }
    fn declare_sort(&mut self, name: String) {
        if !self.sorts.contains(&name) {
            self.declarations.push_str(&format!("(declare-sort {name} 0)\n"));
            self.sorts.insert(name);
        }
    }

    pub(super) fn theory(&mut self, terms: &Terms, theory: Theory) {
        if !self.theories.insert(theory) {
            return;
        }
        for (_, sort) in theory.parameters(terms) {
            self.sort(terms, sort);
        }
        let mut name = String::new();
        match theory {
            Theory::Seq(sort) => names::write_instance(terms, self.style, "Seq", &[sort], &mut name),
            Theory::Set(sort) => names::write_instance(terms, self.style, "Set", &[sort], &mut name),
            Theory::Multiset(sort) => names::write_instance(terms, self.style, "Multiset", &[sort], &mut name),
            Theory::Map(key, value) => names::write_instance(terms, self.style, "Map", &[key, value], &mut name),
            Theory::SeqMembers(_)
            | Theory::SeqRange(_)
            | Theory::Wrap(_)
            | Theory::Mentions(_)
            | Theory::Lookup(_)
            | Theory::Compared
            | Theory::Inverse
            | Theory::Remainder
            | Theory::KeySet(_) => {}
        }
        if !name.is_empty() {
            self.declare_sort(name);
        }
        for needed in theory.needs(terms) {
            self.theory(terms, needed);
        }
        let before = self.axioms.len();
        self.add(&theory.text(terms, self.style));
        if theory == Theory::Remainder {
            self.instead_of_products = before..self.axioms.len();
        }
    }

    /// Splits a template's text into declarations and axioms. Commands start at the beginning of a line.
    fn add(&mut self, text: &str) {
        let mut axiom = false;
        for line in text.lines() {
            if line.starts_with('(') {
                axiom = line.starts_with("(assert");
            }
            let part = if axiom { &mut self.axioms } else { &mut self.declarations };
            part.push_str(line);
            part.push('\n');
        }
    }
}
