//! What a candidate doubts, so that one program with many doubts can refute it.

use std::ops::Range;

/// How a candidate is refuted together with others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// The expression that stands there is not evaluated.
    Evaluated(Range<usize>),
    /// The clause is also proved with a part of it that says more. It has no permissions, so it can be stated twice.
    Restated { clause: Range<usize>, part: Range<usize>, saying: Saying },
}

/// What a part says where it says more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Saying {
    /// A consequence is never checked.
    NeverHolds,
    /// A condition always holds.
    AlwaysHolds,
}

impl Saying {
    /// The part, saying more or less depending on the doubt.
    pub fn with(self, part: &str, doubt: &str) -> String {
        match self {
            Saying::NeverHolds => format!("(({part}) && {doubt})"),
            Saying::AlwaysHolds => format!("(({part}) || {doubt})"),
        }
    }
}
