//! A check as a goal and groups of facts.

use super::{Fixture, check, node};
use crate::path::Path;
use crate::question::{CoreQuestion, Goal, Scope};
use crate::rank::GroupKey;
use echis_base::FastMap;
use echis_derive::Preference;

const LOOP: &str = "\
method m(a: Int, b: Int)
  requires a > 0
  requires b > 0
{
  while (a > 0)
    invariant b > 1
  { }
  assert a > b
}
";

fn fixture() -> Fixture {
    Fixture::new(
        LOOP,
        "\
(node n1 n0 (assume (p x) Written) (origin {2} - Value))
(node n2 n1 (assume (q y) Written) (origin {3} - Value))
(node n3 n2 (assume (r x) Written) (origin {6} - Value))
(node n4 n3 (assume (%Lt x 7) (Rule Lemma)) (origin {8} - Value) (premises n1))
(node n5 n4 (assume (%Eq x y) (Rule Definition)) (origin {8} - Value))
(node n6 n5 (dead (q x) Written) (origin {5} - Guard))
(node n7 n6 (assume (%Lt 0 x) Written) (origin {2} - Value))
(check c0 n7 (s x) (obligation assert.failed {8} assertion.false {8}) (origin {8} - Value) Proved)
",
    )
}

fn question(fixture: &Fixture, scope: Scope) -> CoreQuestion {
    let redundant = FastMap::default();
    CoreQuestion::new(&fixture.facts(), &mut Path::default(), &redundant, node(7), Goal::Check(check(0)), scope)
}

#[test]
fn facts_stand_in_groups_of_who_answers_for_them() {
    let fixture = fixture();
    let question = question(&fixture, Scope::All);
    let terms = &fixture.tree.terms;
    let texts: Vec<String> = question
        .groups
        .iter()
        .map(|group| {
            let facts: Vec<String> = group.facts.iter().map(|fact| terms.text(*fact)).collect();
            let of = match &group.key {
                GroupKey::Users(users) => format!("{:?}", fixture.lines(users)),
                other => format!("{other:?}"),
            };
            format!("{of} {} dead {}", facts.join(" "), group.dead)
        })
        .collect();
    assert_eq!(
        texts,
        [
            "[2] (p x) (Lt 0 x) dead false",
            "[3] (q y) dead false",
            "[5] (q x) dead true",
            "[6] (r x) dead false",
            "Fact(n4) (Lt x 7) dead false",
        ]
    );
    assert_eq!(question.always.iter().map(|fact| terms.text(*fact)).collect::<Vec<_>>(), ["(Eq x y)"]);
}

#[test]
fn near_questions_leave_lemmas_and_what_is_far_away_out() {
    let fixture = fixture();
    let count = |scope| question(&fixture, scope).groups.len();
    assert_eq!((count(Scope::All), count(Scope::Wide)), (5, 5));
    assert_eq!(count(Scope::Near), 4, "a lemma says nothing new");
}

#[test]
fn invariants_cost_more_than_what_is_believed_and_that_more_than_code() {
    let fixture = fixture();
    let question = question(&fixture, Scope::All);
    let group = |line: u32| {
        let of = |key: &GroupKey| matches!(key, GroupKey::Users(users) if fixture.lines(users) == [line]);
        question.groups.iter().position(|group| of(&group.key)).expect("there is a group")
    };
    let (believed, invariant) = (group(3), group(6));
    assert!(question.cost(&[invariant]) > question.cost(&[believed]));
    assert_eq!(question.order(&[believed, invariant]), [invariant, believed], "what costs most goes first");
}
