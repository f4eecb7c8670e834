//! Termination measures.

use crate::cfg::Loop;
use crate::executor::Executor;
use crate::state::{Cx, State, Step};
use echis_base::SyntaxId;
use echis_program::program::{FunctionId, LocalId, MethodId, PredicateId};
use echis_term::TermId;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What the member being verified promises.
#[derive(Default)]
pub(crate) struct Termination {}

#[allow(unused_variables)]
impl Executor<'_> {
    pub fn start_termination(&mut self, method: MethodId) {}
    pub fn start_function_termination(&mut self, st: &mut State, function: FunctionId) {}
    pub fn check_termination_of_application(
        &mut self,
        st: &mut State,
        function: FunctionId,
        store: &Rc<BTreeMap<LocalId, TermId>>,
        id: SyntaxId,
        cx: &Cx,
    ) -> Step<()> {
        Ok(())
    }
    pub fn check_termination_of_call(
        &mut self,
        st: &mut State,
        method: MethodId,
        store: &Rc<BTreeMap<LocalId, TermId>>,
        id: SyntaxId,
    ) -> Step<()> {
        Ok(())
    }
    pub fn start_iteration(&mut self, st: &mut State, entered: &Loop) -> Step<()> {
        Ok(())
    }
    pub fn finish_iteration(&mut self, st: &mut State, ended: &Loop) -> Step<()> {
        Ok(())
    }
    /// Instances in the body of an unfolded predicate are nested in it.
    pub fn assume_nesting(
        &mut self,
        st: &mut State,
        predicate: PredicateId,
        args: &[TermId],
        snapshot: TermId,
        cx: &Cx,
    ) -> Step<()> {
        Ok(())
    }
}
