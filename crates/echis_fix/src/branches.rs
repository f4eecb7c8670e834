//! Permission that is held only in some cases: a conditional clause, or a branch that needs more than others.

use crate::clause::{Clause, Owner};
use crate::permission::clause;
use crate::site::{Member, Site};
use crate::text::{bare, guard, one_line, words};
use crate::{Candidate, Kind};
use echis::coverage::Edit;
use echis_base::opened_at;
use echis_program::program::{BinaryOp, ExprId, ExprKind, StmtKind};

/// Maximum number of conditions tried.
const CONDITIONS: usize = 3;

/// Candidates for permission that is missing in some case.
pub(crate) fn candidates(site: &Site<'_>) -> Vec<Candidate> {
    if site.reason != "insufficient.permission" {
        return Vec::new();
    }
    let Some(location) = site.subject() else { return Vec::new() };
    [unconditional(site, location), guarded(site, location), checked(site, location)].concat()
}

fn resource(site: &Site<'_>, location: &str) -> String {
    let is_field = Site::field(location).is_some() && site.instance(location).is_none() && bare(location) == location;
    if is_field { format!("acc({location})") } else { location.to_string() }
}

/// `b ==> acc(x.f)` gives nothing otherwise: removes the condition, or adds the other case.
fn unconditional(site: &Site<'_>, location: &str) -> Vec<Candidate> {
    let program = site.program;
    let name = name(site, location);
    let mut found = Vec::new();
    for (conjunct, kind) in conjuncts(site) {
        let span = site.span(program.expr(conjunct).id);
        let start = opened_at(site.text, span.start as usize, span.end as usize);
        let replace = |text: &str| vec![Edit::replace(start, span.end as usize, text)];
        let Some(said) = site.said(conjunct).map(one_line) else { continue };
        match program.kind(conjunct) {
            ExprKind::Binary(BinaryOp::Implies, condition, body) => {
                let (Some(condition), Some(body)) = (site.said(*condition), site.said(*body)) else { continue };
                if !words(body).any(|word| word == name) {
                    continue;
                }
                let always = Candidate::new(kind, format!("write {} for {said}", one_line(body)), replace(body));
                let otherwise = format!("{} ==> {}", negated(condition), resource(site, location));
                let text = format!("({said}) && ({otherwise})");
                found.push(Candidate::new(kind, format!("add {otherwise} beside {said}"), replace(&text)));
                found.push(always);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                for (branch, other) in [(then, otherwise), (otherwise, then)] {
                    if !matches!(program.kind(*branch), ExprKind::Bool(true)) || site.said(*other).is_none() {
                        continue;
                    }
                    let span = site.span(program.expr(*branch).id);
                    let given = resource(site, location);
                    let edit = Edit::replace(span.start as usize, span.end as usize, &*given);
                    let said = one_line(site.said(*condition).unwrap_or_default());
                    let case = if branch == then { said } else { negated(&said) };
                    found.push(Candidate::new(kind, format!("write {given} where {case}"), vec![edit]));
                }
            }
            _ => {}
        }
    }
    found
}

/// The conjuncts of contracts, invariants and predicates of the member, with the kind of change.
fn conjuncts(site: &Site<'_>) -> Vec<(ExprId, Kind)> {
    let program = site.program;
    let [pre, post] = site.clauses();
    let mut clauses: Vec<(ExprId, Kind)> = Vec::new();
    if let Some(body) = site.method().and_then(|method| method.body.as_ref()) {
        body.visit_stmts(&mut |stmt| {
            if let StmtKind::While { invariants, .. } = &stmt.kind {
                clauses.extend(invariants.iter().map(|clause| (*clause, Kind::Invariant)));
            }
        });
    }
    clauses.extend(post.into_iter().map(|clause| (clause, Kind::Postcondition)));
    clauses.extend(pre.into_iter().map(|clause| (clause, Kind::Precondition)));
    let all = clauses
        .into_iter()
        .flat_map(|(clause, kind)| program.conjuncts(clause).into_iter().map(move |(expr, _)| (expr, kind)));
    all.filter(|(expr, _)| !program.is_pure(*expr)).collect()
}

/// The name of a location's field or predicate.
fn name<'l>(site: &Site<'_>, location: &'l str) -> &'l str {
    match Site::field(location) {
        Some((_, field)) if site.instance(location).is_none() => field,
        _ => bare(location).split('(').next().unwrap_or(location).trim(),
    }
}

fn negated(condition: &str) -> String {
    for (op, other) in [(" == ", " != "), (" != ", " == ")] {
        if let Some((left, right)) = condition.split_once(op)
            && words(condition).count() <= 4
            && !condition.contains("&&")
            && !condition.contains("||")
        {
            return format!("{left}{other}{right}");
        }
    }
    match condition.strip_prefix('!') {
        Some(rest) if words(rest).count() == 1 => rest.to_string(),
        _ if words(condition).count() == 1 => format!("!{condition}"),
        _ => format!("!({condition})"),
    }
}

