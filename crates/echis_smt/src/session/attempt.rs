//! Before an obligation is given up, other ways to prove it are tried, in a fixed order and each within a fixed bound.
//!
//! Which are tried depends on the answer before: values that refute the goal and a search that came to its end are
//! answers, and most wrong programs get those. A bound that was reached, and arithmetic that the solver cannot do, say
//! little about the goal; another solver may decide it at once. No clock is looked at, so two runs agree.
//!
//! An obligation that is not proved has *failed* if the solver has a model, or ends its search and says that it is
//! incomplete; it is *undecided* if the solver reached its limit. If the process breaks twice, the member has no answer.
//!
//! The order is: the goal's conjuncts one by one, a new solver with the other arithmetic, only the facts near the goal, other
//! random choices, and the cases of conditions and constructors in the goal. The first try has a small limit, since most
//! proofs are short and another way is often quicker than more patience; the full limit comes last. A member has an allowance
//! for effort spent in vain, so that one hopeless member ends, too. A goal refuted by a model is not asked again.

use super::{ProcessState, Session};
use crate::backend::{Backend, Fault};
use crate::encode::{write_assertion, write_mention, write_negation};
use crate::limits::{
    CONDITIONS, FIRST_TRY, GOAL_PARTS, IN_VAIN, LATEST_FACTS, NEW_SOLVER, NEW_SOLVERS_IN_VAIN, ONE_CASE,
    OTHER_ARITHMETIC, OTHER_TRY, STEPS_TO_NEAR_FACTS,
};
use crate::reply;
use crate::settings::Limit;
use echis_proof::{GaveUp, ProofTree, Verdict};
use echis_term::{Op, Quantifier, SymbolId, SymbolKind, TermId, TermKind, Terms};
use std::collections::{BTreeMap, BTreeSet};

/// Another way to ask the same question, with a solver that has been told nothing else.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Attempt {
    /// Nothing else: what was asked before may lead a solver astray.
    Afresh,
    /// The other solver of arithmetic, which knows more about products.
    OtherArithmetic,
    /// Only the facts that speak of what the goal speaks of.
    NearFacts,
    /// Other choices: the order of cases, and chance.
    OtherChoices,
    /// The parts of the goal one by one, in each case of conditions that it and the facts speak of.
    Cases,
}

/// What is tried when the bound was reached.
const ATTEMPTS: [Attempt; 4] = [Attempt::OtherArithmetic, Attempt::NearFacts, Attempt::OtherChoices, Attempt::Cases];

impl<B: Backend> Session<B> {
    /// An obligation at the node that the session stands at.
    pub(super) fn insist(&mut self, tree: &ProofTree, goal: TermId) -> Verdict {
        let full = self.settings.full;
        if !self.settings.insists {
            return self.settle(tree, goal, full);
        }
        let nonlinear = is_nonlinear(&tree.terms, goal);
        if nonlinear && at_most(full, OTHER_ARITHMETIC) != full {
            let verdict = self.settle(tree, goal, at_most(full, OTHER_ARITHMETIC));
            if verdict != Verdict::Unknown(GaveUp::Resources) {
                return self.decided(tree, goal, verdict, nonlinear);
            }
            if self.attempt(tree, goal, Attempt::OtherArithmetic, OTHER_ARITHMETIC) {
                return Verdict::Proved;
            }
        }
        let short = at_most(full, NEW_SOLVER);
        let mut verdict = self.settle(tree, goal, short);
        let first = at_most(full, FIRST_TRY);
        if verdict == Verdict::Unknown(GaveUp::Resources) && first != short {
            if self.afresh(tree, goal) {
                return Verdict::Proved;
            }
            verdict = self.settle(tree, goal, first);
        }
        if verdict != Verdict::Unknown(GaveUp::Resources) {
            return self.decided(tree, goal, verdict, nonlinear);
        }
        if self.in_vain >= IN_VAIN {
            return verdict;
        }
        if self.in_parts(tree, goal) || ATTEMPTS.into_iter().any(|attempt| self.attempt(tree, goal, attempt, OTHER_TRY))
        {
            return Verdict::Proved;
        }
        let spent = [first, at_most(full, 3 * OTHER_TRY), full];
        self.in_vain += spent.map(|limit| u64::from(limit.rlimit)).iter().sum::<u64>();
        if first == full { verdict } else { self.settle(tree, goal, full) }
    }

    /// The search came to its end within the bound.
    fn decided(&mut self, tree: &ProofTree, goal: TermId, verdict: Verdict, nonlinear: bool) -> Verdict {
        let lacks_arithmetic = nonlinear || self.lacks_arithmetic;
        let proved = verdict == Verdict::Unknown(GaveUp::Incomplete)
            && (self.in_parts(tree, goal)
                || lacks_arithmetic && self.attempt(tree, goal, Attempt::OtherArithmetic, OTHER_ARITHMETIC)
                || self.afresh(tree, goal));
        if proved { Verdict::Proved } else { verdict }
    }

