//! Quantified permissions.

use crate::executor::Executor;
use crate::heap::Amount;
use crate::produce::Giving;
use crate::state::{Cx, Resource, State, Step};
use echis_base::SyntaxId;
use echis_program::program::{ExprId, LocalId, Location};
use echis_proof::{NodeId, Property};
use echis_term::TermId;

/// What is shared about quantified resources in one member.
#[derive(Default)]
pub(crate) struct Maps {}

const MISSING: &str = "quantified permissions are not supported yet";

#[allow(clippy::too_many_arguments, unused_variables)]
impl Executor<'_> {
    pub fn produce_quantified(
        &mut self,
        st: &mut State,
        expr: ExprId,
        snapshot: TermId,
        giving: &Giving,
        cx: &Cx,
    ) -> Step<()> {
        self.unsupported(st, cx.at, MISSING)
    }
    pub fn consume_quantified(&mut self, st: &mut State, expr: ExprId, scale: Option<TermId>, cx: &Cx) -> Step<TermId> {
        self.unsupported(st, cx.at, MISSING)
    }
    /// Like consume, where nothing is removed: function preconditions.
    pub fn read_quantified(&mut self, st: &mut State, expr: ExprId, cx: &Cx) -> Step<TermId> {
        self.unsupported(st, cx.at, MISSING)
    }
    pub fn quantified_lookup(
        &mut self,
        st: &mut State,
        resource: Resource,
        args: &[TermId],
        property: Property,
        cx: &Cx,
    ) -> Step<TermId> {
        self.unsupported(st, cx.at, MISSING)
    }
    pub fn quantified_add_single(
        &mut self,
        st: &mut State,
        resource: Resource,
        args: &[TermId],
        perm: TermId,
        value: TermId,
        grant: NodeId,
        cx: &Cx,
    ) -> Step<()> {
        self.unsupported(st, cx.at, MISSING)
    }
    pub fn quantified_remove_single(
        &mut self,
        st: &mut State,
        resource: Resource,
        args: &[TermId],
        amount: Amount,
        property: Property,
        cx: &Cx,
    ) -> Step<TermId> {
        self.unsupported(st, cx.at, MISSING)
    }
    pub fn quantified_consolidate(&mut self, st: &mut State, resource: Resource, cx: &Cx) -> Step<()> {
        Ok(())
    }
    pub fn quantified_perm(&mut self, st: &mut State, resource: Resource, args: &[TermId], cx: &Cx) -> Step<TermId> {
        self.unsupported(st, cx.at, MISSING)
    }
    pub fn quantified_forperm(
        &mut self,
        st: &mut State,
        vars: &[LocalId],
        location: &Location,
        body: ExprId,
        cx: &Cx,
    ) -> Step<TermId> {
        self.unsupported(st, cx.at, MISSING)
    }
    pub fn quantified_havoc_single(
        &mut self,
        st: &mut State,
        resource: Resource,
        args: &[TermId],
        guard: TermId,
        cx: &Cx,
    ) -> Step<()> {
        self.unsupported(st, cx.at, MISSING)
    }
    pub fn quasihavoc_all(
        &mut self,
        st: &mut State,
        vars: &[LocalId],
        condition: Option<ExprId>,
        location: &Location,
        location_id: SyntaxId,
        id: SyntaxId,
    ) -> Step<()> {
        self.unsupported(st, id, MISSING)
    }
    /// A heap-dependent trigger.
    pub fn quantified_mark(&mut self, st: &mut State, resource: Resource, args: &[TermId], cx: &Cx) -> Step<TermId> {
        Err(crate::state::Stop::Undefined)
    }
}
