//! How something is evaluated: on whose behalf, what a failure means, and what may be used of functions that are not verified yet.

use super::{Step, Stop};
use echis_base::SyntaxId;
use echis_proof::{ErrorKind, Origin, Part, Property, Reason};

/// On whose behalf something is evaluated: the error that its failure is, and the origin of its facts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cx {
    pub error: ErrorKind,
    pub concern: Concern,
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
        let (concern, site, side, purpose) = (Concern::Other, None, Side::Neither, Purpose::Exchange);
        Cx { error, concern, at, clause: at, site, side, purpose, mode: self }
    }
    /// For a contract or an invariant, where it has to be well-formed.
    pub fn contract(self, clause: SyntaxId) -> Cx {
        self.cx(ErrorKind::ContractNotWellformed, clause).concerning(Concern::WellFormedness)
    }
    /// For a postcondition, where it is promised.
    pub fn postcondition(self, clause: SyntaxId) -> Cx {
        self.cx(ErrorKind::PostconditionViolated, clause).concerning(Concern::Postcondition).giving_away()
    }
    /// For an invariant, where it has to hold.
    pub fn invariant(self, error: ErrorKind, clause: SyntaxId) -> Cx {
        self.cx(error, clause).concerning(Concern::Invariant).giving_away()
    }
    pub fn termination(self, at: SyntaxId) -> Cx {
        self.cx(ErrorKind::Termination, at).concerning(Concern::Termination)
    }
    /// In the proof of termination only termination is at stake, and what measures need.
    pub fn ignores(self, obligation: &Obligation) -> bool {
        self.aim == Aim::Termination && self.text != Text::Measure && obligation.concern != Concern::Termination
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

/// What has to hold, and the error that it is if it does not. What follows from a failure is decided by the claim and the
/// concern, never by the error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Obligation {
    pub property: Property,
    pub claim: Claim,
    pub concern: Concern,
}

impl Obligation {
    /// What the engine has to report besides what it proves.
    pub fn other(property: Property) -> Self {
        Obligation { property, claim: Claim::Condition, concern: Concern::Other }
    }
}

/// What an obligation says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    /// An assertion of the program is true.
    Assertion,
    /// Enough permission is held.
    Permission,
    /// An instance of a wand is held.
    Wand,
    /// A condition holds under which something has a meaning, or terminates.
    Condition,
}

/// What an obligation is part of, as far as what follows from its failure depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Concern {
    Other,
    /// A contract or an invariant is well-formed. Where it is used, it fails for the same reasons.
    WellFormedness,
    /// What a function promises, and callers rely on.
    Postcondition,
    Invariant,
    Termination,
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
    fn concerning(self, concern: Concern) -> Self {
        Cx { concern, ..self }
    }
    /// For something evaluated on the way whose failure is an error of its own.
    pub fn reporting(self, error: ErrorKind, concern: Concern) -> Self {
        Cx { error, concern, ..self }
    }
    fn obligation(&self, claim: Claim, reason: Reason, offending: SyntaxId) -> Obligation {
        let property = Property { error: self.error, at: self.at, reason, offending };
        Obligation { property, claim, concern: self.concern }
    }
    pub fn assertion(&self, offending: SyntaxId) -> Obligation {
        self.obligation(Claim::Assertion, Reason::AssertionFalse, offending)
    }
    pub fn permission(&self, offending: SyntaxId) -> Obligation {
        self.obligation(Claim::Permission, Reason::InsufficientPermission, offending)
    }
    pub fn wand(&self, offending: SyntaxId) -> Obligation {
        self.obligation(Claim::Wand, Reason::WandNotFound, offending)
    }
    pub fn condition(&self, reason: Reason, offending: SyntaxId) -> Obligation {
        self.obligation(Claim::Condition, reason, offending)
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
