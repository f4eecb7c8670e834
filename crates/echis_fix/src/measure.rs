//! Termination measures that are missing, or do not decrease.

use crate::clause::{Clause, Owner};
use crate::site::{Member, Site, one_line};
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis_program::program::{Decreases, ExprKind, LocalId, Location, Stmt, StmtKind, Type};

/// Candidates for what might not terminate.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    if site.error != "termination.failed" {
        return Vec::new();
    }
    let program = site.program;
    let (owner, decreases, params): (Owner<'_>, &Decreases, Vec<LocalId>) = match (site.reason, site.member) {
        // The callee has none: it is where the reason points at.
        ("tuple.condition.false", _) => match callee(site) {
            Some(found) => found,
            None => return Vec::new(),
        },
        (_, Member::Function(id)) => {
            let function = &program.functions[id];
            (Owner::Function(id), &function.decreases, function.params.clone())
        }
        (_, Member::Method(id)) => match enclosing(site) {
            Some((stmt, decreases)) => (Owner::Loop(stmt), decreases, Vec::new()),
            None => {
                let method = &program.methods[id];
                (Owner::Method(id), &method.decreases, method.params.clone())
            }
        },
        (_, Member::Predicate(_)) => return Vec::new(),
    };
    let mut found = Vec::new();
    for measure in measures(site, owner, &params) {
        let edit = match &decreases.tuple {
            Some(tuple) => {
                let span = site.span(tuple.id);
                let text = site.text.get(span.start as usize..span.end as usize).unwrap_or_default();
                let start = span.start as usize + if text.starts_with("decreases") { "decreases ".len() } else { 0 };
                (span.file == site.main).then(|| Edit::replace(start, span.end as usize, &*measure))
            }
            None => site.add_clause(owner, Clause::Decreases, &measure),
        };
        let explanation = format!("write decreases {measure}");
        found.extend(edit.map(|edit| Candidate::new(Kind::Measure, explanation, vec![edit])));
    }
    found
}

fn enclosing<'a>(site: &Site<'a>) -> Option<(&'a Stmt, &'a Decreases)> {
    let stmt = site.enclosing_loop()?;
    let StmtKind::While { decreases, .. } = &stmt.kind else { return None };
    decreases.tuple.is_some().then_some((stmt, decreases))
}

fn callee<'a>(site: &Site<'a>) -> Option<(Owner<'a>, &'a Decreases, Vec<LocalId>)> {
    let program = site.program;
    let functions = program.functions.iter().find(|(_, function)| site.span(function.id) == site.about);
    if let Some((id, function)) = functions {
        return Some((Owner::Function(id), &function.decreases, function.params.clone()));
    }
    let (id, method) = program.methods.iter().find(|(_, method)| site.span(method.id) == site.about)?;
    Some((Owner::Method(id), &method.decreases, method.params.clone()))
}

/// What may decrease: parameters, lengths, predicates of the precondition, the distance to a loop's bound.
fn measures(site: &Site<'_>, owner: Owner<'_>, params: &[LocalId]) -> Vec<String> {
    let program = site.program;
    let mut found = Vec::new();
    if let Owner::Loop(Stmt { kind: StmtKind::While { condition, .. }, .. }) = owner {
        for (conjunct, _) in program.conjuncts(*condition) {
            if let Some((left, _, right)) = crate::permission::comparison(site, conjunct) {
                found.extend([format!("{right} - {left}"), format!("{left} - {right}")]);
            }
        }
    }
    let pre = match owner {
        Owner::Function(id) => &program.functions[id].pre[..],
        Owner::Method(id) => &program.methods[id].pre[..],
        Owner::Loop(_) => &[],
    };
    for (conjunct, _) in pre.iter().flat_map(|clause| program.conjuncts(*clause)) {
        if let ExprKind::Acc { location: Location::Predicate { .. }, location_id, .. } = program.kind(conjunct) {
            found.push(one_line(site.text_of(*location_id)));
        }
    }
    for local in params {
        let (name, ty) = (&program.locals[*local].name, &program.locals[*local].ty);
        match ty {
            Type::Int | Type::Domain(..) => found.push(name.to_string()),
            Type::Seq(_) | Type::Set(_) | Type::Multiset(_) => found.push(format!("|{name}|")),
            _ => {}
        }
    }
    let numbers: Vec<&str> =
        params.iter().filter(|local| program.locals[**local].ty == Type::Int).map(|local| &*program.locals[*local].name).collect();
    for (index, first) in numbers.iter().enumerate() {
        for second in &numbers[index + 1..] {
            found.extend([format!("{second} - {first}"), format!("{first} - {second}"), format!("{first}, {second}")]);
        }
    }
    found.truncate(12);
    found
}
