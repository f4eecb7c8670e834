//! Conjuncts that may be what a clause lacks: from the program's own clauses, from the loop's condition, and from templates.

use crate::limits::POOL;
use crate::permission::comparison;
use crate::site::{Site, one_line, renamed, words};
use echis_program::program::{BinaryOp, Block, ExprId, ExprKind, LocalId, Stmt, StmtKind, Type};
use std::collections::BTreeSet;

/// Conjuncts in order, each once.
#[derive(Default)]
pub(crate) struct Pool {
    pub conjuncts: Vec<String>,
}

impl Pool {
    fn add(&mut self, text: impl AsRef<str>) {
        let text = one_line(text.as_ref());
        if !text.is_empty() && text != "true" && !self.conjuncts.contains(&text) && self.conjuncts.len() < POOL {
            self.conjuncts.push(text);
        }
    }
}

/// What the invariant of a loop may lack.
pub(crate) fn of_loop(site: &Site<'_>, stmt: &Stmt) -> Pool {
    let program = site.program;
    let mut pool = Pool::default();
    let StmtKind::While { condition, invariants, body, .. } = &stmt.kind else { return pool };
    let subject = site.subject().filter(|_| site.reason == "assertion.false");
    let written = written(body);
    let name = |local: &LocalId| &*program.locals[*local].name;
    let [pre, post] = site.clauses();
    // What is to be shown, with the counter in the place of its bound.
    let bounds: Vec<(&str, &str)> = program
        .conjuncts(*condition)
        .into_iter()
        .filter_map(|(conjunct, _)| comparison(site, conjunct))
        .flat_map(|(left, _, right)| [(left, right), (right, left)])
        .filter(|(counter, _)| written.iter().any(|local| name(local) == *counter))
        .collect();
    let goals: Vec<String> = subject.map(one_line).into_iter().chain(conjuncts(site, &post, Purity::Pure)).collect();
    for goal in &goals {
        for (counter, bound) in &bounds {
            let is_name = words(bound).count() == 1;
            let replaced = if is_name { renamed(goal, bound, counter) } else { goal.replace(bound, counter) };
            let is_known = replaced.split(" <= ").collect::<Vec<_>>().windows(2).any(|sides| sides[0] == sides[1]);
            if replaced != *goal && !is_known {
                pool.add(&replaced);
            }
        }
    }
    // What is computed of the variables is what was to be computed of the parameters.
    let copies: Vec<(&str, &str)> = written
        .iter()
        .filter_map(|local| Some((name(local), initial(site, stmt, *local)?)))
        .filter_map(|(copy, value)| Some((copy, site.params().iter().map(name).find(|param| *param == value)?)))
        .collect();
    if !copies.is_empty() {
        for application in applications(site, &post) {
            let moved = copies.iter().fold(application.clone(), |text, (copy, param)| renamed(&text, param, copy));
            if moved != application {
                pool.add(format!("{moved} == {application}"));
            }
        }
    }
    for conjunct in program.conjuncts(*condition) {
        weaker(site, conjunct.0).into_iter().for_each(|text| pool.add(text));
    }
    for local in written.iter().filter(|local| program.locals[**local].ty == Type::Int) {
        let name = name(local);
        pool.add(format!("0 <= {name}"));
        if let Some(value) = initial(site, stmt, *local) {
            pool.add(format!("{value} <= {name}"));
            pool.add(format!("{name} <= {value}"));
        }
    }
    subject.into_iter().for_each(|subject| pool.add(subject));
    conjuncts(site, &pre, Purity::Any).into_iter().for_each(|text| pool.add(text));
    for other in loops(site) {
        if other.id != stmt.id {
            conjuncts(site, &other_invariants(other), Purity::Any).into_iter().for_each(|text| pool.add(text));
        }
    }
    conjuncts(site, &post, Purity::Any).into_iter().for_each(|text| pool.add(text));
    // The loop forgets the values of what it has permission to.
    for location in locations(site, &[invariants.clone(), pre].concat()) {
        pool.add(format!("{location} == old({location})"));
    }
    for local in written.iter().filter(|local| program.locals[**local].ty == Type::Ref) {
        pool.add(format!("{} != null", name(local)));
    }
    let of_type =
        |wanted: Type| site.params().iter().filter(move |local| program.locals[**local].ty == wanted).map(name);
    for local in written.iter().filter(|local| program.locals[**local].ty == Type::Int) {
        for bound in of_type(Type::Int).take(3) {
            pool.add(format!("{} <= {bound}", name(local)));
        }
        let is_sequence = |local: &&LocalId| matches!(program.locals[**local].ty, Type::Seq(_));
        for sequence in site.params().iter().filter(is_sequence).take(2) {
            pool.add(format!("{} <= |{}|", name(local), name(sequence)));
        }
    }
    let known: Vec<String> = conjuncts(site, invariants, Purity::Any);
    pool.conjuncts.retain(|text| !known.contains(text) && !words(text).any(|word| word == "result"));
    pool
}

