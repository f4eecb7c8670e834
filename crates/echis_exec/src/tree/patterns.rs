//! Triggers for facts of the engine's own.

use crate::limits::PATTERNS;
use crate::tree::Writer;
use echis_base::FastSet;
use echis_term::{Op, SymbolId, TermId, TermKind};

impl Writer<'_> {
    /// Alternative triggers made of subterms: each minimal subterm that mentions all variables or, failing that, one
    /// set of subterms that covers them.
    pub fn patterns(&self, terms: &[TermId], vars: &[SymbolId]) -> Vec<Vec<TermId>> {
        let mut parts: Vec<TermId> = Vec::new();
        for term in terms {
            self.collect_patterns(*term, vars, &mut parts);
        }
        let covers = |part: &TermId| vars.iter().all(|var| self.tree.terms.is_free(*var, *part));
        let whole: Vec<TermId> = parts.iter().copied().filter(covers).collect();
        if !whole.is_empty() {
            return whole.into_iter().take(PATTERNS).map(|part| vec![part]).collect();
        }
        let mut set: Vec<TermId> = Vec::new();
        for var in vars {
            if set.iter().any(|part| self.tree.terms.is_free(*var, *part)) {
                continue;
            }
            match parts.iter().find(|part| self.tree.terms.is_free(*var, **part)) {
                Some(part) => set.push(*part),
                None => return Vec::new(),
            }
        }
        if set.is_empty() { Vec::new() } else { vec![set] }
    }
    /// Collects the subterms that the solver accepts in triggers, outermost first, without looking into quantifiers.
    fn collect_patterns(&self, root: TermId, vars: &[SymbolId], parts: &mut Vec<TermId>) {
        let mentions = |term: TermId| vars.iter().any(|var| self.tree.terms.is_free(*var, term));
        let mut stack = vec![root];
        let mut seen = FastSet::default();
        while let Some(term) = stack.pop() {
            if !mentions(term) || !seen.insert(term) {
                continue;
            }
            if self.is_pattern_set(&[term], &[]) {
                if !parts.contains(&term) {
                    parts.push(term);
                }
                continue;
            }
            if !matches!(self.tree.terms.kind(term), TermKind::Quant(_)) {
                stack.extend(self.tree.terms.children(term).into_iter().rev());
            }
        }
    }
    /// Whether the solver accepts the terms as one multi-pattern that covers the variables.
    pub fn is_pattern_set(&self, terms: &[TermId], vars: &[SymbolId]) -> bool {
        !terms.is_empty()
            && terms.iter().all(|term| self.is_pattern(*term))
            && vars.iter().all(|var| terms.iter().any(|term| self.tree.terms.is_free(*var, *term)))
    }
    fn is_pattern(&self, term: TermId) -> bool {
        let root = match self.tree.terms.kind(term) {
            TermKind::App(_, args) => !args.is_empty(),
            TermKind::Op(op, _) => is_function_like(*op),
            _ => false,
        };
        let mut inside = true;
        self.tree.terms.for_each_subterm(term, |part| {
            inside &= match self.tree.terms.kind(part) {
                TermKind::Op(op, _) => !is_logical(*op),
                TermKind::Quant(_) => false,
                _ => true,
            }
        });
        root && inside
    }
    /// Replaces functions by their limited versions in a trigger, so that it also fires for applications that are not
    /// unrolled.
    pub fn limit(&mut self, term: TermId) -> TermId {
        self.tree.terms.replace_symbols(term, &self.symbols.limited)
    }
}

fn is_logical(op: Op) -> bool {
    matches!(op, Op::Not | Op::And | Op::Or | Op::Implies | Op::Ite | Op::Eq | Op::Distinct | Op::Lt | Op::Le)
}

fn is_function_like(op: Op) -> bool {
    !is_logical(op)
        && !matches!(
            op,
            Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Div | Op::Mod | Op::PermDiv | Op::ToPerm | Op::Min | Op::Max
        )
}
