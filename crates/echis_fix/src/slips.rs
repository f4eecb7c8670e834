//! Typos: texts that become valid programs if one word is replaced.

use crate::limits::SLIPS;
use crate::{Candidate, Kind, slips_of_form, slips_of_words};
use echis::coverage::Edit;
use echis::{Checked, Diagnostic, Span};

/// A mistaken operator, the intended one, and the message.
const OPERATORS: [(&str, &str, &str); 19] = [
    (" = ", " := ", "write := to assign"),
    (" = ", " == ", "write == to compare"),
    (" => ", " ==> ", "write ==> to imply"),
    (" -> ", " ==> ", "write ==> to imply"),
    (" & ", " && ", "write && for and"),
    (" | ", " || ", "write || for or"),
    (" := ", " == ", "write == to compare"),
    ("!==", "!=", "write !="),
    ("===", "==", "write =="),
    (" == ", " := ", "write := to assign"),
    (" and ", " && ", "write && for and"),
    (" or ", " || ", "write || for or"),
    ("not ", "!", "write ! for not"),
    (" <> ", " != ", "write != for different"),
    (" =< ", " <= ", "write <= for at most"),
    (" => ", " >= ", "write >= for at least"),
    (" . ", " :: ", "write :: after the variables"),
    (", ", " :: ", "write :: after the variables"),
    ("else if", "elseif", "write elseif"),
];

/// Changes that make a text with syntax or type errors valid; none if the error already has a fix.
pub fn slips(checked: &Checked, error: &Diagnostic) -> Vec<Candidate> {
    let sources = checked.sources();
    let (Some((main, file)), Some(span)) = (sources.files().next(), error.span) else { return Vec::new() };
    if span.file != main {
        return Vec::new();
    }
    let text = &*file.text;
    let before = checked.diagnostics().len();
    // The number of errors left after edits, if these help.
    let left = |edits: &[Edit]| {
        let then = checked.edited(edits)?;
        let helps = then.is_valid() || is_later(&then, error, before);
        helps.then(|| if then.is_valid() { 0 } else { then.diagnostics().len() })
    };
    let edit = |(span, text): &(Span, String)| Edit::replace(span.start as usize, span.end as usize, text.as_str());
    if error.fix.as_ref().is_some_and(|fix| left(&fix.edits.iter().map(edit).collect::<Vec<_>>()).is_some()) {
        return Vec::new();
    }
    let mut found: Vec<(usize, Candidate)> = Vec::new();
    for candidate in candidates(text, span.start as usize, span.end as usize).into_iter().take(SLIPS) {
        if let Some(left) = left(&candidate.edits)
            && !found.iter().any(|(_, known)| *known == candidate)
        {
            found.push((left, candidate));
        }
    }
    found.sort_by_key(|(left, _)| *left);
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

/// Whether there are fewer errors, and none at or before the position of the first one.
fn is_later(then: &Checked, error: &Diagnostic, before: usize) -> bool {
    let start = error.span.map_or(0, |span| span.start);
    let reached = |found: &Diagnostic| found.span.is_some_and(|span| span.start > start + 4);
    then.diagnostics().len() < before && then.diagnostics().iter().all(reached)
}

fn candidates(text: &str, start: usize, end: usize) -> Vec<Candidate> {
    let line = text[..start.min(text.len())].rfind('\n').map_or(0, |at| at + 1);
    // A parser reports a mistake at its position or later, often at the next word.
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
    found.extend(slips_of_form::candidates(text, start, line, until).into_iter().map(|candidate| (0, candidate)));
    found.extend(slips_of_words::candidates(text, start, end).into_iter().map(|candidate| (0, candidate)));
    found.sort_by_key(|(distance, _)| *distance);
    found.extend(slips_of_form::closing(text, start).into_iter().map(|candidate| (usize::MAX, candidate)));
    found.into_iter().map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis::Source;
    use echis_base::apply;

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
    fn words_of_other_languages() {
        check("method m(a: boolean) { }", "write Bool for boolean", "method m(a: Bool) { }");
        check("method m(a: Ref) { assert a != nil }", "write null for nil", "method m(a: Ref) { assert a != null }");
        check(
            "method m(s: Seq[Int]) { assert s.length >= 0 }",
            "write |s| for s.length",
            "method m(s: Seq[Int]) { assert |s| >= 0 }",
        );
        check(
            "field f: Int\nmethod m(x: Ref) requires x.f { }",
            "write acc(x.f) for permission to x.f",
            "field f: Int\nmethod m(x: Ref) requires acc(x.f) { }",
        );
    }

    #[test]
    fn forms_of_other_languages() {
        check(
            "method m(a: Bool) {\n  if a {\n  }\n}",
            "write parentheses: if (a)",
            "method m(a: Bool) {\n  if (a) {\n  }\n}",
        );
        check(
            "method m() returns (r: Int) {\n  return 3\n}",
            "assign the result: r := 3",
            "method m() returns (r: Int) {\n  r := 3\n}",
        );
        check(
            "method m() returns (r: Int) {\n  r += 3\n}",
            "write r := r + 3",
            "method m() returns (r: Int) {\n  r := r + 3\n}",
        );
    }

    #[test]
    fn variables_are_declared() {
        check(
            "method m() {\n  b := true\n}",
            "declare b with var b: Bool",
            "method m() {\n  var b: Bool\n  b := true\n}",
        );
        check(
            "method m()\n  ensures r == 3\n{\n  r := 3\n}",
            "declare the result with returns (r: Int)",
            "method m() returns (r: Int)\n  ensures r == 3\n{\n  r := 3\n}",
        );
    }

    #[test]
    fn blocks_are_closed() {
        check(
            "method m() {\n  assert true\n\nmethod n() { }",
            "close the block with }",
            "method m() {\n  assert true\n}\n\nmethod n() { }",
        );
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