    /// That the search came to its end means least where the solver has been told and asked a lot: facts that came one by
    /// one are simplified less. A few times this is found out, for members that are almost right.
    fn afresh(&mut self, tree: &ProofTree, goal: TermId) -> bool {
        if self.afresh_in_vain >= NEW_SOLVERS_IN_VAIN {
            return false;
        }
        let proved = self.attempt(tree, goal, Attempt::Afresh, NEW_SOLVER);
        self.afresh_in_vain += u32::from(!proved);
        proved
    }

    /// Part by part, each under what comes before it: that b holds may be what leads to a proof of c in `a ==> b && c`.
    fn in_parts(&mut self, tree: &ProofTree, goal: TermId) -> bool {
        let facts = self.trail.iter().filter_map(|node| tree.fact(*node));
        let parts = parts(&tree.terms, facts, goal);
        let limit = at_most(self.settings.full, OTHER_TRY);
        parts.len() > 1 && parts.iter().all(|part| self.ask_part(tree, part, limit).unwrap_or(false))
    }
    fn ask_part(&mut self, tree: &ProofTree, part: &Case, limit: Limit) -> Result<bool, Fault> {
        if self.solver == ProcessState::Absent {
            self.restart()?;
        }
        let whole = part.conditions.iter().map(|(condition, _)| *condition).chain(part.mentioned.iter().copied());
        whole.for_each(|term| self.vocabulary.require(&tree.terms, term));
        self.prepare(tree, part.goal);
        let lines = self.ask_case(&tree.terms, part, limit);
        self.effort += lines.as_ref().map_or(0, |lines| self.settings.dialect.effort(lines));
        let answer = lines.map(|lines| reply::verdict(self.settings.dialect, &lines));
        if !matches!(answer, Ok(Ok(_))) {
            self.solver = ProcessState::Absent;
        }
        Ok(matches!(answer?, Ok(Verdict::Proved)))
    }

    fn attempt(&mut self, tree: &ProofTree, goal: TermId, attempt: Attempt, bound: u32) -> bool {
        let terms = &tree.terms;
        let facts: Vec<TermId> = self.trail.iter().filter_map(|node| tree.fact(*node)).collect();
        let whole = [Case::whole(goal)];
        let bound = at_most(self.settings.full, bound);
        match attempt {
            Attempt::Afresh => self.alone(terms, "", &facts, &whole, bound),
            Attempt::OtherArithmetic => {
                self.alone(terms, self.settings.dialect.other_arithmetic, &facts, &whole, bound)
            }
            Attempt::OtherChoices => self.alone(terms, self.settings.dialect.other_choices, &facts, &whole, bound),
            Attempt::NearFacts => {
                let near = near(terms, &facts, goal);
                near.len() < facts.len() && self.alone(terms, "", &near, &whole, bound)
            }
            Attempt::Cases => {
                let cases = cases(terms, &facts, goal);
                cases.len() > 1 && self.alone(terms, "", &facts, &cases, at_most(self.settings.full, ONE_CASE))
            }
        }
    }

    /// Whether a new solver with other options proves all cases from the facts, each within the bound. It is gone
    /// afterwards: whoever asks next gets the usual one.
    fn alone(&mut self, terms: &Terms, options: &str, facts: &[TermId], cases: &[Case], limit: Limit) -> bool {
        let mut told = self.tell_alone(terms, options, facts);
        let mut proved = told.is_ok();
        for case in cases {
            if !proved {
                break;
            }
            let lines = std::mem::replace(&mut told, Ok(())).and_then(|()| self.ask_case(terms, case, limit));
            self.effort += lines.as_ref().map_or(0, |lines| self.settings.dialect.effort(lines));
            proved =
                lines.is_ok_and(|lines| matches!(reply::verdict(self.settings.dialect, &lines), Ok(Verdict::Proved)));
        }
        self.solver = ProcessState::Absent;
        proved
    }
    fn tell_alone(&mut self, terms: &Terms, options: &str, facts: &[TermId]) -> Result<(), Fault> {
        self.restart_with(options)?;
        self.script.push_str(&self.vocabulary.declarations);
        self.script.push_str(&self.vocabulary.axioms);
        self.script.push_str("(push)\n");
        for fact in facts.iter().filter(|fact| !terms.is_true(**fact)) {
            write_assertion(terms, self.settings.style(), *fact, &mut self.script);
        }
        Ok(())
    }
    fn ask_case(&mut self, terms: &Terms, case: &Case, limit: Limit) -> Result<Vec<String>, Fault> {
        let style = self.settings.style();
        // A push takes the limit of the moment as the bound of all that happens until its pop.
        self.set_limit(super::UNLIMITED);
        self.script.push_str("(push)\n");
        for (condition, holds) in &case.conditions {
            let write = if *holds { write_assertion } else { write_negation };
            write(terms, style, *condition, &mut self.script);
        }
        case.mentioned.iter().for_each(|term| write_mention(terms, style, *term, &mut self.script));
        self.set_limit(limit.rlimit);
        self.question(terms, case.goal);
        self.script.push_str("(pop)\n");
        self.exchange(limit)
    }
}

