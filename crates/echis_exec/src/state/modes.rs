//! How something is evaluated: on whose behalf, what a failure means, and what may be used of functions that are not verified yet.

use super::{Step, Stop};
use crate::cfg::LoopId;
use echis_base::SyntaxId;
use echis_proof::{ErrorKind, Origin, Part, Property, Reason};

/// On whose behalf something is evaluated: the error that its failure is, and the origin of its facts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cx {
    pub error: ErrorKind,
    /// Where the error is reported.
    pub at: SyntaxId,
    /// The clause that facts and checks speak for.
    pub clause: SyntaxId,
    /// Where the clause is used, if not where it stands.
    pub site: Option<SyntaxId>,
    /// Which half of `[a, b]` is meant.
    pub side: Side,
    pub purpose: Purpose,
    pub mode: Mode,
}

/// How something is evaluated. A mode is passed on with the context, so it ends where the evaluation does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Mode {
    pub failing: OnFailure,
    pub text: Text,
    pub amounts: Amounts,
    pub pairs: Pairs,
    pub aim: Aim,
    pub induction: Induction,
}

/// Whose text is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Text {
    #[default]
    Own,
    /// Preconditions of callees, whose applications are not those of the member.
    Foreign,
    /// Measures and their conditions, whose failures are reported only here.
    Measure,
}

/// How much permission an assertion demands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Amounts {
    #[default]
    Written,
    /// Any will do, as in preconditions of functions that are applied.
    Any,
}

/// Where facts about pairs of chunks are stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Pairs {
    #[default]
    Outside,
    /// Inside `unfolding` too: an expression is evaluated again because its first value could not be proved.
    Everywhere,
}

/// What an assertion is consumed for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Purpose {
    /// Its snapshot is the value of something else.
    #[default]
    Exchange,
    /// It is checked or given away. The snapshot is not used, and not worth its facts.
    GiveAway,
    /// The statement folds a predicate: it takes what the body takes, and the snapshot is the instance's.
    Fold(SyntaxId),
}

impl Purpose {
    /// The purpose of something consumed on the way whose snapshot is looked at.
    pub fn keeping_snapshots(self) -> Self {
        match self {
            Purpose::GiveAway => Purpose::Exchange,
            Purpose::Exchange | Purpose::Fold(_) => self,
        }
    }
}

/// What is at stake.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Aim {
    #[default]
    Everything,
    /// In the proof that a function terminates whatever else fails was reported before.
    Termination,
}

impl OnFailure {
    /// Where failures are no errors, they end what is being tried.
    pub fn stop(self) -> Step<()> {
        match self {
            OnFailure::Reported => Ok(()),
            OnFailure::Attempted => Err(Stop::Enough),
            OnFailure::Silent => Err(Stop::Undefined),
        }
    }
}

impl Mode {
    /// A context in this mode.
    pub fn cx(self, error: ErrorKind, at: SyntaxId) -> Cx {
        Cx { error, at, clause: at, site: None, side: Side::Neither, purpose: Purpose::Exchange, mode: self }
    }
    /// In the proof of termination only termination is at stake, and what measures need.
    pub fn ignores(self, property: &Property) -> bool {
        self.aim == Aim::Termination && self.text != Text::Measure && property.error != ErrorKind::Termination
    }
    pub fn is_silent(self) -> bool {
        self.failing == OnFailure::Silent
    }
    /// Whether failures are errors and the paths are those of the member.
    pub fn is_reporting(self) -> bool {
        self.failing == OnFailure::Reported
    }
    /// The first failure ends the attempt. Within what raises no errors nothing changes.
    pub fn attempting(self) -> Mode {
        let failing = if self.is_silent() { OnFailure::Silent } else { OnFailure::Attempted };
        Mode { failing, ..self }
    }
    pub fn silent(self) -> Mode {
        Mode { failing: OnFailure::Silent, induction: Induction::Unavailable, ..self }
    }
    /// For text that is not the member's own.
    pub fn foreign(self) -> Mode {
        let text = if self.text == Text::Measure { Text::Measure } else { Text::Foreign };
        Mode { text, induction: Induction::Unavailable, ..self }
    }
    pub fn measuring(self) -> Mode {
        Mode { text: Text::Measure, induction: Induction::Unavailable, ..self }
    }
    /// For text that is part of the member but that its evaluation does not reach: what is asserted or opened.
    pub fn unevaluated(self) -> Mode {
        match self.induction {
            Induction::Measured => self,
            Induction::Unavailable | Induction::Calls => Mode { induction: Induction::Unavailable, ..self },
        }
    }
    /// For what a predicate or a wand holds.
    pub fn held(self) -> Mode {
        Mode { induction: Induction::Unavailable, ..self }
    }
}

/// Whether an assertion is assumed, checked, or just evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Side {
    Neither,
    Assumed,
    Checked,
}

impl Cx {
    pub fn new(error: ErrorKind, at: SyntaxId) -> Self {
        Mode::default().cx(error, at)
    }
    pub fn within(self, mode: Mode) -> Self {
        Cx { mode, ..self }
    }
    /// For what is checked or given away.
    pub fn giving_away(self) -> Self {
        Cx { purpose: Purpose::GiveAway, ..self }
    }
    pub fn clause(self, clause: SyntaxId) -> Self {
        Cx { clause, ..self }
    }
    pub fn property(&self, reason: Reason, offending: SyntaxId) -> Property {
        Property { error: self.error, at: self.at, reason, offending }
    }
    pub fn origin(&self, part: Part) -> Origin {
        Origin { clause: self.clause, site: self.site, part }
    }
}

/// What becomes of an obligation that cannot be proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum OnFailure {
    /// It is an error, and the path goes on.
    #[default]
    Reported,
    /// It ends the attempt that it is part of.
    Attempted,
    /// What is evaluated raises no errors: it is not defined there.
    Silent,
}

/// Whether the postcondition of an application may be used while its own component of the call graph is being verified
/// (see `exec::function`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Induction {
    #[default]
    Unavailable,
    /// Evaluating the body makes the application, so evaluation of the application ends earlier.
    Calls,
    /// Every application in the text is shown to have a smaller measure, whether the body makes it or not.
    Measured,
}

/// How a condition of an assertion is treated (see `eval::cases`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cases {
    /// Two paths.
    Paths,
    /// One path, on which amounts and facts are conditional.
    Terms,
}
