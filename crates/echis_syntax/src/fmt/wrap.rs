//! Breaks lines that are too long: first the braces of bodies, then before clauses, then at the outermost brackets,
//! and there at the loosest operator, as late as the line allows. A line is never broken where that could change its
//! meaning: breaks are after operators and commas, after triggers, around the items of a body, or before keywords that
//! start a clause.

use super::element::{Element, Kind};
use super::landmarks::Landmarks;
use super::spacing::{Laid, Space};
use crate::op::Level;
use crate::token::{Keyword, TokenKind};

/// Maximum width of a line.
const WIDTH: usize = 100;

/// The cost of a break: the number of enclosing brackets and quantifiers, then the rank of what it separates.
type Cost = (usize, Rank);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Comma,
    /// An operator that is looser than `&&`.
    Loose(Level),
    /// Before the body of a quantifier.
    Quantifier,
    Tight(Level),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// Within a line.
    No,
    Line,
    /// The continuation of a line that was too long.
    Continuation,
}

/// Where lines start.
pub(super) struct Lines<'a> {
    text: &'a str,
    laid: &'a [Laid],
    landmarks: &'a Landmarks,
    starts: Vec<Start>,
    /// For each element, the next one in its line that starts a clause, if no comment is in between.
    clauses: Vec<Option<usize>>,
}

impl<'a> Lines<'a> {
    pub fn new(text: &'a str, laid: &'a [Laid], landmarks: &'a Landmarks) -> Self {
        let start =
            |(index, laid): (usize, &Laid)| if index == 0 || starts_line(laid) { Start::Line } else { Start::No };
        let starts: Vec<Start> = laid.iter().enumerate().map(start).collect();
        let clauses = clauses(laid, &starts);
        Lines { text, laid, landmarks, starts, clauses }
    }

    pub fn starts_at(&self, index: usize) -> bool {
        self.starts[index] != Start::No
    }

    /// Breaks the line that starts with an element, if it is too long with this indentation.
    pub fn fit(&mut self, start: usize, indent: usize) {
        if self.starts[start] == Start::Line && self.best_break(start, self.laid.len(), indent).is_too_long {
            self.expand(start);
        }
        let mut end = self.laid.len();
        // The part before a break may be too long itself.
        while let Scan { is_too_long: true, best: Some(index) } = self.best_break(start, end, indent) {
            self.starts[index] = Start::Continuation;
            end = index;
        }
    }

    /// Gives the outermost bodies that begin and end in the line lines of their own.
    fn expand(&mut self, start: usize) {
        let end = (start + 1..self.laid.len()).find(|index| self.starts_at(*index)).unwrap_or(self.laid.len());
        let mut open: Vec<usize> = Vec::new();
        let mut bodies: Vec<(usize, usize)> = Vec::new();
        for index in start..end {
            let Laid { element, ends_trigger, .. } = &self.laid[index];
            if self.opens_body(*element) {
                open.push(index);
            } else if element.is(TokenKind::RBrace)
                && !ends_trigger
                && let Some(opened) = open.pop()
            {
                bodies.retain(|(inner, _)| *inner < opened);
                bodies.push((opened, index));
            }
        }
        for (opened, closed) in bodies {
            if closed > opened + 1 {
                self.expand_body(opened, closed);
            }
        }
    }

    fn expand_body(&mut self, opened: usize, closed: usize) {
        self.starts[opened + 1] = Start::Line;
        self.starts[closed] = Start::Line;
        let mut depth = 0_usize;
        for index in opened + 1..closed {
            let element = self.laid[index].element;
            if depth == 0 && self.landmarks.items.contains(&element.start) && !self.follows_annotation(index) {
                self.starts[index] = Start::Line;
            }
            depth = (depth + usize::from(is_opening(element))).saturating_sub(usize::from(is_closing(element)));
        }
    }

    fn opens_body(&self, element: Element) -> bool {
        element.is(TokenKind::LBrace) && !self.landmarks.triggers.contains(&element.start)
    }

    fn follows_annotation(&self, index: usize) -> bool {
        self.landmarks.annotation_ends.contains(&self.laid[index - 1].element.end)
    }

    /// The best break before `end` in the line that begins at `start`.
    fn best_break(&self, start: usize, end: usize, indent: usize) -> Scan {
        let mut width = indent * 2;
        let mut best: Option<(Cost, usize)> = None;
        let mut depth = Depth::new(self.targets_end(start));
        let mut is_too_long = false;
        for index in start..end {
            let Laid { element, space, .. } = &self.laid[index];
            // Comments may have any length.
            if element.is_comment() || (index > start && self.starts_at(index)) {
                break;
            }
            depth.before(*element);
            if index > start {
                let fits = width <= WIDTH;
                if let Some(rank) = self.rank(index)
                    && is_better((depth.at(index), rank), fits, best.map(|(cost, _)| cost))
                {
                    best = Some(((depth.at(index), rank), index));
                }
                width += usize::from(*space == Space::One);
            }
            width += element.text(self.text).chars().count();
            is_too_long |= width > WIDTH;
            if is_too_long && best.is_some() {
                break;
            }
            depth.after(*element);
        }
        let clause = self.clauses[start].filter(|clause| (start + 1..=*clause).all(|index| !self.starts_at(index)));
        Scan { is_too_long, best: clause.filter(|clause| *clause < end).or(best.map(|(_, index)| index)) }
    }

