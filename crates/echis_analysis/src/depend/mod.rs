//! Why does this hold? The dependencies of proofs.
//!
//! [`Nodes`] are what a user points at. [`Ahead`] reads the proof tree of one member, from when it begins to grow, and
//! finds for each node what its proofs need: the facts in the cores of its obligations, the grants of the permissions it
//! uses, and, through facts of the engine's own, whatever those rest on. [`Graph`] joins members; queries are
//! reachability in it.

mod ahead;
mod annotations;
mod blame;
mod derive;
mod execution;
mod graph;
mod ground;
mod kind;
mod linear;
mod member;
mod nodes;
mod path;
mod query;
mod question;
mod ratio;
mod shrink;
mod solve;
mod view;

pub use ahead::Ahead;
pub use annotations::{MemberTest, Misreport, check_annotations};
pub use derive::Deriving;
pub use execution::{Account, Definition, Manner, join};
pub use graph::{Graph, Inner, Needs, Reach};
pub use kind::{Assertion, Assumption, Construct};
pub use member::{Counts, MemberNeeds, Via};
pub use nodes::{Annotation, Nodes, Owner, UserId, UserNode};
pub use query::{Dependents, Fallen, MemberSummary, Queries, Share};
pub use shrink::Effort;
pub use view::{View, ViewDependencies, ViewNode, owner_name};
