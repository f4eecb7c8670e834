//! From a checked program to the results of its members.

use crate::cache::answers::{Answers, Remembering};
use crate::defect::{Ended, guarded};
use crate::limits::MODELS_ASKED_FOR;
use crate::verify::counters::Counters;
use crate::verify::known::{KnownProofs, KnownTree};
use crate::verify::other_engine::OtherEngine;
use crate::verify::schedule;
use crate::verify::settings::{Settings, Subject};
use crate::verify::solvers::{BoundedSession, Naming, Solvers};
use echis_base::{Name, SourceMap};
use echis_counterexample::{FailedObligation, search};
use echis_depend::{Deriver, FirstProof};
use echis_findings::{Finding, MemberResult, Stopped};
use echis_program::program::Program;
use echis_proof::{
    Bound, Failure, GaveUp, Member, MemberId, Modeler, NoModel, NodeId, Outcome, ProofTree, Property, Prover, Reason,
    Verdict, Verifier,
};
use echis_smt::{Attempt, Attempted, Elsewhere, Instances};
use echis_term::TermId;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Receives the progress of verification, from any thread.
pub trait Progress: Sync {
    /// Verification of this many members starts.
    fn begin(&self, _members: usize) {}
    /// The n-th obligation of a member is being checked.
    fn obligation(&self, _member: &str, _number: usize) {}
    /// An error was found in a member that is not finished yet.
    fn error_found(&self, _path: &str, _sources: &SourceMap, _error: &Finding) {}
    /// A member is finished.
    fn member_done(&self, _name: &str) {}
    /// The result of a member, reported before its file is finished.
    fn member_verified(
        &self,
        _path: &str,
        _sources: &SourceMap,
        _member: &MemberResult,
        _errors: &[Finding],
        _stopped: Option<&Stopped>,
    ) {
    }
    /// All members are finished.
    fn end(&self) {}
}

/// Ignores progress.
pub struct Silent;
impl Progress for Silent {}

/// The result of a member: the part of the outcome that the caller keeps, since proof trees are large.
pub struct Verified<T> {
    pub member: Member,
    pub time: Duration,
    pub result: Result<T, Ended>,
    /// The failures found before a member ended early.
    pub found: Vec<Failure>,
    pub reached: Reached,
}

/// The progress of a member's verification.
#[derive(Clone, Copy, Default)]
pub struct Reached {
    pub obligations: usize,
    /// The latest obligation.
    pub latest: Option<Property>,
}

/// Verifies the selected members. The results are in the order of the engine's members.
pub(crate) fn verify_members<V: Verifier, T: Send>(
    engine: &V,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
    keep: impl Fn(&Member, Outcome<V::Notes>) -> T + Sync,
) -> Vec<Verified<T>> {
    let keep = |member: &Member, outcome, ()| keep(member, outcome);
    verify_watched(engine, settings, solvers, progress, || (), keep, |verified| verified)
}

/// A proved goal, its node, and the proof.
#[derive(Clone)]
pub(crate) struct Proof {
    pub at: NodeId,
    pub goal: TermId,
    pub first: FirstProof,
}

/// Observes the growing tree of a member.
pub(crate) trait Watcher {
    /// An obligation of the member failed for the first time.
    fn failed(&mut self, _member: &Name, _failure: &Failure) {}
    /// A question about the tree is asked.
    fn asked(&mut self, _tree: &ProofTree) {}
    /// An obligation could not be derived and is sent to the solver.
    fn hard(&mut self, _tree: &ProofTree) {}
    /// Whether it needs effort counts.
    fn measures(&self) -> bool {
        false
    }
    /// The Viper program, if failures need counterexamples.
    fn program(&self) -> Option<&Program> {
        None
    }
    /// A question was answered.
    fn with_answers(&mut self, _at: NodeId, _goal: TermId, _effort: u64) {}
    /// The member is finished: the instance counts of its quantifiers, if counted, and the ways in which its
    /// obligations were tried.
    fn done(&mut self, _instances: Instances, _attempted: BTreeMap<Attempt, Attempted>) {}
    /// The solver proved a goal.
    fn proved(&mut self, _proof: Proof) {}
    /// The store for proofs that edited versions of the program may use.
    fn knows(&self) -> Option<&KnownProofs> {
        None
    }
    /// Whether to ask which facts proofs use.
    fn asks_for_cores(&self) -> bool {
        false
    }
}
impl Watcher for () {}

