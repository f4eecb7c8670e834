//! Edits of a text: the one way in which a program is changed that a user may see. Warnings, fixes and pruned programs
//! are confirmed by verifying the edited text itself.

/// A replacement in a text.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Edit {
    pub start: usize,
    pub end: usize,
    pub text: String,
}

impl Edit {
    pub fn insert(at: usize, text: impl Into<String>) -> Self {
        Edit { start: at, end: at, text: text.into() }
    }
    pub fn replace(start: usize, end: usize, text: impl Into<String>) -> Self {
        Edit { start, end, text: text.into() }
    }
}

/// The text with all edits applied. `None` if two of them overlap.
pub fn apply(edits: &[Edit], text: &str) -> Option<String> {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort();
    edits.dedup();
    let mut edited = String::new();
    let mut done = 0;
    for edit in edits {
        edited += text.get(done..edit.start)?;
        edited += &edit.text;
        done = edit.end;
    }
    edited += text.get(done..)?;
    Some(edited)
}

/// The position of a place in the edited text. Replaced text has none.
pub fn moved(edits: &[Edit], place: usize) -> Option<usize> {
    let mut shift = 0isize;
    for edit in edits.iter().filter(|edit| edit.start <= place) {
        if place < edit.end {
            return None;
        }
        shift += edit.growth();
    }
    place.checked_add_signed(shift)
}

/// The position in the original text of a place in the edited one. Inserted text has none, except for its start.
pub fn moved_back(edits: &[Edit], place: usize) -> Option<usize> {
    let mut edits: Vec<&Edit> = edits.iter().collect();
    edits.sort();
    edits.dedup();
    let mut shift = 0isize;
    for edit in edits {
        let start = edit.start.checked_add_signed(shift)?;
        if place <= start {
            break;
        }
        if place < start + edit.text.len() {
            return None;
        }
        shift += edit.growth();
    }
    place.checked_add_signed(-shift)
}

impl Edit {
    /// How much longer the text becomes.
    fn growth(&self) -> isize {
        self.text.len() as isize - (self.end - self.start) as isize
    }
}

/// A name that does not occur in the text.
pub fn fresh(text: &str, stem: &str) -> String {
    let mut name = stem.to_string();
    while text.contains(&name) {
        name.push('_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_that_overlap_do_not_apply() {
        assert_eq!(apply(&[Edit::replace(0, 2, ""), Edit::replace(1, 3, "")], "abc"), None);
        assert_eq!(apply(&[Edit::insert(1, "x"), Edit::insert(2, "y")], "abc").as_deref(), Some("axbyc"));
    }

    #[test]
    fn places_are_found_again() {
        let edits = [Edit::insert(2, "xyz"), Edit::replace(5, 7, "")];
        let edited = apply(&edits, "abcdefghi").expect("they do not overlap");
        assert_eq!(edited, "abxyzcdehi");
        let there: Vec<_> = (0..9).map(|at| moved(&edits, at)).collect();
        assert_eq!(there, [Some(0), Some(1), Some(5), Some(6), Some(7), None, None, Some(8), Some(9)]);
        let back: Vec<_> = (0..9).map(|at| moved_back(&edits, at)).collect();
        assert_eq!(back, [Some(0), Some(1), Some(2), None, None, Some(2), Some(3), Some(4), Some(5)]);
    }
}
