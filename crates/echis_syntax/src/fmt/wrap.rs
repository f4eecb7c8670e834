//! Breaks lines that are too long: first before clauses, then at the outermost brackets, and there at the loosest
//! operator, as late as the line allows. A line is never broken where that could change its meaning: breaks are after
//! operators and commas, or before keywords that start a clause.

use super::element::{Element, Kind};
use super::spacing::{Laid, Space};
use crate::op::Level;
use crate::token::{Keyword, TokenKind};
use std::ops::Range;

/// Maximum width of a line.
const WIDTH: usize = 100;

/// The cost of a break: the number of enclosing brackets, then the rank of what it separates.
type Cost = (usize, Rank);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Clause,
    Comma,
    Operator(Level),
    Quantifier,
}

/// The element that should start a new line, if the line that starts at `start` with this indentation is too long.
pub(super) fn next_break(text: &str, laid: &[Laid], start: usize, indent: usize) -> Option<usize> {
    let mut chosen = None;
    // The part before a break may be too long itself.
    while let Some(index) = best_break(text, laid, start..chosen.unwrap_or(end_of_line(laid, start)), indent) {
        chosen = Some(index);
    }
    chosen
}

/// The best break of a line, if it is too long and there is one.
fn best_break(text: &str, laid: &[Laid], line: Range<usize>, indent: usize) -> Option<usize> {
    let start = line.start;
    let (mut width, mut depth) = (indent * 2, 0);
    let mut best: Option<(Cost, usize)> = None;
    let mut is_too_long = false;
    for index in line {
        let Laid { element, space, .. } = &laid[index];
        // Comments may have any length.
        if element.is_comment() {
            break;
        }
        depth -= usize::from(is_closing(*element)).min(depth);
        if index > start {
            let fits = width <= WIDTH;
            if let Some(cost) = cost(laid, index, depth)
                && is_better(cost, fits, best)
            {
                best = Some((cost, index));
            }
            width += usize::from(*space == Space::One);
        }
        width += element.text(text).chars().count();
        is_too_long |= width > WIDTH;
        depth += usize::from(is_opening(*element));
    }
    best.filter(|_| is_too_long).map(|(_, index)| index)
}

/// The later of equally good breaks; beyond the width only if there is none before.
fn is_better(cost: Cost, fits: bool, best: Option<(Cost, usize)>) -> bool {
    match best {
        None => true,
        Some((found, _)) if cost.1 == Rank::Clause => found.1 != Rank::Clause,
        Some((found, _)) => fits && cost <= found,
    }
}

fn end_of_line(laid: &[Laid], start: usize) -> usize {
    let starts_line = |next: &Laid| next.element.newlines > 0 || next.space == Space::Break;
    laid[start + 1..].iter().position(starts_line).map_or(laid.len(), |length| start + 1 + length)
}

/// The cost of a break before an element, if allowed.
fn cost(laid: &[Laid], index: usize, depth: usize) -> Option<Cost> {
    let previous = &laid[index - 1];
    if starts_clause(laid[index].element) {
        return Some((depth, Rank::Clause));
    }
    let Kind::Token(kind) = previous.element.kind else { return None };
    let rank = match kind {
        TokenKind::Comma => Rank::Comma,
        TokenKind::ColonColon => Rank::Quantifier,
        TokenKind::Question if previous.is_binary => Rank::Operator(Level::Conditional),
        kind if previous.is_binary => Rank::Operator(kind.binary_op()?.level()),
        _ => return None,
    };
    Some((depth, rank))
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
