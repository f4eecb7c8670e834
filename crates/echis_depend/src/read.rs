//! Reading a finished graph: how its nodes are presented, and the queries it answers. Nothing here needs a proof tree
//! or a solver, and nothing that builds graphs needs this.

mod annotations;
mod difference;
mod flow;
mod front_end;
mod quality;
mod query;
mod trusted;
mod view;

pub use annotations::{MemberTest, Misreport, check_annotations};
pub use difference::{Change, Difference, ProofStatus, difference};
pub use front_end::FrontEnd;
pub use quality::Quality;
pub use query::{Chain, Dependents, Impact, MemberSummary, Queries, Share, with_answers};
pub use trusted::{Trust, Trusted};
pub use view::{View, ViewDependencies, ViewNode};
