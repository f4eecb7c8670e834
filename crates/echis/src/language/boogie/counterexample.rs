//! Counterexamples of Boogie programs: values of variables, and of functions and maps where they are applied.

use super::text;
use super::values::Values;
use crate::verify::results::no_model;
use echis_base::{SourceMap, Span, SyntaxId};
use echis_boogie::Program;
use echis_boogie::ast::ExprId;
use echis_boogie::program::VarId;
use echis_counterexample::{FailedObligation, Relevant, is_quantified};
use echis_findings::counterexample::{
    Account, Allowance, By, Case, Counterexample, Event, FunctionPart, Status, TraceStep, UNSPECIFIED, Variable, View,
};
use echis_findings::diagnose::{negated, source_text};
use echis_findings::{Condition, Finding};
use echis_proof::{CheckId, Failure, NodeId, StateView};
use echis_term::{SymbolRole, TermId, TermKind};
use echis_vcg::{Doubt, Outcome, Replay, What, variables};
use std::collections::{BTreeMap, BTreeSet};

/// Adds values to the findings, which correspond to the outcome's failures.
pub(super) fn explain(program: &Program, sources: &SourceMap, outcome: &Outcome, findings: &mut [Finding], view: View) {
    for (failure, finding) in outcome.failures.iter().zip(findings) {
        let Some(check) = failure.check else { continue };
        match build(program, sources, outcome, failure, check, view) {
            Ok(example) => finding.counterexample = Some(Box::new(example)),
            Err(reason) => finding.no_counterexample = Some(reason),
        }
    }
}

fn build(
    program: &Program,
    sources: &SourceMap,
    outcome: &Outcome,
    failure: &Failure,
    check: CheckId,
    view: View,
) -> Result<Counterexample, String> {
    let model = match &failure.model {
        Some(Ok(model)) => model,
        Some(Err(reason)) => return Err(no_model(reason)),
        None => return Err("the solver was not asked".to_string()),
    };
    let tree = &outcome.tree;
    let replay = Replay::new(tree, check, model, &echis_smt::head);
    let state = StateView::default();
    let failing = FailedObligation { state: &state, at: tree.checks[check].at, goal: tree.checks[check].goal };
    let facts: Vec<TermId> = tree.path(failing.at).filter_map(|node| tree.fact(node)).chain([failing.goal]).collect();
    let applied = echis_vcg::applications(&tree.terms, &facts);
    let values = Values::new(program, &tree.terms, &replay.values, &applied);
    let scene = Scene { program, sources, outcome, check, values };
    let relevant = Relevant::new(tree, failing);
    let events = outcome.notes.history.path(check, &|edge| replay.values.truth(edge) == Some(true));
    let path = events.iter().filter_map(|event| match event.what {
        What::Branch { condition, negated } => Some(scene.condition(event.at, condition, negated)),
        _ => None,
    });
    let trace = if view == View::Trace { scene.trace(&events) } else { Vec::new() };
    Ok(Counterexample {
        sampled: 0,
        status: match replay.doubt {
            None => Status::Confirmed,
            Some(doubt) => Status::PossiblySpurious(scene.doubt(doubt)),
        },
        quantified: is_quantified(tree, failing),
        store: scene.store(&|term| !relevant.matters(tree, term)),
        collections: Vec::new(),
        heaps: Vec::new(),
        functions: if view == View::Variables { Vec::new() } else { scene.functions(&applied) },
        domains: Vec::new(),
        path: path.collect(),
        trace,
        account: scene.account(&events),
        ran: Vec::new(),
        insertion: None,
        in_source: None,
    })
}

struct Scene<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    outcome: &'a Outcome,
    check: CheckId,
    values: Values<'a>,
}