/// What the precondition of the member may lack.
pub(crate) fn of_precondition(site: &Site<'_>) -> Pool {
    let program = site.program;
    let mut pool = Pool::default();
    let [pre, post] = site.clauses();
    if site.is_propagated() {
        site.subject().into_iter().for_each(|subject| pool.add(subject));
    }
    for stmt in loops(site) {
        conjuncts(site, &other_invariants(stmt), Purity::Pure).into_iter().for_each(|text| pool.add(text));
    }
    // What others require of things with the same names.
    let functions = program.functions.values().map(|function| &function.pre);
    for clauses in functions.chain(program.methods.values().map(|method| &method.pre)) {
        conjuncts(site, clauses, Purity::Pure).into_iter().for_each(|text| pool.add(text));
    }
    for local in site.params() {
        let (name, ty) = (&*program.locals[*local].name, &program.locals[*local].ty);
        match ty {
            Type::Int => {
                pool.add(format!("0 <= {name}"));
                pool.add(format!("0 < {name}"));
            }
            Type::Ref => pool.add(format!("{name} != null")),
            Type::Seq(_) => pool.add(format!("0 < |{name}|")),
            _ => {}
        }
    }
    // Who requires what is to be shown shows nothing.
    let known: Vec<String> = conjuncts(site, &[pre, post].concat(), Purity::Any);
    let fits = |text: &String| {
        !known.contains(text)
            && site.is_about_parameters(text)
            && !words(text).any(|word| matches!(word, "old" | "result" | "perm"))
    };
    pool.conjuncts.retain(fits);
    pool
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purity {
    Pure,
    Any,
}

/// The conjuncts of clauses as they are written.
pub(crate) fn conjuncts(site: &Site<'_>, clauses: &[ExprId], purity: Purity) -> Vec<String> {
    let program = site.program;
    let all = clauses.iter().flat_map(|clause| program.conjuncts(*clause));
    let all = all.filter(|(conjunct, _)| purity == Purity::Any || program.is_pure(*conjunct));
    all.filter_map(|(conjunct, _)| site.said(conjunct)).map(one_line).collect()
}

/// The applications of functions in clauses.
fn applications(site: &Site<'_>, clauses: &[ExprId]) -> Vec<String> {
    let program = site.program;
    let mut found = Vec::new();
    for clause in clauses {
        program.visit(*clause, |expr| {
            if matches!(program.kind(expr), ExprKind::FunctionApp { .. } | ExprKind::DomainApp { .. }) {
                found.extend(site.said(expr).map(one_line));
            }
            true
        });
    }
    found
}

/// The locations that clauses give permission to.
fn locations(site: &Site<'_>, clauses: &[ExprId]) -> BTreeSet<String> {
    let program = site.program;
    let mut found = BTreeSet::new();
    for (conjunct, _) in clauses.iter().flat_map(|clause| program.conjuncts(*clause)) {
        if let ExprKind::Acc { location: echis_program::program::Location::Field { .. }, location_id, .. } =
            program.kind(conjunct)
            && site.said(conjunct).is_some()
        {
            found.insert(one_line(site.text_of(*location_id)));
        }
    }
    found
}

/// What holds of a condition also when the loop has ended.
fn weaker(site: &Site<'_>, conjunct: ExprId) -> Vec<String> {
    let Some((left, op, right)) = comparison(site, conjunct) else { return Vec::new() };
    match op {
        BinaryOp::Lt => vec![format!("{left} <= {right}")],
        BinaryOp::Gt => vec![format!("{left} >= {right}")],
        BinaryOp::Le => vec![format!("{left} <= {right} + 1")],
        BinaryOp::Ge => vec![format!("{left} + 1 >= {right}")],
        BinaryOp::Ne => vec![format!("{left} <= {right}"), format!("{left} >= {right}")],
        _ => Vec::new(),
    }
}

/// What a variable is assigned last before a loop.
fn initial(site: &Site<'_>, stmt: &Stmt, local: LocalId) -> Option<String> {
    let start = site.span(stmt.id).start;
    let mut value = None;
    site.method()?.body.as_ref()?.visit_stmts(&mut |other| {
        if let StmtKind::Assign { target, value: assigned } = &other.kind
            && *target == local
            && site.span(other.id).end <= start
        {
            value = site.said(*assigned).map(one_line).filter(|text| words(text).count() <= 2);
        }
    });
    value.filter(|value| value != "0")
}

/// The variables that a loop writes.
pub(crate) fn written(body: &Block) -> BTreeSet<LocalId> {
    let mut written = BTreeSet::new();
    body.visit_stmts(&mut |stmt| written.extend(stmt.kind.written()));
    body.visit_stmts(&mut |stmt| {
        stmt.kind.blocks().into_iter().flat_map(|block| &block.locals).for_each(|local| {
            written.remove(local);
        });
    });
    body.locals.iter().for_each(|local| {
        written.remove(local);
    });
    written
}

fn loops<'a>(site: &Site<'a>) -> Vec<&'a Stmt> {
    let mut found = Vec::new();
    if let Some(body) = site.method().and_then(|method| method.body.as_ref()) {
        body.visit_stmts(&mut |stmt| found.extend(matches!(stmt.kind, StmtKind::While { .. }).then_some(stmt)));
    }
    found
}

fn other_invariants(stmt: &Stmt) -> Vec<ExprId> {
    if let StmtKind::While { invariants, .. } = &stmt.kind { invariants.clone() } else { Vec::new() }
}
