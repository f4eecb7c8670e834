//! Functions: contract, body, and the definitions that other members use.
//!
//! Everything is evaluated for symbolic arguments and a symbolic snapshot of the precondition. These are bound
//! variables in scope, so every fresh symbol is a function of them, and the resulting terms serve as bodies of the
//! definitions unchanged.
//!
//! # What may be used while a function is verified
//!
//! To show: if all functions are verified and all evaluations of bodies end, then every postcondition is true of the
//! value that the body gives, for all arguments and heaps that satisfy the precondition. Write `Q(f, x)` for the
//! postcondition of `f` at `x` (arguments and heap), and `(f, x) → (g, y)` if evaluating the body of `f` at `x` applies
//! `g` to `y`. `→` is well-founded, since evaluations end.
//!
//! Take the components of the call graph, whose edges come from bodies and contracts, callees first. When `f` is
//! verified, these are available:
//!
//! 1. *Functions of earlier components:* definition and postcondition, at every application whose precondition is known
//!    to hold (`f%pre`). They were verified without anything about `f`. Edges through predicates only refine the order;
//!    the order is total, so nothing is imported in a circle.
//! 2. *Functions of the component of `f`, itself included:* `Q(g, y)` if `(f, x) → (g, y)`, by induction over `→`. That
//!    an application is one of these says `g%called(y)`, which is assumed at the applications in the body of `f` and
//!    nowhere else, and is the guard of these postconditions.
//! 3. *Functions without a body:* their postconditions are trusted, like axioms.
//! 4. *`f` at `x` itself:* in the postcondition `f(x)` is the result. That is what `f(x)` means if its evaluation
//!    ends; it says nothing about `Q(f, x)`, and nothing about `f` at other arguments.
//!
//! An application that is merely mentioned is not smaller, and its postcondition may be the one that is being shown: in
//! the postcondition of `f` or of another function of the component, in a trigger, in `asserting`, in the arguments of
//! `unfolding`, in the body of a predicate, in an axiom, in an imported definition. These applications have their
//! precondition (`f%pre`) but not `f%called`. For example, `a(x)` ensuring `result == b(x) + 1` and `b(x)` ensuring
//! `result == a(x)` would justify each other.
//!
//! If `f` has an unconditional `decreases` tuple, the proof of termination shows that every application of its
//! component in its own text, the postcondition and `asserting` included, has a smaller measure, a tuple, and that
//! tuple's condition. These are `g%called` too: then the induction is over the measure. Arguments where the condition
//! of a tuple holds only lead to others of that kind, so both inductions combine. The proof of termination itself may
//! use a postcondition only after the application that it is about was shown to be smaller; again that is
//! `g%called`. It does not use the definition of `f`, which may be contradictory if `f` does not terminate.
//! Of `[a, b]` in a postcondition it considers `a`, while `b` is checked; so where a postcondition with such pairs is
//! checked, nothing is `g%called`.
//!
//! Well-formedness of contracts uses nothing of the component, except that a conjunct may rely on those before it.
//! Preconditions and measures cannot mention the component at all. `@opaque` hides definitions, not postconditions.

use crate::context::{Exported, ExportedFact};
use crate::eval::Evaluator;
use crate::eval::produce::Giving;
use crate::exec::Executor;
use crate::exec::promise::Promise;
use crate::heap::Layer;
use crate::state::{Cx, Induction, Mode, Side, State, Step, Stop};
use crate::tree::symbols::Subject;
use echis_base::FastMap;
use echis_program::program::{ExprId, ExprKind, FunctionId};
use echis_proof::{Because, ErrorKind, NodeId, Origin, Part, Premise, Rule, Step as TreeStep};
use echis_term::{Made, QuantifierRole, Scope, SymbolId, SymbolRole, TermId};

