//! Regression tests: wrong programs of the shared corpus that were once accepted. Both engines must reject all of
//! them.

use echis::{Cancel, Checked, Config, EngineChoice, FileVerdict, Settings, Silent, Source, Verifier};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Programs that are correct.
const RIGHT: [&str; 3] = ["P1.vpr", "P2.vpr", "derive_bounds_overflow.vpr"];
/// Correct, but only by induction; the solver gives up after minutes.
const SLOW: [&str; 1] = ["vcg_merge_without_lemma.vpr"];

fn attacks() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus/attacks");
    let Ok(entries) = std::fs::read_dir(&folder) else {
        eprintln!("skipped: {} is missing", folder.display());
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    found.retain(|path| path.extension().is_some_and(|extension| extension == "vpr" || extension == "bpl"));
    found.sort();
    found
}

#[test]
fn no_attack_of_the_corpus_is_accepted() {
    let verifier = Verifier::new(Config::default()).expect("there is a solver");
    let mut wrong = Vec::new();
    for path in attacks() {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if SLOW.contains(&&*name) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("the program can be read");
        let checked = Arc::new(Checked::new(Source::text(&*name, &*text)));
        for engine in [EngineChoice::Symbolic, EngineChoice::Conditions] {
            let settings = Settings { engine, ..Settings::new(Cancel::never()) };
            let verdict = verifier.verify(&checked, &settings, &Silent).result().verdict;
            let is_accepted = verdict == FileVerdict::Verified;
            if is_accepted != RIGHT.contains(&&*name) || verdict == FileVerdict::Error {
                wrong.push(format!("{name}: {verdict:?} ({engine:?})"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
