//! `echis cover`

use crate::args::{self, Format};
use crate::commands::verify::prepare;
use crate::exit::Exit;
use crate::output::{Output, complain, print};
use crate::progress::Bar;
use echis_driver::{Covered, FileVerdict};
use echis_report::cover;

pub fn run(args: &args::Cover) -> Exit {
    let (settings, solvers) = match prepare(&args.solving, 0) {
        Ok(prepared) => prepared,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    if let Some(unknown) = args.deny.iter().find(|id| !WARNINGS.contains(&id.as_str())) {
        complain(&format!("there is no warning `{unknown}`; there are {}", WARNINGS.join(", ")));
        return Exit::Invalid;
    }
    let output = Output::new(&args.common);
    let bar = Bar::new(output.shows_progress());
    let mut covered = match echis_driver::cover(&args.file, &settings, &solvers, &bar) {
        Ok(covered) => covered,
        Err(file) => {
            output.file(&file);
            output.end(std::slice::from_ref(&file));
            return Exit::from(file.verdict);
        }
    };
    let warnings = covered.coverage.warnings.iter().map(|warning| warning.diagnostic.clone());
    covered.found.result.warnings.extend(warnings);
    show(args, &output, &covered);
    let mut exit = Exit::from(covered.found.result.verdict).max(gate(args, &covered));
    if let Some(path) = &args.html {
        let html = echis_report::html::page(&covered.found.result, &covered.found.view, &covered.coverage);
        exit = exit.max(write(path, &html));
    }
    if args.fix && covered.found.result.verdict == FileVerdict::Verified {
        let (text, applied) = echis_driver::fix(&args.file, &covered, &settings, &solvers);
        if applied > 0 {
            exit = exit.max(write(&args.file, &text));
        }
        complain(&format!("{applied} fixes applied"));
    }
    exit
}

const WARNINGS: [&str; 6] = [
    "proved.vacuously",
    "branch.unreachable",
    "assumption.unused",
    "assertion.redundant",
    "code.unconstrained",
    "silencer.unused",
];

fn show(args: &args::Cover, output: &Output, covered: &Covered) {
    let Covered { found, coverage, confirm_time } = covered;
    match args.common.format {
        Format::Human => {
            output.file(&found.result);
            if !args.common.quiet {
                print(&cover::human(&found.view, coverage));
            }
        }
        Format::Sarif => output.end(std::slice::from_ref(&found.result)),
        Format::Json => {
            let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
            let verify = ms(found.verify_time);
            let times = cover::Times { verify, analyse: ms(found.analyse_time), confirm: ms(*confirm_time) };
            let (result, path) = (&found.result, args.file.to_string_lossy());
            print(&cover::json(&path, result.verdict.name(), &result.sources, &found.view, coverage, times));
        }
    }
}

/// Whether the options that guard a build are content.
fn gate(args: &args::Cover, covered: &Covered) -> Exit {
    let percent = covered.coverage.percent();
    let low = args.min_coverage.filter(|wanted| percent < *wanted);
    if let Some(wanted) = low {
        complain(&format!("coverage is {percent:.1} %, and {wanted} % were asked for"));
    }
    let ids = covered.coverage.warnings.iter().map(|warning| &warning.diagnostic.id);
    let denied = ids.filter(|id| args.deny.contains(id)).count();
    if denied > 0 {
        complain(&format!("{denied} warnings are denied"));
    }
    if low.is_some() || denied > 0 { Exit::Failed } else { Exit::Success }
}

fn write(path: &std::path::Path, text: &str) -> Exit {
    match std::fs::write(path, text) {
        Ok(()) => Exit::Success,
        Err(error) => {
            complain(&format!("{} cannot be written: {error}", path.display()));
            Exit::Invalid
        }
    }
}
