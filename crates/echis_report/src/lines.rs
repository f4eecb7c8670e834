//! JSON lines, written during the run: first the run, then errors, members and files as they finish, then the summary.

use crate::json::{Error, File, Head, Member, Piece, Run, compact, error, file, member};
use crate::stopped::{Stop, stop};
use echis_base::SourceMap;
use echis_findings::{FileResult, Finding, MemberResult, Stopped};
use serde::Serialize;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Line<'a> {
    Run(Head<'a>),
    Member {
        path: &'a str,
        #[serde(flatten)]
        member: Member<'a>,
        errors: Vec<Error<'a>>,
        stopped: Vec<Stop<'a>>,
    },
    Error {
        path: &'a str,
        #[serde(flatten)]
        error: Box<Error<'a>>,
    },
    File(Box<File<'a>>),
    End {
        files: usize,
        exit_code: u8,
    },
}

fn line(line: &Line<'_>) -> String {
    compact(line) + "\n"
}

pub fn run(run: Run<'_>) -> String {
    line(&Line::Run(Head::new(run)))
}

/// An error in an unfinished member.
pub fn of_error(path: &str, sources: &SourceMap, found: &Finding) -> String {
    line(&Line::Error { path, error: Box::new(error(sources, found)) })
}

/// A finished member, whether or not the others are.
pub fn of_member(
    path: &str,
    sources: &SourceMap,
    done: &MemberResult,
    errors: &[Finding],
    stopped: &[Stopped],
) -> String {
    let errors = errors.iter().map(|finding| error(sources, finding)).collect();
    let stopped = stopped.iter().map(|stopped| stop(sources, stopped)).collect();
    line(&Line::Member { path, member: member(done), errors, stopped })
}

/// Everything about a file, including its members.
pub fn of_file(result: &FileResult) -> String {
    line(&Line::File(Box::new(file(result))))
}

/// A line for the result of another command.
pub fn of_piece(piece: &Piece) -> String {
    format!("{{\"type\":\"file\",{}\n", &piece.entry[1..])
}

pub fn end(files: usize, exit_code: u8) -> String {
    line(&Line::End { files, exit_code })
}
