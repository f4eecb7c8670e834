//! The front end for Boogie programs.

use super::{Language, Parts};
use crate::source::{Source, name};
use echis_base::{SourceFile, SourceMap};
use std::path::Path;
use std::sync::Arc;

/// Reads and checks a program and the other files that belong to it.
pub(super) fn check(source: &Source) -> Parts {
    let paths: Vec<&Path> = source.paths().collect();
    let mut texts = Vec::new();
    for path in &paths {
        match source.read(path) {
            Ok(text) => texts.push(text),
            Err(error) => return Parts::unreadable(&error),
        }
    }
    let mut sources = SourceMap::default();
    let all: Vec<&str> = texts.iter().map(String::as_str).collect();
    let checked = echis_boogie::check_texts(sources.next_file(), &all, source.boogie_options());
    for ((path, text), renumberings) in paths.iter().zip(texts).zip(checked.renumberings) {
        sources.add(SourceFile::new(name(path), text).renumbered(renumberings));
    }
    if checked.library {
        sources.add(SourceFile::new("<base.bpl>", echis_boogie::LIBRARY));
    }
    let program = checked.program.map(|program| Language::Boogie(Arc::new(program)));
    let (diagnostics, unsupported) = (checked.errors, checked.unsupported);
    Parts { sources: Arc::new(sources), program, diagnostics, unsupported }
}
