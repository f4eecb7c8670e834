//! Verdicts of whole programs. The key is the text alone, so an unchanged program is not even parsed.

use crate::cache::{Cache, Key};
use crate::source::Source;
use echis_base::{Diagnostic, FileId, Name, Related, Severity, SourceFile, SourceMap, Span};
use echis_findings::{FileResult, FileVerdict, MemberResult};
use echis_proof::MemberKind;
use echis_syntax::decode;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A completely verified program.
#[derive(Serialize, Deserialize)]
struct Whole {
    /// The imported files, with digests of their texts.
    imports: Vec<(String, [u8; 32])>,
    /// Name, kind and number of checks.
    members: Vec<(String, String, usize)>,
    /// Only for single-file programs.
    warnings: Vec<Warning>,
}

/// A warning without a fix, by text positions.
#[derive(Serialize, Deserialize)]
struct Warning {
    id: String,
    message: String,
    at: Option<(u32, u32)>,
    related: Vec<(String, (u32, u32))>,
}

impl Warning {
    fn new(said: &Diagnostic) -> Option<Self> {
        let Diagnostic { severity: Severity::Warning, id, message, span, related, fix: None, consequence: false } =
            said
        else {
            return None;
        };
        let place = |span: &Span| (span.start, span.end);
        let related = related.iter().map(|related| (related.message.clone(), place(&related.span))).collect();
        Some(Warning { id: id.clone(), message: message.clone(), at: span.as_ref().map(place), related })
    }
    /// Returns `None` if the positions are out of range.
    fn in_text(self, file: FileId, text: &str) -> Option<Diagnostic> {
        let span = |(start, end): (u32, u32)| {
            text.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)?;
            Some(Span::new(file, start, end))
        };
        let at = match self.at {
            Some(at) => Some(span(at)?),
            None => None,
        };
        let related = self.related.into_iter().map(|(message, at)| Some(Related { message, span: span(at)? }));
        let related = related.collect::<Option<Vec<_>>>()?;
        Some(Diagnostic { related, ..Diagnostic::new(Severity::Warning, self.id, at, self.message) })
    }
}

/// Looks up a program that was verified with the same text and imports.
pub(crate) fn recall(cache: &Cache, context: [u8; 32], source: &Source) -> Option<FileResult> {
    let text = source.read(source.path()).ok()?;
    let body = cache.body(&key(cache, context, source.path(), &text))?;
    let whole: Whole = serde_json::from_slice(&body).ok()?;
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(source.name(), text.clone()));
    for (path, digest) in &whole.imports {
        let text = decode(&source.loader().read(path).ok()?);
        if digest_of(&text) != *digest {
            return None;
        }
        sources.add(SourceFile::new(path.as_str(), text));
    }
    let kinds = [MemberKind::Function, MemberKind::Predicate, MemberKind::Method];
    let member = |(name, kind, checks): (String, String, usize)| {
        let kind = kinds.into_iter().find(|known| known.name() == kind)?;
        let (name, verdict) = (Name::from(name.as_str()), FileVerdict::Verified);
        Some(MemberResult { name, kind, verdict, time: Duration::ZERO, checks, cached: true })
    };
    let members = whole.members.into_iter().map(member).collect::<Option<Vec<_>>>()?;
    let warnings =
        whole.warnings.into_iter().map(|warning| warning.in_text(file, &text)).collect::<Option<Vec<_>>>()?;
    Some(FileResult {
        path: source.name(),
        verdict: FileVerdict::Verified,
        time: Duration::ZERO,
        members,
        errors: Vec::new(),
        warnings,
        stopped: Vec::new(),
        sources: Arc::new(sources),
        profile: None,
        stability: None,
        part: None,
    })
}

/// Stores the result of a program if everything was verified.
pub(crate) fn note(cache: &Cache, context: [u8; 32], source: &Source, result: &FileResult) {
    let is_good = result.verdict == FileVerdict::Verified && result.errors.is_empty() && result.stopped.is_empty();
    if !is_good {
        return;
    }
    let mut files = result.sources.files().map(|(_, file)| file);
    let Some(main) = files.next() else { return };
    let is_alone = result.sources.files().nth(1).is_none();
    let Some(warnings) = result.warnings.iter().map(Warning::new).collect::<Option<Vec<_>>>() else { return };
    if !warnings.is_empty() && !is_alone {
        return;
    }
    // Files provided by Echis are part of Echis.
    let imports = files.filter(|file| !file.path.starts_with('<'));
    let imports = imports.map(|file| (file.path.to_string(), digest_of(&file.text))).collect();
    let member = |member: &MemberResult| (member.name.to_string(), member.kind.name().to_string(), member.checks);
    let whole = Whole { imports, members: result.members.iter().map(member).collect(), warnings };
    if let Ok(body) = serde_json::to_vec(&whole) {
        cache.keep(&key(cache, context, source.path(), &main.text), &body);
    }
}

fn digest_of(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}

/// The imports depend on the program's path. Runs without cores must not reuse results that rely on them.
fn key(cache: &Cache, context: [u8; 32], path: &Path, text: &str) -> Key {
    let place = path.to_string_lossy();
    Sha256::new()
        .chain_update(if cache.has_cores() { "whole with cores" } else { "whole" })
        .chain_update(context)
        .chain_update((place.len() as u64).to_le_bytes())
        .chain_update(&*place)
        .chain_update(text)
        .finalize()
        .into()
}
