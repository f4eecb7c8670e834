//! From a file to a checked program, or to the errors of the first stage that has some.

pub(crate) mod fmt;
pub(crate) mod result;

use crate::source::files::{STANDARD_INPUT, STANDARD_INPUT_NAME, is_boogie};
use echis_base::{Diagnostic, Name, Severity, SourceFile, SourceMap};
use echis_program::program::Program;
use echis_syntax::{Loader, ReadError, ast, decode, parse_program};
use std::fmt::Display;
use std::path::Path;

/// What is known about a program before it is verified.
pub struct Front {
    pub path: Name,
    pub sources: SourceMap,
    /// There is one only if nothing among the diagnostics is an error.
    pub program: Option<Program>,
    pub diagnostics: Vec<Diagnostic>,
}

/// The id of errors about the command line's own words, such as a file that does not exist.
const CANNOT_READ: &str = "clioption.error";

/// Checks a file and all it imports.
pub fn check_file(path: &Path, loader: &dyn Loader) -> Front {
    if is_boogie(path) {
        return cannot_read(path, &"Boogie programs can be checked, verified and covered; this is for Viper programs");
    }
    match parse_file(path, loader) {
        Ok((sources, syntax, diagnostics)) => check_syntax(path, sources, syntax, diagnostics),
        Err(error) => cannot_read(path, &error),
    }
}

/// A file that is no program because there is no text.
pub(crate) fn cannot_read(path: &Path, reason: &dyn Display) -> Front {
    let problem = Diagnostic::new(Severity::Error, CANNOT_READ, None, reason.to_string());
    Front { path: name(path), sources: SourceMap::default(), program: None, diagnostics: vec![problem] }
}

/// The syntax tree of a file and all it imports, macros expanded.
pub fn parse_file(path: &Path, loader: &dyn Loader) -> Result<(SourceMap, ast::Program, Vec<Diagnostic>), ReadError> {
    Ok(parse_text(path, decode(&loader.open(path)?), loader))
}

/// Checks a text as if it were the file's.
pub(crate) fn check_text(path: &Path, text: String, loader: &dyn Loader) -> Front {
    let (sources, syntax, diagnostics) = parse_text(path, text, loader);
    check_syntax(path, sources, syntax, diagnostics)
}

fn parse_text(path: &Path, text: String, loader: &dyn Loader) -> (SourceMap, ast::Program, Vec<Diagnostic>) {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new(name(path), text));
    let (syntax, diagnostics) = parse_program(&mut sources, main, loader);
    (sources, syntax, diagnostics)
}

fn check_syntax(path: &Path, sources: SourceMap, syntax: ast::Program, mut diagnostics: Vec<Diagnostic>) -> Front {
    let mut program = None;
    if !has_error(&diagnostics) {
        let (checked, found) = echis_program::check_program(&syntax);
        diagnostics.extend(found);
        program = checked.filter(|_| !has_error(&diagnostics));
    }
    Front { path: name(path), sources, program, diagnostics }
}

fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

pub(crate) fn name(path: &Path) -> Name {
    if path == Path::new(STANDARD_INPUT) { STANDARD_INPUT_NAME.into() } else { path.to_string_lossy().into() }
}
