//! The proof trees of real programs satisfy their invariants and round-trip through text.

use echis::{Cancel, MEMBER_MARK, Settings, Source, Trees, dump_tree};
use echis_proof::ProofTree;
use echis_testkit::corpus::own_programs;
use echis_testkit::run::verifier;

#[test]
fn trees_of_own_programs_read_back() {
    let cancel = Cancel::never();
    let verifier = verifier(&cancel);
    for trees in [Trees::Dropped, Trees::Explained] {
        let settings = Settings { trees, ..Settings::new(cancel.clone()) };
        for case in own_programs() {
            // Invalid programs have no trees.
            let Ok(text) = dump_tree(&verifier.check(Source::file(&case.path)), &settings, &verifier) else { continue };
            for member in text.split(MEMBER_MARK).filter(|member| !member.is_empty()) {
                let (name, tree) = member.split_once('\n').expect("the tree begins on the next line");
                let tree: String = tree.split_inclusive('\n').filter(|line| !line.starts_with(';')).collect();
                let tree = tree.as_str();
                let read = ProofTree::from_text(tree).unwrap_or_else(|wrong| panic!("{}: {name}: {wrong}", case.name));
                assert!(read.to_text() == tree, "{}: {name} does not read back to the same text", case.name);
            }
        }
    }
}