/// Verifies the selected members, each with a watcher; `finish` is called when a selected one is finished.
pub(crate) fn verify_watched<V: Verifier, T, R: Send, W: Watcher>(
    engine: &V,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
    watcher: impl Fn() -> W + Sync,
    keep: impl Fn(&Member, Outcome<V::Notes>, W) -> T + Sync,
    finish: impl Fn(Verified<T>) -> R + Sync,
) -> Vec<R> {
    let keep = |id: MemberId, outcome, watcher, _: Answers| keep(&engine.members()[id], outcome, watcher);
    let plan = Plan::new(engine, selected(engine, settings));
    verify_planned(plan, settings, solvers, progress, watcher, keep, finish)
}

/// Verifies the members of a plan, some of whose answers may be remembered.
pub(crate) fn verify_planned<V: Verifier, T, R: Send, W: Watcher>(
    plan: Plan<'_, V>,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
    watcher: impl Fn() -> W + Sync,
    keep: impl Fn(MemberId, Outcome<V::Notes>, W, Answers) -> T + Sync,
    finish: impl Fn(Verified<T>) -> R + Sync,
) -> Vec<R> {
    let Plan { engine, tasks, remembered, other } = plan;
    let positions: BTreeMap<MemberId, usize> =
        tasks.iter().enumerate().map(|(index, (member, _))| (*member, index)).collect();
    let waits =
        |(member, _): &(MemberId, bool)| engine.members()[*member].waits.iter().map(|id| positions[id]).collect();
    let waits: Vec<Vec<usize>> = tasks.iter().map(waits).collect();
    progress.begin(tasks.len());
    let verified = schedule::run(
        &waits,
        settings.jobs,
        || Worker { settings, solvers, other, solver: None },
        |worker: &mut Worker<'_>, index| {
            let (member, reported) = tasks[index];
            let described = engine.members()[member].clone();
            if !reported && remembered.get(&member).is_some_and(|answers| worker.remember(engine, member, answers)) {
                progress.member_done(&described.name);
                return None;
            }
            let start = Instant::now();
            let (mut watcher, mut found, mut answers) = (watcher(), Vec::new(), Answers::default());
            let mut reached = Reached::default();
            let told = Told { member: &described.name, progress, reached: &mut reached };
            let result = worker.verify(engine, member, &mut watcher, &mut found, &mut answers, told);
            progress.member_done(&described.name);
            let result = result.map(|outcome| keep(member, outcome, watcher, answers));
            reported.then(|| finish(Verified { member: described, time: start.elapsed(), result, found, reached }))
        },
    );
    progress.end();
    verified.into_iter().flatten().collect()
}

/// Whether the settings select any member.
pub(crate) fn selects(engine: &impl Verifier, settings: &Settings) -> bool {
    let names = engine.members().values().map(|member| &member.name);
    settings.members.as_ref().is_none_or(|pattern| pattern.meet(names))
}

/// The members that the settings select.
pub(crate) fn selected(engine: &impl Verifier, settings: &Settings) -> BTreeSet<MemberId> {
    let members = engine.members();
    let is_mine = |id: &MemberId| settings.share.as_ref().is_none_or(|share| share.contains(*id));
    members.keys().filter(|id| settings.is_selected(&members[*id].name) && is_mine(id)).collect()
}

/// The members to verify.
pub(crate) struct Plan<'a, V> {
    engine: &'a V,
    /// In order, each with whether it is reported: dependencies of selected members are verified too.
    tasks: Vec<(MemberId, bool)>,
    /// Remembered solver answers for unreported members.
    pub remembered: BTreeMap<MemberId, Answers>,
    /// Consulted for members with obligations that are hard to prove.
    other: Option<&'a dyn OtherEngine>,
}

impl<'a, V: Verifier> Plan<'a, V> {
    pub fn new(engine: &'a V, wanted: BTreeSet<MemberId>) -> Self {
        let mut needed = BTreeSet::new();
        let mut pending: Vec<MemberId> = wanted.iter().copied().collect();
        while let Some(id) = pending.pop() {
            if needed.insert(id) {
                pending.extend(&engine.members()[id].waits);
            }
        }
        let tasks = needed.into_iter().map(|id| (id, wanted.contains(&id))).collect();
        Plan { engine, tasks, remembered: BTreeMap::new(), other: None }
    }
    /// Adds another engine to consult.
    pub fn asking(self, other: Option<&'a dyn OtherEngine>) -> Self {
        Plan { other, ..self }
    }
    /// All members to be verified.
    pub fn members(&self) -> impl Iterator<Item = MemberId> {
        self.tasks.iter().map(|(id, _)| *id)
    }
    /// Members that are verified only because others depend on them.
    pub fn unreported(&self) -> impl Iterator<Item = MemberId> {
        self.tasks.iter().filter(|(_, reported)| !reported).map(|(id, _)| *id)
    }
    pub fn is_empty(&self) -> bool {
        self.tasks.is_empty()
    }
}

