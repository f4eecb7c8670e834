//! The alternative definition of a dependency: what concrete executions need for an assertion to hold, a subset of
//! what verifying it needs.
//!
//! It distinguishes three things that the user-level graph merges. Facts of different paths: facts on the other side
//! of a case distinction do not count. Preconditions of a call: a dependency on a postcondition is one on those
//! preconditions that its proof in the callee needs. Predicates: what an `unfold` provides rests on what the `fold`
//! established for the same conjunct of the body.
//!
//! All this is known once the cores are: [`Recorder`] records them fact by fact, [`FactGraph`] holds the results of
//! one member, and [`join`] builds a graph. In that graph, a node of the program stands for itself only as an
//! assertion; as an assumption it is many vertices, one for each fact that it provides.

mod builder;
mod groups;
mod join;
mod leaves;
mod paths;
mod recorder;

pub use join::execution_graph;
#[cfg(test)]
pub use paths::Paths;
pub use recorder::Recorder;

use crate::needs::FactGraph;
use builder::FactGraphBuilder;

/// The graph of the member, from what was recorded.
pub fn fact_graph(recorder: &Recorder) -> FactGraph {
    FactGraphBuilder::new(recorder).build()
}
