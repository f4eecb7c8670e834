//! The unrolling budget. A definition is unrolled once for each application in the text, and further only where
//! something else in the text pays for it, so that the effort is bounded by the text:
//!
//! - a folded or unfolded predicate (`P%trigger`, see [`fold`](super::fold));
//! - a constructed value: an application to it is unrolled, one constructor at a time (`T%built`);
//! - literals: an application whose measure mentions only small literals is computed (`f%paid`).

use crate::eval::Evaluator;
use crate::limits::{FACTS_LOOKED_BACK, LARGEST_COUNTDOWN, LITERAL_SUMMANDS};
use crate::state::{Cx, State, Step};
use crate::tree::symbols::Subject;
use echis_program::program::{DomainFunctionId, DomainId, ExprId, ExprKind, FunctionId, LocalId, Program, Type};
use echis_proof::Rule;
use echis_term::{Mark, Op, QuantifierRole, SortId, SymbolId, SymbolRole, TermId, TermKind};
use std::collections::{BTreeMap, BTreeSet};

/// The parameters that bound the unrolling of a recursive function, by position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Payment {
    /// A decreasing argument of an ADT, if its value was constructed.
    Built(usize),
    /// The parameters in the measure, if they are literals.
    Literals(Vec<usize>),
}

/// The payments known in one member.
#[derive(Default)]
pub(crate) struct Payments {
    functions: BTreeMap<FunctionId, Option<Payment>>,
    /// The ADTs whose values pay for some function that the member can mention.
    domains: Option<BTreeSet<DomainId>>,
    /// The symbols for parameters of functions.
    pub parameters: BTreeSet<SymbolId>,
    /// Marks on values whose constructor was tested.
    asked: BTreeSet<TermId>,
}

