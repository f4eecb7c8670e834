//! Edits of a text, collected in any order.

use echis_base::Edit;

#[derive(Default, Debug)]
pub(super) struct Edits {
    all: Vec<Edit>,
}

impl Edits {
    pub fn insert(&mut self, at: u32, text: String) {
        self.replace(at, at, text);
    }

    pub fn delete(&mut self, start: u32, end: u32) {
        self.replace(start, end, String::new());
    }

    pub fn replace(&mut self, start: u32, end: u32, text: String) {
        self.all.push(Edit::replace(start as usize, end as usize, text));
    }

    /// Deletes a range, and lines that would become empty.
    pub fn remove_lines(&mut self, text: &str, start: u32, end: u32) {
        let (mut start, mut end) = (start as usize, end as usize);
        let line_start = text[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = text[end..].find('\n').map_or(text.len(), |at| end + at + 1);
        let ends_line = text[end..line_end].trim().is_empty();
        if ends_line && text[line_start..start].trim().is_empty() {
            (start, end) = (line_start, line_end);
        } else if !ends_line {
            end += text[end..].len() - text[end..].trim_start_matches([' ', '\t']).len();
        }
        self.all.push(Edit::replace(start, end, ""));
    }

    /// Edits that are apart from each other. One that overlaps an earlier one is inside a deleted range, and dropped.
    /// A deletion at the end of a line takes the white space before it along.
    pub fn apart(mut self, text: &str) -> Vec<Edit> {
        self.all.sort_by_key(|edit| (edit.start, edit.end));
        let mut apart: Vec<Edit> = Vec::new();
        for edit in self.all {
            let is_last = edit.text.is_empty() && text[edit.end..].starts_with(['\n', '\r']);
            match apart.last_mut() {
                Some(last) if edit.start < last.end => continue,
                Some(last) if edit.start == last.end => {
                    last.end = edit.end;
                    last.text += &edit.text;
                }
                _ => apart.push(edit),
            }
            if is_last {
                trim_before_last(&mut apart, text);
            }
        }
        apart
    }
}

/// Removes white space before the end of the last edit.
fn trim_before_last(edits: &mut Vec<Edit>, text: &str) {
    let blank = [' ', '\t'];
    while let Some(mut last) = edits.pop() {
        last.text.truncate(last.text.trim_end_matches(blank).len());
        let before = edits.last().map_or(0, |before| before.end);
        if last.text.is_empty() {
            last.start = before + text[before..last.start].trim_end_matches(blank).len();
        }
        match edits.last_mut() {
            Some(before) if last.start == before.end => before.end = last.end,
            _ => return edits.push(last),
        }
    }
}
