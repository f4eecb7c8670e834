//! Output: data to standard output, everything else to standard error.

use crate::args::{Color, Common, Format};
use crate::exit::Exit;
use echis::{FileResult, FileVerdict, Finding, MemberResult, Purpose, SecondOpinion, SolverVersion, Stopped, Verifier};
use echis_report::{Human, Piece, Run, SecondSolver, Solver, Style, explain, github, junit, lines};
use std::fmt::Display;
use std::io::{ErrorKind, IsTerminal, Write};

/// Writes results in the requested format. Users and readers of JSON lines get each file when it is finished; other
/// programs get one document.
pub struct Output {
    format: Format,
    human: Human,
    style: Style,
    quiet: bool,
    command: &'static str,
    solver: Option<SolverVersion>,
    second: Option<SecondOpinion>,
}

impl Output {
    pub fn new(common: &Common, command: &'static str) -> Self {
        let style = if is_coloured(common.color) { Style::Coloured } else { Style::Plain };
        let human = Human::new(style);
        Output { format: common.format, human, style, quiet: common.quiet, command, solver: None, second: None }
    }

    /// Adds the solver's version, in formats that report it.
    pub fn solved_by(mut self, verifier: &Verifier) -> Self {
        let told = matches!(self.format, Format::Json | Format::Jsonl | Format::Sarif);
        self.solver = told.then(|| verifier.solver());
        self
    }

    fn run(&self) -> Run<'_> {
        let solver = self.solver.as_ref();
        let solver = solver.map(|solver| Solver { name: &solver.name, version: solver.version.as_deref() });
        Run { command: self.command, solver, second: self.second.as_ref().map(second) }
    }

    /// The results of a second solver in the whole run: a line for users, a part of the document for programs.
    pub fn second_opinion(&mut self, opinion: Option<SecondOpinion>) {
        if let Some(opinion) = opinion.as_ref().filter(|_| self.format == Format::Human && !self.quiet) {
            print(&format!("{}\n", opinion.summary()));
        }
        for goal in opinion.iter().flat_map(|opinion| &opinion.contradictions) {
            complain(format!("one solver proved and the other refuted: {goal}"));
        }
        self.second = opinion;
    }

    /// Called before the first file.
    pub fn begin(&self) {
        if self.format == Format::Jsonl {
            print(&lines::run(self.run()));
        }
    }

    pub fn file(&self, file: &FileResult) {
        match self.format {
            Format::Human => {
                print(&self.human.file(file));
                if !self.quiet {
                    print(&self.human.conclusion(file));
                }
            }
            Format::Jsonl => print(&lines::of_file(file)),
            Format::Github => print(&github::file(file)),
            Format::Json | Format::Sarif | Format::Junit => {}
        }
    }

    /// Reports a file among many. Verified and unprocessed files are only counted.
    pub fn one_of_many(&self, file: &FileResult) {
        let plain = file.verdict == FileVerdict::Verified && file.warnings.is_empty();
        if self.format != Format::Human || !(plain || echis_report::is_not_looked_at(file)) {
            self.file(file);
        }
    }

    /// Summarises the results of many files.
    pub fn summary(&self, files: &[FileResult]) {
        if self.format == Format::Human && !self.quiet {
            print(&self.human.summary(files));
        }
    }

    /// Reports that a file was written.
    pub fn wrote(&self, path: &std::path::Path) {
        if !self.quiet {
            complain(format!("wrote {}", path.display()));
        }
    }

    /// Reports an error in a member that is not finished.
    pub fn error_found(&self, path: &str, sources: &echis::SourceMap, error: &Finding) {
        if self.format == Format::Jsonl {
            print(&lines::of_error(path, sources, error));
        }
    }

    /// A one-line version of an error.
    pub fn in_short(&self, sources: &echis::SourceMap, error: &Finding) -> String {
        let diagnostic = &error.diagnostic;
        let place = diagnostic.span.map(|span| {
            let line = sources.position(span).start.line;
            format!("{}:{line}: ", sources.file(span.file).path)
        });
        let kind = if error.undecided.is_some() { "undecided" } else { "error" };
        format!("{}{kind}: {}", place.unwrap_or_default(), diagnostic.message)
    }

    /// Reports a finished member.
    pub fn member(
        &self,
        path: &str,
        sources: &echis::SourceMap,
        done: &MemberResult,
        errors: &[Finding],
        stopped: Option<&Stopped>,
    ) {
        if self.format == Format::Jsonl {
            print(&lines::of_member(path, sources, done, errors, stopped.map_or(&[], std::slice::from_ref)));
        }
    }

    pub fn style(&self) -> Style {
        self.style
    }

    pub fn is_for_people(&self) -> bool {
        self.format == Format::Human
    }

    /// Reports how many errors were omitted because they follow from others.
    pub fn hidden_cascades(&self, count: usize) {
        if self.format == Format::Human && !self.quiet {
            print(&hidden_text(count));
        }
    }

    /// Profiles and stability, if requested.
    pub fn measures(&self, file: &FileResult) {
        if self.format == Format::Human {
            print(&echis_report::measures(file));
        }
    }

    /// Warnings and errors on standard error, for commands with other data; without errors that follow from others.
    pub fn findings(&self, file: &FileResult) {
        let mut file = file.clone();
        let hidden = hide_cascades(&mut file);
        let text = self.human.file(&file) + &hidden_text(hidden);
        let _ = std::io::stderr().write_all(text.as_bytes());
    }

    /// Called after the last file.
    pub fn end(&self, files: &[FileResult], exit: Exit) {
        match self.format {
            Format::Human if !self.quiet => print(&explain::hint(files).unwrap_or_default()),
            Format::Human | Format::Github => {}
            Format::Json => print(&echis_report::json(self.run(), files)),
            Format::Jsonl => print(&lines::end(files.len(), exit as u8)),
            Format::Sarif => print(&echis_report::sarif(self.run(), folder().as_deref(), files)),
            Format::Junit => print(&junit::document(files)),
        }
    }

    /// The result of a command other than `verify` for a file, if the output is for programs; JSON lines are written
    /// immediately.
    pub fn piece(&self, make: impl FnOnce() -> Piece) -> Option<Piece> {
        let piece = matches!(self.format, Format::Json | Format::Jsonl).then(make)?;
        if self.format == Format::Jsonl {
            print(&lines::of_piece(&piece));
        }
        Some(piece)
    }

    /// Writes all pieces, if the output is one document.
    pub fn end_of_pieces(&self, pieces: &[Piece], exit: Exit) {
        match self.format {
            Format::Json => print(&echis_report::assembled(self.run(), pieces)),
            Format::Jsonl => print(&lines::end(pieces.len(), exit as u8)),
            _ => {}
        }
    }

    /// Whether to show progress: only on a terminal.
    pub fn shows_progress(&self) -> bool {
        self.format == Format::Human && !self.quiet && std::io::stderr().is_terminal()
    }
}

