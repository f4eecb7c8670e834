//! `echis prune`

use crate::args;
use crate::commands::deps::{asserted_at, explained, unsupported};
use crate::exit::Exit;
use crate::fallible::Fallible;
use crate::output::{Output, complain, print};
use crate::paths::programs;
use crate::progress::Bar;
use crate::settings::prepare;
use echis::depend::{Minimization, Queries, UserId, View};
use echis::{
    BoogieDependencies, Dependencies, FileResult, FileVerdict, Necessity, Pruned, Repair, Settings, Solvers,
    boogie_assertions, boogie_dependencies, explicit_assertions, is_boogie, necessary, prune, prune_boogie,
    pruned_name, relocated,
};
use echis_report::Piece;
use echis_report::prune::{Program, Tried, human, piece};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub fn run(args: &args::Prune) -> Exit {
    let (paths, settings, solvers) = match prepared(args) {
        Ok(prepared) => prepared,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    let output = Output::new(&args.common, "prune").solved_by(&solvers);
    output.begin();
    let (mut pieces, mut exit) = (Vec::new(), Exit::Success);
    for path in &paths {
        let (piece, found) = prune_one(args, path, paths.len(), &output, &settings, &solvers);
        exit = exit.max(found);
        pieces.extend(piece);
    }
    output.end_of_pieces(&pieces, exit);
    exit
}

/// The files, and how to verify them, or what is wrong with the options.
fn prepared(args: &args::Prune) -> Fallible<(Vec<PathBuf>, Settings, Solvers)> {
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
    let (settings, solvers) = prepare(&args.solving, 0)?;
    Ok((paths, settings, solvers))
}

fn prune_one(
    args: &args::Prune,
    path: &Path,
    count: usize,
    output: &Output,
    settings: &Settings,
    solvers: &Solvers,
) -> (Option<Piece>, Exit) {
    let found = match found(args, path, output, settings, solvers) {
        Ok(found) => found,
        Err(file) => return (Some(Piece::of_file(&file)), Exit::from(file.verdict)),
    };
    if args.necessary && matches!(found, Found::Boogie(_)) {
        complain("--necessary is for Viper programs");
        return (None, Exit::Invalid);
    }
    match goals(args, path, count, &found) {
        Ok(goals) => write(args, path, output, &found, goals, settings, solvers),
        Err(message) => {
            complain(&message);
            (None, Exit::Invalid)
        }
    }
}

/// Why the goals of a program hold.
enum Found {
    Viper(Box<Dependencies>),
    Boogie(Box<BoogieDependencies>),
}

fn found(
    args: &args::Prune,
    path: &Path,
    output: &Output,
    settings: &Settings,
    solvers: &Solvers,
) -> Result<Found, Box<FileResult>> {
    if !is_boogie(path) {
        let options = Minimization::from(args.minimize).into();
        return explained(path, &args.common, output, options, settings, solvers)
            .map(|found| Found::Viper(Box::new(found)));
    }
    let bar = Bar::new(output.shows_progress());
    match boogie_dependencies(path, settings, solvers, &bar) {
        Ok(found) => Ok(Found::Boogie(Box::new(found))),
        Err(file) => {
            output.file(&file);
            Err(file)
        }
    }
}

impl Found {
    fn view(&self) -> &View {
        match self {
            Found::Viper(found) => &found.view,
            Found::Boogie(found) => &found.view,
        }
    }
    fn queries(&self) -> Queries<'_> {
        match self {
            Found::Viper(found) => Queries { view: &found.view, graph: &found.graph },
            Found::Boogie(found) => Queries { view: &found.view, graph: &found.graph },
        }
    }
    fn result(&self) -> &FileResult {
        match self {
            Found::Viper(found) => &found.result,
            Found::Boogie(found) => &found.result,
        }
    }
    /// Each goal, with a name for its program.
    fn goals(&self) -> Vec<(UserId, String)> {
        match self {
            Found::Viper(found) => {
                explicit_assertions(found).into_iter().map(|user| (user, pruned_name(found, user))).collect()
            }
            Found::Boogie(found) => {
                let name = |user: UserId| match found.view.node(user) {
                    Some(node) => format!("{}-{}.bpl", node.position.start.line, node.position.start.column),
                    None => format!("{user}.bpl"),
                };
                boogie_assertions(found).into_iter().map(|user| (user, name(user))).collect()
            }
        }
    }
    fn prune(
        &self,
        path: &Path,
        keep: &BTreeSet<UserId>,
        repair: Repair,
        settings: &Settings,
        solvers: &Solvers,
    ) -> Pruned {
        match self {
            Found::Viper(found) => prune(path, found, keep, repair, settings, solvers),
            Found::Boogie(found) => prune_boogie(path, found, keep, repair, settings, solvers),
        }
    }
    fn relocated(&self, text: String, program: &Path, target: &Path) -> String {
        match self {
            Found::Viper(_) => relocated(text, program, target),
            Found::Boogie(_) => text,
        }
    }
}

