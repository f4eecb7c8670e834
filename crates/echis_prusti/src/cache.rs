//! Caches of verification results, in memory and on disk.

use crate::result::VerificationResult;
use rustc_hash::FxHashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// A cache of results, keyed by the hash of the request.
pub trait Cache {
    fn get(&self, request: u64) -> Option<VerificationResult>;
    /// Stores a result and returns the previous one, if any.
    fn insert(self, request: u64, result: VerificationResult) -> Option<VerificationResult>;
}

/// A persistent cache: a JSON file that is read once and written by [`save`](Self::save).
#[derive(Debug, Default)]
pub struct PersistentCache {
    location: Option<PathBuf>,
    results: FxHashMap<u64, VerificationResult>,
}

impl PersistentCache {
    /// Loads a cache from a file. If the file is missing or corrupt, the cache is empty.
    pub fn load_cache(cache_loc: PathBuf) -> Self {
        let results = std::fs::read(&cache_loc).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        PersistentCache { location: Some(cache_loc), results: results.unwrap_or_default() }
    }
    /// Writes all results to a file. Errors are ignored: the file may be left unchanged or corrupt, in which case it
    /// loads as empty. Use [`try_save`](Self::try_save) to detect errors.
    pub fn save_cache(&self, cache_loc: &Path) {
        // The original method returns nothing either.
        let _ = self.try_save(cache_loc);
    }
    /// Writes all results to the file they were loaded from, if any.
    pub fn save(&self) {
        if let Some(location) = &self.location {
            self.save_cache(location);
        }
    }
    /// Writes all results to a file.
    pub fn try_save(&self, cache_loc: &Path) -> io::Result<()> {
        let sorted: std::collections::BTreeMap<_, _> = self.results.iter().collect();
        std::fs::write(cache_loc, serde_json::to_vec(&sorted)?)
    }
}

impl Cache for &mut PersistentCache {
    fn get(&self, request: u64) -> Option<VerificationResult> {
        self.results.get(&request).cloned()
    }
    fn insert(self, request: u64, result: VerificationResult) -> Option<VerificationResult> {
        self.results.insert(request, result)
    }
}

impl Cache for &Arc<Mutex<PersistentCache>> {
    fn get(&self, request: u64) -> Option<VerificationResult> {
        (&***self).get(request)
    }
    fn insert(self, request: u64, result: VerificationResult) -> Option<VerificationResult> {
        (&**self).insert(request, result)
    }
}

impl Cache for &Mutex<PersistentCache> {
    fn get(&self, request: u64) -> Option<VerificationResult> {
        self.lock().unwrap_or_else(PoisonError::into_inner).results.get(&request).cloned()
    }
    fn insert(self, request: u64, result: VerificationResult) -> Option<VerificationResult> {
        self.lock().unwrap_or_else(PoisonError::into_inner).results.insert(request, result)
    }
}