fn at_most(full: Limit, rlimit: u32) -> Limit {
    if full.rlimit != 0 && full.rlimit <= rlimit { full } else { Limit::of(rlimit) }
}

/// A part of the goal, and which conditions hold.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Case {
    conditions: Vec<(TermId, bool)>,
    /// The triggers of the quantifiers that the part stood in: see `write_goal`.
    mentioned: Vec<TermId>,
    goal: TermId,
}

impl Case {
    fn whole(goal: TermId) -> Self {
        Case { conditions: Vec::new(), mentioned: Vec::new(), goal }
    }
    fn under(&self, more: &[(TermId, bool)], goal: TermId) -> Self {
        Case { conditions: [&self.conditions[..], more].concat(), mentioned: self.mentioned.clone(), goal }
    }
}

/// Products and quotients of unknown numbers are what one arithmetic may decide at once and the other never.
fn is_nonlinear(terms: &Terms, goal: TermId) -> bool {
    let is_literal = |term: TermId| matches!(terms.kind(term), TermKind::Int(_) | TermKind::Perm(_));
    let mut found = false;
    terms.for_each_subterm(goal, |term| {
        found |= match terms.as_op(term) {
            Some((Op::Mul, parts)) => parts.iter().filter(|part| !is_literal(**part)).count() > 1,
            Some((Op::Div | Op::Mod | Op::PermDiv, parts)) => !is_literal(parts[1]),
            _ => false,
        };
    });
    found
}

/// The parts of a goal, each with what it may rest on besides the facts. A variable of a quantifier stands for an
/// arbitrary value in the parts of its body, if nothing else is known about it.
fn parts(terms: &Terms, facts: impl Iterator<Item = TermId>, goal: TermId) -> Vec<Case> {
    let mut known: BTreeSet<SymbolId> = facts.flat_map(|fact| terms.term(fact).free.to_vec()).collect();
    known.extend(terms.term(goal).free.iter().copied());
    let mut parts = Vec::new();
    let mut open = vec![Case::whole(goal)];
    while let Some(case) = open.pop() {
        let more = match terms.kind(case.goal) {
            _ if parts.len() + open.len() >= GOAL_PARTS => Vec::new(),
            TermKind::Op(Op::And, args) => {
                let shown: Vec<(TermId, bool)> = args.iter().map(|arg| (*arg, true)).collect();
                args.iter().enumerate().map(|(index, arg)| case.under(&shown[..index], *arg)).collect()
            }
            TermKind::Op(Op::Implies, args) => vec![case.under(&[(args[0], true)], args[1])],
            TermKind::Op(Op::Ite, args) => {
                vec![case.under(&[(args[0], true)], args[1]), case.under(&[(args[0], false)], args[2])]
            }
            TermKind::Quant(quant)
                if quant.quantifier == Quantifier::Forall && quant.vars.iter().all(|var| !known.contains(var)) =>
            {
                known.extend(quant.vars.iter().copied());
                let mentioned = case.mentioned.iter().chain(quant.triggers.iter().flatten()).copied().collect();
                vec![Case { conditions: case.conditions.clone(), mentioned, goal: quant.body }]
            }
            _ => Vec::new(),
        };
        match more.is_empty() {
            true => parts.push(case),
            false => open.extend(more.into_iter().rev()),
        }
    }
    parts
}

/// Together they prove the goal.
fn cases(terms: &Terms, facts: &[TermId], goal: TermId) -> Vec<Case> {
    let conditions = conditions(terms, facts, goal);
    let goals = match terms.as_op(goal) {
        Some((Op::And, parts)) => parts.to_vec(),
        _ => vec![goal],
    };
    let mut choices = vec![Vec::new()];
    for condition in conditions {
        let extended = |holds| {
            let with = move |choice: &Vec<_>| choice.iter().copied().chain([(condition, holds)]).collect::<Vec<_>>();
            choices.iter().map(with).collect::<Vec<_>>()
        };
        choices = [extended(true), extended(false)].concat();
    }
    let of_goal = |goal: TermId| choices.iter().map(move |choice| Case::whole(goal).under(choice, goal));
    goals.into_iter().flat_map(of_goal).collect()
}

