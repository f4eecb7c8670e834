//! Stores entries as files. An entry is written under a temporary name and then renamed, so readers never see a
//! partial file. It starts with its own key and a digest of the rest, so damaged or misplaced files are rejected.

use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

/// Maximum size; beyond it, the least recently used entries are removed until a quarter is free.
const MOST_BYTES: u64 = 1 << 30;
/// Minimum size of a file on disk.
const BLOCK: u64 = 4 << 10;
/// Interval between checks of the folder's size.
const LOOK: Duration = Duration::from_secs(600);
/// Entries used this recently are not marked as used again.
const RECENT: Duration = Duration::from_secs(3600);
const HEAD: usize = 64;

/// The contents of a cache.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Statistics {
    /// Number of members with a verdict.
    pub entries: usize,
    /// Size on disk, in whole blocks.
    pub bytes: u64,
    /// When the least recently used entry was last used.
    pub oldest: Option<SystemTime>,
}

pub(super) struct Folder {
    path: PathBuf,
    access: Access,
}

/// Who can write to the folder, and thereby decide what counts as verified.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Owner,
    AsUsual,
}

/// The user's cache directory.
pub(super) fn usual() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = set("XDG_CACHE_HOME").or_else(|| set("LOCALAPPDATA")).or_else(|| Some(set("HOME")?.join(".cache")));
    cache.map(|base| base.join("echis").join("verdicts"))
}

impl Folder {
    /// Opens a folder that only the user can access.
    pub fn open(path: PathBuf) -> Option<Self> {
        create(&path, Access::Owner).ok()?;
        Some(Folder { path, access: Access::Owner })
    }
    /// Opens a folder with the permissions of its parent.
    pub fn shared(path: PathBuf) -> Option<Self> {
        create(&path, Access::AsUsual).ok()?;
        Some(Folder { path, access: Access::AsUsual })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn read(&self, key: &[u8; 32]) -> Option<Vec<u8>> {
        let file = self.file(key);
        let body = opened(key, &fs::read(&file).ok()?)?;
        touch(&file);
        Some(body)
    }

    /// Write errors are ignored.
    pub fn write(&self, key: &[u8; 32], body: &[u8]) {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let file = self.file(key);
        let Some(folder) = file.parent() else { return };
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let draft = folder.join(format!("draft-{}-{number}", std::process::id()));
        let bytes = sealed(key, body);
        let written = create(folder, self.access)
            .and_then(|()| fs::write(&draft, bytes))
            .and_then(|()| fs::rename(&draft, &file));
        if written.is_err() {
            let _ = fs::remove_file(draft);
        }
    }

    /// The file of an entry, in one of 256 subfolders to limit their size.
    fn file(&self, key: &[u8; 32]) -> PathBuf {
        let name = super::hexadecimal(key);
        self.path.join(&name[..2]).join(&name[2..])
    }

    /// Removes the least recently used entries if the folder is too large.
    pub fn trim(&self) {
        let stamp = self.path.join("trimmed");
        if fs::metadata(&stamp).and_then(|found| found.modified()).is_ok_and(|when| !is_older(when, LOOK)) {
            return;
        }
        let _ = fs::write(&stamp, "");
        if self.statistics().bytes > MOST_BYTES {
            self.collect(MOST_BYTES / 4 * 3);
        }
    }

    pub fn statistics(&self) -> Statistics {
        let files = self.files();
        let oldest = files.iter().map(|(used, _, _)| *used).min();
        Statistics { entries: files.len(), bytes: files.iter().map(|(_, bytes, _)| bytes).sum(), oldest }
    }

    /// Removes the least recently used entries until the rest takes at most this many bytes. Returns what was
    /// removed.
    pub fn collect(&self, most: u64) -> Statistics {
        let mut files = self.files();
        files.sort();
        let mut bytes: u64 = files.iter().map(|(_, bytes, _)| bytes).sum();
        let mut removed = Statistics { oldest: files.first().map(|(used, _, _)| *used), ..Statistics::default() };
        for (_, size, path) in files {
            if bytes <= most {
                break;
            }
            // Another process may have removed it.
            let _ = fs::remove_file(path);
            bytes -= size;
            removed.entries += 1;
            removed.bytes += size;
        }
        removed
    }

    /// For each entry, when it was last used, its size on disk and its path.
    fn files(&self) -> Vec<(SystemTime, u64, PathBuf)> {
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for folder in entries(&self.path).filter(|path| path.is_dir()) {
            for path in entries(&folder) {
                let Ok(found) = fs::metadata(&path) else { continue };
                let used = found.modified().unwrap_or(SystemTime::UNIX_EPOCH);
                files.push((used, found.len().next_multiple_of(BLOCK), path));
            }
        }
        files
    }
}

/// The stored form of an entry.
pub(super) fn sealed(key: &[u8; 32], body: &[u8]) -> Vec<u8> {
    [key.as_slice(), &Sha256::digest(body), body].concat()
}

/// Returns `None` if the entry is damaged or has another key.
pub(super) fn opened(key: &[u8; 32], bytes: &[u8]) -> Option<Vec<u8>> {
    let (head, body) = bytes.split_at_checked(HEAD)?;
    (head[..32] == *key && head[32..] == *Sha256::digest(body)).then(|| body.to_vec())
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path())
}

