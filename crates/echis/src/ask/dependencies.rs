//! The dependencies of a program's proofs.

use crate::cache::memory::Positions;
use crate::checked::Checked;
use crate::defect::Ended;
use crate::language::conditions::{Conditions, as_other};
use crate::language::viper;
use crate::verification::{Question, Verification};
use crate::verify::explainers::{Explained, Explaining, TreeSender, Work};
use crate::verify::interpretations::refused;
use crate::verify::known::KnownProofs;
use crate::verify::members::{Plan, Progress, Reached, Silent, Verified, selected, selects, verify_planned};
use crate::verify::results::{Concluded, Digest, conclude, finding, gather};
use crate::verify::run::{Kept, Run};
use crate::verify::schedule;
use crate::verify::settings::{Settings, Subject, Trees};
use crate::verify::verifier::Verifier;
use echis_base::{Diagnostic, Name, SyntaxId};
use echis_depend::{
    Attribution, Callers, Definition, DependencyOptions, Graph, MemberNeeds, Minimization, Nodes, UserId, View,
    with_answers,
};
use echis_exec::Engine;
use echis_findings::FileResult;
use echis_findings::diagnose::Place;
use echis_program::program::Program;
use echis_proof::{Failure, MemberId, Outcome, Verifier as _};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A verified program with its dependencies.
#[derive(Clone)]
pub struct Dependencies {
    /// The result of verification.
    pub result: FileResult,
    /// The typed program.
    pub program: Arc<Program>,
    /// The nodes that a user can point at.
    pub nodes: Nodes,
    /// The dependency graph.
    pub graph: Graph,
    /// The nodes for display, with answers for all of them.
    pub view: View,
    /// The time spent on verification.
    pub verify_time: Duration,
    /// The time spent on explaining after verification, over all threads.
    pub analyse_time: Duration,
    /// The effort of explaining, in the solver's units.
    pub work: Work,
    /// Proofs that variations of the program need not find again.
    pub(crate) known: Option<KnownProofs>,
}

/// The id of errors about annotations that give a node's kind.
const WRONG_ANNOTATION: &str = "annotation.error:unknown.type";

/// The question for the dependencies of a Viper program's proofs, with these options.
#[derive(PartialEq)]
struct Needs(DependencyOptions);

impl Question for Needs {
    type Answer = Result<Arc<Dependencies>, Box<FileResult>>;
}

impl Verifier {
    /// Verifies a Viper program and explains each member meanwhile. The verification then has the answer to
    /// [`Verification::dependencies`] with the same options.
    pub fn explain(
        &self,
        checked: &Arc<Checked>,
        settings: &Settings,
        options: impl Into<DependencyOptions>,
        progress: &dyn Progress,
    ) -> Verification {
        let options = options.into();
        let trees = if settings.trees == Trees::Kept || is_bounded(options) { Trees::Kept } else { Trees::Explained };
        let settings = Settings { trees, ..settings.clone() };
        // The fast search's graph, which bounds the answer, also serves as the answer for less effort.
        let first = if is_bounded(options) { fast(options) } else { options };
        let (run, found) = explain(self, checked, &settings, first, progress, |_, _| true);
        let verification = Verification::new(self.clone(), checked.clone(), settings, run);
        verification.note(Needs(first), found.map(Arc::new));
        // Errors of the program are known; everything else is kept with the verification.
        let _ = verification.unconfirmed(options);
        verification
    }
}

fn fast(options: DependencyOptions) -> DependencyOptions {
    DependencyOptions { minimization: Minimization::Fast, ..options }
}

/// Whether the smallest dependencies must not exceed those found by the fast search.
fn is_bounded(options: DependencyOptions) -> bool {
    options.minimization == Minimization::Full && options.definition == Definition::Verification
}

