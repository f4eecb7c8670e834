//! Where text goes: data to standard output, everything else to standard error.

use crate::args::{Color, Common, Format};
use echis_driver::FileResult;
use echis_report::{Human, Style};
use std::io::{IsTerminal, Write};

/// Writes results in the format that was asked for. People see each file when it is done, programs get one document.
pub struct Output {
    format: Format,
    human: Human,
    style: Style,
    quiet: bool,
}

impl Output {
    pub fn new(common: &Common) -> Self {
        let style = if is_coloured(common.color) { Style::Coloured } else { Style::Plain };
        Output { format: common.format, human: Human::new(style), style, quiet: common.quiet }
    }

    pub fn file(&self, file: &FileResult) {
        if self.format == Format::Human {
            print(&self.human.file(file));
            if !self.quiet {
                print(&self.human.conclusion(file));
            }
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
            let errors = if count == 1 { "1 more error rests" } else { &format!("{count} more errors rest") };
            print(&format!("{errors} on what these failures left unknown (`--cascade show` lists all)\n"));
        }
    }

    /// Warnings and errors on standard error, where the data of the command is something else.
    pub fn findings(&self, file: &FileResult) {
        let _ = std::io::stderr().write_all(self.human.file(file).as_bytes());
    }

    pub fn end(&self, files: &[FileResult]) {
        match self.format {
            Format::Human => {}
            Format::Json => print(&echis_report::json(files)),
            Format::Sarif => print(&echis_report::sarif(files)),
        }
    }

    /// Whether somebody watches who wants to see progress.
    pub fn shows_progress(&self) -> bool {
        self.format == Format::Human && !self.quiet && std::io::stderr().is_terminal()
    }
}

fn is_coloured(color: Color) -> bool {
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
pub fn complain(text: &str) {
    let _ = writeln!(std::io::stderr(), "echis: {text}");
}

/// A failure of Echis itself, with what to do about it.
pub fn defect(text: &str) {
    complain(&format!("internal failure: {text}"));
    complain("this is a defect of Echis; please report this message together with the program that caused it");
}
