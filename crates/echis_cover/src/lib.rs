//! Coverage: what proofs do not need. Generates candidates for warnings, each with the edited program that confirms
//! it.
//!
//! Nothing here is a verdict: a candidate becomes a warning only after the edited program was verified.
//!
//! Coverage asks less than dependencies: which nodes *some* goal needs, not which goal. Proofs found without a solver
//! are explained once for each distinct goal. For the others, the question is what they need in addition to what is
//! already known to be needed: nothing, if everything on their path is; otherwise the solver is asked. Known nodes
//! are preferred in proofs, so that of two interchangeable assumptions the second does not count as covered because
//! another path used it.

mod branches;
mod conditions;
mod contradictions;
mod covered;
mod doubt;
mod effects;
mod endless;
pub mod labels;
mod macros;
mod parts;
mod predicates;
mod removal;
mod suppressions;
mod survey;
mod unused;

pub use branches::refused_body;
pub use conditions::{Condition, conditions};
pub use contradictions::{Contradictions, Dead, Probes, Reach, Region};
pub use covered::{covered, covered_by, members};
pub use doubt::{Doubt, Saying};
pub use echis_base::{Edit, apply};
pub use echis_findings::WarningId;
pub use effects::havoc;
pub use removal::removal;
pub use suppressions::Silencers;
pub use survey::Survey;
pub use unused::Search;

use echis_base::{Diagnostic, Name, Span};
use echis_depend::UserId;
use std::collections::BTreeSet;

/// A possible warning about a node, confirmed if the edited program verifies.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The node; `None` for parts of predicates.
    pub node: Option<UserId>,
    /// The declaration that contains it.
    pub owner: Name,
    pub id: WarningId,
    pub message: String,
    pub span: Span,
    /// The range in which a silencer suppresses the warning.
    pub scope: Span,
    pub portion: Portion,
    pub edits: Vec<Edit>,
    pub fix: Option<Fix>,
    /// Edits that keep the terms but remove the meaning: if only the program with these verifies, only the terms are
    /// needed.
    pub hollow: Option<Vec<Edit>>,
    /// An edit that makes a function ensure `false`, with its position in the edited program: the proof names the
    /// contradictory facts.
    pub contradiction: Option<(Edit, usize)>,
    /// The only member that the edits can affect, if there is just one.
    pub member: Option<Name>,
    /// How it can be refuted in one program with others, if possible.
    pub doubt: Option<Doubt>,
}

impl Candidate {
    /// A candidate about a whole node, without a fix.
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

/// Whether a warning is about its whole node or a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Portion {
    Whole,
    Part,
}

/// An edit that removes the cause of a warning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    pub edits: Vec<Edit>,
    pub removal: Removal,
}

/// The possible effect of a fix on users.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Removal {
    /// No effect on users: at least as much is proved afterwards.
    Safe,
    /// Other programs may rely on the removed text.
    InThisProgram,
    /// The removed text may be something the author wanted to have proved.
    UnlessGoal,
    /// The new text is stronger, possibly stronger than intended.
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
    /// The effect of the removal, to help the user decide.
    pub fn describe(self) -> &'static str {
        match self {
            Removal::Safe => "Remove it: nothing needs it",
            Removal::InThisProgram => "Remove it: nothing in this program needs it",
            Removal::UnlessGoal => "Remove it, unless it is a goal of its own",
            Removal::Stronger => "Remove it: the rest is stronger",
        }
    }
}

/// A confirmed warning.
#[derive(Clone, Debug)]
pub struct Warning {
    pub id: WarningId,
    pub diagnostic: Diagnostic,
    pub member: Name,
    /// The node that the warning is about, if any.
    pub node: Option<UserId>,
    pub portion: Portion,
    /// The edits of the verified program that confirms the warning.
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

/// The coverage of a verified program.
#[derive(Clone, Default, Debug)]
pub struct Coverage {
    pub members: Vec<MemberCoverage>,
    pub covered: BTreeSet<UserId>,
    pub warnings: Vec<Warning>,
    /// Nodes whose facts no proof uses, although proofs succeed only if their terms are mentioned.
    pub trigger_only: BTreeSet<UserId>,
    /// Unreachable text.
    pub dead: Vec<Span>,
    /// Obligations whose proof needs only a contradiction.
    pub vacuous: Vec<Span>,
    /// Warnings that the program suppresses.
    pub silenced: usize,
    /// Number of programs verified to confirm warnings.
    pub runs: usize,
    /// Number of candidates not decided: the solver reached its limit, or time ran out.
    pub untried: usize,
    /// Number of assumptions used in proofs that were not tried, because that would cost too much.
    pub left_out: usize,
}

impl Coverage {
    /// The numbers of covered nodes and of all nodes in the program.
    pub fn counts(&self) -> (usize, usize) {
        self.members.iter().fold((0, 0), |(covered, total), member| (covered + member.covered, total + member.total))
    }
    pub fn percent(&self) -> f64 {
        let (covered, total) = self.counts();
        if total == 0 { 100.0 } else { 100.0 * covered as f64 / total as f64 }
    }
    /// The warnings that are not consequences of others.
    pub fn causes(&self) -> impl Iterator<Item = &Warning> {
        self.warnings.iter().filter(|warning| !warning.diagnostic.consequence)
    }
    /// Nodes with an unneeded part.
    pub fn partly(&self) -> BTreeSet<UserId> {
        let parts = self.warnings.iter().filter(|warning| warning.portion == Portion::Part);
        parts.filter_map(|warning| warning.node).collect()
    }
}

/// The text on one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
