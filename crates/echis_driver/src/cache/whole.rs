//! Whole programs that were verified. They are found by their text alone: whoever asks about the same text again need not
//! wait until it has been read as a program.

use super::{Cache, Key, context};
use crate::solvers::Solvers;
use crate::verify::Settings;
use echis_analysis::{FileResult, FileVerdict, MemberResult};
use echis_base::Name;
use echis_proof::MemberKind;
use echis_syntax::decode;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::Path;
use std::time::Duration;

/// A program of which everything was verified, and nothing is to be said besides.
#[derive(Serialize, Deserialize)]
struct Whole {
    /// The other files that it is made of, with digests of their texts.
    imports: Vec<(String, [u8; 32])>,
    /// Name, kind and number of checks.
    members: Vec<(String, String, usize)>,
}

/// Whether the settings ask for all members and for nothing but verdicts.
fn is_asked(settings: &Settings) -> bool {
    settings.members.is_none() && !settings.measure && !settings.explain
}

/// The text and the members of a program that was verified as it is, with all that it imports.
pub(crate) fn recall(
    cache: &Cache,
    path: &Path,
    settings: &Settings,
    solvers: &Solvers,
) -> Option<(String, Vec<MemberResult>)> {
    if !is_asked(settings) {
        return None;
    }
    let text = decode(&settings.loader.open(path).ok()?);
    let body = cache.body(&key(path, &text, settings, solvers))?;
    let whole: Whole = serde_json::from_slice(&body).ok()?;
    for (path, digest) in &whole.imports {
        let text = decode(&settings.loader.read(path).ok()?);
        if digest_of(&text) != *digest {
            return None;
        }
    }
    let kinds = [MemberKind::Function, MemberKind::Predicate, MemberKind::Method];
    let member = |(name, kind, checks): (String, String, usize)| {
        let kind = kinds.into_iter().find(|known| known.name() == kind)?;
        let (name, verdict) = (Name::from(name.as_str()), FileVerdict::Verified);
        Some(MemberResult { name, kind, verdict, time: Duration::ZERO, checks, cached: true })
    };
    Some((text, whole.members.into_iter().map(member).collect::<Option<Vec<_>>>()?))
}

/// Keeps what was found out about a program, if it is all good.
pub(crate) fn note(cache: &Cache, path: &Path, result: &FileResult, settings: &Settings, solvers: &Solvers) {
    let silent = result.errors.is_empty() && result.warnings.is_empty() && result.stopped.is_empty();
    if !is_asked(settings) || result.verdict != FileVerdict::Verified || !silent {
        return;
    }
    let mut files = result.sources.files().map(|(_, file)| file);
    let Some(main) = files.next() else { return };
    // What Echis brings is a part of it.
    let imports = files.filter(|file| !file.path.starts_with('<'));
    let imports = imports.map(|file| (file.path.to_string(), digest_of(&file.text))).collect();
    let member = |member: &MemberResult| (member.name.to_string(), member.kind.name().to_string(), member.checks);
    let whole = Whole { imports, members: result.members.iter().map(member).collect() };
    if let Ok(body) = serde_json::to_vec(&whole) {
        cache.keep(&key(path, &main.text, settings, solvers), &body);
    }
}

fn digest_of(text: &str) -> [u8; 32] {
    Sha256::digest(text).into()
}

/// Which files are imported depends on where the program is.
fn key(path: &Path, text: &str, settings: &Settings, solvers: &Solvers) -> Key {
    let place = path.to_string_lossy();
    Sha256::new()
        .chain_update("whole")
        .chain_update(context(settings, solvers))
        .chain_update((place.len() as u64).to_le_bytes())
        .chain_update(&*place)
        .chain_update(text)
        .finalize()
        .into()
}
