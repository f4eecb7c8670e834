//! The files that a document imports, and what they declare.

use crate::layout::links;
use crate::outline::{global, places};
use crate::text::{Text, path_of};
use std::collections::{BTreeMap, BTreeSet};

/// A file, as the editor has it if it is open.
pub(crate) struct Imported {
    pub uri: String,
    pub text: Text,
}

/// The files that a document imports, directly or not.
pub(crate) fn imported(open: &BTreeMap<String, Text>, uri: &str, text: &Text) -> Vec<Imported> {
    let mut found: Vec<Imported> = Vec::new();
    let mut seen = BTreeSet::from([uri.to_string()]);
    let mut pending = targets(uri, text);
    while let Some(uri) = pending.pop() {
        if !seen.insert(uri.clone()) {
            continue;
        }
        let Some(path) = path_of(&uri) else { continue };
        let content = match open.get(&uri) {
            Some(text) => text.text.to_string(),
            None => match std::fs::read_to_string(&path) {
                Ok(content) => content,
                Err(_) => continue,
            },
        };
        let text = Text::of(&path, &content);
        pending.extend(targets(&uri, &text));
        found.push(Imported { uri, text });
    }
    found
}

fn targets(uri: &str, text: &Text) -> Vec<String> {
    let links = links(uri, text);
    let links = links.as_array().into_iter().flatten();
    links.filter_map(|link| link["target"].as_str().map(str::to_string)).collect()
}

/// The imported file that declares the name at an index, and the index there.
pub(crate) fn declared_in<'a>(imported: &'a [Imported], text: &Text, name: usize) -> Option<(&'a Imported, usize)> {
    let said = text.said(name)?;
    if global(text, said).is_some() || is_local(text, name) {
        return None;
    }
    imported.iter().find_map(|file| Some((file, global(&file.text, said)?)))
}

/// Whether a name is declared in its member, with a type.
fn is_local(text: &Text, name: usize) -> bool {
    let declares = |index: &usize| {
        let is_field = index.checked_sub(1).is_some_and(|before| text.said(before) == Some("."));
        text.said(index + 1) == Some(":") && text.said(index + 2) != Some("=") && !is_field
    };
    places(text, name).iter().any(declares)
}

/// The places of a declared name in another document, which imports the declaration.
pub(crate) fn uses(text: &Text, said: &str) -> Vec<usize> {
    let is_use =
        |index: &usize| text.words[*index].is_name && text.said(*index) == Some(said) && !is_local(text, *index);
    (0..text.words.len()).filter(is_use).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &Text, said: &str, nth: usize) -> usize {
        let found = text.words.iter().enumerate().filter(|(_, word)| text.word(word) == said);
        found.map(|(index, _)| index).nth(nth).expect("it is there")
    }

    #[test]
    fn names_of_imported_files_are_found() {
        let file = |uri: &str, text: &str| Imported { uri: uri.to_string(), text: Text::new(text) };
        let imported = [file("file:///b.vpr", "field f: Int\ndomain D { function two(): Int }\n")];
        let text =
            Text::new("method m(f: Int, x: Ref) { assert two() == f }\nmethod n(x: Ref) { assert x.f == two() }");
        let found = |said: &str, nth: usize| {
            declared_in(&imported, &text, at(&text, said, nth)).map(|(file, index)| (&*file.uri, index))
        };
        assert_eq!(found("two", 0), Some(("file:///b.vpr", 8)));
        assert_eq!(found("f", 1), None);
        assert_eq!(found("f", 2), Some(("file:///b.vpr", 1)));
        assert_eq!(found("m", 0), None);
        assert_eq!(uses(&text, "f").len(), 1);
    }
}
