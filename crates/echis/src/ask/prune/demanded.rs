//! Builds a program in which a node provides nothing but all demands are unchanged. A dependency is a fact that a
//! proof needs. Removing the node from the text may remove more: its own demands, what callers of a clause must
//! prove, the permission that a call takes. Also, a variable that is not assigned keeps its old value, which is
//! another fact.

use super::Pruning;
use super::predicate_bodies::staying;
use echis_base::{Edit, Span, SyntaxId, apply, fresh, moved};
use echis_cover::{havoc, removal};
use echis_depend::{Construct, Owner, UserId};
use echis_findings::FileVerdict;
use echis_program::program::{ExprKind, Program, Stmt, StmtKind};
use echis_program::reach::Member;
use std::collections::BTreeSet;

impl Pruning<'_> {
    /// Adds the preconditions of everything called or applied. Some are not needed otherwise, but a call demands all
    /// of them.
    pub(super) fn with_demands(&self, kept: &BTreeSet<UserId>) -> BTreeSet<UserId> {
        let mut kept = kept.clone();
        loop {
            let called = self.called(&kept);
            let nodes = self.found.nodes.all.iter();
            let demanded = nodes
                .filter(|(_, node)| node.construct == Construct::Precondition && called.contains(&node.owner))
                .map(|(user, _)| user);
            let more = self.closed(kept.iter().copied().chain(demanded).collect());
            if more == kept {
                return kept;
            }
            kept = more;
        }
    }
    /// The methods and functions that the kept nodes call or apply.
    fn called(&self, kept: &BTreeSet<UserId>) -> BTreeSet<Owner> {
        let program = &self.found.program;
        let mut called = BTreeSet::new();
        for expr in staying(self.found, kept).0 {
            program.visit(expr, |expr| {
                if let ExprKind::FunctionApp { function, .. } = program.kind(expr) {
                    called.insert(Owner::Function(*function));
                }
                true
            });
        }
        let statements = kept.iter().filter_map(|user| self.found.nodes.all[*user].statement);
        let statements: BTreeSet<SyntaxId> = statements.collect();
        for body in program.methods.values().filter_map(|method| method.body.as_ref()) {
            body.visit_stmts(&mut |stmt| {
                if let StmtKind::Call { method, .. } = &stmt.kind
                    && statements.contains(&stmt.id)
                {
                    called.insert(Owner::Method(*method));
                }
            });
        }
        called
    }
    /// Verifies the program without the facts that some nodes of one text provide, if it can be built.
    pub(super) fn verdict_without_gifts(&self, users: &[UserId], kept: &BTreeSet<UserId>) -> Option<FileVerdict> {
        let text = self.without_gifts(users, kept)?;
        let result = self.verify(text);
        Some(if self.fails_as_before(&result) { FileVerdict::Verified } else { result.verdict })
    }
    fn without_gifts(&self, users: &[UserId], kept: &BTreeSet<UserId>) -> Option<String> {
        let node = &self.found.nodes.all[*users.first()?];
        let span = self.span(node);
        let cut = self.edits(kept);
        let checked = self.verification.checked().edited(&cut)?;
        let (program, (main, file)) = (checked.viper()?, checked.sources().files().next()?);
        let start = u32::try_from(moved(&cut, span.start as usize)?).ok()?;
        let place = Span { file: main, start, end: start + span.end - span.start };
        let edits = match node.construct {
            Construct::Precondition => unassumed(program, &file.text, place)?,
            Construct::Assignment | Construct::Call | Construct::Rewrite => {
                let stmt = statement(program, place)?;
                havoc(program, checked.sources(), &file.text, stmt)?
            }
            _ => {
                let left = kept.iter().filter(|user| !users.contains(user)).copied().collect();
                return Some(self.text(&left));
            }
        };
        apply(&edits, &file.text)
    }
}

fn statement(program: &Program, place: Span) -> Option<&Stmt> {
    let mut found = None;
    for body in program.methods.values().filter_map(|method| method.body.as_ref()) {
        body.visit_stmts(&mut |stmt| {
            let span = program.syntax.span(stmt.id);
            if (span.file, span.start) == (place.file, place.start) && found.is_none() {
                found = Some(stmt);
            }
        });
    }
    found
}

/// A second copy of the member without the clause: all calls of the member, including recursive ones, go to the first
/// one.
fn unassumed(program: &Program, source: &str, clause: Span) -> Option<Vec<Edit>> {
    let mut spans = Member::all(program).map(|member| (program.syntax.span(member.id(program)), member.name(program)));
    let (span, name) = spans.find(|(span, _)| span.contains(clause))?;
    let (start, end) = (span.start as usize, span.end as usize);
    let edit = removal(source, clause.start as usize, clause.end as usize);
    let named = start + source.get(start..end)?.find(&format!(" {name}"))? + 1;
    let name = Edit::replace(named, named + name.len(), fresh(source, &format!("{name}_not_told")));
    let copied = apply(&[name, edit], source)?;
    // Everything before and after the member is unchanged.
    let copied = copied.get(start..copied.len() - (source.len() - end))?;
    Some(vec![Edit::insert(source.len(), format!("\n{copied}\n"))])
}
