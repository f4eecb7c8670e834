//! Sets of facts as bit masks: a bit for each group of facts, one for the goal, and one for each open case.

pub type Mask = u128;

/// The negated goal was used.
pub const GOAL: Mask = 1 << (Mask::BITS - 1);
/// Maximum nesting depth of cases.
pub const CASES: usize = 7;
/// Maximum number of groups.
pub const GROUPS: usize = Mask::BITS as usize - 1 - CASES;

/// The assumption of a case at the given nesting depth.
pub fn case(depth: usize) -> Mask {
    GOAL >> (1 + depth)
}

pub fn mask_of(groups: impl IntoIterator<Item = usize>) -> Mask {
    groups.into_iter().fold(0, |mask, group| mask | 1 << group)
}

/// The groups in a set, given their total number.
pub fn groups_of(mask: Mask, count: usize) -> Vec<usize> {
    (0..count).filter(|group| mask & 1 << group != 0).collect()
}
