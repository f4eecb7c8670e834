//! Formatting, folding and links to imports.

use crate::outline::{Declared, members};
use crate::refusal::Refusal;
use crate::text::{Text, offset, path_of, uri_of};
use echis::Source;
use serde_json::{Value, json};
use std::path::{Component, Path, PathBuf};

pub(crate) fn folds(text: &Text) -> Value {
    members(text).iter().filter_map(|member| fold(text, member)).collect()
}

fn fold(text: &Text, member: &Declared) -> Option<Value> {
    let (start, _) = text.place(text.words[member.keyword].start);
    let (end, _) = text.place(text.words[member.last].end);
    (end > start).then(|| json!({ "startLine": start, "endLine": end }))
}

pub(crate) fn formatting(uri: &str, text: &Text) -> Result<Value, Refusal> {
    Ok(match formatted(uri, text)? {
        Some(new) => json!([{ "range": text.range(0, text.text.len()), "newText": new }]),
        None => json!([]),
    })
}

/// Formats the members that a range intersects; the text between members is unchanged.
pub(crate) fn range_formatting(uri: &str, text: &Text, range: &Value) -> Result<Value, Refusal> {
    let Some(new) = formatted(uri, text)? else { return Ok(json!([])) };
    let (start, end) = (offset(&text.text, &range["start"]), offset(&text.text, &range["end"]));
    let (Some(start), Some(end)) = (start, end) else { return Err(Refusal::Request("there is no such range")) };
    let new = Text::new(&new);
    let (before, after) = (members(text), members(&new));
    if before.len() != after.len() {
        return Err(Refusal::Request("the members cannot be told apart"));
    }
    let part = |text: &Text, member: &Declared| (text.words[member.keyword].start, text.words[member.last].end);
    let edits = before.iter().zip(&after).filter_map(|(old, now)| {
        let (from, to) = part(text, old);
        let (new_from, new_to) = part(&new, now);
        let new_text = new.text.get(new_from..new_to)?;
        let changes = start <= to && from <= end && text.text.get(from..to)? != new_text;
        changes.then(|| json!({ "range": text.range(from, to), "newText": new_text }))
    });
    Ok(edits.collect())
}

/// The formatted text, or `None` if it is already formatted.
fn formatted(uri: &str, text: &Text) -> Result<Option<String>, Refusal> {
    let path = path_of(uri).ok_or(Refusal::Request("only files can be formatted"))?;
    match echis::format(&Source::text(path, text.text.clone())) {
        Ok(formatted) => Ok(formatted.changed.then_some(formatted.text)),
        Err(_) => Err(Refusal::Request("a text with errors cannot be formatted")),
    }
}

/// Links to the files that a text imports.
/// The path without `.` and `..`, so that a file has one URI.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

pub(crate) fn links(uri: &str, text: &Text) -> Value {
    let Some(path) = path_of(uri) else { return Value::Null };
    let folder = Path::new(&path).parent().unwrap_or(Path::new("/"));
    let link = |index: usize| {
        let start = text.words[index].end;
        let rest = text.text.get(start..)?;
        let quote = start + (rest.len() - rest.trim_start().len());
        let written = text.text.get(quote..)?.strip_prefix('"')?;
        let written = &written[..written.find(['"', '\n'])?];
        let target = normal(&folder.join(written));
        let range = text.range(quote + 1, quote + 1 + written.len());
        target.is_file().then(|| json!({ "range": range, "target": uri_of(&target.to_string_lossy()) }))
    };
    (0..text.words.len()).filter(|index| text.said(*index) == Some("import")).filter_map(link).collect()
}
