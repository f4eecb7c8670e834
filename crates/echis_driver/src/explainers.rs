//! Explaining members in threads of their own, from when their trees begin to grow.
//!
//! Whoever verifies a member tells what is new in its tree whenever something is asked; an explainer keeps a copy. What
//! it does depends on what it is told alone, not on when, so that two runs agree. Members are taken up in the order in
//! which they began. Whoever verifies waits where explainers are far behind: trees are large. A small member without hard
//! proofs is not worth telling: whoever verified it explains it.

use crate::defect::{Ended, guarded};
use crate::schedule::STACK;
use crate::settings::Settings;
use crate::solvers::{Replay, Solvers};
use crate::verify::Watcher;
use echis_analysis::depend::{Ahead, Manner, MemberNeeds, Nodes, UserId};
use echis_program::program::Program;
use echis_proof::{Copied, Ending, Growth, NodeId, ProofTree};
use echis_term::TermId;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread::Scope;
use std::time::{Duration, Instant};

/// As much may be told of a member before it is heard.
const BACKLOG: usize = 256;
/// So few checks are explained where they were made.
const FEW: usize = 100;

/// What an explainer is told.
enum Told {
    /// What is new, and what proofs took since.
    Grown(Growth, Vec<Effort>),
    /// The same, and all that was said late.
    Ended(Growth, Vec<Effort>, Box<Ending>),
}

/// A goal that was proved somewhere, what that took, and whether it could not be derived.
type Effort = (NodeId, TermId, u64, bool);

/// A member's number, in the order in which members began.
pub(crate) type Ticket = usize;

/// What one member's proofs need, and what it took to find out after they were found.
pub(crate) struct Explained {
    pub needs: MemberNeeds,
    pub took: Duration,
    pub work: Work,
}

/// Counts for profiles.
#[derive(Clone, Copy, Default, Debug)]
pub struct Work {
    /// Checks whose cores were found.
    pub checks: usize,
    /// Those that needed no solver.
    pub easy: usize,
    /// Proofs that could not be found again, whose dependencies are therefore coarse.
    pub lost: usize,
    /// What proofs took in verification, and what replaying them took, in the solver's units.
    pub verified: u64,
    pub replayed: u64,
    pub questions: u64,
    pub answers: u64,
    pub bytes: u64,
    /// The time in which the solver was waited for.
    pub waiting: Duration,
}

impl Work {
    pub(crate) fn add(&mut self, other: &Work) {
        self.checks += other.checks;
        self.easy += other.easy;
        self.lost += other.lost;
        self.verified += other.verified;
        self.replayed += other.replayed;
        self.questions += other.questions;
        self.answers += other.answers;
        self.bytes += other.bytes;
        self.waiting += other.waiting;
    }
}

/// What explainers found, by ticket.
type Found = HashMap<Ticket, Result<Explained, Ended>>;

/// A member that is being verified, and whether it has hard proofs.
struct Announced {
    ticket: Ticket,
    hard: bool,
    heard: Receiver<Told>,
}

/// Where members are announced.
pub(crate) struct Desk<'scope, 'env> {
    scope: &'scope Scope<'scope, 'env>,
    room: &'env Room<'env>,
    members: Sender<Announced>,
    next: AtomicUsize,
    /// How many members were announced: the first ones start an explainer each.
    announced: AtomicUsize,
}

/// What explainers share.
struct Room<'a> {
    explaining: &'a Explaining<'a>,
    settings: &'a Settings,
    solvers: &'a Solvers,
    announced: Mutex<Receiver<Announced>>,
    found: Mutex<Found>,
}

impl<'scope, 'env> Desk<'scope, 'env> {
    /// For a member that is going to be verified.
    pub fn teller(&self) -> Teller<'_, 'scope, 'env> {
        let ticket = self.next.fetch_add(1, Ordering::Relaxed);
        Teller { desk: self, ticket, told: None, copied: Copied::default(), efforts: Vec::new() }
    }
    fn announce(&self, ticket: Ticket, hard: bool) -> SyncSender<Told> {
        let index = self.announced.fetch_add(1, Ordering::Relaxed);
        if index < self.room.settings.jobs.max(1) {
            let thread = std::thread::Builder::new().name(format!("explainer {index}")).stack_size(STACK);
            let room = self.room;
            thread.spawn_scoped(self.scope, || room.work()).expect("the system can start two threads for each job");
        }
        let (told, heard) = sync_channel(BACKLOG);
        // Explainers outlive the desk; one that could not hear it would leave the member without an explanation, which
        // is noticed.
        let _ = self.members.send(Announced { ticket, hard, heard });
        told
    }
}

/// Tells of a member's tree.
pub(crate) struct Teller<'d, 'scope, 'env> {
    desk: &'d Desk<'scope, 'env>,
    pub ticket: Ticket,
    /// Who hears it, if it is worth telling.
    told: Option<SyncSender<Told>>,
    copied: Copied,
    efforts: Vec<Effort>,
}

