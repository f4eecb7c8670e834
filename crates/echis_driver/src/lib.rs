//! The pipeline from files to findings, and the scheduling of members over workers.

mod cancel;
mod check;
mod cover;
mod defect;
mod deps;
mod dump;
mod explainers;
mod file;
mod fmt;
mod front;
mod order;
mod pattern;
mod prune;
mod read;
mod schedule;
mod solvers;
mod verify;

pub use cancel::Cancel;
pub use check::{check, not_looked_at};
pub use cover::{Confirmation, Covered, cover, fix};
pub use defect::{Ended, Over, guarded, silence_panics};
pub use deps::{Dependencies, Work, dependencies};
pub use dump::{MEMBER_MARK, dump_ast, dump_program, dump_smt, dump_tree};
pub use echis_analysis::counterexample::View;
pub use echis_analysis::cover as coverage;
pub use echis_analysis::depend;
pub use echis_analysis::{FileResult, FileVerdict, Finding, MemberKind, MemberResult, Stopped};
pub use file::verify;
pub use fmt::{Formatted, format_file};
pub use front::{Front, check_file, parse_file};
pub use pattern::Pattern;
pub use prune::{Pruned, Repair, explicit_assertions, prune, pruned_name, relocated};
pub use read::read;
pub use schedule::{STACK, run};
pub use solvers::{Solvers, locate_solver};
pub use verify::{Progress, Settings, Silent, Verified, verify_program};
