//! Proves checks of a proof tree with an SMT solver.
//!
//! A [`Session`] is a cache: the solver's state belongs to one node of the tree, and is moved to another by popping
//! to the common ancestor and asserting the rest. If the process dies, time is lost, but not meaning.

mod backend;
mod dialect;
mod dump;
mod embedded;
mod encode;
mod explain;
mod guardian;
mod limits;
mod locate;
mod model;
mod names;
mod pair;
mod process;
mod reply;
mod session;
mod settings;
mod theories;
mod version;

pub use backend::{Backend, Fault};
pub use dialect::{CVC5, DIALECTS, Dialect, Z3};
pub use dump::dump;
pub use explain::Replay;
pub use locate::{NoSolver, SOLVER_VARIABLE, locate, locate_second};
pub use pair::Pair;
pub use process::{IdleProcess, Process};
pub use reply::Instantiated;
pub use session::{Attempt, Attempted, Elsewhere, Instances, Session, Statistics, head};
pub use settings::{Limit, Settings, Variant};
pub use version::{SolverVersion, identify, is_own, version};
