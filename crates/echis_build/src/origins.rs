//! From a built program to text, and from ranges of that text back to origins.
//!
//! The text is read back as any program is. The tree that comes out is the one that was printed, up to ranges, so both
//! are walked side by side: a tag on one node names the origin of the range on the other.

use crate::{Problem, ProgramBuilder};
use echis_base::{Severity, SourceFile, SourceMap, Span};
use echis_syntax::ast::{Block, ExprId, Member, MemberKind, Program};
use echis_syntax::{NoLoader, parse_program, print_program};
use std::collections::BTreeMap;

/// A program as text, with the origins of its nodes.
#[derive(Clone, Debug)]
pub struct Built<O> {
    /// Viper text that reads back to the same program.
    pub text: String,
    pub origins: Origins<O>,
}

/// Which origin each range of a text has. If a node and a part of it have the same range, the node's origin counts.
#[derive(Clone, Debug)]
pub struct Origins<O> {
    by_range: BTreeMap<(u32, u32), O>,
}

impl<O> Origins<O> {
    /// The origin of the node with exactly this range of bytes.
    pub fn exact(&self, start: u32, end: u32) -> Option<&O> {
        self.by_range.get(&(start, end))
    }

    /// The origin of the smallest node around a range of bytes.
    pub fn around(&self, start: u32, end: u32) -> Option<&O> {
        let around = self.by_range.iter().filter(|((from, to), _)| *from <= start && end <= *to);
        around.min_by_key(|((from, to), _)| to - from).map(|(_, origin)| origin)
    }

    /// All ranges that have an origin, in the order of the text.
    pub fn ranges(&self) -> impl Iterator<Item = ((u32, u32), &O)> {
        self.by_range.iter().map(|(range, origin)| (*range, origin))
    }
}

impl<O: Clone> ProgramBuilder<O> {
    /// The program as text with origins, or everything that kept it from being built. Names and types are checked when
    /// the text is.
    pub fn finish(self) -> Result<Built<O>, Vec<Problem>> {
        let ProgramBuilder { exprs, members, origins, problems, .. } = self;
        if !problems.is_empty() {
            return Err(problems);
        }
        let written = Program { members, exprs, derives_enabled: false };
        let text = print_program(&written);
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("built program", &*text));
        let (read, diagnostics) = parse_program(&mut sources, file, &NoLoader);
        let errors = diagnostics.into_iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
        let problems: Vec<Problem> = errors.map(|error| Problem::Unreadable(error.message)).collect();
        if !problems.is_empty() {
            return Err(problems);
        }
        let mut pairing = Pairing { written: &written, read: &read, ranges: BTreeMap::new() };
        pairing.members();
        let tagged = pairing.ranges.into_iter();
        let by_range = tagged.filter_map(|(range, tag)| Some((range, origins.get(tag as usize - 1)?.clone())));
        Ok(Built { origins: Origins { by_range: by_range.collect() }, text })
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
        // Imports are followed while reading; what they bring stands behind all members that were written.
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

    /// Expressions that two nodes list in the same order, and everything below them.
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
