//! Identifies a part of a run (`verify --shard`), so that `echis merge` joins only parts of the same run.

use echis_base::{Key, Span};
use echis_findings::{FileResult, Part};
use serde::Serialize;
use sha2::{Digest, Sha256};

#[derive(Serialize)]
pub(crate) struct PartJson<'a> {
    /// `2/8`, if the run was split by `--shard`.
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
    /// The number of files of the run.
    #[serde(skip_serializing_if = "Option::is_none")]
    files: Option<usize>,
    total: usize,
    at: &'a [usize],
    /// The kinds of the omitted members, in a part that verifies none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    kinds: Vec<&'static str>,
    run: RunJson<'a>,
    /// File, first byte and last byte of each error, the keys by which a single run would sort them.
    errors: Vec<Option<(usize, u32, u32)>>,
    warnings: Vec<Option<(usize, u32, u32)>>,
    /// The digest of the file's entry without this field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seal: Option<String>,
}

#[derive(Serialize)]
struct RunJson<'a> {
    sources: Vec<SourceJson<'a>>,
    code: &'a str,
    options: &'a str,
    solver: &'a str,
    members: &'a str,
}

#[derive(Serialize)]
struct SourceJson<'a> {
    path: &'a str,
    sha256: &'a str,
}

pub(crate) fn json<'a>(part: &'a Part, file: &FileResult) -> PartJson<'a> {
    let source = |(path, sha256): &'a (echis_base::Name, String)| SourceJson { path, sha256 };
    let run = &part.run;
    let place = |span: Option<Span>| span.map(|span| (span.file.index(), span.start, span.end));
    PartJson {
        shard: part.shard.map(|(index, count)| format!("{index}/{count}")),
        files: part.files,
        total: part.total,
        at: &part.at,
        kinds: part.left_out.iter().filter(|_| part.at.is_empty()).map(|(_, kind)| kind.name()).collect(),
        run: RunJson {
            sources: run.sources.iter().map(source).collect(),
            code: &run.code,
            options: &run.options,
            solver: &run.solver,
            members: &run.members,
        },
        errors: file.errors.iter().map(|error| place(error.diagnostic.span)).collect(),
        warnings: file.warnings.iter().map(|warning| place(warning.span)).collect(),
        seal: None,
    }
}

/// The seal of an entry without one, in compact JSON. It detects accidental changes of a report; someone who forges
/// one can also forge the seal.
pub fn seal(entry: &str) -> String {
    Sha256::digest(entry).iter().map(|byte| format!("{byte:02x}")).collect()
}
