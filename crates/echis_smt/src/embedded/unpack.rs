//! Unpacking, safe against concurrent processes: each writes under its own name and renames the file.
//!
//! An existing file is run only if it has the packed contents. Comparing takes a tenth of a second, so a stamp beside
//! the executable identifies the file that was compared; a changed or replaced file has a different stamp.

use super::{NotUnpacked, private};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub const VERSION: &str = env!("ECHIS_Z3_VERSION");
static PACKED: &[u8] = include_bytes!(env!("ECHIS_Z3_DEFLATE"));

pub fn executable() -> Result<PathBuf, NotUnpacked> {
    // Once per process also because no file may be open for writing when a process that runs it is started.
    static PATH: OnceLock<Result<PathBuf, NotUnpacked>> = OnceLock::new();
    PATH.get_or_init(|| {
        let mut reasons = Vec::new();
        for folder in folders() {
            match unpack_into(&folder) {
                Ok(path) => return Ok(path),
                Err(error) => reasons.push((folder, error.to_string())),
            }
        }
        Err(NotUnpacked { reasons })
    })
    .clone()
}

/// The user's cache folder; if that is not writable, a private folder in the temporary folder.
fn folders() -> Vec<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| set("LOCALAPPDATA")).or_else(|| Some(set("HOME")?.join(".cache")));
    let cache = cache.map(|base| base.join("echis"));
    let temporary = std::env::temp_dir().join(private::folder_name());
    let name = format!("z3-{VERSION}-{}", env!("ECHIS_Z3_KEY"));
    cache.into_iter().chain([temporary]).map(|base| base.join(&name)).collect()
}

fn unpack_into(folder: &Path) -> std::io::Result<PathBuf> {
    private::make(folder)?;
    let path = folder.join(env!("ECHIS_Z3_FILE"));
    let stamp = folder.join("checked");
    let found = private::stamp(&path).ok();
    if found.is_some() && fs::read_to_string(&stamp).ok() == found {
        return Ok(path);
    }
    let size: usize = env!("ECHIS_Z3_SIZE").parse().expect("the build script writes a number");
    let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(PACKED, size)
        .map_err(|error| std::io::Error::other(error.to_string()))?;
    if found.is_none() || !holds(&path, &bytes) {
        replace(&path, &bytes)?;
    }
    // Without a stamp, the contents are compared again next time.
    if let Ok(checked) = private::stamp(&path) {
        let _ = replace(&stamp, checked.as_bytes());
    }
    Ok(path)
}

/// Whether the file has these contents; reads it only if the size matches.
fn holds(path: &Path, bytes: &[u8]) -> bool {
    fs::metadata(path).is_ok_and(|found| found.len() == bytes.len() as u64)
        && fs::read(path).is_ok_and(|found| found == bytes)
}

/// Replaces a file atomically: readers see the old contents or all of the new ones.
fn replace(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let temporary = path.with_extension(format!("{}.part", std::process::id()));
    let written = write_executable(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write_executable(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    // Do not write through an existing file or link of this name.
    let _ = fs::remove_file(path);
    let mut file = fs::OpenOptions::new().write(true).create_new(true).open(path)?;
    file.write_all(bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(0o755))?;
    }
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A separate, empty folder for each test.
    fn folder(test: &str) -> PathBuf {
        let base = std::env::temp_dir().join(format!("echis-z3-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&base);
        base.join("z3")
    }

    fn remove(folder: &Path) {
        let base = folder.parent().expect("it lies in a folder of the test");
        fs::remove_dir_all(base).expect("it can be removed");
    }

    fn answers(path: &Path) {
        let output = std::process::Command::new(path).arg("--version").output().expect("it runs");
        assert!(String::from_utf8_lossy(&output.stdout).contains("Z3 version"), "{output:?}");
    }

    #[test]
    fn what_was_planted_is_not_run() {
        let folder = folder("planted");
        let path = unpack_into(&folder).expect("it unpacks");
        answers(&path);
        let size = fs::metadata(&path).expect("it is there").len();
        // A file with the same size and modification time.
        let time = fs::metadata(&path).and_then(|found| found.modified()).expect("it has a time");
        let planted = format!("#!/bin/sh\necho planted{}", "\n".repeat(size as usize - 22));
        assert_eq!(planted.len() as u64, size);
        fs::write(&path, planted).expect("it can be written");
        let file = fs::File::options().write(true).open(&path).expect("it can be opened");
        file.set_modified(time).expect("it can be set");
        drop(file);
        answers(&unpack_into(&folder).expect("it unpacks again"));
        fs::write(&path, "short").expect("it can be written");
        answers(&unpack_into(&folder).expect("it unpacks again"));
        remove(&folder);
    }

    #[test]
    fn a_folder_that_is_a_file_is_an_error_with_a_reason() {
        let folder = folder("file");
        fs::create_dir_all(&folder).expect("it can be made");
        fs::write(folder.join("cache"), "").expect("it can be written");
        let error = unpack_into(&folder.join("cache").join("z3")).expect_err("it is no folder");
        assert!(!error.to_string().is_empty());
        remove(&folder);
    }

    #[cfg(unix)]
    #[test]
    fn what_others_may_write_is_closed_to_them_and_unpacked_again() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder("open");
        let path = unpack_into(&folder).expect("it unpacks");
        let open = |path: &Path| fs::set_permissions(path, fs::Permissions::from_mode(0o777)).expect("it is ours");
        open(&path);
        open(&folder);
        answers(&unpack_into(&folder).expect("it unpacks again"));
        for path in [&path, &folder] {
            let mode = fs::metadata(path).expect("it is there").permissions().mode();
            assert_eq!(mode & 0o022, 0, "{} is writable by others", path.display());
        }
        remove(&folder);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_elsewhere_is_not_followed() {
        let (folder, elsewhere) = (folder("link"), folder("elsewhere"));
        fs::create_dir_all(&elsewhere).expect("it can be made");
        fs::create_dir_all(folder.parent().expect("it has one")).expect("it can be made");
        std::os::unix::fs::symlink(&elsewhere, &folder).expect("it can be linked");
        let error = unpack_into(&folder).expect_err("a link is no folder of ours");
        assert!(error.to_string().contains("not a folder"), "{error}");
        remove(&folder);
        remove(&elsewhere);
    }
}
