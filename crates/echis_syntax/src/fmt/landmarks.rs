//! Where things start, by byte: what tokens alone do not say.

use crate::ast::{ExprId, ExprKind, Exprs, MacroBody, MemberKind, Program, Stmt, StmtKind};
use crate::visit::{for_each_expr, for_each_stmt};
use std::collections::HashSet;

#[derive(Default)]
pub(super) struct Landmarks {
    /// Members, statements, domain members, constructors, derivations.
    pub items: HashSet<u32>,
    /// The `{` of triggers.
    pub triggers: HashSet<u32>,
    /// What stands in the brackets of a `forperm`.
    pub resources: HashSet<u32>,
}

impl Landmarks {
    pub fn new(program: &Program) -> Self {
        let mut landmarks = Landmarks::default();
        for member in &program.members {
            landmarks.items.insert(member.span.start);
            member.for_each_expr(|root| landmarks.expr(&program.exprs, root));
            match &member.kind {
                MemberKind::Method(method) => {
                    method
                        .body
                        .iter()
                        .for_each(|body| for_each_stmt(body, |stmt| landmarks.stmt(&program.exprs, stmt)));
                }
                MemberKind::Domain(domain) => {
                    landmarks.items.extend(domain.functions.iter().map(|function| function.span.start));
                    landmarks.items.extend(domain.axioms.iter().map(|axiom| axiom.span.start));
                }
                MemberKind::Adt(adt) => {
                    landmarks.items.extend(adt.constructors.iter().map(|constructor| constructor.span.start));
                    landmarks.items.extend(adt.derives.iter().map(|derive| derive.span.start));
                }
                MemberKind::Define(decl) => landmarks.macro_body(&program.exprs, &decl.body),
                _ => {}
            }
        }
        landmarks
    }

    fn macro_body(&mut self, exprs: &Exprs, body: &MacroBody) {
        match body {
            MacroBody::Expr(root) => self.expr(exprs, *root),
            MacroBody::Stmt(block) => for_each_stmt(block, |stmt| self.stmt(exprs, stmt)),
        }
    }

    fn stmt(&mut self, exprs: &Exprs, stmt: &Stmt) {
        self.items.insert(stmt.span.start);
        stmt.for_each_expr(|root| self.expr(exprs, root));
        if let StmtKind::Define(decl) = &stmt.kind {
            self.macro_body(exprs, &decl.body);
        }
    }

    fn expr(&mut self, exprs: &Exprs, root: ExprId) {
        for_each_expr(exprs, root, |id| match &exprs[id].kind {
            ExprKind::Forall(quantifier) | ExprKind::Exists(quantifier) => {
                self.triggers.extend(quantifier.triggers.iter().map(|trigger| trigger.span.start));
            }
            ExprKind::Forperm(forperm) => {
                self.resources.insert(exprs[forperm.resource].span.start);
            }
            _ => {}
        });
    }
}
