//! `echis deps`

use crate::args::{self, Common, Export, Format, Minimize, Place};
use crate::commands::verify::prepare;
use crate::exit::Exit;
use crate::output::{Output, complain, print};
use crate::progress::Bar;
use echis_driver::depend::{Definition, Effort, Graph, Manner, Queries, UserId, View, check_annotations, owner_name};
use echis_driver::{Dependencies, Settings, Solvers};
use echis_report::export::{self, Exported, Tool};
use echis_report::{deps, saved};
use std::collections::BTreeSet;
use std::path::Path;

pub fn run(args: &args::Deps) -> Exit {
    if args.common.format == Format::Sarif {
        complain("dependencies have no SARIF form");
        return Exit::Invalid;
    }
    if let Some(path) = &args.load {
        return match load(path) {
            Ok((_, _, graph)) if !agrees(args.definition, &graph) => failed(&disagrees(path, &graph)),
            Ok((program, view, graph)) => answer(args, &program, Queries { view: &view, graph: &graph }, None),
            Err(message) => failed(&message),
        };
    }
    let Some(file) = &args.file else { return failed("there is no file to explain") };
    let found = match explain(args, file) {
        Ok(found) => found,
        Err(exit) => return exit,
    };
    let path = file.to_string_lossy();
    if args.test {
        return test(&found, &path, args.common.format == Format::Json);
    }
    let queries = Queries { view: &found.view, graph: &found.graph };
    Exit::from(found.result.verdict).max(answer(args, &path, queries, Some(times(&found))))
}

/// A graph from a file.
pub fn load(path: &Path) -> Result<(String, View, Graph), String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    saved::load(&text).map_err(|message| format!("{}: {message}", path.display()))
}

/// Whether a saved graph was made with the definition that is asked for, if one is.
pub fn agrees(definition: Option<args::Definition>, graph: &Graph) -> bool {
    definition.is_none_or(|definition| Definition::from(definition) == graph.definition)
}

pub fn disagrees(path: &Path, graph: &Graph) -> String {
    let (path, name) = (path.display(), graph.definition.name());
    format!("{path} was saved with --definition {name}; save it again from the program with the other one")
}

/// Why a graph cannot be written for other tools, if it cannot.
pub fn not_exported(graph: &Graph) -> Option<&'static str> {
    let message = "other tools follow edges between nodes, which cannot keep the paths of an execution apart; export with \
                   --definition verification, or use --save or --all --format json";
    (graph.definition == Definition::Execution).then_some(message)
}

fn failed(message: &str) -> Exit {
    complain(message);
    Exit::Invalid
}

/// Writes what is to be written and answers the query, if there is one.
fn answer(args: &args::Deps, path: &str, queries: Queries, times: Option<deps::Times>) -> Exit {
    if let Err(message) = write(args, path, queries) {
        return failed(&message);
    }
    match query(args, path, queries, times) {
        Ok(text) => print(&text),
        Err(message) => return failed(&message),
    }
    Exit::Success
}

fn write(args: &args::Deps, path: &str, Queries { view, graph }: Queries) -> Result<(), String> {
    let put = |path: &Path, text: String| {
        std::fs::write(path, text).map_err(|error| format!("{} cannot be written: {error}", path.display()))
    };
    if let Some(file) = &args.save {
        put(file, saved::save(path, view, graph))?;
    }
    let Some(folder) = &args.export else { return Ok(()) };
    if let Some(message) = not_exported(graph) {
        return Err(message.into());
    }
    let tool = match args.export_as {
        Export::Csv => Tool::Csv,
        Export::Graphml => Tool::GraphMl,
        Export::Dot => Tool::Dot,
        Export::Neo4j => Tool::Neo4j,
    };
    std::fs::create_dir_all(folder).map_err(|error| format!("{} cannot be made: {error}", folder.display()))?;
    for (name, text) in export::files(Exported { path, view, graph }, tool) {
        put(&folder.join(name), text)?;
    }
    Ok(())
}

