//! What may be used of functions that are not verified yet.

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
