//! From cores to the needs of a member's nodes: engine facts are replaced by what they rest on.

use super::{Fixture, Script};
use crate::graph::{EdgeFilter, Graph};
use crate::minimize::Minimization;
use crate::needs::Coarse;
use crate::via::Via;

const FIELD: &str = "\
field f: Int
method m(a: Ref, b: Int)
  requires acc(a.f)
  requires b > 0
{
  a.f := b
  assert a.f > 0
  assert b > 1
}
";

fn fixture() -> Fixture {
    Fixture::new(
        FIELD,
        "\
(node n1 n0 (assume true Written) (origin {3} - Permission))
(node n2 n1 (assume (%Lt 0 x) Written) (origin {4} - Value))
(node n3 n2 (assume (%Eq y x) Written) (origin {6} - Value) (premises c0))
(node n4 n3 (assume true (Rule Kept)) (origin {6} - Permission) (premises n1))
(node n5 n4 (assume (p y) (Rule Merge)) (origin {6} - Value) (premises n4))
(check c0 n2 true (obligation assignment.failed {6} insufficient.permission {6}) (origin {6} - Permission) Proved (premises n1))
(check c1 n5 (%Lt 0 y) (obligation assert.failed {7} assertion.false {7}) (origin {7} - Value) Proved)
(check c2 n5 true (obligation assert.failed {7} insufficient.permission {7}) (origin {7} - Permission) Proved (premises n4))
(check c3 n5 (%Lt 1 x) (obligation assert.failed {8} assertion.false {8}) (origin {8} - Value) Refuted)
",
    )
}

#[test]
fn cores_come_down_to_nodes() {
    let fixture = fixture();
    let found = fixture.explain(Minimization::Fast, &mut Script::default());
    // The kept permission is that of the precondition.
    assert_eq!(fixture.needs(&found, "7"), [3, 4, 6]);
    assert_eq!(fixture.needs(&found, "6"), [3]);
    assert_eq!(fixture.lines(&found.failed), [8]);
    assert!(found.coarse.is_empty() && found.vacuous.is_empty());
    let via = &found.needs[&fixture.user("7")];
    assert_eq!((via[&fixture.user("3")], via[&fixture.user("4")]), (Via::Permission, Via::Value));
}

#[test]
fn members_are_joined_to_a_graph() {
    let fixture = fixture();
    let found = fixture.explain(Minimization::Fast, &mut Script::default());
    let graph = Graph::new(&fixture.nodes, [found]);
    assert_eq!(fixture.lines(&graph.dependencies([fixture.user("7")], EdgeFilter::All)), [3, 4, 6]);
    assert_eq!(fixture.lines(&graph.dependents([fixture.user("3")])), [6, 7]);
    assert_eq!(fixture.lines(&graph.failed), [8]);
}

const TWICE: &str = "\
method m(a: Int)
  requires a > 0
  requires a > 1
{
  if (a > 2) { }
  assert a > 3
}
";

/// On one path the solver names the first fact, on the other only the second is available: it suffices for both.
#[test]
fn proofs_of_one_node_agree_where_they_can() {
    let fixture = Fixture::new(
        TWICE,
        "\
(node n1 n0 (assume (q x) Written) (origin {3} - Value))
(node n2 n1 (split (r x) taken) (origin {5} - Guard))
(node n3 n1 (split (%Not (r x)) negated) (origin {5} - Guard))
(node n4 n2 (assume (p x) Written) (origin {2} - Value))
(check c0 n4 (s x) (obligation assert.failed {6} assertion.false {6}) (origin {6} - Value) Proved)
(check c1 n3 (s x) (obligation assert.failed {6} assertion.false {6}) (origin {6} - Value) Proved)
",
    );
    let proofs: &[(&str, &[&str])] = &[("(s x)", &["(p x)"]), ("(s x)", &["(q x)"])];
    let needs = |minimization: Minimization| {
        let found = fixture.explain(minimization, &mut Script::new(proofs));
        fixture.needs(&found, "6")
    };
    assert_eq!(needs(Minimization::Off), [2, 3]);
    assert_eq!(needs(Minimization::Full), [3]);
}

#[test]
fn what_is_not_proved_again_is_said_to_be_coarse() {
    let fixture = Fixture::new(
        TWICE,
        "\
(node n1 n0 (assume (q x) Written) (origin {3} - Value))
(check c0 n1 (s x) (obligation assert.failed {6} assertion.false {6}) (origin {6} - Value) Proved)
",
    );
    let found = fixture.explain(Minimization::Fast, &mut Script::default());
    assert_eq!(found.coarse.get(&fixture.user("6")), Some(&Coarse::Lost));
    assert_eq!(found.statistics.lost, 1);
}

#[test]
fn what_follows_from_a_contradiction_is_vacuous() {
    let fixture = Fixture::new(
        TWICE,
        "\
(node n1 n0 (assume (%Lt x 0) Written) (origin {2} - Value))
(node n2 n1 (assume (%Lt 0 x) Written) (origin {3} - Value))
(check c0 n2 (s x) (obligation assert.failed {6} assertion.false {6}) (origin {6} - Value) Proved)
",
    );
    let found = fixture.explain(Minimization::Fast, &mut Script::default());
    assert_eq!(fixture.lines(&found.vacuous), [6]);
    assert_eq!(fixture.needs(&found, "6"), [2, 3]);
}
