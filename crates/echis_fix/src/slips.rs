//! Typing mistakes: texts that are no programs, and become programs when one word is another one.

use crate::limits::SLIPS;
use crate::{Candidate, Kind};
use echis::coverage::{Edit, apply};
use echis::{Checked, Diagnostic};

/// What is written for something else, and what is meant.
const OPERATORS: [(&str, &str, &str); 9] = [
    (" = ", " := ", "write := to assign"),
    (" = ", " == ", "write == to compare"),
    (" => ", " ==> ", "write ==> to imply"),
    (" -> ", " ==> ", "write ==> to imply"),
    (" & ", " && ", "write && for and"),
    (" | ", " || ", "write || for or"),
    (" := ", " == ", "write == to compare"),
    ("!==", "!=", "write !="),
    ("===", "==", "write =="),
];

/// Changes with which a text is a program, for errors of syntax and types.
pub fn slips(checked: &Checked, error: &Diagnostic) -> Vec<Candidate> {
    let sources = checked.sources();
    let (Some((main, file)), Some(span)) = (sources.files().next(), error.span) else { return Vec::new() };
    if span.file != main || error.fix.is_some() {
        return Vec::new();
    }
    let text = &*file.text;
    let before = checked.diagnostics().len();
    let mut found = Vec::new();
    for candidate in candidates(text, span.start as usize, span.end as usize).into_iter().take(SLIPS) {
        let Some(edited) = apply(&candidate.edits, text) else { continue };
        let then = Checked::new(checked.source().clone().with_text(edited.as_str()));
        let fewer = then.is_valid() || is_later(&then, error, before);
        if fewer && !found.contains(&candidate) {
            found.push(candidate);
        }
    }
    found
}

/// Whether there are fewer errors, and none at the place of the first or before it.
fn is_later(then: &Checked, error: &Diagnostic, before: usize) -> bool {
    let start = error.span.map_or(0, |span| span.start);
    let reached = |found: &Diagnostic| found.span.is_some_and(|span| span.start > start + 4);
    then.diagnostics().len() < before && then.diagnostics().iter().all(reached)
}

fn candidates(text: &str, start: usize, end: usize) -> Vec<Candidate> {
    let line = text[..start.min(text.len())].rfind('\n').map_or(0, |at| at + 1);
    // A parser notices a mistake at the earliest where it is, and often at the next word.
    let line = text[..line.saturating_sub(1)].rfind('\n').map_or(0, |at| at + 1);
    let until = text[end.min(text.len())..].find('\n').map_or(text.len(), |at| end + at);
    let mut found = Vec::new();
    for (written, meant, explanation) in OPERATORS {
        for (at, _) in text[line..until].match_indices(written) {
            let at = line + at;
            let edit = Edit::replace(at, at + written.len(), meant);
            found.push((at.abs_diff(start), Candidate::new(Kind::Slip, explanation, vec![edit])));
        }
    }
    // `method m(x: Int) : (y: Int)`, `method m(x: Int) (y: Int)`, `method m(x: Int) -> (y: Int)`
    for shape in [") : (", ") (", ") -> (", "): (", ")("] {
        for (at, _) in text[line..until].match_indices(shape).filter(|_| text[line..until].contains("method")) {
            let at = line + at;
            let edit = Edit::replace(at, at + shape.len(), ") returns (");
            found
                .push((at.abs_diff(start), Candidate::new(Kind::Slip, "write returns before the results", vec![edit])));
        }
    }
    found.sort_by_key(|(distance, _)| *distance);
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis::Source;

    fn check(text: &str, explanation: &str, fixed: &str) {
        let checked = Checked::new(Source::text("a.vpr", text));
        let error = checked.diagnostics().first().expect("the text is no program");
        let found = slips(&checked, error);
        let first = found.first().unwrap_or_else(|| panic!("nothing is found: {}", error.message));
        assert_eq!((&*first.explanation, apply(&first.edits, text).as_deref()), (explanation, Some(fixed)));
    }

    #[test]
    fn operators_of_other_languages() {
        check("method m() { var x: Int\n  x = 3\n}", "write := to assign", "method m() { var x: Int\n  x := 3\n}");
        check("method m(a: Bool) requires a => a { }", "write ==> to imply", "method m(a: Bool) requires a ==> a { }");
        check("method m(a: Int) requires a = 2 { }", "write == to compare", "method m(a: Int) requires a == 2 { }");
        check("method m(a: Bool) requires a & a { }", "write && for and", "method m(a: Bool) requires a && a { }");
    }

    #[test]
    fn results_are_returned() {
        check(
            "method m(a: Int) : (b: Int) { b := a }",
            "write returns before the results",
            "method m(a: Int) returns (b: Int) { b := a }",
        );
    }

    #[test]
    fn other_mistakes_are_left_alone() {
        let checked = Checked::new(Source::text("a.vpr", "method m() { x := }"));
        assert!(slips(&checked, &checked.diagnostics()[0]).is_empty());
    }
}
