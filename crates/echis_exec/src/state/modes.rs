//! How something is evaluated: in which context, what a failure means, and which unverified functions may be used.

use super::{Step, Stop};
use echis_base::SyntaxId;
use echis_proof::{ErrorKind, Origin, Part, Property, Reason};

/// The context of an evaluation: which error a failure reports, and the origin of its facts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cx {
    pub error: ErrorKind,
    pub concern: Concern,
    /// Where the error is reported.
    pub at: SyntaxId,
    /// The clause that is the origin of facts and checks.
    pub clause: SyntaxId,
    /// Where the clause is used, if not where it is written.
    pub site: Option<SyntaxId>,
    /// The half of `[a, b]` that is evaluated.
    pub side: Side,
    pub purpose: Purpose,
    pub mode: Mode,
}

/// How something is evaluated. A mode is passed along with the context, so it ends with the evaluation.
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
    /// Preconditions of callees; function applications in them are not the member's.
    Foreign,
    /// Measures and their conditions, whose failures are reported nowhere else.
    Measure,
}

/// The amounts of permission that an assertion demands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Amounts {
    #[default]
    Written,
    /// Any positive amount, as in preconditions of applied functions.
    Any,
}

/// Where facts about pairs of chunks are stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Pairs {
    #[default]
    Outside,
    /// Inside `unfolding` too, when an expression is evaluated again because its first value could not be proved.
    Everywhere,
}

/// The purpose of consuming an assertion.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Purpose {
    /// Its snapshot becomes the value of something else.
    #[default]
    Exchange,
    /// It is checked or given away. The snapshot is unused, so no facts are stated about it.
    GiveAway,
    /// The body of a predicate that a statement folds: the snapshot becomes the instance's.
    Fold(SyntaxId),
}

impl Purpose {
    /// The purpose for a nested consume whose snapshot is used.
    pub fn keeping_snapshots(self) -> Self {
        match self {
            Purpose::GiveAway => Purpose::Exchange,
            Purpose::Exchange | Purpose::Fold(_) => self,
        }
    }
}

/// Which failures are reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Aim {
    #[default]
    Everything,
    /// Termination only: in a termination proof, all other failures have already been reported.
    Termination,
}

impl OnFailure {
    /// Ends the attempt, unless failures are reported.
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
    /// For checking that a contract or an invariant is well-formed.
    pub fn contract(self, clause: SyntaxId) -> Cx {
        self.cx(ErrorKind::ContractNotWellformed, clause).concerning(Concern::WellFormedness)
    }
    /// For a postcondition, where it is proved.
    pub fn postcondition(self, clause: SyntaxId) -> Cx {
        self.cx(ErrorKind::PostconditionViolated, clause).concerning(Concern::Postcondition).giving_away()
    }
    /// For an invariant, where it must hold.
    pub fn invariant(self, error: ErrorKind, clause: SyntaxId) -> Cx {
        self.cx(error, clause).concerning(Concern::Invariant).giving_away()
    }
    pub fn termination(self, at: SyntaxId) -> Cx {
        self.cx(ErrorKind::Termination, at).concerning(Concern::Termination)
    }
    /// In a termination proof, everything is ignored except termination itself and the definedness of measures.
    pub fn ignores(self, obligation: &Obligation) -> bool {
        self.aim == Aim::Termination && self.text != Text::Measure && obligation.concern != Concern::Termination
    }
    pub fn is_silent(self) -> bool {
        self.failing == OnFailure::Silent
    }
    /// Whether failures are errors and the paths are the member's.
    pub fn is_reporting(self) -> bool {
        self.failing == OnFailure::Reported
    }
    /// The first failure ends the attempt. A silent mode stays silent.
    pub fn attempting(self) -> Mode {
        let failing = if self.is_silent() { OnFailure::Silent } else { OnFailure::Attempted };
        Mode { failing, ..self }
    }
    pub fn silent(self) -> Mode {
        Mode { failing: OnFailure::Silent, induction: Induction::Unavailable, ..self }
    }
    /// For text that does not belong to the member.
    pub fn foreign(self) -> Mode {
        let text = if self.text == Text::Measure { Text::Measure } else { Text::Foreign };
        Mode { text, induction: Induction::Unavailable, ..self }
    }
    pub fn measuring(self) -> Mode {
        Mode { text: Text::Measure, induction: Induction::Unavailable, ..self }
    }
    /// For text of the member that its evaluation does not reach: assertions, and bodies of opened predicates.
    pub fn unevaluated(self) -> Mode {
        match self.induction {
            Induction::Measured => self,
            Induction::Unavailable | Induction::Calls => Mode { induction: Induction::Unavailable, ..self },
        }
    }
    /// For the contents of a predicate or a wand.
    pub fn held(self) -> Mode {
        Mode { induction: Induction::Unavailable, ..self }
    }
}

/// A condition that must hold, and the error to report if it does not. The consequences of a failure are decided by
/// the claim and the concern, never by the error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Obligation {
    pub property: Property,
    pub claim: Claim,
    pub concern: Concern,
}

impl Obligation {
    /// For errors other than failed proofs.
    pub fn other(property: Property) -> Self {
        Obligation { property, claim: Claim::Condition, concern: Concern::Other }
    }
}

/// The claim of an obligation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Claim {
    /// An assertion of the program is true.
    Assertion,
    /// Enough permission is held.
    Permission,
    /// An instance of a wand is held.
    Wand,
    /// A condition under which something is defined, or terminates.
    Condition,
}

/// The part of the program that an obligation belongs to, as far as recovery from its failure depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Concern {
    Other,
    /// A contract or an invariant is well-formed. Its uses then fail for the same reasons.
    WellFormedness,
    /// A postcondition of a function, on which callers rely.
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
    /// For an assertion that is checked or given away.
    pub fn giving_away(self) -> Self {
        Cx { purpose: Purpose::GiveAway, ..self }
    }
    pub fn clause(self, clause: SyntaxId) -> Self {
        Cx { clause, ..self }
    }
    fn concerning(self, concern: Concern) -> Self {
        Cx { concern, ..self }
    }
    /// For a nested evaluation whose failure is an error of its own.
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

/// What happens when an obligation cannot be proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum OnFailure {
    /// It is reported, and the path continues.
    #[default]
    Reported,
    /// It ends the current attempt.
    Attempted,
    /// Nothing is reported; the evaluated expression is undefined.
    Silent,
}

/// Whether the postcondition of an application may be used while its component of the call graph is being verified
/// (see `exec::function`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Induction {
    #[default]
    Unavailable,
    /// For applications that the evaluation of the body makes, so their evaluation ends earlier.
    Calls,
    /// For every application in the text, since each is shown to have a smaller measure, whether the body makes it or
    /// not.
    Measured,
}

/// How a condition in an assertion is treated (see `eval::cases`).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Cases {
    /// The path splits in two.
    Paths,
    /// One path, with conditional amounts and facts.
    Terms,
}
