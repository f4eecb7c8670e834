//! Infers what procedures modify from their bodies, like Boogie's `/inferModifies`.

use crate::program::{Block, ProcedureId, Program, StmtKind, VarId, VarKind};
use std::collections::{BTreeMap, BTreeSet};

/// The effects of a body.
#[derive(Default)]
struct Effects {
    assigned: BTreeSet<VarId>,
    called: BTreeSet<ProcedureId>,
}

/// Sets the modifies clauses of procedures with a body. Others keep their own.
pub fn infer(program: &mut Program) {
    let mut effects: BTreeMap<ProcedureId, Effects> = BTreeMap::new();
    for implementation in program.implementations.values() {
        collect(&implementation.body, effects.entry(implementation.procedure).or_default());
    }
    let mut modified: BTreeMap<ProcedureId, BTreeSet<VarId>> = BTreeMap::new();
    for (id, procedure) in program.procedures.iter() {
        let own = match effects.get(&id) {
            Some(effects) => effects.assigned.iter().copied().filter(|var| is_global(program, *var)).collect(),
            None => procedure.modifies.iter().copied().collect(),
        };
        modified.insert(id, own);
    }
    loop {
        let mut changed = false;
        for (id, effects) in &effects {
            let called = effects.called.iter().flat_map(|callee| modified[callee].clone());
            let found: BTreeSet<VarId> = called.collect();
            let known = modified.entry(*id).or_default();
            let before = known.len();
            known.extend(found);
            changed |= known.len() > before;
        }
        if !changed {
            break;
        }
    }
    for id in effects.into_keys() {
        program.procedures[id].modifies = modified[&id].iter().copied().collect();
    }
}

fn is_global(program: &Program, var: VarId) -> bool {
    program.vars[var].kind == VarKind::Global
}

fn collect(block: &Block, effects: &mut Effects) {
    stacker::maybe_grow(128 * 1024, 2 * 1024 * 1024, || {
        for stmt in &block.stmts {
            match &stmt.kind {
                StmtKind::Havoc(vars) | StmtKind::Unpack { vars, .. } => effects.assigned.extend(vars),
                StmtKind::Assign { targets, .. } => effects.assigned.extend(targets.iter().map(|target| target.var)),
                StmtKind::Call { procedure, outs, .. } => {
                    effects.called.insert(*procedure);
                    effects.assigned.extend(outs);
                }
                StmtKind::If { then, otherwise, .. } => {
                    collect(then, effects);
                    otherwise.iter().for_each(|block| collect(block, effects));
                }
                StmtKind::While { body, .. } => collect(body, effects),
                _ => {}
            }
        }
    });
}
