//! Files from the disk.

use echis_syntax::Loader;
use std::path::Path;

/// Offsets into a file are 32 bits wide; nobody writes programs that come near.
const LARGEST: u64 = 1 << 30;

/// Imports relative to the working directory, as the paths of the main files are.
pub struct Files;

impl Loader for Files {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        read(Path::new(path))
    }
}

/// The bytes of a file, or one sentence about why there are none.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    let shown = path.display();
    let found = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("there is no file {shown}"),
        _ => format!("{shown} cannot be read: {error}"),
    })?;
    if found.is_dir() {
        return Err(format!("{shown} is a folder, not a program"));
    }
    if found.len() > LARGEST {
        return Err(format!("{shown} is larger than 1 GB"));
    }
    std::fs::read(path).map_err(|error| format!("{shown} cannot be read: {error}"))
}