impl Verification {
    /// The dependencies of a Viper program's proofs, before claims about contradictions are confirmed.
    pub(crate) fn unconfirmed(&self, options: DependencyOptions) -> Result<Arc<Dependencies>, Box<FileResult>> {
        let answer = self.ask(Needs(options), || {
            let found = self.explained(options)?;
            Ok(Arc::new(self.bounded(found, options)))
        });
        (*answer).clone()
    }
    /// The unconfirmed dependencies, if already computed.
    pub(crate) fn known_unconfirmed(&self, options: DependencyOptions) -> Option<Arc<Dependencies>> {
        self.answered(&Needs(options))?.as_ref().as_ref().ok().cloned()
    }

    fn bounded(&self, found: Dependencies, options: DependencyOptions) -> Dependencies {
        if !is_bounded(options) {
            return found;
        }
        match self.unconfirmed(fast(options)) {
            Ok(fast) => found.bounded_by(&fast),
            Err(_) => found,
        }
    }

    /// Explains members from kept trees; executes a member only if it has no tree.
    fn explained(&self, options: DependencyOptions) -> Result<Dependencies, Box<FileResult>> {
        let Some(program) = self.checked().viper().filter(|_| !self.members().is_empty()) else {
            return Err(Box::new(FileResult::clone(self.result())));
        };
        let nodes = nodes(self.checked(), program)?;
        let settings = Settings { counterexample: None, ..self.settings() };
        let engine = Engine::new(program);
        let recall = viper::recall(&engine, program, &settings, self.verifier());
        let memory = self.verifier().memory().zip(recall.as_ref());
        let positions: BTreeMap<MemberId, Positions> = match &memory {
            Some((_, recall)) => {
                let of = recall.known.iter().map(|(id, lookup)| {
                    let seen = &lookup.fingerprint.nodes;
                    (id, Positions::new(program, &nodes, &lookup.key, seen, &options))
                });
                of.collect()
            }
            None => BTreeMap::new(),
        };
        let remembered = |id: MemberId| memory.as_ref()?.0.needs(positions.get(&id)?);
        let ended: BTreeSet<&Name> =
            self.members().iter().filter(|found| found.stopped.is_none()).map(|found| &found.member.name).collect();
        let wanted = engine.members().iter().filter(|(_, member)| ended.contains(&member.name)).map(|(id, _)| id);
        let explaining = Explaining { program, nodes: &nodes, options, wanted: &|_| true, known: None };
        let mut found: BTreeMap<MemberId, Result<MemberNeeds, Ended>> = BTreeMap::new();
        let (mut trees, mut missing, mut spent) = (Vec::new(), BTreeSet::new(), Spent::default());
        for id in wanted {
            match (remembered(id), self.kept(id)) {
                (Some(needs), _) => {
                    spent.work.count(&needs.statistics);
                    found.insert(id, Ok(needs));
                }
                (None, Some(kept)) => trees.push((id, kept)),
                (None, None) => drop(missing.insert(id)),
            }
        }
        let waits = vec![Vec::new(); trees.len()];
        let explained = schedule::run(
            &waits,
            settings.jobs,
            || (),
            |(), index| {
                let (_, Kept { outcome, proofs }) = trees[index];
                let outcome = outcome.lock().unwrap_or_else(PoisonError::into_inner);
                explaining.explain_kept(&outcome.tree, proofs.iter().cloned(), &settings, self.verifier().solvers())
            },
        );
        let explained: Vec<(MemberId, Result<Explained, Ended>)> =
            trees.iter().map(|(id, _)| *id).zip(explained).collect();
        let executed = self.executed(&engine, &explaining, missing, &settings);
        for (id, explained) in explained.into_iter().chain(executed) {
            let needs = explained.map(|explained| spent.add(explained));
            if let (Some((memory, _)), Some(positions), Ok(needs), false) =
                (&memory, positions.get(&id), &needs, settings.cancel.is_over())
            {
                memory.keep_needs(positions, needs);
            }
            found.insert(id, needs);
        }
        let mut members = self.members().to_vec();
        let mut all = Vec::new();
        for (id, needs) in found {
            match needs {
                Ok(needs) => all.push(needs),
                // A member without an explanation must not look like one without dependencies.
                Err(ended) => {
                    let member = engine.members()[id].clone();
                    members.retain(|found| found.member.name != member.name);
                    let (found, reached) = (Vec::new(), Reached::default());
                    let ended = Verified { member, time: Duration::ZERO, result: Err(ended), found, reached };
                    members.push(concluded(self.checked(), program, ended));
                }
            }
        }
        let mut result = FileResult { members: Vec::new(), stopped: Vec::new(), ..self.checked().result() };
        gather(members, &mut result);
        result.time = self.result().time;
        result.part = self.result().part.clone();
        Ok(spent.dependencies(program.clone(), nodes, options, all, result, &settings))
    }

