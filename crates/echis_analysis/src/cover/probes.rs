//! Where does `false` hold? One program with `refute false` at every point finds out for all of them.

use echis_base::{FileId, Name, SourceMap, Span, SyntaxId};
use echis_program::program::{Block, Program, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

const PROBE: &str = "refute false ";
/// Where in a probe its `false` is: what a failing probe is reported at.
const GOAL: usize = 7;

/// A point before a statement, or before the end of a body.
struct Point {
    offset: usize,
    member: Name,
    span: Span,
    statement: Option<SyntaxId>,
    /// It demands a proof.
    asserts: bool,
    /// The point of the statement around.
    parent: Option<usize>,
    /// The statement before it in the same block.
    before: Option<usize>,
    /// The condition of the branch that it opens, and whether that is the one taken where it holds.
    opens: Option<(Span, bool)>,
}

/// A place that no execution reaches, once `false` was proved there.
#[derive(Clone, Debug)]
pub struct Dead {
    pub id: &'static str,
    pub message: String,
    pub span: Span,
    pub member: Name,
    /// The first statement there.
    pub statement: Option<SyntaxId>,
}

pub struct Probes {
    points: Vec<Point>,
    /// The points with a probe, in the order of the text.
    probed: Vec<usize>,
}

impl Probes {
    pub fn new(program: &Program, sources: &SourceMap, main: FileId) -> Self {
        let mut walk =
            Walk { program, sources, main, member: "".into(), within: Span::new(main, 0, 0), points: Vec::new() };
        for method in program.methods.values() {
            let span = program.syntax.span(method.id);
            let Some(body) = &method.body else { continue };
            if span.file != main {
                continue;
            }
            walk.member = method.name.clone();
            walk.within = span;
            walk.block(body, None, None);
            if let Some(post) = method.post.first()
                && sources.text(span).ends_with('}')
            {
                let goal = program.syntax.span(program.expr(*post).id);
                walk.add(span.end as usize - 1, goal, None, true, None);
            }
        }
        // Text that stands for several places, as in a macro, is not probed.
        let mut at: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, point) in walk.points.iter().enumerate() {
            at.entry(point.offset).or_default().push(index);
        }
        let probed = at.into_values().filter(|all| all.len() == 1).flatten().collect();
        Probes { points: walk.points, probed }
    }
    pub fn is_empty(&self) -> bool {
        self.probed.is_empty()
    }
    /// The program with all probes. What it fails at apart from probes does not matter.
    pub fn program(&self, source: &str) -> String {
        let mut text = String::new();
        let mut done = 0;
        for index in &self.probed {
            let offset = self.points[*index].offset;
            text += source.get(done..offset).unwrap_or_default();
            text += PROBE;
            done = offset;
        }
        text += source.get(done..).unwrap_or_default();
        text
    }
    /// The outermost places where `false` holds, given where the program with probes fails.
    pub fn dead(&self, failing: &BTreeSet<usize>) -> Vec<Dead> {
        let mut false_at = BTreeSet::new();
        for (order, index) in self.probed.iter().enumerate() {
            if failing.contains(&(self.points[*index].offset + order * PROBE.len() + GOAL)) {
                false_at.insert(*index);
            }
        }
        let mut branches = BTreeSet::new();
        let mut dead = Vec::new();
        for index in &false_at {
            let point = &self.points[*index];
            if self.has_dead_branch(*index, &branches) {
                continue;
            }
            let (id, message, span) = match point.opens {
                Some((condition, holds)) if point.parent.is_some_and(|parent| !false_at.contains(&parent)) => {
                    branches.insert(*index);
                    let how = if holds { "never holds" } else { "always holds" };
                    let message = format!("This branch is never taken: the condition {how} here.");
                    ("branch.unreachable", message, condition)
                }
                _ if point.asserts => {
                    let message = "This is proved from contradictory assumptions.";
                    ("proved.vacuously", message.to_string(), point.span)
                }
                _ if point
                    .before
                    .is_some_and(|before| !false_at.contains(&before) && self.probed.contains(&before)) =>
                {
                    ("branch.unreachable", "This code is never reached.".to_string(), point.span)
                }
                _ => continue,
            };
            dead.push(Dead { id, message, span, member: point.member.clone(), statement: point.statement });
        }
        dead
    }
    /// Whether a branch around the point, or one that an earlier statement of it opened, was found dead.
    fn has_dead_branch(&self, index: usize, dead: &BTreeSet<usize>) -> bool {
        let mut first = index;
        while let Some(before) = self.points[first].before {
            first = before;
        }
        dead.contains(&first) || self.points[index].parent.is_some_and(|parent| self.has_dead_branch(parent, dead))
    }
}

struct Walk<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    main: FileId,
    member: Name,
    within: Span,
    points: Vec<Point>,
}

impl Walk<'_> {
    fn add(&mut self, offset: usize, span: Span, statement: Option<SyntaxId>, asserts: bool, parent: Option<usize>) {
        let member = self.member.clone();
        self.points.push(Point { offset, member, span, statement, asserts, parent, before: None, opens: None });
    }
    fn block(&mut self, block: &Block, parent: Option<usize>, opens: Option<(Span, bool)>) {
        let mut before: Option<usize> = None;
        for stmt in &block.stmts {
            let span = self.program.syntax.span(stmt.id);
            let known = before.filter(|before| self.points[*before].span == span);
            let written = self.program.syntax.node(stmt.id).cause.is_none();
            if written && known.is_none() && self.can_probe(span) {
                let asserts = matches!(stmt.kind, StmtKind::Assert(_) | StmtKind::Exhale(_));
                self.add(span.start as usize, span, Some(stmt.id), asserts, parent);
                let index = self.points.len() - 1;
                self.points[index].before = before;
                self.points[index].opens = opens.filter(|_| before.is_none());
                before = Some(index);
                self.inside(stmt, Some(index));
            } else {
                self.inside(stmt, known.or(parent));
            }
        }
    }
    fn inside(&mut self, stmt: &Stmt, point: Option<usize>) {
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                let condition = self.program.syntax.span(self.program.expr(*condition).id);
                self.block(then, point, Some((condition, true)));
                self.block(otherwise, point, Some((condition, false)));
            }
            StmtKind::While { condition, body, .. } => {
                let condition = self.program.syntax.span(self.program.expr(*condition).id);
                self.block(body, point, Some((condition, true)));
            }
            StmtKind::Block(block) => self.block(block, point, None),
            _ => {}
        }
    }
    /// Whether a statement may be put before the one there.
    fn can_probe(&self, span: Span) -> bool {
        let text = self.sources.text(span);
        let starts = text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '@');
        span.file == self.main && self.within.contains(span) && starts && !text.starts_with("else")
    }
}
