//! `echis cover`

mod boogie;
mod fix;
mod gather;

use crate::args::{self, Format};
use crate::error::Fallible;
use crate::exit::Exit;
use crate::output::{Output, complain, hide_cascades, print};
use crate::paths::{is_standard_input, shown, together};
use crate::progress::Bar;
use crate::settings::{prepare, selected, with_unselected};
use echis::coverage::{Coverage, Edit, Warning, WarningId, apply};
use echis::depend::{Queries, View};
use echis::{
    Confirmation, Covered, Diagnostic, FileResult, FileVerdict, Fix, Settings, Source, SourceMap, Span, Trees,
    Verifier, coverage_options, not_looked_at, similar,
};
use echis_report::{Piece, cover, is_not_looked_at};
use gather::Gathered;
use std::path::{Path, PathBuf};

pub fn run(args: &args::Cover) -> Exit {
    match prepared(args) {
        Ok(run) if run.paths.iter().any(|path| echis::is_boogie(path)) => boogie::cover(args, &run),
        Ok(run) => cover_all(args, &run),
        Err(message) => {
            complain(&message);
            Exit::Invalid
        }
    }
}

/// Denotes all warnings.
const ALL: &str = "all";

/// The files, with settings.
pub struct Run {
    paths: Vec<PathBuf>,
    beside: Vec<PathBuf>,
    settings: Settings,
    verifier: Verifier,
}

/// Evaluates the options, or returns their errors.
fn prepared(args: &args::Cover) -> Fallible<Run> {
    if let Some(unknown) = args.deny.iter().find(|id| *id != ALL && WarningId::parse(id).is_none()) {
        let names: Vec<&str> = WarningId::ALL.iter().map(|id| id.name()).collect();
        let meant = similar(unknown, names.iter().copied()).map(|id| format!("did you mean `{id}`?"));
        let hint = meant.unwrap_or_else(|| format!("there are {}, and all", names.join(", ")));
        return Err(format!("there is no warning `{unknown}`; {hint}").into());
    }
    for (option, percent) in
        [("--min-coverage", args.min_coverage), ("--min-member-coverage", args.min_member_coverage)]
    {
        if percent.is_some_and(|percent| !(0.0..=100.0).contains(&percent)) {
            return Err(format!("{option} takes a percentage from 0 to 100").into());
        }
    }
    let (paths, beside) = together(&args.files, args.together)?;
    if args.fix && paths.iter().any(|path| is_standard_input(path)) {
        return Err("--fix cannot change standard input".into());
    }
    let (settings, verifier) = prepare(&args.solving, 0, None)?;
    Ok(Run { paths, beside, settings: Settings { trees: Trees::Explained, ..settings }, verifier })
}

fn cover_all(args: &args::Cover, run: &Run) -> Exit {
    if args.diff {
        return run.paths.iter().map(|path| fix::preview(path, run)).max().unwrap_or(Exit::Success);
    }
    cover_each(args, run, |path, output, gathered| {
        let written = if args.fix { fix::write(path, run) } else { Exit::Success };
        let (file, piece, found) = cover_one(args, path, output, run, gathered);
        (file, piece, found.max(written))
    })
}