    /// Executes members without a tree to explain them.
    fn executed(
        &self,
        engine: &Engine<'_>,
        explaining: &Explaining<'_>,
        missing: BTreeSet<MemberId>,
        settings: &Settings,
    ) -> Vec<(MemberId, Result<Explained, Ended>)> {
        if missing.is_empty() {
            return Vec::new();
        }
        let recall = viper::recall(engine, explaining.program, settings, self.verifier());
        let settings = Settings { trees: Trees::Explained, ..settings.clone() };
        let solvers = self.verifier().solvers();
        let jobs = Mutex::new(Vec::new());
        let keep = |id: MemberId, outcome: Outcome, sender: TreeSender<'_, '_, '_>, answers| {
            if let Some(recall) = &recall {
                recall.note(id, &engine.members()[id], &outcome, answers);
            }
            let job = sender.finish(&outcome.tree);
            jobs.lock().unwrap_or_else(PoisonError::into_inner).push((id, job));
        };
        let conditions = Conditions::new(explaining.program, &settings, solvers);
        let mut plan = Plan::new(engine, missing.clone()).asking(as_other(&conditions));
        if let Some(recall) = &recall {
            plan.remembered = plan.unreported().filter_map(|id| Some((id, recall.answers(id)?))).collect();
        }
        let (ended, mut explained) = explaining.run_alongside(&settings, solvers, |dispatcher| {
            let ended = |verified: Verified<()>| (verified.member.name, verified.result.err());
            verify_planned(plan, &settings, solvers, &Silent, || dispatcher.sender(), keep, ended)
        });
        let jobs = jobs.into_inner().unwrap_or_else(PoisonError::into_inner);
        let jobs = jobs.into_iter().filter(|(id, _)| missing.contains(id));
        let done = jobs.map(|(id, job)| (id, explained.remove(&job).unwrap_or_else(unexplained)));
        let ended = ended.into_iter().filter_map(|(name, ended)| {
            let id = engine.members().iter().find(|(_, member)| member.name == name)?.0;
            Some((id, Err(ended?)))
        });
        done.chain(ended).collect()
    }
}

fn unexplained() -> Result<Explained, Ended> {
    Err(Ended::Defect("a member was verified and not explained".into()))
}

/// The nodes of a program, or errors if its annotations are invalid.
fn nodes(checked: &Checked, program: &Program) -> Result<Nodes, Box<FileResult>> {
    let nodes = Nodes::new(program);
    let error = |(on, message): (&SyntaxId, &String)| {
        Diagnostic::error(WRONG_ANNOTATION, program.syntax.span(*on), message.clone())
    };
    let mistakes: Vec<Diagnostic> = nodes.mistakes.iter().map(error).collect();
    if mistakes.is_empty() { Ok(nodes) } else { Err(Box::new(checked.result_with(&mistakes))) }
}

fn concluded(checked: &Checked, program: &Program, verified: Verified<Digest>) -> Concluded {
    let sources = checked.sources();
    let words = |member: &Name, failure: &Failure| finding(Place { program, sources, member }, failure);
    conclude(verified, |id| program.syntax.span(id), words)
}

