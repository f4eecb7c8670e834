//! A disk cache for the verdicts of members.
//!
//! An entry's key is a digest of everything that the verdict depends on: the member's fingerprint, the options, the
//! code of Echis and the solver. It stores failures by nodes of the program, which are identified by their position
//! among those that the member can see; messages and locations are recomputed for the current text, as if the member
//! had just been verified. For functions it also stores the solver's answers, from which a function's definition,
//! which others import, is rebuilt without a solver.
//!
//! If an entry or the folder is damaged, the member is verified as if there were no cache.

pub(crate) mod answers;
mod entry;
mod folder;
pub(crate) mod memory;
#[cfg(feature = "object-store")]
mod objects;
pub(crate) mod programs;
mod refusal;
mod shared;

pub use folder::Statistics;
pub use refusal::{KEY_VARIABLE, NotShared};
pub use shared::Trust;

use crate::cache::answers::Answers;
use echis_base::IndexVec;
use echis_program::program::Program;
use echis_program::reach::{Member, Reach};
use echis_program::{Fingerprint, Fingerprints};
use echis_proof::{Failure, MemberId, MemberKind, Options, Outcome};
use entry::Entry;
use folder::Folder;
use memory::Memory;
use sha2::{Digest, Sha256};
use shared::Shared;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

/// The environment variable that names the cache folder; if empty, there is no cache.
pub const CACHE_VARIABLE: &str = "ECHIS_CACHE";

/// The format version of entries.
const FORM: &str = "1";

/// A folder of verdicts. Several processes may use it at once.
pub struct Cache {
    folder: Folder,
    /// Consulted for entries that are not in the folder.
    shared: Option<Shared>,
    /// Whether to determine which parts of the program proofs use.
    cores: bool,
    written: AtomicBool,
}

impl Cache {
    /// Opens the given folder, or that of the environment, or the user's own. `None` if no folder is available.
    pub fn open(given: Option<&Path>) -> Option<Self> {
        let named = std::env::var_os(CACHE_VARIABLE).map(PathBuf::from);
        let path = match (given, named) {
            (Some(path), _) => path.to_owned(),
            (None, Some(path)) if path.as_os_str().is_empty() => return None,
            (None, Some(path)) => path,
            (None, None) => folder::usual()?,
        };
        Some(Cache { folder: Folder::open(path)?, shared: None, cores: false, written: AtomicBool::new(false) })
    }
    /// The number of entries and their size.
    pub fn statistics(&self) -> Statistics {
        self.folder.statistics()
    }
    /// Removes the least recently used entries until the rest takes at most this many bytes. Returns what was
    /// removed.
    pub fn collect(&self, most_bytes: u64) -> Statistics {
        self.folder.collect(most_bytes)
    }
    /// The path of the folder.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }
    /// Keeps members verified if a change affects none of their cores; determining the cores takes time.
    pub fn with_cores(mut self) -> Self {
        self.cores = true;
        self
    }
    pub(crate) fn has_cores(&self) -> bool {
        self.cores
    }
    /// Shares entries through a folder or an object store.
    pub fn sharing(mut self, url: &str, trust: Trust) -> Result<Self, NotShared> {
        self.shared = Some(Shared::open(url, trust)?);
        Ok(self)
    }
    pub(crate) fn get(&self, key: &Key) -> Option<Entry> {
        serde_json::from_slice(&self.body(key)?).ok()
    }
    pub(crate) fn body(&self, key: &Key) -> Option<Vec<u8>> {
        self.folder.read(key).or_else(|| {
            let body = self.shared.as_ref()?.read(key)?;
            self.keep_for_ourselves(key, &body);
            Some(body)
        })
    }
    /// Stores an entry locally, unless this run trusts unsigned entries: results that rest on that option are not
    /// reused in the next run.
    fn keep_for_ourselves(&self, key: &Key, body: &[u8]) {
        if self.shared.as_ref().is_none_or(Shared::is_signed) {
            self.folder.write(key, body);
        }
    }
    pub(crate) fn put(&self, key: &Key, entry: &Entry) {
        if let Ok(body) = serde_json::to_vec(entry) {
            self.keep(key, &body);
        }
    }
    pub(crate) fn keep(&self, key: &Key, body: &[u8]) {
        self.keep_for_ourselves(key, body);
        self.shared.iter().for_each(|shared| shared.write(key, body));
        self.written.store(true, Ordering::Relaxed);
    }
}

