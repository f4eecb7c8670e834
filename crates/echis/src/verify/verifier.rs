//! What verifications share: one pool of solvers, the cache, and what this process remembers.

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

/// How a [`Verifier`] is set up.
#[derive(Clone, Default)]
pub struct Config {
    /// The solver's executable; that of the environment or the one that Echis brings if there is none.
    pub solver: Option<PathBuf>,
    /// Replaces the resource bound of obligations.
    pub rlimit: Option<u32>,
    /// A second solver, the given one or one that is installed, and what it is for.
    pub second: Option<(Option<PathBuf>, Purpose)>,
    /// Verdicts of other runs.
    pub cache: Option<Arc<Cache>>,
    /// Whether verdicts and explanations of members are remembered from one program to the next.
    pub memory: Remembering,
    /// Ends all solvers.
    pub stop: Cancel,
}

/// Whether members that an edit does not touch are verified and explained again.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Remembering {
    /// Each program is verified anew, except for what the cache knows.
    #[default]
    Off,
    /// They are not: what is known of them is kept in memory.
    On,
}

/// Verifies programs, one after the other or several at once, from any thread. Copies share everything.
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
    /// Finds the solver. No process is started before there is something to ask.
    pub fn new(config: Config) -> Result<Self, NoSolver> {
        let Config { solver, rlimit, second, cache, memory, stop } = config;
        let mut solvers = Solvers::locate(solver.as_deref(), rlimit, &stop)?;
        if let Some((path, purpose)) = second {
            solvers = solvers.with_second(path.as_deref(), purpose)?;
        }
        let memory = (memory == Remembering::On).then(Arc::default);
        Ok(Verifier { shared: Arc::new(Shared { solvers, cache, memory }) })
    }
    /// Which solver answers.
    pub fn solver(&self) -> SolverVersion {
        self.shared.solvers.version()
    }
    /// What the second solver said so far, where there is one.
    pub fn second_opinion(&self) -> Option<SecondOpinion> {
        self.shared.solvers.second_opinion()
    }
    /// What was done until now, by all copies.
    pub fn statistics(&self) -> VerifierStatistics {
        self.shared.solvers.counters().statistics()
    }
    /// A verifier for the same run whose solvers have other options. It remembers nothing.
    pub fn varied(&self, variant: Variant) -> Self {
        let solvers = self.shared.solvers.varied(variant);
        Verifier { shared: Arc::new(Shared { solvers, cache: self.shared.cache.clone(), memory: None }) }
    }
    /// A verifier with the same solvers that spends no more than this on an obligation.
    pub(crate) fn bounded(&self, rlimit: u32) -> Self {
        let solvers = self.shared.solvers.bounded(rlimit);
        Verifier { shared: Arc::new(Shared { solvers, cache: None, memory: self.shared.memory.clone() }) }
    }
    /// One for variations of a program of which something is known, which spends no more than this on an obligation.
    pub(crate) fn knowing(&self, known: Option<KnownProofs>, rlimit: u32) -> Self {
        let solvers = self.shared.solvers.bounded(rlimit).knowing(known);
        Verifier { shared: Arc::new(Shared { solvers, cache: None, memory: self.shared.memory.clone() }) }
    }
    /// What a check may cost.
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
