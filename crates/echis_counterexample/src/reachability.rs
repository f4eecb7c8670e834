//! Whether a counterexample is a state of an actual execution or one that contracts and invariants merely allow, and
//! where in the program its values can be assumed.

use super::{Account, Allowance, By, FailedObligation, Insertion};
use echis_base::{Name, Span, SyntaxId};
use echis_findings::diagnose::Place;
use echis_program::program::{Block, Method, Program, Stmt, StmtKind};
use echis_proof::{ProofTree, Step};
use echis_term::{Mark, SymbolRole, TermKind};
use std::collections::BTreeSet;

pub fn account(place: Place<'_>, tree: &ProofTree, failing: FailedObligation<'_>) -> Account {
    let program = place.program;
    let mut allowed: BTreeSet<Allowance> = BTreeSet::new();
    let passed: BTreeSet<SyntaxId> = failing.state.trace.iter().map(|written| written.at).collect();
    for method in program.methods.values().filter(|method| *method.name == **place.member) {
        if let Some(body) = &method.body {
            body.visit_stmts(&mut |stmt| {
                if matches!(stmt.kind, StmtKind::While { .. }) && passed.contains(&stmt.id) {
                    allowed.insert(Allowance::new(By::Invariant, program.syntax.span(stmt.id)));
                }
            });
        }
    }
    for node in tree.path(failing.at).filter(|node| matches!(tree.nodes[*node].step, Step::Assume { .. })) {
        let origin = tree.origin_of(node);
        let (clause, Some(site)) = (program.syntax.span(origin.clause), origin.site) else { continue };
        let is_post = |method: &&Method| {
            method.post.iter().any(|post| program.syntax.span(program.exprs[*post].id).contains(clause))
        };
        if let Some(method) = program.methods.values().find(is_post) {
            let by = By::Postcondition(method.name.to_string());
            allowed.insert(Allowance::new(by, program.syntax.span(site)));
        }
    }
    allowed.extend(functions(program, tree, failing));
    if allowed.is_empty() { Account::Run } else { Account::Allowed(allowed.into_iter().collect()) }
}

/// Functions without a body that the path or the failure mentions.
fn functions(program: &Program, tree: &ProofTree, failing: FailedObligation<'_>) -> BTreeSet<Allowance> {
    let facts = tree.path(failing.at).filter_map(|node| tree.fact(node)).chain([failing.goal]);
    let mut applied = BTreeSet::new();
    for fact in facts {
        tree.terms.for_each_subterm(fact, |term| {
            if let TermKind::App(symbol, _) = tree.terms.kind(term)
                && tree.terms.term(term).free.is_empty()
            {
                applied.insert(*symbol);
            }
        });
    }
    let names = applied.iter().filter_map(|symbol| match &tree.terms.symbol(*symbol).role {
        SymbolRole::Function(name)
        | SymbolRole::Limited(name)
        | SymbolRole::Precondition(name)
        | SymbolRole::Called(name)
        | SymbolRole::Mark(Mark::Paid, name) => Some(name),
        _ => None,
    });
    let names: BTreeSet<&Name> = names.collect();
    let of_functions = program.functions.values().filter(|function| function.body.is_none());
    of_functions
        .filter(|function| names.contains(&function.name))
        .map(|function| Allowance::new(By::Function(function.name.to_string()), program.syntax.span(function.id)))
        .collect()
}

/// The place where the values hold just before the failure: before a statement, at the end of a method's or loop's
/// body, or after the last precondition of a function.
pub fn insertion(place: Place<'_>, failed: SyntaxId, id: &str) -> Option<Insertion> {
    let program = place.program;
    let at = program.syntax.span(failed);
    if let Some(function) = program.functions.values().find(|function| *function.name == **place.member) {
        let last = program.syntax.span(program.exprs[*function.pre.last()?].id);
        let is_inside = program.syntax.span(function.id).contains(at) && last.end <= at.start;
        return is_inside.then(|| Insertion::Contract(after(last)));
    }
    let body = program.methods.values().find(|method| *method.name == **place.member)?.body.as_ref()?;
    let end = |block: &Block| Some(after(program.syntax.span(block.stmts.last()?.id)));
    let mut around: Option<&Stmt> = None;
    body.visit_stmts(&mut |stmt| {
        let span = program.syntax.span(stmt.id);
        if span.contains(at) && around.is_none_or(|known| program.syntax.span(known.id).contains(span)) {
            around = Some(stmt);
        }
    });
    let Some(stmt) = around else {
        return end(body).filter(|_| id.starts_with("postcondition")).map(Insertion::Statement);
    };
    let before = program.syntax.span(stmt.id);
    let before = Span::new(before.file, before.start, before.start);
    match &stmt.kind {
        StmtKind::While { body, .. } if id.contains("not.preserved") => end(body).map(Insertion::Statement),
        StmtKind::While { .. } if id.starts_with("invariant.not.established") => Some(Insertion::Statement(before)),
        // The state is that of an arbitrary iteration.
        StmtKind::While { .. } | StmtKind::Label { .. } => None,
        _ if id.starts_with("package") => Some(Insertion::Package(before)),
        _ => Some(Insertion::Statement(before)),
    }
}

fn after(span: Span) -> Span {
    Span::new(span.file, span.end, span.end)
}
