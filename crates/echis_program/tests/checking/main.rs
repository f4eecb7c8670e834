//! Name resolution and type checking on minimal programs: program text in, diagnostics out.

mod names;
mod places;
mod types;

use echis_base::{Severity, SourceFile, SourceMap};
use echis_program::program::Type;
use echis_syntax::{NoLoader, parse_program};
use expect_test::Expect;

/// The diagnostics of a program, one per line.
fn findings(text: &str) -> String {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new("test.vpr", text));
    let (program, diagnostics) = parse_program(&mut sources, main, &NoLoader);
    let broken = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    assert!(broken.is_none(), "the program does not parse: {broken:?}");
    let (_, diagnostics) = echis_program::check(&program);
    let mut lines = String::new();
    for diagnostic in diagnostics {
        let position = sources.position(diagnostic.span.expect("these findings have ranges"));
        let kind = diagnostic.id.strip_prefix("typechecker.").expect("these findings are the type checker's");
        lines.push_str(&format!("{kind} {}--{} {}\n", position.start, position.end, diagnostic.message));
    }
    lines
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&findings(text));
}

#[track_caller]
fn accepts(text: &str) {
    assert_eq!(findings(text), "");
}

/// The types of all expressions whose text is `part`, in key order.
#[track_caller]
fn types_of(text: &str, part: &str) -> Vec<Type> {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new("test.vpr", text));
    let (program, _) = parse_program(&mut sources, main, &NoLoader);
    let (typed, diagnostics) = echis_program::check(&program);
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.severity == Severity::Warning), "{diagnostics:?}");
    let found = program.exprs.iter().filter(|(_, expr)| sources.text(expr.span) == part);
    found.map(|(id, _)| typed.ty(id).clone()).collect()
}
