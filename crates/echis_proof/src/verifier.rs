//! The boundary between engines and everyone else: what is verified on its own, and what an engine says about it.
//!
//! An engine reads a program of its own language and writes proof trees. The code that schedules its members, asks a solver for
//! it, explains its trees or reports its failures knows this file and not the engine.

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

/// What is verified on its own.
#[derive(Clone, Debug)]
pub struct Member {
    pub name: Name,
    pub kind: MemberKind,
    /// Where it is declared.
    pub id: SyntaxId,
    /// Members to verify before, because the engine imports what it learned there. Never a cycle.
    pub waits: Vec<MemberId>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum MemberKind {
    Function,
    Predicate,
    Method,
    /// Of a Boogie program.
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

/// An engine with a program.
pub trait Verifier: Sync {
    /// What its own analyses want to know of a member besides the outcome.
    type Notes: Send;

    fn members(&self) -> &IndexVec<MemberId, Member>;
    /// Verifies one member against the contracts of the others. Those that it waits for were verified before. If the
    /// prover gives up by unwinding, what failed until then is in `found`; otherwise it is in the outcome.
    fn verify(
        &self,
        member: MemberId,
        prover: &mut dyn Prover,
        options: &Options,
        found: &mut Vec<Failure>,
    ) -> Outcome<Self::Notes>;
    /// What a model of a goal that failed should tell, where the engine knows. The tree's terms may grow by it.
    fn wanted(&self, _outcome: &mut Outcome<Self::Notes>, _check: CheckId) -> Option<Wanted> {
        None
    }
    /// What another model should respect, where a model does not: something that follows from what is known.
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

/// What the caller wants of one member.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    /// Stop after this many errors; 0 finds all.
    pub errors: usize,
    /// A test of the engine: each packaged wand is checked once more, given its footprint. A warning tells each that was,
    /// an internal error each that does not hold there.
    pub recheck: bool,
    /// What is inhaled is taken to cover each location once, instead of being asked for a proof.
    pub injectivity: Injectivity,
    /// Whether failures tell what was held after each assignment.
    pub step_heaps: bool,
}

/// What happens where quantified permissions are inhaled whose receivers might not differ. Where they are given away it is
/// checked in any case.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Debug)]
pub enum Injectivity {
    #[default]
    Checked,
    Assumed,
}

impl Default for Options {
    fn default() -> Self {
        Options { errors: 1, recheck: false, injectivity: Injectivity::Checked, step_heaps: false }
    }
}

/// The result of verifying one member.
pub struct Outcome<Notes = ()> {
    pub tree: ProofTree,
    /// How many checks were made. The tree has more: what is there only to be explained is not counted.
    pub checks: usize,
    pub failures: Vec<Failure>,
    pub warnings: Vec<Diagnostic>,
    pub notes: Notes,
}
