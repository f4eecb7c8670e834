//! Conditions in predicates that contradict the rest of the predicate, such as `x.f < 0` in
//! `acc(x.f) && x.f >= 0 && (x.f < 0 ==> x.f == 7)`.

use crate::branches::is_written;
use crate::parts::range;
use echis_base::{Edit, FileId, Name, SourceMap, Span, fresh};
use echis_program::program::{BinaryOp, ExprId, ExprKind, Predicate, Program};

/// A condition that may never hold together with its predicate; confirmed by a method that inhales the body.
pub struct Condition {
    pub predicate: Name,
    /// The whole predicate.
    pub scope: Span,
    pub span: Span,
    pub message: &'static str,
    /// The method, up to the statement to be checked under the condition.
    before: String,
    /// The end of the method.
    after: String,
}

impl Condition {
    /// The method with the given statement, and the statement's position.
    pub fn method(&self, says: &str) -> (String, usize) {
        (format!("{}{says}{}\n", self.before, self.after), self.before.len())
    }
    /// An edit that confirms, if the program verifies with it, that the condition never holds.
    pub fn evidence(&self, source: &str) -> Edit {
        Edit::insert(source.len(), self.method("assert false").0)
    }
}

/// The conditions of all predicates in the main file.
pub fn conditions(program: &Program, sources: &SourceMap, main: FileId) -> Vec<Condition> {
    let source = &*sources.file(main).text;
    let name = fresh(source, "condition");
    let mut found = Vec::new();
    for predicate in program.predicates.values() {
        let scope = program.syntax.span(predicate.id);
        let Some(body) = predicate.body.filter(|body| scope.file == main && is_written(program, *body)) else {
            continue;
        };
        let Some(header) = header(sources.text(scope), predicate, body, program, source) else { continue };
        for (condition, holds, outer) in distinguished(program, body) {
            let message = match holds {
                true => "This condition never holds: the rest of the predicate excludes it.",
                false => "This condition always holds: the rest of the predicate implies it.",
            };
            let cases = outer.into_iter().chain([(condition, holds)]);
            let cases: Vec<String> = cases.map(|(condition, holds)| case(program, source, condition, holds)).collect();
            let (before, after) =
                (format!("\nmethod {name}{}{header}{}", found.len(), cases.concat()), " }".repeat(cases.len() + 1));
            let span = program.syntax.span(program.expr(condition).id);
            found.push(Condition { predicate: predicate.name.clone(), scope, span, message, before, after });
        }
    }
    found
}

/// The parameters of a method for a predicate, and the start of its body.
fn header(text: &str, predicate: &Predicate, body: ExprId, program: &Program, source: &str) -> Option<String> {
    // Types contain no parentheses.
    let (_, behind) = text.split_once('(')?;
    let (params, _) = behind.split_once(')')?;
    let (start, end) = range(program, source, body);
    let is_whole = !predicate.params.is_empty() || params.trim().is_empty();
    is_whole.then(|| format!("({params}) {{ inhale {} ", source.get(start..end).unwrap_or_default()))
}

/// The start of a branch that is taken where the condition holds, or where it does not.
fn case(program: &Program, source: &str, condition: ExprId, holds: bool) -> String {
    let (start, end) = range(program, source, condition);
    let not = if holds { "" } else { "!" };
    format!("if ({not}({})) {{ ", source.get(start..end).unwrap_or_default())
}

/// A condition, and whether it holds.
type Case = (ExprId, bool);

/// The conditions of conjuncts, each with whether its positive or negative case is meant, and with the cases in which the
/// conjunct matters.
fn distinguished(program: &Program, body: ExprId) -> Vec<(ExprId, bool, Vec<Case>)> {
    let mut found = Vec::new();
    let mut pending: Vec<(ExprId, Vec<Case>)> = vec![(body, Vec::new())];
    while let Some((expr, outer)) = pending.pop() {
        if !is_written(program, expr) {
            continue;
        }
        let within = |case: Case| outer.iter().copied().chain([case]).collect();
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => pending.extend([(*right, outer.clone()), (*left, outer)]),
            ExprKind::Binary(BinaryOp::Implies, condition, right) if is_written(program, *condition) => {
                pending.push((*right, within((*condition, true))));
                found.push((*condition, true, outer));
            }
            ExprKind::Conditional(condition, then, otherwise) if is_written(program, *condition) => {
                pending.push((*otherwise, within((*condition, false))));
                pending.push((*then, within((*condition, true))));
                found.extend([(*condition, true, outer.clone()), (*condition, false, outer)]);
            }
            _ => {}
        }
    }
    found
}
