//! Explains members in separate threads while their trees grow.
//!
//! The thread that verifies a member sends the growth of its tree with each question; an explainer keeps a copy. Its
//! results depend only on the messages, not on their timing, so two runs agree. Members are jobs in a queue, in the
//! order in which they started. Channels are bounded, so the verifying thread waits if explainers are far behind:
//! trees are large. A small member without hard proofs is not worth a job: the thread that verified it explains it.

use crate::defect::{Ended, guarded};
use crate::limits::{CHECKS_EXPLAINED_IN_PLACE, JOBS_WAITING, MESSAGES_IN_CHANNEL};
use crate::verify::counters::Counters;
use crate::verify::known::KnownProofs;
use crate::verify::members::{Proof, Watcher};
use crate::verify::schedule::STACK;
use crate::verify::settings::{Settings, Trees};
use crate::verify::solvers::{Replay, Solvers};
use echis_depend::{DependencyOptions, MemberNeeds, Minimization, Nodes, OnlineAnalysis, UserId, WorkCounts};
use echis_program::program::Program;
use echis_proof::{Copied, Ending, Growth, ProofTree};
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

/// A message about a member's tree.
enum Message {
    /// The growth, and the proofs since the last message.
    Grown(Growth, Vec<Proof>),
    /// The growth, and everything recorded late.
    Ended(Growth, Vec<Proof>, Box<Ending>),
}

/// The number of a member, in the order in which members started.
pub(crate) type JobId = usize;

/// The dependencies of one member's proofs, and the cost of finding them.
pub(crate) struct Explained {
    pub needs: MemberNeeds,
    pub took: Duration,
    pub work: Work,
}

/// Statistics for profiles.
#[derive(Clone, Copy, Default, Debug)]
pub struct Work {
    /// Checks whose cores were found.
    pub checks: usize,
    /// Number of them solved without a solver.
    pub easy: usize,
    /// Proofs that could not be found again, whose dependencies are therefore over-approximated.
    pub lost: usize,
    /// The cost of proofs in verification, in the solver's units.
    pub verified: u64,
    /// The largest cost of one of them.
    pub largest: u64,
    /// The cost of replaying proofs, in the solver's units.
    pub replayed: u64,
    /// Questions sent to solvers.
    pub questions: u64,
    /// Answers read: a question may ask about several sets of facts.
    pub answers: u64,
    /// Number of bytes sent to solvers.
    pub bytes: u64,
    /// The time spent waiting for the solver.
    pub waiting: Duration,
}

impl Work {
    /// Adds the statistics of explaining a member.
    pub(crate) fn count(&mut self, counts: &WorkCounts) {
        self.checks += counts.checks;
        self.easy += counts.without_solver;
        self.lost += counts.lost;
        self.verified += counts.verified;
        self.largest = self.largest.max(counts.largest);
        self.replayed += counts.replayed;
    }
    pub(crate) fn add(&mut self, other: &Work) {
        self.checks += other.checks;
        self.easy += other.easy;
        self.lost += other.lost;
        self.verified += other.verified;
        self.largest = self.largest.max(other.largest);
        self.replayed += other.replayed;
        self.questions += other.questions;
        self.answers += other.answers;
        self.bytes += other.bytes;
        self.waiting += other.waiting;
    }
}

/// The results of explainers, by job.
type Found = HashMap<JobId, Result<Explained, Ended>>;

/// A member being verified.
struct Job {
    id: JobId,
    messages: Receiver<Message>,
}

/// Creates jobs and starts explainers.
pub(crate) struct Dispatcher<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    shared: &'env Shared<'env>,
    queue: Sender<Job>,
    next: AtomicUsize,
    /// Number of explainers started.
    explainers: AtomicUsize,
}

/// Data shared by the explainers.
struct Shared<'a> {
    explaining: &'a Explaining<'a>,
    settings: &'a Settings,
    solvers: &'a Solvers,
    queue: Mutex<Receiver<Job>>,
    /// Number of jobs not yet taken by an explainer.
    waiting: AtomicUsize,
    found: Mutex<Found>,
}