/// Requires permission needed only in a branch under the branch's condition.
fn guarded(site: &Site<'_>, location: &str) -> Vec<Candidate> {
    let mut found = Vec::new();
    for condition in conditions(site).into_iter().take(2) {
        let text = format!("{condition} ==> {}", resource(site, location));
        if !site.is_about_parameters(&text) {
            continue;
        }
        match site.member {
            Member::Function(id) => found.extend(clause(site, Owner::Function(id), Clause::Requires, &text)),
            Member::Method(id) => {
                let requires = clause(site, Owner::Method(id), Clause::Requires, &text);
                let ensures = clause(site, Owner::Method(id), Clause::Ensures, &text);
                found.extend(requires.clone());
                found
                    .extend(requires.zip(ensures).map(|(first, second)| crate::permission::both(first, second, &text)));
            }
            Member::Predicate(_) => {}
        }
    }
    found
}

/// The conditions of the branches around the error, innermost first.
fn conditions(site: &Site<'_>) -> Vec<String> {
    let program = site.program;
    let mut found = Vec::new();
    for stmt in site.around.iter().rev() {
        let StmtKind::If { condition, then, .. } = &stmt.kind else { continue };
        let Some(said) = site.said(*condition).map(one_line) else { continue };
        let is_then = then.stmts.iter().any(|stmt| site.span(stmt.id).contains(site.at));
        found.push(if is_then { guard(&said) } else { negated(&said) });
    }
    for expr in site.function().and_then(|function| function.body).map_or_else(Vec::new, |_| site.expressions()) {
        let ExprKind::Conditional(condition, then, otherwise) = program.kind(expr) else { continue };
        let holds = |expr: &ExprId| site.span(program.expr(*expr).id).contains(site.at);
        let Some(said) = site.said(*condition).map(one_line) else { continue };
        if holds(then) {
            found.insert(0, guard(&said));
        } else if holds(otherwise) {
            found.insert(0, negated(&said));
        }
    }
    found
}

/// Guards the failing statement by the condition under which the permission is held: a reference is not null, or the
/// condition of a clause or predicate.
fn checked(site: &Site<'_>, location: &str) -> Vec<Candidate> {
    let Some((block, index)) = site.block().filter(|_| !site.is_at_end()) else { return Vec::new() };
    let (stmt, last) = (&block.stmts[index], &block.stmts[block.stmts.len() - 1]);
    if !site.is_own(stmt.id) || !site.is_own(last.id) || matches!(stmt.kind, StmtKind::Declare(_)) {
        return Vec::new();
    }
    // Predicates unfolded before are folded again in that case.
    let opened = block.stmts[..index].iter().rev().take_while(|stmt| site.is_own(stmt.id));
    let opened = opened.filter(|stmt| matches!(stmt.kind, StmtKind::Unfold(_))).last();
    let mut parts = vec![(stmt, stmt, "this statement")];
    if last.id != stmt.id {
        parts.push((stmt, last, "the rest of the block"));
    }
    parts.extend(opened.map(|opened| (opened, last, "the block from the unfold on")));
    let mut found = Vec::new();
    for condition in limits_of(site, location).into_iter().take(CONDITIONS) {
        for (first, last, what) in &parts {
            let (start, until) = (site.statement_start(first), site.span(last.id).end as usize);
            let Some(text) = site.text.get(start..until) else { continue };
            let indent = crate::text::indent(site.text, start);
            let body = text.replace('\n', "\n  ");
            let edit = Edit::replace(start, until, format!("if ({condition}) {{\n{indent}  {body}\n{indent}}}"));
            found.push(Candidate::new(Kind::Condition, format!("execute {what} only if {condition}"), vec![edit]));
        }
    }
    found
}

/// The conditions under which clauses and predicates provide a location, and that its receiver is not null.
fn limits_of(site: &Site<'_>, location: &str) -> Vec<String> {
    let program = site.program;
    let name = name(site, location);
    let mut found: Vec<String> = Vec::new();
    let mut add = |expr: ExprId, instantiate: &dyn Fn(&str) -> String| {
        if let ExprKind::Binary(BinaryOp::Implies, condition, body) = program.kind(expr)
            && let (Some(condition), Some(body)) = (site.said(*condition), site.said(*body))
            && words(body).any(|word| word == name)
        {
            let condition = instantiate(&one_line(condition));
            if !found.contains(&condition) {
                found.push(condition);
            }
        }
    };
    conjuncts(site).into_iter().for_each(|(expr, _)| add(expr, &|text| text.to_string()));
    for (id, instance) in site.instances() {
        let predicate = &program.predicates[id];
        let args = bare(&instance).split_once('(').and_then(|(_, rest)| rest.strip_suffix(')'));
        let args: Vec<String> = args.unwrap_or_default().split(',').map(|arg| arg.trim().to_string()).collect();
        let Some(body) = predicate.body.filter(|_| args.len() == predicate.params.len()) else { continue };
        let instantiate = |text: &str| crate::origin::replaced(site, text, &predicate.params, &args);
        program.conjuncts(body).into_iter().for_each(|(expr, _)| add(expr, &instantiate));
    }
    let receiver = match Site::field(location) {
        Some((receiver, _)) if site.instance(location).is_none() => receiver,
        _ => bare(location).split_once('(').and_then(|(_, args)| args.split([',', ')']).next()).unwrap_or_default(),
    };
    let checked = format!("{receiver} != null");
    if receiver.contains('.') && !receiver.contains(['(', '[']) && !found.contains(&checked) {
        found.push(checked);
    }
    found
}
