//! Prints a built program, and maps ranges of the text back to origins.
//!
//! The text is parsed like any program. The resulting tree equals the printed one, up to ranges, so both are
//! traversed in parallel: a tag on one node gives the origin for the range of the other.

use crate::{Problem, ProgramBuilder};
use echis_base::{Diagnostic, Severity, SourceFile, SourceMap, Span};
use echis_syntax::ast::{Block, ExprId, Member, MemberKind, Program};
use echis_syntax::{NoLoader, parse_program, print_program};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// A program as text, with the origins of its nodes.
#[derive(Clone, Debug)]
pub struct Built<O> {
    /// Viper text that parses to the same program.
    pub text: String,
    /// The origins of ranges of the text.
    pub origins: Origins<O>,
    syntax: Arc<Syntax>,
}

/// A parsed program.
pub struct Syntax {
    /// The texts of the program and of the library files it imports.
    pub sources: Arc<SourceMap>,
    /// The syntax tree.
    pub program: Program,
    /// Warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// Hides the details, which follow from the text.
impl fmt::Debug for Syntax {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Syntax").finish_non_exhaustive()
    }
}

/// The name of a built program's text in messages.
pub const BUILT_NAME: &str = "program.vpr";

impl<O> Built<O> {
    /// The parsed text, so that it need not be parsed again.
    pub fn syntax(&self) -> &Arc<Syntax> {
        &self.syntax
    }
}

/// The origin of each range of a text. If a node and a part of it have the same range, the node's origin counts.
#[derive(Clone, Debug)]
pub struct Origins<O> {
    /// A range precedes those inside it, and follows those that end before it.
    ranges: Vec<Range<O>>,
}

#[derive(Clone, Debug)]
struct Range<O> {
    start: u32,
    end: u32,
    /// The smallest enclosing range.
    around: Option<usize>,
    origin: O,
}

impl<O> Range<O> {
    fn key(&self) -> (u32, Reverse<u32>) {
        (self.start, Reverse(self.end))
    }
    fn contains(&self, start: u32, end: u32) -> bool {
        self.start <= start && end <= self.end
    }
}

impl<O> Origins<O> {
    fn new(by_range: impl IntoIterator<Item = ((u32, u32), O)>) -> Self {
        let ranges = by_range.into_iter().map(|((start, end), origin)| Range { start, end, around: None, origin });
        let mut ranges: Vec<Range<O>> = ranges.collect();
        ranges.sort_by_key(Range::key);
        let mut open: Vec<usize> = Vec::new();
        for index in 0..ranges.len() {
            let (start, end) = (ranges[index].start, ranges[index].end);
            while open.last().is_some_and(|last| !ranges[*last].contains(start, end)) {
                open.pop();
            }
            ranges[index].around = open.last().copied();
            open.push(index);
        }
        Origins { ranges }
    }

    /// The origin of the node with exactly this range of bytes.
    pub fn exact(&self, start: u32, end: u32) -> Option<&O> {
        let found = self.ranges.binary_search_by_key(&(start, Reverse(end)), Range::key).ok()?;
        Some(&self.ranges[found].origin)
    }

    /// The origin of the smallest node that encloses a range of bytes.
    pub fn around(&self, start: u32, end: u32) -> Option<&O> {
        let key = (start, Reverse(end));
        let mut index = self.ranges.partition_point(|range| range.key() <= key).checked_sub(1)?;
        while !self.ranges[index].contains(start, end) {
            index = self.ranges[index].around?;
        }
        Some(&self.ranges[index].origin)
    }

    /// The best origin for a range of bytes: that of the node with this range, or of the only outermost part of it
    /// that has one, or of the smallest enclosing node.
    pub fn nearest(&self, start: u32, end: u32) -> Option<&O> {
        let first = self.ranges.partition_point(|range| range.key() < (start, Reverse(end)));
        let inside = self.ranges[first..].iter().take_while(|range| range.start < end && range.end <= end);
        let mut largest = inside.clone().take(1).chain(inside.skip_while(|range| range.end <= self.ranges[first].end));
        match (largest.next(), largest.next()) {
            (Some(only), None) => Some(&only.origin),
            (first, _) => self.around(start, end).or_else(|| first.map(|range| &range.origin)),
        }
    }

    /// All ranges with an origin; a range precedes those inside it.
    pub fn ranges(&self) -> impl Iterator<Item = ((u32, u32), &O)> {
        self.ranges.iter().map(|range| ((range.start, range.end), &range.origin))
    }
}

