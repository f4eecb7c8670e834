//! Computes the indentation of a line: from the open brackets, plus one step for clauses, plus one for continuation
//! lines in a block.

use super::element::{Element, Kind};
use super::landmarks::Landmarks;
use crate::token::{Keyword, TokenKind};

pub(super) struct Indenter<'a> {
    landmarks: &'a Landmarks,
    open: Vec<Bracket>,
    /// The indentation of the current line.
    line: usize,
    /// Whether the last non-comment element ended an annotation.
    after_annotation: bool,
}

struct Bracket {
    /// The indentation of items inside.
    inner: usize,
    /// The indentation of the line with the closing bracket.
    outer: usize,
    content: Content,
    /// Whether a clause has started since the last item.
    in_clause: bool,
    /// Whether there was nothing but comments inside so far.
    fresh: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Content {
    /// Statements or members: a line that starts none of them is a continuation.
    Items,
    /// An expression or a list: all lines are indented equally.
    Plain,
}

impl<'a> Indenter<'a> {
    pub fn new(landmarks: &'a Landmarks) -> Self {
        let file = Bracket { inner: 0, outer: 0, content: Content::Items, in_clause: false, fresh: true };
        Indenter { landmarks, open: vec![file], line: 0, after_annotation: false }
    }

    fn innermost(&mut self) -> &mut Bracket {
        self.open.last_mut().expect("the file itself is never closed")
    }

    /// The indentation of a line that starts with the element.
    pub fn start_line(&mut self, elements: &[Element], index: usize) -> usize {
        // A comment is indented like the element that follows.
        let next = elements[index..].iter().find(|element| !element.is_comment());
        self.line = match next {
            Some(next) if elements[index].is_comment() && is_closing(*next) => self.innermost().inner,
            Some(next) => self.indent_of(*next),
            None => 0,
        };
        self.line
    }

    fn indent_of(&mut self, element: Element) -> usize {
        let is_item = self.landmarks.items.contains(&element.start) || self.after_annotation;
        let is_structural = self.is_structural(element);
        let bracket = self.innermost();
        let inner = bracket.inner;
        if is_closing(element) {
            return bracket.outer;
        }
        match bracket.content {
            Content::Plain => inner,
            Content::Items if is_item || is_structural || goes_back(element) || bracket.fresh => inner,
            Content::Items if is_clause(element) => inner + 1,
            Content::Items if bracket.in_clause => inner + 2,
            Content::Items => inner + 1,
        }
    }

    /// Whether it is a brace other than a trigger's.
    fn is_structural(&self, element: Element) -> bool {
        element.is(TokenKind::LBrace) && !self.landmarks.triggers.contains(&element.start)
    }

    /// Records what the element opens, closes or starts.
    pub fn pass(&mut self, elements: &[Element], index: usize) {
        let element = elements[index];
        if element.is_comment() {
            return;
        }
        let is_item = self.landmarks.items.contains(&element.start);
        let is_structural = self.is_structural(element);
        let line = self.line;
        self.after_annotation = self.landmarks.annotation_ends.contains(&element.end);
        let bracket = self.innermost();
        bracket.fresh = false;
        if is_item || is_structural || goes_back(element) {
            bracket.in_clause = false;
        } else if is_clause(element) {
            bracket.in_clause = true;
        }
        let base = bracket.inner;
        if is_structural {
            let next = elements[index + 1..].iter().find(|element| !element.is_comment());
            let has_items = next.is_some_and(|next| self.landmarks.items.contains(&next.start));
            let content = if has_items { Content::Items } else { Content::Plain };
            self.open.push(Bracket { inner: base + 1, outer: base, content, in_clause: false, fresh: true });
        } else if is_opening(element) {
            let content = Content::Plain;
            self.open.push(Bracket { inner: line + 1, outer: line, content, in_clause: false, fresh: true });
        } else if is_closing(element) && self.open.len() > 1 {
            self.open.pop();
        }
    }
}

fn is_opening(element: Element) -> bool {
    use TokenKind::*;
    matches!(element.kind, Kind::Token(LParen | LBracket | LBrace))
}

fn is_closing(element: Element) -> bool {
    use TokenKind::*;
    matches!(element.kind, Kind::Token(RParen | RBracket | RBrace))
}

fn is_clause(element: Element) -> bool {
    use Keyword::*;
    matches!(element.kind, Kind::Token(TokenKind::Keyword(Requires | Ensures | Invariant | Decreases)))
}

/// Parts of a statement or member that are indented like its start.
fn goes_back(element: Element) -> bool {
    use Keyword::*;
    matches!(element.kind, Kind::Token(TokenKind::Keyword(Else | Elseif | Derives)))
}
