//! Each encoding rule on a small program: the file next to the program contains the resulting Boogie program, with the
//! error of each goal. The common prelude is omitted. `UPDATE_EXPECT=1` rewrites the files.

use echis_base::{Severity, SourceFile, SourceMap};
use echis_boogie::ast::Stmt;
use echis_boogie::print;
use echis_syntax::{NoLoader, parse_program};
use expect_test::expect_file;
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[test]
fn rules_write_these_programs() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    let entries = std::fs::read_dir(folder).expect("the programs are there");
    let mut programs: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "vpr"));
    programs.sort();
    assert!(!programs.is_empty());
    for path in programs {
        let source = std::fs::read_to_string(&path).expect("a program can be read");
        expect_file![path.with_extension("bpl")].assert_eq(&encoded(&source));
    }
}

/// Marks in the names of declarations from the collection library.
const LIBRARY: [&str; 4] = ["Seq#", "Set#", "Multiset#", "Map#"];

fn encoded(source: &str) -> String {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new("rule.vpr", source.to_owned()));
    let (syntax, mut diagnostics) = parse_program(&mut sources, main, &NoLoader);
    let (program, found) = echis_program::check_program(&syntax);
    diagnostics.extend(found);
    let errors: Vec<_> = diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let program = program.expect("a program without errors is checked");
    let translation = echis_encode::translate(&program);
    let comment = |stmt: &Stmt| {
        let goal = &translation.goals[stmt.mark?];
        let (property, holds) = (goal.property, if goal.refuted { ", if it holds" } else { "" });
        Some(format!("{}:{}{holds}", property.error.id(), property.reason.id()))
    };
    let printed = print::annotated(&translation.program, &comment);
    let own = printed.split_once("const height: int;\n").map_or(&*printed, |(_, own)| own);
    let in_library = |line: &str| LIBRARY.iter().any(|name| line.contains(name)) && !line.starts_with([' ', 'p', '}']);
    let is_left_out = |line: &str| in_library(line) || line.trim_start().starts_with("var ");
    let mut text = String::new();
    for line in own.lines().filter(|line| !is_left_out(line)) {
        text += line;
        text.push('\n');
    }
    for refusal in &translation.refused {
        let _ = writeln!(text, "// refused: {}", refusal.message);
    }
    text
}
