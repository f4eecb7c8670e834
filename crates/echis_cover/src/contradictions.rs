//! Finds the points where `false` holds, with a single program that contains `refute false` at every point.

use crate::WarningId;
use crate::branches::{ALWAYS, NEVER};
use echis_base::{Edit, FileId, Name, SourceMap, Span};
use echis_program::program::{Block, ExprId, Program, Stmt, StmtKind};
use std::collections::{BTreeMap, BTreeSet};

/// A point before a statement, or at the end of a body.
struct Point {
    offset: usize,
    form: Form,
    member: Name,
    span: Span,
    /// If the text is that of a statement macro, its use.
    macro_use: Option<Span>,
    demands: Demands,
    /// The point of the enclosing statement.
    parent: Option<usize>,
    /// The previous statement in the same block.
    before: Option<usize>,
    /// The condition of the branch that starts here, and whether it is the positive branch.
    opens: Option<(Span, bool)>,
    /// The `package` of which only the facts before it and the left side of its wand are known here.
    wand: Option<Span>,
}

/// How a statement is inserted at a point.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Before another statement.
    Before,
    /// As the script of a `package` without one.
    Script,
}

impl Form {
    fn probe(self) -> &'static str {
        match self {
            Form::Before => "refute false ",
            Form::Script => " { refute false }",
        }
    }
    fn assertion(self) -> &'static str {
        match self {
            Form::Before => "assert false ",
            Form::Script => " { assert false }",
        }
    }
}

/// The obligations at a point.
enum Demands {
    Nothing,
    /// An `assert` or `exhale`.
    Assertion,
    /// The preconditions of a call.
    Preconditions(Name),
    /// A fold, unfold, package or apply.
    Rewrite,
    /// Invariants at loop entry.
    Entry(Vec<Span>),
    /// Invariants at the end of an iteration.
    Iteration(Vec<Span>),
    Postconditions(Vec<Span>),
}

/// Unreachable text, with the warnings about it.
#[derive(Clone, Debug)]
pub struct Region {
    pub member: Name,
    /// An edit that asserts `false` where it starts.
    pub edit: Edit,
    /// The position of that assertion in the edited program.
    pub goal: usize,
    /// From its start to the end of the block; for the whole body of a method, the method.
    pub scope: Span,
    pub reach: Reach,
    pub dead: Vec<Dead>,
}

/// How far a contradiction reaches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reach {
    /// All paths through the member end in it.
    EndOfMember,
    Within,
}

/// A location to warn about.
#[derive(Clone, Debug)]
pub struct Dead {
    pub id: WarningId,
    pub message: String,
    pub span: Span,
}

/// The text where `false` holds on every path.
#[derive(Default)]
pub struct Contradictions {
    scopes: Vec<Span>,
    /// Clauses that are unreachable wherever they have to be proved.
    clauses: Vec<Span>,
}

impl Contradictions {
    /// Whether a range of text is unreachable.
    pub fn cover(&self, span: Span) -> bool {
        self.scopes.iter().chain(&self.clauses).any(|found| found.contains(span))
    }
}

pub struct Probes {
    points: Vec<Point>,
    /// The points with a probe, in text order.
    probed: Vec<usize>,
    methods: BTreeMap<Name, Span>,
}

