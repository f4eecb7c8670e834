//! Parses and checks programs, and collects their diagnostics.
#![allow(dead_code)]

use echis_base::{Severity, SourceFile, SourceMap};
use echis_program::program::Program;
use echis_program::{check_program, validate};
use echis_syntax::{NoLoader, parse_program};

pub struct Checked {
    pub sources: SourceMap,
    pub program: Option<Program>,
    /// `error consistency.error 1.2--1.4 message`, one per line.
    pub findings: String,
}

pub fn checked(text: &str) -> Checked {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new("test.vpr", text));
    let (ast, diagnostics) = parse_program(&mut sources, main, &NoLoader);
    let broken = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    assert!(broken.is_none(), "the program does not parse: {broken:?}");
    let (program, diagnostics) = check_program(&ast);
    let failed = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    assert_eq!(program.is_none(), failed, "there is a program exactly if there is no error");
    if let Some(program) = &program {
        assert_eq!(validate(program), Vec::<String>::new());
    }
    let mut findings = String::new();
    for diagnostic in diagnostics {
        let place = diagnostic.span.map_or("nowhere".into(), |span| {
            let position = sources.position(span);
            format!("{}--{}", position.start, position.end)
        });
        findings.push_str(&format!("{} {place} {}\n", diagnostic.id, diagnostic.message));
    }
    Checked { sources, program, findings }
}

/// The lowered program as text. The program must be valid.
pub fn lowered(text: &str) -> String {
    let checked = checked(text);
    let program = checked.program.unwrap_or_else(|| panic!("rejected:\n{}", checked.findings));
    echis_program::print::print(&program).to_string()
}