/// What the goal, and then the latest facts, are conditional on: conditions of alternatives, what implications start
/// from, and the constructors that values of algebraic data types are compared with.
fn conditions(terms: &Terms, facts: &[TermId], goal: TermId) -> Vec<TermId> {
    let mut found: Vec<TermId> = Vec::new();
    for proposition in [goal].into_iter().chain(facts.iter().rev().take(LATEST_FACTS).copied()) {
        let mut here = BTreeSet::new();
        terms.for_each_subterm(proposition, |term| {
            let condition = match terms.as_op(term) {
                Some((Op::Ite | Op::Implies, parts)) => parts[0],
                Some((Op::Eq, parts)) if is_tag(terms, parts[0]) || is_tag(terms, parts[1]) => term,
                _ => return,
            };
            let is_closed = terms.term(condition).free.is_empty();
            if is_closed && condition != proposition && !facts.contains(&condition) {
                here.insert(condition);
            }
        });
        for condition in here {
            if !found.contains(&condition) {
                found.push(condition);
            }
        }
        if found.len() >= CONDITIONS {
            break;
        }
    }
    found.truncate(CONDITIONS);
    found
}

/// A small number that says what something is: constructors of algebraic data types are told apart by such.
fn is_tag(terms: &Terms, term: TermId) -> bool {
    terms.as_int(term).is_some()
}

/// The facts that lead from the goal's symbols to others in few steps. Symbols that occur almost everywhere lead nowhere.
fn near(terms: &Terms, facts: &[TermId], goal: TermId) -> Vec<TermId> {
    let symbols = |term: TermId| -> BTreeSet<SymbolId> {
        let is_free = |symbol: &SymbolId| terms.symbol(*symbol).kind() == SymbolKind::Function;
        terms.symbols_of(term).into_iter().filter(is_free).collect()
    };
    let spoken: Vec<BTreeSet<SymbolId>> = facts.iter().map(|fact| symbols(*fact)).collect();
    let mut uses: BTreeMap<SymbolId, usize> = BTreeMap::new();
    for symbol in spoken.iter().flatten() {
        *uses.entry(*symbol).or_insert(0) += 1;
    }
    let common = (facts.len() / 4).max(8);
    let is_telling = |symbol: &SymbolId| uses.get(symbol).is_none_or(|uses| *uses <= common);
    let mut reached = symbols(goal);
    let mut taken = vec![false; facts.len()];
    for _ in 0..STEPS_TO_NEAR_FACTS {
        let mut next = reached.clone();
        for (index, symbols) in spoken.iter().enumerate() {
            let quantified = matches!(terms.kind(facts[index]), TermKind::Quant(_));
            let touches = symbols.iter().any(|symbol| reached.contains(symbol) && (quantified || is_telling(symbol)));
            if touches || symbols.is_empty() {
                taken[index] = true;
                next.extend(symbols);
            }
        }
        reached = next;
    }
    facts.iter().zip(taken).filter(|(_, taken)| *taken).map(|(fact, _)| *fact).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_term::SymbolRole;

    #[test]
    fn cases_are_those_of_conditions_and_parts() {
        let mut terms = Terms::new();
        let int = terms.int_sort();
        let bool_sort = terms.bool_sort();
        let mut constant = |name: &str, sort| {
            let symbol = terms.declare(SymbolRole::Uninterpreted(name.into()), [], sort);
            (symbol, terms.constant(symbol))
        };
        let (x, y) = (constant("x", int).1, constant("y", int).1);
        let (b, far) = (constant("b", bool_sort).1, constant("far", int).1);
        let value = terms.ite(b, x, y);
        let (first, second) = (terms.lt(x, value), terms.lt(y, value));
        let goal = terms.and(vec![first, second]);
        let cases = cases(&terms, &[], goal);
        let part = |shown: &[TermId], goal| {
            let shown: Vec<_> = shown.iter().map(|shown| (*shown, true)).collect();
            Case::whole(goal).under(&shown, goal)
        };
        let implied = terms.implies(b, goal);
        assert_eq!(parts(&terms, [].into_iter(), implied), [part(&[b], first), part(&[b, first], second)]);
        let expected: Vec<Case> = [first, second]
            .into_iter()
            .flat_map(|goal| [true, false].map(|holds| Case::whole(goal).under(&[(b, holds)], goal)))
            .collect();
        assert_eq!(cases, expected);
        let zero = terms.int(0);
        let (near_fact, far_fact) = (terms.lt(zero, x), terms.lt(zero, far));
        assert_eq!(near(&terms, &[near_fact, far_fact], first), [near_fact]);
    }
}
