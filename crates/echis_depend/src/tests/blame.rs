//! Attribution of facts to nodes.

use super::{Fixture, check, node};
use crate::blame::Blame;
use echis_proof::Premise;

const CALL: &str = "\
method callee(a: Int) returns (b: Int)
  requires a > 0
  ensures b > a
  ensures b > 1
method m(c: Int)
  requires c > 0
{
  var d: Int
  d := callee(c)
  assert d > 0
}
";

fn fixture() -> Fixture {
    Fixture::new(
        CALL,
        "\
(node n1 n0 (assume (%Lt 0 x) Written) (origin {6} - Value))
(node n2 n1 (assume (%Eq x x) (Rule Definition)) (origin {9} - Value))
(node n3 n2 (assume (p y) Checked) (origin {3} {9} Value) (premises n1 c0))
(node n4 n3 (assume (q y) (Rule Lemma)) (origin {9} - Value) (premises n3))
(node n5 n4 (assume (p y) Lifted) (origin {9} - Value) (premises n3))
(node n6 n5 (assume (r y) (Rule Application)) (origin {10} - Value) (premises n3))
(check c0 n2 (%Lt 0 x) (obligation call.precondition {9} assertion.false {2}) (origin {2} {9} Value) Proved)
(check c1 n4 (%Lt 0 y) (obligation assert.failed {10} assertion.false {10}) (origin {10} - Value) Proved)
(check c2 n3 (%Lt 0 y) (obligation not.wellformed {3} division.by.zero {3}) (origin {3} {9} Value) Proved)
(check c3 n4 (%Lt 1 y) (obligation assert.failed {10} assertion.false {10}) (origin {10} - Value) Refuted)
",
    )
}

#[test]
fn facts_are_shown_hidden_or_free() {
    let fixture = fixture();
    let facts = fixture.facts();
    let blame = |index: usize| match facts.blame(node(index)) {
        Blame::Free => "free".to_string(),
        Blame::Hidden => "hidden".to_string(),
        Blame::Shown(users) => format!("{:?}", fixture.lines(&users)),
    };
    // A postcondition belongs to the callee and the call; a lifted fact to the nodes of the original; a node that
    // only asks is not responsible for what it applies.
    assert_eq!([0, 1, 2, 3, 4, 5, 6].map(blame), ["free", "[6]", "free", "[3, 9]", "hidden", "[3, 9]", "hidden"]);
    assert_eq!(facts.source(node(5)), node(3));
    assert!(facts.is_lemma(node(4)) && !facts.is_lemma(node(3)));
}

#[test]
fn obligations_are_demanded_where_the_clause_is_used() {
    let fixture = fixture();
    let facts = fixture.facts();
    let demander = |index: usize| facts.demander(check(index)).map(|user| fixture.line(user));
    // Well-formedness of a contract is demanded where it is written, not by the call.
    assert_eq!([0, 1, 2].map(demander), [Some(9), Some(10), None]);
    assert!(facts.is_proved(check(1)) && !facts.is_proved(check(3)));
    assert_eq!(facts.giver(node(3)).map(|user| fixture.line(user)), Some(9));
    assert_eq!(facts.giver(node(5)), None, "it was given before");
    assert_eq!(facts.giver(node(1)), None, "it rests on nothing");
    let premises: Vec<Premise> = facts.demanded_premises(node(3)).collect();
    assert_eq!(premises, [Premise::Fact(node(1)), Premise::Check(check(0))]);
}
