//! The pipeline from files to findings, and the scheduling of members over workers.

mod cancel;
mod check;
mod defect;
mod dump;
mod file;
mod front;
mod order;
mod pattern;
mod read;
mod schedule;
mod solvers;
mod verify;

pub use cancel::Cancel;
pub use check::check;
pub use defect::{Ended, guarded, silence_panics};
pub use dump::{Stage, dump};
pub use echis_analysis::{FileResult, FileVerdict, Finding, MemberKind, MemberResult, Stopped};
pub use file::verify;
pub use front::{Front, check_file, parse_file};
pub use pattern::Pattern;
pub use read::read;
pub use schedule::STACK;
pub use solvers::Solvers;
pub use verify::{Progress, Settings, Silent, Verified, verify_program};
