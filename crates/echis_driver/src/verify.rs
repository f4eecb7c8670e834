//! From a checked program to what was found in each member.

use crate::cancel::Cancel;
use crate::defect::{Ended, guarded};
use crate::order::{Imports, Task, plan};
use crate::pattern::Pattern;
use crate::schedule;
use crate::solvers::{Solver, Solvers};
use echis_analysis::counterexample::{View, wanted as wanted_of_model};
use echis_analysis::depend::Deriving;
use echis_analysis::{Finding, MemberKind, MemberResult, Stopped, diagnose};
use echis_base::{Name, SourceMap, SyntaxId};
use echis_exec::{Failure, Library, Member, Options, Outcome, verify_member};
use echis_program::program::Program;
use echis_proof::{Bound, GaveUp, Modeler, NoModel, NodeId, ProofTree, Prover, Reason, Verdict};
use echis_smt::Instances;
use echis_term::TermId;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How to verify.
#[derive(Clone)]
pub struct Settings {
    pub jobs: usize,
    /// Stop a member after this many errors; 0 finds all.
    pub errors: usize,
    /// Members to report on; all where there is none.
    pub members: Option<Pattern>,
    /// Whether proof trees are made to be explained.
    pub explain: bool,
    /// Whether packaged wands and what was derived are checked once more, as a test of the engine.
    pub recheck: bool,
    /// Whether failures come with counterexamples, and how these show values.
    pub counterexample: Option<View>,
    /// Whether it is told what the solver did for each member.
    pub measure: bool,
    pub cancel: Cancel,
}

impl Settings {
    pub fn is_selected(&self, member: &str) -> bool {
        self.members.as_ref().is_none_or(|pattern| pattern.matches(member))
    }
    /// One worker, all errors, all members.
    pub fn new(cancel: Cancel) -> Self {
        Settings {
            jobs: 1,
            errors: 0,
            members: None,
            explain: false,
            recheck: false,
            counterexample: None,
            measure: false,
            cancel,
        }
    }
}

/// Told as members come and go, from any thread.
pub trait Progress: Sync {
    fn begin(&self, _members: usize) {}
    fn member_done(&self, _name: &str) {}
    /// What was found in a member of a file, where that is known before the file is done.
    fn member_verified(
        &self,
        _path: &str,
        _sources: &SourceMap,
        _member: &MemberResult,
        _errors: &[Finding],
        _stopped: Option<&Stopped>,
    ) {
    }
    fn end(&self) {}
}

/// Nobody watches.
pub struct Silent;
impl Progress for Silent {}

/// A member that was worked on, and what the caller wanted to keep of the outcome: proof trees are large.
pub struct Verified<T> {
    pub member: Member,
    pub name: Name,
    pub kind: MemberKind,
    pub id: SyntaxId,
    pub time: Duration,
    pub result: Result<T, Ended>,
    /// What had failed when a member ended early.
    pub found: Vec<Failure>,
}

impl Verified<Outcome> {
    fn map<T>(self, keep: impl FnOnce(&Name, Outcome) -> T) -> Verified<T> {
        let Verified { member, name, kind, id, time, result, found } = self;
        let result = result.map(|outcome| keep(&name, outcome));
        Verified { member, name, kind, id, time, result, found }
    }
}

/// Verifies the members that the settings ask for. The results are in the order functions, predicates, methods, and
/// within these in that of the program.
pub fn verify_program<T: Send>(
    program: &Program,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
    keep: impl Fn(&Name, Outcome) -> T + Sync,
) -> Vec<Verified<T>> {
    let keep = |name: &Name, outcome, ()| keep(name, outcome);
    verify_watched(program, settings, solvers, progress, || (), keep, |verified| verified)
}

/// Sees the tree of a member grow.
pub(crate) trait Watcher {
    /// Something is asked about the tree.
    fn asked(&mut self, _tree: &ProofTree) {}
    /// An obligation could not be derived, and is asked.
    fn hard(&mut self, _tree: &ProofTree) {}
    /// Whether efforts are counted for it.
    fn measures(&self) -> bool {
        false
    }
    /// Something was asked there, and answered.
    fn answered(&mut self, _at: NodeId, _goal: TermId, _effort: u64) {}
    /// The member is done; so often its quantifiers were instantiated, where that was counted.
    fn done(&mut self, _instances: Instances) {}
    /// That goal was proved there, with so much of the solver's effort, perhaps after it could not be derived.
    fn proved(&mut self, _at: NodeId, _goal: TermId, _effort: u64, _underived: bool) {}
}
impl Watcher for () {}

