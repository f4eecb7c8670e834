//! Predicates: the body must be well-formed for an arbitrary snapshot.

use crate::eval::produce::Giving;
use crate::exec::Executor;
use crate::state::{Cx, State};
use echis_program::program::PredicateId;
use echis_proof::{ErrorKind, NodeId};

pub(crate) fn verify(executor: &mut Executor, id: PredicateId, root: NodeId) {
    let predicate = &executor.context.program.predicates[id];
    let Some(body) = predicate.body else { return };
    let mut st = State::new(root);
    executor.havoc(&mut st, &predicate.params);
    let cx = Cx { clause: executor.context.syntax(body), ..Cx::new(ErrorKind::PredicateNotWellformed, predicate.id) };
    // Every way to stop was recorded as a failure or is no error.
    let _ = executor.eval.produce_clauses(st, &[body], &Giving::written(), |_, _| cx);
}
