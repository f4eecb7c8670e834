//! Exit codes.

use echis::{FileResult, FileVerdict};
use std::process::ExitCode;

/// In order of severity: a run over several files ends with the worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Exit {
    Success,
    Failed,
    Invalid,
    Defect,
}

impl Exit {
    pub fn code(self) -> ExitCode {
        ExitCode::from(self as u8)
    }

    pub fn of(files: &[FileResult]) -> Exit {
        files.iter().map(|file| Exit::from(file.verdict)).max().unwrap_or(Exit::Success)
    }
}

impl From<FileVerdict> for Exit {
    fn from(verdict: FileVerdict) -> Exit {
        match verdict {
            FileVerdict::Valid | FileVerdict::Verified => Exit::Success,
            FileVerdict::Failed | FileVerdict::Undecided => Exit::Failed,
            FileVerdict::Invalid => Exit::Invalid,
            FileVerdict::Error => Exit::Defect,
        }
    }
}
