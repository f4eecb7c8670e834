//! Formatting one file.

use crate::checked::unverified::broken;
use crate::checked::{Checked, ONLY_VIPER, Parts};
use crate::defect::guarded;
use crate::source::Source;
use echis_base::{SourceFile, SourceMap};
use echis_findings::FileResult;
use echis_syntax::{decode, format_source};
use std::sync::Arc;
use std::time::Instant;

/// A formatted file.
pub struct Formatted {
    /// The formatted text.
    pub text: String,
    /// Whether it differs from the original text.
    pub changed: bool,
}

/// Formats a program without writing it, or returns its errors.
pub fn format(source: &Source) -> Result<Formatted, Box<FileResult>> {
    let start = Instant::now();
    let wrong = |parts: Parts| Box::new(Checked::of(source.clone(), parts, start.elapsed()).result());
    if source.is_boogie() {
        return Err(wrong(Parts::unreadable(&ONLY_VIPER)));
    }
    let bytes = source.bytes().map_err(|error| wrong(Parts::unreadable(&error)))?;
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new(source.name(), decode(&bytes)));
    match guarded(|| format_source(main, sources.file(main))) {
        Ok(Ok(text)) => {
            let text = with_line_ends_of(&sources.file(main).text, text);
            Ok(Formatted { changed: text.as_bytes() != bytes, text })
        }
        Ok(Err(diagnostics)) => Err(wrong(Parts { sources: Arc::new(sources), diagnostics, ..Parts::default() })),
        Err(ended) => Err(Box::new(broken(source.path(), ended, start))),
    }
}

/// The formatted text with the line ends of the original, where they are those of Windows.
fn with_line_ends_of(original: &str, formatted: String) -> String {
    let is_windows = original.split_once('\n').is_some_and(|(line, _)| line.ends_with('\r'));
    if is_windows { formatted.replace('\n', "\r\n") } else { formatted }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_stay() {
        let formatted = |text: &str| format(&Source::text("a.vpr", text)).ok().map(|formatted| formatted.text);
        assert_eq!(formatted("field f:Int\r\n// a\r\n").as_deref(), Some("field f: Int\r\n// a\r\n"));
        assert_eq!(formatted("field f:Int\n// a\r\n").as_deref(), Some("field f: Int\n// a\n"));
    }
}
