//! Where texts come from: files, standard input, and texts that somebody has open.

use echis_syntax::Loader;
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
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        read(Path::new(path))
    }
    fn open(&self, path: &Path) -> Result<Vec<u8>, String> {
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
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        match self.texts.get(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => Files.read(path),
        }
    }
    fn open(&self, path: &Path) -> Result<Vec<u8>, String> {
        path.to_str().map_or_else(|| Files.open(path), |path| self.read(path))
    }
}

/// Stands for standard input among the paths of files.
pub const STANDARD_INPUT: &str = "-";

/// What standard input is called in messages.
pub(crate) const STANDARD_INPUT_NAME: &str = "<stdin>";

/// Standard input can be read once, and is asked for more than once.
fn standard_input() -> Result<Vec<u8>, String> {
    static READ: OnceLock<Result<Vec<u8>, String>> = OnceLock::new();
    let read = || {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().take(LARGEST + 1).read_to_end(&mut bytes);
        read.map_err(|error| format!("standard input cannot be read: {error}"))?;
        let larger = || format!("standard input is larger than {} MB", LARGEST >> 20);
        if bytes.len() as u64 > LARGEST { Err(larger()) } else { Ok(bytes) }
    };
    READ.get_or_init(read).clone()
}

/// The bytes of a file, or one sentence about why there are none.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    if path == Path::new(STANDARD_INPUT) {
        return standard_input();
    }
    let shown = path.display();
    let found = std::fs::metadata(path).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => format!("there is no file {shown}"),
        _ => format!("{shown} cannot be read: {error}"),
    })?;
    if found.is_dir() {
        return Err(format!("{shown} is a folder, not a program"));
    }
    let too_large = || format!("{shown} is larger than {} MB: split it, and import its parts", LARGEST >> 20);
    if found.len() > LARGEST {
        return Err(too_large());
    }
    // What is no plain file may have more to say than it claims.
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    match file {
        Ok(_) if bytes.len() as u64 > LARGEST => Err(too_large()),
        Ok(_) => Ok(bytes),
        Err(error) => Err(format!("{shown} cannot be read: {error}")),
    }
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
        assert!(read(&large).is_err_and(|message| message.contains("larger than 32 MB")));
        assert!(read(&folder).is_err_and(|message| message.contains("is a folder")));
        assert!(read(&folder.join("none")).is_err_and(|message| message.contains("there is no file")));
        #[cfg(target_os = "linux")]
        assert!(read(Path::new("/dev/zero")).is_err_and(|message| message.contains("larger than 32 MB")));
        std::fs::remove_dir_all(folder).expect("it can be removed");
    }
}