/// The same, where a watcher sees each member being verified, and something is done with those that are wanted when they
/// are.
pub(crate) fn verify_watched<T, R: Send, W: Watcher>(
    program: &Program,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
    watcher: impl Fn() -> W + Sync,
    keep: impl Fn(&Name, Outcome, W) -> T + Sync,
    finish: impl Fn(Verified<T>) -> R + Sync,
) -> Vec<R> {
    let tasks = wanted(program, plan(program), settings.members.as_ref());
    let waits: Vec<Vec<usize>> = tasks.iter().map(|(task, _)| task.waits.clone()).collect();
    let library = Mutex::new(Library::new(program));
    progress.begin(tasks.len());
    let verified = schedule::run(
        &waits,
        settings.jobs,
        || Worker::new(settings, solvers),
        |worker: &mut Worker<'_>, index| {
            let (task, reported) = &tasks[index];
            let known = imported(&library, &task.imports);
            let mut watcher = watcher();
            let mut verified = worker.verify(program, task.member, &known, &mut watcher);
            if let (Member::Function(function), Ok(outcome)) = (task.member, &mut verified.result)
                && let Some(exported) = outcome.exported.take()
            {
                let mut library = library.lock().unwrap_or_else(PoisonError::into_inner);
                library.functions.insert(function, Arc::new(exported));
            }
            progress.member_done(&verified.name);
            let kept = verified.map(|name, outcome| keep(name, outcome, watcher));
            reported.then(|| finish(kept))
        },
    );
    progress.end();
    verified.into_iter().flatten().collect()
}

/// Whether the settings ask for any member of the program.
pub(crate) fn selects(program: &Program, settings: &Settings) -> bool {
    let functions = program.functions.values().map(|function| &function.name);
    let predicates = program.predicates.values().map(|predicate| &predicate.name);
    let methods = program.methods.values().map(|method| &method.name);
    settings.members.as_ref().is_none_or(|pattern| pattern.meet(functions.chain(predicates).chain(methods)))
}

/// The tasks to run, and whether each is reported on: functions that a wanted member needs are run for their
/// definitions.
fn wanted(program: &Program, tasks: Vec<Task>, pattern: Option<&Pattern>) -> Vec<(Task, bool)> {
    let Some(pattern) = pattern else { return tasks.into_iter().map(|task| (task, true)).collect() };
    let is_wanted = |task: &Task| pattern.matches(&describe(program, task.member).0);
    let is_function = |task: &Task| matches!(task.member, Member::Function(_));
    if !tasks.iter().any(is_wanted) {
        return Vec::new();
    }
    // Functions come first in the plan, so that dropping others leaves the positions that tasks wait for.
    tasks
        .into_iter()
        .filter(|task| is_function(task) || is_wanted(task))
        .map(|task| {
            let reported = is_wanted(&task);
            (task, reported)
        })
        .collect()
}

fn imported(library: &Mutex<Library>, imports: &Imports) -> Library {
    let mut known = library.lock().unwrap_or_else(PoisonError::into_inner).clone();
    if let Imports::Some(wanted) = imports {
        known.functions.retain(|function, _| wanted.contains(function));
    }
    known
}

/// A thread's own solver, kept from member to member and given back to the pool at the end.
struct Worker<'a> {
    settings: &'a Settings,
    solvers: &'a Solvers,
    solver: Option<Solver>,
}

impl<'a> Worker<'a> {
    fn new(settings: &'a Settings, solvers: &'a Solvers) -> Self {
        Worker { settings, solvers, solver: None }
    }

    fn verify(
        &mut self,
        program: &Program,
        member: Member,
        library: &Library,
        watcher: &mut impl Watcher,
    ) -> Verified<Outcome> {
        let start = Instant::now();
        let (name, kind, id) = describe(program, member);
        let Settings { errors, explain, recheck, .. } = *self.settings;
        let options = Options { errors, explain, recheck };
        let mut solver = self.solver.take().unwrap_or_else(|| self.solvers.take(&self.settings.cancel));
        let mut found = Vec::new();
        let result = guarded(|| {
            solver.begin(explain || watcher.measures());
            let deriving = explain.then(Deriving::default);
            let mut prover = Watched { solver: &mut solver, watcher, deriving, recheck, effort: 0 };
            let mut outcome = verify_member(program, member, library, &mut prover, &options, &mut found);
            watcher.done(solver.take_instances());
            if self.settings.counterexample.is_some() {
                find_models(&mut outcome, &mut solver);
            }
            outcome
        });
        // A solver that was left in the middle of something is not used again.
        if result.is_ok() {
            self.solver = Some(solver);
        }
        Verified { member, name, kind, id, time: start.elapsed(), result, found }
    }
}

