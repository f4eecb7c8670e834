//! `echis explore`: queries on a dependency graph, one per line. Works on a terminal, with line editing, history and
//! completion, and in a pipe, answering one line after the other.

mod editor;
mod session;
mod words;

use crate::args;
use crate::commands::deps::{agrees, disagrees, explained, load};
use crate::exit::Exit;
use crate::output::{Output, complain, print};
use crate::settings::{prepare, selected};
use echis::Source;
use echis::depend::{Definition, DependencyOptions, Minimization};
use editor::{Lines, Read};
use session::{Program, Session, Step};

pub fn run(args: &args::Explore) -> Exit {
    let mut session = match open(args) {
        Ok(session) => session,
        Err(exit) => return exit,
    };
    let mut lines = Lines::new();
    if lines.is_interactive() && !args.common.quiet {
        print(&session.greeting());
    }
    loop {
        let line = match lines.read(&session) {
            Read::Line(line) => line,
            Read::Again => continue,
            Read::End => return Exit::Success,
        };
        match session.step(&line) {
            Ok(Step::Say(text)) => print(&text),
            Ok(Step::Quit) => return Exit::Success,
            Err(message) => complain(&message),
        }
    }
}

fn open(args: &args::Explore) -> Result<Session, Exit> {
    let failed = |message: Box<dyn std::error::Error>| {
        complain(&message);
        Exit::Invalid
    };
    if let Some(path) = &args.load {
        let (program, view, graph) = load(path).map_err(failed)?;
        if !agrees(args.definition, &graph) {
            return Err(failed(disagrees(path, &graph).into()));
        }
        return Ok(Session::new(program, view, graph, None));
    }
    let Some(file) = &args.file else { return Err(failed("there is no file to explore".into())) };
    let (settings, verifier) = prepare(&args.solving, 0, None).map_err(failed)?;
    let definition = args.definition.map(Definition::from).unwrap_or_default();
    let output = Output::new(&args.common, "explore");
    let options = DependencyOptions { definition, ..Minimization::from(args.minimize).into() };
    let found = explained(Source::file(file), &args.common, &output, options, &settings, &verifier);
    let (verification, found) = found.map_err(|file| Exit::from(file.verdict).max(selected(&settings)))?;
    let (view, graph) = (found.view().clone(), found.graph().clone());
    let program = Program { verification, found };
    Ok(Session::new(file.to_string_lossy().into_owned(), view, graph, Some(program)))
}
