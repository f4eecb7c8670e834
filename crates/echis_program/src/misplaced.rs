//! Misplaced inhale-exhale assertions. `[a, b]` is `a` where the assertion is assumed and `b` where it is checked, so
//! it is not allowed where one text is used for both, or where a value is required. Engines reject such members.

use crate::program::{ExprId, ExprKind, Program, StmtKind};
use crate::reach::Member;

/// A misplaced inhale-exhale assertion of a member.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Misplaced {
    pub expr: ExprId,
    pub place: MisplacedIn,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MisplacedIn {
    /// `unfold` assumes what `fold` checked.
    Predicate,
    /// The footprint of a function is given by its precondition, for the body and for its callers.
    Function,
    /// An expression that is neither assumed nor checked.
    Value,
}

impl MisplacedIn {
    pub fn note(self) -> &'static str {
        match self {
            MisplacedIn::Predicate => "inhale-exhale assertions are not supported in predicates",
            MisplacedIn::Function => "inhale-exhale assertions with permissions are not supported in functions",
            MisplacedIn::Value => "an inhale-exhale assertion has no value",
        }
    }
}

impl Program {
    /// The misplaced inhale-exhale assertions of a member, in text order.
    pub fn misplaced(&self, member: Member) -> Vec<Misplaced> {
        let mut search = Search { program: self, found: Vec::new() };
        match member {
            Member::Predicate(predicate) => {
                self.predicate_roots(predicate).into_iter().for_each(|root| search.predicate(root));
            }
            Member::Function(id) => {
                let function = &self.functions[id];
                function.pre.iter().chain(&function.post).for_each(|clause| search.function(*clause));
                function.decreases.roots().into_iter().chain(function.body).for_each(|root| search.value(root));
                function.body.into_iter().for_each(|body| search.function(body));
            }
            Member::Method(id) => {
                let method = &self.methods[id];
                method.decreases.roots().into_iter().for_each(|root| search.value(root));
                if let Some(body) = &method.body {
                    body.visit_stmts(&mut |stmt| search.stmt(&stmt.kind));
                }
            }
        }
        search.found
    }
}

struct Search<'a> {
    program: &'a Program,
    found: Vec<Misplaced>,
}

impl Search<'_> {
    fn add(&mut self, expr: ExprId, place: MisplacedIn) {
        if !self.found.iter().any(|known| known.expr == expr) {
            self.found.push(Misplaced { expr, place });
        }
    }
    fn predicate(&mut self, root: ExprId) {
        let program = self.program;
        program.visit(root, |expr| {
            let pair = matches!(program.kind(expr), ExprKind::InhaleExhale(..));
            if pair {
                self.add(expr, MisplacedIn::Predicate);
            }
            !pair
        });
    }
    fn function(&mut self, root: ExprId) {
        let program = self.program;
        program.visit(root, |expr| {
            let pair = matches!(program.kind(expr), ExprKind::InhaleExhale(..)) && !program.is_pure(expr);
            if pair {
                self.add(expr, MisplacedIn::Function);
            }
            !pair
        });
    }
    fn value(&mut self, root: ExprId) {
        let program = self.program;
        let mut pending = vec![root];
        while let Some(expr) = pending.pop() {
            match program.kind(expr) {
                ExprKind::InhaleExhale(..) => self.add(expr, MisplacedIn::Value),
                // The condition of `asserting` is checked.
                ExprKind::Asserting { body, .. } => pending.push(*body),
                kind => pending.extend(kind.children().into_iter().rev()),
            }
        }
    }
    fn stmt(&mut self, stmt: &StmtKind) {
        let asserted: &[ExprId] = match stmt {
            StmtKind::Inhale(assertion)
            | StmtKind::Exhale(assertion)
            | StmtKind::Assert(assertion)
            | StmtKind::Assume(assertion)
            | StmtKind::Refute(assertion) => std::slice::from_ref(assertion),
            StmtKind::While { invariants, .. } | StmtKind::Label { invariants, .. } => invariants,
            _ => &[],
        };
        stmt.roots().into_iter().filter(|root| !asserted.contains(root)).for_each(|root| self.value(root));
    }
}