/// Removes the oldest entries if there are too many.
impl Drop for Cache {
    fn drop(&mut self) {
        if *self.written.get_mut() {
            self.folder.trim();
        }
    }
}

/// The key of an entry.
pub(crate) type Key = [u8; 32];

/// The keys for a member's verdict.
pub(crate) struct Lookup {
    pub key: Key,
    pub fingerprint: Fingerprint,
}

impl Lookup {
    pub fn new(context: [u8; 32], fingerprint: Fingerprint) -> Self {
        let key = Sha256::new().chain_update(context).chain_update(fingerprint.digest).finalize().into();
        Lookup { key, fingerprint }
    }
}

/// Looks up the verdicts of a program's members.
pub(crate) struct Recall<'a> {
    pub cache: Option<&'a Cache>,
    pub memory: Option<&'a Memory>,
    pub known: IndexVec<MemberId, Lookup>,
    /// Whether failures should have counterexamples, which are not stored.
    pub counterexamples: bool,
}

impl Recall<'_> {
    fn entry(&self, key: &Key) -> Option<Entry> {
        let remembered = self.memory.and_then(|memory| memory.entry(key));
        remembered.or_else(|| self.cache.and_then(|cache| cache.get(key)))
    }
    /// The number of checks, and the failures.
    pub fn verdict(&self, id: MemberId) -> Option<(usize, Vec<Failure>)> {
        let Lookup { key, fingerprint } = &self.known[id];
        let entry = self.entry(key)?;
        if self.counterexamples && !entry.is_verified() {
            return None;
        }
        Some((entry.checks, entry.failures(&fingerprint.nodes)?))
    }
    /// The solver's answers for a function.
    pub fn answers(&self, id: MemberId) -> Option<Answers> {
        self.entry(&self.known[id].key)?.answers
    }
    /// Stores a member's outcome. A solver that broke, even over an internal question, may not break next time.
    /// Warnings have locations, so members with warnings are not stored.
    pub fn note<N>(&self, id: MemberId, member: &echis_proof::Member, outcome: &Outcome<N>, answers: Answers) {
        let Some(answers) = answers.complete() else { return };
        if !outcome.warnings.is_empty() {
            return;
        }
        let Lookup { key, fingerprint } = &self.known[id];
        let answers = (member.kind == MemberKind::Function).then_some(answers);
        if let Some(entry) = Entry::new(outcome.checks, &outcome.failures, answers, &fingerprint.nodes) {
            self.cache.iter().for_each(|cache| cache.put(key, &entry));
            self.memory.iter().for_each(|memory| memory.keep_entry(*key, entry.clone()));
        }
    }
}

/// The keys of all members of a program.
pub(crate) fn known<'a>(
    program: &Program,
    members: impl Iterator<Item = (Member, &'a Reach)>,
    options: &Options,
    solver: &str,
) -> IndexVec<MemberId, Lookup> {
    let context = context(options, solver);
    let fingerprints = Fingerprints::new(program);
    members.map(|(member, reach)| Lookup::new(context, fingerprints.of(member, reach))).collect()
}

/// The version of Echis, with a digest of the code that verdicts depend on.
pub(crate) fn code_identity() -> String {
    [env!("CARGO_PKG_VERSION"), env!("ECHIS_CODE")].join(" ")
}

pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Everything that verdicts depend on besides the program; `solver` identifies the solver and its settings.
pub(crate) fn context(options: &Options, solver: &str) -> [u8; 32] {
    let own = [FORM, &code_identity()].join(" ");
    // Verdicts do not depend on the additional data in failures.
    let Options { errors, recovers, recheck, injectivity, step_heaps: _ } = options;
    let asked = format!("errors {errors} recovers {recovers} recheck {recheck} injectivity {injectivity:?}");
    let mut hasher = Sha256::new();
    for part in [own, asked, solver.to_string()] {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    hasher.finalize().into()
}
