//! The interface between engines and everything else: the units of verification, and an engine's results.
//!
//! An engine reads a program of its own language and writes proof trees. The code that schedules its members, asks a
//! solver for it, explains its trees or reports its failures depends on this file and not on the engine.

use crate::failure::Failure;
use crate::model::{Head, Model, Wanted};
use crate::premise::CheckId;
use crate::prover::Prover;
use crate::tree::ProofTree;
use echis_base::{Diagnostic, IndexVec, Name, SyntaxId, key};
use echis_term::TermId;

key!(
    /// A member of one program.
    MemberId,
    "member"
);

/// A unit of verification.
#[derive(Clone, Debug)]
pub struct Member {
    pub name: Name,
    pub kind: MemberKind,
    /// The id of its declaration.
    pub id: SyntaxId,
    /// Members to verify first, because the engine imports their results. Acyclic.
    pub waits: Vec<MemberId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemberKind {
    Function,
    Predicate,
    Method,
    /// A procedure of a Boogie program.
    Procedure,
}

impl MemberKind {
    pub fn name(self) -> &'static str {
        match self {
            MemberKind::Function => "function",
            MemberKind::Predicate => "predicate",
            MemberKind::Method => "method",
            MemberKind::Procedure => "procedure",
        }
    }
}

/// An engine, with a program.
pub trait Verifier: Sync {
    /// Additional results about a member for the engine's own analyses.
    type Notes: Send;

    fn members(&self) -> &IndexVec<MemberId, Member>;
    /// Verifies one member against the contracts of the others. The members it waits for were verified before. If the
    /// prover gives up by unwinding, `found` contains the failures until then; otherwise they are in the outcome.
    fn verify(
        &self,
        member: MemberId,
        prover: &mut dyn Prover,
        options: &Options,
        found: &mut Vec<Failure>,
    ) -> Outcome<Self::Notes>;
    /// The required content of a model of a failed goal, if the engine specifies it. This may add terms to the tree.
    fn wanted(&self, _outcome: &mut Outcome<Self::Notes>, _check: CheckId) -> Option<Wanted> {
        None
    }
    /// A consequence of the facts that a model violates and the next one should satisfy.
    fn learn(
        &self,
        _outcome: &mut Outcome<Self::Notes>,
        _check: CheckId,
        _model: &Model,
        _head: Head<'_>,
    ) -> Option<TermId> {
        None
    }
}

/// Options for verifying one member.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Stop after this many errors; 0 finds all.
    pub errors: usize,
    /// Whether a path on which an obligation fails is kept free of contradictions that come from assuming it, and the
    /// obligation is tried on other paths as well. Not worth the questions if all that matters is what fails.
    pub recovers: bool,
    /// A test of the engine: checks each packaged wand again, given its footprint. Reports a warning for each that
    /// was checked, and an internal error for each that fails.
    pub recheck: bool,
    /// Whether inhaled quantified permissions are checked to be injective, or assumed to be.
    pub injectivity: Injectivity,
    /// Whether failures contain the heap after each assignment.
    pub step_heaps: bool,
}

/// Whether injectivity is checked where quantified permissions are inhaled. Where they are exhaled, it is always
/// checked.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub enum Injectivity {
    #[default]
    Checked,
    Assumed,
}

impl Default for Options {
    fn default() -> Self {
        Options { errors: 1, recovers: true, recheck: false, injectivity: Injectivity::Checked, step_heaps: false }
    }
}

/// The result of verifying one member.
pub struct Outcome<Notes = ()> {
    pub tree: ProofTree,
    /// Number of checks made. The tree contains more: those recorded only for explanations are not counted.
    pub checks: usize,
    pub failures: Vec<Failure>,
    pub warnings: Vec<Diagnostic>,
    pub notes: Notes,
}
