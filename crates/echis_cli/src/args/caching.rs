//! The options about verdicts of earlier runs.

use clap::Args;
use echis::Cache;
use std::path::PathBuf;

/// What stands for a manner of keeping verdicts, where a folder could be named.
const CORES: &str = "cores";

#[derive(Args, Debug)]
pub struct Caching {
    /// Verify everything, and keep no verdicts for the next time. Without it, members that were verified before by the same
    /// Echis and solver, and see the same program, are not verified again
    #[arg(long)]
    pub no_cache: bool,
    /// The folder with the verdicts of earlier runs [default: the one that ECHIS_CACHE names, or `echis/verdicts` in the
    /// user's cache folder]. `--cache cores`, with or without a folder, says that members stay verified where what changed
    /// around them is in none of their cores; to find these takes time whenever a member is verified
    #[arg(long, value_name = "FOLDER|cores", conflicts_with = "no_cache")]
    cache: Vec<PathBuf>,
}

impl Caching {
    /// `None`: there is none to be had, or wanted.
    pub fn open(&self) -> Option<Cache> {
        if self.no_cache {
            return None;
        }
        let (manners, folders): (Vec<_>, Vec<_>) = self.cache.iter().partition(|value| value.as_os_str() == CORES);
        let cache = Cache::open(folders.last().map(|folder| folder.as_path()))?;
        Some(if manners.is_empty() { cache } else { cache.with_cores() })
    }
}
