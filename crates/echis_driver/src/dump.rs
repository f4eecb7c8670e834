//! Every stage of the pipeline as text.

use crate::check::front_result;
use crate::front::{check_file, parse_file};
use echis_analysis::{FileResult, FileVerdict};
use std::path::Path;
use std::time::Instant;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// The syntax tree, macros expanded and imports followed.
    Ast,
    /// The typed program.
    Program,
}

/// The stage as text, or the errors that are in the way.
pub fn dump(path: &Path, stage: Stage) -> Result<String, Box<FileResult>> {
    let start = Instant::now();
    let front = check_file(path);
    match stage {
        Stage::Ast => {
            let tree = parse_file(path).map(|(_, tree, _)| format!("{:#?}\n", tree.members));
            let result = front_result(front, start);
            tree.map_err(|_| Box::new(result))
        }
        Stage::Program => match &front.program {
            Some(program) => Ok(echis_program::print::print(program).to_string()),
            None => Err(Box::new(FileResult { verdict: FileVerdict::Invalid, ..front_result(front, start) })),
        },
    }
}
