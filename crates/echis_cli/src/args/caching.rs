//! The options of the cache.

use super::CACHE;
use crate::error::Fallible;
use clap::{Args, Subcommand};
use echis::{Cache, Trust};
use std::path::PathBuf;
use std::sync::Arc;

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

#[derive(Args, Debug)]
pub struct Sharing {
    /// Also use a cache that machines share: a folder (path or `file:///…`), or an object store (`s3://…`, `gs://…`,
    /// `az://…`) if Echis was built with the feature `object-store`
    #[arg(long, value_name = "URL", conflicts_with = "no_cache", help_heading = CACHE)]
    cache_url: Option<String>,
    /// Trust all entries of the shared cache, not only those signed with the secret in ECHIS_CACHE_KEY
    #[arg(long, requires = "cache_url", help_heading = CACHE)]
    trust_cache: bool,
}

impl Sharing {
    /// The cache of a run, shared if a shared one was named.
    pub fn open(&self, caching: &Caching) -> Fallible<Option<Arc<Cache>>> {
        let cache = caching.open();
        let Some(url) = &self.cache_url else { return Ok(cache.map(Arc::new)) };
        let cache = cache.ok_or("--cache-url needs a local cache as well: name a folder with --cache")?;
        Ok(Some(Arc::new(cache.sharing(url, Trust::found(self.trust_cache)?)?)))
    }
}

#[derive(Args, Debug)]
pub struct CacheCommand {
    #[command(subcommand)]
    pub chore: CacheChore,
    /// The folder of the cache [default: ECHIS_CACHE, or `echis/verdicts` in the user's cache folder]
    #[arg(long, value_name = "FOLDER", global = true)]
    pub cache: Option<PathBuf>,
}

#[derive(Subcommand, Clone, Copy, Debug)]
pub enum CacheChore {
    /// Show the number and size of the entries
    Stats,
    /// Remove the least recently used entries
    Gc {
        /// Keep at most this much, such as 500M or 2G
        #[arg(long, value_name = "SIZE", value_parser = size)]
        max_size: u64,
    },
}

/// A number of bytes, with a suffix for powers of 1024.
fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("`{text}` is not a size: write a number of bytes, or one with K, M or G");
    let (digits, shift) = match text.char_indices().last() {
        Some((at, 'K' | 'k')) => (&text[..at], 10),
        Some((at, 'M' | 'm')) => (&text[..at], 20),
        Some((at, 'G' | 'g')) => (&text[..at], 30),
        _ => (text, 0),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << shift).ok_or_else(wrong)
}
