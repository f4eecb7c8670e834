//! Explaining members in threads of their own, from when their trees begin to grow.
//!
//! Whoever verifies a member tells what is new in its tree whenever something is asked; an explainer keeps a copy. What
//! it does depends on what it is told alone, not on when, so that two runs agree. Members are taken up in the order in
//! which they began. Whoever verifies waits where explainers are far behind: trees are large.

use crate::defect::{Ended, guarded};
use crate::schedule::STACK;
use crate::solvers::Replay;
use crate::verify::{Settings, Watcher};
use crate::{Solvers, deps::Work};
use echis_analysis::depend::{Ahead, Manner, MemberNeeds, Nodes, UserId};
use echis_program::program::Program;
use echis_proof::{Copied, Ending, Growth, NodeId, ProofTree};
use echis_term::TermId;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// As much may be told of a member before it is heard.
const BACKLOG: usize = 256;

/// What an explainer is told.
enum Told {
    /// What is new, and what proofs took since.
    Grown(Growth, Vec<Effort>),
    /// The same, and all that was said late.
    Ended(Growth, Vec<Effort>, Box<Ending>),
}

/// A goal that was proved somewhere, and what that took.
type Effort = (NodeId, TermId, u64);

/// A member's number, in the order in which members began.
pub(crate) type Ticket = usize;

/// What one member's proofs need, and what it took to find out after they were found.
pub(crate) struct Explained {
    pub needs: MemberNeeds,
    pub took: Duration,
    pub work: Work,
}

/// Where members are announced.
pub(crate) struct Desk {
    members: Sender<(Ticket, Receiver<Told>)>,
    next: AtomicUsize,
}

impl Desk {
    pub fn announce(&self) -> Teller {
        let (told, heard) = sync_channel(BACKLOG);
        let ticket = self.next.fetch_add(1, Ordering::Relaxed);
        // Explainers outlive the desk; one that could not hear it would leave the member without an explanation, which
        // is noticed.
        let _ = self.members.send((ticket, heard));
        Teller { ticket, told, copied: Copied::default(), efforts: Vec::new() }
    }
}

/// Tells of a member's tree.
pub(crate) struct Teller {
    pub ticket: Ticket,
    told: SyncSender<Told>,
    copied: Copied,
    efforts: Vec<Effort>,
}

impl Watcher for Teller {
    fn asked(&mut self, tree: &ProofTree) {
        if tree.checks.len() > self.copied.checks {
            let growth = tree.growth(&mut self.copied);
            let _ = self.told.send(Told::Grown(growth, std::mem::take(&mut self.efforts)));
        }
    }
    fn proved(&mut self, at: NodeId, goal: TermId, effort: u64) {
        self.efforts.push((at, goal, effort));
    }
}

impl Teller {
    /// The tree is complete.
    pub fn finish(mut self, tree: &ProofTree) -> Ticket {
        let growth = tree.growth(&mut self.copied);
        let _ = self.told.send(Told::Ended(growth, self.efforts, Box::new(tree.ending())));
        self.ticket
    }
}

/// Who explains what, and how.
pub(crate) struct Explaining<'a> {
    pub program: &'a Program,
    pub nodes: &'a Nodes,
    pub manner: Manner,
    pub wanted: &'a (dyn Fn(UserId) -> bool + Sync),
}

impl Explaining<'_> {
    /// Runs the work with explainers beside it, as many as there are workers. What they found, by ticket; there is one
    /// for each member that was verified to its end.
    pub fn beside<T>(
        &self,
        settings: &Settings,
        solvers: &Solvers,
        work: impl FnOnce(&Desk) -> T,
    ) -> (T, HashMap<Ticket, Result<Explained, Ended>>) {
        let (desk, announced) = channel();
        let announced = Mutex::new(announced);
        let explained: Mutex<HashMap<Ticket, Result<Explained, Ended>>> = Mutex::default();
        let explainer = || {
            let mut replaying = solvers.take_replay(&settings.cancel);
            loop {
                // Who has nothing to do leaves the solver to others.
                let member = announced.try_lock().ok().and_then(|announced| announced.try_recv().ok());
                let member = member.or_else(|| {
                    replaying.replay.rest();
                    announced.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
                });
                let Some((ticket, heard)) = member else { break };
                let found = guarded(|| self.explain(&heard, &mut replaying.replay));
                if let Some(found) = found.transpose() {
                    explained.lock().unwrap_or_else(PoisonError::into_inner).insert(ticket, found);
                }
            }
            solvers.give_back_replay(replaying);
        };
        let result = std::thread::scope(|scope| {
            let Program { functions, predicates, methods, .. } = self.program;
            let members = functions.len() + predicates.len() + methods.len();
            for index in 0..settings.jobs.clamp(1, members.max(1)) {
                let thread = std::thread::Builder::new().name(format!("explainer {index}")).stack_size(STACK);
                thread.spawn_scoped(scope, explainer).expect("the system can start two threads for each job");
            }
            work(&Desk { members: desk, next: AtomicUsize::new(0) })
        });
        (result, explained.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
    /// Explains a member from what is told of it; nothing where its verification ended early.
    fn explain(&self, heard: &Receiver<Told>, replay: &mut Replay) -> Option<Explained> {
        replay.begin();
        let mut ahead = Ahead::new(self.program, self.nodes, self.manner);
        let mut tree = ProofTree::blank();
        loop {
            let (growth, efforts, ending) = match heard.recv().ok()? {
                Told::Grown(growth, efforts) => (growth, efforts, None),
                Told::Ended(growth, efforts, ending) => (growth, efforts, Some(ending)),
            };
            tree.grow(growth);
            efforts.into_iter().for_each(|(at, goal, effort)| ahead.proved(at, goal, effort));
            let Some(ending) = ending else {
                ahead.advance(&tree, replay, self.wanted);
                continue;
            };
            tree.end(*ending);
            let started = Instant::now();
            let needs = ahead.finish(&tree, replay, self.wanted);
            let (counts, asked) = (needs.statistics, replay.statistics());
            let work = Work {
                checks: counts.checks,
                easy: counts.easy,
                lost: counts.lost,
                verified: counts.verified,
                replayed: counts.replayed,
                questions: asked.questions,
                answers: asked.answers,
                bytes: asked.bytes,
                waiting: asked.time,
            };
            return Some(Explained { needs, took: started.elapsed(), work });
        }
    }
}
