//! The pipeline from files to findings, and the scheduling of members over workers.

mod cancel;
mod check;
mod defect;
mod dump;
mod front;
mod pattern;
mod read;
mod schedule;

pub use cancel::Cancel;
pub use check::check;
pub use defect::{Ended, give_up, guarded, silence_panics};
pub use dump::{Stage, dump};
pub use echis_analysis::{FileResult, FileVerdict, Finding, MemberKind, MemberResult, Stopped};
pub use front::{Front, check_file, parse_file};
pub use pattern::Pattern;
pub use read::read;
pub use schedule::{STACK, run};