/// A solver under the eyes of a watcher.
struct Watched<'a, W> {
    solver: &'a mut Solver,
    watcher: &'a mut W,
    /// Where proofs are explained, obligations that are easily derived are not asked.
    deriving: Option<Deriving>,
    /// Whether they are asked all the same.
    recheck: bool,
    effort: u64,
}

impl<W: Watcher> Watched<'_, W> {
    /// What can be said without the solver.
    fn derive(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> Option<Verdict> {
        let deriving = self.deriving.as_mut()?;
        // Whatever is not an obligation is seldom true, and worth a derivation only where that is all it is worth.
        let (brief, full) = (bound == Bound::Brief, bound == Bound::Full);
        if (brief || full) && deriving.proves(tree, at, goal) {
            return Some(Verdict::Proved);
        }
        if full {
            self.watcher.hard(tree);
        }
        brief.then_some(Verdict::Unknown(GaveUp::Incomplete))
    }
}

impl<W: Watcher> Prover for Watched<'_, W> {
    fn last_effort(&self) -> u64 {
        self.effort
    }
    fn check(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> Verdict {
        self.watcher.asked(tree);
        self.effort = 0;
        let derived = self.derive(tree, at, goal, bound);
        if let Some(derived) = derived.as_ref().filter(|_| !self.recheck) {
            return derived.clone();
        }
        let verdict = self.solver.check(tree, at, goal, bound);
        let agreed = derived.is_none_or(|derived| !derived.is_proved()) || verdict.is_proved();
        assert!(agreed, "derived, but not proved: {}", tree.terms.text(goal));
        self.effort = self.solver.last_effort();
        self.watcher.answered(at, goal, self.effort);
        if verdict.is_proved() {
            self.watcher.proved(at, goal, self.effort, bound == Bound::Full);
        }
        verdict
    }
}

/// Asks for a model of every failure. The tree's terms grow by what is watched.
fn find_models(outcome: &mut Outcome, solver: &mut Solver) {
    for failure in &mut outcome.failures {
        let (at, goal) = failing(&mut outcome.tree, failure);
        failure.model = Some(match failure.property.reason {
            Reason::FeatureUnsupported => Err(NoModel::Unsupported),
            _ => {
                let wanted = wanted_of_model(&mut outcome.tree, &failure.state, at, goal);
                solver.model(&outcome.tree, at, goal, &wanted)
            }
        });
    }
}

/// Where a failure is, and what should hold there. A failure without a check is one of whatever comes there.
pub(crate) fn failing(tree: &mut ProofTree, failure: &Failure) -> (NodeId, TermId) {
    match failure.check {
        Some(check) => (tree.checks[check].at, tree.checks[check].goal),
        None => (failure.at, tree.terms.falsity()),
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        let explain = self.settings.explain;
        self.solver.take().into_iter().for_each(|solver| self.solvers.give_back(solver, explain));
    }
}

/// A member's name, kind and place.
pub fn describe(program: &Program, member: Member) -> (Name, MemberKind, SyntaxId) {
    match member {
        Member::Function(function) => {
            let function = &program.functions[function];
            (function.name.clone(), MemberKind::Function, function.id)
        }
        Member::Predicate(predicate) => {
            let predicate = &program.predicates[predicate];
            (predicate.name.clone(), MemberKind::Predicate, predicate.id)
        }
        Member::Method(method) => {
            let method = &program.methods[method];
            (method.name.clone(), MemberKind::Method, method.id)
        }
    }
}

/// The guards of failing paths in the words of the analysis, which does not know the executor.
pub fn guards(paths: &[Vec<echis_exec::Guard>]) -> Vec<Vec<diagnose::Guard>> {
    let guard = |guard: &echis_exec::Guard| {
        let echis_exec::Guard { condition, site, negated } = *guard;
        diagnose::Guard { condition, site, negated }
    };
    paths.iter().map(|path| path.iter().map(guard).collect()).collect()
}
