//! Finds the members that can use the postcondition of a member.

use crate::owner::Owner;
use echis_base::Name;
use echis_program::program::{ExprId, ExprKind, Program, StmtKind};

/// The members that use another member's postcondition, except those mutually recursive with it.
pub fn callers(program: &Program, owner: Owner) -> impl Iterator<Item = Name> {
    let mut callers = Vec::new();
    match owner {
        Owner::Domain(_) => {}
        Owner::Method(id) => {
            let others = program.methods.values().filter(|method| method.cycle != program.methods[id].cycle);
            for method in others {
                let mut called = false;
                let is_call = |kind: &StmtKind| matches!(kind, StmtKind::Call { method, .. } if *method == id);
                method.body.iter().for_each(|body| body.visit_stmts(&mut |stmt| called |= is_call(&stmt.kind)));
                callers.extend(called.then(|| method.name.clone()));
            }
        }
        Owner::Function(id) => {
            let cycle = program.functions[id].height;
            let applies = |kind: &ExprKind| matches!(kind, ExprKind::FunctionApp { function, .. } if *function == id);
            let mut visit = |name: &Name, roots: Vec<ExprId>| {
                callers.extend(roots.into_iter().any(|root| program.any(root, applies)).then(|| name.clone()));
            };
            for (other, function) in program.functions.iter().filter(|(_, function)| function.height != cycle) {
                visit(&function.name, program.function_roots(other));
            }
            for (other, predicate) in program.predicates.iter() {
                visit(&predicate.name, program.predicate_roots(other));
            }
            for (other, method) in program.methods.iter() {
                visit(&method.name, program.method_roots(other));
            }
        }
    }
    callers.into_iter()
}