/// A thread's solver, kept across members and returned to the pool at the end.
struct Worker<'a> {
    settings: &'a Settings,
    solvers: &'a Solvers,
    other: Option<&'a dyn OtherEngine>,
    solver: Option<BoundedSession>,
}

impl Worker<'_> {
    fn verify<V: Verifier>(
        &mut self,
        engine: &V,
        member: MemberId,
        watcher: &mut impl Watcher,
        found: &mut Vec<Failure>,
        answers: &mut Answers,
        told: Told<'_>,
    ) -> Result<Outcome<V::Notes>, Ended> {
        let (explain, recheck) = (self.settings.explains(), self.settings.recheck);
        let options = self.settings.options();
        let counters = self.solvers.counters();
        Counters::count(match self.settings.subject {
            Subject::Given => &counters.executions,
            Subject::Variation => &counters.variations,
        });
        let mut solver = self.solver.take().unwrap_or_else(|| self.solvers.take(&self.settings.cancel));
        let result = guarded(|| {
            let naming = if explain && watcher.asks_for_cores() { Naming::On } else { Naming::Off };
            solver.begin(explain || watcher.measures(), naming);
            let deriver = Deriver::default();
            let at = engine.members()[member].id;
            let elsewhere = &mut |most| self.other?.verifies(at, most);
            let known = watcher.knows().cloned();
            let learned = known.as_ref().map(KnownProofs::tree);
            let recalled = self.solvers.known().map(KnownProofs::tree);
            let mut prover = Watched {
                solver: &mut solver,
                elsewhere,
                watcher,
                deriver,
                explain,
                recheck,
                answers,
                told,
                learned,
                recalled,
            };
            let mut outcome = engine.verify(member, &mut prover, &options, found);
            let attempted = solver.attempted();
            outcome.tree.proved_elsewhere = attempted.get(&Attempt::Elsewhere).is_some_and(|found| found.proved > 0);
            watcher.done(solver.take_instances(), attempted);
            match (self.settings.counterexample, watcher.program()) {
                (Some(_), Some(program)) => find_models(program, &mut outcome, &mut solver),
                (Some(_), None) => find_wanted_models(engine, &mut outcome, &mut solver),
                (None, _) => {}
            }
            outcome
        });
        // A solver interrupted in the middle of a question is not reused.
        if result.is_ok() {
            self.solver = Some(solver);
        }
        result
    }

    /// Replays a member with remembered answers. Returns whether that worked.
    fn remember(&self, engine: &impl Verifier, member: MemberId, answers: &Answers) -> bool {
        Counters::count(&self.solvers.counters().replays);
        let mut remembering = Remembering::new(answers);
        let executed = guarded(|| engine.verify(member, &mut remembering, &self.settings.options(), &mut Vec::new()));
        executed.is_ok() && remembering.agrees()
    }
}

/// A solver observed by a watcher.
struct Watched<'a, W> {
    solver: &'a mut BoundedSession,
    /// Consults the other engine about the member.
    elsewhere: &'a mut Elsewhere<'a>,
    watcher: &'a mut W,
    deriver: Deriver,
    /// Whether easily derived obligations are not sent to the solver, since explaining derives them anyway.
    explain: bool,
    /// Whether they are sent all the same.
    recheck: bool,
    answers: &'a mut Answers,
    told: Told<'a>,
    /// The store for proofs of this program, and the proofs of the program that it is an edited version of.
    learned: Option<KnownTree<'a>>,
    recalled: Option<KnownTree<'a>>,
}

/// Reports the progress of a member.
struct Told<'a> {
    member: &'a Name,
    progress: &'a dyn Progress,
    reached: &'a mut Reached,
}

impl<W: Watcher> Watched<'_, W> {
    /// Stores an answer for edited versions of the program.
    fn learn(&mut self, tree: &ProofTree, asked: (NodeId, TermId, Bound), verdict: &Verdict, core: Option<&[NodeId]>) {
        if let Some(known) = &mut self.learned {
            known.note(tree, asked, verdict, core);
        }
    }
    /// Answers without the solver.
    fn derive(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> Option<Verdict> {
        match bound {
            Bound::Full | Bound::Again if self.explain => {
                if let Some(derived) = self.deriver.proves(tree, at, goal) {
                    self.learn(tree, (at, goal, bound), &Verdict::Proved, derived.facts.as_deref());
                    return Some(Verdict::Proved);
                }
                self.watcher.hard(tree);
                None
            }
            Bound::Brief if self.deriver.proves_at_once(tree, at, goal) => Some(Verdict::Proved),
            Bound::Brief => Some(Verdict::Unknown(GaveUp::Incomplete)),
            // Most questions other than obligations are false.
            Bound::Quick | Bound::Patient | Bound::Again | Bound::Full => None,
        }
    }
}

