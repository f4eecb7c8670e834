//! Folders and files that only the user can change.

use std::fs;
use std::io::{Error, Result};
use std::path::Path;

/// The name of the user's own folder within a shared folder.
pub fn folder_name() -> String {
    #[cfg(unix)]
    return format!("echis-{}", user());
    #[cfg(not(unix))]
    "echis".to_owned()
}

/// Creates a folder and its parent, or checks that they are the user's own. Write access by others is removed;
/// earlier changes by others are detected by [`stamp`].
pub fn make(folder: &Path) -> Result<()> {
    create(folder)?;
    if let Some(around) = folder.parent() {
        close_to_others(around)?;
    }
    close_to_others(folder)
}

#[cfg(unix)]
fn user() -> u32 {
    rustix::process::geteuid().as_raw()
}

fn create(folder: &Path) -> Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

fn close_to_others(folder: &Path) -> Result<()> {
    let found = fs::symlink_metadata(folder)?;
    if !found.is_dir() {
        return Err(Error::other(format!("{} is not a folder", folder.display())));
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        if found.uid() != user() {
            return Err(Error::other(format!("{} belongs to another user", folder.display())));
        }
        if found.mode() & 0o022 != 0 {
            fs::set_permissions(folder, fs::Permissions::from_mode(found.mode() & 0o755))?;
        }
    }
    Ok(())
}

/// Identifies a file and its state: it differs from that of every other file, and after any change. Fails if others
/// may change the file.
#[cfg(unix)]
pub fn stamp(path: &Path) -> Result<String> {
    use std::os::unix::fs::MetadataExt;
    let found = fs::symlink_metadata(path)?;
    if !found.is_file() || found.uid() != user() || found.mode() & 0o022 != 0 {
        return Err(Error::other(format!("{} is not a file that only its user can change", path.display())));
    }
    // Programs cannot set the time of the last change to a file's data or mode.
    let changed = (found.ctime(), found.ctime_nsec());
    Ok(format!("{} {} {} {:?} {:o}", found.dev(), found.ino(), found.len(), changed, found.mode()))
}

#[cfg(not(unix))]
pub fn stamp(path: &Path) -> Result<String> {
    let found = fs::symlink_metadata(path)?;
    if !found.is_file() {
        return Err(Error::other(format!("{} is not a file", path.display())));
    }
    Ok(format!("{} {:?} {:?}", found.len(), found.created().ok(), found.modified()?))
}
