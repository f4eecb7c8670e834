//! Verification conditions: a Boogie procedure's body becomes a graph of blocks, its loops are cut, its variables get a
//! new name with each value, and all of that is written into a proof tree.
//!
//! No path is looked at alone. Each block has a proposition that says that it is reached; facts are stated behind it, and
//! goals are demanded behind it. So all facts stand on one path of the tree, in program order, and all goals of a member
//! can be asked at once.

mod ask;
mod axioms;
mod cover;
mod encode;
mod graph;
mod instances;
mod labels;
mod loops;
mod member;
mod sorts;

pub use cover::{Coverage, cover};
pub use labels::{Label, Use};

use echis_base::SyntaxId;
use echis_boogie::Program;
use echis_boogie::program::ImplementationId;
use echis_proof::{CheckId, NodeId, ProofTree, Prover};
use echis_term::TermId;
use std::collections::BTreeMap;

/// The result of verifying one implementation.
pub struct Outcome {
    pub tree: ProofTree,
    /// In program order.
    pub failures: Vec<CheckId>,
    /// What cannot be verified here, if anything.
    pub unsupported: Option<(SyntaxId, String)>,
    /// The labels of facts and goals, where the program gives them names.
    pub fact_labels: BTreeMap<NodeId, Label>,
    pub goal_labels: BTreeMap<CheckId, Label>,
    /// Each goal as what holds where it is demanded, and what is demanded there.
    pub parts: BTreeMap<CheckId, (TermId, TermId)>,
}

/// Implementations that are verified: all but those that are only put in place of calls, or marked `{:verify false}`.
pub fn members(program: &Program) -> Vec<ImplementationId> {
    let wanted = |id: &ImplementationId| {
        let implementation = &program.implementations[*id];
        let procedure = &program.procedures[implementation.procedure];
        let off = |attributes| {
            echis_boogie::ast::has_attribute(attributes, "verify") && !program.tree.is_on(attributes, "verify")
        };
        let skipped = off(&implementation.attributes) || off(&procedure.attributes);
        !skipped && graph::inlined(program, implementation.procedure).is_none()
    };
    program.implementations.keys().filter(wanted).collect()
}

/// Verifies one implementation.
pub fn verify(program: &Program, implementation: ImplementationId, prover: &mut dyn Prover) -> Outcome {
    let mut outcome = member::encode(program, implementation);
    if outcome.unsupported.is_none() {
        ask::ask(&mut outcome, prover);
    }
    outcome
}
