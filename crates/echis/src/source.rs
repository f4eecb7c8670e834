//! Sources of programs: files, texts and standard input, with an optional loader for imported files.

pub(crate) mod files;

use echis_boogie::Options as BoogieOptions;
use echis_build::{BUILT_NAME, Built, Syntax};
use echis_syntax::{Loader, ReadError, decode};
use files::{Files, STANDARD_INPUT, STANDARD_INPUT_NAME, is_boogie};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A program that has not been read yet.
#[derive(Clone)]
pub struct Source {
    path: PathBuf,
    /// Replaces the text of the file.
    text: Option<Arc<str>>,
    /// The parsed text.
    syntax: Option<Arc<Syntax>>,
    beside: Vec<PathBuf>,
    /// Options that affect the meaning of a Boogie program.
    boogie: BoogieOptions,
    loader: Arc<dyn Loader + Send + Sync>,
}

impl Source {
    /// A file; `-` is standard input.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Source {
            path: path.into(),
            text: None,
            syntax: None,
            beside: Vec::new(),
            boogie: BoogieOptions::default(),
            loader: Arc::new(Files),
        }
    }
    /// Standard input, which is read once.
    pub fn standard_input() -> Self {
        Source::file(STANDARD_INPUT)
    }
    /// A text with a name, which determines its language (`.bpl` is Boogie) and the folder of its imports.
    pub fn text(name: impl Into<PathBuf>, text: impl Into<Arc<str>>) -> Self {
        Source::file(name).with_text(text)
    }
    /// A built program. [`Verification::by_origin`](crate::Verification::by_origin) answers in terms of its origins.
    pub fn program<O>(built: &Built<O>) -> Self {
        Source { syntax: Some(built.syntax().clone()), ..Source::text(BUILT_NAME, &*built.text) }
    }
    /// Another text under the same name.
    pub fn with_text(mut self, text: impl Into<Arc<str>>) -> Self {
        self.text = Some(text.into());
        self.syntax = None;
        self
    }
    /// Reads files with `loader` instead of from disk.
    pub fn loaded_by(mut self, loader: Arc<dyn Loader + Send + Sync>) -> Self {
        self.loader = loader;
        self
    }
    /// Adds files that form one program with this one; Boogie only.
    pub fn beside(mut self, files: Vec<PathBuf>) -> Self {
        self.beside = files;
        self
    }
    /// Reads a Boogie program with options that affect its meaning.
    pub fn meaning(mut self, options: BoogieOptions) -> Self {
        self.boogie = options;
        self
    }
    pub(crate) fn boogie_options(&self) -> BoogieOptions {
        self.boogie
    }
    /// The path, as given by the caller.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// Whether it is a Boogie program.
    pub fn is_boogie(&self) -> bool {
        is_boogie(&self.path)
    }
    /// The syntax tree, if the source is already parsed.
    pub(crate) fn syntax(&self) -> Option<&Arc<Syntax>> {
        self.syntax.as_ref()
    }
    pub(crate) fn loader(&self) -> &(dyn Loader + Send + Sync) {
        &*self.loader
    }
    /// The paths of all files that form the program, the main one first.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &Path> {
        std::iter::once(&*self.path).chain(self.beside.iter().map(PathBuf::as_path))
    }
    /// The text of one of the program's own files.
    pub(crate) fn read(&self, path: &Path) -> Result<String, ReadError> {
        match &self.text {
            Some(text) if path == self.path => Ok(text.to_string()),
            _ => Ok(decode(&self.loader.open(path)?)),
        }
    }
    /// The bytes of the main file.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, ReadError> {
        match &self.text {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.loader.open(&self.path),
        }
    }
    /// The name in messages.
    pub(crate) fn name(&self) -> echis_base::Name {
        name(&self.path)
    }
}

/// The name of a file in messages.
pub(crate) fn name(path: &Path) -> echis_base::Name {
    if path == Path::new(STANDARD_INPUT) { STANDARD_INPUT_NAME.into() } else { path.to_string_lossy().into() }
}
