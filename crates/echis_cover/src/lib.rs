//! What does a proof not cover? Candidates for warnings, each with the edited program that confirms it.
//!
//! Nothing here is a verdict: a candidate becomes a warning only after the edited program was verified.
//!
//! Coverage asks less than dependencies: which nodes *some* goal needs, not which goal. Proofs found without a solver are
//! explained once for each distinct goal. For the others, the question is what they need besides what is known to be needed:
//! nothing, if everything on their path is needed already; otherwise the solver is asked. Known nodes are preferred in proofs,
//! so that of two interchangeable assumptions the second does not count as covered because another path used it.

mod branches;
mod conditions;
mod contradictions;
mod covered;
mod doubt;
mod edit;
mod effects;
mod endless;
pub mod labels;
mod parts;
mod predicates;
mod suppressions;
mod survey;
mod unused;

pub use branches::refused_body;
pub use conditions::{Condition, conditions};
pub use contradictions::{Contradictions, Dead, Probes, Region};
pub use covered::{covered, covered_by, members};
pub use doubt::{Doubt, Saying};
pub use echis_findings::WarningId;
pub use edit::{Edit, apply, fresh, removal};
pub use effects::havoc;
pub use suppressions::Silencers;
pub use survey::Survey;
pub use unused::Search;

use echis_base::{Diagnostic, Name, Span};
use echis_depend::UserId;
use std::collections::BTreeSet;

/// What may be said about a node if the edited program verifies.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The node that it is about; parts of predicates are none.
    pub node: Option<UserId>,
    /// The declaration that it stands in.
    pub owner: Name,
    pub id: WarningId,
    pub message: String,
    pub span: Span,
    /// A silencer in here silences the warning.
    pub scope: Span,
    pub portion: Portion,
    pub edits: Vec<Edit>,
    pub fix: Option<Fix>,
    /// Edits that leave the terms and take the meaning: if only the proof with these is found, the terms are what matters.
    pub hollow: Option<Vec<Edit>>,
    /// An edit that promises `false`, and where in the edited program: its proof names what contradicts each other.
    pub contradiction: Option<(Edit, usize)>,
    /// The member that alone the edits can touch, where that is known.
    pub member: Option<Name>,
    /// How it is refuted in one program with others, where that is possible.
    pub doubt: Option<Doubt>,
}

impl Candidate {
    /// About all of something, without a fix.
    pub fn new(owner: Name, id: WarningId, message: String, span: Span, edits: Vec<Edit>) -> Self {
        Candidate {
            node: None,
            owner,
            id,
            message,
            span,
            scope: span,
            portion: Portion::Whole,
            edits,
            fix: None,
            hollow: None,
            contradiction: None,
            member: None,
            doubt: None,
        }
    }
}

/// How much of its node a warning is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Portion {
    Whole,
    Part,
}

/// An edit that takes the cause of a warning away.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    pub edits: Vec<Edit>,
    pub removal: Removal,
}

/// Who can be hurt by a fix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Removal {
    /// No effect on users: at least as much is proved afterwards.
    Safe,
    /// Other programs may rely on what is taken away.
    InThisProgram,
    /// The removed text may be something the author wanted to have proved.
    UnlessGoal,
    /// It says more than before, which may be more than was meant.
    Stronger,
}

impl Removal {
    pub fn name(self) -> &'static str {
        match self {
            Removal::Safe => "safe",
            Removal::InThisProgram => "in_this_program",
            Removal::UnlessGoal => "unless_goal",
            Removal::Stronger => "stronger",
        }
    }
    /// What removing it means, to help the user decide.
    pub fn describe(self) -> &'static str {
        match self {
            Removal::Safe => "Remove it: nothing needs it",
            Removal::InThisProgram => "Remove it: nothing in this program needs it",
            Removal::UnlessGoal => "Remove it, unless it is a goal of its own",
            Removal::Stronger => "Remove it: the rest is stronger",
        }
    }
}

/// A warning that was confirmed.
#[derive(Clone, Debug)]
pub struct Warning {
    pub id: WarningId,
    pub diagnostic: Diagnostic,
    pub member: Name,
    /// The node that the warning is about, where it is one.
    pub node: Option<UserId>,
    pub portion: Portion,
    /// The program with these edits verifies, which confirms the warning.
    pub evidence: Vec<Edit>,
    pub fix: Option<Fix>,
}

#[derive(Clone, Debug)]
pub struct MemberCoverage {
    pub name: Name,
    pub covered: usize,
    pub total: usize,
    pub uncovered: Vec<UserId>,
}

/// What coverage found in a program that verifies.
#[derive(Clone, Default, Debug)]
pub struct Coverage {
    pub members: Vec<MemberCoverage>,
    pub covered: BTreeSet<UserId>,
    pub warnings: Vec<Warning>,
    /// No proof uses their facts, and yet the proofs are found only where their terms are mentioned.
    pub trigger_only: BTreeSet<UserId>,
    /// Text that no execution reaches.
    pub dead: Vec<Span>,
    /// Obligations whose proof needs nothing but a contradiction.
    pub vacuous: Vec<Span>,
    /// Warnings that the program suppresses.
    pub silenced: usize,
    /// How many programs were verified to confirm warnings.
    pub runs: usize,
    /// Candidates that were not tried, or not to the end: the solver reached its bound, or the time was over.
    pub untried: usize,
    /// Assumptions that proofs use and that were not tried, because that takes more effort than the program is worth.
    pub left_out: usize,
}

impl Coverage {
    /// Covered and all nodes of the whole program.
    pub fn counts(&self) -> (usize, usize) {
        self.members.iter().fold((0, 0), |(covered, total), member| (covered + member.covered, total + member.total))
    }
    pub fn percent(&self) -> f64 {
        let (covered, total) = self.counts();
        if total == 0 { 100.0 } else { 100.0 * covered as f64 / total as f64 }
    }
    /// The warnings that do not follow from another one.
    pub fn causes(&self) -> impl Iterator<Item = &Warning> {
        self.warnings.iter().filter(|warning| !warning.diagnostic.consequence)
    }
    /// Nodes with a part that no proof needs.
    pub fn partly(&self) -> BTreeSet<UserId> {
        let parts = self.warnings.iter().filter(|warning| warning.portion == Portion::Part);
        parts.filter_map(|warning| warning.node).collect()
    }
}

/// Text on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