fn second(opinion: &SecondOpinion) -> SecondSolver<'_> {
    let SecondOpinion { purpose, solver, asked, proved, refuted, .. } = opinion;
    let purpose = match purpose {
        Purpose::Portfolio => "portfolio",
        Purpose::CrossCheck => "cross-check",
    };
    let solver = Solver { name: &solver.name, version: solver.version.as_deref() };
    SecondSolver { solver, purpose, asked: *asked, proved: *proved, refuted: *refuted }
}

/// The base of relative paths.
fn folder() -> Option<String> {
    std::env::current_dir().ok().map(|folder| folder.to_string_lossy().into_owned())
}

pub fn is_coloured(color: Color) -> bool {
    match color {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => {
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
            !refused && !dumb && std::io::stdout().is_terminal()
        }
    }
}

/// Standard output may be closed by a reader that has seen enough, which is not an error. If it cannot be written for
/// another reason, such as a full disk, results would be lost silently, and the run ends.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            complain(format!("standard output cannot be written: {error}"));
            std::process::exit(i32::from(Exit::Invalid as u8))
        }
        _ => {}
    }
}

/// Prints a message on standard error.
pub fn complain(text: impl Display) {
    let _ = writeln!(std::io::stderr(), "echis: {text}");
}

/// Reports an internal failure, with advice.
pub fn defect(text: &str) {
    complain(format!("internal failure: {text}"));
    complain("this is a defect of Echis; please report this message together with the program that caused it");
}

/// How many errors were omitted; nothing if none were.
fn hidden_text(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => "1 more error follows from these failures (`verify --cascade show` lists all)\n".into(),
        _ => format!("{count} more errors follow from these failures (`verify --cascade show` lists all)\n"),
    }
}

/// Hides consequential errors. The verdict is unchanged: a file whose only errors are hidden has still failed.
pub fn hide_cascades(file: &mut FileResult) -> usize {
    let before = file.errors.len();
    file.errors.retain(|finding| !finding.cascade);
    before - file.errors.len()
}
