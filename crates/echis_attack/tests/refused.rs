//! Programs that try to have something wrong accepted, by subject: neither engine accepts a member whose name begins with
//! `wrong`, and both accept those whose names begin with `right`.

use echis::EngineChoice;
use echis_attack::program::{Text, Verdict, Verifier};
use std::path::{Path, PathBuf};

#[test]
fn neither_engine_accepts_a_wrong_member() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/refused");
    let entries = std::fs::read_dir(folder).expect("the programs are there");
    let mut programs: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    programs.sort();
    assert!(!programs.is_empty());
    let verifier = Verifier::new().expect("there is a solver");
    let mut unexpected = Vec::new();
    for path in programs {
        let source = std::fs::read_to_string(&path).expect("a program can be read");
        let text = Text::parse(&source).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        for engine in [EngineChoice::Symbolic, EngineChoice::Conditions] {
            for (member, verdict) in text.verdicts_by(&verifier, engine) {
                let is_verified = verdict == Verdict::Verified;
                if is_verified && member.starts_with("wrong") || !is_verified && member.starts_with("right") {
                    unexpected.push(format!("{}: {member} is {verdict:?} ({engine:?})", path.display()));
                }
            }
        }
    }
    assert!(unexpected.is_empty(), "{}", unexpected.join("\n"));
}
