//! The location of an error: the member, the enclosing statements, and the subject, in terms of the member.

use crate::text::{bare, indent, one_line, unannotated, unwrapped, words};
use crate::{Kind, macros};
use echis::coverage::Edit;
use echis::{Checked, Finding, SourceMap, Span};
use echis_base::{FileId, SyntaxId};
use echis_program::program::{
    Block, ExprId, ExprKind, Function, LocalId, Location, Method, Predicate, PredicateId, Program, Stmt, StmtKind,
};
pub(crate) use echis_program::reach::Member;
use std::collections::BTreeSet;

/// A verification error in the main file.
pub(crate) struct Site<'a> {
    pub program: &'a Program,
    pub sources: &'a SourceMap,
    pub main: FileId,
    pub text: &'a str,
    pub member: Member,
    /// The two parts of the error's id.
    pub error: &'a str,
    pub reason: &'a str,
    /// The subject of the reason.
    subject: Option<&'a str>,
    /// If that is a use of a macro: what it stands for.
    expanded: Option<String>,
    /// The range where it is reported, and the range of the subject.
    pub at: Span,
    pub about: Span,
    /// The enclosing statements, outermost first.
    pub around: Vec<&'a Stmt>,
}

impl<'a> Site<'a> {
    /// Returns `None` for errors that cannot be fixed here: they are in a macro or an imported file.
    pub fn new(checked: &'a Checked, finding: &'a Finding) -> Option<Self> {
        let program = &**checked.viper()?;
        let sources = &**checked.sources();
        let (main, file) = sources.files().next()?;
        let (error, reason) = finding.diagnostic.id.split_once(':')?;
        let at = finding.diagnostic.span?;
        let about = finding.nodes.as_ref().map_or(at, |nodes| nodes.reason.span);
        let member = member(program, finding.member.as_deref()?)?;
        let subject = finding.subject.as_deref();
        let expanded = subject.zip(finding.reason.as_deref());
        let expanded = expanded.and_then(|(usage, reason)| macros::meant(&file.text, usage, reason));
        let mut site = Site {
            program,
            sources,
            main,
            text: &file.text,
            member,
            error,
            reason,
            subject,
            expanded,
            at,
            about,
            around: Vec::new(),
        };
        if at.file != main || !site.span(site.id()).contains(at) {
            return None;
        }
        site.around =
            site.method().and_then(|method| method.body.as_ref()).map_or_else(Vec::new, |body| site.chain(body));
        Some(site)
    }
    pub fn span(&self, id: SyntaxId) -> Span {
        self.program.syntax.span(id)
    }
    /// The node of the member.
    pub fn id(&self) -> SyntaxId {
        self.member.id(self.program)
    }
    pub fn method(&self) -> Option<&'a Method> {
        if let Member::Method(id) = self.member { Some(&self.program.methods[id]) } else { None }
    }
    pub fn function(&self) -> Option<&'a Function> {
        if let Member::Function(id) = self.member { Some(&self.program.functions[id]) } else { None }
    }
    pub fn predicate(&self) -> Option<&'a Predicate> {
        if let Member::Predicate(id) = self.member { Some(&self.program.predicates[id]) } else { None }
    }
    pub fn name(&self) -> &'a str {
        self.member.name(self.program)
    }
    /// The term that is missing, false or out of range: source text in terms of the member.
    pub fn subject(&self) -> Option<&str> {
        const REASONS: [&str; 7] = [
            "insufficient.permission",
            "assertion.false",
            "division.by.zero",
            "seq.index.negative",
            "seq.index.length",
            "map.key.contains",
            "wand.not.found",
        ];
        let found = self.subject.filter(|_| REASONS.contains(&self.reason))?;
        let is_meant = self.reason == "insufficient.permission" || self.is_propagated();
        let found = self.expanded.as_deref().filter(|_| is_meant).unwrap_or(found);
        let found = unwrapped(unannotated(found.trim()));
        let shown = !found.contains(" (where ") && !found.contains('…') && !found.is_empty();
        shown.then_some(found)
    }
    /// Whether the failing condition may be required of callers: it is another member's precondition. An assertion
    /// that is required is no longer proved.
    pub fn is_propagated(&self) -> bool {
        let errors = ["call.precondition", "application.precondition", "function.not.wellformed", "not.wellformed"];
        self.reason == "assertion.false" && errors.contains(&self.error)
    }
    /// The innermost enclosing statement.
    pub fn statement(&self) -> Option<&'a Stmt> {
        self.around.last().copied()
    }
    /// The innermost enclosing loop.
    pub fn enclosing_loop(&self) -> Option<&'a Stmt> {
        self.around.iter().rev().find(|stmt| matches!(stmt.kind, StmtKind::While { .. })).copied()
    }
    /// All loops of the method that end before the error.
    pub fn loops_before(&self) -> Vec<&'a Stmt> {
        let mut found = Vec::new();
        let Some(body) = self.method().and_then(|method| method.body.as_ref()) else { return found };
        let place = if self.is_at_end() { u32::MAX } else { self.at.start };
        body.visit_stmts(&mut |stmt| {
            if matches!(stmt.kind, StmtKind::While { .. }) && self.span(stmt.id).end <= place && self.is_own(stmt.id) {
                found.push(stmt);
            }
        });
        found
    }
    /// Whether the error is about the final state of the body.
    pub fn is_at_end(&self) -> bool {
        self.error == "postcondition.violated"
    }
    /// Whether an invariant does not hold.
    pub fn is_about_invariant(&self) -> bool {
        matches!(self.error, "invariant.not.established" | "invariant.not.preserved")
    }
    /// Whether the failing expression is defined, but false.
    pub fn is_defined(&self) -> bool {
        self.is_about_invariant() || self.is_at_end()
    }
    /// Whether the error is in a clause of the member's contract, or about one.
    pub fn is_in_contract(&self) -> bool {
        self.around.is_empty() && self.method().is_some() && !self.is_at_end()
    }
    /// Whether a node is written in the member itself, not in a macro.
    pub fn is_own(&self, id: SyntaxId) -> bool {
        let node = self.program.syntax.node(id);
        node.macro_span.is_none() && node.macro_use.is_none() && self.span(self.id()).contains(node.span)
    }
    /// The text of an expression, if it is written in the main file.
    pub fn said(&self, expr: ExprId) -> Option<&'a str> {
        let id = self.program.expr(expr).id;
        let node = self.program.syntax.node(id);
        let written = node.span.file == self.main && node.macro_span.is_none() && node.macro_use.is_none();
        let text = unannotated(self.sources.text(node.span));
        (written && !text.is_empty()).then_some(text)
    }
    /// The text of an expression; of what a macro stands for, the use of the macro.
    pub fn used(&self, expr: ExprId) -> Option<&'a str> {
        let node = self.program.syntax.node(self.program.expr(expr).id);
        let is_use = node.macro_span.is_some() && node.macro_use.is_none() && node.span.file == self.main;
        self.said(expr).or_else(|| is_use.then(|| self.sources.text(node.span)))
    }
    /// What an expression says; of a use of a macro, in the words of its definition.
    pub fn meant(&self, expr: ExprId) -> &'a str {
        let node = self.program.syntax.node(self.program.expr(expr).id);
        self.sources.text(node.macro_span.unwrap_or(node.span))
    }
    /// The text of a node.
    pub fn text_of(&self, id: SyntaxId) -> &'a str {
        self.sources.text(self.span(id))
    }
    /// All expressions of the member, clauses first.
    pub fn expressions(&self) -> Vec<ExprId> {
        let mut roots: Vec<ExprId> = self.clauses().into_iter().flatten().collect();
        match self.member {
            Member::Method(id) => {
                if let Some(body) = &self.program.methods[id].body {
                    body.visit_stmts(&mut |stmt| roots.extend(stmt.kind.roots()));
                }
            }
            Member::Function(id) => roots.extend(self.program.functions[id].body),
            Member::Predicate(id) => roots.extend(self.program.predicates[id].body),
        }
        let mut all = Vec::new();
        for root in roots {
            self.program.visit(root, |expr| {
                all.push(expr);
                true
            });
        }
        all
    }
    /// Preconditions and postconditions.
    pub fn clauses(&self) -> [Vec<ExprId>; 2] {
        match self.member {
            Member::Method(id) => [self.program.methods[id].pre.clone(), self.program.methods[id].post.clone()],
            Member::Function(id) => [self.program.functions[id].pre.clone(), self.program.functions[id].post.clone()],
            Member::Predicate(_) => [Vec::new(), Vec::new()],
        }
    }
    /// The kind of change for the clause at a position.
    pub fn kind_of(&self, span: Span) -> Kind {
        let holds =
            |clauses: &[ExprId]| clauses.iter().any(|clause| self.span(self.program.expr(*clause).id).contains(span));
        match self.clauses() {
            _ if self.predicate().is_some() => Kind::Predicate,
            [pre, _] if holds(&pre) => Kind::Precondition,
            [_, post] if holds(&post) => Kind::Postcondition,
            _ => Kind::Invariant,
        }
    }
    pub fn params(&self) -> &'a [LocalId] {
        match self.member {
            Member::Method(id) => &self.program.methods[id].params,
            Member::Function(id) => &self.program.functions[id].params,
            Member::Predicate(id) => &self.program.predicates[id].params,
        }
    }
    /// Whether a text mentions only parameters of the member.
    pub fn is_about_parameters(&self, text: &str) -> bool {
        let Some(method) = self.method() else { return true };
        let mut others: BTreeSet<&str> =
            method.returns.iter().map(|local| &*self.program.locals[*local].name).collect();
        if let Some(body) = &method.body {
            let mut add =
                |block: &'a Block| others.extend(block.locals.iter().map(|local| &*self.program.locals[*local].name));
            add(body);
            body.visit_stmts(&mut |stmt| stmt.kind.blocks().into_iter().for_each(&mut add));
        }
        !words(text).any(|word| others.contains(word))
    }
    /// The receiver and the field of a location: `f` for `x.next.f`.
    pub fn field(location: &str) -> Option<(&str, &str)> {
        let (receiver, field) = bare(location).rsplit_once('.')?;
        let is_name = field.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$') && !field.is_empty();
        is_name.then_some((receiver.trim(), field))
    }
    /// The predicate of a location: `list` for `list(x.next)`.
    pub fn instance(&self, location: &str) -> Option<PredicateId> {
        let name = bare(location).split('(').next()?.trim();
        self.program.predicates.iter().find(|(_, predicate)| &*predicate.name == name).map(|(id, _)| id)
    }
    /// The predicate instances that the member mentions, with their predicates.
    pub fn instances(&self) -> Vec<(PredicateId, String)> {
        let mut found: Vec<(PredicateId, String)> = Vec::new();
        let mut add = |predicate: PredicateId, text: &str| {
            let text = one_line(unwrapped(text));
            if !text.is_empty() && !found.iter().any(|(_, known)| *known == text) {
                found.push((predicate, text));
            }
        };
        for expr in self.expressions() {
            match self.program.kind(expr) {
                ExprKind::Acc { location: Location::Predicate { predicate, .. }, .. } => {
                    self.said(expr).into_iter().for_each(|text| add(*predicate, text));
                }
                // It may be opened where its variable has a value: below a quantifier over a variable of that name.
                ExprKind::ForallAcc { location: Location::Predicate { predicate, .. }, location_id, .. }
                    if self.is_own(*location_id) =>
                {
                    add(*predicate, self.text_of(*location_id));
                }
                ExprKind::Unfolding { access, .. } if self.is_own(access.id) => {
                    add(access.predicate, self.text_of(access.id));
                }
                _ => {}
            }
        }
        if let Some(body) = self.method().and_then(|method| method.body.as_ref()) {
            body.visit_stmts(&mut |stmt| {
                if let StmtKind::Fold(access) | StmtKind::Unfold(access) = &stmt.kind
                    && self.is_own(stmt.id)
                {
                    add(access.predicate, self.text_of(access.id));
                }
            });
        }
        found
    }
    /// Whether the body of a predicate gives permission to a field.
    pub fn gives_field(&self, predicate: PredicateId, field: &str) -> bool {
        self.gives(predicate, |location| {
            matches!(location, Location::Field { field: id, .. } if &*self.program.fields[*id].name == field)
        })
    }
    /// Whether the body of a predicate contains instances of another one, or of itself.
    pub fn gives_predicate(&self, predicate: PredicateId, wanted: PredicateId) -> bool {
        self.gives(
            predicate,
            |location| matches!(location, Location::Predicate { predicate, .. } if *predicate == wanted),
        )
    }
    fn gives(&self, predicate: PredicateId, is_wanted: impl Fn(&Location) -> bool) -> bool {
        let Some(body) = self.program.predicates[predicate].body else { return false };
        let mut given = false;
        self.program.visit(body, |expr| {
            if let ExprKind::Acc { location, .. } | ExprKind::ForallAcc { location, .. } = self.program.kind(expr) {
                given |= is_wanted(location);
            }
            true
        });
        given
    }
    /// The position for a statement before the failure.
    pub fn before(&self) -> Option<usize> {
        if self.error == "invariant.not.preserved" {
            return self.end_of(self.span(self.enclosing_loop()?.id));
        }
        if self.is_at_end() {
            return self.end_of(self.span(self.id()));
        }
        let mut around = self.around.iter().rev();
        let stmt = around.find(|stmt| self.is_own(stmt.id) && !self.text_of(stmt.id).starts_with("else"))?;
        Some(self.statement_start(stmt))
    }
    /// The description of the position before the failure.
    pub fn place(&self) -> &'static str {
        match (self.is_at_end(), self.error) {
            (true, _) => "at the end",
            (_, "invariant.not.preserved") => "at the end of the loop's body",
            (_, "invariant.not.established") => "before the loop",
            _ => "first",
        }
    }
    /// The start of a statement's text. A declaration's own range is that of the variable.
    pub fn statement_start(&self, stmt: &Stmt) -> usize {
        let start = self.span(stmt.id).start as usize;
        let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let before = self.text[line..start].trim_end();
        if before.trim_start() == "var" { line + before.len() - 3 } else { start }
    }
    /// The closing brace of a body.
    pub fn end_of(&self, span: Span) -> Option<usize> {
        let end = span.end as usize;
        (end > 0 && self.text.get(end - 1..end) == Some("}")).then(|| end - 1)
    }
    /// The enclosing statements of the error, outermost first.
    fn chain(&self, body: &'a Block) -> Vec<&'a Stmt> {
        let mut found = Vec::new();
        let mut block = Some(body);
        while let Some(inside) = block.take() {
            let holds = |stmt: &&Stmt| self.span(stmt.id).contains(self.at) || self.declares(stmt);
            if let Some(stmt) = inside.stmts.iter().rev().find(holds) {
                found.push(stmt);
                // Blocks have no range of their own.
                block = stmt.kind.blocks().into_iter().find(|block| block.stmts.iter().any(|stmt| holds(&stmt)));
            }
        }
        found
    }
    fn declares(&self, stmt: &Stmt) -> bool {
        let span = self.span(stmt.id);
        stmt.kind.blocks().iter().any(|block| block.stmts.iter().any(|stmt| self.span(stmt.id).contains(self.at)))
            && span.file == self.main
    }
    /// An edit that inserts a statement at a position.
    pub fn insert_statement(&self, at: usize, statement: &str) -> Edit {
        self.insert_statements(at, &[statement.to_string()])
    }
    /// An edit that inserts statements at a position.
    pub fn insert_statements(&self, at: usize, statements: &[String]) -> Edit {
        let indent = indent(self.text, at);
        match self.text.get(at..).is_some_and(|rest| rest.starts_with('}')) {
            // Before a brace that is alone on its line.
            true if self.text[..at].ends_with(indent) && self.text[..at - indent.len()].ends_with('\n') => {
                let lines: String = statements.iter().map(|statement| format!("{indent}  {statement}\n")).collect();
                Edit::insert(at - indent.len(), lines)
            }
            true => {
                let space = if self.text[..at].ends_with(' ') { "" } else { " " };
                Edit::insert(at, format!("{space}{} ", statements.join(" ")))
            }
            false => {
                let lines: String = statements.iter().map(|statement| format!("{statement}\n{indent}")).collect();
                Edit::insert(at, lines)
            }
        }
    }
    /// An edit that inserts a statement after another one.
    pub fn insert_behind(&self, stmt: &Stmt, statement: &str) -> Edit {
        let (start, end) = (self.statement_start(stmt), self.span(stmt.id).end as usize);
        Edit::insert(end, format!("\n{}{statement}", indent(self.text, start)))
    }
}

fn member(program: &Program, name: &str) -> Option<Member> {
    Member::all(program).find(|member| **member.name(program) == *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_the_last_names_of_locations() {
        assert_eq!(Site::field("acc(x.next.f, p)"), Some(("x.next", "f")));
        assert_eq!(Site::field("list(x.next)"), None);
    }
}
