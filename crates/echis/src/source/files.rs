//! Where texts come from: files, standard input, and texts that somebody has open.

use echis_syntax::{Loader, ReadError};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// The largest file in bytes: nobody writes programs that come near, and reading takes some hundred times as much memory.
const LARGEST: u64 = 1 << 25;

/// Files from the disk, relative to the working directory, and standard input.
#[derive(Clone, Copy, Default, Debug)]
pub struct Files;

impl Loader for Files {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        read(Path::new(path))
    }
    fn open(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        read(path)
    }
}

/// Texts that somebody is editing, in front of the files they come from.
#[derive(Clone, Default)]
pub struct Buffers {
    /// By path, as whoever asks for them names it.
    pub texts: BTreeMap<String, Arc<str>>,
}

impl Loader for Buffers {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        match self.texts.get(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => Files.read(path),
        }
    }
    fn open(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        path.to_str().map_or_else(|| Files.open(path), |path| self.read(path))
    }
}

/// Stands for standard input among the paths of files.
pub const STANDARD_INPUT: &str = "-";

/// What standard input is called in messages.
pub(crate) const STANDARD_INPUT_NAME: &str = "<stdin>";

/// Standard input can be read once, and is asked for more than once.
fn standard_input() -> Result<Vec<u8>, ReadError> {
    static READ: OnceLock<Result<Vec<u8>, ReadError>> = OnceLock::new();
    let read = || {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes);
        let name = || "standard input".to_string();
        read.map_err(|error| ReadError::Failed { name: name(), reason: error.to_string() })?;
        if bytes.len() as u64 > LARGEST { Err(too_large(name())) } else { Ok(bytes) }
    };
    READ.get_or_init(read).clone()
}

/// The bytes of a file, or one sentence about why there are none.
pub fn read(path: &Path) -> Result<Vec<u8>, ReadError> {
    if path == Path::new(STANDARD_INPUT) {
        return standard_input();
    }
    let name = || path.display().to_string();
    let failed = |error: std::io::Error| ReadError::Failed { name: name(), reason: error.to_string() };
    let found = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => ReadError::Missing(name()),
        _ => failed(error),
    })?;
    if found.is_dir() {
        return Err(ReadError::Folder(name()));
    }
    if found.len() > LARGEST {
        return Err(too_large(name()));
    }
    // What is no plain file may have more to say than it claims.
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    match file {
        Ok(_) if bytes.len() as u64 > LARGEST => Err(too_large(name())),
        Ok(_) => Ok(bytes),
        Err(error) => Err(failed(error)),
    }
}

fn too_large(name: String) -> ReadError {
    ReadError::TooLarge { name, megabytes: LARGEST >> 20 }
}

/// Whether a file is a Boogie program.
pub fn is_boogie(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "bpl")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_a_program_is_refused_in_a_sentence() {
        let folder = std::env::temp_dir().join(format!("echis-read-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("it can be made");
        let large = folder.join("large.vpr");
        // A file with a hole: it takes no room on the disk.
        std::fs::File::create(&large).and_then(|file| file.set_len(1 << 30)).expect("it can be made");
        let told = |path: &Path| read(path).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(told(&large).contains("larger than 32 MB"));
        assert!(told(&folder).contains("is a folder"));
        assert!(told(&folder.join("none")).contains("there is no file"));
        #[cfg(target_os = "linux")]
        assert!(told(Path::new("/dev/zero")).contains("larger than 32 MB"));
        std::fs::remove_dir_all(folder).expect("it can be removed");
    }
}
