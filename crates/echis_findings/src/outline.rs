//! An outline of a member's proof, as plain data.

use crate::FileVerdict;
use echis_base::{Name, Span};

/// The steps of one member, in execution order.
#[derive(Clone, Debug)]
pub struct MemberOutline {
    pub name: Name,
    pub steps: Vec<OutlineStep>,
    /// Number of steps omitted because of the limit.
    pub left_out: usize,
}

/// One or more consecutive facts or checks of the same clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutlineStep {
    /// Number of case distinctions around it.
    pub depth: u32,
    pub kind: StepKind,
    /// The clause, on one line.
    pub text: String,
    pub span: Span,
    /// The call or loop where the clause is used, if not where it is written.
    pub site: Option<Span>,
    /// Why a fact may be assumed, or the id of the error that a failed check would be.
    pub because: String,
    /// For checks.
    pub verdict: Option<FileVerdict>,
    /// In the solver's units.
    pub effort: u64,
    /// Number of facts or checks that this step represents.
    pub count: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StepKind {
    Fact,
    /// One side of a case distinction.
    Branch,
    /// An infeasible side.
    Dead,
    Check,
}

impl StepKind {
    pub fn name(self) -> &'static str {
        match self {
            StepKind::Fact => "fact",
            StepKind::Branch => "branch",
            StepKind::Dead => "dead",
            StepKind::Check => "check",
        }
    }
}
