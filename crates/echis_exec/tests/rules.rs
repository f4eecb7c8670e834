//! Each rule of the executor on a small program, without a solver: the file next to the program contains the resulting
//! proof tree. `UPDATE_EXPECT=1` rewrites the files.
//!
//! The prover is scripted. It proves every obligation and none of the engine's own queries, except for goals that
//! contain the text of a comment `// no: ..` or `// yes: ..` in the program. With `// recovers: no`, an obligation fails
//! only once.

use echis_base::{Severity, SourceFile, SourceMap};
use echis_exec::Engine;
use echis_proof::{Bound, NodeId, Options, ProofTree, Prover, Verdict, Verifier};
use echis_syntax::{NoLoader, parse_program};
use echis_term::{TermId, Writer};
use expect_test::expect_file;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The goals for which the prover deviates from the default.
struct Script {
    yes: Vec<String>,
    no: Vec<String>,
}

impl Script {
    fn of(source: &str) -> Self {
        let lines = |mark: &str| source.lines().filter_map(|line| line.strip_prefix(mark)).map(str::to_owned).collect();
        Script { yes: lines("// yes: "), no: lines("// no: ") }
    }
}

impl Prover for Script {
    fn check(&mut self, tree: &ProofTree, _: NodeId, goal: TermId, bound: Bound) -> Verdict {
        let text = Writer::new(&tree.terms, &[goal]).term(goal);
        let occurs = |part: &String| text.contains(part.as_str());
        let usual = bound != Bound::Quick;
        let proved = if usual { !self.no.iter().any(occurs) } else { self.yes.iter().any(occurs) };
        if proved { Verdict::Proved } else { Verdict::Refuted }
    }
}

#[test]
fn rules_write_these_trees() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules");
    let entries = std::fs::read_dir(folder).expect("the programs are there");
    let mut programs: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry can be read").path()).collect();
    programs.retain(|path| path.extension().is_some_and(|extension| extension == "vpr"));
    programs.sort();
    assert!(!programs.is_empty());
    for path in programs {
        let source = std::fs::read_to_string(&path).expect("a program can be read");
        expect_file![path.with_extension("tree")].assert_eq(&tree(&source));
    }
}

/// The proof tree of the last member.
fn tree(source: &str) -> String {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new("rule.vpr", source.to_owned()));
    let (syntax, mut diagnostics) = parse_program(&mut sources, main, &NoLoader);
    let (program, found) = echis_program::check_program(&syntax);
    diagnostics.extend(found);
    let errors: Vec<_> = diagnostics.iter().filter(|found| found.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{errors:?}");
    let program = program.expect("a program without errors is checked");
    let engine = Engine::new(&program);
    let recovers = !source.lines().any(|line| line == "// recovers: no");
    let options = Options { errors: 0, recovers, ..Options::default() };
    let mut last = None;
    for member in engine.members().keys() {
        last = Some(engine.verify(member, &mut Script::of(source), &options, &mut Vec::new()));
    }
    let outcome = last.expect("there is a member");
    let tree = outcome.tree.to_text();
    let mut text: String =
        tree.lines().filter(|line| !line.starts_with("(symbol")).map(|line| format!("{line}\n")).collect();
    for failure in &outcome.failures {
        let cascade = if failure.cascade { ", a cascade" } else { "" };
        let _ = writeln!(text, "; {}:{}{cascade}", failure.property.error.id(), failure.property.reason.id());
    }
    text
}
