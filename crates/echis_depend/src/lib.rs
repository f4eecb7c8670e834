//! Computes the dependencies of proofs: the nodes that each proved obligation needs.
//!
//! [`Nodes`] are the parts of a program that a user can point at. [`OnlineAnalysis`] reads the proof tree of one
//! member while it grows, and finds what the proofs of each node need: the facts in the cores of its obligations, the
//! grants of the permissions it uses, and, through the engine's own facts, the premises of those. [`Graph`] joins
//! members; queries are reachability in it (`read`).
//!
//! ARCHITECTURE.md follows one question through these modules. In short: facts are attributed to nodes (`blame`), a
//! goal and groups of facts form a question (`question`), finders look for a core (`cores`), the engine's own facts
//! in a core are replaced by what they rest on (`expansion`), and members are joined (`graph`).
//!
//! # Why the answers are sound
//!
//! Every answer was proved from the reported facts alone: a solver's core is checked again, and a derivation is a
//! proof. `echis_derive` is therefore trusted; tests compare it with evaluated structures, for all operators, and
//! with a solver. Pruned programs, which contain only what is reported, are verified (`cargo xtask prune`). A failed
//! obligation may rest on anything known at its location, since another tool may prove it.
//!
//! What a proof does *not* need is defined by the program without it. A statement that forgets a value gives no fact
//! to depend on, so replays assume that the value is unchanged. Permission created by a statement is gone without the
//! statement, but permission written in a clause may be held anyway, in an unknown amount. Permission that was given
//! away never helps a demand, but `perm` and `forperm` see what is left: for them each removal has a label, like a
//! grant.
//!
//! # Infeasible paths
//!
//! For explanations, execution follows infeasible paths for a bounded distance, to see whether their assertions hold
//! without the contradiction. Only questions that decide how the path continues are asked there, without a solver.
//! The number of such paths and questions is bounded; `skipped_paths` accounts for the rest. Such answers are marked as
//! over-approximations.
//!
//! # Cost
//!
//! - Most goals are derived without a solver. When verifying for explanations, obligations with a derivation are not
//!   sent to the solver at all, which saves about as much as explaining costs. Plain verification sends all of them,
//!   so its verdicts rest on the solver alone.
//! - Members are explained while they are verified, in a separate thread, from a copy of the growing tree. The
//!   results depend only on the input, not on timing.
//! - Solvers first get a wide scope of facts around the goal, then the near ones, finally all; if a proof is known to
//!   be hard, all at once: a solver that is given too few facts searches up to its limit.
//! - The effort is bounded by an allowance (`cores`) in the solver's units, a share of the cost of verification. When
//!   it is spent, first proofs are kept as they are, then everything on the path is blamed: imprecise, but sound.

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