impl<'scope, 'env> Dispatcher<'scope, 'env> {
    /// The sender for a member about to be verified.
    pub fn sender(&self) -> TreeSender<'_, 'scope, 'env> {
        let job = self.next.fetch_add(1, Ordering::Relaxed);
        let all_proofs = (self.shared.settings.trees == Trees::Kept).then(Vec::new);
        TreeSender { dispatcher: self, job, channel: None, copied: Copied::default(), proofs: Vec::new(), all_proofs }
    }
    fn enqueue(&self, id: JobId) -> SyncSender<Message> {
        let shared = self.shared;
        let (waiting, most) = (shared.waiting.fetch_add(1, Ordering::Relaxed), shared.settings.jobs.max(1));
        // Another explainer needs another solver, whose start costs as much as explaining many members.
        let started = self.explainers.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |started| {
            (started == 0 || waiting >= JOBS_WAITING && started < most).then_some(started + 1)
        });
        if let Ok(index) = started {
            let thread = std::thread::Builder::new().name(format!("explainer {index}")).stack_size(STACK);
            thread.spawn_scoped(self.scope, || shared.work()).expect("the system can start two threads for each job");
        }
        let (channel, messages) = sync_channel(MESSAGES_IN_CHANNEL);
        // Explainers outlive the dispatcher; a lost job would leave the member without an explanation, which is
        // detected.
        let _ = self.queue.send(Job { id, messages });
        channel
    }
}

/// Sends a member's growing tree to an explainer.
pub(crate) struct TreeSender<'d, 'scope, 'env> {
    dispatcher: &'d Dispatcher<'scope, 'env>,
    pub job: JobId,
    /// The channel to the explainer, once the member has become a job.
    channel: Option<SyncSender<Message>>,
    copied: Copied,
    /// Proofs that are not sent yet.
    proofs: Vec<Proof>,
    /// All proofs, if the tree is kept.
    all_proofs: Option<Vec<Proof>>,
}

impl Watcher for TreeSender<'_, '_, '_> {
    fn asked(&mut self, tree: &ProofTree) {
        if self.channel.is_none() && tree.checks.len() > CHECKS_EXPLAINED_IN_PLACE {
            self.channel = Some(self.dispatcher.enqueue(self.job));
        }
        if let Some(channel) = self.channel.as_ref().filter(|_| tree.checks.len() > self.copied.checks) {
            let growth = tree.growth(&mut self.copied);
            let _ = channel.send(Message::Grown(growth, std::mem::take(&mut self.proofs)));
        }
    }
    /// Makes the member a job, because the explainer will need the solver too.
    fn hard(&mut self, tree: &ProofTree) {
        if self.channel.is_none() {
            self.channel = Some(self.dispatcher.enqueue(self.job));
            self.asked(tree);
        }
    }
    fn proved(&mut self, proof: Proof) {
        self.all_proofs.iter_mut().for_each(|proofs| proofs.push(proof.clone()));
        self.proofs.push(proof);
    }
    fn knows(&self) -> Option<&KnownProofs> {
        self.dispatcher.shared.explaining.known
    }
    /// Minimal cores are searched for from scratch.
    fn asks_for_cores(&self) -> bool {
        self.knows().is_some() || self.dispatcher.shared.explaining.options.minimization != Minimization::Full
    }
}

impl TreeSender<'_, '_, '_> {
    /// All proofs, if the tree is kept.
    pub fn take_all_proofs(&mut self) -> Vec<Proof> {
        self.all_proofs.take().unwrap_or_default()
    }
    /// Completes the tree.
    pub fn finish(mut self, tree: &ProofTree) -> JobId {
        let Some(channel) = self.channel else {
            self.dispatcher.shared.explain_here(self.job, tree, self.proofs);
            return self.job;
        };
        let growth = tree.growth(&mut self.copied);
        let _ = channel.send(Message::Ended(growth, self.proofs, Box::new(tree.ending())));
        self.job
    }
}

/// The nodes to explain, and the options.
pub(crate) struct Explaining<'a> {
    pub program: &'a Program,
    pub nodes: &'a Nodes,
    pub options: DependencyOptions,
    pub wanted: &'a (dyn Fn(UserId) -> bool + Sync),
    /// Where proofs are kept for variations of the program.
    pub known: Option<&'a KnownProofs>,
}

