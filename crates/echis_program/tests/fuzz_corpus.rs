//! Replays the fuzzer's corpus: parsing, checking and formatting terminate and agree with each other.

use echis_base::{SourceFile, SourceMap};
use echis_syntax::{NoLoader, decode, dump_program, format_source, parse_program, print_program};
use std::path::{Path, PathBuf};

/// A lower bound on the number of inputs.
const AT_LEAST: usize = 100;

fn inputs() -> Vec<PathBuf> {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus");
    let mut found = Vec::new();
    for target in ["check", "parse"] {
        let entries = std::fs::read_dir(corpus.join(target)).expect("the corpus is part of the repository");
        found.extend(entries.flatten().map(|entry| entry.path()));
    }
    found.sort();
    found
}

/// The dumped tree and the printed program, if the text has no errors.
fn read(text: &str) -> Option<(String, String)> {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new("main.vpr", text));
    let (program, diagnostics) = parse_program(&mut sources, main, &NoLoader);
    let (dump, printed) = (dump_program(&program), print_program(&program));
    if diagnostics.iter().any(|diagnostic| diagnostic.id == "parser.error") {
        return None;
    }
    echis_program::check_program(&program);
    Some((dump, printed))
}

fn format(text: &str) -> Option<String> {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new("main.vpr", text));
    format_source(main, sources.file(main)).ok()
}

#[test]
fn what_the_fuzzer_kept_is_read_checked_and_formatted() {
    let inputs = inputs();
    assert!(inputs.len() >= AT_LEAST, "only {} inputs are there", inputs.len());
    let mut valid = 0;
    for path in inputs {
        let bytes = std::fs::read(&path).expect("it can be read");
        let text = decode(&bytes);
        if let Some((dump, printed)) = read(&text) {
            valid += 1;
            let shown = path.display();
            assert_eq!(read(&printed).map(|(dump, _)| dump), Some(dump.clone()), "{shown}: printed");
            let formatted = format(&text).expect("what parses can be formatted");
            assert_eq!(read(&formatted).map(|(dump, _)| dump), Some(dump), "{shown}: formatted");
            assert_eq!(format(&formatted).as_ref(), Some(&formatted), "{shown}: formatted twice");
        }
    }
    assert!(valid > 10, "only {valid} inputs can be read without errors");
}