impl Probes {
    /// The probes in the methods that are to be verified with them.
    pub fn new(program: &Program, sources: &SourceMap, main: FileId, is_run: impl Fn(&Name) -> bool) -> Self {
        let (member, within) = ("".into(), Span::new(main, 0, 0));
        let mut walk = Walk { program, sources, main, member, within, macro_use: None, points: Vec::new() };
        let mut methods = BTreeMap::new();
        for method in program.methods.values() {
            let span = program.syntax.span(method.id);
            let Some(body) = &method.body else { continue };
            if span.file != main {
                continue;
            }
            walk.member = method.name.clone();
            walk.within = span;
            methods.insert(method.name.clone(), span);
            let last = walk.block(body, None, None);
            walk.end(span, Demands::Postconditions(spans(program, &method.post)), None, last, None);
        }
        let mut at: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, point) in walk.points.iter().enumerate() {
            at.entry(point.offset).or_default().push(index);
        }
        // A probe fails if it does at one of its places: the text of a macro with several uses is not probed.
        let is_probed = |all: &Vec<usize>| all.len() == 1 && is_run(&walk.points[all[0]].member);
        let probed = at.into_values().filter(is_probed).flatten().collect();
        Probes { points: walk.points, probed, methods }
    }
    pub fn is_empty(&self) -> bool {
        self.probed.is_empty()
    }
    /// The probes, with their positions in the source.
    pub fn statements(&self) -> impl Iterator<Item = (usize, &'static str)> {
        self.probed.iter().map(|index| (self.points[*index].offset, self.points[*index].form.probe()))
    }
    /// The program with all probes. Failures other than probes are irrelevant.
    pub fn program(&self, source: &str) -> String {
        let mut text = String::new();
        let mut done = 0;
        for (offset, probe) in self.statements() {
            text += source.get(done..offset).unwrap_or_default();
            text += probe;
            done = offset;
        }
        text += source.get(done..).unwrap_or_default();
        text
    }
    /// The offsets of the points where `false` holds, given the failures of the program with probes.
    pub fn false_at(&self, failing: &BTreeSet<usize>) -> BTreeSet<usize> {
        let mut before = 0;
        let mut false_at = BTreeSet::new();
        for (offset, probe) in self.statements() {
            let start = offset + before;
            before += probe.len();
            if failing.range(start..offset + before).next().is_some() {
                false_at.insert(offset);
            }
        }
        false_at
    }
    /// The points at the given offsets.
    fn at(&self, offsets: &BTreeSet<usize>) -> BTreeSet<usize> {
        self.probed.iter().copied().filter(|index| offsets.contains(&self.points[*index].offset)).collect()
    }
    /// The regions where `false` holds, given the offsets of the points where it does.
    pub fn regions(&self, offsets: &BTreeSet<usize>) -> Vec<Region> {
        let false_at = self.at(offsets);
        let mut start_of: BTreeMap<usize, usize> = BTreeMap::new();
        let mut regions: BTreeMap<usize, Region> = BTreeMap::new();
        // Statements precede nested and later ones, so what a point continues is already known.
        for index in &false_at {
            let point = &self.points[*index];
            let continues = point.before.or(point.parent).and_then(|before| start_of.get(&before)).copied();
            let start = continues.unwrap_or(*index);
            start_of.insert(*index, start);
            let region = regions.entry(start).or_insert_with(|| self.region(start));
            // The text of a macro and that of the method that uses it lie apart.
            let is_same_text = self.points[start].macro_use == point.macro_use;
            if is_same_text && region.scope.end < point.span.end && region.scope.file == point.span.file {
                region.scope.end = point.span.end;
            }
            let is_branch = self.points[start].opens.is_some();
            if !is_branch && self.points[start].wand.is_none() {
                region.dead.extend(self.vacuous(*index));
            }
        }
        let last: BTreeMap<&Name, usize> =
            self.points.iter().enumerate().filter(|(_, point)| point.parent.is_none()).map(by_member).collect();
        for (start, region) in &mut regions {
            if region.dead.is_empty() {
                region.dead.push(self.unreachable(*start));
            }
            if last.get(&region.member).and_then(|last| start_of.get(last)) == Some(start) {
                region.reach = Reach::EndOfMember;
            }
        }
        regions.into_values().collect()
    }
    /// The consequences for single nodes.
    pub fn contradictions(&self, offsets: &BTreeSet<usize>) -> Contradictions {
        let regions = self.regions(offsets);
        let false_at = self.at(offsets);
        let mut clauses: BTreeMap<Span, bool> = BTreeMap::new();
        for (index, point) in self.points.iter().enumerate() {
            if let Demands::Entry(spans) | Demands::Iteration(spans) | Demands::Postconditions(spans) = &point.demands {
                for span in spans {
                    *clauses.entry(*span).or_insert(true) &= false_at.contains(&index);
                }
            }
            if let Some(package) = point.wand.filter(|_| false_at.contains(&index)) {
                clauses.insert(package, true);
            }
        }
        Contradictions {
            scopes: regions.into_iter().map(|region| region.scope).collect(),
            clauses: clauses.into_iter().filter(|(_, all)| *all).map(|(span, _)| span).collect(),
        }
    }
    fn region(&self, start: usize) -> Region {
        let point = &self.points[start];
        let is_body = point.before.is_none() && point.parent.is_none();
        let scope = if is_body { self.methods[&point.member] } else { point.span };
        let assertion = point.form.assertion();
        let goal = point.offset + assertion.find("assert").unwrap_or_default();
        let edit = Edit::insert(point.offset, assertion);
        Region { member: point.member.clone(), edit, goal, scope, reach: Reach::Within, dead: Vec::new() }
    }
    fn unreachable(&self, start: usize) -> Dead {
        let point = &self.points[start];
        if point.wand.is_some() {
            let message = "This wand can never be applied: its left side is contradictory.".into();
            return Dead { id: WarningId::ProvedVacuously, message, span: point.span };
        }
        let (message, span) = match point.opens {
            Some((condition, true)) => (NEVER, condition),
            Some((condition, false)) => (ALWAYS, condition),
            None => ("This is never reached.", point.span),
        };
        Dead { id: WarningId::BranchUnreachable, message: message.into(), span }
    }
    fn vacuous(&self, index: usize) -> Vec<Dead> {
        let point = &self.points[index];
        let dead = |message: String, span: &Span| Dead { id: WarningId::ProvedVacuously, message, span: *span };
        let each = |what: &str, spans: &[Span]| {
            spans.iter().map(|span| dead(format!("This {what} from contradictory assumptions."), span)).collect()
        };
        match &point.demands {
            Demands::Nothing => Vec::new(),
            Demands::Assertion => each("is proved", &[point.span]),
            Demands::Preconditions(name) => {
                let message = format!("The preconditions of {name} are established from contradictory assumptions.");
                vec![dead(message, &point.span)]
            }
            Demands::Rewrite => each("is justified", &[point.span]),
            Demands::Entry(spans) => each("invariant is established", spans),
            Demands::Iteration(spans) => each("invariant is preserved", spans),
            Demands::Postconditions(spans) => each("postcondition is proved", spans),
        }
    }
}