impl Scene<'_> {
    fn span(&self, id: SyntaxId) -> Span {
        text::extent(self.program, id)
    }
    /// The relevant constants, the variables, and the old values of globals.
    fn store(&self, irrelevant: &dyn Fn(TermId) -> bool) -> Vec<Variable> {
        let Some(seen) = self.outcome.notes.history.at(self.check) else { return Vec::new() };
        let variable = |name: String, var: VarId, term: TermId| {
            let declared = &self.program.vars[var];
            Variable {
                name,
                ty: declared.ty.text(&self.program.names),
                value: self.values.shown(term, &declared.ty),
                irrelevant: irrelevant(term),
                nameable: false,
                span: Some(self.program.syntax.span(declared.id)),
            }
        };
        let name = |var: VarId| self.program.vars[var].name.to_string();
        let constants = self.constants().into_iter().map(|(var, term)| variable(name(var), var, term));
        let now = variables(self.program, &seen.values).into_iter().map(|(var, term)| variable(name(var), var, term));
        let before = variables(self.program, &seen.old).into_iter();
        let before = before.map(|(var, term)| variable(format!("old({})", name(var)), var, term));
        constants.chain(now).chain(before).collect()
    }
    /// Constants of the program that the goal or the facts mention.
    fn constants(&self) -> Vec<(VarId, TermId)> {
        let tree = &self.outcome.tree;
        let declared: BTreeMap<&str, VarId> = self
            .program
            .vars
            .iter()
            .filter(|(_, var)| matches!(var.kind, echis_boogie::program::VarKind::Const { .. }))
            .map(|(id, var)| (&*var.name, id))
            .collect();
        let goal = &tree.checks[self.check];
        let facts = tree.path(goal.at).filter_map(|node| tree.fact(node)).chain([goal.goal]);
        let mut found = BTreeMap::new();
        for fact in facts {
            tree.terms.for_each_subterm(fact, |term| {
                if let TermKind::App(symbol, args) = tree.terms.kind(term)
                    && args.is_empty()
                    && let SymbolRole::BoogieConstant(name) = &tree.terms.symbol(*symbol).role
                    && let Some(var) = declared.get(&**name)
                {
                    found.insert(*var, term);
                }
            });
        }
        found.into_iter().collect()
    }

    /// The values of the program's functions at the points where they are applied.
    fn functions(&self, applied: &BTreeSet<TermId>) -> Vec<FunctionPart> {
        let terms = &self.outcome.tree.terms;
        let mut parts: BTreeMap<String, Vec<Case>> = BTreeMap::new();
        for term in applied {
            let TermKind::App(symbol, args) = terms.kind(*term) else { continue };
            let symbol = terms.symbol(*symbol);
            let SymbolRole::BoogieFunction { function: name, type_args } = &symbol.role else { continue };
            let Some(function) = self.program.functions.values().find(|function| function.name == *name) else {
                continue;
            };
            let params = args.iter().zip(&function.params);
            let args = params.map(|(arg, param)| self.values.shown(*arg, &self.program.vars[*param].ty)).collect();
            let case = Case { heap: None, args, value: self.values.shown(*term, &function.result) };
            let cases = parts.entry(format!("{name}{type_args}")).or_default();
            if case.value.text != UNSPECIFIED && !cases.iter().any(|known| known.args == case.args) {
                cases.push(case);
            }
        }
        parts
            .into_iter()
            .filter(|(_, cases)| !cases.is_empty())
            .map(|(name, cases)| FunctionPart { name, params: Vec::new(), result: String::new(), cases })
            .collect()
    }

    fn condition(&self, stmt: SyntaxId, condition: ExprId, is_negated: bool) -> Condition {
        let written = text::condition(self.program, self.sources, stmt);
        let span = written.unwrap_or_else(|| self.program.span(condition));
        let text = source_text(self.sources, span);
        Condition { text: if is_negated { negated(&text) } else { text }, span, negated: is_negated, when: None }
    }
    fn trace(&self, events: &[echis_vcg::Event]) -> Vec<TraceStep> {
        let step = |event: &echis_vcg::Event| {
            let mut span = self.span(event.at);
            let value = |var: VarId, value: TermId| {
                let declared = &self.program.vars[var];
                (declared.name.to_string(), self.values.shown(value, &declared.ty))
            };
            let event = match event.what {
                What::Branch { condition, negated } => {
                    let condition = self.condition(event.at, condition, negated);
                    span = condition.span;
                    Event::Branch(condition.text)
                }
                What::Assigned { var, value: term } => {
                    let (target, value) = value(var, term);
                    Event::Assigned { target, value, statement: source_text(self.sources, span) }
                }
                What::Looped { var, value: term } => {
                    let (target, value) = value(var, term);
                    Event::Loop { target, value }
                }
                What::Head | What::Called(_) => return None,
            };
            Some(TraceStep { span, event, heap: None })
        };
        events.iter().filter_map(step).collect()
    }
    /// The loops and calls on the path: only their contracts are known.
    fn account(&self, events: &[echis_vcg::Event]) -> Account {
        let allowed: BTreeSet<Allowance> = events
            .iter()
            .filter_map(|event| {
                let by = match event.what {
                    What::Head => By::Invariant,
                    What::Called(procedure) => By::Postcondition(self.program.procedures[procedure].name.to_string()),
                    _ => return None,
                };
                Some(Allowance::new(by, self.program.syntax.span(event.at)))
            })
            .collect();
        if allowed.is_empty() { Account::Run } else { Account::Allowed(allowed.into_iter().collect()) }
    }

    fn doubt(&self, doubt: Doubt) -> String {
        match doubt {
            Doubt::Violated(node) => format!("the model violates {}", self.clause(node)),
            Doubt::Open(node) => {
                let fact = self.outcome.tree.fact(node);
                self.unevaluated(&self.clause(node), fact)
            }
            Doubt::GoalHolds => "the goal holds in it".to_string(),
            Doubt::GoalOpen => self.unevaluated("the goal", Some(self.outcome.tree.checks[self.check].goal)),
        }
    }
    fn unevaluated(&self, what: &str, formula: Option<TermId>) -> String {
        if formula.is_some_and(|formula| self.outcome.tree.terms.has_quantifier(formula)) {
            format!("{what} was not evaluated, because it ranges over too many values")
        } else {
            format!("the model does not determine the value of {what}")
        }
    }
    fn clause(&self, node: NodeId) -> String {
        let span = self.span(self.outcome.tree.origin_of(node).clause);
        let line = self.sources.position(span).start.line;
        format!("`{}` (line {line})", source_text(self.sources, span))
    }
}
