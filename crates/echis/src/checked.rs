//! From a source to a checked program, or to the errors of the first failing stage.

pub(crate) mod boogie;
pub(crate) mod fmt;
pub(crate) mod unverified;

use crate::defect::guarded;
use crate::source::Source;
use echis_base::{Diagnostic, Edit, Name, Severity, SourceFile, SourceMap, apply};
use echis_findings::{FileResult, FileVerdict, Finding, Stopped, merge};
use echis_program::program::Program;
use echis_syntax::{ReadError, ast, parse_program};
use std::fmt::Display;
use std::sync::Arc;
use std::time::{Duration, Instant};
use unverified::{broken, sort, unread};

/// A program that was read and checked, with its diagnostics.
pub struct Checked {
    source: Source,
    name: Name,
    sources: Arc<SourceMap>,
    program: Option<Language>,
    diagnostics: Vec<Diagnostic>,
    /// Constructs left out of the program because Echis does not support them.
    unsupported: Vec<Diagnostic>,
    /// A defect in Echis.
    stopped: Option<Stopped>,
    time: Duration,
}

/// A valid program in its language.
#[derive(Clone)]
pub(crate) enum Language {
    Viper(Arc<Program>),
    Boogie(Arc<echis_boogie::Program>),
}

/// The id of errors in command-line arguments, such as a missing file.
const CANNOT_READ: &str = "clioption.error";

/// For what is not there for Boogie programs.
const ONLY_VIPER: &str = "this is for Viper programs; Boogie programs can be checked, verified, explained and pruned";

impl Checked {
    /// Reads a program with its imports, and checks it.
    pub fn new(source: Source) -> Self {
        let start = Instant::now();
        let checked = guarded(|| match source.is_boogie() {
            true => boogie::check(&source),
            false => check(&source),
        });
        match checked {
            Ok(parts) => Checked::of(source, parts, start.elapsed()),
            Err(ended) => {
                let stopped = broken(source.path(), ended, start).stopped.pop();
                Checked { stopped, ..Checked::of(source, Parts::default(), start.elapsed()) }
            }
        }
    }
    fn of(source: Source, parts: Parts, time: Duration) -> Self {
        let Parts { sources, program, diagnostics, unsupported } = parts;
        let program = program.filter(|_| !has_error(&diagnostics));
        Checked { name: source.name(), source, sources, program, diagnostics, unsupported, stopped: None, time }
    }
    /// The program with another text of its main file.
    pub fn with_text(&self, text: impl Into<Arc<str>>) -> Self {
        Checked::new(self.source.clone().with_text(text))
    }
    /// The program with edits of its main file. `None` if they overlap.
    pub fn edited(&self, edits: &[Edit]) -> Option<Self> {
        let (_, file) = self.sources.files().next()?;
        Some(self.with_text(apply(edits, &file.text)?))
    }
    /// The source of the program.
    pub fn source(&self) -> &Source {
        &self.source
    }
    /// The texts of the program and its imports, the main one first.
    pub fn sources(&self) -> &Arc<SourceMap> {
        &self.sources
    }
    /// Errors and warnings about syntax, names and types.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }
    /// Whether there is a program to verify.
    pub fn is_valid(&self) -> bool {
        self.program.is_some()
    }
    /// The typed program, if it is a valid Viper program.
    pub fn viper(&self) -> Option<&Arc<Program>> {
        match &self.program {
            Some(Language::Viper(program)) => Some(program),
            _ => None,
        }
    }
    pub(crate) fn program(&self) -> Option<&Language> {
        self.program.as_ref()
    }
    pub(crate) fn boogie(&self) -> Option<&Arc<echis_boogie::Program>> {
        match &self.program {
            Some(Language::Boogie(program)) => Some(program),
            _ => None,
        }
    }
    /// The program's name in messages.
    pub(crate) fn name(&self) -> &Name {
        &self.name
    }
    /// The result without verification: the errors, or that there are none.
    pub fn result(&self) -> FileResult {
        self.result_with(&[])
    }
    /// The result for callers that support only Viper programs.
    pub(crate) fn viper_result(&self) -> FileResult {
        match self.program {
            Some(Language::Boogie(_)) => {
                Checked::of(self.source.clone(), Parts::unreadable(&ONLY_VIPER), self.time).result()
            }
            _ => self.result(),
        }
    }
    /// The result with additional diagnostics.
    pub(crate) fn result_with(&self, more: &[Diagnostic]) -> FileResult {
        if let Some(stopped) = &self.stopped {
            return FileResult { time: self.time, ..unread(self.source.path(), FileVerdict::Error, stopped.clone()) };
        }
        // Errors of the program come first.
        let unsupported = self.unsupported.iter().filter(|_| !has_error(&self.diagnostics));
        let all = self.diagnostics.iter().chain(unsupported).chain(more).cloned();
        let (errors, mut warnings): (Vec<Diagnostic>, Vec<Diagnostic>) =
            all.partition(|diagnostic| diagnostic.severity == Severity::Error);
        sort(&mut warnings);
        FileResult {
            path: self.name.clone(),
            verdict: if errors.is_empty() { FileVerdict::Valid } else { FileVerdict::Invalid },
            time: self.time,
            members: Vec::new(),
            errors: merge(errors.into_iter().map(Finding::new).collect()),
            warnings,
            stopped: Vec::new(),
            sources: self.sources.clone(),
            profile: None,
            stability: None,
            part: None,
        }
    }
}

/// The output of a language's front end.
#[derive(Default)]
pub(crate) struct Parts {
    pub sources: Arc<SourceMap>,
    pub program: Option<Language>,
    pub diagnostics: Vec<Diagnostic>,
    /// Errors about parts that were left out of the program.
    pub unsupported: Vec<Diagnostic>,
}

impl Parts {
    /// A file whose text cannot be read.
    pub fn unreadable(reason: &dyn Display) -> Self {
        let problem = Diagnostic::new(Severity::Error, CANNOT_READ, None, reason.to_string());
        Parts { diagnostics: vec![problem], ..Parts::default() }
    }
}

fn check(source: &Source) -> Parts {
    if let Some(syntax) = source.syntax() {
        return check_syntax(syntax.sources.clone(), &syntax.program, syntax.diagnostics.clone());
    }
    match parse(source) {
        Ok((sources, syntax, diagnostics)) => check_syntax(Arc::new(sources), &syntax, diagnostics),
        Err(error) => Parts::unreadable(&error),
    }
}

fn check_syntax(sources: Arc<SourceMap>, syntax: &ast::Program, mut diagnostics: Vec<Diagnostic>) -> Parts {
    let mut program = None;
    if !has_error(&diagnostics) {
        let (checked, found) = echis_program::check_program(syntax);
        diagnostics.extend(found);
        program = checked.map(|program| Language::Viper(Arc::new(program)));
    }
    Parts { sources, program, diagnostics, ..Parts::default() }
}

/// The syntax tree of a Viper program and all it imports, macros expanded.
pub(crate) fn parse(source: &Source) -> Result<(SourceMap, ast::Program, Vec<Diagnostic>), ReadError> {
    let text = source.read(source.path())?;
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new(source.name(), text));
    let (syntax, diagnostics) = parse_program(&mut sources, main, source.loader());
    Ok((sources, syntax, diagnostics))
}

pub(crate) fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}
