//! Combined needs of goals: proofs are sought within what is known to be needed, and otherwise only their additional
//! needs.

use super::{Fixture, Script, check, node};
use crate::cores::{CoreContext, CoreSearch};
use crate::minimize::Minimization;
use crate::options::{Attribution, DependencyOptions};
use crate::rank::GroupKey;

const PROGRAM: &str = "\
method m(a: Int, b: Int)
  requires a > 0
  requires a > 1
  requires a > 2
{
  assert a > b
  assert a > b + 1
}
";

fn fixture() -> Fixture {
    Fixture::new(
        PROGRAM,
        "\
(node n1 n0 (assume (p x) Written) (origin {2} - Value))
(node n2 n1 (assume (q x) Written) (origin {3} - Value))
(node n3 n2 (assume (r x) Written) (origin {4} - Value))
(check c0 n3 (q x) (obligation assert.failed {6} assertion.false {6}) (origin {6} - Value) Proved)
(check c1 n3 (s x) (obligation assert.failed {7} assertion.false {7}) (origin {7} - Value) Proved)
",
    )
}

fn overall() -> DependencyOptions {
    DependencyOptions { attribution: Attribution::Overall, ..Minimization::Fast.into() }
}

#[test]
fn a_core_is_what_a_proof_needs_besides() {
    let fixture = fixture();
    let mut search = CoreSearch::new(overall());
    let mut script = Script::new(&[("(s x)", &["(p x)", "(q x)"])]);
    let known = |key: &GroupKey| matches!(key, GroupKey::Users(users) if fixture.lines(users) == [3]);
    let mut cx = CoreContext { facts: fixture.facts(), explainer: &mut script };
    let core = search.solve_given(&mut cx, Some(check(1)), node(3), &known);
    assert_eq!(fixture.keys(&core), ["[2]"]);
    assert_eq!(script.asked, 1, "a solver's word is taken for what it used");
}

/// The second assertion has two proofs. The one from facts that the first one needs anyway leaves less covered.
#[test]
fn what_is_known_to_be_needed_is_preferred() {
    let fixture = fixture();
    let proofs: &[(&str, &[&str])] = &[("(s x)", &["(p x)", "(r x)"]), ("(s x)", &["(q x)"])];
    let found = fixture.explain(overall(), &mut Script::new(proofs));
    assert_eq!(fixture.needs(&found, "6"), [3]);
    let found = fixture.explain(overall(), &mut Script::new(&proofs[1..]));
    assert_eq!(fixture.needs(&found, "7"), Vec::<u32>::new(), "nothing besides");
    let found = fixture.explain(Minimization::Fast, &mut Script::new(&proofs[1..]));
    assert_eq!(fixture.needs(&found, "7"), [3], "each on its own account");
}
