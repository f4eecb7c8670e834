//! `echis cover` for Boogie programs: by the labels of their elements, or by their statements and clauses.

use super::gather::Gathered;
use super::{Run, confirmation, cover_each, gate, show, undecided};
use crate::args::{self, Format};
use crate::exit::Exit;
use crate::output::{Output, complain, print};
use crate::progress::Bar;
use crate::settings::with_unselected;
use echis::{FileResult, FileVerdict, Source, coverage_options};
use echis_report::{Piece, cover};
use std::path::Path;
use std::time::Instant;

/// Uses labels, unless there are none or the options need more.
pub fn cover(args: &args::Cover, run: &Run) -> Exit {
    if !run.paths.iter().all(|path| echis::is_boogie(path)) {
        complain("give Boogie programs and Viper programs to separate runs");
        return Exit::Invalid;
    }
    if args.fix || args.diff || args.evidence.is_some() {
        complain("--fix, --diff and --evidence are for Viper programs");
        return Exit::Invalid;
    }
    let files = [&args.lcov, &args.cobertura, &args.baseline, &args.write_baseline];
    let gates = args.min_coverage.is_some() || args.min_member_coverage.is_some() || !args.deny.is_empty();
    let places = gates || files.iter().any(|file| file.is_some()) || args.smoke || args.no_confirm;
    let places = places || matches!(args.common.format, Format::Sarif | Format::Github | Format::Jsonl);
    let named = |path| run.verifier.check(Source::file(path).beside(run.beside.clone())).names_elements();
    if places || !run.paths.iter().any(named) { elements(args, run) } else { labels(args, run) }
}

/// Coverage of Boogie programs by their statements and clauses.
fn elements(args: &args::Cover, run: &Run) -> Exit {
    cover_each(args, run, |path, output, gathered| one(args, path, output, run, gathered))
}

fn one(
    args: &args::Cover,
    path: &Path,
    output: &Output,
    run: &Run,
    gathered: &mut Gathered,
) -> (FileResult, Option<Piece>, Exit) {
    let Run { paths, beside, settings, verifier } = run;
    let bar = Bar::new(output.shows_progress());
    let start = Instant::now();
    let checked = verifier.check(Source::file(path).beside(beside.clone()));
    let verification = verifier.explain_any(&checked, settings, coverage_options(), &bar);
    let explained = verification.explanation(coverage_options());
    let analyse = start.elapsed();
    let covered = explained.and_then(|found| {
        let coverage = verification.boogie_coverage(&found, confirmation(args));
        coverage.map(|coverage| (found.clone(), coverage)).ok_or_else(|| Box::new(found.result().clone()))
    });
    let (found, coverage) = match covered {
        Ok(covered) => covered,
        Err(file) => {
            let file = with_unselected(*file, settings, output, paths.len());
            output.file(&file);
            let (piece, exit) = (Piece::of_file(&file), Exit::from(file.verdict));
            return (file, Some(piece), exit);
        }
    };
    let mut file = found.result().clone();
    let mut exit = Exit::from(file.verdict).max(gate(args, path, paths.len(), &coverage));
    exit = exit.max(undecided(args, path, run, &coverage)).max(gathered.add(found.queries(), &coverage));
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let verify = file.time.min(analyse);
    let (analyse, confirm) = (analyse - verify, start.elapsed() - analyse);
    let times = cover::Times { verify: ms(verify), analyse: ms(analyse), confirm: ms(confirm) };
    let piece = output.piece(|| cover::piece(&file, found.view(), &coverage, times));
    // Consequences of another warning are included in it.
    let folds = args.common.format == Format::Human;
    let shown = coverage.warnings.iter().filter(|warning| !(folds && warning.diagnostic.consequence));
    file.warnings.extend(shown.map(|warning| warning.diagnostic.clone()));
    show(args, output, found.view(), &coverage, &file);
    (file, piece, exit)
}

/// Coverage of Boogie programs by labels. As JSON, it is one document.
fn labels(args: &args::Cover, run: &Run) -> Exit {
    let Run { paths, beside, settings, verifier } = run;
    let output = Output::new(&args.common, "cover").solved_by(verifier);
    let (mut exit, mut documents) = (Exit::Success, Vec::new());
    for path in paths {
        let bar = Bar::new(output.shows_progress());
        let checked = verifier.check(Source::file(path).beside(beside.clone()));
        let (file, coverage) = match verifier.labels(&checked, settings, &bar) {
            Ok(found) => found,
            Err(file) => {
                // If it does not verify, there is no coverage.
                if output.is_for_people() {
                    output.file(&file);
                }
                (*file, Default::default())
            }
        };
        exit = exit.max(Exit::from(file.verdict));
        if !output.is_for_people() {
            documents.push(echis_report::labels::json(&file.path, file.verdict.name(), &coverage));
        } else if file.verdict == FileVerdict::Verified {
            print(&echis_report::labels::text(&coverage));
        }
    }
    if !output.is_for_people() {
        print(&echis_report::labels::document(documents));
    }
    exit
}
