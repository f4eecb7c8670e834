//! `echis deps`

mod diff;
mod filter;

use crate::args::{self, Common, Export, Format, LineSpec};
use crate::error::Fallible;
use crate::exit::Exit;
use crate::output::{Output, complain, print};
use crate::paths::{shown, together};
use crate::progress::Bar;
use crate::settings::{prepare, selected, with_unselected};
use echis::depend::{
    Attribution, Callers, Definition, DependencyOptions, Graph, Minimization, Policy, Queries, UserId, View, ViewNode,
    check_annotations, owner_name,
};
use echis::{Dependencies, Explained, FileResult, Settings, Source, Verification, Verifier};
use echis_report::deps::{self, Answers, Group, Subject, Times, Verified, Work};
use echis_report::export::{self, Exported, Tool};
use echis_report::{Piece, saved};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::path::{Path, PathBuf};

pub fn run(args: &args::Deps) -> Exit {
    if let Some(form) = unsupported(args.common.format) {
        return failed(format!("`deps` has no {form} format; use human, json or jsonl"));
    }
    if let [old, new] = &args.diff[..] {
        return diff::run(&args.common, old, new);
    }
    if args.policy.iter().any(|budget| budget == "list") {
        print(&deps::budgets());
        return Exit::Success;
    }
    if joins(args) && args.definition == Some(args::Definition::Execution) {
        return failed("--join callers and --trusted are for --definition verification");
    }
    let mut output = Output::new(&args.common, "deps");
    if let Some(path) = &args.load {
        if !args.solving.member.is_empty() {
            return failed("--member selects what is verified, so it cannot be used with a saved graph");
        }
        output.begin();
        return match load(path) {
            Ok((_, _, graph)) if !agrees(args.definition, &graph) => failed(disagrees(path, &graph)),
            Ok((program, view, graph)) => {
                let queries = Queries { view: &view, graph: &graph };
                let subject = Subject { path: &program, queries, verified: None };
                let (piece, exit) = answer(args, &output, subject, false).unwrap_or_else(|exit| (None, exit));
                output.end_of_pieces(piece.as_slice(), exit);
                exit
            }
            Err(message) => failed(&message),
        };
    }
    let Prepared { paths, beside, settings, verifier } = match prepared(args) {
        Ok(prepared) => prepared,
        Err(message) => return failed(&message),
    };
    output = output.solved_by(&verifier);
    output.begin();
    let (mut pieces, mut exit) = (Vec::new(), Exit::Success);
    for path in &paths {
        let source = Source::file(path).beside(beside.clone());
        let (piece, found) = explain_one(args, source, paths.len() > 1, &output, &settings, &verifier);
        exit = exit.max(found);
        pieces.extend(piece);
    }
    exit = exit.max(selected(&settings));
    output.end_of_pieces(&pieces, exit);
    exit
}

/// Whether preconditions depend on the proofs of callers. The trusted base and the progress are computed across
/// members.
fn joins(args: &args::Deps) -> bool {
    let progress = args.progress && args.definition != Some(args::Definition::Execution);
    args.join.is_some() || (args.trusted || progress) && args.solving.member.is_empty()
}

/// The default budgets with changes.
fn policy(changes: &[String]) -> Fallible<Policy> {
    let mut policy = Policy::USUAL;
    for change in changes {
        let set = change.split_once('=').and_then(|(name, value)| Some(policy.set(name, value.parse().ok()?)));
        if set != Some(true) {
            return Err(format!("`{change}` is not NAME=N with a known budget; `--policy list` prints all").into());
        }
    }
    Ok(policy)
}

/// The name of a format that does not support graphs and pruned programs.
pub fn unsupported(format: Format) -> Option<&'static str> {
    match format {
        Format::Human | Format::Json | Format::Jsonl => None,
        Format::Sarif => Some("SARIF"),
        Format::Github => Some("GitHub"),
        Format::Junit => Some("JUnit"),
    }
}

/// The files, with settings.
struct Prepared {
    paths: Vec<PathBuf>,
    beside: Vec<PathBuf>,
    settings: Settings,
    verifier: Verifier,
}

/// Evaluates the options, or returns their errors.
fn prepared(args: &args::Deps) -> Fallible<Prepared> {
    let (paths, beside) = together(&args.files, args.together)?;
    let places = [&args.of, &args.from, &args.between, &args.impact, &args.coverage_of, &args.ignore, &args.why];
    let flow = args.flow.as_ref().is_some_and(|places| !places.is_empty());
    if paths.len() > 1 && (flow || places.iter().any(|places| !places.is_empty())) {
        return Err("queries about lines need exactly one program".into());
    }
    if paths.len() > 1 && (args.save.is_some() || args.export.is_some()) {
        return Err("--save and --export need exactly one program".into());
    }
    let (settings, verifier) = prepare(&args.solving, 0, None)?;
    Ok(Prepared { paths, beside, settings, verifier })
}

