//! Mutation testing of checks: removes one check at a time, so that a harness can see whether a test notices.
//!
//! Functions that make a check call [`is_removed`] and carry `#[track_caller]`, as do their wrappers; the place that asks for
//! the check identifies it. Without the feature `mutants` nothing can be removed and the question costs nothing. Only
//! `cargo xtask mutants` sets the feature: with a check removed, Echis accepts wrong programs.

#[cfg(feature = "mutants")]
pub use enabled::{Site, is_removed, remove, take_reached};

/// Whether the check that the caller is about to make is left out.
#[cfg(not(feature = "mutants"))]
#[inline(always)]
pub fn is_removed() -> bool {
    false
}

#[cfg(feature = "mutants")]
mod enabled {
    use std::collections::BTreeSet;
    use std::panic::Location;
    use std::sync::{Mutex, PoisonError};

    /// A place in the source that asks for a check.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Site {
        pub file: &'static str,
        pub line: u32,
        pub column: u32,
    }

    static REMOVED: Mutex<Option<Site>> = Mutex::new(None);
    static REACHED: Mutex<BTreeSet<Site>> = Mutex::new(BTreeSet::new());

    /// Whether the check that the caller is about to make is left out.
    #[track_caller]
    pub fn is_removed() -> bool {
        let caller = Location::caller();
        let site = Site { file: caller.file(), line: caller.line(), column: caller.column() };
        REACHED.lock().unwrap_or_else(PoisonError::into_inner).insert(site);
        *REMOVED.lock().unwrap_or_else(PoisonError::into_inner) == Some(site)
    }

    /// Removes a check, and puts back the one removed before.
    pub fn remove(site: Option<Site>) {
        *REMOVED.lock().unwrap_or_else(PoisonError::into_inner) = site;
    }

    /// The sites that were reached since the last call.
    pub fn take_reached() -> BTreeSet<Site> {
        std::mem::take(&mut *REACHED.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
