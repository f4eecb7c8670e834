//! Doubts: how a candidate is refuted in one program together with others.

use std::ops::Range;

/// How a candidate is refuted together with others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Doubt {
    /// By showing that the expression at this position is evaluated.
    Evaluated(Range<usize>),
    /// By restating the clause with a stronger part. It has no permissions, so it can be stated twice.
    Restated { clause: Range<usize>, part: Range<usize>, saying: Saying },
}

/// How a part is strengthened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Saying {
    /// A consequence is never checked.
    NeverHolds,
    /// A condition always holds.
    AlwaysHolds,
}

impl Saying {
    /// The part, strengthened under the negated or plain doubt.
    pub fn with(self, part: &str, doubt: &str) -> String {
        match self {
            Saying::NeverHolds => format!("(({part}) && {doubt})"),
            Saying::AlwaysHolds => format!("(({part}) || {doubt})"),
        }
    }
}
