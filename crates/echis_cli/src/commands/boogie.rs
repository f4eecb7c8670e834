//! `echis boogie`: accepts Boogie's options and prints Boogie's output, for scripts and tools that call Boogie.

mod options;

use crate::args;
use crate::exit::Exit;
use crate::output::{complain, print};
use crate::progress::Bar;
use crate::settings::prepare;
use echis::{Checked, FileResult, FileVerdict, Settings, Source, View};
use echis_report::boogie::Boogie;
use echis_report::labels;
use options::{Options, Phase, Request};
use std::path::Path;

/// Like Boogie: 0 if the program was processed, whatever the result; 1 if the program or the options are invalid.
pub fn run(args: &args::Boogie) -> Exit {
    let options = match options::parse(&args.words) {
        Ok(Request::Verify(options)) => options,
        Ok(Request::Help) => {
            print(&options::help());
            return Exit::Success;
        }
        Ok(Request::Version) => {
            print(&logo());
            return Exit::Success;
        }
        Err(message) => {
            eprintln!("{message}");
            return Exit::Failed;
        }
    };
    if options.logo {
        print(&logo());
    }
    if !options.ignored.is_empty() {
        complain(format!("these options mean nothing here and are ignored: {}", options.ignored.join(" ")));
    }
    match verified(&options) {
        Ok(exit) => exit,
        Err(message) => {
            eprintln!("*** Error: {message}");
            Exit::Failed
        }
    }
}

fn logo() -> String {
    format!("Boogie program verifier version 3 (Echis {})\n", env!("CARGO_PKG_VERSION"))
}

fn verified(options: &Options) -> crate::error::Fallible<Exit> {
    let (settings, verifier) = prepare(&options.solving, 0, None)?;
    let counterexample = options.models.then_some(View::Variables);
    let settings = Settings { counterexample, ..settings };
    let programs: Vec<(&Path, Vec<_>)> = match (&options.files[..], options.separately) {
        (files, true) => files.iter().map(|file| (&**file, Vec::new())).collect(),
        ([first, rest @ ..], false) => vec![(first, rest.to_vec())],
        ([], false) => Vec::new(),
    };
    let mut exit = Exit::Success;
    for (path, beside) in programs {
        let source = Source::file(path).beside(beside).meaning(options.meaning);
        let mut covered = String::new();
        let file = match options.phase {
            Phase::Check => Checked::new(source).result(),
            Phase::Verify if options.coverage => {
                match verifier.labels(&verifier.check(source), &settings, &Bar::new(false)) {
                    Ok((file, coverage)) => {
                        covered = labels::covered(&coverage);
                        file
                    }
                    Err(file) => *file,
                }
            }
            Phase::Verify => verifier.verify_source(source, &settings, &Bar::new(false)),
        };
        if let Some(target) = &options.print {
            write(target, &file)?;
        }
        let text = Boogie {
            error_limit: options.error_limit,
            trace: options.trace,
            models: options.models,
            counts: options.counts,
        };
        print(&text.file_with(&file, &covered));
        exit = exit.max(match file.verdict {
            // Also a program that is only partially verified.
            FileVerdict::Invalid => Exit::Failed,
            FileVerdict::Error => Exit::Defect,
            _ => Exit::Success,
        });
    }
    // A pattern that matches no procedure is not an error in Boogie.
    Ok(exit)
}

/// Writes the program as it was parsed.
fn write(target: &Path, file: &FileResult) -> crate::error::Fallible<()> {
    let text: String = file.sources.files().map(|(_, file)| format!("{}\n", file.text.trim_end())).collect();
    if target == Path::new("-") {
        print(&text);
        return Ok(());
    }
    let written = std::fs::write(target, text);
    Ok(written.map_err(|error| format!("{} cannot be written: {error}", target.display()))?)
}
