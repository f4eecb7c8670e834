//! Hand-written trees can be read, and print identically.

use crate::ProofTree;

const TREE: &str = "\
(symbol x (uninterpreted x) () Int)
(node n0 - (root) (origin @0 - Value))
(node n1 n0 (assume (%Lt 0 x) Written) (origin @3 @9 Value))
(node n2 n1 (split (%Lt x 5) negated) (origin @4 - Guard))
(node n3 n2 (assume (%Lt 1 x) (Rule Merge)) (origin @4 - Permission) (premises n1))
(node n4 n3 (dead (%Lt 2 x) Checked) (origin @4 - Value) (premises c0))
(check c0 n2 (%Lt 0 x) (obligation assert.failed @7 assertion.false @8) (origin @7 - Value) Proved (premises n1))
(check c1 n2 false (probe Infeasible) (origin @7 - Value) Incomplete (premises c0))
(check c2 n3 false (probe Alias) (origin @7 - Value) (Solver |it died|))
(check c3 n3 false (probe Other) (origin @7 - Value) open)
(labelled n3 (%Lt 1 x) (((%Lt 0 x) n1)))
(closed n4)
";

#[test]
fn trees_read_back() {
    assert_eq!(ProofTree::from_text(TREE).unwrap().to_text(), TREE);
}

#[test]
fn broken_trees_are_refused() {
    let cases = [
        ("(node n1 n0 (root) (origin @0 - Value))", "the root comes first"),
        ("(node n1 - (root) (origin @0 - Value))", "n1 is no next key"),
        ("(node n0 - (root) (origin @0 - Worth))", "Worth is no part"),
        ("", "a tree has a root"),
    ];
    for (text, expected) in cases {
        let wrong = ProofTree::from_text(text).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(wrong.contains(expected), "{text}: {wrong}");
    }
}
