//! Determines the spaces between elements of a line.

use super::element::{Element, Kind};
use super::landmarks::Landmarks;
use crate::token::{Keyword, TokenKind};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Space {
    None,
    One,
    /// Without a line break, the text would have another meaning.
    Break,
}

/// An element with its spacing.
pub(super) struct Laid {
    pub element: Element,
    pub space: Space,
    /// Whether it is a binary operator.
    pub is_binary: bool,
    /// Whether it is the closing brace of a trigger.
    pub ends_trigger: bool,
}

/// The role of an element; the same token has several uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Role {
    /// Ends an operand: `x`, `1`, `)`.
    Operand,
    Binary,
    Prefix,
    OpenBar,
    CloseBar,
    /// `:` of `x: T`.
    TypeColon,
    OpenTrigger,
    CloseTrigger,
    Other,
}

pub(super) struct Spacer<'a> {
    text: &'a str,
    elements: &'a [Element],
    landmarks: &'a Landmarks,
    open: Vec<Open>,
    /// The role of the last non-comment element.
    last_role: Role,
    /// The role of the element before the current one.
    previous_role: Role,
}

#[derive(Default)]
struct Open {
    questions: u32,
    bars: u32,
    is_trigger: bool,
    /// Whether a `(` here directly follows its keyword, as in `old[l](e)`.
    after_literal: bool,
}

impl<'a> Spacer<'a> {
    pub fn new(text: &'a str, elements: &'a [Element], landmarks: &'a Landmarks) -> Self {
        let open = vec![Open::default()];
        Spacer { text, elements, landmarks, open, last_role: Role::Other, previous_role: Role::Other }
    }

    /// Must be called for each element in turn.
    pub fn lay(&mut self, index: usize, element: Element) -> Laid {
        let space = self.space_before(index);
        let has_role = |role: Role| !element.is_comment() && self.last_role == role;
        Laid { element, space, is_binary: has_role(Role::Binary), ends_trigger: has_role(Role::CloseTrigger) }
    }

    fn space_before(&mut self, index: usize) -> Space {
        let element = self.elements[index];
        if element.is_comment() {
            return self.before_comment(index);
        }
        self.previous_role = self.last_role;
        let was_literal = self.closes_literal_type(index);
        let role = self.role(index);
        self.last_role = role;
        let Some(previous) = index.checked_sub(1).map(|index| self.elements[index]) else { return Space::None };
        if previous.is_comment() {
            return if is_closing(element) { Space::None } else { Space::One };
        }
        self.between(index, previous, element, role, was_literal)
    }

    fn before_comment(&self, index: usize) -> Space {
        match index.checked_sub(1).map(|index| self.elements[index]) {
            Some(previous) if is_opening(previous) && self.elements[index].kind == Kind::BlockComment => Space::None,
            _ => Space::One,
        }
    }

    fn between(&self, index: usize, previous: Element, element: Element, role: Role, was_literal: bool) -> Space {
        use TokenKind::*;
        let starts_item = self.landmarks.items.contains(&element.start);
        if element.is(LParen) && previous.is(Ident) {
            return self.before_arguments(index, previous, element);
        }
        match (previous.kind, element.kind) {
            // Two adjacent bars would be a disjunction.
            (Kind::Token(Bar | OrOr), Kind::Token(Bar | OrOr)) => Space::One,
            _ if self.is_fraction(index) || self.is_fraction(index - 1) => Space::None,
            (_, Kind::Token(Comma | Semicolon)) => Space::None,
            (Kind::Token(LBrace), Kind::Token(RBrace)) => Space::None,
            (Kind::Token(LParen | LBracket), _) | (_, Kind::Token(RParen | RBracket)) => Space::None,
            (Kind::Token(LBrace), _) if self.previous_role == Role::OpenTrigger => Space::None,
            (_, Kind::Token(RBrace)) if role == Role::CloseTrigger => Space::None,
            (Kind::Token(Dot | DotDot | Hash), _) | (_, Kind::Token(Dot | DotDot)) => Space::None,
            (Kind::Annotation, Kind::Token(LParen)) => Space::None,
            _ if matches!(self.previous_role, Role::Prefix | Role::OpenBar) => Space::None,
            _ if matches!(role, Role::CloseBar | Role::TypeColon) => Space::None,
            _ if starts_item => Space::One,
            (_, Kind::Token(LBracket)) => self.before_bracket(index, previous),
            (Kind::Token(Keyword(keyword)), Kind::Token(LParen)) if is_function_like(keyword) => Space::None,
            (Kind::Token(RBracket), Kind::Token(LParen)) if was_literal => Space::None,
            _ => Space::One,
        }
    }

    /// The `/` of `1/2`.
    fn is_fraction(&self, index: usize) -> bool {
        let is_int = |index: usize| self.elements.get(index).is_some_and(|element| element.is(TokenKind::Int));
        self.elements[index].is(TokenKind::Slash) && index > 0 && is_int(index - 1) && is_int(index + 1)
    }

