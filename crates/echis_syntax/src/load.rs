//! Loads a program: resolves the imports of the main file, each file at most once, and expands macros.

use crate::ast::{Import, Member, MemberKind, Program};
use crate::library::library_text;
use crate::{macros, parser};
use echis_base::{Diagnostic, FileId, Severity, SourceFile, SourceMap, Span};
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::path::Path;

/// Why a file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadError {
    /// Imports are not supported.
    NoFiles,
    Missing(String),
    Folder(String),
    /// The file is larger than this many megabytes.
    TooLarge {
        name: String,
        megabytes: u64,
    },
    /// The system's error message.
    Failed {
        name: String,
        reason: String,
    },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReadError::NoFiles => f.write_str("there are no files to import from"),
            ReadError::Missing(name) => write!(f, "there is no file {name}"),
            ReadError::Folder(name) => write!(f, "{name} is a folder, not a program"),
            ReadError::TooLarge { name, megabytes } => {
                write!(f, "{name} is larger than {megabytes} MB: split it, and import its parts")
            }
            ReadError::Failed { name, reason } => write!(f, "{name} cannot be read: {reason}"),
        }
    }
}

impl std::error::Error for ReadError {}

/// Reads imported files. This crate itself does no input.
pub trait Loader {
    /// Reads an imported file. The path is the importing file's directory joined with the written path, normalised.
    fn read(&self, path: &str) -> Result<Vec<u8>, ReadError>;

    /// Reads a file by its system path, which may contain any bytes.
    fn open(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        self.read(&path.to_string_lossy())
    }

    /// A file for `import <path>` that is not among the provided ones.
    fn read_library(&self, _path: &str) -> Option<Vec<u8>> {
        None
    }
}

/// Supports no imports: for self-contained text.
pub struct NoLoader;

impl Loader for NoLoader {
    fn read(&self, _path: &str) -> Result<Vec<u8>, ReadError> {
        Err(ReadError::NoFiles)
    }
}

/// The text of a file. Invalid UTF-8 becomes U+FFFD, which the parser accepts only in comments and strings; a
/// byte-order mark is dropped.
pub fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    String::from_utf8_lossy(bytes).into_owned()
}

/// Parses the main file and its imports, and expands macros. If a diagnostic is an error, the program is incomplete,
/// and macros may be unexpanded.
pub fn parse_program(sources: &mut SourceMap, main: FileId, loader: &dyn Loader) -> (Program, Vec<Diagnostic>) {
    let mut files = Files::default();
    files.seen.insert(Key::Local(normalise(&sources.file(main).path)));
    files.parse(sources, main, &Key::Local(normalise(&sources.file(main).path)));
    files.follow(sources, loader);
    let Files { mut program, mut diagnostics, .. } = files;
    if !diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
        diagnostics.extend(macros::expand(&mut program));
    }
    (program, diagnostics)
}

/// Appends the members of a provided file and its imports to a program, unless already present. Returns `false` if
/// there is no such file.
pub fn add_library_file(sources: &mut SourceMap, program: &mut Program, path: &str) -> bool {
    if library_text(path).is_none() {
        return false;
    }
    let mut files = Files { program: std::mem::take(program), ..Files::default() };
    files.seen = sources.files().filter_map(|(_, file)| Key::of_source(&file.path)).collect();
    files.enqueue(Key::Library(path.into()), None);
    files.follow(sources, &NoLoader);
    assert!(files.diagnostics.is_empty(), "the provided files are well-formed: {:?}", files.diagnostics);
    *program = files.program;
    true
}

#[derive(Default)]
struct Files {
    program: Program,
    diagnostics: Vec<Diagnostic>,
    seen: BTreeSet<Key>,
    /// Local files precede library files, as in the reference implementation.
    local: VecDeque<Wanted>,
    library: VecDeque<Wanted>,
}

/// The identity of a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Local(String),
    Library(String),
}

struct Wanted {
    key: Key,
    /// The import, for a message.
    span: Option<Span>,
}

