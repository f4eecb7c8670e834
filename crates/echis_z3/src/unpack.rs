//! Unpacking, safe against other processes that unpack at the same time: everyone writes under a name of
//! their own and renames it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub const VERSION: &str = env!("ECHIS_Z3_VERSION");
static PACKED: &[u8] = include_bytes!(env!("ECHIS_Z3_DEFLATE"));

pub fn executable() -> Result<PathBuf, String> {
    // Once for each process also because no file may be open for writing when a process that runs it is started.
    static PATH: OnceLock<Result<PathBuf, String>> = OnceLock::new();
    PATH.get_or_init(|| {
        let mut reason = "there is no folder to unpack Z3 into".to_owned();
        for folder in folders() {
            match unpack_into(&folder) {
                Ok(path) => return Ok(path),
                Err(error) => reason = format!("Z3 cannot be unpacked into {}: {error}", folder.display()),
            }
        }
        Err(reason)
    })
    .clone()
}

/// The user's cache folder; the temporary folder where that cannot be written.
fn folders() -> Vec<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let cache = set("XDG_CACHE_HOME").or_else(|| set("LOCALAPPDATA")).or_else(|| Some(set("HOME")?.join(".cache")));
    let name = format!("z3-{VERSION}-{}", env!("ECHIS_Z3_KEY"));
    cache.into_iter().chain([std::env::temp_dir()]).map(|base| base.join("echis").join(&name)).collect()
}

fn unpack_into(folder: &Path) -> std::io::Result<PathBuf> {
    let size: u64 = env!("ECHIS_Z3_SIZE").parse().expect("the build script writes a number");
    let path = folder.join(env!("ECHIS_Z3_FILE"));
    if fs::metadata(&path).is_ok_and(|found| found.is_file() && found.len() == size) {
        return Ok(path);
    }
    fs::create_dir_all(folder)?;
    let bytes = miniz_oxide::inflate::decompress_to_vec_with_limit(PACKED, size as usize)
        .map_err(|error| std::io::Error::other(error.to_string()))?;
    let temporary = folder.join(format!("unpacking-{}", std::process::id()));
    let written = write_executable(&temporary, &bytes).and_then(|()| fs::rename(&temporary, &path));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written.map(|()| path)
}

fn write_executable(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut file = fs::File::create(path)?;
    file.write_all(bytes)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        file.set_permissions(fs::Permissions::from_mode(0o755))?;
    }
    file.sync_all()
}
