//! Shared test utilities: locating the corpus, reading files, extracting expectation comments.

#![allow(dead_code, reason = "each test binary uses its own part")]

use echis_base::{Diagnostic, Severity, SourceFile, SourceMap};
use echis_syntax::ast::Program;
use echis_syntax::{Loader, ReadError, decode, parse_program};
use std::path::{Path, PathBuf};

pub struct Disk;

impl Loader for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError> {
        std::fs::read(path).map_err(|_| ReadError::Missing(path.to_string()))
    }
}

pub struct Parsed {
    pub sources: SourceMap,
    pub program: Program,
    pub diagnostics: Vec<Diagnostic>,
}

pub fn parse_path(path: &Path) -> Parsed {
    let text = decode(&std::fs::read(path).expect("the file is readable"));
    parse_text(path.to_str().expect("paths are UTF-8"), &text)
}

pub fn parse_text(path: &str, text: &str) -> Parsed {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new(path, text));
    let (program, diagnostics) = parse_program(&mut sources, main, &Disk);
    Parsed { sources, program, diagnostics }
}

impl Parsed {
    /// `1.2--3.4` for each error.
    pub fn errors(&self) -> Vec<String> {
        let errors = self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        errors.map(|diagnostic| self.range(diagnostic)).collect()
    }
    pub fn error_lines(&self) -> Vec<u32> {
        let errors = self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let mut lines: Vec<u32> =
            errors.map(|diagnostic| self.sources.position(diagnostic.span.expect("has a range")).start.line).collect();
        lines.sort();
        lines.dedup();
        lines
    }
    fn range(&self, diagnostic: &Diagnostic) -> String {
        let position = self.sources.position(diagnostic.span.expect("parser errors have a range"));
        format!("{}@{}--{}", diagnostic.id, position.start, position.end)
    }
}

/// The corpus next to the repository, if available.
pub fn corpus() -> Option<PathBuf> {
    let path = match std::env::var_os("ECHIS_CORPUS") {
        Some(path) => PathBuf::from(path),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
    };
    path.is_dir().then_some(path)
}

/// All `.vpr` and `.sil` files below a folder, sorted.
pub fn programs(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("vpr" | "sil") => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}

/// The lines where `ExpectedOutput(id)` comments expect the given id.
pub fn expected_lines(text: &str, id: &str) -> Vec<u32> {
    let mut lines = Vec::new();
    let mut pending = 0;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if let Some(annotation) = line.strip_prefix("//:: ") {
            pending += u32::from(annotation == format!("ExpectedOutput({id})"));
        } else if !line.starts_with("//") && pending > 0 {
            lines.push(index as u32 + 1);
            pending = 0;
        }
    }
    lines
}

/// Whether the file asks all tools to ignore it.
pub fn is_ignored(text: &str) -> bool {
    text.lines().any(|line| line.trim().to_lowercase().starts_with("//:: ignorefile(/silver/"))
}

/// The comments of a text in order, without trailing whitespace. Assumes that strings do not contain `//`.
pub fn comments(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('/') {
        rest = &rest[at..];
        let end = match rest.strip_prefix("/*") {
            Some(inside) => inside.find("*/").map_or(rest.len(), |end| end + 4),
            None if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            None => {
                rest = &rest[1..];
                continue;
            }
        };
        found.push(rest[..end].lines().map(str::trim_end).collect::<Vec<_>>().join("\n"));
        rest = &rest[end..];
    }
    found
}
