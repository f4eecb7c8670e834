//! The proofs that are kept for edited versions of the program.

use super::{Fixture, Script, node};
use crate::minimize::Minimization;

#[test]
fn what_a_solver_needed_is_kept_with_the_goal() {
    let fixture = Fixture::new(
        "method m(a: Int)\n  requires a > 0\n  requires a > 1\n{\n  assert a > 2\n}\n",
        "\
(node n1 n0 (assume (p x) Written) (origin {2} - Value))
(node n2 n1 (assume (q x) Written) (origin {3} - Value))
(check c0 n2 (s x) (obligation assert.failed {5} assertion.false {5}) (origin {5} - Value) Proved)
",
    );
    let found = fixture.explain(Minimization::Fast, &mut Script::new(&[("(s x)", &["(q x)"])]));
    let text = |term| fixture.tree.terms.text(term);
    let proofs = found
        .proofs
        .iter()
        .map(|(at, goal, facts)| (*at, text(*goal), facts.iter().map(|fact| text(*fact)).collect::<Vec<String>>()));
    assert_eq!(proofs.collect::<Vec<_>>(), [(node(2), "(s x)".to_string(), vec!["(q x)".to_string()])]);
}
