//! The options of the cache.

use super::CACHE;
use clap::Args;
use echis::Cache;
use std::path::PathBuf;

/// The word for keeping verdicts by their cores, where a folder could be named.
const CORES: &str = "cores";

#[derive(Args, Debug)]
pub struct Caching {
    /// Verify everything, and keep no verdicts. By default, members are not verified again if nothing that their verdict
    /// can depend on has changed
    #[arg(long, help_heading = CACHE)]
    pub no_cache: bool,
    /// The folder for verdicts [default: ECHIS_CACHE, or `echis/verdicts` in the user's cache folder]. `--cache cores` (in
    /// addition to a folder, or alone) keeps members verified if what changed is not used by their proofs; this makes
    /// verification slower
    #[arg(long, value_name = "FOLDER|cores", conflicts_with = "no_cache", help_heading = CACHE)]
    cache: Vec<PathBuf>,
}

impl Caching {
    /// `None` if there is no cache, or none is wanted.
    pub fn open(&self) -> Option<Cache> {
        if self.no_cache {
            return None;
        }
        let (manners, folders): (Vec<_>, Vec<_>) = self.cache.iter().partition(|value| value.as_os_str() == CORES);
        let cache = Cache::open(folders.last().map(|folder| folder.as_path()))?;
        Some(if manners.is_empty() { cache } else { cache.with_cores() })
    }
}
