//! `@contradiction()` and `@unused()` suppress warnings that the author expects.

use echis_base::{Edit, FileId, Key, Span, SyntaxId};
use echis_findings::warning::{CONTRADICTION, UNUSED, WarningId};
use echis_program::program::Program;
use std::collections::BTreeMap;

/// All silencers in the main file.
pub struct Silencers {
    /// For each annotated range and silencer, whether it had an effect.
    found: BTreeMap<(Span, &'static str), bool>,
}

const NAMES: [&str; 2] = [CONTRADICTION, UNUSED];

impl Silencers {
    pub fn new(program: &Program, main: FileId) -> Self {
        let mut found = BTreeMap::new();
        for index in 0..program.syntax.len() {
            let node = program.syntax.node(SyntaxId::new(index));
            if node.span.file != main || node.annotations.is_empty() {
                continue;
            }
            for name in NAMES.into_iter().filter(|name| node.annotations.iter().any(|(written, _)| **written == **name))
            {
                found.insert((node.span, name), false);
            }
        }
        Silencers { found }
    }
    /// Whether a warning is suppressed: a silencer surrounds it, or is inside its scope.
    pub fn silence(&mut self, id: WarningId, span: Span, scope: Span) -> bool {
        let wanted = id.silencer();
        let mut silenced = false;
        for ((at, name), works) in &mut self.found {
            if Some(*name) == wanted && (at.contains(span) || scope.contains(*at)) {
                *works = true;
                silenced = true;
            }
        }
        silenced
    }
    /// Silencers without effect: the annotated range, the name, and the edit that removes the silencer.
    pub fn useless(&self, source: &str) -> Vec<(Span, &'static str, Option<Edit>)> {
        let idle = self.found.iter().filter(|(_, works)| !**works);
        idle.map(|((span, name), _)| {
            let written = written(source, *span, name);
            let span =
                written.as_ref().map_or(*span, |edit| Span { end: edit.end as u32, start: edit.start as u32, ..*span });
            (span, *name, written)
        })
        .collect()
    }
}

/// The text of an annotation: at the start of the annotated range, or just before it.
fn written(source: &str, span: Span, name: &str) -> Option<Edit> {
    let mark = format!("@{name}");
    let (start, end) = (span.start as usize, span.end as usize);
    let at = match source.get(start..end)?.find(&mark) {
        Some(at) => start + at,
        None => source.get(..start)?.rfind(&mark)?,
    };
    let close = source.get(at..)?.find(')')? + 1;
    Some(Edit::replace(at, at + close, ""))
}