pub(crate) fn verify(executor: &mut Executor, id: FunctionId, root: NodeId) -> Exported {
    let mut known = Known::default();
    // Every way to stop was recorded as a failure or is no error.
    let _ = executor.verify_function(id, root, &mut known);
    executor.verify_termination(id, root, &known.hypotheses);
    let failed = executor.withdraw_failed(&mut known.facts, &known.promises);
    Exported { terms: executor.eval.memory.writer.tree.terms.clone(), facts: known.facts, failed }
}

impl Executor<'_> {
    fn verify_function(
        &mut self,
        id: FunctionId,
        root: NodeId,
        Known { facts, hypotheses, promises }: &mut Known,
    ) -> Step<()> {
        let program = self.context.program;
        let function = &program.functions[id];
        let mut st = State::new(root);
        let subject = self.subject(&mut st, id);
        let contract =
            |evaluator: &Evaluator, clause: ExprId| Mode::default().contract(evaluator.context.syntax(clause));
        hypotheses.extend(self.companions(id, root));
        let failures = self.eval.memory.writer.failed();
        st.explores = true;
        let starts = self.eval.produce_from(st, &function.pre, subject.snapshot, &Giving::written(), contract)?;
        let mut definitions = vec![self.symbol_law(&subject, function.id)];
        definitions.extend(self.comparison_law(&subject, function.id));
        hypotheses.extend(definitions.iter().cloned());
        let mut ends = starts.clone();
        for &post in &function.post {
            for (conjunct, _) in program.conjuncts(post) {
                let promise = self.postcondition(&subject, &mut ends, root, post, conjunct, Mode::default())?;
                definitions.push(self.known_where_applicable(&subject, &promise));
                hypotheses.push(self.known_where_called(id, &subject, &promise));
                promises.push(promise);
            }
        }
        // An ill-formed contract exports nothing.
        if self.eval.memory.writer.failed() > failures {
            hypotheses.clear();
            return Ok(());
        }
        facts.extend(self.exported(id, &definitions));
        let Some(body) = function.body else { return Ok(()) };
        let mode = Mode { induction: self.induction(id), ..Mode::default() };
        let cx = Cx { clause: self.context.syntax(body), ..mode.cx(ErrorKind::FunctionNotWellformed, function.id) };
        let mut cases = Vec::new();
        let is_own = |kind: &ExprKind| matches!(kind, ExprKind::FunctionApp { function, .. } if *function == id);
        // The half of `[a, b]` that is checked is not the one that was shown to terminate.
        let is_pair = |kind: &ExprKind| matches!(kind, ExprKind::InhaleExhale(..));
        let halves = function.post.iter().any(|post| program.any(*post, is_pair));
        let checked = if halves { Mode::default() } else { mode.unevaluated() };
        self.eval.unfolded.clear();
        let failures = self.eval.memory.writer.failed();
        for mut st in starts {
            let pre_end = st.at;
            for fact in hypotheses.iter() {
                let term = self.limit_cycle(id, fact.term);
                st.at = self.eval.memory.writer.tree.assume(st.at, term, fact.because.clone(), &[], fact.origin);
            }
            let learned = st.at;
            self.eval.memory.writer.begin_step();
            let value = match self.eval.eval(&mut st, body, &cx) {
                Err(Stop::Infeasible) => continue,
                result => result?,
            };
            if !st.is_dead() {
                cases.push(self.case_of(root, pre_end, learned, st.at, value));
            }
            let origin = Origin { clause: self.context.syntax(body), site: None, part: Part::Definition };
            let premises = self.eval.memory.writer.rested_on();
            let result =
                self.eval.memory.writer.define(&mut st, Made::Result, value, Because::Written, &premises, origin);
            st.set_result(result);
            if function.post.iter().any(|post| program.any(*post, is_own)) {
                let applied = self.eval.memory.writer.terms().app(subject.symbols.limited, subject.args.clone());
                let same = self.eval.memory.writer.terms().eq(applied, result);
                st.at = self.eval.memory.writer.tree.assume(st.at, same, Because::Written, &[], origin);
            }
            self.eval.memory.writer.begin_step();
            self.eval.consume_clauses(st, &function.post, None, |executor, clause| {
                checked.postcondition(executor.context.syntax(clause))
            })?;
        }
        if self.eval.memory.writer.failed() == failures {
            let mut definitions = vec![self.definition(id, &subject, &cases, body)];
            definitions.extend(self.payment_law(id, &subject, &cases, body));
            facts.extend(self.exported(id, &definitions));
        }
        Ok(())
    }
    /// The induction justified by the applications in the body of a function.
    pub(crate) fn induction(&self, id: FunctionId) -> Induction {
        match &self.context.program.functions[id].decreases.tuple {
            Some(tuple) if tuple.condition.is_none() => Induction::Measured,
            _ => Induction::Calls,
        }
    }
    /// The postconditions of the other functions of the component.
    fn companions(&mut self, id: FunctionId, root: NodeId) -> Vec<ExportedFact> {
        let mut facts = Vec::new();
        for other in self.cycle(id) {
            let unknown = other != id
                && self.eval.memory.writer.context.library.functions.get(&other).is_none_or(|exported| exported.failed);
            if unknown && !self.context.program.functions[other].post.is_empty() {
                // An ill-formed contract is reported at its own function and provides nothing here.
                facts.extend(
                    self.tentatively(Mode::default(), |executor, mode| executor.promises(other, root, mode))
                        .unwrap_or_default(),
                );
            }
        }
        facts
    }
    fn promises(&mut self, id: FunctionId, root: NodeId, mode: Mode) -> Step<Vec<ExportedFact>> {
        let program = self.context.program;
        let function = &program.functions[id];
        let mut st = State::new(root);
        let subject = self.subject(&mut st, id);
        let mut states =
            self.eval.produce_from(st, &function.pre, subject.snapshot, &Giving::written(), |executor, clause| {
                mode.contract(executor.context.syntax(clause))
            })?;
        let mut facts = vec![self.symbol_law(&subject, function.id)];
        for &post in &function.post {
            for (conjunct, _) in program.conjuncts(post) {
                let promise = self.postcondition(&subject, &mut states, root, post, conjunct, mode)?;
                match function.body {
                    Some(_) if function.pre.is_empty() && self.is_impossible(&promise) => {}
                    Some(_) => facts.push(self.known_where_called(id, &subject, &promise)),
                    None => facts.push(self.known_where_applicable(&subject, &promise)),
                }
            }
        }
        Ok(facts)
    }
    fn subject(&mut self, st: &mut State, id: FunctionId) -> Subject {
        let function = &self.context.program.functions[id];
        let symbols = self.eval.memory.writer.function_symbols(id);
        let snap = self.eval.memory.writer.terms().snap_sort();
        let snapshot = self.eval.memory.writer.terms().fresh_variable("s", snap);
        let mut binders = vec![snapshot];
        let mut plain = Vec::new();
        for param in &function.params {
            let symbol = self.eval.memory.writer.bound_symbol(st, *param);
            let term = self.eval.memory.writer.terms().constant(symbol);
            st.set(*param, term);
            binders.push(symbol);
            plain.push(term);
        }
        self.eval.payments.parameters.extend(&binders);
        let snapshot = self.eval.memory.writer.terms().constant(snapshot);
        let mut args = plain.clone();
        if symbols.takes_heap {
            args.insert(0, snapshot);
        } else {
            binders.remove(0);
        }
        let snapshot = if symbols.takes_heap { snapshot } else { self.pure_snapshot(function.pre.len()) };
        st.scope = Scope::of(binders.clone());
        Subject { symbols, binders, args, plain, snapshot }
    }
    /// The snapshot of clauses that are all pure.
    fn pure_snapshot(&mut self, clauses: usize) -> TermId {
        let unit = self.eval.memory.writer.terms().unit();
        self.eval.combine_all(&vec![unit; clauses])
    }

    /// The axiom that relates the versions of the function's symbol.
    fn symbol_law(&mut self, subject: &Subject, id: echis_base::SyntaxId) -> ExportedFact {
        let origin = Origin { clause: id, site: None, part: Part::Definition };
        let full = self.eval.memory.writer.terms().app(subject.symbols.full, subject.args.clone());
        let limited = self.eval.memory.writer.terms().app(subject.symbols.limited, subject.args.clone());
        let equal = self.eval.memory.writer.terms().eq(full, limited);
        let same =
            self.eval.memory.writer.terms().forall(&subject.binders, vec![vec![full]], equal, QuantifierRole::Limited);
        ExportedFact { term: same, origin, because: Because::Rule(Rule::Mark) }
    }
    /// `∀ s, t, xs {limited(s, xs), limited(t, xs)}: compared(s, t)`, if snapshots contain maps. Maps are equal if
    /// they agree on their keys; finding that out is expensive, so it is tried only where it matters.
    fn comparison_law(&mut self, subject: &Subject, id: echis_base::SyntaxId) -> Option<ExportedFact> {
        if !subject.symbols.takes_heap || self.context.reach.quantified.is_empty() {
            return None;
        }
        let snap = self.eval.memory.writer.terms().snap_sort();
        let other = self.eval.memory.writer.terms().fresh_variable("t", snap);
        let mut others = subject.args.clone();
        others[0] = self.eval.memory.writer.terms().constant(other);
        let one = self.eval.memory.writer.terms().app(subject.symbols.limited, subject.args.clone());
        let two = self.eval.memory.writer.terms().app(subject.symbols.limited, others.clone());
        let bool_sort = self.eval.memory.writer.terms().bool_sort();
        let compared = self.eval.memory.writer.terms().declare(SymbolRole::Compared, [snap, snap], bool_sort);
        let compared = self.eval.memory.writer.terms().app(compared, [subject.args[0], others[0]]);
        let mut binders = subject.binders.clone();
        binders.push(other);
        let term =
            self.eval.memory.writer.terms().forall(&binders, vec![vec![one, two]], compared, QuantifierRole::Compared);
        let origin = Origin { clause: id, site: None, part: Part::Definition };
        Some(ExportedFact { term, origin, because: Because::Rule(Rule::Mark) })
    }
    /// Evaluates one conjunct of a postcondition, by cases of the precondition, and checks that it is well-formed. It
    /// is assumed in the states for later conjuncts, which may rely on it.
    fn postcondition(
        &mut self,
        subject: &Subject,
        states: &mut Vec<State>,
        root: NodeId,
        post: ExprId,
        conjunct: ExprId,
        mode: Mode,
    ) -> Step<Promise> {
        let cx = Cx { side: Side::Assumed, ..mode.contract(self.context.syntax(post)) };
        let cx = cx.clause(self.context.syntax(conjunct));
        let limited = self.eval.memory.writer.terms().app(subject.symbols.limited, subject.args.clone());
        let mut cases = Vec::new();
        let mut values = Vec::new();
        let mut after = Vec::new();
        for mut st in std::mem::take(states) {
            let before = st.at;
            st.set_result(limited);
            self.eval.memory.writer.begin_step();
            let value = match self.eval.eval(&mut st, conjunct, &cx) {
                Ok(value) => value,
                Err(Stop::Infeasible) => continue,
                Err(stop) => return Err(stop),
            };
            if !st.is_dead() {
                cases.push(self.case_of(root, before, before, st.at, value));
                values.push((st.clone(), value));
            }
            if self.eval.memory.writer.assume(&mut st, value, Because::Written, &[], cx.origin(Part::Value)).is_ok() {
                after.push(st);
            }
        }
        *states = after;
        let mut parts = Vec::new();
        for case in &cases {
            let both = self.eval.memory.writer.terms().and([case.learned, case.value]);
            parts.push(self.eval.memory.writer.terms().implies(case.guard, both));
        }
        let all = self.eval.memory.writer.terms().and(parts);
        Ok(Promise { conjunct, all, values, origin: cx.origin(Part::Value) })
    }
    /// `∀ s, xs {limited} {pre}: pre ⇒ post`
    fn known_where_applicable(&mut self, subject: &Subject, promise: &Promise) -> ExportedFact {
        let limited = self.eval.memory.writer.terms().app(subject.symbols.limited, subject.args.clone());
        let pre = self.eval.memory.writer.terms().app(subject.symbols.pre, subject.args.clone());
        let body = self.eval.memory.writer.terms().implies(pre, promise.all);
        // The fact is available at every application, even if its value is unused.
        let triggers = vec![vec![limited], vec![pre]];
        let term =
            self.eval.memory.writer.terms().forall(&subject.binders, triggers, body, QuantifierRole::Postcondition);
        ExportedFact { term, origin: promise.origin, because: Because::Checked }
    }
    /// `∀ s, xs {called}: called ⇒ post`
    fn known_where_called(&mut self, id: FunctionId, subject: &Subject, promise: &Promise) -> ExportedFact {
        let called = self.eval.memory.writer.called(id);
        let called = self.eval.memory.writer.terms().app(called, subject.args.clone());
        let body = self.eval.memory.writer.terms().implies(called, promise.all);
        let term = self.eval.memory.writer.terms().forall(
            &subject.binders,
            vec![vec![called]],
            body,
            QuantifierRole::Postcondition,
        );
        ExportedFact { term, origin: promise.origin, because: Because::Checked }
    }
    /// `∀ s, xs {f} {limited, P%trigger}: pre ⇒ f = body`
    fn definition(&mut self, id: FunctionId, subject: &Subject, cases: &[Case], body: ExprId) -> ExportedFact {
        let full = self.eval.memory.writer.terms().app(subject.symbols.full, subject.args.clone());
        let mut parts = Vec::new();
        for case in cases {
            let equal = self.eval.memory.writer.terms().eq(full, case.value);
            let both = self.eval.memory.writer.terms().and([case.learned, equal]);
            parts.push(self.eval.memory.writer.terms().implies(case.guard, both));
        }
        let all = self.eval.memory.writer.terms().and(parts);
        let pre = self.eval.memory.writer.terms().app(subject.symbols.pre, subject.args.clone());
        let all = self.eval.memory.writer.terms().implies(pre, all);
        let mut triggers = vec![vec![full]];
        if !self.context.program.functions[id].opaque && self.context.program.functions[id].recursive {
            triggers.extend(self.unfold_triggers(subject));
            triggers.extend(self.eval.payment_trigger(id, subject));
        }
        let term = self.eval.memory.writer.terms().forall(&subject.binders, triggers, all, QuantifierRole::Definition);
        let origin = Origin { clause: self.context.syntax(body), site: None, part: Part::Definition };
        ExportedFact { term, origin, because: Because::Written }
    }
    /// States that payments for an application extend to those in its body.
    fn payment_law(&mut self, id: FunctionId, subject: &Subject, cases: &[Case], body: ExprId) -> Option<ExportedFact> {
        let mut learned = Vec::new();
        for case in cases {
            match self.eval.memory.writer.tree.terms.as_op(case.learned) {
                Some((echis_term::Op::And, facts)) => learned.extend(facts.iter().copied()),
                _ => learned.push(case.learned),
            }
        }
        let term = self.eval.passed_on(id, subject, &learned)?;
        let origin = Origin { clause: self.context.syntax(body), site: None, part: Part::Definition };
        Some(ExportedFact { term, origin, because: Because::Rule(Rule::Mark) })
    }
    /// Folding or unfolding a predicate that the body unfolds permits one more unrolling, of applications to what was
    /// folded or unfolded. Applications to other snapshots do not count: the solver may wrongly guess that their
    /// arguments are equal, and each guess would unroll them all.
    fn unfold_triggers(&mut self, subject: &Subject) -> Vec<Vec<TermId>> {
        let mut sets: Vec<Vec<TermId>> = Vec::new();
        let mut seen = Vec::new();
        let limited = self.eval.memory.writer.terms().app(subject.symbols.limited, subject.args.clone());
        for (predicate, known) in self.eval.unfolded.clone() {
            if seen.contains(&predicate) {
                continue;
            }
            let (snapshot, args) = (known[0], &known[1..]);
            let direct = args.iter().all(|arg| subject.plain.contains(arg));
            let trigger = self.eval.memory.writer.predicate_trigger(predicate, snapshot, args);
            let set = vec![limited, trigger];
            if direct && self.eval.memory.writer.is_pattern_set(&set, &subject.binders) {
                seen.push(predicate);
                sets.push(set);
            }
        }
        sets
    }
    /// Replaces functions of the same cycle in a definition by their limited versions, so that they are not unrolled
    /// further.
    pub(crate) fn limit_cycle(&mut self, id: FunctionId, term: TermId) -> TermId {
        let mut map: FastMap<SymbolId, SymbolId> = FastMap::default();
        for function in self.cycle(id) {
            let symbols = self.eval.memory.writer.function_symbols(function);
            map.insert(symbols.full, symbols.limited);
        }
        self.eval.memory.writer.terms().replace_in_bodies(term, &map)
    }
    fn cycle(&self, id: FunctionId) -> Vec<FunctionId> {
        let height = self.context.program.functions[id].height;
        let reached = self.context.reach.functions.iter().copied();
        reached.filter(|function| self.context.program.functions[*function].height == height).collect()
    }
    fn exported(&mut self, id: FunctionId, facts: &[ExportedFact]) -> Vec<ExportedFact> {
        facts
            .iter()
            .map(|fact| ExportedFact {
                term: self.limit_cycle(id, fact.term),
                origin: fact.origin,
                because: fact.because.clone(),
            })
            .collect()
    }
    /// The contribution of one path through the precondition: its guard, the learned facts, and the value.
    fn case_of(&mut self, root: NodeId, pre_end: NodeId, from: NodeId, end: NodeId, value: TermId) -> Case {
        let guards = self.eval.memory.writer.guards_between(root, pre_end);
        let guard = self.eval.memory.writer.terms().and(guards);
        let mut learned = Vec::new();
        for node in self.eval.memory.writer.tree.path_since(root, pre_end) {
            // Of the precondition's facts, only definitions of symbols are kept: the rest is known where it was
            // checked.
            if let Some(fact) = self.eval.memory.writer.tree.fact(node)
                && self.is_definition(node)
            {
                learned.push(fact);
            }
        }
        for node in self.eval.memory.writer.tree.path_since(from, end) {
            if let Some(fact) = self.eval.memory.writer.tree.fact(node)
                && !self.is_recovered(node)
                && !self.eval.is_asked(fact)
                && !self.eval.memory.writer.is_call(fact)
            {
                learned.push(fact);
            }
        }
        let learned = self.eval.memory.writer.terms().and(learned);
        Case { guard, learned, value }
    }
    /// Whether a fact defines one of the engine's own symbols, wherever it was learned.
    fn is_definition(&self, node: NodeId) -> bool {
        match &self.eval.memory.writer.tree.nodes[node].step {
            TreeStep::Assume { because: Because::Rule(Rule::Merge | Rule::Inverse | Rule::Definition), .. } => true,
            TreeStep::Assume { because: Because::Lifted, premises, .. } => {
                premises.iter().any(|premise| matches!(premise, Premise::Fact(fact) if self.is_definition(*fact)))
            }
            _ => false,
        }
    }
    fn is_recovered(&self, node: NodeId) -> bool {
        let TreeStep::Assume { because, premises, .. } = &self.eval.memory.writer.tree.nodes[node].step else {
            return false;
        };
        *because == Because::Recovered
            || premises.iter().any(|premise| match premise {
                Premise::Fact(fact) if *because == Because::Lifted => self.is_recovered(*fact),
                _ => false,
            })
    }
}

/// The facts known about a function.
#[derive(Default)]
struct Known {
    /// For other members.
    facts: Vec<ExportedFact>,
    /// For the function itself, by induction.
    hypotheses: Vec<ExportedFact>,
    promises: Vec<Promise>,
}

struct Case {
    guard: TermId,
    learned: TermId,
    value: TermId,
}
