//! Symbolic execution: program → proof tree.
//!
//! One [`Executor`](executor::Executor) verifies one member. It walks every path of the member, keeping a small
//! symbolic [`State`](state::State), and writes facts and checks into the proof tree. The rules are one file each.

mod apply;
mod away;
mod axioms;
mod branch;
mod cfg;
mod consume;
mod dead;
mod eval;
mod executor;
mod explain;
mod fold;
mod function;
mod heap;
mod loops;
mod method;
mod pairs;
mod pay;
mod perm;
mod predicate;
mod produce;
mod purity;
mod quantified;
mod quantifier;
mod reach;
mod recover;
mod remove;
mod state;
mod stmt;
mod symbols;
mod termination;
mod view;
mod wand;

use echis_base::{Diagnostic, SyntaxId};
use echis_program::program::{FunctionId, Program};
use echis_proof::{CheckId, GaveUp, Model, NoModel, NodeId, ProofTree, Property, Prover, StateView};
use std::collections::BTreeMap;
use std::sync::Arc;

pub use function::Exported;
pub use reach::Member;

/// What the caller wants of one member.
#[derive(Clone, Debug)]
pub struct Options {
    /// Stop after this many errors; 0 finds all.
    pub errors: usize,
    /// The tree is made to be explained: paths that cannot be taken are followed too, and permission of several grants
    /// is labelled. Verdicts are the same.
    pub explain: bool,
    /// A test of the engine: each packaged wand is checked once more, given its footprint. A warning tells each that was,
    /// an internal error each that does not hold there.
    pub recheck: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { errors: 1, explain: false, recheck: false }
    }
}

/// One case distinction on a failing path.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Guard {
    pub condition: SyntaxId,
    /// Where the clause was used that the condition stands in, if that is elsewhere.
    pub site: Option<SyntaxId>,
    pub negated: bool,
}

/// An obligation that could not be proved.
#[derive(Clone, Debug)]
pub struct Failure {
    pub property: Property,
    pub check: Option<CheckId>,
    pub at: NodeId,
    /// The case distinctions of every path on which it fails.
    pub paths: Vec<Vec<Guard>>,
    /// Whether it rests on an assumption that an earlier failure made.
    pub cascade: bool,
    /// Nobody knows whether it holds: the solver gave up on it on all these paths, on the first for this reason.
    pub undecided: Option<GaveUp>,
    /// What else a person should know, in one sentence.
    pub note: Option<String>,
    /// The symbolic state on the first failing path.
    pub state: StateView,
    /// A solver's model of that state or why there is none, where somebody asked for one.
    pub model: Option<Result<Model, NoModel>>,
}

/// The result of verifying one member.
pub struct Outcome {
    pub member: Member,
    pub tree: ProofTree,
    pub failures: Vec<Failure>,
    pub warnings: Vec<Diagnostic>,
    pub checks: usize,
    /// For functions: the definitions that other members import.
    pub exported: Option<Exported>,
}

/// What members share: facts about the program's text, and definitions of functions that were verified before.
/// Functions come in call-graph order (descending height).
#[derive(Clone)]
pub struct Library {
    pub functions: BTreeMap<FunctionId, Arc<Exported>>,
    facts: Arc<purity::Facts>,
}

impl Library {
    pub fn new(program: &Program) -> Self {
        Library { functions: BTreeMap::new(), facts: Arc::new(purity::Facts::new(program)) }
    }
}

/// Verifies one member against the contracts of the others. If the prover gives up by unwinding, what failed until then is
/// in `found`; otherwise it is in the outcome.
pub fn verify_member(
    program: &Program,
    member: Member,
    library: &Library,
    prover: &mut dyn Prover,
    options: &Options,
    found: &mut Vec<Failure>,
) -> Outcome {
    executor::verify(program, member, library, prover, options, found)
}
