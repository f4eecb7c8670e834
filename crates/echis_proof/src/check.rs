//! Questions to the solver, and their answers.

use crate::origin::OriginId;
use crate::premise::{NodeId, Premise};
use echis_base::SyntaxId;
use echis_term::TermId;

/// The goal must follow from the facts on the path to `at`.
#[derive(Clone, Debug)]
pub struct Check {
    pub at: NodeId,
    pub goal: TermId,
    pub role: Role,
    pub origin: OriginId,
    /// Earlier checks and facts that the goal's terms rest on (heap reads made while evaluating it, chunks used).
    pub premises: Box<[Premise]>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Role {
    /// Its failure is an error for the user.
    Obligation(Property),
    /// An internal question of the engine; `Unknown` is harmless.
    Probe(Question),
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Question {
    Infeasible,
    Alias,
    Depleted,
    Equal,
    Positive,
    /// Whether a location differs from the one whose value is forgotten.
    Apart,
    Other,
}

/// The property that an obligation demands, identified by the error for its failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Property {
    pub error: ErrorKind,
    /// The node that the error is reported at.
    pub at: SyntaxId,
    pub reason: Reason,
    /// The node that the reason is about.
    pub offending: SyntaxId,
}

macro_rules! ids {
    ($(#[$meta:meta])* $name:ident { $($variant:ident = $id:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum $name { $($variant,)* }
        impl $name {
            pub const ALL: &[$name] = &[$($name::$variant,)*];
            /// The stable id that is shown to users and scripts.
            pub fn id(self) -> &'static str {
                match self { $($name::$variant => $id,)* }
            }
        }
    };
}

macro_rules! errors {
    ($($variant:ident = $id:literal: $sentence:literal $meaning:literal;)*) => {
        ids!(
            /// The first half of an error's id.
            ErrorKind { $($variant = $id,)* }
        );
        impl ErrorKind {
            /// The message at a failure, with placeholders for the name of the member and the text it is reported at.
            /// It is extended if more is known.
            pub fn sentence(self) -> &'static str {
                match self { $(ErrorKind::$variant => $sentence,)* }
            }
            /// The meaning of the id.
            pub fn meaning(self) -> &'static str {
                match self { $(ErrorKind::$variant => $meaning,)* }
            }
        }
    };
}

errors! {
    Assignment = "assignment.failed": "Assignment might fail." "An assignment might fail";
    Call = "call.failed": "Method call might fail." "A method call might fail";
    CallPrecondition = "call.precondition": "The precondition of the called method might not hold." "The precondition of a called method might not hold";
    ApplicationPrecondition = "application.precondition": "The precondition of the applied function might not hold." "The precondition of an applied function might not hold";
    ContractNotWellformed = "not.wellformed": "Contract might not be well-formed." "A contract might not be well-formed";
    PostconditionViolated = "postcondition.violated": "Postcondition of {member} might not hold." "A postcondition might not hold at the end of the body";
    InvariantNotEstablished = "invariant.not.established": "Loop invariant {at} might not hold on entry." "A loop invariant might not hold where the loop is entered";
    InvariantNotPreserved = "invariant.not.preserved": "Loop invariant {at} might not be preserved." "A loop invariant might not hold after an iteration";
    Exhale = "exhale.failed": "Exhale might fail." "An exhale might fail";
    Inhale = "inhale.failed": "Inhale might fail." "An inhale might fail";
    Assert = "assert.failed": "Assert might fail." "An assert might fail";
    Fold = "fold.failed": "Folding {at} might fail." "Folding a predicate might fail";
    Unfold = "unfold.failed": "Unfolding {at} might fail." "Unfolding a predicate might fail";
    Package = "package.failed": "Packaging the magic wand might fail." "Packaging a magic wand might fail";
    Apply = "apply.failed": "Applying the magic wand might fail." "Applying a magic wand might fail";
    If = "if.failed": "Conditional statement might fail." "The condition of an if might fail";
    While = "while.failed": "While statement might fail." "The condition of a while might fail";
    FunctionNotWellformed = "function.not.wellformed": "Function {member} might not be well-formed." "A function might not be well-formed";
    PredicateNotWellformed = "predicate.not.wellformed": "Predicate {member} might not be well-formed." "A predicate might not be well-formed";
    WandNotWellformed = "wand.not.wellformed": "Magic wand might not be well-formed." "A magic wand might not be well-formed";
    Quasihavoc = "quasihavoc.failed": "Quasihavoc might fail." "A quasihavoc might fail";
    QuasihavocAll = "quasihavocall.failed": "Quasihavocall might fail." "A quasihavocall might fail";
    Termination = "termination.failed": "Loop might not terminate." "Something might not terminate";
    Refute = "refute.failed": "Refute holds in all cases or could not be reached." "A refute fails";
    PredicateInstanceNoAccess = "predicateinstance.no.access": "Accessing the predicate instance might fail." "A predicate instance might not be accessible";
    Internal = "internal": "This could not be verified." "Something could not be verified";
}

ids!(
    /// The second half of an error's id.
    Reason {
        AssertionFalse = "assertion.false",
        InsufficientPermission = "insufficient.permission",
        NegativePermission = "negative.permission",
        PermissionNotPositive = "permission.not.positive",
        DivisionByZero = "division.by.zero",
        SeqIndexNegative = "seq.index.negative",
        SeqIndexLength = "seq.index.length",
        MapKeyContains = "map.key.contains",
        NotInjective = "qp.not.injective",
        QuasihavocAllNotInjective = "quasihavocall.not.injective",
        WandNotFound = "wand.not.found",
        LabelledStateNotReached = "labelled.state.not.reached",
        TupleFalse = "tuple.false",
        TupleConditionFalse = "tuple.condition.false",
        TerminationConditionFalse = "termination.condition.false",
        RefutationTrue = "refutation.true",
        FeatureUnsupported = "feature.unsupported",
        UnexpectedNode = "unexpected.node",
        Internal = "internal",
    }
);

/// The effort allowed for a check. Limits are the solver's own resource counts, so that two runs agree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bound {
    /// A question on a dead path: if it is not proved, explanations are only less precise. The solver is used only if
    /// there is no other way.
    Brief,
    /// A quick question (about 10 ms).
    Quick,
    /// A question whose answer saves much later work (about 500 ms).
    Patient,
    /// An obligation that failed on another path, so that the error is known (about 500 ms, less after many of them).
    Again,
    /// The full limit of an obligation.
    Full,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Proved,
    /// The solver has a model of the facts and the negated goal.
    Refuted,
    Unknown(GaveUp),
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum GaveUp {
    /// The solver reports that its reasoning is incomplete here (quantifiers, nonlinear arithmetic).
    Incomplete,
    /// The resource limit was reached.
    Resources,
    /// The solver crashed, was killed or gave an invalid answer, twice; the text says what to report.
    Solver(String),
}

impl Verdict {
    pub fn is_proved(&self) -> bool {
        *self == Verdict::Proved
    }
    /// Why the search ended without a conclusion. A solver that reports incomplete reasoning has exhausted its search
    /// without a proof, which is as conclusive as most failures are.
    pub fn given_up(&self) -> Option<GaveUp> {
        match self {
            Verdict::Unknown(reason @ (GaveUp::Resources | GaveUp::Solver(_))) => Some(reason.clone()),
            Verdict::Unknown(GaveUp::Incomplete) | Verdict::Proved | Verdict::Refuted => None,
        }
    }
}
