//! Coverage of programs whose elements have names of their own: Boogie's `{:id "…"}`.

use echis_base::Name;
use std::collections::BTreeSet;

/// What the proofs of a program need.
#[derive(Clone, Default, Debug)]
pub struct LabelCoverage {
    /// In the order of the program.
    pub members: Vec<MemberLabels>,
}

#[derive(Clone, Debug)]
pub struct MemberLabels {
    pub name: Name,
    pub covered: BTreeSet<Name>,
    /// The rest, with what it means that no proof needs it.
    pub uncovered: Vec<(Name, &'static str)>,
}

impl LabelCoverage {
    /// What some member needs.
    pub fn covered(&self) -> BTreeSet<&Name> {
        self.members.iter().flat_map(|member| &member.covered).collect()
    }
}
