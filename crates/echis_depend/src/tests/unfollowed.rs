//! Infeasible sides of case distinctions: which nodes their exclusion matters to.

use super::{Fixture, Script};
use crate::minimize::Minimization;
use crate::needs::Coarse;

const PROGRAM: &str = "\
method m(a: Int)
  requires a > 0
{
  var b: Int
  var c: Int
  c := 3
  if (a > 0) {
    b := 1
  } else {
    b := 2
    assert a > 5
  }
  assert b == 1
  assert c == 3
}
";

/// The negative side is closed and was not followed.
fn fixture() -> Fixture {
    Fixture::new(
        PROGRAM,
        "\
(symbol c (uninterpreted c) () Int)
(symbol b (uninterpreted b) () Int)
(node n1 n0 (assume (%Lt 0 x) Written) (origin {2} - Value))
(node n2 n1 (assume (%Eq c 3) Written) (origin {6} - Value))
(node n3 n2 (split (%Lt 0 x) taken) (origin {7} - Guard))
(node n4 n2 (dead (%Not (%Lt 0 x)) Written) (origin {7} - Guard))
(node n5 n3 (assume (%Eq b 1) Written) (origin {8} - Value))
(check c0 n2 (%Lt 0 x) (probe Infeasible) (origin {7} - Value) Proved)
(check c1 n5 (%Eq b 1) (obligation assert.failed {13} assertion.false {13}) (origin {13} - Value) Proved)
(check c2 n5 (%Eq c 3) (obligation assert.failed {14} assertion.false {14}) (origin {14} - Value) Proved)
(closed n4)
",
    )
}

#[test]
fn who_speaks_of_what_the_other_side_changes_rests_on_what_excludes_it() {
    let fixture = fixture();
    let found = fixture.explain(Minimization::Fast, &mut Script::default());
    assert_eq!(fixture.needs(&found, "13"), [2, 7, 8]);
    assert_eq!(found.coarse.get(&fixture.user("13")), Some(&Coarse::Unfollowed));
    assert_eq!(fixture.needs(&found, "14"), [6]);
    assert_eq!(found.coarse.get(&fixture.user("14")), None);
}

#[test]
fn what_stands_on_the_side_is_never_reached() {
    let fixture = fixture();
    let found = fixture.explain(Minimization::Fast, &mut Script::default());
    assert_eq!(fixture.lines(&found.dead), [10, 11]);
    assert_eq!(fixture.needs(&found, "11"), [2, 7], "it holds because no execution reaches it");
}
