//! The members of documents and of the workspace.

use crate::outline::{Declared, members};
use crate::text::{Text, path_of, uri_of};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Limits on the number of files searched and of results.
const MOST_FILES: usize = 2_000;
const MOST_ANSWERS: usize = 256;
/// Larger files are unlikely to be written by hand and are skipped.
const LARGEST: u64 = 1 << 20;

pub(crate) fn of_document(text: &Text) -> Value {
    members(text).iter().map(|member| symbol(text, member)).collect()
}

fn symbol(text: &Text, member: &Declared) -> Value {
    json!({
        "name": member.name(text),
        "kind": kind(member.keyword(text)),
        "range": text.between(member.keyword, member.last),
        "selectionRange": text.between(member.name, member.name),
    })
}

pub(crate) fn kind(keyword: &str) -> u8 {
    match keyword {
        "method" => 6,
        "function" => 12,
        "field" => 8,
        "predicate" => 11,
        "domain" | "adt" => 5,
        _ => 14,
    }
}

/// Members whose name contains the query, in open documents and in the programs of the workspace.
pub(crate) fn of_workspace(open: &BTreeMap<String, Text>, folders: &[PathBuf], query: &str) -> Value {
    let query = query.to_lowercase();
    let mut found = Vec::new();
    for (uri, text) in open {
        matching(uri, text, &query, &mut found);
    }
    let is_open = |path: &Path| open.keys().any(|uri| path_of(uri).is_some_and(|open| Path::new(&open) == path));
    for path in programs(folders).into_iter().filter(|path| !is_open(path)) {
        if found.len() >= MOST_ANSWERS {
            break;
        }
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        // Most files do not match, which is cheaper to find out before tokenizing.
        if text.to_lowercase().contains(&query) {
            matching(&uri_of(&path.to_string_lossy()), &Text::new(&text), &query, &mut found);
        }
    }
    found.truncate(MOST_ANSWERS);
    Value::Array(found)
}

fn matching(uri: &str, text: &Text, query: &str, found: &mut Vec<Value>) {
    for member in members(text).iter().filter(|member| member.name(text).to_lowercase().contains(query)) {
        let location = json!({ "uri": uri, "range": text.between(member.name, member.name) });
        let kind = kind(member.keyword(text));
        found.push(json!({ "name": member.name(text), "kind": kind, "location": location }));
    }
}

/// The programs in some folders. Symbolic links and hidden folders are skipped.
fn programs(folders: &[PathBuf]) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut pending: Vec<PathBuf> = folders.to_vec();
    while let Some(folder) = pending.pop() {
        let mut entries: Vec<_> = std::fs::read_dir(folder).into_iter().flatten().flatten().collect();
        entries.sort_by_key(std::fs::DirEntry::file_name);
        for entry in entries {
            let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            if kind.is_dir() && !hidden {
                pending.push(path);
            } else if kind.is_file() && path.extension().is_some_and(|ending| ending == "vpr" || ending == "sil") {
                files.extend(entry.metadata().is_ok_and(|found| found.len() <= LARGEST).then_some(path));
            }
            if files.len() >= MOST_FILES {
                return files;
            }
        }
    }
    files
}
