//! Adding a clause to a contract or a loop so that it reads as if it had been written there.

use crate::site::{Site, indent};
use echis::coverage::Edit;
use echis_base::{Span, opened_at};
use echis_program::program::{ExprId, FunctionId, MethodId, Stmt, StmtKind};

/// What a clause belongs to.
#[derive(Clone, Copy)]
pub(crate) enum Owner<'a> {
    Method(MethodId),
    Function(FunctionId),
    Loop(&'a Stmt),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Clause {
    Requires,
    Ensures,
    Invariant,
    Decreases,
}

impl Clause {
    pub fn word(self) -> &'static str {
        match self {
            Clause::Requires => "requires",
            Clause::Ensures => "ensures",
            Clause::Invariant => "invariant",
            Clause::Decreases => "decreases",
        }
    }
}

impl Site<'_> {
    /// An edit that adds a clause behind those of its kind.
    pub fn add_clause(&self, owner: Owner<'_>, clause: Clause, text: &str) -> Option<Edit> {
        let (pre, post, head) = self.parts(owner)?;
        let (own, next): (&[ExprId], &[ExprId]) = match clause {
            Clause::Requires => (&pre, &post),
            Clause::Ensures | Clause::Invariant | Clause::Decreases => (&post, &[]),
        };
        let word = clause.word();
        if let Some(last) = own.iter().rev().find(|expr| self.is_clause(**expr, head)) {
            let span = self.span(self.program.expr(*last).id);
            let keyword = self.keyword(span)?;
            return Some(match self.starts_line(keyword) {
                true => Edit::insert(span.end as usize, format!("\n{}{word} {text}", indent(self.text, keyword))),
                false => Edit::insert(span.end as usize, format!(" {word} {text}")),
            });
        }
        if let Some(first) = next.iter().find(|expr| self.is_clause(**expr, head)) {
            return self.add_before(*first, clause, text);
        }
        let known = pre.iter().chain(&post).map(|expr| self.span(self.program.expr(*expr).id));
        let known = known.filter(|span| head.contains(*span)).map(|span| span.end as usize);
        let from = known.max().unwrap_or(head.start as usize).max(self.condition_end(owner));
        let Some(brace) = self.brace(from, head.end as usize) else {
            return Some(Edit::insert(head.end as usize, format!("\n  {word} {text}")));
        };
        let start = self.text[..brace].trim_end().len();
        let indent = indent(self.text, head.start as usize);
        Some(Edit::replace(start, brace, format!("\n{indent}  {word} {text}\n{indent}")))
    }
    /// An edit that adds a clause before another one.
    pub fn add_before(&self, next: ExprId, clause: Clause, text: &str) -> Option<Edit> {
        let keyword = self.keyword(self.span(self.program.expr(next).id))?;
        let space =
            if self.starts_line(keyword) { format!("\n{}", indent(self.text, keyword)) } else { " ".to_string() };
        Some(Edit::insert(keyword, format!("{} {text}{space}", clause.word())))
    }
    /// Preconditions, other clauses, and the range of the owner.
    fn parts(&self, owner: Owner<'_>) -> Option<(Vec<ExprId>, Vec<ExprId>, Span)> {
        let program = self.program;
        let (pre, post, head) = match owner {
            Owner::Method(id) => {
                let method = &program.methods[id];
                (method.pre.clone(), method.post.clone(), self.span(method.id))
            }
            Owner::Function(id) => {
                let function = &program.functions[id];
                (function.pre.clone(), function.post.clone(), self.span(function.id))
            }
            Owner::Loop(stmt) => match &stmt.kind {
                StmtKind::While { invariants, .. } => (Vec::new(), invariants.clone(), self.span(stmt.id)),
                _ => return None,
            },
        };
        (head.file == self.main).then_some((pre, post, head))
    }
    fn condition_end(&self, owner: Owner<'_>) -> usize {
        match owner {
            Owner::Loop(Stmt { kind: StmtKind::While { condition, .. }, .. }) => {
                self.span(self.program.expr(*condition).id).end as usize
            }
            _ => 0,
        }
    }
    fn is_clause(&self, expr: ExprId, head: Span) -> bool {
        let id = self.program.expr(expr).id;
        let node = self.program.syntax.node(id);
        head.contains(node.span) && node.macro_span.is_none() && self.keyword(node.span).is_some()
    }
    /// Where the keyword of a clause stands.
    fn keyword(&self, span: Span) -> Option<usize> {
        let start = opened_at(self.text, span.start as usize, span.end as usize);
        let before = self.text.get(..start)?.trim_end_matches(|c: char| c.is_whitespace() || c == '(');
        let words = [Clause::Requires, Clause::Ensures, Clause::Invariant].map(Clause::word);
        words.into_iter().find(|word| before.ends_with(word)).map(|word| before.len() - word.len())
    }
    fn starts_line(&self, at: usize) -> bool {
        let line = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
        self.text[line..at].trim().is_empty()
    }
    /// The next brace that opens, comments left aside.
    fn brace(&self, from: usize, to: usize) -> Option<usize> {
        let mut at = from;
        while at < to {
            let rest = self.text.get(at..to)?;
            let skipped = match rest {
                _ if rest.starts_with('{') => return Some(at),
                _ if rest.starts_with("//") => rest.find('\n')?,
                _ if rest.starts_with("/*") => rest.find("*/")? + 2,
                _ => rest.chars().next()?.len_utf8(),
            };
            at += skipped;
        }
        None
    }
}
