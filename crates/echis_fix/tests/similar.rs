//! Conjuncts made of similar clauses, of assigned values and of what is left to be computed.

mod shown;

use expect_test::expect;
use shown::check;

#[test]
fn what_is_asserted_behind_a_change_is_required() {
    check(
        "\
field f: Int
method m(x: Ref, y: Ref)
  requires acc(x.f) && acc(y.f)
{
  y.f := 1
  assert x.f == 3
}
",
        expect![[r#"
            Assert might fail. Assertion x.f == 3 might not hold.
              add requires x.f == 3 to m (tried: the program verifies)
                | requires x.f == 3
        "#]],
    );
}

#[test]
fn conditions_that_contradict_each_other_are_left_out() {
    check(
        "\
method a(n: Int)
  requires n < 0
method b(n: Int)
  requires n > 3
method m(n: Int, x: Ref, y: Ref)
{
  assert |Set(x, y)| == 2
}
",
        expect![[r#"
            Assert might fail. Assertion |Set(x, y)| == 2 might not hold.
              add requires x != y to m (tried: the program verifies)
                | requires x != y
        "#]],
    );
}

#[test]
fn a_postcondition_is_said_of_a_similar_function() {
    check(
        "\
function below(t: Seq[Int], i: Int): Bool { forall k: Int :: {t[k]} 0 <= k && k < |t| ==> t[k] <= i }
function above(t: Seq[Int], i: Int): Bool { forall k: Int :: {t[k]} 0 <= k && k < |t| ==> t[k] >= i }
method same(t: Seq[Int]) returns (r: Seq[Int])
  ensures forall i: Int :: {below(t, i)} below(t, i) && i > 0 ==> below(r, i)
{
  r := t
}
method m(t: Seq[Int]) returns (r: Seq[Int])
  requires above(t, -1)
{
  r := same(t)
  assert forall k: Int :: {r[k]} 0 <= k && k < |r| ==> r[k] >= -1
}
",
        expect![[r#"
            Assert might fail. Assertion forall k: Int :: {r[k]} 0 <= k && k < |r| ==> r[k] >= -1 might not hold.
              add ensures r == t to same (tried: the program verifies)
                | ensures r == t
        "#]],
    );
}

#[test]
fn a_postcondition_is_that_of_a_similar_method() {
    check(
        "\
field f: Int
method even(x: Ref, n: Int)
  requires acc(x.f) && n >= 0
  ensures acc(x.f)
  ensures x.f == old(x.f) + n
{
  if (n > 0) {
    x.f := x.f + 1
    odd(x, n - 1)
  }
}
method odd(x: Ref, n: Int)
  requires acc(x.f) && n >= 0
  ensures acc(x.f)
{
  if (n > 0) {
    x.f := x.f + 1
    even(x, n - 1)
  }
}
",
        expect![[r#"
            Postcondition of even might not hold. Assertion x.f == old(x.f) + n might not hold.
              add ensures x.f == old(x.f) + n to odd (tried: the program verifies)
        "#]],
    );
}

#[test]
fn a_function_lacks_a_postcondition() {
    check(
        "\
function count(n: Int): Int
{ n <= 0 ? 0 : 1 + count(n - 1) }
method m(n: Int)
{
  assert count(n) >= 0
}
",
        expect![[r#"
            Assert might fail. Assertion count(n) >= 0 might not hold.
              add ensures result >= 0 to count (tried: the program verifies)
                | ensures result >= 0
        "#]],
    );
}

/// Its postcondition would be trusted.
#[test]
fn a_function_without_a_body_is_left_alone() {
    check(
        "\
function count(n: Int): Int
method m(n: Int)
{
  assert count(n) >= 0
}
",
        expect![[r#"
            Assert might fail. Assertion count(n) >= 0 might not hold.
        "#]],
    );
}

#[test]
fn what_is_left_makes_up_the_result() {
    check(
        "\
function next(x: Ref): Ref
function length(x: Ref): Int
{ 1 + (next(x) == null ? 0 : length(next(x))) }
method count(x: Ref) returns (n: Int)
  requires x != null
  ensures n == length(x)
{
  var at: Ref := x
  n := 0
  while (at != null)
  {
    n := n + 1
    at := next(at)
  }
}
",
        expect![[r#"
            Postcondition of count might not hold. Assertion n == length(x) might not hold.
              add invariant n + (at == null ? 0 : length(at)) == length(x) to the loop on line 10 (tried: the program verifies)
                | invariant n + (at == null ? 0 : length(at)) == length(x)
        "#]],
    );
}

#[test]
fn a_result_is_assigned_behind_the_loop() {
    check(
        "\
method double(n: Int) returns (r: Int)
  requires n >= 0
  ensures r == 2 * n
{
  var i: Int := 0
  var j: Int := 0
  while (i < n)
    invariant i <= n
  {
    i := i + 1
    j := j + 2
  }
  r := j
}
",
        expect![[r#"
            Postcondition of double might not hold. Assertion r == 2 * n might not hold.
              add invariant j == 2 * i to the loop on line 7 (tried: the program verifies)
                | invariant j == 2 * i
        "#]],
    );
}

#[test]
fn an_assigned_value_is_kept() {
    check(
        "\
method m(n: Int)
{
  var i: Int := 0
  var d: Int := 1
  while (i < n)
  {
    i := i + 1
    d := 2 * i + 1
  }
  assert d % 2 == 1
}
",
        expect![[r#"
            Assert might fail. Assertion d % 2 == 1 might not hold.
              add invariant d == (2 * i + 1) to the loop on line 5 (tried: the program verifies)
                | invariant d == (2 * i + 1)
        "#]],
    );
}

#[test]
fn a_receiver_is_not_null() {
    check(
        "\
field next: Ref
field val: Int
predicate cell(x: Ref) { x != null ==> acc(x.val) }
method m(x: Ref, b: Bool)
  requires acc(x.next) && cell(x.next) && x.next != null
{
  while (b)
    invariant acc(x.next) && cell(x.next)
  {
    unfold cell(x.next)
    x.next.val := 1
    fold cell(x.next)
  }
}
",
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access x.next.val.
              execute this statement only if x.next != null (tried: the program verifies)
                | if (x.next != null) {
                | x.next.val := 1
                | }
              execute the block from the unfold on only if x.next != null (tried: the program verifies)
                | if (x.next != null) {
                | unfold cell(x.next)
                | x.next.val := 1
                | fold cell(x.next)
                | }
        "#]],
    );
}

#[test]
fn a_sequence_is_sorted() {
    check(
        "\
method m(s: Seq[Int], k: Int)
  requires 0 <= k && k < |s|
{
  assert forall i: Int :: {s[i]} 0 <= i && i < k ==> s[i] <= s[k]
}
",
        expect![[r#"
            Assert might fail. Assertion forall i: Int :: {s[i]} 0 <= i && i < k ==> s[i] <= s[k] might not hold.
              add requires forall i: Int, j: Int :: 0 <= i && i < j && j < |s| ==> s[i] <= s[j] to m (tried: the program verifies)
                | requires forall i: Int, j: Int :: 0 <= i && i < j && j < |s| ==> s[i] <= s[j]
        "#]],
    );
}

#[test]
fn a_bound_stands_for_a_length() {
    check(
        "\
method m(s: Seq[Int]) returns (t: Seq[Int])
  ensures |t| == |s|
  ensures forall k: Int :: {t[k]} 0 <= k && k < |s| ==> t[k] == 0
{
  var i: Int := 0
  var n: Int := |s|
  t := Seq[Int]()
  while (i < n)
    invariant 0 <= i && i <= n && |t| == i
  {
    t := t ++ Seq(0)
    i := i + 1
  }
}
",
        expect![[r#"
            Postcondition of m might not hold. Assertion forall k: Int :: {t[k]} 0 <= k && k < |s| ==> t[k] == 0 might not hold.
              add invariant forall k: Int :: {t[k]} 0 <= k && k < i ==> t[k] == 0 to the loop on line 8 (tried: the program verifies)
                | invariant forall k: Int :: {t[k]} 0 <= k && k < i ==> t[k] == 0
        "#]],
    );
}

#[test]
fn a_set_only_shrinks() {
    check(
        "\
method take(s: Set[Int]) returns (x: Int)
  requires |s| > 0
  ensures x in s
method m(s: Set[Int])
{
  var rest: Set[Int] := s
  while (|rest| > 0)
  {
    var x: Int
    x := take(rest)
    assert x in s
    rest := rest setminus Set(x)
  }
}
",
        expect![[r#"
            Assert might fail. Assertion x in s might not hold.
              add invariant rest subset s to the loop on line 7 (tried: the program verifies)
                | invariant rest subset s
        "#]],
    );
}

#[test]
fn an_invariant_is_said_of_another_variable() {
    check(
        "\
method m(n: Int)
  requires n > 2
{
  var a: Int := n * n
  var b: Int := n * n
  var i: Int := 0
  while (i < n)
    invariant a > 2 * n
  {
    var c: Int := a
    a := b
    b := c
    i := i + 1
  }
}
",
        expect![[r#"
            Loop invariant a > 2 * n might not be preserved. Assertion a > 2 * n might not hold.
              add invariant a == (n * n), invariant b == (n * n) to the loop on line 7 (tried: the program verifies)
                | invariant a == (n * n)
                | invariant b == (n * n)
        "#]],
    );
}

#[test]
fn an_applied_function_lacks_a_postcondition() {
    check(
        "\
function count(n: Int): Int
{ n <= 0 ? 0 : 1 + count(n - 1) }
function twice(n: Int): Int
  ensures result >= 0
{ 2 * count(n) }
",
        expect![[r#"
            Postcondition of twice might not hold. Assertion result >= 0 might not hold.
              add ensures result >= 0 to count (tried: the program verifies)
        "#]],
    );
}

#[test]
fn a_measure_is_a_sum_of_lengths() {
    check(
        "\
import <decreases/int.vpr>
method merge(s: Seq[Int], t: Seq[Int], b: Bool)
  decreases
{
  if (b && |s| > 0) {
    merge(s[1..], t, b)
  } elseif (|t| > 0) {
    merge(s, t[1..], !b)
  }
}
",
        expect![[r#"
            Method merge might not terminate here. An empty termination measure cannot decrease.
              write decreases |s| + |t| (tried: the program verifies)
                | decreases |s| + |t|
        "#]],
    );
}

#[test]
fn instances_are_different() {
    check(
        "\
field f: Int
predicate P(x: Ref) { acc(x.f) }
method m(s: Seq[Ref])
  ensures forall i: Int :: 0 <= i && i < |s| ==> P(s[i]) && s[i] != null
{
  inhale false
}
",
        expect![[r#"
            Contract might not be well-formed. Quantified resource P(s[i]) might not be injective.
              add requires forall i: Int, j: Int :: 0 <= i && i < |s| && 0 <= j && j < |s| && i != j ==> s[i] != s[j] to m (tried: the program verifies)
                | requires forall i: Int, j: Int :: 0 <= i && i < |s| && 0 <= j && j < |s| && i != j ==> s[i] != s[j]
        "#]],
    );
}
