//! Conjuncts that a clause may lack: from the program's own clauses, from the loop's condition, and from templates.

use crate::conjuncts::{Purity, conjuncts};
use crate::limits::POOL;
use crate::mirror::mirrored;
use crate::permission::comparison;
use crate::site::Site;
use crate::text::{one_line, parenthesized, renamed, unwrapped, without_parentheses, words};
use crate::{macros, origin, ranges};
use echis_program::program::{BinaryOp, Block, ExprId, ExprKind, Function, LocalId, Stmt, StmtKind, Type};
use std::collections::{BTreeMap, BTreeSet};

/// Variables of a loop that may divide a range.
const COUNTERS: usize = 3;

/// Conjuncts in order, each once.
#[derive(Default)]
pub(crate) struct Pool {
    pub conjuncts: Vec<String>,
}

impl Pool {
    fn add(&mut self, text: impl AsRef<str>) {
        let text = without_parentheses(&one_line(unwrapped(text.as_ref())));
        let is_trivial =
            [" <= ", " >= ", " == "].iter().any(|op| text.split_once(op).is_some_and(|(left, right)| left == right));
        if !text.is_empty() && text != "true" && !is_trivial && !self.conjuncts.contains(&text) {
            self.conjuncts.push(text);
        }
    }
    /// Keeps only suitable conjuncts, up to the limit.
    fn kept(mut self, fits: impl Fn(&String) -> bool) -> Self {
        self.conjuncts.retain(fits);
        self.conjuncts.truncate(POOL);
        self
    }
}

/// Conjuncts that the invariant of a loop may lack.
pub(crate) fn of_loop(site: &Site<'_>, stmt: &Stmt) -> Pool {
    let program = site.program;
    let mut pool = Pool::default();
    let StmtKind::While { condition, invariants, body, .. } = &stmt.kind else { return pool };
    let subject = site.subject().filter(|_| site.reason == "assertion.false");
    let written = written(body);
    let name = |local: &LocalId| &*program.locals[*local].name;
    let [pre, post] = site.clauses();
    // The goals, with the counter substituted for its bound.
    let bounds: Vec<(&str, &str)> = program
        .conjuncts(*condition)
        .into_iter()
        .filter_map(|(conjunct, _)| comparison(site, conjunct))
        .flat_map(|(left, _, right)| [(left, right), (right, left)])
        .filter(|(counter, _)| written.iter().any(|local| name(local) == *counter))
        .collect();
    // A bound may be a variable that stands for what the goals mention.
    let stands_for = |bound: &str| {
        let local = program.locals.iter().find(|(id, local)| *local.name == *bound && !written.contains(id));
        local.and_then(|(id, _)| initial(site, stmt, id))
    };
    let values: Vec<(&str, String)> =
        bounds.iter().filter_map(|(counter, bound)| Some((*counter, stands_for(bound)?))).collect();
    let bounds: Vec<(&str, &str)> =
        bounds.iter().copied().chain(values.iter().map(|(counter, value)| (*counter, &**value))).collect();
    let goals = subject.map(one_line).into_iter().chain(conjuncts(site, &post, Purity::Pure));
    let mut goals: Vec<String> = goals.flat_map(|goal| macros::expanded(site.text, &goal)).collect();
    goals.extend(before_assignments(site, stmt, &goals));
    for goal in &goals {
        for (counter, bound) in &bounds {
            let is_name = words(bound).count() == 1;
            let all = if is_name { renamed(goal, bound, counter) } else { goal.replace(bound, counter) };
            // The bound may have other occurrences: also replace one at a time.
            let one = if is_name { each_renamed(goal, bound, counter) } else { Vec::new() };
            for replaced in std::iter::once(all).chain(one) {
                let is_known = replaced.split(" <= ").collect::<Vec<_>>().windows(2).any(|sides| sides[0] == sides[1]);
                if replaced != *goal && !is_known {
                    pool.add(&replaced);
                }
            }
        }
    }
    let counters: Vec<&str> =
        written.iter().filter(|local| program.locals[**local].ty == Type::Int).map(name).take(COUNTERS).collect();
    goals.iter().flat_map(|goal| ranges::parts(goal, &counters)).for_each(|text| pool.add(text));
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
    receiver(site).into_iter().for_each(|text| pool.add(text));
    for goal in &goals {
        for (copy, param) in &copies {
            rest(goal, copy, param).into_iter().for_each(|text| pool.add(text));
        }
    }
    assigned(site, stmt, &written).into_iter().for_each(|text| pool.add(text));
    for local in written.iter().filter(|local| program.locals[**local].ty == Type::Int) {
        let name = name(local);
        pool.add(format!("0 <= {name}"));
        if let Some(value) = initial(site, stmt, *local) {
            pool.add(format!("{value} <= {name}"));
            pool.add(format!("{name} <= {value}"));
        }
    }
    let subjects = subject.into_iter().flat_map(|subject| macros::expanded(site.text, &one_line(subject)));
    subjects.for_each(|subject| pool.add(subject));
    subject.into_iter().for_each(|subject| pool.add(subject));
    origin::required(site, Some(body), &[]).into_iter().for_each(|text| pool.add(text));
    conjuncts(site, &pre, Purity::Any).into_iter().for_each(|text| pool.add(text));
    for other in loops(site) {
        if other.id != stmt.id {
            conjuncts(site, &other_invariants(other), Purity::Any).into_iter().for_each(|text| pool.add(text));
        }
    }
    conjuncts(site, &post, Purity::Any).into_iter().for_each(|text| pool.add(text));
    mirrored(site, &conjuncts(site, invariants, Purity::Pure)).into_iter().for_each(|text| pool.add(text));
    said_of_others(site, &written, subject).into_iter().for_each(|text| pool.add(text));
    // The loop forgets the values of locations it has permission to.
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
    between(site, stmt, &written).into_iter().for_each(|text| pool.add(text));
    // Invariants of similar loops in other methods.
    for method in program.methods.values() {
        if let Some(body) = &method.body {
            body.visit_stmts(&mut |other| {
                conjuncts(site, &other_invariants(other), Purity::Pure).into_iter().for_each(|text| pool.add(text));
            });
        }
    }
    let known: Vec<String> = conjuncts(site, invariants, Purity::Any);
    pool.kept(|text| !known.contains(text) && !words(text).any(|word| word == "result") && is_in_scope(site, text))
}