impl<O: Clone> ProgramBuilder<O> {
    /// The program as text with origins, or all problems that prevented building it. Names and types are checked when
    /// the text is.
    pub fn finish(self) -> Result<Built<O>, Vec<Problem>> {
        let ProgramBuilder { exprs, members, origins, problems, .. } = self;
        if !problems.is_empty() {
            return Err(problems);
        }
        let written = Program { members, exprs, derives_enabled: false };
        let text = print_program(&written);
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new(BUILT_NAME, &*text));
        let (read, diagnostics) = parse_program(&mut sources, file, &NoLoader);
        let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let problems: Vec<Problem> = errors.map(|error| Problem::Unreadable(error.message.clone())).collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut pairing = Pairing { written: &written, read: &read, ranges: BTreeMap::new() };
        pairing.members();
        let tagged = pairing.ranges.into_iter();
        let by_range = tagged.filter_map(|(range, tag)| Some((range, origins.get(tag as usize - 1)?.clone())));
        let syntax = Arc::new(Syntax { sources: Arc::new(sources), program: read, diagnostics });
        Ok(Built { origins: Origins::new(by_range), text, syntax })
    }
}

struct Pairing<'a> {
    written: &'a Program,
    read: &'a Program,
    /// The tag of each range.
    ranges: BTreeMap<(u32, u32), u32>,
}

impl<'a> Pairing<'a> {
    fn note(&mut self, tag: Span, range: Span) {
        if tag.start > 0 {
            self.ranges.entry((range.start, range.end)).or_insert(tag.start);
        }
    }

    fn members(&mut self) {
        // Imports are resolved while parsing; imported members follow all written ones.
        let is_import = |member: &&Member| matches!(member.kind, MemberKind::Import(_));
        let written = self.written.members.iter().filter(|member| !is_import(member));
        for (written, read) in written.zip(&self.read.members) {
            self.member(written, read);
        }
    }

    fn member(&mut self, written: &'a Member, read: &'a Member) {
        self.note(written.span, read.span);
        match (&written.kind, &read.kind) {
            (MemberKind::Domain(written), MemberKind::Domain(read)) => {
                for (written, read) in written.functions.iter().zip(&read.functions) {
                    self.note(written.span, read.span);
                }
                for (written, read) in written.axioms.iter().zip(&read.axioms) {
                    self.note(written.span, read.span);
                }
            }
            (MemberKind::Adt(written), MemberKind::Adt(read)) => {
                for (written, read) in written.constructors.iter().zip(&read.constructors) {
                    self.note(written.span, read.span);
                }
            }
            (MemberKind::Method(written), MemberKind::Method(read)) => {
                if let (Some(written), Some(read)) = (&written.body, &read.body) {
                    self.block(written, read);
                }
            }
            _ => {}
        }
        self.exprs(|visit| written.for_each_expr(visit), |visit| read.for_each_expr(visit));
    }

    fn block(&mut self, written: &'a Block, read: &'a Block) {
        let mut pending = vec![(written, read)];
        while let Some((written, read)) = pending.pop() {
            for (written, read) in written.stmts.iter().zip(&read.stmts) {
                self.note(written.span, read.span);
                self.exprs(|visit| written.for_each_expr(visit), |visit| read.for_each_expr(visit));
                let (mut ours, mut theirs) = (Vec::new(), Vec::new());
                written.for_each_block(|block| ours.push(block));
                read.for_each_block(|block| theirs.push(block));
                pending.extend(ours.into_iter().zip(theirs));
            }
        }
    }

    /// Matches expressions that two nodes list in the same order, with their descendants.
    fn exprs(&mut self, written: impl FnOnce(&mut dyn FnMut(ExprId)), read: impl FnOnce(&mut dyn FnMut(ExprId))) {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        written(&mut |expr| ours.push(expr));
        read(&mut |expr| theirs.push(expr));
        let mut pending: Vec<(ExprId, ExprId)> = ours.into_iter().zip(theirs).rev().collect();
        while let Some((written, read)) = pending.pop() {
            let (written, read) = (&self.written.exprs[written], &self.read.exprs[read]);
            self.note(written.span, read.span);
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            written.kind.for_each_child(|child| ours.push(child));
            read.kind.for_each_child(|child| theirs.push(child));
            pending.extend(ours.into_iter().zip(theirs));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Origins;

    #[test]
    fn ranges_lead_to_the_nearest_origin() {
        let origins =
            Origins::new([((0, 100), 'm'), ((10, 20), 'a'), ((12, 15), 'b'), ((30, 50), 'c'), ((40, 50), 'd')]);
        let find = |start, end| {
            let found = [origins.exact(start, end), origins.around(start, end), origins.nearest(start, end)];
            found.map(|origin| origin.copied().unwrap_or('-')).iter().collect::<String>()
        };
        assert_eq!(find(10, 20), "aaa");
        assert_eq!(find(12, 14), "-bb");
        assert_eq!(find(12, 17), "-ab", "it is the only part");
        assert_eq!(find(16, 18), "-aa");
        assert_eq!(find(22, 28), "-mm");
        assert_eq!(find(25, 60), "-mc", "d is a part of c");
        assert_eq!(find(5, 60), "-mm", "a and c are both parts");
        assert_eq!(find(41, 50), "-dd");
        assert_eq!(find(90, 110), "---");
    }
}