impl Explaining<'_> {
    /// Runs `work` with explainers in parallel, at most one per worker. Returns the results by job; there is one for
    /// each member whose verification finished.
    pub fn run_alongside<T>(
        &self,
        settings: &Settings,
        solvers: &Solvers,
        work: impl FnOnce(&Dispatcher<'_, '_>) -> T,
    ) -> (T, Found) {
        let (queue, jobs) = channel();
        let (queue_end, waiting) = (Mutex::new(jobs), AtomicUsize::new(0));
        let shared = Shared { explaining: self, settings, solvers, queue: queue_end, waiting, found: Mutex::default() };
        let result = std::thread::scope(|scope| {
            let (next, explainers) = (AtomicUsize::new(0), AtomicUsize::new(0));
            work(&Dispatcher { scope, shared: &shared, queue, next, explainers })
        });
        (result, shared.found.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
    /// Explains a member from its messages; `None` if its verification ended early.
    fn explain(&self, messages: &Receiver<Message>, replay: &mut Replay) -> Option<Explained> {
        let mut analysis = OnlineAnalysis::new(self.program, self.nodes, self.options);
        let mut tree = ProofTree::blank();
        loop {
            let (growth, proofs, ending) = match messages.recv().ok()? {
                Message::Grown(growth, proofs) => (growth, proofs, None),
                Message::Ended(growth, proofs, ending) => (growth, proofs, Some(ending)),
            };
            tree.grow(growth);
            proofs.into_iter().for_each(|Proof { at, goal, first }| analysis.proved(at, goal, first));
            let Some(ending) = ending else {
                analysis.advance(&tree, replay, self.wanted);
                continue;
            };
            tree.end(*ending);
            return Some(self.conclude(analysis, &tree, replay));
        }
    }
    /// Explains a member from its finished tree and its proofs.
    pub fn explain_kept(
        &self,
        tree: &ProofTree,
        proofs: impl IntoIterator<Item = Proof>,
        settings: &Settings,
        solvers: &Solvers,
    ) -> Result<Explained, Ended> {
        let Explaining { program, nodes, options, .. } = *self;
        let mut replaying = solvers.take_replay(&settings.cancel);
        let found = guarded(|| {
            replaying.replay.begin();
            let mut analysis = OnlineAnalysis::new(program, nodes, options);
            proofs.into_iter().for_each(|Proof { at, goal, first }| analysis.proved(at, goal, first));
            self.conclude(analysis, tree, &mut replaying.replay)
        });
        solvers.give_back_replay(replaying);
        Counters::count(&solvers.counters().explanations);
        found
    }
    fn conclude(&self, analysis: OnlineAnalysis, tree: &ProofTree, replay: &mut Replay) -> Explained {
        let started = Instant::now();
        let mut needs = analysis.finish(tree, replay, self.wanted);
        let proofs = std::mem::take(&mut needs.proofs);
        if let Some(known) = self.known {
            known.tree().learn(tree, proofs);
        }
        let asked = replay.statistics();
        let (questions, answers, bytes, waiting) = (asked.questions, asked.answers, asked.bytes, asked.time);
        let mut work = Work { questions, answers, bytes, waiting, ..Work::default() };
        work.count(&needs.statistics);
        Explained { needs, took: started.elapsed(), work }
    }
}

impl Shared<'_> {
    /// Explains queued members until no more come.
    fn work(&self) {
        let mut replaying = self.solvers.take_replay(&self.settings.cancel);
        loop {
            // An idle explainer leaves the solver to others.
            let job = self.queue.try_lock().ok().and_then(|queue| queue.try_recv().ok());
            let job = job.or_else(|| {
                replaying.replay.rest();
                self.queue.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
            });
            let Some(Job { id, messages }) = job else { break };
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            let found = guarded(|| {
                replaying.replay.begin();
                self.explaining.explain(&messages, &mut replaying.replay)
            });
            Counters::count(&self.solvers.counters().explanations);
            if let Some(found) = found.transpose() {
                self.keep(id, found);
            }
        }
        self.solvers.give_back_replay(replaying);
    }
    /// Explains a member that did not become a job.
    fn explain_here(&self, job: JobId, tree: &ProofTree, proofs: Vec<Proof>) {
        let found = self.explaining.explain_kept(tree, proofs, self.settings, self.solvers);
        self.keep(job, found);
    }
    fn keep(&self, job: JobId, found: Result<Explained, Ended>) {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).insert(job, found);
    }
}
