//! Missing termination measures, or measures that do not decrease.

use crate::clause::{Clause, Owner, called};
use crate::site::{Member, Site};
use crate::text::one_line;
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis_program::program::{Decreases, ExprId, ExprKind, LocalId, Location, Stmt, StmtKind, Type};

/// Candidates for termination failures.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    if site.error != "termination.failed" {
        return Vec::new();
    }
    let program = site.program;
    let named = callee(site).filter(|_| site.reason.ends_with("condition.false"));
    let (owner, decreases, params): (Owner<'_>, &Decreases, Vec<LocalId>) = match (named, site.member) {
        (Some(named), _) => named,
        (None, Member::Function(id)) => {
            let function = &program.functions[id];
            (Owner::Function(id), &function.decreases, function.params.clone())
        }
        (None, Member::Method(id)) => match enclosing(site) {
            Some((stmt, decreases)) => (Owner::Loop(stmt), decreases, Vec::new()),
            None => {
                let method = &program.methods[id];
                (Owner::Method(id), &method.decreases, method.params.clone())
            }
        },
        (None, Member::Predicate(_)) => return Vec::new(),
    };
    let mut found = Vec::new();
    for measure in measures(site, owner, &params) {
        let edit = match &decreases.tuple {
            Some(tuple) => {
                let span = site.span(tuple.id);
                let text = site.text.get(span.start as usize..span.end as usize).unwrap_or_default();
                let start = span.start as usize + if text.starts_with("decreases") { "decreases ".len() } else { 0 };
                // An empty measure lies before what follows it.
                let edit = match text.trim().is_empty() {
                    true => Edit::insert(site.text[..start].trim_end().len(), format!(" {measure}")),
                    false => Edit::replace(start, span.end as usize, &*measure),
                };
                (span.file == site.main).then_some(edit)
            }
            None => site.add_clause(owner, Clause::Decreases, &measure),
        };
        let explanation = match decreases.tuple {
            Some(_) => format!("write decreases {measure}"),
            None => format!("add decreases {measure} to {}", called(site, owner)),
        };
        found.extend(edit.map(|edit| Candidate::new(Kind::Measure, explanation, vec![edit])));
    }
    found
}

fn enclosing<'a>(site: &Site<'a>) -> Option<(&'a Stmt, &'a Decreases)> {
    let stmt = site.enclosing_loop()?;
    let StmtKind::While { decreases, .. } = &stmt.kind else { return None };
    let is_loop = site.statement().is_some_and(|innermost| innermost.id == stmt.id);
    (decreases.tuple.is_some() || is_loop).then_some((stmt, decreases))
}

/// The called or applied member that must terminate.
fn callee<'a>(site: &Site<'a>) -> Option<(Owner<'a>, &'a Decreases, Vec<LocalId>)> {
    let program = site.program;
    let functions = program.functions.iter().find(|(_, function)| site.span(function.id) == site.about);
    if let Some((id, function)) = functions {
        return Some((Owner::Function(id), &function.decreases, function.params.clone()));
    }
    let named = program.methods.iter().find(|(_, method)| site.span(method.id) == site.about).map(|(id, _)| id);
    let called = site.statement().and_then(|stmt| match &stmt.kind {
        StmtKind::Call { method, .. } => Some(*method),
        _ => None,
    });
    if let Some(id) = named.or(called) {
        let method = &program.methods[id];
        return Some((Owner::Method(id), &method.decreases, method.params.clone()));
    }
    let is_applied = |expr: &ExprId| site.span(program.expr(*expr).id) == site.at;
    let applied = site.expressions().into_iter().find(is_applied).map(|expr| program.kind(expr));
    let Some(ExprKind::FunctionApp { function, .. }) = applied else { return None };
    let applied = &program.functions[*function];
    Some((Owner::Function(*function), &applied.decreases, applied.params.clone()))
}

/// Possible measures: parameters, lengths, predicates of the precondition, the distance to a loop's bound.
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
    let sizes: Vec<String> = params
        .iter()
        .filter(|local| matches!(program.locals[**local].ty, Type::Seq(_) | Type::Set(_) | Type::Multiset(_)))
        .map(|local| format!("|{}|", program.locals[*local].name))
        .collect();
    if sizes.len() > 1 {
        found.push(sizes.join(" + "));
    }
    let numbers: Vec<&str> = params
        .iter()
        .filter(|local| program.locals[**local].ty == Type::Int)
        .map(|local| &*program.locals[*local].name)
        .collect();
    for (index, first) in numbers.iter().enumerate() {
        for second in &numbers[index + 1..] {
            found.extend([format!("{second} - {first}"), format!("{first} - {second}"), format!("{first}, {second}")]);
        }
    }
    found.truncate(12);
    found
}