/// What is said of one variable that a loop writes, said of the others of the same type.
fn said_of_others(site: &Site<'_>, written: &BTreeSet<LocalId>, subject: Option<&str>) -> Vec<String> {
    let Some(subject) = subject.map(one_line) else { return Vec::new() };
    let local = |local: &LocalId| &site.program.locals[*local];
    let mut found = Vec::new();
    for one in written.iter().map(local).filter(|one| words(&subject).any(|word| word == &*one.name)) {
        let others = written.iter().map(local).filter(|other| other.ty == one.ty && other.name != one.name);
        found.extend(others.map(|other| renamed(&subject, &one.name, &other.name)).take(COUNTERS));
    }
    found
}

/// The receiver of a missing permission is not null: predicates often give nothing for null.
fn receiver(site: &Site<'_>) -> Option<String> {
    let location = site.subject().filter(|_| site.reason == "insufficient.permission")?;
    let (receiver, _) = Site::field(location).filter(|_| site.instance(location).is_none())?;
    (!receiver.contains(['(', '['])).then(|| format!("{receiver} != null"))
}

/// The goals, and what they imply in a case, with the values that are assigned behind the loop.
fn before_assignments(site: &Site<'_>, stmt: &Stmt, goals: &[String]) -> Vec<String> {
    let (program, end) = (site.program, site.span(stmt.id).end);
    let mut values: Vec<(String, String)> = Vec::new();
    if let Some(body) = site.method().and_then(|method| method.body.as_ref()) {
        body.visit_stmts(&mut |other| {
            if let StmtKind::Assign { target, value } = &other.kind
                && let Some(value) = site.said(*value).filter(|_| site.span(other.id).start >= end)
            {
                values.push((program.locals[*target].name.to_string(), one_line(value)));
            }
        });
    }
    let implied = goals.iter().filter_map(|goal| goal.split_once(" ==> "));
    let implied = implied.filter(|(condition, _)| !condition.contains("forall "));
    let implied: Vec<String> = implied.flat_map(|(_, goal)| macros::conjuncts(goal)).collect();
    let all = goals.iter().chain(&implied);
    let assigned = all.flat_map(|goal| {
        values.iter().map(move |(name, value)| renamed(goal, name, value)).filter(move |text| text != goal)
    });
    assigned.collect::<Vec<_>>().into_iter().chain(implied.clone()).collect()
}