/// The sets of nodes to prune for, each with the file that its program is written to.
type Goals = Vec<(BTreeSet<UserId>, Option<std::path::PathBuf>)>;

fn goals(args: &args::Prune, path: &Path, count: usize, found: &Found) -> Fallible<Goals> {
    if args.each {
        let folder = args.output.as_ref().ok_or("--each needs a folder: -o FOLDER")?;
        // Those of several programs are kept apart.
        let stem = path.file_stem().filter(|_| count > 1);
        let folder = stem.map_or_else(|| folder.clone(), |stem| folder.join(stem));
        std::fs::create_dir_all(&folder).map_err(|error| format!("{} cannot be created: {error}", folder.display()))?;
        let one = |(user, name): (UserId, String)| (BTreeSet::from([user]), Some(folder.join(name)));
        return Ok(found.goals().into_iter().map(one).collect());
    }
    let asserted = asserted_at(found.queries(), &args.keep)?.into_iter().collect();
    Ok(vec![(asserted, args.output.clone())])
}

/// A pruned program, where it was written, and which of its nodes are necessary if that was asked.
struct Done {
    keep: Vec<UserId>,
    output: Option<String>,
    pruned: Pruned,
    necessity: Option<Necessity>,
}

fn write(
    args: &args::Prune,
    program: &Path,
    output: &Output,
    found: &Found,
    goals: Goals,
    settings: &Settings,
    solvers: &Solvers,
) -> (Option<Piece>, Exit) {
    let repair = if args.strict { Repair::Hints } else { Repair::Add };
    let mut exit = Exit::Success;
    let mut done: Vec<Done> = Vec::new();
    for (keep, path) in goals {
        let pruned = found.prune(program, &keep, repair, settings, solvers);
        exit = exit.max(Exit::from(pruned.verdict));
        if !args.each && pruned.verdict != FileVerdict::Verified {
            complain("the pruned program does not verify, and is not written");
            eprint!("{}", human_of(found, &keep, &pruned));
            return (None, exit);
        }
        if let Some(path) = &path
            && let Err(error) = std::fs::write(path, found.relocated(pruned.text.clone(), program, path))
        {
            complain(format!("{} cannot be written: {error}", path.display()));
            return (None, Exit::Invalid);
        }
        let necessity = match found {
            Found::Viper(found) if args.necessary && pruned.verdict == FileVerdict::Verified => {
                Some(necessary(program, found, &keep, &pruned, settings, solvers))
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

fn say(args: &args::Prune, found: &Found, program: &Program) {
    let about = if args.common.quiet { String::new() } else { human(found.view(), program) };
    match program.text {
        // The text is the data; what is said about it goes beside.
        Some(text) => {
            eprint!("{about}");
            print(text);
        }
        None => print(&about),
    }
}

fn human_of(found: &Found, keep: &BTreeSet<UserId>, pruned: &Pruned) -> String {
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
