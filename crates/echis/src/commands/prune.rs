//! `echis prune`

use crate::args::{self, Format};
use crate::commands::deps::{asserted_at, explained};
use crate::commands::verify::prepare;
use crate::exit::Exit;
use crate::output::{complain, print};
use echis_driver::depend::{Definition, Queries, UserId};
use echis_driver::{
    Dependencies, FileVerdict, Pruned, Repair, Settings, Solvers, explicit_assertions, prune, pruned_name, relocated,
};
use echis_report::prune::{Program, human, json};
use std::collections::BTreeSet;

pub fn run(args: &args::Prune) -> Exit {
    if args.common.format == Format::Sarif {
        complain("pruned programs have no SARIF form");
        return Exit::Invalid;
    }
    let (settings, solvers) = match prepare(&args.solving, 0) {
        Ok(prepared) => prepared,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    // What one member needs lies in all of them.
    let settings = Settings { members: None, ..settings };
    let definition = Definition::Verification;
    let found = match explained(&args.file, &args.common, args.minimize, definition, &settings, &solvers) {
        Ok(found) => found,
        Err(exit) => return exit,
    };
    let goals = match goals(args, &found) {
        Ok(goals) => goals,
        Err(message) => {
            complain(&message);
            return Exit::Invalid;
        }
    };
    write(args, &found, goals, &settings, &solvers)
}

/// The sets of nodes to prune for, each with the file that its program is written to.
type Goals = Vec<(BTreeSet<UserId>, Option<std::path::PathBuf>)>;

fn goals(args: &args::Prune, found: &Dependencies) -> Result<Goals, String> {
    if args.each {
        let folder = args.output.as_ref().ok_or("--each needs a folder: -o FOLDER")?;
        std::fs::create_dir_all(folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
        let one = |user: UserId| (BTreeSet::from([user]), Some(folder.join(pruned_name(found, user))));
        return Ok(explicit_assertions(found).into_iter().map(one).collect());
    }
    let queries = Queries { view: &found.view, graph: &found.graph };
    let asserted = asserted_at(queries, &args.keep)?.into_iter().collect();
    Ok(vec![(asserted, args.output.clone())])
}

fn write(args: &args::Prune, found: &Dependencies, goals: Goals, settings: &Settings, solvers: &Solvers) -> Exit {
    let repair = if args.strict { Repair::Hints } else { Repair::Add };
    let as_json = args.common.format == Format::Json;
    let mut exit = Exit::Success;
    let mut done: Vec<(Vec<UserId>, Option<String>, Pruned)> = Vec::new();
    for (keep, path) in goals {
        let pruned = prune(&args.file, found, &keep, repair, settings, solvers);
        exit = exit.max(Exit::from(pruned.verdict));
        if !args.each && pruned.verdict != FileVerdict::Verified {
            complain("the pruned program does not verify, and is not written");
            eprint!("{}", human_of(found, &keep, &pruned));
            return exit;
        }
        if let Some(path) = &path
            && let Err(error) = std::fs::write(path, relocated(pruned.text.clone(), &args.file, path))
        {
            complain(&format!("{} cannot be written: {error}", path.display()));
            return Exit::Invalid;
        }
        done.push((keep.into_iter().collect(), path.map(|path| path.to_string_lossy().into_owned()), pruned));
    }
    let programs: Vec<Program> = done
        .iter()
        .map(|(keep, output, pruned)| Program {
            keep: keep.clone(),
            verdict: pruned.verdict,
            in_time: pruned.result.stopped.is_empty(),
            kept: &pruned.kept,
            added: &pruned.added,
            only_hints: pruned.only_hints,
            believed: pruned.believed(),
            output: output.clone(),
            text: output.is_none().then_some(&*pruned.text),
        })
        .collect();
    if as_json {
        print(&json(&args.file.to_string_lossy(), &found.view, &programs));
        return exit;
    }
    for program in &programs {
        let about = human(&found.view, program);
        match program.text {
            // The text is the data; what is said about it goes beside.
            Some(text) => {
                eprint!("{}", if args.common.quiet { "" } else { &about });
                print(text);
            }
            None => print(if args.common.quiet { "" } else { &about }),
        }
    }
    exit
}

fn human_of(found: &Dependencies, keep: &BTreeSet<UserId>, pruned: &Pruned) -> String {
    let keep = keep.iter().copied().collect();
    let program = Program {
        keep,
        verdict: pruned.verdict,
        in_time: pruned.result.stopped.is_empty(),
        kept: &pruned.kept,
        added: &pruned.added,
        only_hints: pruned.only_hints,
        believed: pruned.believed(),
        output: None,
        text: None,
    };
    human(&found.view, &program)
}
