//! The results of a run as plain data, and their wording for users.

pub mod counterexample;
pub mod diagnose;
mod finding;
pub mod outline;
pub mod profile;
pub mod warning;

pub use echis_proof::MemberKind;
pub use finding::{
    Blamed, Condition, FileResult, FileVerdict, Finding, MemberResult, Named, Part, Reached, RunIdentity, Stopped,
    merge, without_repetitions,
};
pub use warning::WarningId;

/// The id of the message that a Boogie procedure requests for when it verifies: `{:msg_if_verifies "…"}`.
pub const IF_VERIFIED: &str = "procedure.verified";
