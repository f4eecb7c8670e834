//! State shared by verifications: a pool of solvers, the cache, and the memory of this process.

use crate::cache::Cache;
use crate::cache::memory::Memory;
use crate::verify::cancel::Cancel;
use crate::verify::counters::VerifierStatistics;
use crate::verify::known::KnownProofs;
use crate::verify::second_solver::{Purpose, SecondOpinion};
use crate::verify::solvers::Solvers;
use echis_proof::Bound;
use echis_smt::{Limit, NoSolver, SolverVersion, Variant};
use std::path::PathBuf;
use std::sync::Arc;

/// The configuration of a [`Verifier`].
#[derive(Clone, Default)]
pub struct Config {
    /// The solver's executable; by default that of the environment or the bundled one.
    pub solver: Option<PathBuf>,
    /// Replaces the resource limit of obligations.
    pub rlimit: Option<u32>,
    /// A second solver (the given or an installed one), and its purpose.
    pub second: Option<(Option<PathBuf>, Purpose)>,
    /// Verdicts of other runs.
    pub cache: Option<Arc<Cache>>,
    /// Whether verdicts and explanations of members are remembered across programs.
    pub memory: Remembering,
    /// Ends all solvers.
    pub stop: Cancel,
}

/// Whether members that an edit does not affect are remembered.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Remembering {
    /// Each program is verified from scratch, except for cached verdicts.
    #[default]
    Off,
    /// Their verdicts and explanations are kept in memory.
    On,
}

/// Verifies programs, sequentially or concurrently, from any thread. Clones share everything.
#[derive(Clone)]
pub struct Verifier {
    shared: Arc<Shared>,
}

struct Shared {
    solvers: Solvers,
    cache: Option<Arc<Cache>>,
    memory: Option<Arc<Memory>>,
}

impl Verifier {
    /// Finds the solver. No process is started before the first question.
    pub fn new(config: Config) -> Result<Self, NoSolver> {
        let Config { solver, rlimit, second, cache, memory, stop } = config;
        let mut solvers = Solvers::locate(solver.as_deref(), rlimit, &stop)?;
        if let Some((path, purpose)) = second {
            solvers = solvers.with_second(path.as_deref(), purpose)?;
        }
        let memory = (memory == Remembering::On).then(Arc::default);
        Ok(Verifier { shared: Arc::new(Shared { solvers, cache, memory }) })
    }
    /// The name and version of the solver.
    pub fn solver(&self) -> SolverVersion {
        self.shared.solvers.version()
    }
    /// The results of the second solver so far, if there is one.
    pub fn second_opinion(&self) -> Option<SecondOpinion> {
        self.shared.solvers.second_opinion()
    }
    /// Statistics over all clones.
    pub fn statistics(&self) -> VerifierStatistics {
        self.shared.solvers.counters().statistics()
    }
    /// A verifier for the same run whose solvers have other options, without memory.
    pub fn varied(&self, variant: Variant) -> Self {
        let solvers = self.shared.solvers.varied(variant);
        Verifier { shared: Arc::new(Shared { solvers, cache: self.shared.cache.clone(), memory: None }) }
    }
    /// A verifier with the same solvers and this limit for an obligation.
    pub(crate) fn bounded(&self, rlimit: u32) -> Self {
        let solvers = self.shared.solvers.bounded(rlimit);
        Verifier { shared: Arc::new(Shared { solvers, cache: None, memory: self.shared.memory.clone() }) }
    }
    /// A verifier for edited versions of a program with known proofs. It spends at most `rlimit` on an obligation.
    pub(crate) fn knowing(&self, known: Option<KnownProofs>, rlimit: u32) -> Self {
        let solvers = self.shared.solvers.bounded(rlimit).knowing(known);
        Verifier { shared: Arc::new(Shared { solvers, cache: None, memory: self.shared.memory.clone() }) }
    }
    /// A verifier for edited versions of a program with known proofs, most of whose obligations cannot be proved.
    pub(crate) fn surveying(&self, known: Option<KnownProofs>, rlimit: u32) -> Self {
        let solvers = self.shared.solvers.bounded(rlimit).knowing(known).impatient();
        Verifier { shared: Arc::new(Shared { solvers, cache: None, memory: self.shared.memory.clone() }) }
    }
    /// The limit of a check.
    pub(crate) fn limit(&self, bound: Bound) -> Limit {
        self.shared.solvers.limit(bound)
    }
    pub(crate) fn solvers(&self) -> &Solvers {
        &self.shared.solvers
    }
    pub(crate) fn cache(&self) -> Option<&Arc<Cache>> {
        self.shared.cache.as_ref()
    }
    pub(crate) fn memory(&self) -> Option<&Memory> {
        self.shared.memory.as_deref()
    }
}
