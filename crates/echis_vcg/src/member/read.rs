//! Facts computed directly from an implementation's text.

use crate::graph::{Cmd, Frame};
use crate::instances::matches;
use echis_base::SyntaxId;
use echis_boogie::Program;
use echis_boogie::ast::{Attribute, ExprId};
use echis_boogie::program::{ImplementationId, StmtKind};
use echis_boogie::types::Instance;

/// The procedure's type parameters, in terms of the implementation.
pub(super) fn own_types(program: &Program, implementation: ImplementationId) -> Instance {
    let body = &program.implementations[implementation];
    let procedure = &program.procedures[body.procedure];
    let mut instance = Instance::new();
    let pairs = procedure.ins.iter().zip(&body.ins).chain(procedure.outs.iter().zip(&body.outs));
    for (formal, own) in pairs {
        let (formal, own) = (program.vars[*formal].ty.expanded(), program.vars[*own].ty.expanded());
        matches(&formal, &own, &procedure.type_params, &mut instance);
    }
    instance
}

/// The condition, attributes and id of an invariant, and whether it is free.
pub(super) fn invariant<'c>(cmd: &Cmd<'c>) -> Option<(ExprId, &'c [Attribute], SyntaxId, bool)> {
    match cmd {
        Cmd::Invariant(clause) => Some((clause.condition, &clause.attributes, clause.id, clause.free)),
        Cmd::Stmt(stmt) => match &stmt.kind {
            StmtKind::Assert(condition) => Some((*condition, &stmt.attributes, stmt.id, false)),
            StmtKind::Assume(condition) => Some((*condition, &stmt.attributes, stmt.id, true)),
            _ => None,
        },
        _ => None,
    }
}

pub(super) fn first_id(cmds: &[(Frame, Cmd<'_>)]) -> Option<SyntaxId> {
    cmds.iter().find_map(|(_, cmd)| match cmd {
        Cmd::Stmt(stmt) => Some(stmt.id),
        _ => None,
    })
}