impl<W: Watcher> Prover for Watched<'_, W> {
    fn check(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> Verdict {
        self.watcher.asked(tree);
        let derived = self.derive(tree, at, goal, bound);
        if let Some(derived) = derived.as_ref().filter(|_| !self.recheck) {
            self.answers.note(at, goal, bound, derived);
            return derived.clone();
        }
        if let Some(verdict) = self.recalled.as_mut().and_then(|known| known.recall(tree, at, goal, bound)) {
            self.answers.note(at, goal, bound, &verdict);
            return verdict;
        }
        let verdict = self.solver.check_with(tree, at, goal, bound, self.elsewhere);
        let agreed = derived.is_none_or(|derived| !derived.is_proved()) || verdict.is_proved();
        assert!(agreed, "derived, but not proved: {}", tree.terms.text(goal));
        let effort = self.solver.last_effort();
        self.answers.note(at, goal, bound, &verdict);
        self.watcher.with_answers(at, goal, effort);
        let core = self.solver.take_core();
        self.learn(tree, (at, goal, bound), &verdict, core.as_ref().map(|core| &*core.facts));
        if verdict.is_proved() {
            let first = FirstProof { effort, underived: bound == Bound::Full, core };
            self.watcher.proved(Proof { at, goal, first });
        }
        verdict
    }
    fn instantiate_eagerly(&mut self) {
        self.solver.instantiate_eagerly();
    }
    fn bound(&mut self, rlimit: u32) {
        self.solver.bound(rlimit);
    }
    fn tried(&mut self) {
        self.solver.tried();
    }
    fn obliged(&mut self, property: Property) {
        self.solver.obliged(property);
        let Told { member, progress, reached } = &mut self.told;
        reached.obligations += 1;
        reached.latest = Some(property);
        progress.obligation(member, reached.obligations);
    }
    fn failed(&mut self, failure: &Failure) {
        self.watcher.failed(self.told.member, failure);
    }
}

/// Finds a model for every failure. This adds terms to the tree.
pub(crate) fn find_models<N>(program: &Program, outcome: &mut Outcome<N>, solver: &mut BoundedSession) {
    for index in 0..outcome.failures.len() {
        find_model(program, outcome, index, solver);
    }
}

/// Finds a model for one failure.
pub(crate) fn find_model<N>(program: &Program, outcome: &mut Outcome<N>, index: usize, solver: &mut BoundedSession) {
    let failure = &mut outcome.failures[index];
    let (at, goal) = failing(&mut outcome.tree, failure);
    failure.model = Some(match failure.property.reason {
        Reason::FeatureUnsupported => Err(NoModel::Unsupported),
        _ => {
            let failing = FailedObligation { state: &failure.state, at, goal };
            search(program, &mut outcome.tree, failing, solver, &echis_smt::head)
        }
    });
}

/// Finds a model for every failure for which the engine states what it should contain.
fn find_wanted_models<V: Verifier>(engine: &V, outcome: &mut Outcome<V::Notes>, solver: &mut BoundedSession) {
    for index in 0..outcome.failures.len() {
        let Some(check) = outcome.failures[index].check else { continue };
        let Some(mut wanted) = engine.wanted(outcome, check) else { continue };
        let (at, goal) = (outcome.tree.checks[check].at, outcome.tree.checks[check].goal);
        let mut model = solver.model(&outcome.tree, at, goal, &wanted);
        for _ in 0..MODELS_ASKED_FOR {
            let Ok(found) = &model else { break };
            let Some(learned) = engine.learn(outcome, check, found, &echis_smt::head) else { break };
            if wanted.learned.contains(&learned) {
                break;
            }
            wanted.learned.push(learned);
            match solver.model(&outcome.tree, at, goal, &wanted) {
                // Keep the previous model, which is valid though it violates some wishes.
                Err(NoModel::GaveUp | NoModel::TimeUp | NoModel::Solver(_)) => break,
                next => model = next,
            }
        }
        outcome.failures[index].model = Some(model);
    }
}

/// The node and goal of a failure. A failure without a check has the goal `false`.
pub(crate) fn failing(tree: &mut ProofTree, failure: &Failure) -> (NodeId, TermId) {
    match failure.check {
        Some(check) => (tree.checks[check].at, tree.checks[check].goal),
        None => (failure.at, tree.terms.falsity()),
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        if let Some(solver) = self.solver.take() {
            self.solvers.give_back(solver);
        }
    }
}
