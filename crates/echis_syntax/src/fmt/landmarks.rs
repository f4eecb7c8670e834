//! The byte positions where things start, which tokens alone do not determine.

use crate::ast::{Annotation, ExprId, ExprKind, Exprs, MacroBody, MemberKind, Program, Stmt, StmtKind};
use crate::visit::{for_each_expr, for_each_stmt};
use echis_base::Span;
use std::collections::HashSet;

#[derive(Default)]
pub(super) struct Landmarks {
    /// Members, statements, domain members, constructors, derivations.
    pub items: HashSet<u32>,
    /// The ends of annotations of such items: what follows is indented like the annotation.
    pub annotation_ends: HashSet<u32>,
    /// The `{` of triggers.
    pub triggers: HashSet<u32>,
    /// Expressions in the brackets of a `forperm`.
    pub resources: HashSet<u32>,
}

impl Landmarks {
    pub fn new(program: &Program) -> Self {
        let mut landmarks = Landmarks::default();
        for member in &program.members {
            landmarks.item(member.span, &member.annotations);
            member.for_each_expr(|root| landmarks.expr(&program.exprs, root));
            match &member.kind {
                MemberKind::Method(method) => {
                    method
                        .body
                        .iter()
                        .for_each(|body| for_each_stmt(body, |stmt| landmarks.stmt(&program.exprs, stmt)));
                }
                MemberKind::Domain(domain) => {
                    domain.functions.iter().for_each(|part| landmarks.item(part.span, &part.annotations));
                    domain.axioms.iter().for_each(|part| landmarks.item(part.span, &part.annotations));
                }
                MemberKind::Adt(adt) => {
                    adt.constructors.iter().for_each(|part| landmarks.item(part.span, &part.annotations));
                    adt.derives.iter().for_each(|part| landmarks.item(part.span, &[]));
                }
                MemberKind::Define(decl) => landmarks.macro_body(&program.exprs, &decl.body),
                _ => {}
            }
        }
        landmarks
    }

    fn item(&mut self, span: Span, annotations: &[Annotation]) {
        self.items.insert(span.start);
        self.annotation_ends.extend(annotations.iter().map(|annotation| annotation.span.end));
    }

    fn macro_body(&mut self, exprs: &Exprs, body: &MacroBody) {
        match body {
            MacroBody::Expr(root) => self.expr(exprs, *root),
            MacroBody::Stmt(block) => for_each_stmt(block, |stmt| self.stmt(exprs, stmt)),
        }
    }

    fn stmt(&mut self, exprs: &Exprs, stmt: &Stmt) {
        self.item(stmt.span, &stmt.annotations);
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
