//! Coverage of programs whose elements have labels: Boogie's `{:id "…"}`.

use echis_base::Name;
use std::collections::BTreeSet;

/// The coverage of labelled elements.
#[derive(Clone, Default, Debug)]
pub struct LabelCoverage {
    /// In program order.
    pub members: Vec<MemberLabels>,
}

#[derive(Clone, Debug)]
pub struct MemberLabels {
    pub name: Name,
    pub covered: BTreeSet<Name>,
    /// All others, each with what it means that no proof needs it.
    pub uncovered: Vec<(Name, &'static str)>,
}

impl LabelCoverage {
    /// The labels that some member needs.
    pub fn covered(&self) -> BTreeSet<&Name> {
        self.members.iter().flat_map(|member| &member.covered).collect()
    }
}
