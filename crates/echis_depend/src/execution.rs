//! The other definition of a dependency: what concrete executions need for an assertion to hold, which is part of what
//! verifying it takes.
//!
//! Three things are told apart that the user-level graph joins. Facts of different paths: what is found only on the other
//! side of a case distinction does not count. Preconditions of a call: what rests on a postcondition rests on those preconditions
//! that its proof in the callee rests on. FactGraph of a predicate: what an `unfold` gives rests on what the `fold` showed for
//! the same conjunct of the body.
//!
//! All this is known once the cores are: [`Recorder`] notes them fact by fact, [`FactGraph`] is what it found in one member,
//! and [`join`] makes a graph of it. In that graph a node of the program stands for itself only as an assertion; as an
//! assumption it is many vertices, one for each fact that it gives.

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

/// What was recorded, as the graph of the member.
pub fn fact_graph(recorder: &Recorder) -> FactGraph {
    FactGraphBuilder::new(recorder).build()
}