/// What is computed so far and what is left make up the goal: `sum + (xs == null ? 0 : f(xs)) == f(ys)` for
/// `sum == f(ys)`, if the loop starts with `xs` equal to `ys`.
fn rest(goal: &str, copy: &str, param: &str) -> Option<String> {
    let (sum, whole) = goal.split_once(" == ").filter(|(sum, _)| words(sum).count() == 1)?;
    let value = whole.strip_prefix("old(").and_then(|rest| rest.strip_suffix(')')).unwrap_or(whole);
    let left = renamed(value, param, copy);
    (left != value).then(|| format!("{sum} + ({copy} == null ? 0 : {left}) == {whole}"))
}

/// The values last assigned to the variables that a loop writes, before the loop and in its body.
fn assigned(site: &Site<'_>, stmt: &Stmt, written: &BTreeSet<LocalId>) -> Vec<String> {
    let program = site.program;
    let place = site.span(stmt.id);
    let (mut before, mut inside) = (BTreeMap::new(), BTreeMap::new());
    if let Some(body) = site.method().and_then(|method| method.body.as_ref()) {
        body.visit_stmts(&mut |other| {
            let StmtKind::Assign { target, value } = &other.kind else { return };
            let (Some(text), true) = (site.said(*value).map(one_line), written.contains(target)) else { return };
            let name = &*program.locals[*target].name;
            let span = site.span(other.id);
            // A value that depends on the variable itself, or on those of the body, says nothing about it now.
            if words(&text).any(|word| word == name) {
                return;
            }
            if place.contains(span) {
                inside.insert(name, text);
            } else if span.end <= place.start {
                before.insert(name, text);
            }
        });
    }
    let all = inside.into_iter().chain(before).filter(|(_, value)| words(value).count() > 1 || value == "null");
    all.map(|(name, value)| format!("{name} == {}", parenthesized(&value))).collect()
}

/// Relations between the variables that a loop writes: which is larger, and which lengths are kept or equal.
fn between(site: &Site<'_>, stmt: &Stmt, written: &BTreeSet<LocalId>) -> Vec<String> {
    let program = site.program;
    let name = |local: &LocalId| &*program.locals[*local].name;
    let numbers: Vec<&LocalId> =
        written.iter().filter(|local| program.locals[**local].ty == Type::Int).take(3).collect();
    let mut found = Vec::new();
    for local in written.iter().filter(|local| matches!(program.locals[**local].ty, Type::Seq(_))) {
        let value = initial(site, stmt, *local).filter(|value| !value.contains('('));
        found.extend(value.map(|value| format!("|{}| == |{value}|", name(local))));
        found.extend(numbers.iter().map(|number| format!("|{}| == {}", name(local), name(number))));
    }
    for local in written.iter().filter(|local| matches!(program.locals[**local].ty, Type::Set(_))) {
        found.extend(initial(site, stmt, *local).map(|value| format!("{} subset {value}", name(local))));
    }
    for (index, first) in numbers.iter().enumerate() {
        for second in &numbers[index + 1..] {
            let (first, second) = (name(first), name(second));
            found.extend(["==", "<=", ">="].map(|op| format!("{first} {op} {second}")));
        }
    }
    found
}

/// Whether the names in a text are visible in the member: clauses of other members are about their own variables.
fn is_in_scope(site: &Site<'_>, text: &str) -> bool {
    let program = site.program;
    let own = site.text_of(site.id());
    words(text).all(|word| {
        word.starts_with(|c: char| c.is_ascii_digit())
            || words(own).any(|known| known == word)
            || program.functions.values().any(|function| &*function.name == word)
            || !program.locals.values().any(|local| &*local.name == word)
    })
}

