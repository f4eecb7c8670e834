//! A pool of idle solver sessions: starting a process costs more than many small programs do.

mod bounded_session;

pub(crate) use bounded_session::{BoundedSession, Naming, Patience};

use crate::cache::hexadecimal;
use crate::limits::IDLE_SOLVERS;
use crate::verify::cancel::Cancel;
use crate::verify::counters::Counters;
use crate::verify::known::KnownProofs;
use crate::verify::second_solver::{Purpose, SecondOpinion, SecondSession, Tally};
use echis_proof::Bound;
use echis_smt::{Backend, Fault, IdleProcess, NoSolver, Process, Session, SolverVersion, Variant};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::Duration;

/// Solvers with the same settings.
pub(crate) struct Solvers {
    path: PathBuf,
    settings: echis_smt::Settings,
    pool: Arc<Pool>,
    idle_replays: Mutex<Vec<Replaying>>,
    identity: OnceLock<String>,
    second: Option<Second>,
    /// What is known of the program whose variations are verified.
    known: Option<KnownProofs>,
    patience: Patience,
}

/// A second solver.
#[derive(Clone)]
struct Second {
    path: PathBuf,
    version: SolverVersion,
    settings: echis_smt::Settings,
    purpose: Purpose,
    tally: Arc<Tally>,
}

/// Drops idle replays; their processes return to the pool.
impl Drop for Solvers {
    fn drop(&mut self) {
        let replays = self.idle_replays.get_mut().unwrap_or_else(PoisonError::into_inner);
        replays.iter_mut().for_each(|replaying| replaying.replay.rest());
    }
}

/// Sessions and processes, shared by solvers that differ only in their limits.
struct Pool {
    /// Ends all processes.
    stop: Arc<AtomicBool>,
    idle: Mutex<Vec<BoundedSession>>,
    /// Processes without a session, for verification and explanations alike: a process that is reset and given all
    /// options again behaves like a new one.
    processes: Mutex<Vec<IdleProcess>>,
    counters: Arc<Counters>,
}

