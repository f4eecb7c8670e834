//! Limits of checks and the configuration of the solver.

use crate::dialect::{Dialect, Z3};
use crate::names::Style;
use echis_proof::Bound;
use std::time::Duration;

/// Settings of a session.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The dialect of the solver.
    pub dialect: &'static Dialect,
    pub brief: Limit,
    pub quick: Limit,
    pub patient: Limit,
    /// For an obligation that failed on another path.
    pub again: Limit,
    pub full: Limit,
    /// Whether other ways are tried before an obligation is given up.
    pub insists: bool,
    /// Deviations from the usual configuration.
    pub variant: Variant,
    /// The time limit for starting a solver and sending the options.
    pub start: Duration,
}

/// A variation of how questions are asked.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Variant {
    /// Determines the solver's random choices, and the names sent; 0 is the default.
    pub seed: u32,
    /// Whether quantifiers are named and their instances counted.
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
    /// How names are written in a session's text.
    pub(crate) fn style(&self) -> Style {
        match self.variant {
            Variant { profile: true, .. } => Style::Profiled,
            Variant { seed: 0, .. } => Style::Numbered,
            Variant { seed, .. } => Style::Renamed(seed),
        }
    }
}

/// The limit of a check. The decisive bound is the solver's own count, on which two runs agree. The clock only ends
/// processes that hang in code that does not count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limit {
    /// In the solver's units; Z3 takes very roughly 10 000 per millisecond in arithmetic, 2 000 with many
    /// quantifiers.
    pub rlimit: u32,
    pub clock: Duration,
}

/// Patient questions, and those about obligations that failed before, have at most this fraction of an obligation's
/// limit.
const PATIENT_SHARE: u32 = 3;
const AGAIN_SHARE: u32 = 16;

/// The clock for a limit of 0, which means unlimited.
const UNLIMITED: Duration = Duration::from_secs(365 * 24 * 3600);

impl Limit {
    /// A limit with a clock far slower than any machine that makes progress.
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
    /// Settings with this limit for obligations. Other limits are capped at a fraction of it.
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

/// Declarations of every session, without quantifiers.
pub const PRELUDE: &str = "\
(declare-sort Ref 0)
(declare-const null Ref)
(declare-datatypes ((Snap 0)) (((Snap.unit) (Snap.combine (Snap.first Snap) (Snap.second Snap)))))
(declare-sort WandMap 0)
(declare-fun Wand.apply (WandMap Snap) Snap)
(define-fun Perm.min ((p Real) (q Real)) Real (ite (<= p q) p q))
(define-fun Perm.max ((p Real) (q Real)) Real (ite (<= p q) q p))
";
