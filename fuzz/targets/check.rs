//! Any bytes: parsing and checking end without a crash.
#![no_main]

use echis_base::{SourceFile, SourceMap};
use echis_syntax::{NoLoader, decode, parse_program};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new("main.vpr", decode(bytes)));
    let (program, diagnostics) = parse_program(&mut sources, main, &NoLoader);
    if diagnostics.iter().all(|diagnostic| diagnostic.id != "parser.error") {
        echis_program::check_program(&program);
    }
});
