//! Prunes a Boogie program to the part that a proof needs. The result is verified before it is shown.
//!
//! Removed elements leave as little behind as possible: assumptions, assertions, clauses and axioms vanish,
//! conditions become `*`, and assigned or returned values become arbitrary.

use super::depend::BoogieDependencies;
use super::text::{body, condition, extent};
use super::walk::statements;
use crate::language::pruned_program::{Pruned, Repair, fails_as_before};
use echis_base::{Edit, FileId, Key, Span, SyntaxId, apply};
use echis_boogie::Program;
use echis_boogie::program::{Clause, Stmt, StmtKind, VarId};
use echis_depend::{EdgeFilter, UserId};
use echis_findings::{FileResult, FileVerdict, Finding};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// Prunes a program to what some nodes need. Failures of the whole program do not count.
pub(crate) fn prune(
    found: &BoogieDependencies,
    keep: &BTreeSet<UserId>,
    repair: Repair,
    verify: &dyn Fn(String) -> FileResult,
) -> Pruned {
    let pruning = Pruning { found, verify };
    let named = pruning.closed(keep.clone());
    let mut pruned = pruning.attempt(named.clone(), BTreeSet::new());
    while repair == Repair::Add
        && matches!(pruned.verdict, FileVerdict::Failed | FileVerdict::Undecided)
        && pruned.result.stopped.is_empty()
    {
        let more = pruned.missing(&found.view);
        if more.is_empty() {
            break;
        }
        let kept = pruning.closed(pruned.kept.iter().copied().chain(more).collect());
        let added = kept.difference(&named).copied().collect();
        pruned = pruning.attempt(kept, added);
    }
    pruned
}

/// The proved goals of a program: postconditions, invariants and assertions.
pub(crate) fn assertions(found: &BoogieDependencies) -> Vec<UserId> {
    let nodes = found.view.nodes.iter().filter(|node| node.goal && !node.failed);
    nodes.map(|node| node.id).filter(|id| found.graph.is_asserted(*id)).collect()
}

struct Pruning<'a> {
    found: &'a BoogieDependencies,
    /// Verifies another text in place of the program's.
    verify: &'a dyn Fn(String) -> FileResult,
}

impl Pruning<'_> {
    fn closed(&self, mut keep: BTreeSet<UserId>) -> BTreeSet<UserId> {
        keep.extend(self.found.graph.dependencies(keep.iter().copied(), EdgeFilter::All));
        keep
    }
    fn attempt(&self, kept: BTreeSet<UserId>, added: BTreeSet<UserId>) -> Pruned {
        let text = self.text(&kept);
        let result = (self.verify)(text.clone());
        let verdict = if self.fails_as_before(&result) { FileVerdict::Verified } else { result.verdict };
        Pruned { text, kept, added, only_hints: false, measures: false, result, verdict }
    }
    /// Whether the member has each failure in the whole program too.
    fn fails_as_before(&self, result: &FileResult) -> bool {
        let same = |error: &Finding, before: &Finding| {
            error.diagnostic.id == before.diagnostic.id && error.member == before.member
        };
        fails_as_before(result, &self.found.result, same)
    }

    fn text(&self, kept: &BTreeSet<UserId>) -> String {
        let program = &self.found.program;
        let mut cutter = Cutter { found: self.found, kept, edits: Vec::new() };
        for axiom in program.axioms.values() {
            cutter.remove(axiom.id);
        }
        for function in program.functions.values().filter(|function| function.body.is_some()) {
            cutter.function(function.id);
        }
        for procedure in program.procedures.values() {
            cutter.clauses(&procedure.requires);
            cutter.clauses(&procedure.ensures);
        }
        for implementation in program.implementations.values() {
            statements(&implementation.body).for_each(|stmt| cutter.stmt(program, stmt));
        }
        cutter.apply()
    }
}

