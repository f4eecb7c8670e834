//! Turns panics into values: a defect in Echis must not end the whole run.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Why a piece of work ended early.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The work gave up.
    GaveUp(Over),
    /// A panic; the text says what to report.
    Defect(String),
}

/// Why a piece of work is no longer wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Over {
    /// The time limit was reached.
    TimeOut,
    /// The user ended the run.
    Interrupted,
    /// There is no usable solver; the text gives the reason.
    NoSolver(String),
}

/// The payload that unwinds a cancelled worker. It bypasses the panic hook.
struct GiveUp(Over);

thread_local! {
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Stops panics from printing; [`guarded`] returns them. For programs, not for libraries: the hook is global.
pub fn silence_panics() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
        let text = format!("{}{place}", message(info.payload()));
        LAST_PANIC.with(|last| *last.borrow_mut() = Some(text));
    }));
}

/// Runs the work until it ends, panics, or gives up.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Ended> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| {
        let payload = match payload.downcast::<GiveUp>() {
            Ok(give_up) => return Ended::GaveUp(give_up.0),
            Err(payload) => payload,
        };
        let told = LAST_PANIC.with(|last| last.borrow_mut().take());
        Ended::Defect(told.unwrap_or_else(|| message(&*payload).to_string()))
    })
}

/// Unwinds to the enclosing [`guarded`].
pub fn give_up(over: Over) -> ! {
    resume_unwind(Box::new(GiveUp(over)))
}

fn message(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(|text| &**text);
    text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_in_one_of_three_ways() {
        assert_eq!(guarded(|| 1), Ok(1));
        assert_eq!(guarded(|| give_up(Over::TimeOut)), Err::<(), _>(Ended::GaveUp(Over::TimeOut)));
        match guarded(|| panic!("boom {}", 1)) {
            Err::<(), _>(Ended::Defect(text)) => assert!(text.starts_with("boom 1"), "{text}"),
            other => panic!("{other:?}"),
        }
    }
}
