//! Why does this hold? The dependencies of proofs.
//!
//! [`Nodes`] are what a user points at. [`Ahead`] reads the proof tree of one member, from when it begins to grow, and
//! finds for each node what its proofs need: the facts in the cores of its obligations, the grants of the permissions it
//! uses, and, through facts of the engine's own, whatever those rest on. [`Graph`] joins members; queries are
//! reachability in it.

mod ahead;
mod annotations;
mod blame;
mod callers;
mod derive;
mod difference;
mod execution;
mod flow;
mod front_end;
mod graph;
mod joined;
mod kind;
mod manner;
mod member;
mod moved;
mod needs;
mod nodes;
mod owner;
mod path;
mod policy;
mod prover;
mod quality;
mod query;
mod question;
mod rank;
mod shrink;
mod smaller;
mod solve;
mod trusted;
mod unfollowed;
mod via;
mod view;

pub use ahead::Ahead;
pub use annotations::{MemberTest, Misreport, check_annotations};
pub use callers::callers;
pub use derive::Deriving;
pub use difference::{Change, Difference, Standing, difference};
pub use execution::join;
pub use flow::{Event, EventKind};
pub use front_end::FrontEnd;
pub use graph::{Graph, Inner, Reach};
pub use joined::join_callers;
pub use kind::{Assertion, Assumption, Construct};
pub use manner::{Account, Callers, Definition, Manner};
pub use needs::{Coarse, Counts, MemberNeeds, Needs};
pub use nodes::{Annotation, Nodes, UserId, UserNode};
pub use owner::{Owner, owner_name};
pub use policy::{Budget, Policy};
pub use quality::Quality;
pub use query::{Chain, Dependents, Fallen, MemberSummary, Queries, Share, answered};
pub use shrink::Effort;
pub use trusted::{Trust, Trusted};
pub use via::Via;
pub use view::{View, ViewDependencies, ViewNode};