impl Key {
    fn of_source(path: &str) -> Option<Key> {
        Some(Key::Library(path.strip_prefix('<')?.strip_suffix('>')?.to_string()))
    }
    /// The file named by an import in this file.
    fn import(&self, import: &Import) -> Key {
        match self {
            _ if import.library => Key::Library(normalise(&import.path)),
            Key::Local(from) => Key::Local(sibling(from, &import.path)),
            Key::Library(from) => Key::Library(sibling(from, &import.path)),
        }
    }
}

impl Files {
    fn enqueue(&mut self, key: Key, span: Option<Span>) {
        if !self.seen.insert(key.clone()) {
            return;
        }
        match key {
            Key::Local(_) => self.local.push_back(Wanted { key, span }),
            Key::Library(_) => self.library.push_back(Wanted { key, span }),
        }
    }

    fn follow(&mut self, sources: &mut SourceMap, loader: &dyn Loader) {
        while let Some(wanted) = self.local.pop_front().or_else(|| self.library.pop_front()) {
            match read(&wanted.key, loader) {
                Ok(file) => {
                    let file = sources.add(file);
                    self.parse(sources, file, &wanted.key);
                }
                Err(message) => {
                    let span = wanted.span.expect("a file that no import names is provided");
                    self.diagnostics.push(Diagnostic::error("parser.error", span, message));
                }
            }
        }
    }

    fn parse(&mut self, sources: &SourceMap, file: FileId, key: &Key) {
        let source = sources.file(file);
        self.program.derives_enabled |= imports_derives(&source.text);
        let parsed = parser::parse_file(file, source, &mut self.program.exprs);
        // Users cannot fix warnings about built-in files.
        let heard = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error || matches!(key, Key::Local(_));
        self.diagnostics.extend(parsed.diagnostics.into_iter().filter(heard));
        for member in parsed.members {
            match member {
                Member { kind: MemberKind::Import(import), span, .. } => self.enqueue(key.import(&import), Some(span)),
                member => self.program.members.push(member),
            }
        }
    }
}

/// The file, or an error message.
fn read(key: &Key, loader: &dyn Loader) -> Result<SourceFile, String> {
    match key {
        Key::Local(path) => match loader.read(path) {
            Ok(bytes) => Ok(SourceFile::new(&path[..], decode(&bytes))),
            Err(reason) => Err(format!("cannot import \"{path}\": {reason}")),
        },
        Key::Library(path) => match library_text(path) {
            Some(text) => Ok(SourceFile::new(format!("<{path}>"), text)),
            None => match loader.read_library(path) {
                Some(bytes) => Ok(SourceFile::new(format!("<{path}>"), decode(&bytes))),
                None => Err(format!("cannot import <{path}>: there is no such provided file")),
            },
        },
    }
}

/// Whether the text contains `import <adt/derives.vpr>`, even in a comment.
fn imports_derives(text: &str) -> bool {
    text.match_indices("<adt/derives.vpr>").any(|(at, _)| {
        let before = text[..at].trim_end();
        before.len() < at && before.ends_with("import")
    })
}

fn sibling(from: &str, path: &str) -> String {
    match from.rfind('/') {
        Some(slash) if !path.starts_with('/') => normalise(&format!("{}{path}", &from[..=slash])),
        _ => normalise(path),
    }
}

/// Removes `.` and `..` without accessing a file system.
fn normalise(path: &str) -> String {
    let absolute = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            ".." if absolute => {}
            part => parts.push(part),
        }
    }
    format!("{}{}", if absolute { "/" } else { "" }, parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::{normalise, sibling};

    #[test]
    fn paths_are_normalised_lexically() {
        assert_eq!(normalise("a/./b/../c.vpr"), "a/c.vpr");
        assert_eq!(normalise("../../a"), "../../a");
        assert_eq!(normalise("/../a//b"), "/a/b");
        assert_eq!(sibling("a/b/main.vpr", "../c.vpr"), "a/c.vpr");
        assert_eq!(sibling("main.vpr", "c.vpr"), "c.vpr");
        assert_eq!(sibling("a/main.vpr", "/c.vpr"), "/c.vpr");
    }
}