fn explain_one(
    args: &args::Deps,
    source: Source,
    several: bool,
    output: &Output,
    settings: &Settings,
    verifier: &Verifier,
) -> (Option<Piece>, Exit) {
    let definition = args.definition.map(Definition::from).unwrap_or_default();
    if source.is_boogie()
        && let Some(message) = not_for_boogie(args, definition)
    {
        return (None, failed(message));
    }
    // The number is that of `cover`, for which it does not matter which goal needs what.
    let counts = args.coverage && args.save.is_none() && args.export.is_none();
    let together = counts && definition == Definition::Verification;
    let attribution = if together { Attribution::Overall } else { Attribution::PerNode };
    let callers = if joins(args) { Callers::Joined } else { Callers::Apart };
    let policy = match policy(&args.policy) {
        Ok(policy) => policy,
        Err(message) => return (None, failed(&message)),
    };
    let options =
        DependencyOptions { definition, attribution, callers, policy, ..Minimization::from(args.minimize).into() };
    let shown = shown(source.path());
    let is_boogie = source.is_boogie();
    let found = match explained(source, &args.common, output, options, settings, verifier) {
        Ok((_, found)) => found,
        Err(file) if is_boogie => return (Some(Piece::of_file(&file)), Exit::from(file.verdict)),
        Err(file) => {
            let file = with_unselected(*file, settings, output, if several { 2 } else { 1 });
            return (Some(Piece::of_file(&file)), Exit::from(file.verdict));
        }
    };
    let subject = subject(&found, &shown);
    let verdict = Exit::from(found.result().verdict);
    if let (true, Explained::Viper(found)) = (args.test, &found) {
        let (piece, exit) = test(args, output, found, subject, several);
        return (piece, exit.max(verdict));
    }
    match answer(args, output, subject, several) {
        Ok((piece, exit)) => (piece, exit.max(verdict)),
        Err(exit) => (None, exit),
    }
}

/// The option that is not supported for Boogie programs, which only have a graph.
fn not_for_boogie(args: &args::Deps, definition: Definition) -> Option<&'static str> {
    if args.join.is_some() {
        return Some("--join callers is for Viper programs");
    }
    let is_asked = args.test || definition == Definition::Execution;
    is_asked.then_some("--test and --definition execution are for Viper programs")
}

/// Loads a graph from a file.
pub fn load(path: &Path) -> Fallible<(String, View, Graph)> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(saved::load(&text).map_err(|error| format!("{}: {error}", path.display()))?)
}

/// Whether a saved graph was made with the requested definition, if any.
pub fn agrees(definition: Option<args::Definition>, graph: &Graph) -> bool {
    definition.is_none_or(|definition| Definition::from(definition) == graph.definition)
}

pub fn disagrees(path: &Path, graph: &Graph) -> String {
    let (path, name) = (path.display(), graph.definition.name());
    format!("{path} was saved with --definition {name}; save it again from the program with the other one")
}

/// Why a graph cannot be exported, if it cannot.
pub fn not_exported(graph: &Graph) -> Option<&'static str> {
    let message = "other tools follow edges between nodes, which cannot keep the paths of an execution apart; export with \
                   --definition verification, or use --save or --all --format json";
    (graph.definition == Definition::Execution).then_some(message)
}

fn failed(message: impl Display) -> Exit {
    complain(message);
    Exit::Invalid
}

/// Writes the requested files and answers the query. The error is an exit code after a message.
fn answer(
    args: &args::Deps,
    output: &Output,
    subject: Subject<'_>,
    several: bool,
) -> Result<(Option<Piece>, Exit), Exit> {
    write(args, output, subject.path, subject.queries).map_err(|message| failed(&message))?;
    let group = args.group.map_or(Group::None, |group| match group {
        args::Group::Member => Group::Member,
        args::Group::Type => Group::Type,
    });
    let piece = query(args, subject.queries, |answers| say(output, subject, several, answers, group));
    piece.map(|piece| (piece, Exit::Success)).map_err(|message| failed(&message))
}

/// Prints an answer for users, or returns the piece for programs.
fn say(output: &Output, subject: Subject<'_>, several: bool, answers: &Answers<'_>, group: Group) -> Option<Piece> {
    if output.is_for_people() {
        if several {
            print(&format!("{}:\n", subject.path));
        }
        print(&deps::human_answers(subject.queries.view, answers, group));
    }
    output.piece(|| deps::piece(subject, answers))
}

