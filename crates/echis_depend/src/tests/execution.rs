//! The execution definition: facts of different paths are kept apart.

use super::{Fixture, Script, node};
use crate::execution::{Paths, execution_graph};
use crate::graph::{EdgeFilter, Graph};
use crate::minimize::Minimization;
use crate::options::{Definition, DependencyOptions};

const BRANCHES: &str = "\
field f: Int
method m(a: Ref, b: Bool)
  requires acc(a.f)
  requires b ==> a.f > 0
{
  var c: Int
  if (b) { c := 1 } else { c := 2 }
  a.f := c
  if (b) { assert a.f == 1 }
}
";

/// The demand on line 8 rests on 7.1 on one path, and on 7.2 on the other.
fn fixture() -> Fixture {
    Fixture::new(
        BRANCHES,
        "\
(symbol f1 (uninterpreted f1) () Int)
(symbol f2 (uninterpreted f2) () Int)
(node n1 n0 (split (p x) taken) (origin {7} - Guard))
(node n2 n0 (split (%Not (p x)) negated) (origin {7} - Guard))
(node n3 n1 (assume (%Eq x 1) Written) (origin {7.1} - Value))
(node n4 n3 (assume (%Eq f1 x) Written) (origin {8} - Value) (premises n3))
(node n5 n2 (assume (%Eq y 2) Written) (origin {7.2} - Value))
(node n6 n5 (assume (%Eq f2 y) Written) (origin {8} - Value) (premises n5))
(check c0 n4 (%Eq f1 1) (obligation assert.failed {9.1} assertion.false {9.1}) (origin {9.1} - Value) Proved)
",
    )
}

#[test]
fn sides_of_one_case_distinction_are_disjoint() {
    let fixture = fixture();
    let paths = Paths::new(fixture.facts());
    assert!(paths.are_disjoint(node(4), node(6)) && paths.are_disjoint(node(1), node(2)));
    assert!(!paths.are_disjoint(node(0), node(6)) && !paths.are_disjoint(node(3), node(4)));
}

#[test]
fn what_is_found_only_on_the_other_side_does_not_count() {
    let fixture = fixture();
    let explain = |definition: Definition| {
        let options = DependencyOptions { definition, ..Minimization::Fast.into() };
        fixture.explain(options, &mut Script::default())
    };
    let (other, goal) = (fixture.user("7.2"), fixture.user("9.1"));
    let verification = Graph::new(&fixture.nodes, [explain(Definition::Verification)]);
    assert!(verification.dependencies([goal], EdgeFilter::All).contains(&other), "the node needs both");
    let execution = execution_graph(&fixture.nodes, [explain(Definition::Execution)]);
    let needed = execution.dependencies([goal], EdgeFilter::All);
    assert!(!needed.contains(&other), "the fact needs one");
    assert!(needed.contains(&fixture.user("7.1")) && needed.contains(&fixture.user("8")));
}

const CALL: &str = "\
method callee(a: Int, b: Int) returns (c: Int, d: Int)
  requires a > 0
  requires b > 0
  ensures c > 0
  ensures d > 0
{
  c := a
  d := b
}
method m(e: Int, g: Int)
  requires e > 0
  requires g > 0
{
  var c: Int
  var d: Int
  c, d := callee(e, g)
  assert c > 0
}
";

/// The first postcondition needs only the first precondition, so its users need only what proves that one.
#[test]
fn a_postcondition_rests_on_the_preconditions_that_its_proof_needs() {
    let fixture = Fixture::new(
        CALL,
        "\
(node n1 n0 (assume (%Lt 0 x) Written) (origin {11} - Value))
(node n2 n1 (assume (%Lt 0 y) Written) (origin {12} - Value))
(node n3 n2 (assume (p x) Checked) (origin {4} {16} Value) (premises c0 c1))
(node n4 n3 (assume (q y) Checked) (origin {5} {16} Value) (premises c0 c1))
(check c0 n2 (%Lt 0 x) (obligation call.precondition {16} assertion.false {2}) (origin {2} {16} Value) Proved)
(check c1 n2 (%Lt 0 y) (obligation call.precondition {16} assertion.false {3}) (origin {3} {16} Value) Proved)
(check c2 n4 (p x) (obligation assert.failed {17} assertion.false {17}) (origin {17} - Value) Proved)
",
    );
    let callee = |fixture: &Fixture| {
        let tree = fixture.with_syntax(
            "\
(symbol x (uninterpreted x) () Int)
(symbol y (uninterpreted y) () Int)
(node n0 - (root) (origin {} - Value))
(node n1 n0 (assume (%Lt 0 x) Written) (origin {2} - Value))
(node n2 n1 (assume (%Lt 0 y) Written) (origin {3} - Value))
(check c0 n2 (%Lt 0 x) (obligation postcondition.violated {4} assertion.false {4}) (origin {4} - Value) Proved)
(check c1 n2 (%Lt 0 y) (obligation postcondition.violated {5} assertion.false {5}) (origin {5} - Value) Proved)
",
        );
        echis_proof::ProofTree::from_text(&tree).expect("it is a tree")
    };
    let callee = Fixture { tree: callee(&fixture), ..Fixture::new(CALL, "") };
    let options = DependencyOptions { definition: Definition::Execution, ..Minimization::Fast.into() };
    let members = [&callee, &fixture].map(|member| member.explain(options, &mut Script::default()));
    let graph = execution_graph(&fixture.nodes, members);
    let needed = fixture.lines(&graph.dependencies([fixture.user("17")], EdgeFilter::All));
    assert!(needed.contains(&11) && needed.contains(&16) && needed.contains(&4), "{needed:?}");
    assert!(!needed.contains(&12) && !needed.contains(&5), "{needed:?}");
}
