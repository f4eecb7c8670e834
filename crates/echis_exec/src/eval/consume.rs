//! Consume: proving and removing what an assertion demands, and collecting the snapshot of what was removed.
//! Expressions are evaluated in the heap at the start; permissions are removed from a running copy.

use crate::eval::Evaluator;
use crate::eval::produce::is_split;
use crate::heap::Layer;
use crate::heap::remove::Removed;
use crate::heap::single::{Amount, Demand};
use crate::state::{Cases, Cx, Heap, Mode, Pairs, Side, State, Step, Stop};
use crate::tree::Mark;
use echis_program::program::{BinaryOp, ExprId, ExprKind};
use echis_proof::{Because, Bound, Part, Premise, Question, Rule};
use echis_term::TermId;

/// A work item of a consume.
#[derive(Clone, Copy)]
enum Work {
    /// Starts the next clause.
    Clause,
    Assertion {
        expr: ExprId,
        cx: Cx,
        top: bool,
    },
    /// The removal for an [`ExprKind::Acc`] whose amount has been evaluated.
    Removal {
        expr: ExprId,
        amount: Amount,
        cx: Cx,
    },
    /// Combines the two latest snapshots into one.
    Combine,
    Unit,
}

/// A state after consuming, with the snapshot of what was removed and the checks it took.
pub(crate) struct Consumed {
    pub st: State,
    /// The heap before the removal, including what a package took from the surrounding heaps for it.
    pub whole: Heap,
    pub snapshot: TermId,
    pub premises: Vec<Premise>,
}

struct Progress {
    st: State,
    cases: Cases,
    /// The factor for all amounts.
    scale: Option<Amount>,
    work: Vec<Work>,
    snapshots: Vec<TermId>,
    premises: Vec<Premise>,
}

/// A case distinction over the remaining work.
struct Fork {
    guard: TermId,
    condition: ExprId,
    then: Work,
    otherwise: Work,
}

