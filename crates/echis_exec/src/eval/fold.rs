//! Predicates: fold, unfold, unfolding.

use crate::eval::Evaluator;
use crate::eval::produce::Giving;
use crate::heap::remove::Removed;
use crate::heap::single::{Amount, Demand};
use crate::state::{Amounts, Body, Chunk, Cx, Location, Mode, Pairs, Purpose, Resource, State, Step, Store};
use echis_base::SyntaxId;
use echis_program::program::{ExprId, ExprKind, PredicateAccess, PredicateId};
use echis_proof::{Because, ErrorKind, Reason, Rule};
use echis_term::{Made, TermId};
use std::rc::Rc;

impl Evaluator<'_> {
    fn eval_access(&mut self, st: &mut State, access: &PredicateAccess, cx: &Cx) -> Step<(Vec<TermId>, Amount)> {
        let cx = &cx.within(cx.mode.unevaluated());
        let args = self.eval_all(st, &access.args, cx)?;
        let wildcard = matches!(self.context.program.kind(access.amount), ExprKind::Wildcard);
        let id = self.context.syntax(access.amount);
        // In functions any positive amount suffices. Write permission needs no zero case in the snapshot, so it can
        // be matched.
        let amount = match wildcard && !self.context.amounts_matter() {
            true => self.memory.writer.terms().write(),
            false => self.eval(st, access.amount, cx)?,
        };
        let positive = self.memory.writer.terms().positive(amount);
        if !wildcard && !self.memory.writer.tree.terms.is_true(positive) {
            self.memory.prove(st, positive, cx.condition(Reason::PermissionNotPositive, id), cx)?;
        }
        Ok((args, if wildcard { Amount::Wildcard(amount) } else { Amount::Exact(amount) }))
    }
    fn formals(&self, predicate: PredicateId, args: &[TermId]) -> Rc<Store> {
        Rc::new(Store::of(&self.context.program.predicates[predicate].params, args))
    }

    pub fn exec_fold(&mut self, mut st: State, access: &PredicateAccess, id: SyntaxId, mode: Mode) -> Step<Vec<State>> {
        let cx = Cx { purpose: Purpose::Fold(id), ..mode.cx(ErrorKind::Fold, id) };
        let Some(body) = self.context.program.predicates[access.predicate].body else {
            return self.memory.writer.unsupported(&st, id, "an abstract predicate cannot be folded", mode);
        };
        let (args, amount) = self.eval_access(&mut st, access, &cx)?;
        let caller = st.enter(self.formals(access.predicate, &args));
        let scale = (!self.memory.writer.tree.terms.is_one(amount.term())).then_some(amount);
        let outside = std::mem::replace(&mut st.body, body_of(scale.map(Amount::term)));
        let ends = self.consume_clauses(st, &[body], scale, |_, _| cx)?;
        let mut states = Vec::new();
        for mut end in ends {
            end.st.variables = caller.clone();
            end.st.body = outside;
            let trigger = self.memory.writer.predicate_trigger(access.predicate, end.snapshot, &args);
            let st = &mut end.st;
            self.memory.writer.assume_rule(st, trigger, Rule::Mark, &cx)?;
            let resource = Resource::Predicate(access.predicate);
            let grant = self.memory.grant(st, resource, Because::Checked, &end.premises, &cx);
            let folded = Chunk::at(Location::new(resource, &args), amount.term(), end.snapshot, grant);
            match self.memory.add_chunk(st, folded, &cx) {
                Ok(()) => states.push(end.st),
                Err(crate::state::Stop::Infeasible) => {}
                Err(stop) => return Err(stop),
            }
        }
        Ok(states)
    }

    pub fn exec_unfold(
        &mut self,
        mut st: State,
        access: &PredicateAccess,
        id: SyntaxId,
        mode: Mode,
    ) -> Step<Vec<State>> {
        let cx = mode.cx(ErrorKind::Unfold, id);
        let Some(body) = self.context.program.predicates[access.predicate].body else {
            return self.memory.writer.unsupported(&st, id, "an abstract predicate cannot be unfolded", mode);
        };
        let (args, amount) = self.eval_access(&mut st, access, &cx)?;
        let caller = st.variables.clone();
        let ends = self.open(st, access, body, &args, amount, &cx)?;
        Ok(ends.into_iter().map(|end| State { variables: caller.clone(), ..end }).collect())
    }
    /// Replaces a predicate instance by its body. The resulting states have the predicate's parameters as their
    /// store.
    fn open(
        &mut self,
        mut st: State,
        access: &PredicateAccess,
        body: ExprId,
        args: &[TermId],
        amount: Amount,
        cx: &Cx,
    ) -> Step<Vec<State>> {
        let mark = self.memory.writer.mark();
        let resource = Resource::Predicate(access.predicate);
        let obligation = cx.permission(access.id);
        let demand = Demand { location: Location::new(resource, args), amount, obligation };
        let Removed { snapshot, .. } = self.memory.remove(&mut st, &demand, cx)?;
        let premises = self.memory.writer.since(mark);
        let trigger = self.memory.writer.predicate_trigger(access.predicate, snapshot, args);
        self.memory.writer.assume_rule(&mut st, trigger, Rule::Mark, cx)?;
        if matches!(self.context.member, echis_program::reach::Member::Function(_)) {
            let mut known = vec![snapshot];
            known.extend(args);
            self.unfolded.push((access.predicate, known));
        }
        st.enter(self.formals(access.predicate, args));
        let scale = Some(amount.term()).filter(|amount| !self.memory.writer.tree.terms.is_one(*amount));
        let outside = std::mem::replace(&mut st.body, body_of(scale));
        // An `unfolding` only observes the contents of the instance.
        let because = if st.opened.is_empty() { Because::Checked } else { Because::Rule(Rule::Kept) };
        let giving = Giving { scale, because, ..Giving::checked(premises) };
        let clause = cx.clause(self.context.syntax(body));
        let clause = Cx { site: Some(cx.site.unwrap_or(cx.at)), mode: cx.mode.held(), ..clause };
        let mut ends = self.produce_from(st, &[body], snapshot, &giving, |_, _| clause)?;
        for end in &mut ends {
            end.body = outside;
            self.assume_nesting(end, access.predicate, args, snapshot, body, cx);
        }
        Ok(ends)
    }

    pub fn eval_unfolding(
        &mut self,
        st: &mut State,
        access: &PredicateAccess,
        body: ExprId,
        expr: ExprId,
        cx: &Cx,
    ) -> Step<TermId> {
        let id = self.context.syntax(expr);
        let Some(predicate_body) = self.context.program.predicates[access.predicate].body else {
            return self.memory.writer.unsupported(st, id, "an abstract predicate cannot be unfolded", cx.mode);
        };
        let (args, mut amount) = self.eval_access(st, access, cx)?;
        // A fraction of a predicate holds fractions of its body; that the amounts suffice in the whole was checked
        // there.
        let any = cx.mode.amounts == Amounts::Any || st.body == Body::Part;
        if any && self.context.amounts_matter() {
            amount = Amount::Wildcard(self.memory.writer.wildcard(st, cx)?);
        }
        if st.opened.iter().skip(1).any(|opened| *opened == access.predicate) {
            // A body that unfolds its own predicate is evaluated two levels deep; below that, the value is unknown.
            let program = self.context.program;
            let sort = self.memory.writer.sort_of_type(program.ty(body));
            return Ok(self.memory.writer.fresh(st, Made::RecursiveUnfolding, sort));
        }
        let mut scratch = st.aside();
        Rc::make_mut(&mut scratch.opened).push(access.predicate);
        let recursive = self.calls_own_cycle(body);
        let known = self.unfolded.len();
        let ends = self.open(scratch, access, predicate_body, &args, amount, cx)?;
        if !recursive {
            self.unfolded.truncate(known);
        }
        let mut values = Vec::new();
        for mut end in ends {
            end.variables = st.variables.clone();
            end.opened = st.opened.clone();
            if cx.mode.pairs == Pairs::Everywhere {
                self.memory.consolidate(&mut end, cx)?;
            }
            match self.eval(&mut end, body, cx) {
                Ok(value) => values.push((end, value)),
                Err(crate::state::Stop::Infeasible) => {}
                Err(stop) => return Err(stop),
            }
        }
        self.memory.join(st, values)
    }
    /// Whether an expression applies a function of the component being verified.
    fn calls_own_cycle(&self, expr: ExprId) -> bool {
        let mut calls = false;
        self.context.program.visit_with_triggers(expr, |_, kind| {
            calls |= matches!(kind, ExprKind::FunctionApp { function, .. } if self.is_own_cycle(*function))
        });
        calls
    }
}

fn body_of(scale: Option<TermId>) -> Body {
    if scale.is_some() { Body::Part } else { Body::Whole }
}
