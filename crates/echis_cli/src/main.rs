//! The Echis command line.
//!
//! Exit codes: 0 verified; 1 some obligation failed or was not decided; 2 the program is not valid, a file is missing
//! or the command line is wrong; 3 Echis or its solver failed. Nothing else, and never a panic message.

mod args;
mod commands;
mod config;
mod depfile;
mod error;
mod exit;
mod output;
mod paths;
mod progress;
mod settings;
mod source_values;

use args::{Cli, Command, DepsCommand};
use echis::{Ended, STACK, guarded, silence_panics};
use exit::Exit;
use std::process::ExitCode;

fn main() -> ExitCode {
    silence_panics();
    // Generated programs are deeply nested; the default stack suffices only for hand-written ones.
    let main = std::thread::Builder::new().name("main".into()).stack_size(STACK).spawn(|| guarded(run));
    let ended = match main.map(|thread| thread.join()) {
        Ok(Ok(Ok(exit))) => return exit.code(),
        Ok(Ok(Err(Ended::Defect(text)))) => text,
        Ok(Ok(Err(Ended::GaveUp(_)))) => "abandoned work was reported as finished".to_string(),
        Ok(Err(_)) => "the main thread was lost".to_string(),
        Err(error) => format!("the main thread cannot be started: {error}"),
    };
    output::defect(&ended);
    Exit::Defect.code()
}

fn run() -> Exit {
    // Viper-IDE runs this before starting what it expects to be Java.
    if std::env::args_os().skip(1).eq(["-version"]) {
        output::print(&format!("echis {}\n", env!("CARGO_PKG_VERSION")));
        return Exit::Success;
    }
    let words = match config::complete(std::env::args_os().collect()) {
        Ok(words) => words,
        Err(message) => {
            output::complain(message);
            return Exit::Invalid;
        }
    };
    let cli = match Cli::read(words) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return if error.use_stderr() { Exit::Invalid } else { Exit::Success };
        }
    };
    match cli.command {
        Command::Check(args) => commands::check::run(&args),
        Command::Fmt(args) => commands::fmt::run(&args),
        Command::Dump(args) => commands::dump::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Deps(args) => match &args.command {
            None => commands::deps::run(&args),
            Some(DepsCommand::Prune(args)) => commands::prune::run(args),
            Some(DepsCommand::Explore(args)) => commands::explore::run(args),
        },
        Command::Cover(args) => commands::cover::run(&args),
        Command::Report(args) => commands::report::run(&args),
        Command::Web(args) => commands::web::run(&args),
        Command::Prune(args) => commands::prune::run(&args),
        Command::Explore(args) => commands::explore::run(&args),
        Command::Cache(args) => commands::cache::run(&args),
        Command::Boogie(args) => commands::boogie::run(&args),
        Command::Merge(args) => commands::merge::run(&args),
        Command::Watch(args) => commands::watch::run(&args),
        Command::Lsp(args) => commands::lsp::run(&args),
        Command::Serve(args) => commands::serve::run(&args),
        Command::Fix(args) => commands::fix::run(&args),
        Command::Explain(args) => commands::explain::run(&args),
        Command::Generate(args) => commands::generate::run(&args),
    }
}
