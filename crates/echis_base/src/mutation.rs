//! Mutation testing of checks: removes one check at a time, so that a harness can see whether a test notices.
//!
//! Functions that perform a check call [`is_removed`] and carry `#[track_caller]`, as do their wrappers; the call site
//! identifies the check. Without the feature `mutants`, no check can be removed and the call costs nothing. Only
//! `cargo xtask mutants` enables the feature: with a check removed, Echis accepts wrong programs.

#[cfg(feature = "mutants")]
pub use enabled::{Site, is_removed, remove, take_reached};

/// Whether the caller's next check is removed.
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

    /// A call site of a check.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Site {
        pub file: &'static str,
        pub line: u32,
        pub column: u32,
    }

    static REMOVED: Mutex<Option<Site>> = Mutex::new(None);
    static REACHED: Mutex<BTreeSet<Site>> = Mutex::new(BTreeSet::new());

    /// Whether the caller's next check is removed.
    #[track_caller]
    pub fn is_removed() -> bool {
        let caller = Location::caller();
        let site = Site { file: caller.file(), line: caller.line(), column: caller.column() };
        REACHED.lock().unwrap_or_else(PoisonError::into_inner).insert(site);
        *REMOVED.lock().unwrap_or_else(PoisonError::into_inner) == Some(site)
    }

    /// Removes a check and restores the previously removed one.
    pub fn remove(site: Option<Site>) {
        *REMOVED.lock().unwrap_or_else(PoisonError::into_inner) = site;
    }

    /// The sites reached since the last call.
    pub fn take_reached() -> BTreeSet<Site> {
        std::mem::take(&mut *REACHED.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