fn by_member((index, point): (usize, &Point)) -> (&Name, usize) {
    (&point.member, index)
}

struct Walk<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    main: FileId,
    member: Name,
    within: Span,
    /// The macro use that the current statement stems from.
    macro_use: Option<Span>,
    points: Vec<Point>,
}

impl Walk<'_> {
    /// Adds the points of a block; returns the last one.
    fn block(&mut self, block: &Block, parent: Option<usize>, opens: Option<(Span, bool)>) -> Option<usize> {
        let mut before: Option<usize> = None;
        for stmt in &block.stmts {
            let span = self.program.syntax.span(stmt.id);
            let outer = self.macro_use;
            self.macro_use = self.program.syntax.node(stmt.id).macro_use;
            let is_same = |before: &usize| self.macro_use.is_none() && self.points[*before].span == span;
            let known = before.filter(is_same);
            // The range of a declaration is that of the variable, not of the statement.
            let is_whole = !matches!(stmt.kind, StmtKind::Declare(_));
            // Jumps to a label skip what precedes it.
            let is_label = matches!(stmt.kind, StmtKind::Label { .. });
            let written = is_whole && !is_label && self.program.syntax.node(stmt.id).cause.is_none();
            if written && known.is_none() && self.can_probe(span) {
                let opens = opens.filter(|_| before.is_none());
                let demands = self.demands(stmt);
                let (offset, member) = (span.start as usize, self.member.clone());
                let (form, wand) = (Form::Before, None);
                let macro_use = self.macro_use;
                self.points.push(Point { offset, form, member, span, macro_use, demands, parent, before, opens, wand });
                let index = self.points.len() - 1;
                before = Some(index);
                self.inside(stmt, span, Some(index));
            } else {
                if let Some(known) = known.filter(|known| matches!(self.points[*known].demands, Demands::Nothing)) {
                    self.points[known].demands = self.demands(stmt);
                }
                self.inside(stmt, span, known.or(before).or(parent));
            }
            self.macro_use = outer;
        }
        before
    }
    fn inside(&mut self, stmt: &Stmt, span: Span, point: Option<usize>) {
        match &stmt.kind {
            StmtKind::If { condition, then, otherwise } => {
                let condition = self.program.syntax.span(self.program.expr(*condition).id);
                self.block(then, point, Some((condition, true)));
                self.block(otherwise, point, Some((condition, false)));
            }
            StmtKind::While { condition, body, invariants, .. } => {
                let condition = self.program.syntax.span(self.program.expr(*condition).id);
                let last = self.block(body, point, Some((condition, true)));
                let opens = last.is_none().then_some((condition, true));
                self.end(span, Demands::Iteration(spans(self.program, invariants)), point, last, opens);
            }
            StmtKind::Block(block) => {
                self.block(block, point, None);
            }
            StmtKind::Package { script, .. } => self.script(script, span, point),
            _ => {}
        }
    }
    /// Adds the points of a script: at the first one, only the facts from before and the wand's left side are known.
    fn script(&mut self, script: &Block, span: Span, parent: Option<usize>) {
        let first = self.points.len();
        if script.stmts.is_empty() && self.can_probe(span) {
            let text = self.sources.text(span);
            let (form, offset) = match text.ends_with('}') {
                true => (Form::Before, span.end as usize - 1),
                false => (Form::Script, span.end as usize),
            };
            let (member, demands) = (self.member.clone(), Demands::Nothing);
            let (before, opens, wand, macro_use) = (None, None, None, self.macro_use);
            self.points.push(Point { offset, form, member, span, macro_use, demands, parent, before, opens, wand });
        } else {
            self.block(script, parent, None);
        }
        if let Some(point) = self.points.get_mut(first) {
            point.wand = Some(span);
        }
    }
    /// Adds the point before the closing brace of a body.
    fn end(
        &mut self,
        span: Span,
        demands: Demands,
        parent: Option<usize>,
        before: Option<usize>,
        opens: Option<(Span, bool)>,
    ) {
        if !self.is_here(span)
            || !self.sources.text(span).ends_with('}')
            || matches!(&demands, Demands::Iteration(spans) | Demands::Postconditions(spans) if spans.is_empty())
        {
            return;
        }
        let end = Span { start: span.end - 1, ..span };
        let member = self.member.clone();
        let (offset, form, wand, macro_use) = (end.start as usize, Form::Before, None, self.macro_use);
        let span = end;
        self.points.push(Point { offset, form, member, span, macro_use, demands, parent, before, opens, wand });
    }
    fn demands(&self, stmt: &Stmt) -> Demands {
        match &stmt.kind {
            StmtKind::Assert(_) | StmtKind::Exhale(_) => Demands::Assertion,
            StmtKind::Call { method, .. } if !self.program.methods[*method].pre.is_empty() => {
                Demands::Preconditions(self.program.methods[*method].name.clone())
            }
            StmtKind::Fold(_) | StmtKind::Unfold(_) | StmtKind::Package { .. } | StmtKind::Apply { .. } => {
                Demands::Rewrite
            }
            StmtKind::While { invariants, .. } if !invariants.is_empty() => {
                Demands::Entry(spans(self.program, invariants))
            }
            _ => Demands::Nothing,
        }
    }
    /// Whether a statement can be inserted before the one at this range.
    fn can_probe(&self, span: Span) -> bool {
        let text = self.sources.text(span);
        let starts = text.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '@');
        self.is_here(span) && starts && !text.starts_with("else")
    }
    /// Whether a range lies in the method or in the macro that it uses.
    fn is_here(&self, span: Span) -> bool {
        span.file == self.main && (self.within.contains(span) || self.macro_use.is_some())
    }
}

fn spans(program: &Program, clauses: &[ExprId]) -> Vec<Span> {
    clauses.iter().map(|clause| program.syntax.span(program.expr(*clause).id)).collect()
}