struct Cutter<'a> {
    found: &'a BoogieDependencies,
    kept: &'a BTreeSet<UserId>,
    edits: Vec<Edit>,
}

impl Cutter<'_> {
    /// Whether it is a node to be removed.
    fn goes(&self, id: SyntaxId) -> bool {
        self.found.users.get(&id).is_some_and(|user| !self.kept.contains(user))
    }
    fn replace(&mut self, span: Span, text: impl Into<String>) {
        // Other files are not part of the program's own text.
        if span.file == FileId::new(0) {
            self.edits.push(Edit::replace(span.start as usize, span.end as usize, text));
        }
    }
    fn remove(&mut self, id: SyntaxId) {
        if self.goes(id) {
            let whole = extent(&self.found.program, id);
            // The keyword `free` precedes the clause.
            let before = &self.found.result.sources.file(whole.file).text[..whole.start as usize];
            let start = before.trim_end().strip_suffix("free").map_or(before.len(), str::len);
            self.replace(Span::new(whole.file, start as u32, whole.end), "");
        }
    }
    fn clauses(&mut self, clauses: &[Clause]) {
        clauses.iter().for_each(|clause| self.remove(clause.id));
    }
    fn function(&mut self, id: SyntaxId) {
        let sources = &self.found.result.sources;
        if self.goes(id)
            && let Some(span) = body(&self.found.program, sources, id)
        {
            let rest = &sources.file(span.file).text[span.end as usize..];
            let ends = !rest.trim_start().starts_with("uses");
            self.replace(span, if ends { ";" } else { "" });
        }
    }
    fn stmt(&mut self, program: &Program, stmt: &Stmt) {
        if let StmtKind::While { invariants, .. } = &stmt.kind {
            self.clauses(invariants);
        }
        if !self.goes(stmt.id) {
            return;
        }
        let whole = extent(program, stmt.id);
        match &stmt.kind {
            StmtKind::Assert(_) | StmtKind::Assume(_) => self.replace(whole, ""),
            StmtKind::Assign { targets, .. } => {
                let vars: Vec<VarId> = targets.iter().map(|target| target.var).collect();
                self.forget(program, whole, &vars);
            }
            StmtKind::Unpack { vars, .. } => self.forget(program, whole, vars),
            StmtKind::Call { procedure, outs, .. } => {
                let callee = &program.procedures[*procedure];
                let vars: Vec<VarId> = outs.iter().chain(&callee.modifies).copied().collect();
                self.replace(whole, havoc(program, &vars));
            }
            StmtKind::If { .. } | StmtKind::While { .. } => {
                if let Some(span) = condition(program, &self.found.result.sources, stmt.id) {
                    self.replace(span, "*");
                }
            }
            _ => {}
        }
    }
    /// Makes variables arbitrary. If a declaration restricts their values, the assigned one may violate that, so the
    /// assignment stays.
    fn forget(&mut self, program: &Program, whole: Span, vars: &[VarId]) {
        if vars.iter().all(|var| program.vars[*var].constraint.is_none()) {
            self.replace(whole, havoc(program, vars));
        }
    }

    fn apply(mut self) -> String {
        self.edits.sort_by_key(|edit| (edit.start, Reverse(edit.end)));
        let mut done = 0;
        // Those inside a range that is removed are dropped.
        self.edits.retain(|edit| {
            let is_apart = edit.start >= done;
            done = if is_apart { edit.end } else { done };
            is_apart
        });
        let main = self.found.result.sources.files().next();
        main.and_then(|(_, file)| apply(&self.edits, &file.text)).unwrap_or_default()
    }
}

fn havoc(program: &Program, vars: &[VarId]) -> String {
    let names: BTreeSet<&str> = vars.iter().map(|var| &*program.vars[*var].name).collect();
    if names.is_empty() {
        String::new()
    } else {
        format!("havoc {};", names.into_iter().collect::<Vec<_>>().join(", "))
    }
}
