//! One-line programs, and their errors with columns.

use echis_base::{Diagnostic, SourceMap};

/// Defines a test for each rule: its name, a program that violates it, and the expected errors.
macro_rules! errors {
    ($($name:ident: $program:expr => $expected:expr;)*) => {
        $(
            #[test]
            fn $name() {
                $crate::common::check($program, &$expected);
            }
        )*
    };
}
pub(crate) use errors;

pub fn check(program: &str, expected: &[&str]) {
    let file = SourceMap::default().next_file();
    let checked = echis_boogie::check_program(file, program);
    assert_eq!(checked.program.is_none(), !checked.errors.is_empty(), "there is a program if there are no errors");
    let place = |error: &Diagnostic| error.span.map_or("-".to_string(), |span| (span.start + 1).to_string());
    let found = if checked.errors.is_empty() { &checked.unsupported } else { &checked.errors };
    let lines: Vec<String> =
        found.iter().map(|error| format!("{} {}: {}", place(error), error.id, error.message)).collect();
    assert_eq!(lines, expected);
}
