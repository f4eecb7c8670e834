//! Asks the solver whether it accepts the SMT-LIB names that a program uses. This happens before verification, so an
//! unknown name is reported as a mistake in the program instead of a solver failure.

use crate::verify::settings::Settings;
use crate::verify::solvers::{BoundedSession, Naming, Solvers};
use echis_base::{Diagnostic, SyntaxId};
use echis_program::program::{DomainFunctionId, DomainId, Program, Type};
use echis_program::reach::{Member, Reaches};
use echis_proof::{Origin, Part, ProofTree};
use echis_term::{Made, Scope, Sort, SortId, SymbolRole, TermId, Terms};
use std::collections::BTreeSet;

/// The interpreted declarations used by the selected members.
struct Used {
    domains: BTreeSet<DomainId>,
    functions: BTreeSet<DomainFunctionId>,
}

impl Used {
    fn new(program: &Program, settings: &Settings) -> Self {
        let mut used = Used { domains: BTreeSet::new(), functions: BTreeSet::new() };
        let reaches = Reaches::new(program);
        for member in Member::all(program).filter(|member| settings.is_selected(member.name(program))) {
            let reach = reaches.of(member);
            reach.types.iter().for_each(|ty| used.note(ty));
            used.functions.extend(reach.domain_functions.iter().map(|(function, _)| *function));
        }
        for function in used.functions.clone() {
            let function = &program.domain_functions[function];
            function.params.iter().chain([&function.result]).for_each(|ty| used.note(ty));
        }
        used
    }
    fn note(&mut self, ty: &Type) {
        match ty {
            Type::Int | Type::Bool | Type::Perm | Type::Ref | Type::Parameter(_) | Type::PredicateInstance => {}
            Type::Seq(element) | Type::Set(element) | Type::Multiset(element) => self.note(element),
            Type::Map(key, value) => [key, value].into_iter().for_each(|ty| self.note(ty)),
            Type::Domain(domain, args) => {
                self.domains.insert(*domain);
                args.iter().for_each(|ty| self.note(ty));
            }
        }
    }
}

/// An error for each used interpretation that the solver rejects. Sorts come first, since functions mention them.
pub(crate) fn refused(program: &Program, solvers: &Solvers, settings: &Settings) -> Vec<Diagnostic> {
    let interpreted = program.domains.values().any(|domain| domain.interpretation.is_some())
        || program.domain_functions.values().any(|function| function.interpretation.is_some());
    if !interpreted {
        return Vec::new();
    }
    let used = Used::new(program, settings);
    let sorts: Vec<_> = program
        .domains
        .iter()
        .filter(|(key, _)| used.domains.contains(key))
        .filter_map(|(key, domain)| Some((domain.id, domain.interpretation.as_deref()?, Type::Domain(key, Vec::new()))))
        .collect();
    let functions: Vec<_> = program
        .domain_functions
        .iter()
        .filter(|(key, _)| used.functions.contains(key))
        .filter_map(|(_, function)| Some((function, function.interpretation.as_deref()?)))
        .collect();
    if sorts.is_empty() && functions.is_empty() {
        return Vec::new();
    }
    let mut solver = solvers.take(&settings.cancel);
    let mut ask = |id: SyntaxId, text: &str, make: &dyn Fn(&mut Terms) -> Option<TermId>| {
        let reason = refuses(&mut solver, id, make)?;
        let message = format!("The solver does not understand the interpretation `{text}`: {reason}");
        Some(Diagnostic::error("consistency.error", program.syntax.span(id), message))
    };
    let errors: Vec<Diagnostic> = sorts
        .iter()
        .filter_map(|(id, text, ty)| {
            ask(*id, text, &|terms| {
                let sort = sort_of(program, terms, ty)?;
                Some(unknown_value(terms, sort))
            })
        })
        .collect();
    if !errors.is_empty() {
        solvers.give_back(solver);
        return errors;
    }
    let errors = functions
        .iter()
        .filter_map(|(function, text)| {
            ask(function.id, text, &|terms| {
                let params: Option<Vec<SortId>> =
                    function.params.iter().map(|ty| sort_of(program, terms, ty)).collect();
                let (params, result) = (params?, sort_of(program, terms, &function.result)?);
                let args: Vec<TermId> = params.iter().map(|sort| unknown_value(terms, *sort)).collect();
                let symbol = terms.declare(SymbolRole::interpreted(*text), params, result);
                Some(terms.app(symbol, args))
            })
        })
        .collect();
    solvers.give_back(solver);
    errors
}

/// Asks whether a value equals an unknown one. Only whether the question is accepted matters.
fn refuses(solver: &mut BoundedSession, id: SyntaxId, make: &dyn Fn(&mut Terms) -> Option<TermId>) -> Option<String> {
    let mut terms = Terms::new();
    let value = make(&mut terms)?;
    let sort = terms.sort_of(value);
    let other = unknown_value(&mut terms, sort);
    let goal = terms.eq(value, other);
    let tree = ProofTree::new(terms, Origin { clause: id, site: None, part: Part::Definition });
    solver.begin(false, Naming::Off);
    solver.refusal(&tree, goal)
}

fn unknown_value(terms: &mut Terms, sort: SortId) -> TermId {
    terms.fresh(&Scope::default(), Made::Value, &[], sort)
}

/// The sort of a type; `None` for type parameters.
fn sort_of(program: &Program, terms: &mut Terms, ty: &Type) -> Option<SortId> {
    let sort = match ty {
        Type::Int => Sort::Int,
        Type::Bool => Sort::Bool,
        Type::Perm => Sort::Perm,
        Type::Ref => Sort::Ref,
        Type::Seq(element) => Sort::Seq(sort_of(program, terms, element)?),
        Type::Set(element) => Sort::Set(sort_of(program, terms, element)?),
        Type::Multiset(element) => Sort::Multiset(sort_of(program, terms, element)?),
        Type::Map(key, value) => Sort::Map(sort_of(program, terms, key)?, sort_of(program, terms, value)?),
        Type::Domain(domain, _) => match &program.domains[*domain].interpretation {
            Some(text) => Sort::Interpreted(text.clone()),
            None => Sort::User(program.domains[*domain].name.clone()),
        },
        Type::Parameter(_) | Type::PredicateInstance => return None,
    };
    Some(terms.sort(sort))
}
