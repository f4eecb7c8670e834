//! `echis prune`

use crate::args;
use crate::commands::deps::{asserted_at, explained, unsupported};
use crate::error::Fallible;
use crate::exit::Exit;
use crate::output::{Output, complain, print};
use crate::paths::programs;
use crate::settings::prepare;
use echis::depend::{Minimization, UserId, View};
use echis::{Explained, FileVerdict, Necessity, Pruned, Repair, Settings, Source, Verification, Verifier, is_boogie};
use echis_report::Piece;
use echis_report::prune::{Program, Tried, human, piece};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub fn run(args: &args::Prune) -> Exit {
    let (paths, settings, verifier) = match prepared(args) {
        Ok(prepared) => prepared,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    let output = Output::new(&args.common, "prune").solved_by(&verifier);
    output.begin();
    let (mut pieces, mut exit) = (Vec::new(), Exit::Success);
    for path in &paths {
        let (piece, found) = prune_one(args, path, paths.len(), &output, &settings, &verifier);
        exit = exit.max(found);
        pieces.extend(piece);
    }
    output.end_of_pieces(&pieces, exit);
    exit
}

/// The files, with settings, or errors in the options.
fn prepared(args: &args::Prune) -> Fallible<(Vec<PathBuf>, Settings, Verifier)> {
    if let Some(form) = unsupported(args.common.format) {
        return Err(format!("`prune` has no {form} format; use human, json or jsonl").into());
    }
    if !args.solving.member.is_empty() {
        return Err(
            "a proof may need parts of all members, so --member has no meaning here; name what shall still be \
                    proved with --keep"
                .into(),
        );
    }
    let paths = programs(&args.files)?;
    if paths.len() > 1 && !args.each {
        return Err("--keep needs exactly one program; for several use --each".into());
    }
    let (settings, verifier) = prepare(&args.solving, 0, None)?;
    Ok((paths, settings, verifier))
}

fn prune_one(
    args: &args::Prune,
    path: &Path,
    count: usize,
    output: &Output,
    settings: &Settings,
    verifier: &Verifier,
) -> (Option<Piece>, Exit) {
    let options = Minimization::from(args.minimize).into();
    let (verification, found) = match explained(Source::file(path), &args.common, output, options, settings, verifier) {
        Ok(found) => found,
        Err(file) => return (Some(Piece::of_file(&file)), Exit::from(file.verdict)),
    };
    if args.necessary && is_boogie(path) {
        complain("--necessary is for Viper programs");
        return (None, Exit::Invalid);
    }
    match goals(args, path, count, &found) {
        Ok(goals) => write(args, output, &verification, &found, goals),
        Err(message) => {
            complain(&message);
            (None, Exit::Invalid)
        }
    }
}

/// A file name for the program of one goal.
fn pruned_name(path: &Path, view: &View, user: UserId) -> String {
    let extension = if is_boogie(path) { "bpl" } else { "vpr" };
    match view.node(user) {
        Some(node) => format!("{}-{}.{extension}", node.position.start.line, node.position.start.column),
        None => format!("{user}.{extension}"),
    }
}

/// The sets of nodes to prune for, each with its output file.
type Goals = Vec<(BTreeSet<UserId>, Option<std::path::PathBuf>)>;

fn goals(args: &args::Prune, path: &Path, count: usize, found: &Explained) -> Fallible<Goals> {
    if args.each {
        let folder = args.output.as_ref().ok_or("--each needs a folder: -o FOLDER")?;
        // The output of several programs goes to separate folders.
        let stem = path.file_stem().filter(|_| count > 1);
        let folder = stem.map_or_else(|| folder.clone(), |stem| folder.join(stem));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{} cannot be created: {error}", folder.display()))?;
        let one = |user| (BTreeSet::from([user]), Some(folder.join(pruned_name(path, found.view(), user))));
        return Ok(found.goals().into_iter().map(one).collect());
    }
    let asserted = asserted_at(found.queries(), &args.keep)?.into_iter().collect();
    Ok(vec![(asserted, args.output.clone())])
}

/// A pruned program, its output file, and which of its nodes are necessary if requested.
struct Done {
    keep: Vec<UserId>,
    output: Option<String>,
    pruned: Pruned,
    necessity: Option<Necessity>,
}

fn write(
    args: &args::Prune,
    output: &Output,
    verification: &Verification,
    found: &Explained,
    goals: Goals,
) -> (Option<Piece>, Exit) {
    let repair = if args.strict { Repair::Hints } else { Repair::Add };
    let mut exit = Exit::Success;
    let mut done: Vec<Done> = Vec::new();
    for (keep, path) in goals {
        let pruned = verification.prune(found, &keep, repair);
        exit = exit.max(Exit::from(pruned.verdict));
        if !args.each && pruned.verdict != FileVerdict::Verified {
            complain("the pruned program does not verify, and is not written");
            eprint!("{}", human_of(found, &keep, &pruned));
            return (None, exit);
        }
        if let Some(path) = &path
            && let Err(error) = std::fs::write(path, &pruned.text)
        {
            complain(format!("{} cannot be written: {error}", path.display()));
            return (None, Exit::Invalid);
        }
        let necessity = match found {
            Explained::Viper(found) if args.necessary && pruned.verdict == FileVerdict::Verified => {
                Some(verification.necessary(found, &keep, &pruned))
            }
            _ => None,
        };
        let output = path.map(|path| path.to_string_lossy().into_owned());
        done.push(Done { keep: keep.into_iter().collect(), output, pruned, necessity });
    }
    let programs: Vec<Program> = done
        .iter()
        .map(|Done { keep, output, pruned, necessity }| Program {
            keep: keep.clone(),
            verdict: pruned.verdict,
            in_time: pruned.result.stopped.is_empty(),
            kept: &pruned.kept,
            added: &pruned.added,
            only_hints: pruned.only_hints,
            believed: pruned.believed(),
            necessity: necessity.as_ref().map(|found| Tried {
                needed: &found.needed,
                demanded: &found.demanded,
                unneeded: &found.unneeded,
                untried: &found.untried,
            }),
            output: output.clone(),
            text: output.is_none().then_some(&*pruned.text),
        })
        .collect();
    if output.is_for_people() {
        programs.iter().for_each(|program| say(args, found, program));
    }
    (output.piece(|| piece(found.result(), found.view(), &programs)), exit)
}

fn say(args: &args::Prune, found: &Explained, program: &Program) {
    let about = if args.common.quiet { String::new() } else { human(found.view(), program) };
    match program.text {
        // The text is the data; messages go to standard error.
        Some(text) => {
            eprint!("{about}");
            print(text);
        }
        None => print(&about),
    }
}

fn human_of(found: &Explained, keep: &BTreeSet<UserId>, pruned: &Pruned) -> String {
    let keep = keep.iter().copied().collect();
    let program = Program {
        keep,
        verdict: pruned.verdict,
        in_time: pruned.result.stopped.is_empty(),
        kept: &pruned.kept,
        added: &pruned.added,
        only_hints: pruned.only_hints,
        believed: pruned.believed(),
        necessity: None,
        output: None,
        text: None,
    };
    human(found.view(), &program)
}