/// Covers the programs in turn, and writes the requested output for all of them.
fn cover_each(
    args: &args::Cover,
    run: &Run,
    mut one: impl FnMut(&Path, &Output, &mut Gathered) -> (FileResult, Option<Piece>, Exit),
) -> Exit {
    let Run { paths, settings, verifier, .. } = run;
    let mut gathered = match Gathered::new(args) {
        Ok(gathered) => gathered,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    let output = Output::new(&args.common, "cover").solved_by(verifier);
    output.begin();
    let mut exit = Exit::Success;
    let (mut files, mut pieces) = (Vec::new(), Vec::new());
    for path in paths {
        let (file, piece, found) = match settings.cancel.is_cancelled() {
            true => skipped(path),
            false => one(path, &output, &mut gathered),
        };
        exit = exit.max(found);
        files.push(file);
        pieces.extend(piece);
    }
    report_skipped(&files);
    exit = exit.max(selected(settings)).max(gathered.write(args));
    if paths.len() > 1 && args.common.format == Format::Human && !args.common.quiet {
        print(&gathered.summary());
    }
    match args.common.format {
        Format::Json | Format::Jsonl => output.end_of_pieces(&pieces, exit),
        _ => output.end(&files, exit),
    }
    exit
}

/// The result for a program that was left when the run was stopped.
fn skipped(path: &Path) -> (FileResult, Option<Piece>, Exit) {
    let file = not_looked_at(path);
    let (piece, exit) = (Piece::of_file(&file), Exit::from(file.verdict));
    (file, Some(piece), exit)
}

fn report_skipped(files: &[FileResult]) {
    match files.iter().filter(|file| is_not_looked_at(file)).count() {
        0 => {}
        1 => complain("1 program was not looked at, because the run was interrupted"),
        many => complain(format!("{many} programs were not looked at, because the run was interrupted")),
    }
}

fn confirmation(args: &args::Cover) -> Confirmation {
    match args {
        _ if args.no_confirm => Confirmation::Skip,
        _ if args.thorough => Confirmation::Thorough,
        _ if args.smoke => Confirmation::Smoke,
        _ => Confirmation::Run,
    }
}

fn cover_one(
    args: &args::Cover,
    path: &Path,
    output: &Output,
    run: &Run,
    gathered: &mut Gathered,
) -> (FileResult, Option<Piece>, Exit) {
    let (count, Run { settings, verifier, .. }) = (run.paths.len(), run);
    let bar = Bar::new(output.shows_progress());
    let verification = verifier.explain(&verifier.check(Source::file(path)), settings, coverage_options(), &bar);
    let covered = match verification.coverage(confirmation(args)) {
        Ok(covered) => covered,
        Err(file) => {
            let file = with_unselected(*file, settings, output, count);
            output.file(&file);
            let (piece, exit) = (Piece::of_file(&file), Exit::from(file.verdict));
            return (file, Some(piece), exit);
        }
    };
    let mut exit = Exit::from(covered.found.result.verdict).max(gate(args, path, count, &covered.coverage));
    exit = exit.max(undecided(args, path, run, &covered.coverage));
    let queries = Queries { view: &covered.found.view, graph: &covered.found.graph };
    exit = exit.max(gathered.add(queries, &covered.coverage));
    let piece = output.piece(|| piece(&covered));
    let mut file = covered.found.result.clone();
    let sources = file.sources.clone();
    // Consequences of another warning are included in it.
    let folds = args.common.format == Format::Human;
    let shown = covered.coverage.warnings.iter().filter(|warning| !(folds && warning.diagnostic.consequence));
    file.warnings.extend(shown.map(|warning| with_fix(&sources, warning)));
    let hidden = if folds { hide_cascades(&mut file) } else { 0 };
    show(args, output, &covered.found.view, &covered.coverage, &file);
    output.hidden_cascades(hidden);
    if let Some(folder) = &args.evidence {
        // The evidence of several programs goes to separate folders.
        let stem = path.file_stem().filter(|_| count > 1);
        exit = exit.max(evidence(&stem.map_or_else(|| folder.clone(), |stem| folder.join(stem)), &covered));
    }
    (file, piece, exit)
}

/// The warning as a diagnostic, with its fix.
pub fn with_fix(sources: &SourceMap, warning: &Warning) -> Diagnostic {
    let main = sources.files().next().map(|(main, _)| main);
    let fix = warning.fix.as_ref().zip(main).map(|(fix, main)| {
        let edit = |edit: &Edit| (Span::new(main, edit.start as u32, edit.end as u32), edit.text.clone());
        Fix { message: fix.removal.describe().to_string(), edits: fix.edits.iter().map(edit).collect() }
    });
    Diagnostic { fix, ..warning.diagnostic.clone() }
}

/// The command's JSON for a program.
pub fn piece(covered: &Covered) -> Piece {
    let Covered { found, coverage, confirm_time } = covered;
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let (verify, analyse, confirm) = (ms(found.verify_time), ms(found.analyse_time), ms(*confirm_time));
    cover::piece(&found.result, &found.view, coverage, cover::Times { verify, analyse, confirm })
}

/// Writes the edited programs that confirm warnings.
fn evidence(folder: &Path, covered: &Covered) -> Exit {
    if let Err(error) = std::fs::create_dir_all(folder) {
        complain(format!("{} cannot be created: {error}", folder.display()));
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

/// The text for another folder: imported files get absolute paths.
fn with_imports(text: &str, path: &Path) -> String {
    let folder = path.parent().and_then(|folder| std::fs::canonicalize(folder.join(".")).ok());
    let Some(folder) = folder else { return text.to_string() };
    let import = |line: &str| match line.strip_prefix("import \"") {
        Some(name) if !name.starts_with('/') => format!("import \"{}/{name}", folder.display()),
        _ => line.to_string(),
    };
    text.split('\n').map(import).collect::<Vec<_>>().join("\n")
}

fn show(args: &args::Cover, output: &Output, view: &View, coverage: &Coverage, file: &FileResult) {
    match args.common.format {
        Format::Human => {
            output.file(file);
            if !args.common.quiet && file.verdict == FileVerdict::Verified {
                print(&cover::listing(file, view, coverage, output.style()));
                print(&cover::human(view, coverage));
            }
        }
        Format::Github => output.file(file),
        Format::Json | Format::Jsonl | Format::Sarif | Format::Junit => {}
    }
}

/// Reports undecided candidates, which may be justified warnings. They fail the run if it was stopped early or denies
/// warnings.
fn undecided(args: &args::Cover, path: &Path, run: &Run, coverage: &Coverage) -> Exit {
    let (count, over) = (coverage.untried, run.settings.cancel.is_over());
    if count == 0 || !over && args.deny.is_empty() {
        return Exit::Success;
    }
    let of = if run.paths.len() > 1 { format!("{}: ", shown(path)) } else { String::new() };
    let what =
        if count == 1 { "1 candidate warning is".to_string() } else { format!("{count} candidate warnings are") };
    let why = if over { "the run was stopped" } else { "the solver reached its limit" };
    complain(format!("{of}{what} undecided: {why}"));
    Exit::Failed
}

/// Whether the options that guard a build are satisfied.
fn gate(args: &args::Cover, path: &Path, count: usize, coverage: &Coverage) -> Exit {
    // With several files, each is named.
    let of = if count > 1 { format!("{}: ", shown(path)) } else { String::new() };
    let percent = coverage.percent();
    let low = args.min_coverage.filter(|wanted| percent < *wanted);
    if let Some(wanted) = low {
        complain(format!("{of}coverage is {percent:.1} %, less than the required {wanted} %"));
    }
    let members = coverage.members.iter().filter(|member| {
        let percent = 100.0 * member.covered as f64 / member.total.max(1) as f64;
        args.min_member_coverage.is_some_and(|wanted| percent < wanted)
    });
    let members: Vec<&str> = members.map(|member| &*member.name).collect();
    if let (false, Some(wanted)) = (members.is_empty(), args.min_member_coverage) {
        complain(format!("{of}coverage is below {wanted} % in {}", members.join(", ")));
    }
    let all = args.deny.iter().any(|id| id == ALL);
    let ids = coverage.causes().map(|warning| &warning.diagnostic.id);
    let denied = ids.filter(|id| all || args.deny.contains(id)).count();
    if denied > 0 {
        complain(format!("{of}{denied} warnings are denied"));
    }
    if low.is_some() || denied > 0 || !members.is_empty() { Exit::Failed } else { Exit::Success }
}

fn write(path: &Path, text: &str) -> Exit {
    match std::fs::write(path, text) {
        Ok(()) => Exit::Success,
        Err(error) => {
            complain(format!("{} cannot be written: {error}", path.display()));
            Exit::Invalid
        }
    }
}
