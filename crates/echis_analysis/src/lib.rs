//! Reads proof trees and says what they mean for the user.

pub mod counterexample;
pub mod cover;
pub mod depend;
pub mod diagnose;
mod finding;
pub mod labels;
pub mod measure;

pub use echis_proof::MemberKind;
pub use finding::{
    Blamed, Condition, FileResult, FileVerdict, Finding, MemberResult, Named, Part, RunIdentity, Stopped, merge,
};
