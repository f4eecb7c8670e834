//! Texts in the protocol's coordinates: 0-based lines, UTF-16 columns, and files by URI.

use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;

/// An open document and its tokens.
pub(crate) struct Text {
    pub text: Arc<str>,
    pub words: Vec<Word>,
    /// The offset of each line start.
    lines: Vec<usize>,
    pub language: Language,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    Viper,
    Boogie,
}

/// A token: a name or number, or a single other character. Whitespace and comments are skipped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Word {
    pub start: usize,
    pub end: usize,
    pub is_name: bool,
}

impl Text {
    /// A Viper program.
    pub fn new(text: &str) -> Self {
        Text::written_in(Language::Viper, text)
    }
    /// A program in the language given by the file name.
    pub fn of(path: &str, text: &str) -> Self {
        let is_boogie = echis::is_boogie(Path::new(path));
        Text::written_in(if is_boogie { Language::Boogie } else { Language::Viper }, text)
    }
    fn written_in(language: Language, text: &str) -> Self {
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Text { words: words(language, text), lines, text: Arc::from(text), language }
    }
    /// The text of the token at an index, if there is one.
    pub fn said(&self, index: usize) -> Option<&str> {
        self.words.get(index).map(|word| self.word(word))
    }
    /// The line and UTF-16 column of an offset.
    pub fn place(&self, offset: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= offset).saturating_sub(1);
        let before = self.text.get(self.lines[line]..offset).unwrap_or_default();
        (line, before.chars().map(char::len_utf16).sum())
    }
    pub fn word(&self, word: &Word) -> &str {
        &self.text[word.start..word.end]
    }
    /// The name at a position, or just before it.
    pub fn name_at(&self, position: &Value) -> Option<usize> {
        let offset = offset(&self.text, position)?;
        self.words.iter().position(|word| word.is_name && (word.start..=word.end).contains(&offset))
    }
    pub fn range(&self, start: usize, end: usize) -> Value {
        let position = |offset| {
            let (line, character) = self.place(offset);
            json!({ "line": line, "character": character })
        };
        json!({ "start": position(start), "end": position(end) })
    }
    /// The range from one token to another.
    pub fn between(&self, first: usize, last: usize) -> Value {
        self.range(self.words[first].start, self.words[last].end)
    }
}

fn words(language: Language, text: &str) -> Vec<Word> {
    let is_name_part = |c: char| language.is_name_part(c);
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let start = text.len() - rest.len();
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if first == '"' {
            rest[1..].find('"').map_or(rest.len(), |end| end + 2)
        } else if is_name_part(first) {
            let length = rest.find(|c: char| !is_name_part(c)).unwrap_or(rest.len());
            words.push(Word { start, end: start + length, is_name: !first.is_ascii_digit() });
            length
        } else {
            if !first.is_whitespace() {
                words.push(Word { start, end: start + first.len_utf8(), is_name: false });
            }
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    words
}

impl Language {
    /// The language id of the protocol.
    pub fn name(self) -> &'static str {
        match self {
            Language::Viper => "viper",
            Language::Boogie => "boogie",
        }
    }
    fn is_name_part(self, c: char) -> bool {
        let is_plain = c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '\'');
        is_plain || self == Language::Boogie && matches!(c, '~' | '#' | '^' | '.' | '?' | '`')
    }
}

/// The byte offset of a position, or the end of the line if the line is shorter.
pub(crate) fn offset(text: &str, position: &Value) -> Option<usize> {
    let line = usize::try_from(position["line"].as_u64()?).ok()?;
    let column = usize::try_from(position["character"].as_u64()?).ok()?;
    let start = match line {
        0 => 0,
        _ => text.match_indices('\n').nth(line - 1)?.0 + 1,
    };
    let mut units = 0;
    for (at, c) in text[start..].char_indices() {
        if units >= column || c == '\n' {
            return Some(start + at);
        }
        units += c.len_utf16();
    }
    Some(text.len())
}

/// The text after a change of the protocol: a range of it, or all of it.
pub(crate) fn edited(mut text: String, change: &Value) -> String {
    let Some(new) = change["text"].as_str() else { return text };
    let place = |end: &str| offset(&text, &change["range"][end]).unwrap_or(text.len());
    match change["range"].is_object() {
        true => {
            let (start, end) = (place("start"), place("end"));
            text.replace_range(start.min(end)..end, new);
            text
        }
        false => new.to_string(),
    }
}