impl Evaluator<'_> {
    fn payment(&mut self, id: FunctionId) -> Option<Payment> {
        if let Some(known) = self.payments.functions.get(&id) {
            return known.clone();
        }
        let function = &self.context.program.functions[id];
        let unrolls = function.recursive && !function.opaque && function.body.is_some();
        let payment = if unrolls { self.payment_of(id) } else { None };
        self.payments.functions.insert(id, payment.clone());
        payment
    }
    fn payment_of(&mut self, id: FunctionId) -> Option<Payment> {
        let program = self.context.program;
        let function = &program.functions[id];
        let Some(tuple) = &function.decreases.tuple else { return structural(program, id).map(Payment::Built) };
        let [measure] = tuple.measures[..] else { return None };
        let position = |local: &LocalId| function.params.iter().position(|param| param == local);
        if let ExprKind::Local(local) = program.kind(measure)
            && adt_of(program, *local).is_some()
        {
            return position(local).map(Payment::Built);
        }
        let countable = |local: &LocalId| {
            matches!(program.locals[*local].ty, Type::Int | Type::Seq(_)) && position(local).is_some()
        };
        let locals = program.free_locals(measure);
        let locals = feeding(program, id, locals.into_iter().collect());
        let literals = !locals.is_empty() && locals.iter().all(countable) && !self.memory.writer.takes_heap(id);
        literals.then(|| Payment::Literals(locals.iter().filter_map(position).collect()))
    }

    /// States that a value was constructed, if a function may be unrolled for it. Values whose constructor is tested
    /// in the member itself count too; definitions do not state this, because each unrolling would pay for the next.
    pub fn mark_built(
        &mut self,
        st: &mut State,
        function: DomainFunctionId,
        args: &[TermId],
        value: TermId,
        cx: &Cx,
    ) -> Step<()> {
        let domain = self.context.program.domain_functions[function].domain;
        let Some(constructors) = &self.context.program.domains[domain].adt else { return Ok(()) };
        let constructed = constructors.iter().any(|one| one.constructor == function);
        let taken_out = constructors.iter().any(|one| one.destructors.contains(&function));
        let built = match args {
            _ if constructed => value,
            &[asked] if !taken_out => asked,
            _ => return Ok(()),
        };
        // A quantifier that constructs values would pay for what its instances apply, and so for more instances.
        let closed =
            self.memory.writer.tree.terms.term(built).free.iter().all(|var| self.payments.parameters.contains(var));
        if cx.mode.is_silent() || !closed || !self.pays(domain) {
            return Ok(());
        }
        let mark = self.built(built);
        if !constructed {
            self.payments.asked.insert(mark);
        }
        self.memory.writer.assume_rule(st, mark, Rule::Mark, cx)
    }
    /// Whether a fact only says that the constructor of a value was tested, possibly behind a guard.
    pub fn is_asked(&self, fact: TermId) -> bool {
        let fact = match self.memory.writer.tree.terms.as_op(fact) {
            Some((Op::Implies, &[_, fact])) => fact,
            _ => fact,
        };
        self.payments.asked.contains(&fact)
    }
    fn pays(&mut self, domain: DomainId) -> bool {
        if self.payments.domains.is_none() {
            let mut domains = BTreeSet::new();
            for function in self.context.reach.functions.clone() {
                if let Some(Payment::Built(position)) = self.payment(function) {
                    domains.extend(adt_of(
                        self.context.program,
                        self.context.program.functions[function].params[position],
                    ));
                }
            }
            self.payments.domains = Some(domains);
        }
        self.payments.domains.as_ref().is_some_and(|domains| domains.contains(&domain))
    }
    /// `T%built(value)`
    fn built(&mut self, value: TermId) -> TermId {
        let sort = self.memory.writer.tree.terms.sort_of(value);
        let role = SymbolRole::Mark(Mark::Built, self.memory.writer.tree.terms.sort_text(sort).into());
        let bool_sort = self.memory.writer.terms().bool_sort();
        let symbol = self.memory.writer.terms().declare(role, [sort], bool_sort);
        self.memory.writer.terms().app(symbol, [value])
    }

    /// States that literals pay for an application.
    pub fn mark_paid(&mut self, st: &mut State, id: FunctionId, args: &[TermId], cx: &Cx) -> Step<()> {
        let Some(Payment::Literals(positions)) = self.payment(id) else { return Ok(()) };
        if cx.mode.is_silent() || !positions.iter().all(|position| self.is_literal(st, args[*position])) {
            return Ok(());
        }
        let mark = self.paid(id, args);
        self.memory.writer.assume_rule(st, mark, Rule::Mark, cx)
    }
    /// Whether a term is a small number or a sequence of known length, directly or by facts in the text of the path.
    fn is_literal(&self, st: &State, term: TermId) -> bool {
        let terms = &self.memory.writer.tree.terms;
        if self.number(st, term).is_some_and(|number| (0..=LARGEST_COUNTDOWN).contains(&number)) {
            return true;
        }
        let mut pending = vec![self.value_written(st, term)];
        let mut left = LARGEST_COUNTDOWN;
        while let Some(term) = pending.pop() {
            left -= 1;
            match terms.kind(self.memory.writer.peek(term)) {
                _ if left == 0 => return false,
                TermKind::Op(Op::SeqEmpty(_) | Op::SeqSingleton, _) => {}
                TermKind::Op(Op::SeqAppend, parts) => pending.extend(parts.iter().copied()),
                _ => return false,
            }
        }
        true
    }
    /// The value of a sum of a few literals and constants with known values.
    fn number(&self, st: &State, term: TermId) -> Option<i64> {
        let mut sum = 0_i64;
        let mut pending = vec![(term, 1_i64)];
        for _ in 0..LITERAL_SUMMANDS {
            let Some((term, sign)) = pending.pop() else { return Some(sum) };
            match self.memory.writer.tree.terms.kind(self.value_written(st, term)) {
                TermKind::Int(value) => {
                    let value: i64 = value.to_string().parse().ok()?;
                    sum = sum.checked_add(sign.checked_mul(value)?)?;
                }
                TermKind::Op(Op::Add, parts) => pending.extend(parts.iter().map(|part| (*part, sign))),
                TermKind::Op(Op::Sub, parts) => {
                    let signed = |(index, part): (usize, &TermId)| (*part, if index == 0 { sign } else { -sign });
                    pending.extend(parts.iter().enumerate().map(signed));
                }
                TermKind::Op(Op::Neg, parts) => pending.push((parts[0], -sign)),
                _ => return None,
            }
        }
        None
    }
    /// The term that a constant was defined as or, not far back on the path, stated to equal.
    fn value_written(&self, st: &State, term: TermId) -> TermId {
        let terms = &self.memory.writer.tree.terms;
        let term = self.memory.writer.peek(term);
        let is_constant = |term: TermId| matches!(terms.kind(term), TermKind::App(_, args) if args.is_empty());
        if !is_constant(term) {
            return term;
        }
        let mut at = Some(st.at);
        for _ in 0..FACTS_LOOKED_BACK {
            let Some(node) = at else { break };
            let fact = self.memory.writer.tree.fact(node).and_then(|fact| terms.as_op(fact));
            if let Some((Op::Eq, &[left, right])) = fact
                && (left == term || right == term)
            {
                let other = if left == term { right } else { left };
                if !is_constant(other) {
                    return other;
                }
            }
            at = self.memory.writer.tree.nodes[node].parent;
        }
        term
    }
    /// `f%paid(args)`
    fn paid(&mut self, id: FunctionId, args: &[TermId]) -> TermId {
        let name = self.context.program.functions[id].name.clone();
        let params: Vec<SortId> = args.iter().map(|arg| self.memory.writer.tree.terms.sort_of(*arg)).collect();
        let bool_sort = self.memory.writer.terms().bool_sort();
        let symbol = self.memory.writer.terms().declare(SymbolRole::Mark(Mark::Paid, name), params, bool_sort);
        self.memory.writer.terms().app(symbol, args.to_vec())
    }

    /// The trigger for paid unrollings.
    pub(crate) fn payment_trigger(&mut self, id: FunctionId, subject: &Subject) -> Option<Vec<TermId>> {
        let mark = match self.payment(id)? {
            Payment::Built(position) => self.built(subject.plain[position]),
            Payment::Literals(_) => self.paid(id, &subject.plain),
        };
        let limited = self.memory.writer.terms().app(subject.symbols.limited, subject.args.clone());
        Some(vec![limited, mark])
    }
    /// The payment for an application extends to those its body makes: `guard ⇒ g%paid(ys)` for each fact `guard ⇒
    /// g%pre(ys)` in which the paying arguments of `g` are computed from those paying here.
    pub(crate) fn passed_on(&mut self, id: FunctionId, subject: &Subject, learned: &[TermId]) -> Option<TermId> {
        let Some(Payment::Literals(paying)) = self.payment(id) else { return None };
        let allowed: Vec<TermId> = paying.iter().map(|position| subject.plain[*position]).collect();
        let mut passed = Vec::new();
        for &fact in learned {
            let (guard, fact) = match self.memory.writer.tree.terms.as_op(fact) {
                Some((Op::Implies, &[guard, fact])) => (guard, fact),
                _ => (self.memory.writer.tree.terms.truth(), fact),
            };
            let TermKind::App(symbol, args) = self.memory.writer.tree.terms.kind(fact).clone() else { continue };
            let Some(callee) = self.memory.writer.applied_function(symbol) else { continue };
            let Some(Payment::Literals(positions)) = self.payment(callee) else { continue };
            if self.context.program.functions[callee].height == self.context.program.functions[id].height
                && positions.iter().all(|position| self.is_computed(args[*position], &allowed))
            {
                let mark = self.paid(callee, &args);
                passed.push(self.memory.writer.tree.terms.implies(guard, mark));
            }
        }
        if passed.is_empty() {
            return None;
        }
        let mark = self.paid(id, &subject.plain);
        let all = self.memory.writer.terms().and(passed);
        let body = self.memory.writer.terms().implies(mark, all);
        Some(self.memory.writer.terms().forall(&subject.binders, vec![vec![mark]], body, QuantifierRole::Paid))
    }
    fn is_computed(&self, term: TermId, allowed: &[TermId]) -> bool {
        let mut computed = true;
        self.memory.writer.tree.terms.for_each_subterm(term, |part| {
            computed &= match self.memory.writer.tree.terms.kind(part) {
                TermKind::App(..) => allowed.contains(&part),
                TermKind::Quant(_) => false,
                _ => true,
            }
        });
        computed
    }
}

