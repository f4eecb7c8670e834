//! Where text goes: data to standard output, everything else to standard error.

use crate::args::{Color, Common, Format};
use crate::exit::Exit;
use echis::{FileResult, FileVerdict, Finding, MemberResult, Purpose, SecondOpinion, SolverVersion, Stopped, Verifier};
use echis_report::{Human, Piece, Run, SecondSolver, Solver, Style, explain, github, junit, lines};
use std::fmt::Display;
use std::io::{IsTerminal, Write};

/// Writes results in the format that was asked for. People see each file when it is done, as do those who read line by
/// line; other programs get one document.
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

    /// What a second solver said in the whole run: for people a line, for programs a part of the document.
    pub fn second_opinion(&mut self, opinion: Option<SecondOpinion>) {
        if let Some(opinion) = opinion.as_ref().filter(|_| self.format == Format::Human && !self.quiet) {
            print(&format!("{}\n", opinion.summary()));
        }
        for goal in opinion.iter().flat_map(|opinion| &opinion.contradictions) {
            complain(format!("one solver proved and the other refuted: {goal}"));
        }
        self.second = opinion;
    }

    /// Before the first file.
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

    /// A file among many. Those that verify are only counted, and those that were not looked at as well.
    pub fn one_of_many(&self, file: &FileResult) {
        let plain = file.verdict == FileVerdict::Verified && file.warnings.is_empty();
        if self.format != Format::Human || !(plain || echis_report::is_not_looked_at(file)) {
            self.file(file);
        }
    }

    /// What became of many files.
    pub fn summary(&self, files: &[FileResult]) {
        if self.format == Format::Human && !self.quiet {
            print(&self.human.summary(files));
        }
    }

    /// Says that a file was written.
    pub fn wrote(&self, path: &std::path::Path) {
        if !self.quiet {
            complain(format!("wrote {}", path.display()));
        }
    }

    /// An error in a member that is not done.
    pub fn error_found(&self, path: &str, sources: &echis::SourceMap, error: &Finding) {
        if self.format == Format::Jsonl {
            print(&lines::of_error(path, sources, error));
        }
    }

    /// An error in one line.
    pub fn in_short(&self, sources: &echis::SourceMap, error: &Finding) -> String {
        let diagnostic = &error.diagnostic;
        let place = diagnostic.span.map(|span| {
            let line = sources.position(span).start.line;
            format!("{}:{line}: ", sources.file(span.file).path)
        });
        let kind = if error.undecided.is_some() { "undecided" } else { "error" };
        format!("{}{kind}: {}", place.unwrap_or_default(), diagnostic.message)
    }

    /// A member that is done while others are not.
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

    /// How many errors were left out because they follow from others.
    pub fn hidden_cascades(&self, count: usize) {
        if self.format == Format::Human && !self.quiet && count > 0 {
            let errors = if count == 1 { "1 more error follows" } else { &format!("{count} more errors follow") };
            print(&format!("{errors} from these failures (`--cascade show` lists all)\n"));
        }
    }

    /// Profiles and stability, if requested.
    pub fn measures(&self, file: &FileResult) {
        if self.format == Format::Human {
            print(&echis_report::measures(file));
        }
    }

    /// Warnings and errors on standard error, where the data of the command is something else.
    pub fn findings(&self, file: &FileResult) {
        let _ = std::io::stderr().write_all(self.human.file(file).as_bytes());
    }

    /// After the last file.
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

    /// What another command than `verify` found in a file, if programs read it; those that read line by line get it now.
    pub fn piece(&self, make: impl FnOnce() -> Piece) -> Option<Piece> {
        let piece = matches!(self.format, Format::Json | Format::Jsonl).then(make)?;
        if self.format == Format::Jsonl {
            print(&lines::of_piece(&piece));
        }
        Some(piece)
    }

    /// All of it, for those who want one document.
    pub fn end_of_pieces(&self, pieces: &[Piece], exit: Exit) {
        match self.format {
            Format::Json => print(&echis_report::assembled(self.run(), pieces)),
            Format::Jsonl => print(&lines::end(pieces.len(), exit as u8)),
            _ => {}
        }
    }

    /// Whether to show progress: only to people at a terminal.
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

/// Where relative paths start.
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

/// Standard output may be closed by a reader that has seen enough; that is no failure of ours.
pub fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// A sentence for the person at the terminal.
pub fn complain(text: impl Display) {
    let _ = writeln!(std::io::stderr(), "echis: {text}");
}

/// A failure of Echis itself, with what to do about it.
pub fn defect(text: &str) {
    complain(format!("internal failure: {text}"));
    complain("this is a defect of Echis; please report this message together with the program that caused it");
}
