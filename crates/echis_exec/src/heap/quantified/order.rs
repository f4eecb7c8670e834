//! Chooses which chunk to try first. A wrong guess costs time but never changes a verdict.

use crate::state::{Chunk, Shape};
use crate::tree::Writer;
use echis_term::{SymbolId, TermId, TermKind};

impl Writer<'_> {
    /// The terms that distinguish accesses: the locations themselves, and the collections and objects that they and
    /// the condition mention.
    pub fn hints(&mut self, args: &[TermId], domain: TermId, vars: &[SymbolId]) -> Vec<TermId> {
        let mut hints: Vec<TermId> = Vec::new();
        for arg in args {
            let arg = self.peek(*arg);
            hints.push(arg);
            self.closed_parts(arg, vars, &mut hints);
        }
        self.closed_parts(domain, vars, &mut hints);
        hints
    }
    /// The largest subterms that mention none of the variables, except literals.
    fn closed_parts(&self, term: TermId, vars: &[SymbolId], parts: &mut Vec<TermId>) {
        let terms = &self.tree.terms;
        let mut stack = terms.children(term);
        while let Some(term) = stack.pop() {
            if vars.iter().any(|var| terms.is_free(*var, term)) {
                if !matches!(terms.kind(term), TermKind::Quant(_)) {
                    stack.extend(terms.children(term));
                }
            } else if matches!(terms.kind(term), TermKind::App(..) | TermKind::Op(..)) && !parts.contains(&term) {
                parts.push(term);
            }
        }
    }
    /// Sorts chunks, with their indices: most hints in common first, then heap order.
    pub fn ordered(&self, mut chunks: Vec<(usize, Chunk)>, hints: &[TermId]) -> Vec<(usize, Chunk)> {
        chunks.sort_by_key(|(_, chunk)| std::cmp::Reverse(likeness(chunk, hints)));
        chunks
    }
    /// The lengths of prefixes of sorted chunks after which the number of common hints drops.
    pub fn alike(&self, chunks: &[Chunk], hints: &[TermId]) -> Vec<usize> {
        let likeness: Vec<usize> = chunks.iter().map(|chunk| likeness(chunk, hints)).collect();
        (1..chunks.len()).filter(|end| likeness[*end] < likeness[end - 1]).collect()
    }
}

fn likeness(chunk: &Chunk, hints: &[TermId]) -> usize {
    match &chunk.shape {
        Shape::Single(_) => 0,
        Shape::Many(many) => many.hints.iter().filter(|hint| hints.contains(hint)).count(),
    }
}
