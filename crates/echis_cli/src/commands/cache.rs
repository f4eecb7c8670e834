//! `echis cache`: shows the size of the cache, and removes entries from it.

use crate::args::{CacheChore, CacheCommand};
use crate::exit::Exit;
use crate::output::{complain, print};
use echis::{Cache, Statistics};
use std::time::SystemTime;

pub fn run(args: &CacheCommand) -> Exit {
    let Some(cache) = Cache::open(args.cache.as_deref()) else {
        complain("there is no cache: name a folder with --cache");
        return Exit::Invalid;
    };
    match args.chore {
        CacheChore::Stats => print(&stats(&cache)),
        CacheChore::Gc { max_size } => {
            let Statistics { entries, bytes, .. } = cache.collect(max_size);
            print(&format!("removed {entries} entries ({})\n{}", megabytes(bytes), stats(&cache)));
        }
    }
    Exit::Success
}

fn stats(cache: &Cache) -> String {
    let Statistics { entries, bytes, oldest } = cache.statistics();
    let days =
        oldest.and_then(|used| SystemTime::now().duration_since(used).ok()).map(|age| age.as_secs() / (24 * 3600));
    let oldest = days.map_or(String::new(), |days| format!(", the oldest last used {days} days ago"));
    format!("{}: {entries} entries, {}{oldest}\n", cache.path().display(), megabytes(bytes))
}

fn megabytes(bytes: u64) -> String {
    format!("{:.1} MB", bytes as f64 / f64::from(1 << 20))
}
