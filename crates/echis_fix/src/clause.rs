//! Adds a clause to a contract or a loop, formatted like the existing ones.

pub(crate) use crate::header::Clause;
use crate::header::Header;
use crate::site::Site;
use crate::text::indent;
use echis::coverage::Edit;
use echis_base::Span;
use echis_program::program::{ExprId, FunctionId, MethodId, Stmt, StmtKind};

/// The owner of a clause.
#[derive(Clone, Copy)]
pub(crate) enum Owner<'a> {
    Method(MethodId),
    Function(FunctionId),
    Loop(&'a Stmt),
}

impl Site<'_> {
    /// An edit that adds a clause after the others of its kind.
    pub fn add_clause(&self, owner: Owner<'_>, clause: Clause, text: &str) -> Option<Edit> {
        let header = self.header(owner)?;
        let word = clause.word();
        if let Some((_, keyword, end)) = header.clauses.iter().rev().find(|(kind, ..)| *kind == clause) {
            return Some(match self.starts_line(*keyword) {
                true => Edit::insert(*end, format!("\n{}{word} {text}", indent(self.text, *keyword))),
                false => Edit::insert(*end, format!(" {word} {text}")),
            });
        }
        // Preconditions come first, measures last.
        let is_later = |kind: Clause| kind != clause && (clause == Clause::Requires || kind == Clause::Decreases);
        if let Some((_, keyword, _)) = header.clauses.iter().find(|(kind, ..)| is_later(*kind)) {
            return Some(self.insert_clause(*keyword, clause, text));
        }
        let indent = indent(self.text, header.start);
        let start = self.text[..header.end].trim_end().len();
        Some(match header.has_body {
            true => Edit::replace(start, header.end, format!("\n{indent}  {word} {text}\n{indent}")),
            false => Edit::insert(start, format!("\n{indent}  {word} {text}")),
        })
    }
    /// An edit that adds a clause before the one that contains a given range.
    pub fn add_before(&self, owner: Owner<'_>, inside: Span, clause: Clause, text: &str) -> Option<Edit> {
        let header = self.header(owner)?;
        let holds = |start: usize, end: usize| (start..end).contains(&(inside.start as usize));
        let (_, keyword, _) = header.clauses.iter().find(|(_, start, end)| holds(*start, *end))?;
        Some(self.insert_clause(*keyword, clause, text))
    }
    fn insert_clause(&self, keyword: usize, clause: Clause, text: &str) -> Edit {
        let space =
            if self.starts_line(keyword) { format!("\n{}", indent(self.text, keyword)) } else { " ".to_string() };
        Edit::insert(keyword, format!("{} {text}{space}", clause.word()))
    }
    /// The text before the body of a member or a loop.
    pub fn header(&self, owner: Owner<'_>) -> Option<Header> {
        let (id, has_body) = match owner {
            Owner::Method(id) => (self.program.methods[id].id, self.program.methods[id].body.is_some()),
            Owner::Function(id) => (self.program.functions[id].id, self.program.functions[id].body.is_some()),
            Owner::Loop(stmt) => (stmt.id, true),
        };
        let span = self.span(id);
        let is_written = span.file == self.main && self.program.syntax.node(id).macro_use.is_none();
        is_written.then(|| Header::read(self.text, span.start as usize, span.end as usize, has_body)).flatten()
    }
    /// The clauses of a kind that an owner has.
    pub fn clauses_of(&self, owner: Owner<'_>, clause: Clause) -> Vec<ExprId> {
        let program = self.program;
        let (pre, post) = match owner {
            Owner::Method(id) => (&program.methods[id].pre[..], &program.methods[id].post[..]),
            Owner::Function(id) => (&program.functions[id].pre[..], &program.functions[id].post[..]),
            Owner::Loop(stmt) => match &stmt.kind {
                StmtKind::While { invariants, .. } => (&[][..], &invariants[..]),
                _ => return Vec::new(),
            },
        };
        if clause == Clause::Requires { pre.to_vec() } else { post.to_vec() }
    }
    fn starts_line(&self, at: usize) -> bool {
        let line = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
        self.text[line..at].trim().is_empty()
    }
}

/// The owner's name in explanations.
pub(crate) fn called(site: &Site<'_>, owner: Owner<'_>) -> String {
    match owner {
        Owner::Method(id) => site.program.methods[id].name.to_string(),
        Owner::Function(id) => site.program.functions[id].name.to_string(),
        Owner::Loop(stmt) => format!("the loop on line {}", site.sources.position(site.span(stmt.id)).start.line),
    }
}