pub(crate) fn range(text: &str, start: usize, end: usize) -> Value {
    json!({ "start": position(text, start), "end": position(text, end) })
}

fn position(text: &str, offset: usize) -> Value {
    let before = text.get(..offset.min(text.len())).unwrap_or(text);
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column: usize = before[start..].chars().map(char::len_utf16).sum();
    json!({ "line": line, "character": column })
}

/// The path of a `file:` URI; `None` for other URIs.
pub(crate) fn path_of(uri: &str) -> Option<String> {
    let encoded = uri.strip_prefix("file://")?;
    let mut bytes = Vec::new();
    let mut rest = encoded.as_bytes();
    while let Some((first, more)) = rest.split_first() {
        let decoded = (*first == b'%').then(|| more.get(..2)).flatten();
        let decoded = decoded.and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        bytes.push(decoded.unwrap_or(*first));
        rest = if decoded.is_some() { &more[2..] } else { more };
    }
    String::from_utf8(bytes).ok()
}

/// The URI of a file.
pub fn uri_of(path: &str) -> String {
    let mut uri = String::from("file://");
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => uri.push(char::from(byte)),
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}

/// Whether two ranges intersect or touch.
pub(crate) fn meets(one: &Value, other: &Value) -> bool {
    let at = |position: &Value| (position["line"].as_u64(), position["character"].as_u64());
    at(&one["start"]) <= at(&other["end"]) && at(&other["start"]) <= at(&one["end"])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_ranges_count_utf_16() {
        let change = |start: (u32, u32), end: (u32, u32), text: &str| {
            let place = |(line, character)| json!({ "line": line, "character": character });
            json!({ "range": { "start": place(start), "end": place(end) }, "text": text })
        };
        let text = "a\n/* 😀 */ b\r\nc\n".to_string();
        let text = edited(text, &change((1, 9), (1, 10), "new"));
        assert_eq!(text, "a\n/* 😀 */ new\r\nc\n");
        let text = edited(text, &change((0, 1), (2, 0), " "));
        assert_eq!(text, "a c\n");
        let text = edited(text, &change((1, 0), (1, 0), "end"));
        assert_eq!(text, "a c\nend");
        assert_eq!(edited(text, &json!({ "text": "all" })), "all");
    }

    #[test]
    fn columns_are_counted_as_editors_do() {
        let text = "ab\n// 😀x\nmethod";
        let at = text.find('x').expect("it is there");
        assert_eq!(position(text, at), json!({ "line": 1, "character": 5 }));
        assert_eq!(offset(text, &json!({ "line": 1, "character": 5 })), Some(at));
        assert_eq!(offset(text, &json!({ "line": 0, "character": 50 })), Some(2));
        assert_eq!(offset(text, &json!({ "line": 9, "character": 0 })), None);
    }

    #[test]
    fn comments_and_strings_have_no_words() {
        let text = Text::new("a /* b */ c1 // d\n\"e\" 2f");
        let names: Vec<&str> = text.words.iter().filter(|word| word.is_name).map(|word| text.word(word)).collect();
        assert_eq!(names, ["a", "c1"]);
    }

    #[test]
    fn names_of_boogie_have_more_characters() {
        let names = |path: &str| {
            let text = Text::of(path, "procedure {:inline 1} C.m#2(x: int);");
            text.words.iter().filter(|word| word.is_name).map(|word| text.word(word).to_string()).collect::<Vec<_>>()
        };
        assert_eq!(names("a.bpl"), ["procedure", "inline", "C.m#2", "x", "int"]);
        assert_eq!(names("a.vpr"), ["procedure", "inline", "C", "m", "x", "int"]);
    }

    #[test]
    fn addresses_are_decoded() {
        assert_eq!(path_of("file:///a%20b/%C3%A9.vpr").as_deref(), Some("/a b/é.vpr"));
        assert_eq!(uri_of("/a b/é.vpr"), "file:///a%20b/%C3%A9.vpr");
        assert_eq!(path_of("untitled:1"), None);
        assert_eq!(path_of("file:///a%").as_deref(), Some("/a%"));
    }
}
