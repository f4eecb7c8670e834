//! The options of `echis fix`.

use super::{Common, Solving};
use clap::{Args, ValueEnum};
use echis_fix::Effort;
use std::path::PathBuf;

/// Each change that is shown was tried: the edited program was verified, the error is gone, no other error has come except in
/// callers, which are named, and nothing has become contradictory.
#[derive(Args, Debug)]
pub struct Fix {
    /// The program
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Only errors on this line
    #[arg(long, value_name = "LINE")]
    pub line: Option<u32>,
    /// Make the best change for each error in the file
    #[arg(long, conflicts_with = "diff")]
    pub apply: bool,
    /// Print the best changes as a patch
    #[arg(long)]
    pub diff: bool,
    /// How hard to look
    #[arg(long, value_enum, default_value_t = Hints::Thorough)]
    pub hints: Hints,
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub solving: Solving,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum, Debug)]
pub enum Hints {
    /// Show errors only
    Off,
    /// One change for an error, within a small limit
    Fast,
    /// Up to three changes for an error, within a large limit
    Thorough,
}

impl Hints {
    pub fn effort(self) -> Option<Effort> {
        match self {
            Hints::Off => None,
            Hints::Fast => Some(Effort::Fast),
            Hints::Thorough => Some(Effort::Thorough),
        }
    }
}