fn create(folder: &Path, access: Access) -> std::io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    if access == Access::Owner {
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    }
    // On other systems, folders inherit permissions, and those of a user's own are the user's.
    #[cfg(not(unix))]
    let _ = access;
    builder.recursive(true).create(folder)
}

fn touch(file: &Path) {
    let used = fs::metadata(file).and_then(|found| found.modified());
    if used.is_ok_and(|when| is_older(when, RECENT)) {
        let _ = fs::File::options().append(true).open(file).and_then(|file| file.set_modified(SystemTime::now()));
    }
}

fn is_older(when: SystemTime, than: Duration) -> bool {
    SystemTime::now().duration_since(when).is_ok_and(|age| age > than)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("echis-cache-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        Folder::open(path).expect("it can be made")
    }

    #[test]
    fn what_is_damaged_or_misplaced_is_no_entry() {
        let folder = folder("damaged");
        let (key, other) = ([1; 32], [2; 32]);
        folder.write(&key, b"body");
        assert_eq!(folder.read(&key).as_deref(), Some(&b"body"[..]));
        fs::create_dir_all(folder.file(&other).parent().expect("it has one")).expect("it can be made");
        fs::copy(folder.file(&key), folder.file(&other)).expect("it can be copied");
        assert_eq!(folder.read(&other), None);
        let bytes = fs::read(folder.file(&key)).expect("it is there");
        for length in 0..bytes.len() {
            fs::write(folder.file(&key), &bytes[..length]).expect("it can be written");
            assert_eq!(folder.read(&key), None, "{length}");
        }
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            fs::write(folder.file(&key), damaged).expect("it can be written");
            assert_eq!(folder.read(&key), None, "{at}");
        }
        folder.write(&key, b"anew");
        assert_eq!(folder.read(&key).as_deref(), Some(&b"anew"[..]));
        let _ = fs::remove_dir_all(&folder.path);
    }

    #[test]
    fn what_was_used_least_recently_goes_first() {
        let folder = folder("old");
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        for number in 0..8u8 {
            folder.write(&[number; 32], b"body");
            let file = fs::File::options().append(true).open(folder.file(&[number; 32])).expect("it is there");
            file.set_modified(at(u64::from(number))).expect("it can be set");
        }
        // Reading an entry marks it as used.
        assert!(folder.read(&[0; 32]).is_some());
        let removed = folder.collect(BLOCK * 5);
        assert_eq!((removed.entries, folder.statistics().entries), (3, 5));
        let left: Vec<u8> = (0..8).filter(|number| folder.read(&[*number; 32]).is_some()).collect();
        assert_eq!(left, [0, 4, 5, 6, 7]);
        let _ = fs::remove_dir_all(&folder.path);
    }
}