    /// `f(`, unless it is not a call.
    fn before_arguments(&self, index: usize, previous: Element, element: Element) -> Space {
        let gap = &self.text[previous.end as usize..element.start as usize];
        let names_macro = index >= 2 && self.elements[index - 2].is_keyword(Keyword::Define);
        match gap {
            "" => Space::None,
            _ if names_macro => Space::One,
            _ if gap.bytes().all(|byte| byte == b' ') => Space::None,
            _ => Space::Break,
        }
    }

    fn before_bracket(&self, index: usize, previous: Element) -> Space {
        let opens_resource =
            self.elements.get(index + 1).is_some_and(|next| self.landmarks.resources.contains(&next.start));
        let is_suffix = matches!(self.previous_role, Role::Operand | Role::CloseBar);
        let is_type = match previous.kind {
            Kind::Token(TokenKind::Keyword(keyword)) => {
                use Keyword::*;
                matches!(keyword, Seq | Set | Multiset | Map | Old)
            }
            _ => false,
        };
        if (is_suffix || is_type) && !opens_resource { Space::None } else { Space::One }
    }

    fn innermost(&mut self) -> &mut Open {
        self.open.last_mut().expect("the file itself is never closed")
    }

    /// Whether the last `]` ended the label of `old[l](e)` or the type of `Seq[T]()`. Called before the element is
    /// recorded.
    fn closes_literal_type(&self, index: usize) -> bool {
        let Some(close) = index.checked_sub(1) else { return false };
        if !self.elements[close].is(TokenKind::RBracket) {
            return false;
        }
        self.open.last().is_some_and(|open| open.after_literal)
    }

    fn role(&mut self, index: usize) -> Role {
        use TokenKind::*;
        let element = self.elements[index];
        let after_operand = matches!(self.previous_role, Role::Operand | Role::CloseBar);
        let Kind::Token(kind) = element.kind else { return Role::Other };
        match kind {
            LParen | LBracket => {
                let follows_word = index > 0 && is_literal_word(self.elements[index - 1]);
                self.innermost().after_literal = kind == LBracket && follows_word;
                self.open.push(Open::default());
                Role::Other
            }
            LBrace => {
                let is_trigger = self.landmarks.triggers.contains(&element.start);
                self.open.push(Open { is_trigger, ..Open::default() });
                if is_trigger { Role::OpenTrigger } else { Role::Other }
            }
            RParen | RBracket | RBrace => {
                let closed = if self.open.len() > 1 { self.open.pop() } else { None };
                match kind {
                    RBrace if closed.is_some_and(|open| open.is_trigger) => Role::CloseTrigger,
                    RBrace => Role::Other,
                    _ => Role::Operand,
                }
            }
            Ident | Int => Role::Operand,
            Question => {
                self.innermost().questions += 1;
                Role::Binary
            }
            Colon if self.innermost().questions > 0 => {
                self.innermost().questions -= 1;
                Role::Binary
            }
            Colon => Role::TypeColon,
            Minus if !after_operand => Role::Prefix,
            Bang => Role::Prefix,
            Bar => self.bar(after_operand, 1),
            OrOr if !after_operand => self.bar(false, 2),
            OrOr if self.innermost().bars > 1 && !self.operand_follows(index) => self.bar(true, 2),
            Keyword(keyword) if is_operand(keyword) => Role::Operand,
            _ if kind.binary_op().is_some_and(|op| !op.is_word()) => Role::Binary,
            _ => Role::Other,
        }
    }

    fn bar(&mut self, after_operand: bool, count: u32) -> Role {
        let open = self.innermost();
        if after_operand && open.bars > 0 {
            open.bars -= count.min(open.bars);
            return Role::CloseBar;
        }
        open.bars += count;
        Role::OpenBar
    }

    fn operand_follows(&self, index: usize) -> bool {
        let next = self.elements[index + 1..].iter().find(|element| !element.is_comment());
        match next.map(|next| next.kind) {
            Some(Kind::Token(kind)) => crate::parser::starts_expr(kind),
            Some(Kind::Annotation) => true,
            _ => false,
        }
    }
}

fn is_literal_word(element: Element) -> bool {
    use Keyword::*;
    matches!(element.kind, Kind::Token(TokenKind::Keyword(Old | Seq | Set | Multiset | Map)))
}

/// Keywords that are followed by `(` like a function.
fn is_function_like(keyword: Keyword) -> bool {
    use Keyword::*;
    matches!(keyword, Old | Acc | Seq | Set | Multiset | Map | New | Domain | Range)
}

/// Keywords that end an operand.
fn is_operand(keyword: Keyword) -> bool {
    use Keyword::*;
    matches!(keyword, True | False | Null | Result | None | Write | Wildcard | Epsilon)
}

fn is_opening(element: Element) -> bool {
    use TokenKind::*;
    matches!(element.kind, Kind::Token(LParen | LBracket))
}

fn is_closing(element: Element) -> bool {
    use TokenKind::*;
    matches!(element.kind, Kind::Token(RParen | RBracket | Comma | Semicolon))
}
