//! How something is evaluated: what a failure means, and what may be used of functions that are not verified yet.

use crate::cfg::LoopId;

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

/// A path that runs through a loop whose invariant failed, instead of believing the invariant (see `exec::again`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Again {
    Within(LoopId),
    Behind,
}
