//! Why does this hold? The dependencies of proofs.
//!
//! [`Nodes`] are what a user points at. [`OnlineAnalysis`] reads the proof tree of one member, from when it begins to grow, and
//! finds for each node what its proofs need: the facts in the cores of its obligations, the grants of the permissions it
//! uses, and, through facts of the engine's own, whatever those rest on. [`Graph`] joins members; queries are
//! reachability in it, and live in [`read`].

mod blame;
mod call_sites;
mod callers;
mod combine;
mod cores;
mod derive;
mod execution;
mod expansion;
mod flow;
mod graph;
mod kind;
mod member;
mod minimize;
mod needs;
mod nodes;
mod online;
mod options;
mod owner;
mod path;
mod policy;
mod prover;
mod question;
mod rank;
mod read;
mod unfollowed;
mod via;

#[cfg(test)]
mod tests;

pub use call_sites::join_callers;
pub use callers::callers;
pub use derive::Deriver;
pub use execution::execution_graph;
pub use flow::{Event, EventKind};
pub use graph::{EdgeFilter, Graph, InnerGraph};
pub use kind::{Assertion, Assumption, Construct};
pub use minimize::Minimization;
pub use needs::{Coarse, MemberNeeds, Needs, WorkCounts};
pub use nodes::{Annotation, Nodes, UserId, UserNode};
pub use online::OnlineAnalysis;
pub use options::{Attribution, Callers, Definition, DependencyOptions};
pub use owner::{Owner, owner_name};
pub use policy::{Budget, Policy};
pub use read::{
    Chain, Change, Dependents, Difference, FrontEnd, Impact, MemberSummary, MemberTest, Misreport, ProofStatus,
    Quality, Queries, Share, Trust, Trusted, View, ViewDependencies, ViewNode, check_annotations, difference,
    with_answers,
};
pub use via::Via;
