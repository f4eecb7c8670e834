//! Formatting one file.

use crate::checked::result::{broken, front_result};
use crate::checked::{Front, cannot_read, name};
use crate::defect::guarded;
use echis_base::{SourceFile, SourceMap};
use echis_findings::FileResult;
use echis_syntax::{Loader, decode, format_source};
use std::path::Path;
use std::time::Instant;

/// The text of a file as it should be.
pub struct Formatted {
    pub text: String,
    pub changed: bool,
}

/// Formats a file without writing it, or says what is wrong with it.
pub fn format_file(path: &Path, loader: &dyn Loader) -> Result<Formatted, Box<FileResult>> {
    let start = Instant::now();
    let read = loader.open(path);
    let bytes = read.map_err(|error| Box::new(front_result(cannot_read(path, &error), start)))?;
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new(name(path), decode(&bytes)));
    match guarded(|| format_source(main, sources.file(main))) {
        Ok(Ok(text)) => Ok(Formatted { changed: text.as_bytes() != bytes, text }),
        Ok(Err(diagnostics)) => {
            let front = Front { path: name(path), sources, program: None, diagnostics };
            Err(Box::new(front_result(front, start)))
        }
        Err(ended) => Err(Box::new(broken(path, ended, start))),
    }
}
