//! Produce: adding what an assertion grants. Well-definedness is checked along the way, from left to right, in the
//! state produced so far.

use crate::eval::Evaluator;
use crate::heap::Layer;
use crate::state::{Body, Cases, Chunk, Cx, Side, State, Step, Stop};
use crate::tree::Mark;
use echis_program::MisplacedIn;
use echis_program::program::{BinaryOp, ExprId, ExprKind};
use echis_proof::{Because, Part, Premise, Rule};
use echis_term::{Made, SortId, TermId};

/// One assertion to produce from a snapshot.
#[derive(Clone, Copy)]
pub(crate) struct Item {
    pub expr: ExprId,
    pub snapshot: TermId,
    pub cx: Cx,
    /// Whether this is at the clause's top level, where conjuncts count as separate clauses.
    pub top: bool,
    pub cases: Cases,
}

/// Why the produced facts may be assumed, and how amounts are scaled.
#[derive(Clone)]
pub(crate) struct Giving {
    pub because: Because,
    pub premises: Vec<Premise>,
    /// The fraction of an unfold in progress.
    pub scale: Option<TermId>,
}

impl Giving {
    pub fn written() -> Self {
        Giving { because: Because::Written, premises: Vec::new(), scale: None }
    }
    pub fn checked(premises: Vec<Premise>) -> Self {
        Giving { because: Because::Checked, premises, scale: None }
    }
    /// Adds premises.
    pub fn resting_on(&self, premises: impl IntoIterator<Item = Premise>) -> Self {
        let mut giving = self.clone();
        giving.premises.extend(premises);
        giving
    }
}

