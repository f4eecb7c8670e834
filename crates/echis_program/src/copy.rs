//! Copies of expressions with variables replaced. Bound variables are renewed in the copy, so that every variable
//! keeps a unique key and nothing is captured.

use crate::program::{Copied, Copier, ExprId, ExprKind, Local, LocalId, Program};
use crate::walk::guarded;
use std::collections::HashMap;
use std::convert::Infallible;

/// The replacements of variables in a copy.
#[derive(Clone, Debug, Default)]
pub(crate) struct Substitution {
    map: HashMap<LocalId, Replacement>,
}

#[derive(Clone, Copy, Debug)]
enum Replacement {
    Variable(LocalId),
    /// Each occurrence becomes a separate copy, made without the substitution.
    Expr(ExprId),
}

impl Substitution {
    pub(crate) fn variable(&mut self, from: LocalId, to: LocalId) {
        self.map.insert(from, Replacement::Variable(to));
    }
    pub(crate) fn expr(&mut self, from: LocalId, to: ExprId) {
        self.map.insert(from, Replacement::Expr(to));
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.map.is_empty()
    }
}

impl Program {
    /// A copy with new bound variables. Nodes keep their syntax ids.
    pub(crate) fn copy(&mut self, expr: ExprId) -> ExprId {
        self.substitute(expr, &mut Substitution::default())
    }

    /// Fresh variables with the names and types of the given ones, recorded in the substitution.
    pub(crate) fn renew(&mut self, vars: &[LocalId], substitution: &mut Substitution) -> Vec<LocalId> {
        let renew = |var: &LocalId| {
            let Local { name, ty, id } = self.locals[*var].clone();
            let fresh = self.fresh_local(name, ty, id);
            substitution.variable(*var, fresh);
            fresh
        };
        vars.iter().map(renew).collect()
    }

    /// A copy with the substitution applied. The renewed bound variables are added to the substitution; their keys
    /// are unique, so this changes nothing else.
    pub(crate) fn substitute(&mut self, expr: ExprId, map: &mut Substitution) -> ExprId {
        guarded(|| self.substitute_node(expr, map))
    }

    /// Substitutes in any node that contains expressions.
    pub(crate) fn substitute_in<T: Copied>(&mut self, around: &T, map: &mut Substitution) -> T {
        let Ok(copy) = around.copied(&mut Copying { program: self, map });
        copy
    }

    fn substitute_node(&mut self, expr: ExprId, map: &mut Substitution) -> ExprId {
        let node = self.exprs[expr].clone();
        let kind = match node.kind {
            ExprKind::Local(local) => match map.map.get(&local) {
                Some(Replacement::Variable(other)) => return self.local(*other, node.id),
                Some(Replacement::Expr(other)) => return self.copy(*other),
                None => node.kind,
            },
            kind => {
                let Ok(kind) = kind.copied(&mut Copying { program: self, map });
                kind
            }
        };
        self.add_expr(kind, node.ty, node.id)
    }
}

struct Copying<'a> {
    program: &'a mut Program,
    map: &'a mut Substitution,
}

impl Copier for Copying<'_> {
    type Problem = Infallible;
    fn expr(&mut self, expr: ExprId) -> Result<ExprId, Infallible> {
        Ok(self.program.substitute(expr, self.map))
    }
    fn bind(&mut self, var: LocalId) -> Result<LocalId, Infallible> {
        Ok(self.program.renew(&[var], self.map)[0])
    }
}