fn write(args: &args::Deps, output: &Output, path: &str, Queries { view, graph }: Queries) -> Fallible<()> {
    let put = |path: &Path, text: String| {
        let written = std::fs::write(path, text).map(|()| output.wrote(path));
        written.map_err(|error| format!("{} cannot be written: {error}", path.display()))
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
    std::fs::create_dir_all(folder).map_err(|error| format!("{} cannot be created: {error}", folder.display()))?;
    let internal = !args.no_internal;
    for (name, text) in export::files(Exported { path, view, graph, internal }, tool) {
        put(&folder.join(name), text)?;
    }
    Ok(())
}

fn query(args: &args::Deps, queries: Queries, say: impl Fn(&Answers<'_>) -> Option<Piece>) -> Fallible<Option<Piece>> {
    let view = queries.view;
    let ignored: BTreeSet<UserId> = nodes_at(view, &args.ignore)?.into_iter().collect();
    let filter = filter::Filter::new(args, view)?;
    if !args.of.is_empty() {
        let of = asserted_at(queries, &args.of)?;
        let together = of.first().filter(|_| of.len() > 1).map(|first| queries.together(*first, &of, &ignored));
        let mut each: Vec<_> = of.into_iter().map(|of| queries.dependencies(of, &ignored)).collect();
        let mut together = together;
        each.iter_mut().chain(&mut together).for_each(|answer| filter.dependencies(view, answer));
        return Ok(say(&Answers::Dependencies { each, together }));
    }
    if !args.from.is_empty() {
        let from = answering(view, nodes_at(view, &args.from)?);
        let mut answers: Vec<_> = from.into_iter().map(|of| queries.dependents(of)).collect();
        answers.iter_mut().for_each(|answer| filter.dependents(view, answer));
        return Ok(say(&Answers::Dependents(answers)));
    }
    if !args.between.is_empty() {
        return Ok(say(&Answers::Pairs(queries.between(&nodes_at(view, &args.between)?, &ignored))));
    }
    if !args.impact.is_empty() {
        let of = nodes_at(view, &args.impact)?;
        let fallen = queries.impact(&of);
        return Ok(say(&Answers::Impact { of, fallen: &fallen }));
    }
    if let [of, on] = &args.why[..] {
        let (of, to) = (asserted_at(queries, std::slice::from_ref(of))?, nodes_at(view, std::slice::from_ref(on))?);
        return Ok(say(&Answers::Chain(queries.why(&of, &to))));
    }
    if let Some(places) = &args.flow {
        let of = nodes_at(view, places)?;
        let chosen = queries.flow((!places.is_empty()).then_some(&of));
        return Ok(say(&Answers::Flow { events: &queries.graph.flow, chosen }));
    }
    if args.coverage || !args.coverage_of.is_empty() {
        let (members, program) = match args.coverage {
            true => (queries.coverage(), Some(queries.progress())),
            false => (queries.coverage_of(&asserted_at(queries, &args.coverage_of)?), None),
        };
        return Ok(say(&Answers::Coverage { members: &members, program: program.as_ref() }));
    }
    if args.trusted {
        return Ok(say(&Answers::Trusted(&filter.trusted(view, queries.trusted()))));
    }
    if args.progress {
        return Ok(say(&Answers::Quality(&queries.quality())));
    }
    if args.all {
        let mut each = queries.all(&ignored);
        each.iter_mut().for_each(|answer| filter.dependencies(view, answer));
        return Ok(say(&Answers::Dependencies { each, together: None }));
    }
    // Writing a graph is sufficient output.
    if args.save.is_some() || args.export.is_some() {
        return Ok(say(&Answers::Nothing));
    }
    Ok(say(&Answers::Summary(&queries.summary())))
}

/// Verifies and explains a program, for all commands that need dependencies.
pub fn explained(
    source: Source,
    common: &Common,
    output: &Output,
    options: DependencyOptions,
    settings: &Settings,
    verifier: &Verifier,
) -> Result<(Verification, Explained), Box<FileResult>> {
    let bar = Bar::new(output.shows_progress());
    let verification = verifier.explain_any(&verifier.check(source), settings, options, &bar);
    let found = verification.explanation(options).inspect_err(|file| output.file(file))?;
    if common.format == Format::Human && !common.quiet {
        output.findings(found.result());
    }
    Ok((verification, found))
}

/// The JSON for an answer about a program that was just verified.
pub fn piece(found: &Explained, path: &str, answers: &Answers<'_>) -> Piece {
    deps::piece(subject(found, path), answers)
}

fn subject<'a>(found: &'a Explained, path: &'a str) -> Subject<'a> {
    let (times, work) = match found {
        Explained::Viper(found) => effort(found),
        Explained::Boogie(_) => {
            let times = Times { verify: found.result().time.as_secs_f64() * 1000.0, ..Times::default() };
            (times, Work::default())
        }
    };
    let verified = Verified { result: found.result(), times, work };
    Subject { path, queries: found.queries(), verified: Some(verified) }
}

fn effort(found: &Dependencies) -> (Times, Work) {
    let milliseconds = |time: std::time::Duration| time.as_secs_f64() * 1000.0;
    let work = &found.work;
    let times = Times {
        verify: milliseconds(found.verify_time),
        analyse: milliseconds(found.analyse_time),
        waiting: milliseconds(work.waiting),
    };
    let work = Work {
        checks: work.checks,
        easy: work.easy,
        lost: work.lost,
        verified: work.verified,
        replayed: work.replayed,
        questions: work.questions,
        answers: work.answers,
        bytes: work.bytes,
    };
    (times, work)
}

fn nothing_at(view: &View, place: &LineSpec) -> String {
    let LineSpec { file, line, column } = place;
    let known: Vec<String> = view.files().into_iter().map(|name| name.to_string()).collect();
    let there = |node: &&ViewNode| {
        let path = &*node.position.file;
        file.as_deref().is_none_or(|file| path == file || path.ends_with(&format!("/{file}")))
    };
    let lines = view.nodes.iter().filter(there).map(|node| node.position.start.line);
    let nearest = lines.min_by_key(|at| (at.abs_diff(*line), *at));
    let at = column.map(|column| format!(", column {column}")).unwrap_or_default();
    let of = file.as_deref().map(|file| format!(" of {file}")).unwrap_or_default();
    let hint = match (nearest, file) {
        (Some(at), _) if at == *line => "; something else on that line is".to_string(),
        (Some(at), _) => format!("; the nearest line with something is {at}"),
        (None, Some(file)) => format!("; there is nothing in {file}, only in {}", known.join(", ")),
        (None, None) => String::new(),
    };
    format!("nothing is assumed or proved at line {line}{of}{at}{hint}")
}

/// The nodes at some locations, without duplicates.
pub fn nodes_at(view: &View, places: &[LineSpec]) -> Fallible<Vec<UserId>> {
    let mut users = Vec::new();
    for place in places {
        let there = view.at(place.file.as_deref(), place.line, place.column);
        if there.is_empty() {
            return Err(nothing_at(view, place).into());
        }
        users.extend(there);
    }
    users.sort();
    users.dedup();
    Ok(users)
}

/// The nodes that represent the given ones in front-end programs, without duplicates; the given ones if there are
/// none.
fn answering(view: &View, users: Vec<UserId>) -> Vec<UserId> {
    let mut answering: Vec<UserId> = users.iter().filter_map(|user| view.front_end.shown(*user)).collect();
    answering.sort();
    answering.dedup();
    if answering.is_empty() { users } else { answering }
}

/// The nodes among them that demand a proof.
pub fn asserted_at(queries: Queries, places: &[LineSpec]) -> Fallible<Vec<UserId>> {
    let there = nodes_at(queries.view, places)?;
    let failed = |user: &UserId| queries.graph.failed.contains(user);
    let proved = |user: &UserId| queries.graph.is_asserted(*user) && !failed(user);
    let asserted: Vec<UserId> = there.iter().copied().filter(proved).collect();
    let failed = there.iter().any(failed);
    let asserted = answering(queries.view, asserted);
    match asserted.is_empty() {
        true if failed => Err("the obligation there was not proved".into()),
        true => {
            Err("nothing there has to be proved; `echis deps --from LINE` shows what depends on an assumption".into())
        }
        false => Ok(asserted),
    }
}

fn test(
    args: &args::Deps,
    output: &Output,
    found: &Dependencies,
    subject: Subject<'_>,
    several: bool,
) -> (Option<Piece>, Exit) {
    let tests = check_annotations(&found.nodes, &found.graph);
    let names: Vec<String> = tests.iter().map(|test| owner_name(&found.program, test.owner).to_string()).collect();
    if let Err(message) = write(args, output, subject.path, subject.queries) {
        failed(&message);
    }
    let piece = say(output, subject, several, &Answers::Tests { tests: &tests, names: &names }, Group::None);
    let missing = tests.iter().any(|test| !test.missing.is_empty());
    (piece, if missing { Exit::Failed } else { Exit::Success })
}
