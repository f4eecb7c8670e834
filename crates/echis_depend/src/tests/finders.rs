//! Finders of cores, each on a question that only it answers.

use super::{Fixture, Script};
use crate::cores::CoreSearch;
use crate::minimize::Minimization;
use crate::via::Via;

const PROGRAM: &str = "\
method m(a: Int, b: Int)
  requires a > 0
  requires a > 1
  requires a > 2
{
  if (a > b) { }
  assert a > b
}
";

const FACTS: &str = "\
(node n1 n0 (assume (p x) Written) (origin {2} - Value))
(node n2 n1 (assume (q x) Written) (origin {3} - Value))
(node n3 n2 (assume (r x) Written) (origin {4} - Value))
";

fn checked(facts: &str, checks: &[(&str, &str)]) -> Fixture {
    let mut tree = facts.to_string();
    for (index, (at, goal)) in checks.iter().enumerate() {
        let role = "(obligation assert.failed {7} assertion.false {7}) (origin {7} - Value) Proved";
        tree.push_str(&format!("(check c{index} {at} {goal} {role})\n"));
    }
    Fixture::new(PROGRAM, &tree)
}

fn search() -> CoreSearch {
    CoreSearch::new(Minimization::Fast.into())
}

#[test]
fn what_a_group_states_is_not_asked() {
    let fixture = checked(FACTS, &[("n3", "(q x)")]);
    let mut script = Script::default();
    let cores = fixture.solve(&mut search(), &mut script);
    assert_eq!(fixture.keys(&cores[0]), ["[3]"]);
    assert_eq!(script.asked, 0);
}

#[test]
fn what_follows_by_arithmetic_is_derived() {
    let facts = "\
(node n1 n0 (assume (%Lt 0 x) Written) (origin {2} - Value))
(node n2 n1 (assume (%Lt x y) Written) (origin {3} - Value))
(node n3 n2 (assume (p x) Written) (origin {4} - Value))
";
    let fixture = checked(facts, &[("n3", "(%Lt 1 y)")]);
    let (mut search, mut script) = (search(), Script::default());
    let cores = fixture.solve(&mut search, &mut script);
    assert_eq!(fixture.keys(&cores[0]), ["[2]", "[3]"]);
    assert!(!cores[0].vacuous && !cores[0].coarse);
    assert_eq!((script.asked, search.allowance.counts.without_solver), (0, 1));
}

#[test]
fn what_cannot_be_derived_is_asked_and_proved_again() {
    let fixture = checked(FACTS, &[("n3", "(s x)")]);
    let mut script = Script::new(&[("(s x)", &["(p x)", "(r x)"])]);
    let mut search = search();
    let cores = fixture.solve(&mut search, &mut script);
    assert_eq!(fixture.keys(&cores[0]), ["[2]", "[4]"]);
    assert!(script.asked > 1, "a core is a proposal");
    assert_eq!(search.allowance.counts.without_solver, 0);
}

#[test]
fn a_core_that_does_not_suffice_is_not_taken() {
    let fixture = checked(FACTS, &[("n3", "(s x)")]);
    let mut script = Script { lies: true, ..Script::new(&[("(s x)", &["(p x)", "(r x)"])]) };
    let cores = fixture.solve(&mut search(), &mut script);
    let keys = fixture.keys(&cores[0]);
    assert!(keys.contains(&"[2]".to_string()) && keys.contains(&"[4]".to_string()), "{keys:?}");
}

#[test]
fn what_was_found_elsewhere_is_remembered() {
    let facts = format!(
        "{FACTS}\
(node n4 n3 (split (%Lt x y) taken) (origin {{6}} - Guard))
(node n5 n3 (split (%Not (%Lt x y)) negated) (origin {{6}} - Guard))
"
    );
    let proofs: &[(&str, &[&str])] = &[("(s x)", &["(p x)", "(q x)"])];
    let (mut alone, mut both) = (Script::new(proofs), Script::new(proofs));
    checked(&facts, &[("n4", "(s x)")]).solve(&mut search(), &mut alone);
    let fixture = checked(&facts, &[("n4", "(s x)"), ("n5", "(s x)")]);
    let cores = fixture.solve(&mut search(), &mut both);
    assert_eq!(fixture.keys(&cores[1]), ["[2]", "[3]"]);
    assert_eq!(both.asked, alone.asked, "the second one asks nothing");
}

/// A core that needs a fact of the other side is not reused.
#[test]
fn what_does_not_hold_here_is_not_remembered() {
    let facts = "\
(node n1 n0 (assume (p x) Written) (origin {2} - Value))
(node n2 n1 (assume (q x) Written) (origin {3} - Value))
(node n3 n1 (assume (r x) Written) (origin {4} - Value))
";
    let fixture = checked(facts, &[("n2", "(s x)"), ("n3", "(s x)")]);
    let mut script = Script::new(&[("(s x)", &["(q x)"]), ("(s x)", &["(r x)"])]);
    let cores = fixture.solve(&mut search(), &mut script);
    assert_eq!([fixture.keys(&cores[0]), fixture.keys(&cores[1])], [["[3]"], ["[4]"]]);
}

const CLOSED: &str = "\
(node n1 n0 (assume (%Lt 0 x) Written) (origin {2} - Value))
(node n2 n1 (assume (q y) Written) (origin {3} - Value))
(node n3 n2 (dead (%Lt x 0) Written) (origin {6} - Guard))
(node n4 n3 (assume (r y) Written) (origin {4} - Value))
";

#[test]
fn what_closes_a_path_shows_anything_there() {
    let fixture = checked(CLOSED, &[("n4", "(s y)")]);
    let mut script = Script::default();
    let cores = fixture.solve(&mut search(), &mut script);
    assert_eq!(fixture.keys(&cores[0]), ["[2]", "[6]"]);
    assert!(cores[0].vacuous && cores[0].via == Via::Infeasibility);
    assert_eq!(script.asked, 0);
}

#[test]
fn what_holds_on_a_closed_path_does_not_rest_on_what_closes_it() {
    let fixture = checked(CLOSED, &[("n4", "(r y)"), ("n4", "(%Lt 0 (%Add x 1))")]);
    let cores = fixture.solve(&mut search(), &mut Script::default());
    assert_eq!([fixture.keys(&cores[0]), fixture.keys(&cores[1])], [["[4]"], ["[2]"]]);
    assert!(cores.iter().all(|core| !core.vacuous));
}

/// The proof was found once, but no finder finds it again.
#[test]
fn everything_is_blamed_for_what_is_not_proved_again() {
    let fixture = checked(FACTS, &[("n3", "(s x)")]);
    let mut search = search();
    let cores = fixture.solve(&mut search, &mut Script::default());
    assert_eq!(fixture.keys(&cores[0]), ["[2]", "[3]", "[4]"]);
    assert!(cores[0].coarse && search.has_coarse());
    assert_eq!(search.allowance.counts.lost, 1);
}

/// The solver names the longer of two proofs first.
#[test]
fn who_wants_the_smallest_core_asks_about_each_part() {
    let fixture = checked(FACTS, &[("n3", "(s x)")]);
    let proofs: &[(&str, &[&str])] = &[("(s x)", &["(p x)", "(q x)", "(r x)"]), ("(s x)", &["(q x)"])];
    let core = |minimization: Minimization| {
        let mut search = CoreSearch::new(minimization.into());
        fixture.keys(&fixture.solve(&mut search, &mut Script::new(proofs))[0])
    };
    assert_eq!(core(Minimization::Off).len(), 3);
    assert_eq!(core(Minimization::Full), ["[3]"]);
}
