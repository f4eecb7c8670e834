//! Statements at other places than the error, and permission that other text gives.

mod shown;

use expect_test::expect;
use shown::check;

#[test]
fn a_package_folds_what_the_wand_promises() {
    check(
        "\
field f: Int
predicate P(x: Ref) { acc(x.f) }
method m(x: Ref)
  requires acc(x.f)
{
  package true --* P(x)
}
",
        expect![[r#"
            Packaging the magic wand might fail. There might be insufficient permission to access P(x).
              fold P(x) at the end of the package (tried: the program verifies)
                | package true --* P(x) { fold P(x) }
              fold P(x) first (tried: the program verifies)
                | fold P(x)
        "#]],
    );
}

/// The variable of the wand was copied before it was changed.
#[test]
fn a_package_applies_the_wand_that_was_there_before() {
    check(
        "\
field next: Ref
predicate list(x: Ref) { acc(x.next) && (x.next != null ==> list(x.next)) }
method last(x: Ref) returns (at: Ref)
  requires list(x)
  ensures list(x)
{
  at := x
  package list(at) --* list(x)
  while (unfolding list(at) in at.next != null)
    invariant list(at)
    invariant list(at) --* list(x)
  {
    var before: Ref := at
    unfold list(at)
    at := at.next
    package list(at) --* list(x) {
      fold list(before)
    }
  }
  apply list(at) --* list(x)
}
",
        expect![[r#"
            Packaging the magic wand might fail. There might be insufficient permission to access list(x).
              apply list(before) --* list(x) at the end of the package (tried: the program verifies)
                | apply list(before) --* list(x)
        "#]],
    );
}

#[test]
fn a_wand_is_applied_in_a_branch() {
    check(
        "\
field f: Int
method m(x: Ref, b: Bool)
  requires acc(x.f)
  ensures acc(x.f)
{
  if (b) {
    package true --* acc(x.f)
  }
}
",
        expect![[r#"
            Postcondition of m might not hold. There might be insufficient permission to access x.f.
              apply true --* acc(x.f) after line 7 (tried: the program verifies)
                | apply true --* acc(x.f)
        "#]],
    );
}

#[test]
fn a_wand_is_applied_for_a_fact() {
    check(
        "\
field f: Int
method m(x: Ref)
  requires true --* acc(x.f) && x.f == 3
{
  assert perm(x.f) == write
}
",
        expect![[r#"
            Assert might fail. Assertion perm(x.f) == write might not hold.
              apply true --* acc(x.f) && x.f == 3 first (tried: the program verifies)
                | apply true --* acc(x.f) && x.f == 3
        "#]],
    );
}

#[test]
fn a_predicate_is_folded_in_an_inner_branch() {
    check(
        "\
field f: Int
predicate P(x: Ref) { acc(x.f) }
method m(x: Ref, b: Bool, c: Bool)
  requires P(x)
  ensures P(x)
{
  if (b) {
    unfold P(x)
    if (c) {
      x.f := 1
      fold P(x)
    } else {
      x.f := 2
    }
  }
}
",
        expect![[r#"
            Postcondition of m might not hold. There might be insufficient permission to access P(x).
              fold P(x) after line 13 (tried: the program verifies)
        "#]],
    );
}

#[test]
fn a_predicate_is_folded_before_permission_is_lost() {
    check(
        "\
field f: Int
predicate half(x: Ref) { acc(x.f, 1/2) }
method m(x: Ref)
  requires acc(x.f)
  ensures half(x)
{
  exhale acc(x.f, wildcard)
}
",
        expect![[r#"
            Postcondition of m might not hold. There might be insufficient permission to access half(x).
              fold half(x) before line 7 (tried: the program verifies)
                | fold half(x)
        "#]],
    );
}

#[test]
fn a_quantified_expression_is_unfolded() {
    check(
        "\
field f: Int
predicate P(x: Ref) { acc(x.f) }
predicate Q(y: Ref) { P(g(y)) }
function g(y: Ref): Ref
function value(x: Ref): Int
  requires P(x)
{ unfolding P(x) in x.f }
function positive(s: Set[Ref]): Bool
  requires forall y: Ref :: y in s ==> Q(y)
{ forall y: Ref :: y in s ==> value(g(y)) > 0 }
",
        expect![[r#"
            The precondition of function value might not hold. There might be insufficient permission to access P(g(y)).
              write unfolding Q(y) in value(g(y)) > 0 (tried: the program verifies)
                | { forall y: Ref :: y in s ==> (unfolding Q(y) in value(g(y)) > 0) }
        "#]],
    );
}

#[test]
fn what_is_unfolded_in_a_contract_is_not_given_by_it() {
    check(
        "\
field f: Int
predicate P(x: Ref) { acc(x.f) }
function one(x: Ref): Int
  requires unfolding P(x) in x.f > 0
{ 1 }
",
        expect![[r#"
            Contract might not be well-formed. There might be insufficient permission to access P(x).
              add requires P(x) to one (tried: the program verifies)
                | requires P(x)
        "#]],
    );
}

#[test]
fn permission_in_a_macro_is_that_of_its_use() {
    check(
        "\
field f: Int
define cells(s) (forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].f))
define zeros(s) (forall i: Int :: 0 <= i && i < |s| ==> s[i].f == 0)
method m(t: Seq[Ref])
  requires forall i: Int, j: Int :: 0 <= i && i < j && j < |t| ==> t[i] != t[j]
  requires cells(t)
  ensures zeros(t)
{
  inhale zeros(t)
}
",
        expect![[r#"
            Contract might not be well-formed. There might be insufficient permission to access s[i].f (in zeros(t)).
              add ensures cells(t) to m (tried: the program verifies)
                | ensures cells(t)
              add ensures (forall j: Int :: 0 <= j && j < |t| ==> acc(t[j].f)) to m (tried: the program verifies)
                | ensures (forall j: Int :: 0 <= j && j < |t| ==> acc(t[j].f))
              add requires cells(t) to m, and ensures cells(t) (tried: the program verifies)
                | ensures cells(t)
        "#]],
    );
}

#[test]
fn a_wand_is_applied_in_an_empty_branch() {
    check(
        "\
field f: Int
method m(x: Ref, b: Bool)
  requires b ==> (true --* acc(x.f))
  requires !b ==> acc(x.f)
  ensures acc(x.f)
{
  if (b) {
  }
}
",
        expect![[r#"
            Postcondition of m might not hold. There might be insufficient permission to access x.f.
              apply true --* acc(x.f) after line 8 (tried: the program verifies)
                | apply true --* acc(x.f)
        "#]],
    );
}

#[test]
fn a_predicate_is_unfolded_before_a_branch() {
    check(
        "\
field f: Int
field g: Int
predicate P(x: Ref) { acc(x.f) && acc(x.g) }
method m(x: Ref, b: Bool)
  requires P(x)
{
  if (b) {
    x.f := 1
  } else {
    x.g := 1
  }
}
",
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access x.f.
              unfold P(x) before the branch on line 7 (tried: the program verifies)
                | unfold P(x)
              unfold P(x) first (tried: the error is gone, another one is left)
                | unfold P(x)
              unfold P(x) first, and fold it again afterwards (tried: the error is gone, another one is left)
                | unfold P(x)
                | fold P(x)
        "#]],
    );
}

#[test]
fn a_package_unfolds_what_it_is_given() {
    check(
        "\
field f: Int
predicate P(x: Ref) { acc(x.f) }
method m(x: Ref)
{
  package P(x) --* acc(x.f)
}
",
        expect![[r#"
            Packaging the magic wand might fail. There might be insufficient permission to access x.f.
              unfold P(x) at the end of the package (tried: the program verifies)
                | package P(x) --* acc(x.f) { unfold P(x) }
        "#]],
    );
}

#[test]
fn a_loop_needs_permission_only_to_go_on() {
    check(
        "\
field next: Ref
predicate list(x: Ref) { acc(x.next) && (x.next != null ==> list(x.next)) }
method m(x: Ref)
  requires x != null ==> list(x)
{
  var at: Ref := x
  while (at != null)
  {
    unfold list(at)
    at := at.next
  }
}
",
        expect![[r#"
            Unfolding list(at) might fail. There might be insufficient permission to access list(at).
              add invariant at != null ==> list(at) to the loop on line 7 (tried: the program verifies)
                | invariant at != null ==> list(at)
        "#]],
    );
}