impl Pool {
    fn new(stop: Arc<AtomicBool>, counters: Arc<Counters>) -> Arc<Self> {
        Arc::new(Pool { stop, idle: Mutex::default(), processes: Mutex::default(), counters })
    }
    /// An idle process, possibly that of an idle session.
    fn spare(&self) -> Option<IdleProcess> {
        loop {
            while let Some(mut process) = lock(&self.processes).pop() {
                if process.is_alive() {
                    return Some(process);
                }
            }
            let BoundedSession { session, named, .. } = lock(&self.idle).pop()?;
            session.end();
            named.into_iter().for_each(Session::end);
        }
    }
    fn keep(&self, process: Option<IdleProcess>) {
        let mut processes = lock(&self.processes);
        if processes.len() < IDLE_SOLVERS {
            processes.extend(process);
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The executable of the given solver, or of the one in the environment, or of the bundled one.
pub fn locate_solver(given: Option<&Path>) -> Result<PathBuf, NoSolver> {
    echis_smt::locate(given)
}

impl Solvers {
    /// Finds the solver as [`locate_solver`] does. `rlimit` replaces the resource limit of obligations. All processes
    /// end when the run does.
    pub fn locate(given: Option<&Path>, rlimit: Option<u32>, run: &Cancel) -> Result<Self, NoSolver> {
        let path = locate_solver(given)?;
        let (dialect, _) = echis_smt::identify(&path);
        let mut settings = echis_smt::Settings { dialect, ..echis_smt::Settings::default() };
        if let Some(rlimit) = rlimit {
            settings = settings.with_full(echis_smt::Limit::of(rlimit));
        }
        let pool = Pool::new(run.flag(), Arc::default());
        Ok(Solvers {
            path,
            settings,
            pool,
            idle_replays: Mutex::default(),
            identity: OnceLock::new(),
            second: None,
            known: None,
            patience: Patience::Unlimited,
        })
    }

    /// Adds a second solver: the given one, or an installed one.
    pub fn with_second(mut self, given: Option<&Path>, purpose: Purpose) -> Result<Self, NoSolver> {
        let path = echis_smt::locate_second(given, &self.path)?;
        let (dialect, version) = echis_smt::identify(&path);
        let settings = echis_smt::Settings { dialect, ..self.settings.clone() };
        self.second = Some(Second { path, version, settings, purpose, tally: Arc::default() });
        Ok(self)
    }

    /// The results of the second solver so far, if there is one.
    pub fn second_opinion(&self) -> Option<SecondOpinion> {
        self.second.as_ref().map(|second| second.tally.opinion(second.purpose, second.version.clone()))
    }

    /// The name and version of the solver.
    pub fn version(&self) -> SolverVersion {
        echis_smt::version(&self.path)
    }

    /// Everything about the solver that its answers may depend on.
    pub(crate) fn identity(&self) -> &str {
        self.identity.get_or_init(|| self.identified())
    }
    fn identified(&self) -> String {
        let SolverVersion { name, version } = self.version();
        let file = match version.is_some() && echis_smt::is_own(&self.path) {
            true => None,
            // Another solver may report the same version.
            false => std::fs::metadata(&self.path).ok(),
        };
        let file = file.map(|file| (file.len(), file.modified().ok()));
        let portfolio = self.second.as_ref().filter(|second| second.purpose == Purpose::Portfolio);
        let portfolio = portfolio.map(|second| (&second.path, &second.version));
        let impatient = if self.patience == Patience::Limited { " impatient" } else { "" };
        format!("{name} {version:?} {file:?} {:?} {portfolio:?}{impatient}", self.settings)
    }

    /// Solvers for the same run with other options, and therefore their own processes.
    pub fn varied(&self, variant: Variant) -> Self {
        let settings = echis_smt::Settings { variant, ..self.settings.clone() };
        let pool = Pool::new(self.pool.stop.clone(), self.pool.counters.clone());
        let (path, second) = (self.path.clone(), self.second.clone());
        Solvers {
            path,
            settings,
            pool,
            idle_replays: Mutex::default(),
            identity: OnceLock::new(),
            second,
            known: None,
            patience: Patience::Unlimited,
        }
    }

    /// Solvers from the same pool with this limit for an obligation, which try only one way to prove it.
    pub fn bounded(&self, rlimit: u32) -> Self {
        let usual = self.settings.full;
        let full = if usual.rlimit == 0 || rlimit < usual.rlimit { echis_smt::Limit::of(rlimit) } else { usual };
        let settings = echis_smt::Settings { full, insists: false, ..self.settings.clone() };
        // Idle sessions of the pool may have a second solver, which is not used here.
        let pool = match self.second {
            Some(_) => Pool::new(self.pool.stop.clone(), self.pool.counters.clone()),
            None => self.pool.clone(),
        };
        Solvers {
            path: self.path.clone(),
            settings,
            pool,
            idle_replays: Mutex::default(),
            identity: OnceLock::new(),
            second: None,
            known: None,
            patience: self.patience,
        }
    }

    /// With the known proofs of the program that the next ones are edited versions of.
    pub fn knowing(mut self, known: Option<KnownProofs>) -> Self {
        self.known = known;
        self
    }
    /// Lowers the limit in members with many obligations that reach it.
    pub fn impatient(mut self) -> Self {
        self.patience = Patience::Limited;
        self
    }
    pub fn known(&self) -> Option<&KnownProofs> {
        self.known.as_ref()
    }

    /// A digest of the solver and its settings that is the same on all machines.
    pub(crate) fn digest(&self) -> String {
        let echis_smt::SolverVersion { name, version } = self.version();
        let mut hasher = Sha256::new().chain_update(format!("{name} {version:?} {:?}", self.settings));
        // The version of the bundled solver identifies its executable.
        if version.is_none() || !echis_smt::is_own(&self.path) {
            hasher.update(std::fs::read(&self.path).unwrap_or_default());
        }
        hexadecimal(&hasher.finalize())
    }

    pub fn counters(&self) -> &Counters {
        &self.pool.counters
    }

    /// The limit of a check.
    pub fn limit(&self, bound: Bound) -> echis_smt::Limit {
        self.settings.limit(bound)
    }

    /// Starts a solver if none is idle, so that it is ready when the program has been parsed.
    pub(crate) fn warm_up(&self) {
        if lock(&self.pool.idle).is_empty() {
            let mut solver = self.start();
            solver.session.start();
            self.give_back(solver);
        }
    }

    /// Takes a session for work that `cancel` can end.
    pub(crate) fn take(&self, cancel: &Cancel) -> BoundedSession {
        let idle = lock(&self.pool.idle).pop();
        let mut solver = idle.unwrap_or_else(|| self.start());
        *solver.session.settings_mut() = self.settings.clone();
        solver.named.iter_mut().for_each(|named| *named.settings_mut() = self.settings.clone());
        *lock(&solver.cancel) = cancel.clone();
        BoundedSession { over: cancel.clone(), patience: self.patience, ..solver }
    }

    pub(crate) fn give_back(&self, solver: BoundedSession) {
        lock(&self.pool.idle).push(solver);
    }

    /// Takes a solver for explanations, for work that `cancel` can end. Its process starts with the first question.
    pub(crate) fn take_replay(&self, cancel: &Cancel) -> Replaying {
        let idle = lock(&self.idle_replays).pop();
        let replaying = idle.unwrap_or_else(|| {
            let cancel = Arc::new(Mutex::new(Cancel::never()));
            let one = || {
                let backend = self.process(&cancel);
                let backend = Bounded { process: backend.process.ahead(), ..backend };
                echis_smt::Replay::new(backend, self.settings.clone())
            };
            Replaying { replay: Replay::new([one(), one()]), cancel }
        });
        *lock(&replaying.cancel) = cancel.clone();
        replaying
    }
    pub(crate) fn give_back_replay(&self, replaying: Replaying) {
        lock(&self.idle_replays).push(replaying);
    }

    fn process(&self, cancel: &Arc<Mutex<Cancel>>) -> Bounded {
        let process = Process::speaking(self.settings.dialect, &self.path).stopped_by(self.pool.stop.clone());
        self.backend(process, cancel, Arc::downgrade(&self.pool))
    }
    fn backend(&self, process: Process, cancel: &Arc<Mutex<Cancel>>, pool: Weak<Pool>) -> Bounded {
        Bounded { process, cancel: cancel.clone(), pool, counters: self.pool.counters.clone(), broken: false }
    }
    fn start(&self) -> BoundedSession {
        let cancel = Arc::new(Mutex::new(Cancel::never()));
        let backend = self.process(&cancel);
        let session = Session::new(backend, self.settings.clone());
        // Its process starts with the first question.
        let named = Session::with_names(self.process(&cancel), self.settings.clone());
        let second = self.second.as_ref().map(|second| self.start_second(second, &cancel));
        BoundedSession {
            session,
            named,
            naming: Naming::Off,
            in_vain: 0,
            core: None,
            effort: 0,
            patience: self.patience,
            exhausted: 0,
            second,
            cancel,
            over: Cancel::never(),
            path: self.path.clone(),
        }
    }
    fn start_second(&self, second: &Second, cancel: &Arc<Mutex<Cancel>>) -> SecondSession<Bounded> {
        let Second { path, settings, purpose, tally, .. } = second.clone();
        let process = Process::speaking(settings.dialect, path).stopped_by(self.pool.stop.clone());
        // The processes of the first solver cannot be used for the second.
        let backend = self.backend(process, cancel, Weak::new());
        SecondSession { session: Session::new(backend, settings), purpose, tally }
    }
}

/// Solvers for computing dependencies.
pub(crate) type Replay = echis_smt::Pair<Bounded>;

pub(crate) struct Replaying {
    pub replay: Replay,
    /// Shared with the backend.
    cancel: Arc<Mutex<Cancel>>,
}

/// A solver process that is given no more time than the run has left.
pub(crate) struct Bounded {
    process: Process,
    cancel: Arc<Mutex<Cancel>>,
    /// The pool that processes come from and return to.
    pool: Weak<Pool>,
    counters: Arc<Counters>,
    /// Whether the process failed and has to be replaced.
    broken: bool,
}

impl Bounded {
    fn noting<T>(&mut self, result: Result<T, Fault>) -> Result<T, Fault> {
        self.broken |= result.is_err();
        result
    }
    fn time_for(&self, limit: Duration) -> Result<Duration, Fault> {
        let cancel = lock(&self.cancel);
        if cancel.is_over() { Err(Fault::Hung(Duration::ZERO)) } else { Ok(cancel.cut(limit)) }
    }
}

impl Backend for Bounded {
    fn restart(&mut self) -> Result<(), Fault> {
        self.time_for(Duration::MAX)?;
        let fresh = std::mem::take(&mut self.broken);
        match self.pool.upgrade().filter(|_| !fresh).and_then(|pool| pool.spare()) {
            Some(idle) => self.process.adopt(idle),
            None => {
                Counters::count(&self.counters.solver_starts);
                self.process.restart()
            }
        }
    }
    fn send(&mut self, commands: &str) -> Result<(), Fault> {
        let sent = self.process.send(commands);
        self.noting(sent)
    }
    fn receive(&mut self, limit: Duration) -> Result<Vec<String>, Fault> {
        let limit = self.time_for(limit)?;
        self.process.set_user_stop(lock(&self.cancel).flag());
        let received = self.process.receive(limit);
        self.noting(received)
    }
    fn rest(&mut self) {
        if let Some(pool) = self.pool.upgrade() {
            pool.keep(self.process.take_idle());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn idle_processes_do_not_pile_up() {
        let solvers = Solvers::locate(None, None, &Cancel::never()).expect("a solver is there");
        let process = || solvers.process(&Arc::new(Mutex::new(Cancel::never())));
        let mut all: Vec<Bounded> = (0..2 * IDLE_SOLVERS).map(|_| process()).collect();
        all.iter_mut().for_each(|solver| solver.restart().expect("the solver starts"));
        all.iter_mut().for_each(Bounded::rest);
        assert_eq!(lock(&solvers.pool.processes).len(), IDLE_SOLVERS);
    }

    /// An idle process is reused before one is started, with or without a session.
    #[test]
    fn processes_are_started_only_if_none_is_idle() {
        let solvers = Solvers::locate(None, None, &Cancel::never()).expect("a solver is there");
        let process = || solvers.process(&Arc::new(Mutex::new(Cancel::never())));
        let starts = || solvers.counters().statistics().solver_starts;
        let mut first = process();
        first.restart().expect("the solver starts");
        first.rest();
        let mut second = process();
        second.restart().expect("the process runs");
        assert_eq!((starts(), lock(&solvers.pool.processes).len()), (1, 0));
        solvers.warm_up();
        assert_eq!((starts(), lock(&solvers.pool.idle).len()), (2, 1));
        process().restart().expect("the process runs");
        assert_eq!((starts(), lock(&solvers.pool.idle).len()), (2, 0));
    }

    /// A failed process is not replaced by an idle one, which may have failed for the same reason.
    #[test]
    fn what_is_broken_is_replaced_by_a_new_process() {
        let solvers = Solvers::locate(None, None, &Cancel::never()).expect("a solver is there");
        let process = || solvers.process(&Arc::new(Mutex::new(Cancel::never())));
        let (mut idle, mut used) = (process(), process());
        idle.restart().expect("the solver starts");
        used.restart().expect("the solver starts");
        idle.rest();
        used.send("(exit)\n").expect("it listens");
        assert!(used.receive(Duration::from_secs(60)).is_err(), "it has ended");
        used.restart().expect("the solver starts");
        assert_eq!((solvers.counters().statistics().solver_starts, lock(&solvers.pool.processes).len()), (3, 1));
    }
}
