//! How much a check may cost, and how the solver is set up.

use crate::dialect::{Dialect, Z3};
use crate::names::Style;
use echis_proof::Bound;
use std::time::Duration;

/// Settings of a session.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How the solver is spoken to.
    pub dialect: &'static Dialect,
    pub brief: Limit,
    pub quick: Limit,
    pub patient: Limit,
    /// For an obligation that failed on another path.
    pub again: Limit,
    pub full: Limit,
    /// Whether other ways are tried before an obligation is given up.
    pub insists: bool,
    /// How solvers differ from the usual ones.
    pub variant: Variant,
    /// The clock for starting a solver and telling it the options.
    pub start: Duration,
}

/// Another way to ask the same questions.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Variant {
    /// The solver's random choices, and the names that it is told; 0 is the usual.
    pub seed: u32,
    /// Whether quantifiers have names and their instances are counted.
    pub profile: bool,
}

impl Variant {
    pub(crate) fn options(self, dialect: &Dialect) -> String {
        let Variant { seed, profile } = self;
        let seeds = if seed == 0 { String::new() } else { dialect.seeded(seed) };
        seeds + if profile { dialect.profile } else { "" }
    }
}

impl Settings {
    /// How a session's text names things.
    pub(crate) fn style(&self) -> Style {
        match self.variant {
            Variant { profile: true, .. } => Style::Profiled,
            Variant { seed: 0, .. } => Style::Numbered,
            Variant { seed, .. } => Style::Renamed(seed),
        }
    }
}

/// The bound that decides is the solver's own count, which two runs agree on. The clock only ends processes
/// that hang in code that does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// In the solver's units; Z3 makes very roughly 10 000 a millisecond in arithmetic, 2 000 with many quantifiers.
    pub rlimit: u32,
    pub clock: Duration,
}

/// Patient questions and those about obligations that failed before have such a part of an obligation's bound at most.
const PATIENT_SHARE: u32 = 3;
const AGAIN_SHARE: u32 = 16;

/// A bound of 0 is none.
const UNLIMITED: Duration = Duration::from_secs(365 * 24 * 3600);

impl Limit {
    /// With a clock that is far behind any machine that makes progress.
    pub fn of(rlimit: u32) -> Self {
        let clock = Duration::from_millis(u64::from(rlimit) / 300).max(Duration::from_secs(120));
        Limit { rlimit, clock: if rlimit == 0 { UNLIMITED } else { clock } }
    }
}

impl Default for Settings {
    fn default() -> Self {
        let limit = |rlimit, seconds| Limit { rlimit, clock: Duration::from_secs(seconds) };
        Settings {
            dialect: &Z3,
            brief: limit(10_000, 15),
            quick: limit(100_000, 15),
            patient: limit(5_000_000, 30),
            again: limit(1_000_000, 30),
            full: Limit::of(16_000_000),
            insists: true,
            variant: Variant::default(),
            start: Duration::from_secs(30),
        }
    }
}

impl Settings {
    /// With this bound of an obligation. What else may be asked about it has a share of the bound.
    pub fn with_full(self, full: Limit) -> Self {
        let share = |limit: Limit, parts: u32| match full.rlimit {
            0 => limit,
            rlimit => Limit { rlimit: limit.rlimit.min((rlimit / parts).max(1)), ..limit },
        };
        Settings { patient: share(self.patient, PATIENT_SHARE), again: share(self.again, AGAIN_SHARE), full, ..self }
    }
    pub fn limit(&self, bound: Bound) -> Limit {
        match bound {
            Bound::Brief => self.brief,
            Bound::Quick => self.quick,
            Bound::Patient => self.patient,
            Bound::Again => self.again,
            Bound::Full => self.full,
        }
    }
}

/// Declarations that every session has. They carry no quantifiers.
pub const PRELUDE: &str = "\
(declare-sort Ref 0)
(declare-const null Ref)
(declare-datatypes ((Snap 0)) (((Snap.unit) (Snap.combine (Snap.first Snap) (Snap.second Snap)))))
(declare-sort WandMap 0)
(declare-fun Wand.apply (WandMap Snap) Snap)
(define-fun Perm.min ((p Real) (q Real)) Real (ite (<= p q) p q))
(define-fun Perm.max ((p Real) (q Real)) Real (ite (<= p q) q p))
";