/// Verifies a program and explains its members meanwhile.
pub(crate) fn explain(
    verifier: &Verifier,
    checked: &Checked,
    settings: &Settings,
    options: DependencyOptions,
    progress: &dyn Progress,
    wanted: impl Fn(&Nodes, UserId) -> bool + Sync,
) -> (Run, Result<Dependencies, Box<FileResult>>) {
    let (start, solvers) = (Instant::now(), verifier.solvers());
    let unverified = |result: FileResult| (Run::unverified(result.clone()), Err(Box::new(result)));
    let Some(program) = checked.viper() else { return unverified(checked.viper_result()) };
    let engine = Engine::new(program);
    if settings.subject == Subject::Given {
        let refused = refused(program, solvers, settings);
        if !refused.is_empty() || !selects(&engine, settings) {
            return unverified(checked.result_with(&refused));
        }
    }
    let nodes = match nodes(checked, program) {
        Ok(nodes) => nodes,
        Err(result) => return unverified(*result),
    };
    let wanted = |user| wanted(&nodes, user);
    let known = (options.attribution == Attribution::Overall).then(KnownProofs::default);
    let explaining = Explaining { program, nodes: &nodes, options, wanted: &wanted, known: known.as_ref() };
    let kept: Mutex<BTreeMap<MemberId, Kept>> = Mutex::default();
    let keep = |id: MemberId, mut outcome: Outcome, mut sender: TreeSender<'_, '_, '_>, _| {
        let proofs = sender.take_all_proofs();
        let job = sender.finish(&outcome.tree);
        let place = Place { program, sources: checked.sources(), member: &engine.members()[id].name };
        let digest = Digest::viper(place, &mut outcome, None);
        if settings.trees == Trees::Kept {
            let tree = Kept { outcome: Mutex::new(outcome), proofs };
            kept.lock().unwrap_or_else(PoisonError::into_inner).insert(id, tree);
        }
        (digest, job)
    };
    let conditions = Conditions::new(program, settings, solvers);
    let (verified, mut explained) = explaining.run_alongside(settings, solvers, |dispatcher| {
        let plan = Plan::new(&engine, selected(&engine, settings)).asking(as_other(&conditions));
        verify_planned(plan, settings, solvers, progress, || dispatcher.sender(), keep, |verified| verified)
    });
    let (mut needs, mut spent, mut members) = (Vec::new(), Spent::default(), Vec::new());
    for Verified { member, time, result, found, reached } in verified {
        // A member without an explanation must not look like one without dependencies.
        let result = result.and_then(|(digest, job)| {
            needs.push(spent.add(explained.remove(&job).unwrap_or_else(unexplained)?));
            Ok(digest)
        });
        members.push(concluded(checked, program, Verified { member, time, result, found, reached }));
    }
    let mut result = checked.result();
    gather(members.clone(), &mut result);
    result.time += start.elapsed();
    let kept = std::mem::take(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner));
    let run = Run { result: result.clone(), members, kept };
    let found = spent.dependencies(program.clone(), nodes, options, needs, result, settings);
    (run, Ok(Dependencies { known, ..found }))
}

/// The cost of explaining.
#[derive(Default)]
struct Spent {
    time: Duration,
    work: Work,
}

impl Spent {
    fn add(&mut self, explained: Explained) -> MemberNeeds {
        self.time += explained.took;
        self.work.add(&explained.work);
        explained.needs
    }
    fn dependencies(
        self,
        program: Arc<Program>,
        nodes: Nodes,
        options: DependencyOptions,
        members: Vec<MemberNeeds>,
        result: FileResult,
        settings: &Settings,
    ) -> Dependencies {
        let Spent { time: analyse_time, work } = self;
        let mut graph = match options.definition {
            Definition::Verification => Graph::new(&nodes, members),
            Definition::Execution => echis_depend::execution_graph(&nodes, members),
        };
        if options.callers == Callers::Joined {
            echis_depend::join_callers(&program, &nodes, &mut graph);
        }
        let mut view = with_answers(View::new(&program, &result.sources, &nodes, &graph), &graph);
        view.members =
            settings.members.is_some().then(|| result.members.iter().map(|found| found.name.clone()).collect());
        let verify_time = result.time.saturating_sub(analyse_time / settings.jobs.max(1) as u32);
        Dependencies { result, program, nodes, graph, view, verify_time, analyse_time, work, known: None }
    }
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
