//! Constructs allowed inside expressions.

use super::Checks;
use crate::program::{ExprId, ExprKind, OldState, PredicateAccess, StmtKind};

/// The context of an expression.
#[derive(Clone, Copy, Default)]
pub(super) struct ExprPosition {
    /// In functions, amounts only mean "some", so any use of `wildcard` is allowed.
    function: bool,
    /// Inside an accessibility predicate.
    access: bool,
    /// Inside a wand.
    wand: bool,
    lhs: Lhs,
}

/// Where `old[lhs]` is meaningful.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Lhs {
    #[default]
    Nowhere,
    Left,
    /// On the right-hand side of a wand or in a proof script.
    Right,
}

impl ExprPosition {
    pub(super) fn in_function() -> ExprPosition {
        ExprPosition { function: true, ..ExprPosition::default() }
    }
    pub(super) fn in_script(self) -> ExprPosition {
        ExprPosition { lhs: Lhs::Right, ..self }
    }
    /// The amounts of `fold` and `unfold` are those of an access.
    pub(super) fn of_stmt(self, stmt: &StmtKind) -> ExprPosition {
        ExprPosition { access: matches!(stmt, StmtKind::Fold(_) | StmtKind::Unfold(_)), ..self }
    }
}

impl Checks<'_> {
    /// Checks an expression and its descendants.
    pub(super) fn expr(&mut self, root: ExprId, place: ExprPosition) {
        let mut pending = vec![(root, place)];
        while let Some((expr, place)) = pending.pop() {
            self.node(expr, place);
            let start = pending.len();
            self.children(expr, place, &mut pending);
            pending[start..].reverse();
        }
    }

    fn node(&mut self, expr: ExprId, place: ExprPosition) {
        let program = self.program;
        match program.kind(expr) {
            ExprKind::Wildcard if !place.access => {
                self.error_at(expr, "`wildcard` can only be the amount of an access.");
            }
            ExprKind::Acc { amount, .. } | ExprKind::ForallAcc { amount, .. } if !place.function => {
                self.amount(*amount);
            }
            ExprKind::Unfolding { access, body } => {
                if !place.function {
                    self.amount(access.amount);
                }
                self.pure_body(*body);
            }
            ExprKind::Applying { body, .. } | ExprKind::Asserting { body, .. } => self.pure_body(*body),
            ExprKind::Let { value, .. } if !program.is_pure(*value) => {
                self.error_at(*value, "The value of `let` must be pure.");
            }
            ExprKind::Old { state: OldState::Lhs, .. } => match place.lhs {
                Lhs::Right => {}
                Lhs::Left => self.error_at(expr, "`old[lhs]` is not allowed on the left of a wand."),
                Lhs::Nowhere => self.error_at(expr, "`old[lhs]` is only allowed in a wand or its proof script."),
            },
            // Packaging would assume one half of it while applying checks the other.
            ExprKind::InhaleExhale(..) if place.wand => {
                self.error_at(expr, "An inhale-exhale assertion is not allowed inside a wand.");
            }
            _ => {}
        }
    }

    fn children(&mut self, expr: ExprId, place: ExprPosition, pending: &mut Vec<(ExprId, ExprPosition)>) {
        let access = ExprPosition { access: true, ..place };
        match self.program.kind(expr) {
            ExprKind::Acc { location, amount, .. } => {
                pending.extend(location.parts().into_iter().map(|part| (part, access)));
                pending.push((*amount, access));
            }
            ExprKind::ForallAcc { condition, location, amount, .. } => {
                pending.push((*condition, place));
                pending.extend(location.parts().into_iter().map(|part| (part, access)));
                pending.push((*amount, access));
            }
            ExprKind::Unfolding { access: predicate, body } => {
                pending.extend(predicate.parts().into_iter().map(|part| (part, access)));
                pending.push((*body, place));
            }
            ExprKind::Wand { left, right } => {
                let place = ExprPosition { access: false, wand: true, ..place };
                pending.push((*left, ExprPosition { lhs: Lhs::Left, ..place }));
                pending.push((*right, ExprPosition { lhs: Lhs::Right, ..place }));
            }
            kind => pending.extend(kind.children().into_iter().map(|child| (child, place))),
        }
    }

    /// `wildcard` must be a whole amount, not part of one.
    fn amount(&mut self, amount: ExprId) {
        let is_wildcard = |kind: &ExprKind| matches!(kind, ExprKind::Wildcard);
        if !is_wildcard(self.program.kind(amount)) && self.program.any(amount, is_wildcard) {
            self.error_at(amount, "`wildcard` must be the whole amount.");
        }
    }

    fn access(&mut self, access: &PredicateAccess) {
        self.amount(access.amount);
    }

    pub(super) fn stmt_accesses(&mut self, stmt: &StmtKind) {
        if let StmtKind::Fold(access) | StmtKind::Unfold(access) = stmt {
            self.access(access);
        }
    }

    fn pure_body(&mut self, body: ExprId) {
        if !self.program.is_pure(body) {
            self.error_at(body, "Only pure expressions are allowed here.");
        }
    }
}
