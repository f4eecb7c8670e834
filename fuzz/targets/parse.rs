//! Any bytes: parsing ends without a crash; what parses prints and formats to the same tree, formatting is stable.
#![no_main]

use echis_base::{SourceFile, SourceMap};
use echis_syntax::{NoLoader, decode, dump_program, format_source, parse_program, print_program};
use libfuzzer_sys::fuzz_target;

/// The tree as text, if the program is free of errors.
fn dump(text: &str) -> Option<String> {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new("main.vpr", text));
    let (program, diagnostics) = parse_program(&mut sources, main, &NoLoader);
    let dump = dump_program(&program);
    diagnostics.iter().all(|diagnostic| diagnostic.id != "parser.error").then_some(dump)
}

fn format(text: &str) -> Option<String> {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new("main.vpr", text));
    format_source(main, sources.file(main)).ok()
}

fuzz_target!(|bytes: &[u8]| {
    let text = decode(bytes);
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new("main.vpr", &text[..]));
    let (program, _) = parse_program(&mut sources, main, &NoLoader);
    let Some(expected) = dump(&text) else { return };
    assert_eq!(dump(&print_program(&program)), Some(expected.clone()));
    let formatted = format(&text).expect("what parses can be formatted");
    assert_eq!(dump(&formatted), Some(expected));
    assert_eq!(format(&formatted).as_ref(), Some(&formatted));
});
