//! Why does this hold? The dependencies of proofs.
//!
//! [`Nodes`] are what a user points at. [`OnlineAnalysis`] reads the proof tree of one member, from when it begins to grow, and
//! finds for each node what its proofs need: the facts in the cores of its obligations, the grants of the permissions it
//! uses, and, through facts of the engine's own, whatever those rest on. [`Graph`] joins members; queries are
//! reachability in it, and live in [`read`].
//!
//! ARCHITECTURE.md follows one question through these modules. In short: facts are blamed on nodes (`blame`), a goal and
//! groups of facts are a question (`question`), finders look for a core (`cores`), the engine's own facts in a core are
//! replaced by what they rest on (`expansion`), and members are joined (`graph`).
//!
//! # Why the answers are sound
//!
//! Whatever is reported was proved from the reported facts alone: a solver's core is asked again, and a derivation is a proof.
//! `echis_derive` is therefore trusted; tests compare it with evaluated structures, for all operators, and with a solver.
//! Pruned programs, which contain only what is reported, are verified (`cargo xtask prune`). A failed obligation may rest on
//! anything known at its place, since another tool may prove it.
//!
//! What a proof does *not* need is judged by the program that is left without it. A statement that forgets a value gives no
//! fact to depend on, so replays assume that the value is unchanged. Permission created by a statement is gone without the
//! statement, but permission that is written in a clause may be held anyway, in an unknown amount. Permission that was given
//! away never helps a demand, but `perm` and `forperm` see what is left: for them each removal has a label, like a grant.
//!
//! # Infeasible paths
//!
//! For explanations, execution follows infeasible paths a little, to see whether their assertions hold without the
//! contradiction. Only questions that decide how the path goes on are asked there, without a solver. The number of such paths
//! and questions is bounded; `unfollowed` accounts for the rest. Such answers are marked as over-approximations.
//!
//! # Why it is cheap
//!
//! - Most goals are derived without a solver. When verifying for explanations, obligations with a derivation are not asked
//!   either, which saves about as much as explaining costs. Plain verification asks all of them, so its verdicts rest on the
//!   solver alone.
//! - Members are explained while they are verified, in a thread of their own, from a copy of the growing tree. What the
//!   explainer does depends on what it is told, not on when.
//! - Solvers are given a wide circle of facts around the goal first, then the near ones, finally all; where a proof is known
//!   to be hard, all at once: a solver that is given too little searches to its bound.
//! - An allowance (`cores`) in the solver's units, a share of what verification took. When it is spent, first proofs are kept
//!   as they are, then everything on the path is blamed: coarse, but true.

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
mod skipped_paths;
mod via;

#[cfg(test)]
mod tests;

pub use call_sites::join_callers;
pub use callers::callers;
pub use cores::FirstProof;
pub use derive::{Derived, Deriver};
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
