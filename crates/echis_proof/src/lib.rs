//! A proof is data: the tree of facts and checks that symbolic execution writes and all later stages read.

mod check;
mod failure;
mod growth;
mod model;
mod origin;
mod premise;
mod prover;
mod scalar;
mod text;
mod tree;
mod validate;
mod verifier;
mod view;

pub use check::{Bound, Check, ErrorKind, GaveUp, Property, Question, Reason, Role, Verdict};
pub use failure::{Failure, Guard};
pub use growth::{Copied, Ending, Growth};
pub use model::{Array, Completion, Head, Model, Modeler, Needed, NoModel, Raw, Table, Wanted};
pub use origin::{Origin, OriginId, Part};
pub use premise::{CheckId, NodeId, Premise};
pub use prover::{Core, Explainer, ProofCore, Prover, Replayed, Replies};
pub use scalar::scalar;
pub use text::TreeError;
pub use tree::{Because, Labelled, Move, Moved, Node, ProofTree, Rule, Step};
pub use validate::InvalidTree;
pub use verifier::{Injectivity, Member, MemberId, MemberKind, Options, Outcome, Verifier};
pub use view::{ChunkView, Extent, HeapState, HeapView, ResourceView, StateView, Target, Written};
