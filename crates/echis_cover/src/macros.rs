//! Unneeded conjuncts of expression macros that are assumed somewhere, and branches in them that no use takes.
//!
//! The text of a macro represents all its uses: a candidate changes it, and is confirmed if everything still verifies.

use crate::branches::{ALWAYS, NEVER, place, refused};
use crate::doubt::Doubt;
use crate::predicates::{field, read};
use crate::removal::removal;
use crate::{Candidate, Fix, Portion, Removal, WarningId, one_line};
use echis_base::{FileId, Name, SourceMap, Span, opened_at};
use echis_depend::{Construct, Nodes, UserId};
use echis_program::program::{BinaryOp, ExprId, ExprKind, Program, Quantifier};
use echis_program::reach::Member;
use std::collections::{BTreeMap, BTreeSet};

pub fn candidates(
    program: &Program,
    sources: &SourceMap,
    main: FileId,
    nodes: &Nodes,
    covered: &BTreeSet<UserId>,
) -> Vec<Candidate> {
    let mut text = MacroText { program, main, source: &sources.file(main).text, not_used: BTreeMap::new() };
    let (mut used, mut believed) = (BTreeSet::new(), BTreeSet::new());
    for (id, node) in nodes.all.iter() {
        let Some(expr) = node.expr else { continue };
        if let Some(span) = text.span(expr) {
            text.not_used.entry(span).or_insert(id);
            used.extend(covered.contains(&id).then_some(span));
        }
        let is_believed = match node.construct {
            Construct::Precondition => node.owner.has_body(program),
            Construct::Inhale | Construct::Invariant => true,
            _ => false,
        };
        if is_believed {
            program.visit(expr, |part| {
                believed.extend(text.span(part));
                true
            });
        }
    }
    text.not_used.retain(|span, _| !used.contains(span));
    let read = read(program);
    let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
    for member in Member::all(program) {
        let owner = member.name(program);
        for root in member.roots(program) {
            let conjunctions = conjunctions(program, root);
            program.visit(root, |expr| {
                let Some(span) = text.span(expr) else { return true };
                match program.kind(expr) {
                    ExprKind::Binary(BinaryOp::And, left, right) if conjunctions.contains(&expr) => {
                        for side in [*left, *right] {
                            // Permission to something that is read is usually needed to read it.
                            let is_kept = field(program, side).is_some_and(|field| read.contains(&field));
                            let is_conjunction = matches!(program.kind(side), ExprKind::Binary(BinaryOp::And, ..));
                            let side = text
                                .part(span, side)
                                .filter(|side| !is_kept && !is_conjunction && believed.contains(side));
                            found.extend(side.filter(|side| seen.insert(*side)).map(|side| text.unneeded(owner, side)));
                        }
                    }
                    ExprKind::Conditional(condition, then, otherwise) if program.is_pure(expr) => {
                        let condition = text.part(span, *condition);
                        for (branch, message) in [(*then, NEVER), (*otherwise, ALWAYS)] {
                            let branch = text.part(span, branch).filter(|branch| seen.insert(*branch));
                            let both = condition.zip(branch);
                            found.extend(both.map(|(at, branch)| text.not_taken(owner, at, branch, message)));
                        }
                    }
                    _ => {}
                }
                true
            });
        }
    }
    found
}

/// The conjunctions that hold if the expression does, or under some condition. Without a conjunct, an expression is
/// weaker; but without a conjunct of a condition, it is stronger.
fn conjunctions(program: &Program, root: ExprId) -> BTreeSet<ExprId> {
    let (mut found, mut pending) = (BTreeSet::new(), vec![root]);
    while let Some(expr) = pending.pop() {
        match program.kind(expr) {
            ExprKind::Binary(BinaryOp::And, left, right) => {
                found.insert(expr);
                pending.extend([*left, *right]);
            }
            ExprKind::Binary(BinaryOp::Or, left, right) | ExprKind::Conditional(_, left, right) => {
                pending.extend([*left, *right]);
            }
            ExprKind::Binary(BinaryOp::Implies, _, right) => pending.push(*right),
            ExprKind::Quantified { quantifier: Quantifier::Forall, body, .. }
            | ExprKind::Let { body, .. }
            | ExprKind::Unfolding { body, .. } => pending.push(*body),
            _ => {}
        }
    }
    found
}

struct MacroText<'a> {
    program: &'a Program,
    main: FileId,
    source: &'a str,
    /// Text that proofs use nowhere, with a node that stands for it.
    not_used: BTreeMap<Span, UserId>,
}

impl MacroText<'_> {
    /// Where the expression is written, if it comes from a macro of the main file.
    fn span(&self, expr: ExprId) -> Option<Span> {
        let node = self.program.syntax.node(self.program.expr(expr).id);
        node.macro_span.filter(|span| span.file == self.main && node.cause.is_none())
    }
    /// Where a part of an expression is written, unless it is an argument or another macro.
    fn part(&self, whole: Span, part: ExprId) -> Option<Span> {
        self.span(part).filter(|part| whole.contains(*part) && whole != *part)
    }
    fn unneeded(&self, owner: &Name, span: Span) -> Candidate {
        let (start, end) = (opened_at(self.source, span.start as usize, span.end as usize), span.end as usize);
        let written = self.source.get(start..end).unwrap_or_default();
        let message = format!("No proof needs the part {} of this macro.", one_line(written));
        let edits = vec![removal(self.source, start, end)];
        let fix = Some(Fix { edits: edits.clone(), removal: Removal::InThisProgram });
        let node = self.not_used.get(&span).copied();
        let span = Span::new(span.file, start as u32, span.end);
        let whole = Candidate::new(owner.clone(), WarningId::AssumptionUnused, message, span, edits);
        Candidate { node, portion: Portion::Part, fix, ..whole }
    }
    fn not_taken(&self, owner: &Name, condition: Span, branch: Span, message: &str) -> Candidate {
        let edits = refused(self.source, branch);
        let whole = Candidate::new(owner.clone(), WarningId::BranchUnreachable, message.to_string(), condition, edits);
        let doubt = Some(Doubt::Evaluated(place(self.source, branch)));
        Candidate { portion: Portion::Part, doubt, ..whole }
    }
}