/// Conjuncts that the precondition of the member may lack.
pub(crate) fn of_precondition(site: &Site<'_>) -> Pool {
    let program = site.program;
    let mut pool = Pool::default();
    let [pre, post] = site.clauses();
    if site.is_propagated() {
        let demanded = site.subject().map(|subject| macros::conjuncts(&one_line(subject)));
        demanded.into_iter().flatten().for_each(|conjunct| pool.add(conjunct));
    }
    let required = origin::required(
        site,
        site.method().and_then(|method| method.body.as_ref()),
        &[post.clone(), body(site)].concat(),
    );
    let mentioned =
        required.into_iter().chain(site.subject().filter(|_| site.error.starts_with("invariant.")).map(one_line));
    mentioned.filter_map(|text| origin::over_parameters(site, &text)).for_each(|text| pool.add(text));
    for stmt in loops(site) {
        conjuncts(site, &other_invariants(stmt), Purity::Pure).into_iter().for_each(|text| pool.add(text));
    }
    // Preconditions of other members about variables with the same names.
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
    for local in site.params().iter().filter(|local| program.locals[**local].ty == Type::Seq(Box::new(Type::Int))) {
        pool.add(sorted(&program.locals[*local].name));
    }
    predicates(site).into_iter().for_each(|text| pool.add(text));
    receiver(site).into_iter().for_each(|text| pool.add(text));
    // Requiring what is asserted would prove nothing.
    let asserted = site.subject().unwrap_or_default();
    different(site).into_iter().filter(|text| text != asserted).for_each(|text| pool.add(text));
    mirrored(site, &conjuncts(site, &pre, Purity::Pure)).into_iter().for_each(|text| pool.add(text));
    // Requiring the goal itself would be pointless.
    let known: Vec<String> = conjuncts(site, &[pre, post].concat(), Purity::Any);
    pool.kept(|text| {
        !known.contains(text)
            && site.is_about_parameters(text)
            && is_in_scope(site, text)
            && !words(text).any(|word| matches!(word, "old" | "result" | "perm"))
    })
}

/// That a sequence is sorted.
fn sorted(name: &str) -> String {
    let vars = [["i", "j"], ["k", "l"]].into_iter().find(|vars| !vars.contains(&name)).unwrap_or(["m", "n"]);
    let [i, j] = vars;
    format!("forall {i}: Int, {j}: Int :: 0 <= {i} && {i} < {j} && {j} < |{name}| ==> {name}[{i}] <= {name}[{j}]")
}

/// Parameters that are different references.
fn different(site: &Site<'_>) -> Vec<String> {
    let program = site.program;
    let is_ref = |local: &&LocalId| program.locals[**local].ty == Type::Ref;
    let names: Vec<&str> = site.params().iter().filter(is_ref).map(|local| &*program.locals[*local].name).collect();
    let mut found = Vec::new();
    for (index, first) in names.iter().enumerate().take(COUNTERS) {
        found.extend(names[index + 1..].iter().take(COUNTERS).map(|second| format!("{first} != {second}")));
    }
    found
}

/// Applications of Boolean functions to the parameters.
fn predicates(site: &Site<'_>) -> Vec<String> {
    let program = site.program;
    let mut found = Vec::new();
    // A function without a definition says nothing.
    let is_defined = |function: &&Function| function.result == Type::Bool && function.body.is_some();
    for function in program.functions.values().filter(is_defined) {
        let choices = function.params.iter().map(|param| {
            let ty = &program.locals[*param].ty;
            let fitting = site.params().iter().filter(move |own| program.locals[**own].ty == *ty);
            fitting.map(|own| &*program.locals[*own].name).take(2).collect::<Vec<_>>()
        });
        let mut applications: Vec<Vec<&str>> = vec![Vec::new()];
        for choice in choices {
            let pairs = applications.iter().flat_map(|args| choice.iter().map(move |arg| (args, arg)));
            applications = pairs.map(|(args, arg)| [&args[..], &[*arg]].concat()).take(4).collect();
        }
        found.extend(applications.into_iter().map(|args| format!("{}({})", function.name, args.join(", "))));
    }
    found
}

/// The body of the function.
fn body(site: &Site<'_>) -> Vec<ExprId> {
    site.function().and_then(|function| function.body).into_iter().collect()
}

/// The text with one occurrence of a name replaced, for each occurrence if there are several.
fn each_renamed(text: &str, from: &str, to: &str) -> Vec<String> {
    let places: Vec<usize> = text.match_indices(from).map(|(at, _)| at).collect();
    let one = |at: &usize| {
        let (before, rest) = text.split_at(*at);
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$' | '.');
        let whole = !before.ends_with(is_part) && !rest[from.len()..].starts_with(|c: char| c != '.' && is_part(c));
        whole.then(|| format!("{before}{to}{}", &rest[from.len()..]))
    };
    if places.len() > 1 { places.iter().filter_map(one).collect() } else { Vec::new() }
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

/// Weaker conditions that still hold after the loop.
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

/// The last value assigned to a variable before a loop.
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
