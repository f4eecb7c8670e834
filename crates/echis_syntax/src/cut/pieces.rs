//! Determines the pieces of a text to keep.

use echis_base::Span;
use std::collections::BTreeMap;

/// Ranges of statements, conditions, conjuncts and so on, and whether each is kept. Text that represents several of
/// them, as in a macro, is kept if one of them is.
#[derive(Clone, Debug, Default)]
pub struct Pieces {
    kept: BTreeMap<Span, bool>,
    keeps_measures: bool,
}

impl Pieces {
    pub fn add(&mut self, span: Span, kept: bool) {
        *self.kept.entry(span).or_default() |= kept;
    }

    /// Keeps the measures of functions, which guide how far definitions are unrolled, without what they demand.
    pub fn keep_measures(&mut self) {
        self.keeps_measures = true;
    }
    pub(super) fn keeps_measures(&self) -> bool {
        self.keeps_measures
    }

    /// Whether exactly this piece is known and dropped.
    pub(super) fn drops_whole(&self, span: Span) -> bool {
        self.kept.get(&span) == Some(&false)
    }

    /// Whether the text consists of pieces that are all dropped.
    pub(super) fn drops_part(&self, span: Span) -> bool {
        let first = Span { end: span.start, ..span };
        let last = Span { start: span.end, end: u32::MAX, ..span };
        let mut inside = self.kept.range(first..=last).filter(|(piece, _)| span.contains(**piece)).peekable();
        inside.peek().is_some() && inside.all(|(_, kept)| !kept)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_base::{FileId, Key};

    #[test]
    fn a_part_goes_if_all_in_it_go_and_an_unknown_one_stays() {
        let span = |start, end| Span::new(FileId::new(0), start, end);
        let mut pieces = Pieces::default();
        pieces.add(span(10, 20), false);
        pieces.add(span(30, 40), false);
        pieces.add(span(30, 40), true);
        assert!(pieces.drops_whole(span(10, 20)) && !pieces.drops_whole(span(9, 20)));
        assert!(pieces.drops_part(span(9, 20)) && !pieces.drops_part(span(50, 60)));
        assert!(!pieces.drops_part(span(10, 40)), "the second piece is needed somewhere");
    }
}