    /// Where the targets of an assignment end that starts a line. Only lists that fit in a line matter.
    fn targets_end(&self, start: usize) -> usize {
        use TokenKind::*;
        let part = |kind: Kind| {
            matches!(
                kind,
                Kind::Token(Ident | Dot | Comma | Colon | LParen | RParen | LBracket | RBracket | Keyword(_))
            )
        };
        let rest = self.laid[start..].iter().take(WIDTH);
        let length = rest.take_while(|laid| part(laid.element.kind)).count();
        let is_assignment = self.laid.get(start + length).is_some_and(|laid| laid.element.is(Assign));
        if is_assignment { start + length } else { start }
    }

    /// What a break before an element separates, if it is allowed.
    fn rank(&self, index: usize) -> Option<Rank> {
        let previous = &self.laid[index - 1];
        let Kind::Token(kind) = previous.element.kind else { return None };
        let level = match kind {
            TokenKind::Comma => return Some(Rank::Comma),
            TokenKind::ColonColon => return Some(Rank::Quantifier),
            TokenKind::RBrace if previous.ends_trigger => return Some(Rank::Quantifier),
            TokenKind::Question | TokenKind::Colon if previous.is_binary => Level::Conditional,
            kind if previous.is_binary => kind.binary_op()?.level(),
            _ => return None,
        };
        Some(if level < Level::And { Rank::Loose(level) } else { Rank::Tight(level) })
    }
}

/// What was found in a line.
struct Scan {
    is_too_long: bool,
    best: Option<usize>,
}

/// The later of equally good breaks; beyond the width only if there is none before.
fn is_better(cost: Cost, fits: bool, best: Option<Cost>) -> bool {
    best.is_none_or(|found| fits && cost <= found)
}

/// How deep a place is in brackets and quantifiers of its line.
struct Depth {
    depth: usize,
    /// The depths outside of the open brackets.
    outside: Vec<usize>,
    /// Quantifiers whose variables are being declared.
    headers: usize,
    /// Targets of an assignment end here; they belong together.
    targets_end: usize,
}

impl Depth {
    fn new(targets_end: usize) -> Self {
        Depth { depth: 0, outside: Vec::new(), headers: 0, targets_end }
    }
    fn at(&self, index: usize) -> usize {
        self.depth + usize::from(index < self.targets_end)
    }
    fn before(&mut self, element: Element) {
        if is_closing(element) {
            self.depth = self.outside.pop().unwrap_or(0);
        }
    }
    fn after(&mut self, element: Element) {
        use Keyword::*;
        match element.kind {
            // The body is one level deeper, and the variables belong together even more.
            Kind::Token(TokenKind::Keyword(Forall | Exists | Forperm | QuasihavocAll)) => {
                self.headers += 1;
                self.depth += 2;
            }
            Kind::Token(TokenKind::ColonColon) if self.headers > 0 => {
                self.headers -= 1;
                self.depth = self.depth.saturating_sub(1);
            }
            _ if is_opening(element) => {
                self.outside.push(self.depth);
                self.depth += 1;
            }
            _ => {}
        }
    }
}

fn starts_line(laid: &Laid) -> bool {
    laid.element.newlines > 0 || laid.space == Space::Break
}

fn clauses(laid: &[Laid], starts: &[Start]) -> Vec<Option<usize>> {
    let mut clauses = vec![None; laid.len()];
    let mut next = None;
    for index in (0..laid.len()).rev() {
        let element = laid[index].element;
        if element.is_comment() {
            next = None;
        }
        clauses[index] = next;
        if starts[index] != Start::No {
            next = None;
        } else if starts_clause(element) {
            next = Some(index);
        }
    }
    clauses
}

fn starts_clause(element: Element) -> bool {
    use Keyword::*;
    matches!(element.kind, Kind::Token(TokenKind::Keyword(Requires | Ensures | Invariant | Decreases | Returns)))
}

fn is_opening(element: Element) -> bool {
    use TokenKind::*;
    matches!(element.kind, Kind::Token(LParen | LBracket | LBrace))
}

fn is_closing(element: Element) -> bool {
    use TokenKind::*;
    matches!(element.kind, Kind::Token(RParen | RBracket | RBrace))
}