impl Watcher for Teller<'_, '_, '_> {
    fn asked(&mut self, tree: &ProofTree) {
        if self.told.is_none() && tree.checks.len() > FEW {
            self.told = Some(self.desk.announce(self.ticket, false));
        }
        if let Some(told) = self.told.as_ref().filter(|_| tree.checks.len() > self.copied.checks) {
            let growth = tree.growth(&mut self.copied);
            let _ = told.send(Told::Grown(growth, std::mem::take(&mut self.efforts)));
        }
    }
    /// Whoever explains it will have something to ask, too.
    fn hard(&mut self, tree: &ProofTree) {
        if self.told.is_none() {
            self.told = Some(self.desk.announce(self.ticket, true));
            self.asked(tree);
        }
    }
    fn proved(&mut self, at: NodeId, goal: TermId, effort: u64, underived: bool) {
        self.efforts.push((at, goal, effort, underived));
    }
}

impl Teller<'_, '_, '_> {
    /// The tree is complete.
    pub fn finish(mut self, tree: &ProofTree) -> Ticket {
        let Some(told) = self.told else {
            self.desk.room.explain_here(self.ticket, tree, self.efforts);
            return self.ticket;
        };
        let growth = tree.growth(&mut self.copied);
        let _ = told.send(Told::Ended(growth, self.efforts, Box::new(tree.ending())));
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
    /// Runs the work with explainers beside it, at most as many as there are workers. What was found, by ticket; there is
    /// something for each member that was verified to its end.
    pub fn beside<T>(
        &self,
        settings: &Settings,
        solvers: &Solvers,
        work: impl FnOnce(&Desk<'_, '_>) -> T,
    ) -> (T, Found) {
        let (members, announced) = channel();
        let (announced, found) = (Mutex::new(announced), Mutex::default());
        let room = Room { explaining: self, settings, solvers, announced, found };
        let result = std::thread::scope(|scope| {
            work(&Desk { scope, room: &room, members, next: AtomicUsize::new(0), announced: AtomicUsize::new(0) })
        });
        (result, room.found.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
    /// Explains a member from what is told of it; nothing where its verification ended early.
    fn explain(&self, heard: &Receiver<Told>, replay: &mut Replay) -> Option<Explained> {
        let mut ahead = Ahead::new(self.program, self.nodes, self.manner);
        let mut tree = ProofTree::blank();
        loop {
            let (growth, efforts, ending) = match heard.recv().ok()? {
                Told::Grown(growth, efforts) => (growth, efforts, None),
                Told::Ended(growth, efforts, ending) => (growth, efforts, Some(ending)),
            };
            tree.grow(growth);
            efforts.into_iter().for_each(|(at, goal, effort, hard)| ahead.proved(at, goal, effort, hard));
            let Some(ending) = ending else {
                ahead.advance(&tree, replay, self.wanted);
                continue;
            };
            tree.end(*ending);
            return Some(self.conclude(ahead, &tree, replay));
        }
    }
    fn conclude(&self, ahead: Ahead, tree: &ProofTree, replay: &mut Replay) -> Explained {
        let started = Instant::now();
        let needs = ahead.finish(tree, replay, self.wanted);
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
        Explained { needs, took: started.elapsed(), work }
    }
}

impl Room<'_> {
    /// Explains members as they are announced, until no more come.
    fn work(&self) {
        let mut replaying = self.solvers.take_replay(&self.settings.cancel);
        loop {
            // Who has nothing to do leaves the solver to others.
            let member = self.announced.try_lock().ok().and_then(|announced| announced.try_recv().ok());
            let member = member.or_else(|| {
                replaying.replay.rest();
                self.announced.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
            });
            let Some(Announced { ticket, hard, heard }) = member else { break };
            let found = guarded(|| {
                replaying.replay.begin();
                if hard {
                    // It is there when the first question comes.
                    replaying.replay.start();
                }
                self.explaining.explain(&heard, &mut replaying.replay)
            });
            if let Some(found) = found.transpose() {
                self.keep(ticket, found);
            }
        }
        self.solvers.give_back_replay(replaying);
    }
    /// Explains a member that nothing was told of.
    fn explain_here(&self, ticket: Ticket, tree: &ProofTree, efforts: Vec<Effort>) {
        let Explaining { program, nodes, manner, .. } = *self.explaining;
        let mut replaying = self.solvers.take_replay(&self.settings.cancel);
        let found = guarded(|| {
            replaying.replay.begin();
            let mut ahead = Ahead::new(program, nodes, manner);
            efforts.into_iter().for_each(|(at, goal, effort, hard)| ahead.proved(at, goal, effort, hard));
            self.explaining.conclude(ahead, tree, &mut replaying.replay)
        });
        self.keep(ticket, found);
        self.solvers.give_back_replay(replaying);
    }
    fn keep(&self, ticket: Ticket, found: Result<Explained, Ended>) {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).insert(ticket, found);
    }
}