fn adt_of(program: &Program, local: LocalId) -> Option<DomainId> {
    match program.locals[local].ty {
        Type::Domain(domain, _) if program.domains[domain].adt.is_some() => Some(domain),
        _ => None,
    }
}

/// The given parameters, and those from which recursive calls compute them.
fn feeding(program: &Program, id: FunctionId, mut params: BTreeSet<LocalId>) -> BTreeSet<LocalId> {
    let function = &program.functions[id];
    loop {
        let known = params.clone();
        if let Some(body) = function.body {
            program.visit_with_triggers(body, |_, kind| {
                if let ExprKind::FunctionApp { function: callee, args, .. } = kind
                    && *callee == id
                {
                    let fed = function.params.iter().zip(args).filter(|(param, _)| known.contains(param));
                    let from = fed.flat_map(|(_, arg)| program.free_locals(*arg));
                    params.extend(from.filter(|local| function.params.contains(local)));
                }
            });
        }
        if params == known {
            return params;
        }
    }
}

/// The first parameter that shrinks structurally in all recursive calls, if the function calls nothing else in its
/// cycle.
fn structural(program: &Program, id: FunctionId) -> Option<usize> {
    let function = &program.functions[id];
    let mut candidates: Vec<usize> =
        (0..function.params.len()).filter(|index| adt_of(program, function.params[*index]).is_some()).collect();
    let roots = function.body.iter().chain(&function.pre).chain(&function.post);
    for &root in roots {
        program.visit_with_triggers(root, |_, kind| match kind {
            ExprKind::FunctionApp { function: callee, args, .. } if *callee == id => {
                candidates.retain(|index| is_part_of(program, args[*index], function.params[*index]));
            }
            ExprKind::FunctionApp { function: callee, .. } if program.functions[*callee].height == function.height => {
                candidates.clear();
            }
            _ => {}
        });
    }
    candidates.first().copied()
}

/// Whether an expression selects a part of a variable.
fn is_part_of(program: &Program, expr: ExprId, local: LocalId) -> bool {
    let takes_out = |function: &DomainFunctionId| {
        let domain = program.domain_functions[*function].domain;
        let adt = program.domains[domain].adt.as_ref();
        adt.is_some_and(|constructors| constructors.iter().any(|one| one.destructors.contains(function)))
    };
    let mut at = expr;
    loop {
        match program.kind(at) {
            ExprKind::DomainApp { function, args, .. } if takes_out(function) => at = args[0],
            ExprKind::Local(found) => return *found == local && at != expr,
            _ => return false,
        }
    }
}
