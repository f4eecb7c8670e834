//! Every stage of the pipeline as text.

use crate::check::{broken, front_result};
use crate::defect::{Ended, guarded};
use crate::front::{Front, check_file, parse_file};
use crate::solvers::Solvers;
use crate::verify::{Settings, Silent, Verified, verify_program};
use echis_analysis::FileResult;
use echis_base::{Severity, SourceMap};
use echis_exec::Outcome;
use echis_program::program::Program;
use echis_proof::{Bound, CheckId, ProofTree, Role};
use std::fmt::Write;
use std::path::Path;
use std::time::Instant;

/// The syntax tree, macros expanded and imports followed.
pub fn dump_ast(path: &Path) -> Result<String, Box<FileResult>> {
    let start = Instant::now();
    let parsed = guarded(|| parse_file(path)).map_err(|ended| Box::new(broken(path, ended, start)))?;
    match parsed {
        Ok((_, tree, diagnostics)) if diagnostics.iter().all(|found| found.severity != Severity::Error) => {
            Ok(echis_syntax::dump_program(&tree))
        }
        _ => Err(Box::new(front_result(check_file(path), start))),
    }
}

/// The typed program.
pub fn dump_program(path: &Path) -> Result<String, Box<FileResult>> {
    let (_, program) = checked(path)?;
    Ok(echis_program::print::print(&program).to_string())
}

/// What stands before each member's tree in [`dump_tree`].
pub const MEMBER_MARK: &str = "; member ";

/// The proof tree of each member, as text that reads back, in the order functions, predicates, methods.
pub fn dump_tree(path: &Path, settings: &Settings, solvers: &Solvers) -> Result<String, Box<FileResult>> {
    dump_members(path, settings, solvers, |text, name, outcome| {
        let _ = write!(text, "{MEMBER_MARK}{name}\n{}", outcome.tree.to_text());
    })
}

/// All checks that members make, as a script in which every check stands alone. A solver answers `unsat` for those
/// that it proves.
pub fn dump_smt(path: &Path, settings: &Settings, solvers: &Solvers) -> Result<String, Box<FileResult>> {
    dump_members(path, settings, solvers, |text, place, outcome| {
        let tree = &outcome.tree;
        for (id, check) in tree.checks.iter() {
            let _ = writeln!(text, "; {place}, check {id}: {}", describe(tree, id));
            let effort = solvers.effort(match check.role {
                Role::Obligation(_) => Bound::Full,
                Role::Probe(_) => Bound::Quick,
            });
            *text += &echis_smt::dump(tree, check.at, check.goal, effort);
            *text += "(reset)\n";
        }
    })
}

fn describe(tree: &ProofTree, check: CheckId) -> String {
    let role = match &tree.checks[check].role {
        Role::Obligation(property) => format!("{}:{}", property.error.id(), property.reason.id()),
        Role::Probe(question) => format!("probe {question:?}"),
    };
    match tree.verdicts.get(check) {
        Some(verdict) => format!("{role}, {verdict:?}"),
        None => format!("{role}, not asked"),
    }
}

fn dump_members(
    path: &Path,
    settings: &Settings,
    solvers: &Solvers,
    write: impl Fn(&mut String, &str, &Outcome) + Sync,
) -> Result<String, Box<FileResult>> {
    let (_, program) = checked(path)?;
    let texts = verify_program(&program, settings, solvers, &Silent, |name, outcome| {
        let mut text = String::new();
        write(&mut text, name, &outcome);
        text
    });
    Ok(texts.into_iter().map(member_text).collect())
}

fn member_text(member: Verified<String>) -> String {
    member.result.unwrap_or_else(|ended| match ended {
        Ended::GaveUp => format!("; {} was not finished\n", member.name),
        Ended::Defect(text) => format!("; {}: {text}\n", member.name),
    })
}

fn checked(path: &Path) -> Result<(SourceMap, Program), Box<FileResult>> {
    let start = Instant::now();
    let front = guarded(|| check_file(path)).map_err(|ended| Box::new(broken(path, ended, start)))?;
    match front {
        Front { sources, program: Some(program), .. } => Ok((sources, program)),
        front => Err(Box::new(front_result(front, start))),
    }
}
