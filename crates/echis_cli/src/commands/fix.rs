//! `echis fix`: shows errors with fixes, or applies the fixes.

use crate::args;
use crate::exit::Exit;
use crate::output::{Output, complain, hide_cascades, print};
use crate::paths::{is_standard_input, shown};
use crate::settings::prepare;
use echis::coverage::{Edit, apply};
use echis::{FileResult, Finding, Settings, Silent, Source, Verifier};
use echis_fix::{Effort, hints};

/// Maximum number of rounds, since a fix may reveal the next error.
const ROUNDS: usize = 10;

pub fn run(args: &args::Fix) -> Exit {
    let output = Output::new(&args.common, "fix");
    let (settings, verifier) = match prepare(&args.solving, 0, None) {
        Ok(prepared) => prepared,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    if echis::is_boogie(&args.file) {
        complain(format!("fix is for Viper programs, and {} is a Boogie program", shown(&args.file)));
        return Exit::Invalid;
    }
    if is_standard_input(&args.file) && args.apply {
        complain("--apply changes files: it does not go with standard input");
        return Exit::Invalid;
    }
    let mut fixing = Fixing { settings, verifier, args, changes: 0 };
    let mut file = fixing.look(Source::file(&args.file), args.line);
    if args.apply || args.diff {
        let old = text(&file);
        file = fixing.change(file);
        let new = text(&file);
        if args.diff {
            print(&echis_report::unified(&shown(&args.file), &old, &new));
        } else if new != old
            && let Err(error) = std::fs::write(&args.file, &new)
        {
            complain(format!("{} cannot be written: {error}", args.file.display()));
            return Exit::Invalid;
        }
        let would = if args.diff { "would be " } else { "" };
        complain(format!("{}: {} {would}made, {} left", shown(&args.file), changes(fixing.changes), errors(&file)));
        return Exit::of(&[file]);
    }
    let output = output.solved_by(&fixing.verifier);
    let hidden = if output.is_for_people() { hide_cascades(&mut file) } else { 0 };
    output.file(&file);
    output.hidden_cascades(hidden);
    let files = [file];
    let exit = Exit::of(&files);
    output.end(&files, exit);
    exit
}

struct Fixing<'a> {
    settings: Settings,
    verifier: Verifier,
    args: &'a args::Fix,
    changes: usize,
}

impl Fixing<'_> {
    /// The errors of a program, with fixes for those on a line, or for all.
    fn look(&self, source: Source, line: Option<u32>) -> FileResult {
        let checked = self.verifier.check(source);
        let mut file = FileResult::clone(self.verifier.verify(&checked, &self.settings, &Silent).result());
        let sources = file.sources.clone();
        let is_there = |finding: &Finding| {
            let position = finding.diagnostic.span.map(|span| sources.position(span));
            let within = |line: u32| position.is_some_and(|at| (at.start.line..=at.end.line).contains(&line));
            line.is_none_or(within)
        };
        let effort = self.args.hints.effort().unwrap_or(Effort::Fast);
        hints(&self.verifier, &checked, &self.settings, &mut file, effort, is_there);
        file
    }
    /// Applies the best fix for the first error that has one, and verifies again.
    fn change(&mut self, mut file: FileResult) -> FileResult {
        for _ in 0..ROUNDS {
            let Some(new) = changed(&file) else { break };
            self.changes += 1;
            // Lines have moved: the requested line is done.
            let line = self.args.line.map(|_| 0);
            file = self.look(Source::text(&self.args.file, new), line);
        }
        file
    }
}

fn text(file: &FileResult) -> String {
    file.sources.files().next().map(|(_, file)| file.text.to_string()).unwrap_or_default()
}

fn changed(file: &FileResult) -> Option<String> {
    let fix = file.errors.iter().find_map(|finding| finding.diagnostic.fix.as_ref())?;
    let edits: Vec<Edit> =
        fix.edits.iter().map(|(span, text)| Edit::replace(span.start as usize, span.end as usize, &**text)).collect();
    apply(&edits, &text(file))
}

fn changes(count: usize) -> String {
    if count == 1 { "1 change".to_string() } else { format!("{count} changes") }
}

fn errors(file: &FileResult) -> String {
    if file.errors.len() == 1 { "1 error".to_string() } else { format!("{} errors", file.errors.len()) }
}
