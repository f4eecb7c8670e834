//! The conjuncts of clauses as texts.

use crate::site::Site;
use crate::text::one_line;
use echis_program::program::ExprId;

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purity {
    Pure,
    Any,
}

/// The conjuncts of clauses, as written.
pub(crate) fn conjuncts(site: &Site<'_>, clauses: &[ExprId], purity: Purity) -> Vec<String> {
    let program = site.program;
    let all = clauses.iter().flat_map(|clause| program.conjuncts(*clause));
    let all = all.filter(|(conjunct, _)| purity == Purity::Any || program.is_pure(*conjunct));
    all.filter_map(|(conjunct, _)| site.said(conjunct)).map(one_line).collect()
}
