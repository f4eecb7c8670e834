//! Files from the disk.

use echis_syntax::Loader;
use std::io::Read;
use std::path::Path;
use std::sync::OnceLock;

/// Offsets into a file are 32 bits wide; nobody writes programs that come near.
const LARGEST: u64 = 1 << 30;

/// Imports relative to the working directory, as the paths of the main files are.
pub struct Files;

impl Loader for Files {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        read(Path::new(path))
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
        if bytes.len() as u64 > LARGEST { Err("standard input is larger than 1 GB".into()) } else { Ok(bytes) }
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
    if found.len() > LARGEST {
        return Err(format!("{shown} is larger than 1 GB"));
    }
    std::fs::read(path).map_err(|error| format!("{shown} cannot be read: {error}"))
}
