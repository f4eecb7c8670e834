//! Reads a report of a part of a run, and checks that it is unmodified.

use super::list;
use crate::error::Fallible;
use serde::Deserialize;
use serde_json::Value;
use std::path::Path;

pub struct Report {
    /// The report's name in messages.
    pub name: String,
    pub document: Value,
    pub files: Vec<File>,
}

/// The entry of a file.
pub struct File {
    pub path: String,
    pub entry: Value,
    pub part: Part,
}

/// The identity of the part; `schemas/common.schema.json` describes the fields.
#[derive(Deserialize)]
pub struct Part {
    pub shard: Option<String>,
    pub files: Option<usize>,
    pub total: usize,
    pub at: Vec<usize>,
    pub run: Run,
    pub errors: Vec<Option<ByteRange>>,
    pub warnings: Vec<Option<ByteRange>>,
    seal: String,
}

/// File, first byte, last byte.
pub type ByteRange = (usize, u32, u32);

#[derive(PartialEq, Eq, Deserialize)]
pub struct Run {
    pub sources: Vec<Source>,
    pub code: String,
    pub options: String,
    pub solver: String,
    pub members: String,
}

#[derive(PartialEq, Eq, Deserialize)]
pub struct Source {
    pub path: String,
    pub sha256: String,
}

impl Report {
    pub fn read(path: &Path) -> Fallible<Self> {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(path).map_err(|error| format!("{name}: {error}"))?;
        let document = serde_json::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
        Report::new(name, document)
    }

    pub fn new(name: String, document: Value) -> Fallible<Self> {
        if document["command"] != "verify" || !document["files"].is_array() {
            return Err(format!("{name} is not a report of `echis verify --shard K/N --format json`").into());
        }
        let files = list(&document, "files").map(|entry| File::new(&name, entry)).collect::<Fallible<Vec<_>>>()?;
        if let Some(file) = files.iter().find(|file| file.part.files.is_some_and(|count| count != files.len())) {
            let (has, count) = (files.len(), file.part.files.unwrap_or_default());
            return Err(format!("{name} has {has} files, but was written with {count}").into());
        }
        Ok(Report { name, document, files })
    }
}

impl File {
    fn new(report: &str, entry: &Value) -> Fallible<Self> {
        let Some(path) = entry["path"].as_str() else {
            return Err(format!("{report} is not a report of Echis: a file has no path").into());
        };
        if entry["part"].is_null() {
            let hint = "join reports of `verify --shard K/N`";
            return Err(format!("{report}: {path} is not a part of a run; {hint}").into());
        }
        let changed =
            |what: &str| format!("{report}: what it says of {path} was changed after it was written ({what})");
        let part: Part = serde_json::from_value(entry["part"].clone()).map_err(|error| changed(&error.to_string()))?;
        let mut unsealed = entry.clone();
        if let Some(part) = unsealed["part"].as_object_mut() {
            part.shift_remove("seal");
        }
        if echis_report::seal(&unsealed.to_string()) != part.seal {
            return Err(changed("the digest of the entry differs").into());
        }
        let file = File { path: path.to_string(), entry: entry.clone(), part };
        match file.is_consistent() {
            true => Ok(file),
            false => Err(changed("lists of different lengths").into()),
        }
    }

    /// Whether positions and lists are consistent.
    fn is_consistent(&self) -> bool {
        let Part { total, at, errors, warnings, .. } = &self.part;
        let ascending = at.windows(2).all(|pair| pair[0] < pair[1]);
        let length = |key| list(&self.entry, key).count();
        ascending
            && at.last().is_none_or(|last| last < total)
            && (length("members"), length("errors"), length("warnings")) == (at.len(), errors.len(), warnings.len())
    }

    /// The members of the part with their positions.
    pub fn members(&self) -> impl Iterator<Item = (usize, &Value)> {
        self.part.at.iter().copied().zip(list(&self.entry, "members"))
    }
}
