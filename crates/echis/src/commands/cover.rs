//! `echis cover`

use crate::args::{self, Format};
use crate::commands::verify::prepare;
use crate::exit::Exit;
use crate::output::{Output, complain, print};
use crate::progress::Bar;
use echis_driver::coverage::WARNINGS;
use echis_driver::coverage::{Warning, apply};
use echis_driver::depend::Account;
use echis_driver::{Confirmation, Covered, FileVerdict, Settings, Solvers};
use echis_report::cover;
use std::path::Path;

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
    let mut written = Exit::Success;
    if args.fix {
        written = fix(args, &settings, &solvers);
    }
    let bar = Bar::new(output.shows_progress());
    let confirmation = if args.no_confirm { Confirmation::Skip } else { Confirmation::Run };
    // A page shows what each node needs.
    let account = if args.html.is_some() { Account::Each } else { Account::Together };
    let mut covered = match echis_driver::cover(&args.file, &settings, &solvers, &bar, confirmation, account) {
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
    let mut exit = Exit::from(covered.found.result.verdict).max(gate(args, &covered)).max(written);
    if let Some(path) = &args.html {
        let edges: Vec<_> = covered.found.graph.edges().map(|(of, on, _)| (of, on)).collect();
        let html = echis_report::html::page(&covered.found.result, &covered.found.view, &covered.coverage, &edges);
        exit = exit.max(write(path, &html));
    }
    if let Some(folder) = &args.evidence {
        exit = exit.max(evidence(folder, &covered));
    }
    exit
}

/// A fix may lay bare what else is not needed: two conjuncts of one clause, or what only the first one needed.
const ROUNDS: usize = 5;

/// Applies fixes until there are none.
fn fix(args: &args::Cover, settings: &Settings, solvers: &Solvers) -> Exit {
    let mut total = 0;
    for _ in 0..ROUNDS {
        let bar = Bar::new(false);
        let covered = echis_driver::cover(&args.file, settings, solvers, &bar, Confirmation::Run, Account::Together);
        let Some(covered) = covered.ok().filter(|covered| covered.found.result.verdict == FileVerdict::Verified) else {
            break;
        };
        let (text, applied) = echis_driver::fix(&args.file, &covered, settings, solvers);
        if applied == 0 {
            break;
        }
        total += applied;
        let exit = write(&args.file, &text);
        if exit != Exit::Success {
            return exit;
        }
    }
    complain(&format!("{total} fixes applied"));
    Exit::Success
}

/// Writes the edited programs that confirm warnings.
fn evidence(folder: &Path, covered: &Covered) -> Exit {
    if let Err(error) = std::fs::create_dir_all(folder) {
        complain(&format!("{} cannot be made: {error}", folder.display()));
        return Exit::Invalid;
    }
    let mut exit = Exit::Success;
    let sources = &covered.found.result.sources;
    let Some((_, main)) = sources.files().next() else { return exit };
    for (number, warning) in (1..).zip(&covered.coverage.warnings) {
        let Warning { diagnostic, evidence, .. } = warning;
        let line = diagnostic.span.map_or(0, |span| sources.position(span).start.line);
        let name = format!("{number:02}-{}-{line}.vpr", diagnostic.id);
        if let Some(text) = apply(evidence, &main.text) {
            exit = exit.max(write(&folder.join(name), &with_imports(&text, Path::new(&*main.path))));
        }
    }
    exit
}

/// The text for another folder: files that it imports are named from the root.
fn with_imports(text: &str, path: &Path) -> String {
    let folder = path.parent().and_then(|folder| std::fs::canonicalize(folder.join(".")).ok());
    let Some(folder) = folder else { return text.to_string() };
    let import = |line: &str| match line.strip_prefix("import \"") {
        Some(name) if !name.starts_with('/') => format!("import \"{}/{name}", folder.display()),
        _ => line.to_string(),
    };
    text.split('\n').map(import).collect::<Vec<_>>().join("\n")
}

fn show(args: &args::Cover, output: &Output, covered: &Covered) {
    let Covered { found, coverage, confirm_time } = covered;
    match args.common.format {
        Format::Human => {
            output.file(&found.result);
            if !args.common.quiet && found.result.verdict == FileVerdict::Verified {
                print(&cover::listing(&found.result, &found.view, coverage, output.style()));
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

fn write(path: &Path, text: &str) -> Exit {
    match std::fs::write(path, text) {
        Ok(()) => Exit::Success,
        Err(error) => {
            complain(&format!("{} cannot be written: {error}", path.display()));
            Exit::Invalid
        }
    }
}
