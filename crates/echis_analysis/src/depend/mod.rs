//! Why does this hold? The dependencies of proofs.
//!
//! [`Nodes`] are what a user points at. [`explain`] reads the proof tree of one member and finds for each node what its
//! proofs need: the facts in the cores of its obligations, the grants of the permissions it uses, and, through facts of
//! the engine's own, whatever those rest on. [`Graph`] joins members; queries are reachability in it.

mod annotations;
mod blame;
mod execution;
mod graph;
mod kind;
mod member;
mod nodes;
mod query;
mod question;
mod shrink;
mod solve;
mod view;

pub use annotations::{MemberTest, Misreport, check_annotations};
pub use execution::{Definition, Manner, join};
pub use graph::{Graph, Inner, Reach};
pub use kind::{Assertion, Assumption, Construct};
pub use member::{Counts, MemberNeeds, Via};
pub use nodes::{Annotation, Nodes, Owner, UserId, UserNode};
pub use query::{Dependents, Fallen, Queries, Share};
pub use shrink::Effort;
pub use view::{View, ViewDependencies, ViewNode, owner_name};

use echis_program::program::Program;
use echis_proof::{Explainer, ProofTree};

/// The dependencies within one member. Only the nodes that are wanted are explained; the others have no entry.
pub fn explain(
    program: &Program,
    nodes: &Nodes,
    tree: &ProofTree,
    explainer: &mut dyn Explainer,
    manner: Manner,
    wanted: impl Fn(UserId) -> bool,
) -> MemberNeeds {
    let facts = blame::Facts { program, nodes, tree };
    member::Analysis::new(facts, explainer, manner.effort).run(manner.definition, wanted)
}