impl Evaluator<'_> {
    /// Produces clauses from a fresh snapshot, each reported at its own location.
    pub fn produce_clauses(
        &mut self,
        st: State,
        clauses: &[ExprId],
        giving: &Giving,
        cx: impl Fn(&Self, ExprId) -> Cx,
    ) -> Step<Vec<State>> {
        let snap = self.memory.writer.terms().snap_sort();
        let snapshot = self.memory.writer.fresh(&st, Made::Snapshot, snap);
        self.produce_from(st, clauses, snapshot, giving, cx)
    }
    /// Produces clauses from a snapshot that is the right-nested combination of theirs.
    pub fn produce_from(
        &mut self,
        mut st: State,
        clauses: &[ExprId],
        snapshot: TermId,
        giving: &Giving,
        cx: impl Fn(&Self, ExprId) -> Cx,
    ) -> Step<Vec<State>> {
        let mut items = Vec::new();
        let mut snapshot = snapshot;
        let cases = self.cases(clauses);
        for (index, &expr) in clauses.iter().enumerate() {
            let cx = cx(self, expr);
            let part = if index + 1 < clauses.len() {
                let (first, second) = match self.split_snapshot(&mut st, snapshot, &cx) {
                    Ok(parts) => parts,
                    Err(Stop::Infeasible) => return Ok(Vec::new()),
                    Err(stop) => return Err(stop),
                };
                snapshot = second;
                first
            } else {
                snapshot
            };
            items.push(Item { expr, snapshot: part, cx, top: true, cases });
        }
        items.reverse();
        let mut ends = Vec::new();
        self.produce(st, items, giving, &mut ends)?;
        Ok(ends)
    }
    fn split_snapshot(&mut self, st: &mut State, snapshot: TermId, cx: &Cx) -> Step<(TermId, TermId)> {
        let first = self.memory.writer.terms().first(snapshot);
        let second = self.memory.writer.terms().second(snapshot);
        let pair = self.memory.writer.terms().combine(first, second);
        let shape = self.memory.writer.terms().eq(snapshot, pair);
        self.memory.writer.assume_rule(st, shape, Rule::Snapshot, cx)?;
        Ok((first, second))
    }

    /// Produces the items, last one first, and pushes every end state. Forks run to their ends one after the other.
    pub fn produce(&mut self, mut st: State, mut items: Vec<Item>, giving: &Giving, ends: &mut Vec<State>) -> Step<()> {
        while let Some(item) = items.pop() {
            match self.produce_item(st, item, &mut items, giving, ends) {
                Ok(Some(next)) => st = next,
                Ok(None) | Err(Stop::Infeasible) => return Ok(()),
                Err(stop) => return Err(stop),
            }
        }
        ends.push(st);
        Ok(())
    }
    /// Produces one item. Returns `None` if the paths were forked and have run to their ends.
    fn produce_item(
        &mut self,
        mut st: State,
        item: Item,
        items: &mut Vec<Item>,
        giving: &Giving,
        ends: &mut Vec<State>,
    ) -> Step<Option<State>> {
        let program = self.context.program;
        let Item { expr, snapshot, mut cx, top, cases } = item;
        cx.side = if self.termination.assumes_exhaled() { Side::Checked } else { Side::Assumed };
        if top && !matches!(program.kind(expr), ExprKind::Binary(BinaryOp::And, ..)) {
            cx = cx.clause(self.context.syntax(expr));
        }
        if self.context.is_pure(expr) && !is_split(program.kind(expr)) {
            self.produce_pure(&mut st, expr, snapshot, giving, &cx)?;
            return Ok(Some(st));
        }
        let divides = matches!(program.kind(expr), ExprKind::Binary(BinaryOp::Implies, ..) | ExprKind::Conditional(..));
        if divides && cases == Cases::Terms && self.can_be_guarded(expr) {
            self.produce_guarded(&mut st, Item { cx, ..item }, giving)?;
            return Ok(Some(st));
        }
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                let (first, second) = if self.context.is_pure(expr) {
                    let unit = self.memory.writer.terms().unit();
                    (unit, unit)
                } else {
                    self.split_snapshot(&mut st, snapshot, &cx)?
                };
                items.push(Item { expr: *right, snapshot: second, cx, top, cases });
                items.push(Item { expr: *left, snapshot: first, cx, top, cases });
                Ok(Some(st))
            }
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                let mark = self.memory.writer.mark();
                let guard = self.eval(&mut st, *condition, &cx)?;
                self.memory.writer.used_since(st.at, mark, &cx);
                let source = self.context.syntax(*condition);
                let (then, other) = self.memory.fork(st, guard, source, &cx);
                if let Some(then) = then {
                    let mut items = items.clone();
                    items.push(Item { expr: *body, snapshot, cx, top: false, cases });
                    self.grow(|executor| executor.produce(then, items, giving, ends))?;
                }
                let Some(mut other) = other else { return Ok(None) };
                self.assume_unit(&mut other, snapshot, &cx)?;
                Ok(Some(other))
            }
            ExprKind::Conditional(condition, then_expr, else_expr) => {
                let mark = self.memory.writer.mark();
                let guard = self.eval(&mut st, *condition, &cx)?;
                self.memory.writer.used_since(st.at, mark, &cx);
                let source = self.context.syntax(*condition);
                let (then, other) = self.memory.fork(st, guard, source, &cx);
                if let Some(then) = then {
                    let mut items = items.clone();
                    items.push(Item { expr: *then_expr, snapshot, cx, top: false, cases });
                    self.grow(|executor| executor.produce(then, items, giving, ends))?;
                }
                items.push(Item { expr: *else_expr, snapshot, cx, top: false, cases });
                Ok(other)
            }
            ExprKind::Let { var, value, body } => {
                let value = self.eval_let(&mut st, *value, &cx)?;
                st.set(*var, value);
                items.push(Item { expr: *body, snapshot, cx, top: false, cases });
                Ok(Some(st))
            }
            ExprKind::InhaleExhale(assumed, checked) => {
                self.check_inhale_exhale(&st, expr, &cx)?;
                let expr = if cx.side == Side::Checked { *checked } else { *assumed };
                items.push(Item { expr, snapshot, cx, top, cases });
                Ok(Some(st))
            }
            ExprKind::Acc { location, amount, .. } => {
                let mark = self.memory.writer.mark();
                let location = self.eval_location(&mut st, location, &cx)?;
                let amount = self.eval_amount(&mut st, *amount, &cx)?;
                let amount = self.scaled(&mut st, amount, giving.scale, &cx)?;
                let sort = self.memory.writer.value_sort(location.resource);
                let value = self.unwrap_value(&mut st, snapshot, sort, amount, &cx)?;
                let premises = self.premises_with(giving, mark);
                let grant = self.memory.grant(&mut st, location.resource, giving.because.clone(), &premises, &cx);
                self.memory.add_chunk(&mut st, Chunk::at(location, amount, value, grant), &cx)?;
                self.memory.writer.release(mark);
                Ok(Some(st))
            }
            ExprKind::ForallAcc { .. } => {
                let mark = self.memory.writer.mark();
                self.produce_quantified(&mut st, expr, snapshot, giving, &cx)?;
                self.memory.writer.release(mark);
                Ok(Some(st))
            }
            ExprKind::Wand { .. } => {
                let mark = self.memory.writer.mark();
                self.produce_wand(&mut st, expr, snapshot, giving, &cx)?;
                self.memory.writer.release(mark);
                Ok(Some(st))
            }
            _ => {
                let id = self.context.syntax(expr);
                self.memory.writer.unsupported(&st, id, "this assertion cannot be assumed", cx.mode)
            }
        }
    }
    pub fn produce_pure(
        &mut self,
        st: &mut State,
        expr: ExprId,
        snapshot: TermId,
        giving: &Giving,
        cx: &Cx,
    ) -> Step<()> {
        self.assume_unit(st, snapshot, cx)?;
        let mark = self.memory.writer.mark();
        let fact = self.eval(st, expr, cx)?;
        let premises = self.premises_with(giving, mark);
        if self.memory.writer.tree.terms.is_true(fact) {
            // The conjunct is trivially true, but needs what it reads.
            self.memory.writer.note_use(st.at, mark, cx);
        }
        self.memory.writer.release(mark);
        self.memory.writer.assume(st, fact, giving.because.clone(), &premises, cx.origin(Part::Value))
    }
    /// A pure part of an assertion has no snapshot of its own.
    fn assume_unit(&mut self, st: &mut State, snapshot: TermId, cx: &Cx) -> Step<()> {
        let unit = self.memory.writer.terms().unit();
        let shape = self.memory.writer.terms().eq(snapshot, unit);
        self.memory.writer.assume_rule(st, shape, Rule::Snapshot, cx)
    }
    pub fn premises_with(&self, giving: &Giving, mark: Mark) -> Vec<Premise> {
        let mut premises = giving.premises.clone();
        premises.extend(self.memory.writer.since(mark));
        premises.sort();
        premises.dedup();
        premises
    }
    /// The value in a snapshot, which has the shape of a wrapped value where there is permission.
    pub fn unwrap_value(
        &mut self,
        st: &mut State,
        snapshot: TermId,
        sort: SortId,
        amount: TermId,
        cx: &Cx,
    ) -> Step<TermId> {
        let value = self.memory.writer.terms().unwrap(snapshot, sort);
        let wrapped = self.memory.writer.terms().wrap(value);
        let shape = self.memory.writer.terms().eq(snapshot, wrapped);
        let positive = self.memory.writer.terms().positive(amount);
        let fact = self.memory.writer.terms().implies(positive, shape);
        self.memory.writer.assume_rule(st, fact, Rule::Snapshot, cx)?;
        Ok(value)
    }
    /// `amount * scale`. Solvers do not see that a product of unknown amounts is positive if both factors are, so it
    /// is stated.
    pub fn scaled(&mut self, st: &mut State, amount: TermId, scale: Option<TermId>, cx: &Cx) -> Step<TermId> {
        let Some(scale) = scale else { return Ok(amount) };
        let product = self.memory.writer.terms().mul(amount, scale);
        if self.memory.writer.tree.terms.as_perm(amount).is_none()
            && self.memory.writer.tree.terms.as_perm(scale).is_none()
        {
            let first = self.memory.writer.terms().positive(amount);
            let second = self.memory.writer.terms().positive(scale);
            let both = self.memory.writer.terms().and([first, second]);
            let positive = self.memory.writer.terms().positive(product);
            let one = self.memory.writer.terms().write();
            let small = self.memory.writer.terms().le(scale, one);
            let smaller = self.memory.writer.terms().le(product, amount);
            let shrinks = self.memory.writer.terms().implies(small, smaller);
            let law = self.memory.writer.terms().and([positive, shrinks]);
            let fact = self.memory.writer.terms().implies(both, law);
            self.memory.writer.assume_rule(st, fact, Rule::PermissionBound, cx)?;
        }
        Ok(product)
    }
    /// Reports predicates containing `[a, b]`, which cannot be folded or unfolded.
    pub fn check_inhale_exhale(&mut self, st: &State, expr: ExprId, cx: &Cx) -> Step<()> {
        let id = self.context.syntax(expr);
        match st.body {
            Body::Whole | Body::Part => self.memory.writer.unsupported(st, id, MisplacedIn::Predicate.note(), cx.mode),
            Body::Outside => Ok(()),
        }
    }
}

/// Whether a pure form is still split: conjuncts are separate facts, and `[a, b]` has two meanings.
pub(crate) fn is_split(kind: &ExprKind) -> bool {
    matches!(kind, ExprKind::Binary(BinaryOp::And, ..) | ExprKind::InhaleExhale(..))
}