fn query(args: &args::Deps, path: &str, queries: Queries, times: Option<deps::Times>) -> Result<String, String> {
    let view = queries.view;
    let json = args.common.format == Format::Json;
    let ignored: BTreeSet<UserId> = nodes_at(view, &args.ignore)?.into_iter().collect();
    if !args.of.is_empty() {
        let of = asserted_at(queries, &args.of)?;
        let answers: Vec<_> = of.into_iter().map(|of| queries.dependencies(of, &ignored)).collect();
        return Ok(if json { deps::json(path, queries, &answers, times) } else { deps::human(view, &answers) });
    }
    if !args.from.is_empty() {
        let answers: Vec<_> = nodes_at(view, &args.from)?.into_iter().map(|of| queries.dependents(of)).collect();
        return Ok(match json {
            true => deps::json_dependents(path, queries, &answers),
            false => deps::human_dependents(view, &answers),
        });
    }
    if !args.between.is_empty() {
        let pairs = queries.between(&nodes_at(view, &args.between)?, &ignored);
        return Ok(if json { deps::json_pairs(path, queries, &pairs) } else { deps::human_pairs(view, &pairs) });
    }
    if !args.impact.is_empty() {
        let of = nodes_at(view, &args.impact)?;
        let fallen = queries.impact(&of);
        return Ok(match json {
            true => deps::json_impact(path, queries, &of, &fallen),
            false => deps::human_impact(view, &of, &fallen),
        });
    }
    if args.coverage || !args.coverage_of.is_empty() {
        let (members, program) = match args.coverage {
            true => (queries.coverage(), Some(queries.progress())),
            false => (queries.coverage_of(&asserted_at(queries, &args.coverage_of)?), None),
        };
        return Ok(match json {
            true => deps::json_coverage(path, queries, &members, program.as_ref()),
            false => deps::human_coverage(view, &members, program.as_ref()),
        });
    }
    if args.all {
        let answers = queries.all(&ignored);
        return Ok(if json { deps::json(path, queries, &answers, times) } else { deps::human(view, &answers) });
    }
    Ok(String::new())
}

/// Verifies and explains. What is wrong with the program is reported here.
fn explain(args: &args::Deps, file: &Path) -> Result<Dependencies, Exit> {
    let (settings, solvers) = prepare(&args.solving, 0).map_err(|message| failed(&message))?;
    let definition = args.definition.map(Definition::from).unwrap_or_default();
    explained(file, &args.common, args.minimize, definition, &settings, &solvers)
}

/// The same for every command that starts from dependencies.
pub fn explained(
    file: &Path,
    common: &Common,
    minimize: Minimize,
    definition: Definition,
    settings: &Settings,
    solvers: &Solvers,
) -> Result<Dependencies, Exit> {
    let output = Output::new(common);
    let bar = Bar::new(output.shows_progress());
    let effort = match minimize {
        Minimize::Off => Effort::Off,
        Minimize::Fast => Effort::Fast,
        Minimize::Full => Effort::Full,
    };
    let manner = Manner { definition, ..effort.into() };
    let found = echis_driver::dependencies(file, settings, solvers, &bar, manner, |_, _| true);
    let found = found.map_err(|file| {
        output.file(&file);
        output.end(std::slice::from_ref(&file));
        Exit::from(file.verdict)
    })?;
    if common.format == Format::Human && !common.quiet {
        output.findings(&found.result);
    }
    Ok(found)
}

fn times(found: &Dependencies) -> deps::Times {
    let milliseconds = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let work = &found.work;
    deps::Times {
        verify: milliseconds(found.verify_time),
        analyse: milliseconds(found.analyse_time),
        waiting: milliseconds(work.waiting),
        checks: work.checks,
        easy: work.easy,
        lost: work.lost,
        questions: work.questions,
        answers: work.answers,
        verified: work.verified,
        replayed: work.replayed,
        bytes: work.bytes,
    }
}

/// The nodes at some places, each once.
pub fn nodes_at(view: &View, places: &[Place]) -> Result<Vec<UserId>, String> {
    let mut users = Vec::new();
    for place in places {
        let there = view.at(place.line, place.column);
        if there.is_empty() {
            return Err(format!("there is no node at line {}", place.line));
        }
        users.extend(there);
    }
    users.sort();
    users.dedup();
    Ok(users)
}

/// Those that demand a proof.
pub fn asserted_at(queries: Queries, places: &[Place]) -> Result<Vec<UserId>, String> {
    let there = nodes_at(queries.view, places)?;
    let failed = |user: &UserId| queries.graph.failed.contains(user);
    let proved = |user: &UserId| queries.graph.is_asserted(*user) && !failed(user);
    let asserted: Vec<UserId> = there.iter().copied().filter(proved).collect();
    let failed = there.iter().any(failed);
    match asserted.is_empty() {
        true if failed => Err("what is demanded there was not proved".into()),
        true => Err("nothing there demands a proof".into()),
        false => Ok(asserted),
    }
}

fn test(found: &Dependencies, path: &str, json: bool) -> Exit {
    let tests = check_annotations(&found.nodes, &found.graph);
    let name = |owner| owner_name(&found.program, owner);
    print(&if json {
        deps::json_tests(path, found.graph.definition, &found.view, &tests, name)
    } else {
        deps::human_tests(&found.view, &tests, name)
    });
    let missing = tests.iter().any(|test| !test.missing.is_empty());
    Exit::from(found.result.verdict).max(if missing { Exit::Failed } else { Exit::Success })
}
