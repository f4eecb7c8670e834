//! Magic wands.

use crate::executor::Executor;
use crate::produce::Giving;
use crate::state::{Cx, Resource, State, Step};
use echis_base::SyntaxId;
use echis_program::program::{Block, ExprId};
use echis_term::TermId;

/// The shapes of wands met in this member.
#[derive(Default)]
pub(crate) struct Shapes {}

impl Shapes {
    pub fn is_quantified(&self, _shape: u32) -> bool {
        false
    }
}

const MISSING: &str = "magic wands are not supported yet";

#[allow(unused_variables)]
impl Executor<'_> {
    pub fn eval_wand_holes(&mut self, st: &mut State, wand: ExprId, cx: &Cx) -> Step<(Resource, Vec<TermId>)> {
        self.unsupported(st, cx.at, MISSING)
    }
    pub fn wand_pattern(&mut self, st: &mut State, wand: ExprId) -> Step<(Resource, Vec<ExprId>)> {
        let id = self.syntax(wand);
        self.unsupported(st, id, MISSING)
    }
    pub fn produce_wand(
        &mut self,
        st: &mut State,
        expr: ExprId,
        snapshot: TermId,
        giving: &Giving,
        cx: &Cx,
    ) -> Step<()> {
        self.unsupported(st, cx.at, MISSING)
    }
    pub fn consume_wand(&mut self, st: &mut State, expr: ExprId, cx: &Cx) -> Step<TermId> {
        self.unsupported(st, cx.at, MISSING)
    }
    pub fn exec_package(&mut self, st: State, wand: ExprId, script: &Block, id: SyntaxId) -> Step<Vec<State>> {
        self.unsupported(&st, id, MISSING)
    }
    pub fn exec_apply(&mut self, st: State, wand: ExprId, id: SyntaxId) -> Step<Vec<State>> {
        self.unsupported(&st, id, MISSING)
    }
    pub fn eval_applying(&mut self, st: &mut State, wand: ExprId, body: ExprId, cx: &Cx) -> Step<TermId> {
        self.unsupported(st, cx.at, MISSING)
    }
}