impl Evaluator<'_> {
    /// Consumes clauses, each reported under its own context.
    pub fn consume_clauses(
        &mut self,
        mut st: State,
        clauses: &[ExprId],
        scale: Option<Amount>,
        cx: impl Fn(&Self, ExprId) -> Cx,
    ) -> Step<Vec<Consumed>> {
        let mut work = Vec::new();
        for (index, &expr) in clauses.iter().enumerate() {
            work.push(Work::Clause);
            work.push(Work::Assertion { expr, cx: cx(self, expr), top: true });
            if index + 1 == clauses.len() {
                work.extend(std::iter::repeat_n(Work::Combine, index));
            }
        }
        if clauses.is_empty() {
            work.push(Work::Unit);
        }
        work.reverse();
        let (outer, unmet) = (st.begin_consuming(), st.unmet.clone());
        let mut ends = Vec::new();
        let cases = self.cases(clauses);
        let progress = Progress { st, cases, scale, work, snapshots: Vec::new(), premises: Vec::new() };
        self.consume(progress, &mut ends)?;
        for end in &mut ends {
            end.whole = end.st.end_consuming(outer.clone());
            end.st.unmet.end_clause(&unmet);
        }
        Ok(ends)
    }
    fn consume(&mut self, mut progress: Progress, ends: &mut Vec<Consumed>) -> Step<()> {
        while let Some(work) = progress.work.pop() {
            match self.consume_work(progress, work, ends) {
                Ok(Some(next)) => progress = next,
                Ok(None) | Err(Stop::Infeasible) => return Ok(()),
                Err(stop) => return Err(stop),
            }
        }
        let snapshot = progress.snapshots.pop().expect("every clause leaves a snapshot");
        ends.push(Consumed { st: progress.st, whole: Heap::default(), snapshot, premises: progress.premises });
        Ok(())
    }
    fn consume_work(&mut self, mut progress: Progress, work: Work, ends: &mut Vec<Consumed>) -> Step<Option<Progress>> {
        match work {
            Work::Clause => {
                progress.st.unmet.begin_clause();
                Ok(Some(progress))
            }
            Work::Assertion { expr, cx, top } => self.consume_assertion(progress, expr, cx, top, ends),
            Work::Removal { expr, amount, cx } => {
                let ExprKind::Acc { location, location_id, .. } = self.context.program.kind(expr) else {
                    unreachable!("only accesses are removed")
                };
                let mark = self.memory.writer.mark();
                let location = self.eval_location(&mut progress.st, location, &cx)?;
                let obligation = cx.permission(*location_id);
                self.consume_access(&mut progress, &Demand { location, amount, obligation }, mark, &cx)?;
                Ok(Some(progress))
            }
            Work::Unit => {
                let unit = self.memory.writer.terms().unit();
                progress.snapshots.push(unit);
                Ok(Some(progress))
            }
            Work::Combine => {
                let second = progress.snapshots.pop().expect("a combination has two parts");
                let first = progress.snapshots.pop().expect("a combination has two parts");
                let pair = self.memory.writer.terms().combine(first, second);
                progress.snapshots.push(pair);
                Ok(Some(progress))
            }
        }
    }
    fn consume_assertion(
        &mut self,
        mut progress: Progress,
        expr: ExprId,
        mut cx: Cx,
        top: bool,
        ends: &mut Vec<Consumed>,
    ) -> Step<Option<Progress>> {
        let program = self.context.program;
        let scale = progress.scale;
        let id = self.context.syntax(expr);
        cx.side = Side::Checked;
        if top && !matches!(program.kind(expr), ExprKind::Binary(BinaryOp::And, ..)) {
            cx = cx.clause(id);
        }
        let mark = self.memory.writer.mark();
        if self.context.is_pure(expr) && !is_split(program.kind(expr)) {
            let check = self.consume_pure(&mut progress.st, expr, &cx)?;
            progress.premises.push(check);
            let unit = self.memory.writer.terms().unit();
            progress.snapshots.push(unit);
            return Ok(Some(progress));
        }
        let divides = matches!(program.kind(expr), ExprKind::Binary(BinaryOp::Implies, ..) | ExprKind::Conditional(..));
        let closed = !scale.is_some_and(Amount::is_open);
        if divides && closed && progress.cases == Cases::Terms && self.can_be_guarded(expr) {
            let Progress { st, premises, .. } = &mut progress;
            let snapshot = self.consume_guarded(st, expr, scale, premises, &cx)?;
            progress.snapshots.push(snapshot);
            return Ok(Some(progress));
        }
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                if !self.context.is_pure(expr) {
                    progress.work.push(Work::Combine);
                    progress.work.push(Work::Assertion { expr: *right, cx, top });
                    progress.work.push(Work::Assertion { expr: *left, cx, top });
                } else {
                    // A pure conjunction leaves a single `unit`, whatever its parts leave.
                    progress.work.push(Work::Assertion { expr: *right, cx, top });
                    let rest = progress.work.len();
                    progress.work.push(Work::Assertion { expr: *left, cx, top });
                    return self.consume_pure_left(progress, rest, ends);
                }
                Ok(Some(progress))
            }
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                let guard = self.eval(&mut progress.st, *condition, &cx)?;
                self.attach(&mut progress, mark, &cx);
                let body = Work::Assertion { expr: *body, cx, top: false };
                let fork = Fork { guard, condition: *condition, then: body, otherwise: Work::Unit };
                self.consume_fork(progress, fork, cx, ends)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let guard = self.eval(&mut progress.st, *condition, &cx)?;
                self.attach(&mut progress, mark, &cx);
                let then = Work::Assertion { expr: *then, cx, top: false };
                let otherwise = Work::Assertion { expr: *otherwise, cx, top: false };
                let fork = Fork { guard, condition: *condition, then, otherwise };
                self.consume_fork(progress, fork, cx, ends)
            }
            ExprKind::Let { var, value, body } => {
                let value = self.eval_let(&mut progress.st, *value, &cx)?;
                progress.st.set(*var, value);
                progress.work.push(Work::Assertion { expr: *body, cx, top: false });
                Ok(Some(progress))
            }
            ExprKind::InhaleExhale(_, checked) => {
                self.check_inhale_exhale(&progress.st, expr, &cx)?;
                progress.work.push(Work::Assertion { expr: *checked, cx, top });
                Ok(Some(progress))
            }
            ExprKind::Acc { location, location_id, amount: written } => {
                let st = &mut progress.st;
                let location = self.eval_location(st, location, &cx)?;
                let amount = self.eval_amount(st, *written, &cx)?;
                let positive = self.memory.writer.terms().positive(amount);
                let amount = self.scaled(st, amount, scale.map(Amount::term), &cx)?;
                let amount = match program.kind(*written) {
                    ExprKind::Wildcard => Amount::Wildcard(amount),
                    _ if scale.is_some_and(Amount::is_open) => {
                        self.attach(&mut progress, mark, &cx);
                        // Any fraction of nothing is nothing.
                        let some = Work::Removal { expr, amount: Amount::Wildcard(amount), cx };
                        let fork = Fork { guard: positive, condition: *written, then: some, otherwise: Work::Unit };
                        return self.consume_fork(progress, fork, cx, ends);
                    }
                    _ => Amount::Exact(amount),
                };
                let obligation = cx.permission(*location_id);
                self.consume_access(&mut progress, &Demand { location, amount, obligation }, mark, &cx)?;
                Ok(Some(progress))
            }
            ExprKind::ForallAcc { .. } => {
                let snapshot = self.consume_quantified(&mut progress.st, expr, scale, &cx)?;
                progress.snapshots.push(snapshot);
                self.attach(&mut progress, mark, &cx);
                Ok(Some(progress))
            }
            ExprKind::Wand { .. } => {
                let snapshot = self.consume_wand(&mut progress.st, expr, &cx)?;
                progress.snapshots.push(snapshot);
                self.attach(&mut progress, mark, &cx);
                Ok(Some(progress))
            }
            _ => self.memory.writer.unsupported(&progress.st, id, "this assertion cannot be checked", cx.mode),
        }
    }
    fn consume_access(&mut self, progress: &mut Progress, demand: &Demand, mark: Mark, cx: &Cx) -> Step<()> {
        let Removed { snapshot, .. } = self.memory.remove(&mut progress.st, demand, cx)?;
        progress.snapshots.push(snapshot);
        self.attach(progress, mark, cx);
        Ok(())
    }
    /// Adds the premises since the mark to those of the consumption.
    fn attach(&mut self, progress: &mut Progress, mark: Mark, cx: &Cx) {
        progress.premises.extend(self.memory.writer.used_since(progress.st.at, mark, cx));
    }
    /// Consumes the left part of a pure conjunction, dropping its snapshot.
    fn consume_pure_left(
        &mut self,
        mut progress: Progress,
        rest: usize,
        ends: &mut Vec<Consumed>,
    ) -> Step<Option<Progress>> {
        while progress.work.len() > rest {
            let work = progress.work.pop().expect("there is work above the mark");
            match self.consume_work(progress, work, ends)? {
                Some(next) => progress = next,
                None => return Ok(None),
            }
        }
        progress.snapshots.pop();
        Ok(Some(progress))
    }
    fn consume_fork(
        &mut self,
        progress: Progress,
        fork: Fork,
        cx: Cx,
        ends: &mut Vec<Consumed>,
    ) -> Step<Option<Progress>> {
        let source = self.context.syntax(fork.condition);
        let Progress { st, cases, scale, mut work, snapshots, premises } = progress;
        let (then, other) = self.memory.fork(st, fork.guard, source, &cx);
        if let Some(st) = then {
            let mut work = work.clone();
            work.push(fork.then);
            let progress =
                Progress { st, cases, scale, work, snapshots: snapshots.clone(), premises: premises.clone() };
            if other.is_none() {
                return Ok(Some(progress));
            }
            self.grow(|executor| executor.consume(progress, ends))?;
        }
        let Some(st) = other else { return Ok(None) };
        work.push(fork.otherwise);
        Ok(Some(Progress { st, cases, scale, work, snapshots, premises }))
    }
    /// Proves a pure assertion and assumes it.
    pub fn consume_pure(&mut self, st: &mut State, expr: ExprId, cx: &Cx) -> Step<Premise> {
        let mark = self.memory.writer.mark();
        let id = self.context.syntax(expr);
        st.learned = Default::default();
        let mut goal = self.eval(st, expr, cx)?;
        if self.opens_predicates(expr) && !self.holds(st, goal, cx)? {
            let thorough = Mode { pairs: Pairs::Everywhere, ..cx.mode };
            goal = self.eval(st, expr, &cx.within(thorough))?;
        }
        let asked = self.memory.premised(st, goal);
        let check = self.memory.prove(st, asked, cx.assertion(id), cx)?;
        self.memory.writer.release(mark);
        let premise = Premise::Check(check);
        if !self.memory.writer.is_vacuous(check) && !self.memory.writer.is_unmet(check) {
            self.memory.writer.assume(st, goal, Because::Rule(Rule::Lemma), &[premise], cx.origin(Part::Value))?;
        }
        Ok(premise)
    }
    fn opens_predicates(&self, expr: ExprId) -> bool {
        let mut opens = false;
        self.memory
            .writer
            .context
            .program
            .visit_with_triggers(expr, |_, kind| opens |= matches!(kind, ExprKind::Unfolding { .. }));
        opens
    }
    /// Whether a goal can be proved here, stating facts about pairs of chunks if needed. Reports nothing.
    fn holds(&mut self, st: &mut State, goal: TermId, cx: &Cx) -> Step<bool> {
        Ok(self.memory.writer.probe(st, goal, Question::Other, Bound::Patient, cx)
            || self.memory.consolidate(st, cx)?
                && self.memory.writer.probe(st, goal, Question::Other, Bound::Patient, cx))
    }
    /// Checks an assertion in a copy of the state. The heap is unchanged; learned facts are kept.
    pub fn assert_copy(&mut self, st: &mut State, assertion: ExprId, cx: &Cx) -> Step<()> {
        let before = st.at;
        let ends = self.consume_clauses(st.aside(), &[assertion], None, |_, _| *cx)?;
        if ends.is_empty() {
            return Err(Stop::Infeasible);
        }
        for end in &ends {
            self.memory.lift(st, before, end.st.at, &[], &[])?;
        }
        Ok(())
    }
}
