//! Edits of a text, collected in any order and applied together.

#[derive(Default, Debug)]
pub(super) struct Edits {
    all: Vec<Edit>,
}

#[derive(Debug)]
struct Edit {
    start: usize,
    end: usize,
    text: String,
}

impl Edits {
    pub fn insert(&mut self, at: u32, text: String) {
        self.replace(at, at, text);
    }

    pub fn delete(&mut self, start: u32, end: u32) {
        self.replace(start, end, String::new());
    }

    pub fn replace(&mut self, start: u32, end: u32, text: String) {
        self.all.push(Edit { start: start as usize, end: end as usize, text });
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
        self.all.push(Edit { start, end, text: String::new() });
    }

    /// The edited text. An edit that overlaps an earlier one is inside a deleted range, and dropped.
    pub fn apply(self, text: &str) -> String {
        self.apply_with(text, 0).0
    }

    /// Like [`apply`](Self::apply), also returning the new position of a place in the old text, if it remains.
    pub fn apply_with(mut self, text: &str, place: usize) -> (String, Option<usize>) {
        self.all.sort_by_key(|edit| (edit.start, edit.end));
        let mut out = String::with_capacity(text.len());
        let mut done = 0;
        let mut moved = None;
        let kept = |out: &str, from: usize, to: usize| (from..to).contains(&place).then(|| out.len() + place - from);
        for edit in self.all {
            if edit.start < done {
                continue;
            }
            moved = moved.or(kept(&out, done, edit.start));
            out.push_str(&text[done..edit.start]);
            out.push_str(&edit.text);
            done = edit.end;
            if edit.text.is_empty() && text[done..].starts_with(['\n', '\r']) && !out.ends_with('\n') {
                out.truncate(out.trim_end_matches([' ', '\t']).len());
            }
        }
        moved = moved.or(kept(&out, done, text.len()));
        out.push_str(&text[done..]);
        (out, moved)
    }
}
