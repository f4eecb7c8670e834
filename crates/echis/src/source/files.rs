//! Reading texts: from files, from standard input, or from an editor's open buffers.

use echis_syntax::{Loader, ReadError};
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// Maximum size of a file in bytes: real programs are far smaller, and parsing takes several hundred times as much
/// memory.
const LARGEST: u64 = 1 << 25;

/// Files on disk, relative to the working directory, and standard input.
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

/// Open buffers, which take precedence over the files they come from.
#[derive(Clone, Default)]
pub struct Buffers {
    /// By path, as given by the caller.
    pub texts: BTreeMap<String, Arc<str>>,
    /// The other files that may be read.
    pub reach: Reach,
}

/// The files that may be read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Reach {
    /// All files that the process can read.
    #[default]
    Everything,
    /// Files below a folder, whose path contains neither symbolic links nor `..`. Links that lead out of it are not
    /// followed.
    Below(PathBuf),
    /// No files.
    Nothing,
}

impl Reach {
    /// Reads a file; one that is out of reach counts as missing.
    fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        let missing = || ReadError::Missing(path.display().to_string());
        match self {
            Reach::Everything => read(path),
            Reach::Nothing => Err(missing()),
            Reach::Below(folder) => {
                let real = std::fs::canonicalize(path).map_err(|_| missing())?;
                if real.starts_with(folder) { read(&real) } else { Err(missing()) }
            }
        }
    }
}

impl Loader for Buffers {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        match self.texts.get(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.reach.read(Path::new(path)),
        }
    }
    fn open(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        path.to_str().map_or_else(|| self.reach.read(path), |path| self.read(path))
    }
}

/// The path that denotes standard input.
pub const STANDARD_INPUT: &str = "-";

/// The name of standard input in messages.
pub(crate) const STANDARD_INPUT_NAME: &str = "<stdin>";

/// Standard input can be read only once, so its content is cached.
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

/// The bytes of a file, or the reason why it cannot be read, as a sentence.
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
    // Special files may contain more than their size says.
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
    fn nothing_out_of_reach_is_read() {
        let folder = std::env::temp_dir().join(format!("echis-reach-{}", std::process::id()));
        let inner = folder.join("inner");
        std::fs::create_dir_all(&inner).expect("it can be made");
        let folder = folder.canonicalize().expect("it is there");
        let (outside, inside) = (folder.join("secret.vpr"), folder.join("inner/a.vpr"));
        for file in [&outside, &inside] {
            std::fs::write(file, "field f: Int").expect("it can be written");
        }
        let is_read = |reach: &Reach, path: &Path| {
            let buffers = Buffers { reach: reach.clone(), ..Buffers::default() };
            let (opened, read) = (buffers.open(path).is_ok(), buffers.read(&path.to_string_lossy()).is_ok());
            assert_eq!(opened, read);
            read
        };
        let below = Reach::Below(folder.join("inner"));
        assert!(is_read(&below, &inside) && is_read(&Reach::Everything, &outside));
        assert!(!is_read(&below, &outside) && !is_read(&below, &folder.join("inner/../secret.vpr")));
        assert!(!is_read(&below, &folder.join("inner-other/a.vpr")) && !is_read(&Reach::Nothing, &inside));
        #[cfg(unix)]
        {
            let link = folder.join("inner/link.vpr");
            std::os::unix::fs::symlink(&outside, &link).expect("links can be made");
            assert!(!is_read(&below, &link) && is_read(&Reach::Everything, &link));
        }
        std::fs::remove_dir_all(folder).expect("it can be removed");
    }

    #[test]
    fn what_cannot_be_a_program_is_refused_in_a_sentence() {
        let folder = std::env::temp_dir().join(format!("echis-read-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("it can be made");
        let large = folder.join("large.vpr");
        // A sparse file takes no space on disk.
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
