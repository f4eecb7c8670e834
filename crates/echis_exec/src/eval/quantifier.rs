//! Pure quantifiers. The body is evaluated for an arbitrary value of the bound variables; facts learned there hold
//! for all values.

use crate::eval::Evaluator;
use crate::heap::Layer;
use crate::state::{self, Cx, Resource, State, Step, Stop};
use crate::tree::recover::Saved;
use echis_base::{Diagnostic, Key};
use echis_program::program::{BinaryOp, ExprId, ExprKind, LocalId, Location, Quantifier};
use echis_proof::{NodeId, Part, Step as TreeStep};
use echis_term::{Quant, QuantifierRole, SymbolId, TermId, TermKind};

impl Evaluator<'_> {
    /// Brings variables into scope for `f` and lifts the facts learned inside, for all values of the variables. `f`
    /// returns its result and the triggers for the lifted facts.
    pub fn bind<T>(
        &mut self,
        st: &mut State,
        vars: &[LocalId],
        f: impl FnOnce(&mut Self, &mut State, &[SymbolId]) -> Step<(T, Vec<Vec<TermId>>)>,
    ) -> Step<(T, Vec<SymbolId>)> {
        let saved = (st.variables.clone(), st.scope.clone(), st.at, st.learned.clone());
        let heaps = Saved::of(st);
        let mut symbols = Vec::new();
        for var in vars {
            let symbol = self.memory.writer.bound_symbol(st, *var);
            st.scope.enter(symbol);
            let term = self.memory.writer.terms().constant(symbol);
            st.set(*var, term);
            symbols.push(symbol);
        }
        let explores = std::mem::replace(&mut st.explores, false);
        let result = f(self, st, &symbols);
        st.explores = explores;
        let after = st.at;
        (st.variables, st.scope, st.at, st.learned) = saved;
        self.memory.writer.unbind_recovered(st, heaps, &symbols);
        let (value, triggers) = result?;
        let before = st.at;
        self.memory.lift(st, before, after, &symbols, &triggers)?;
        Ok((value, symbols))
    }

    pub fn eval_quantified(&mut self, st: &mut State, expr: ExprId, cx: &Cx) -> Step<TermId> {
        let program = self.context.program;
        let ExprKind::Quantified { quantifier, vars, triggers, given, body } = program.kind(expr) else {
            unreachable!("only quantified expressions come here")
        };
        let (quantifier, given, body) = (*quantifier, *given, *body);
        let id = self.context.syntax(expr);
        let ((body, triggers, known), symbols) = self.bind(st, vars, |executor, st, symbols| {
            let before = st.at;
            let mut scratch = st.clone();
            // Triggers are evaluated where the body's antecedent holds; there they are defined if the body is.
            if let ExprKind::Binary(BinaryOp::Implies, left, _) = executor.context.program.kind(body)
                && !triggers.is_empty()
                && let Some(guard) = executor.silently(st, cx, |executor, st, cx| executor.eval(st, *left, cx))
            {
                let origin = cx.origin(Part::Guard);
                scratch.at = executor.memory.writer.tree.split(scratch.at, guard, false, origin);
            }
            let body = executor.eval(st, body, cx)?;
            for trigger in triggers.iter().flatten() {
                executor.memory.prepare_trigger(st, *trigger, cx)?;
            }
            let triggers = executor.eval_triggers(&scratch, triggers, symbols, given, cx);
            let known = executor.known_without_trigger(before, st.at, symbols, &triggers);
            Ok(((body, triggers.clone(), known), triggers))
        })?;
        let weight = self
            .memory
            .writer
            .context
            .program
            .syntax
            .annotation(id, "weight")
            .and_then(|args| args.first()?.parse().ok());
        let quant = Quant {
            quantifier: match quantifier {
                Quantifier::Forall => echis_term::Quantifier::Forall,
                Quantifier::Exists => echis_term::Quantifier::Exists,
            },
            vars: symbols.into(),
            triggers: triggers.into_iter().map(Vec::into_boxed_slice).collect(),
            body,
            weight,
            role: QuantifierRole::Written(self.quantifier_name(id).into()),
        };
        let quant = self.memory.writer.terms().quant(quant);
        if quantifier == Quantifier::Forall {
            self.memory.learn(st, quant, known);
        }
        Ok(quant)
    }
    /// Facts about applications, learned between two nodes, that are lifted out of the quantifier without a trigger:
    /// the application does not mention the variables, but its guard does.
    fn known_without_trigger(
        &mut self,
        before: NodeId,
        after: NodeId,
        vars: &[SymbolId],
        triggers: &[Vec<TermId>],
    ) -> TermId {
        let mut known = Vec::new();
        let mut guards = Vec::new();
        for node in self.memory.writer.tree.path_since(before, after) {
            match self.memory.writer.tree.nodes[node].step {
                TreeStep::Split { guard, .. } => guards.push(guard),
                TreeStep::Assume { fact, .. } if self.memory.writer.is_application(fact) => {
                    let guard = self.memory.writer.terms().and(guards.clone());
                    let fact = self.memory.writer.terms().implies(guard, fact);
                    let closed = self.memory.close(fact, vars, triggers, QuantifierRole::Lifted);
                    if matches!(self.memory.writer.tree.terms.kind(closed), TermKind::Quant(quant) if quant.triggers.is_empty())
                    {
                        known.push(fact);
                    }
                }
                _ => {}
            }
        }
        self.memory.writer.terms().and(known)
    }
    pub fn quantifier_name(&self, id: echis_base::SyntaxId) -> String {
        let span = self.context.program.syntax.span(id);
        format!("quant-{}-{}-{}", span.file.index(), span.start, span.end)
    }

    /// Evaluates trigger sets and returns the usable ones. A trigger that is undefined in this state is dropped, with
    /// a warning if the user wrote it.
    pub fn eval_triggers(
        &mut self,
        st: &State,
        triggers: &[Vec<ExprId>],
        symbols: &[SymbolId],
        given: bool,
        cx: &Cx,
    ) -> Vec<Vec<TermId>> {
        let mut usable = Vec::new();
        for set in triggers {
            let terms = self.silently(st, cx, |executor, st, cx| {
                set.iter().map(|trigger| executor.eval_trigger(st, *trigger, cx)).collect::<Step<Vec<_>>>()
            });
            let valid = terms.as_ref().is_some_and(|terms| self.memory.writer.is_pattern_set(terms, symbols));
            match terms {
                Some(terms) if valid => usable.push(terms),
                _ if given => self.warn_trigger(set),
                _ => {}
            }
        }
        usable
    }
    fn eval_trigger(&mut self, st: &mut State, trigger: ExprId, cx: &Cx) -> Step<TermId> {
        let program = self.context.program;
        match program.kind(trigger) {
            ExprKind::Field { receiver, field } if self.memory.writer.is_quantified(Resource::Field(*field)) => {
                let receiver = self.eval(st, *receiver, cx)?;
                let location = state::Location::new(Resource::Field(*field), &[receiver]);
                return self.memory.quantified_mark(st, &location, cx);
            }
            ExprKind::Old { state, body } => {
                let Some(heap) = st.old.get(state).cloned() else { return Err(Stop::Undefined) };
                return st.with_heap(heap, |st| self.eval_trigger(st, *body, cx));
            }
            _ => {}
        }
        let term = self.eval(st, trigger, cx)?;
        Ok(self.memory.writer.limit(term))
    }
    fn warn_trigger(&mut self, set: &[ExprId]) {
        let Some(first) = set.first() else { return };
        let span = self.context.program.syntax.span(self.context.syntax(*first));
        let warning = Diagnostic::warning(
            "verifier.warning",
            span,
            "This trigger cannot be used in the state in which the quantifier is evaluated; it is ignored.",
        );
        self.memory.writer.warn_once(warning);
    }
    /// `P(x)` or `x.f` as a trigger: a mark on the resource's values.
    pub fn eval_trigger_location(&mut self, st: &mut State, location: &Location, cx: &Cx) -> Step<TermId> {
        let location = self.eval_location(st, location, cx)?;
        self.memory.quantified_mark(st, &location, cx)
    }
}
