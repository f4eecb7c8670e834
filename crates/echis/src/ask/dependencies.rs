//! One file from its path to the dependencies of its proofs.

use crate::checked::result::{broken, front_result};
use crate::checked::{Front, check_file};
use crate::defect::{Ended, guarded};
use crate::verify::conclude::{Digest, collect};
use crate::verify::explainers::{Explained, Explaining, TreeSender, Work};
use crate::verify::interpretations::understood;
use crate::verify::members::{Progress, Silent, Verified, selects, verify_watched};
use crate::verify::settings::Settings;
use crate::verify::solvers::Solvers;
use echis_base::{Diagnostic, SyntaxId};
use echis_depend::{
    self, Callers, Definition, DependencyOptions, Graph, MemberNeeds, Minimization, Nodes, UserId, View, with_answers,
};
use echis_exec::Engine;
use echis_findings::FileResult;
use echis_findings::diagnose::Place;
use echis_program::program::Program;
use echis_proof::{Member, Outcome};
use std::path::Path;
use std::time::{Duration, Instant};

/// A verified program and why its assertions hold.
pub struct Dependencies {
    /// What verification found.
    pub result: FileResult,
    pub program: Program,
    pub nodes: Nodes,
    pub graph: Graph,
    pub view: View,
    pub verify_time: Duration,
    /// The time spent on explaining after verification, on whatever threads.
    pub analyse_time: Duration,
    pub work: Work,
}

/// The id of errors about annotations that say what a node counts as.
const WRONG_ANNOTATION: &str = "annotation.error:unknown.type";

/// Verifies a file and explains the nodes that are wanted. Without a program there is only what is wrong with it.
pub fn dependencies(
    path: &Path,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
    options: impl Into<DependencyOptions>,
    wanted: impl Fn(&Nodes, UserId) -> bool + Sync,
) -> Result<Dependencies, Box<FileResult>> {
    let start = Instant::now();
    solvers.warm_up();
    let explain = |progress: &dyn Progress, options: DependencyOptions| {
        let front =
            guarded(|| check_file(path, &*settings.loader)).map_err(|ended| Box::new(broken(path, ended, start)))?;
        let front = understood(front, solvers, &settings.cancel);
        explain_front(front, start, settings, solvers, progress, options, &wanted)
    };
    let options = options.into();
    let found = explain(progress, options)?;
    if options.minimization != Minimization::Full || options.definition != Definition::Verification {
        return Ok(found);
    }
    // Whoever looks for the least does not get more than who does not.
    let fast = explain(&Silent, DependencyOptions { minimization: Minimization::Fast, ..options })?;
    Ok(found.bounded_by(&fast))
}

impl Dependencies {
    fn bounded_by(self, other: &Dependencies) -> Self {
        let Dependencies { result, program, nodes, graph, view, .. } = self;
        let counts = |user: UserId| nodes.all[user].is_shown() && nodes.all[user].assumption.is_some();
        let graph = graph.bounded_by(&other.graph, counts);
        let answers = with_answers(View::new(&program, &result.sources, &nodes, &graph), &graph);
        let view = View { members: view.members, ..answers };
        Dependencies { result, program, nodes, graph, view, ..self }
    }
}

/// The same for a program that has been read.
pub(crate) fn explain_front(
    mut front: Front,
    start: Instant,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
    options: DependencyOptions,
    wanted: impl Fn(&Nodes, UserId) -> bool + Sync,
) -> Result<Dependencies, Box<FileResult>> {
    let Some(program) = front.program.take() else { return Err(Box::new(front_result(front, start))) };
    let engine = Engine::new(&program);
    if !selects(&engine, settings) {
        return Err(Box::new(front_result(front, start)));
    }
    let nodes = Nodes::new(&program);
    if !nodes.mistakes.is_empty() {
        let error = |(on, message): (&SyntaxId, &String)| {
            Diagnostic::error(WRONG_ANNOTATION, program.syntax.span(*on), message.clone())
        };
        front.diagnostics.extend(nodes.mistakes.iter().map(error));
        return Err(Box::new(front_result(front, start)));
    }
    let settings = Settings { explain: true, ..settings.clone() };
    let wanted = |user| wanted(&nodes, user);
    let explaining = Explaining { program: &program, nodes: &nodes, options, wanted: &wanted };
    let keep = |member: &Member, outcome: Outcome, sender: TreeSender<'_, '_, '_>| {
        let job = sender.finish(&outcome.tree);
        let place = Place { program: &program, sources: &front.sources, member: &member.name };
        (Digest::viper(place, outcome, None), job)
    };
    let (verified, mut explained) = explaining.run_alongside(&settings, solvers, |dispatcher| {
        verify_watched(&engine, &settings, solvers, progress, || dispatcher.sender(), keep, |verified| verified)
    });
    let mut members: Vec<MemberNeeds> = Vec::new();
    let mut analyse_time = Duration::ZERO;
    let mut digests = Vec::new();
    let mut work = Work::default();
    for Verified { member, time, result, found } in verified {
        // A member without an explanation must not look like one that needs nothing.
        let result = result.and_then(|(digest, job)| {
            let nobody = || Err(Ended::Defect("a member was verified and not explained".into()));
            let Explained { needs, took, work: done } = explained.remove(&job).unwrap_or_else(nobody)?;
            members.push(needs);
            analyse_time += took;
            work.add(&done);
            Ok(digest)
        });
        digests.push(Verified { member, time, result, found });
    }
    let mut graph = match options.definition {
        Definition::Verification => Graph::new(&nodes, members),
        Definition::Execution => echis_depend::execution_graph(&nodes, members),
    };
    if options.callers == Callers::Joined {
        echis_depend::join_callers(&program, &nodes, &mut graph);
    }
    let mut result = front_result(front, start);
    collect(&program, digests, &mut result);
    result.time = start.elapsed();
    let mut view = with_answers(View::new(&program, &result.sources, &nodes, &graph), &graph);
    view.members = settings.members.is_some().then(|| result.members.iter().map(|found| found.name.clone()).collect());
    let verify_time = result.time.saturating_sub(analyse_time / settings.jobs.max(1) as u32);
    Ok(Dependencies { result, program, nodes, graph, view, verify_time, analyse_time, work })
}
