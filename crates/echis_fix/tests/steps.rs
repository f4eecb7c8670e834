//! Missing or misplaced steps in proofs and programs: lemmas, assertions, statement order, bounds, variables.

mod shown;

use expect_test::expect;
use shown::check;

const FACTORIAL: &str = "\
import <decreases/int.vpr>
function fac(n: Int): Int
  requires n >= 0
  decreases n
{ n == 0 ? 1 : n * fac(n - 1) }
";
const LIST: &str = "\
field next: Ref
field val: Int
predicate list(x: Ref) { acc(x.val) && acc(x.next) && (x.next != null ==> list(x.next)) }
";

#[test]
fn a_lemma_is_called() {
    check(
        "function p(n: Int): Bool\nmethod lemma(n: Int)\n  requires n > 0\n  ensures p(n)\nmethod m(k: Int)\n  requires k > 3\n{\n  assert p(k + 1)\n}\n",
        expect![[r#"
            Assert might fail. Assertion p(k + 1) might not hold.
              call lemma(k + 1) first (tried: the program verifies)
                | lemma(k + 1)
        "#]],
    );
}

/// An induction without the induction step; the recursive call is allowed because the lemma has a measure.
#[test]
fn a_lemma_calls_itself() {
    check(
        &format!(
            "{FACTORIAL}method positive(n: Int)\n  requires n >= 0\n  ensures fac(n) >= 1\n  decreases n\n{{\n}}\n"
        ),
        expect![[r#"
            Postcondition of positive might not hold. Assertion fac(n) >= 1 might not hold.
              call positive(n - 1) at the end (tried: the program verifies)
                | if (!(n == 0)) { positive(n - 1) }
        "#]],
    );
}

/// Without a measure, the lemma would prove itself.
#[test]
fn a_lemma_without_a_measure_does_not_call_itself() {
    check(
        "function p(n: Int): Bool\nmethod lemma(n: Int)\n  ensures p(n)\n{\n}\n",
        expect![[r#"
        Postcondition of lemma might not hold. Assertion p(n) might not hold.
    "#]],
    );
}

/// A lemma with a contradictory postcondition is not offered.
#[test]
fn a_contradictory_lemma_is_not_called() {
    check(
        "function p(n: Int): Bool\nmethod magic(n: Int)\n  ensures p(n) && false\nmethod m(k: Int)\n{\n  assert p(k)\n}\n",
        expect![[r#"
            Assert might fail. Assertion p(k) might not hold.
        "#]],
    );
}

/// An unproved lemma is not offered.
#[test]
fn a_lemma_that_fails_is_not_called() {
    check(
        "function p(n: Int): Bool\nmethod m(k: Int)\n{\n  assert p(k)\n}\nmethod lemma(n: Int)\n  ensures p(n)\n{\n}\n",
        expect![[r#"
            Assert might fail. Assertion p(k) might not hold.
        "#]],
    );
}

#[test]
fn a_definition_is_unfolded_further() {
    check(
        "function sum(n: Int): Int\n  requires n >= 0\n{ n == 0 ? 0 : n + sum(n - 1) }\nmethod m(n: Int)\n  requires n >= 5\n{\n  assert sum(n) == 4 * n - 6 + sum(n - 4)\n}\n",
        expect![[r#"
            Assert might fail. Assertion sum(n) == 4 * n - 6 + sum(n - 4) might not hold.
              assert sum(n - 2) == ((n - 2) == 0 ? 0 : (n - 2) + sum((n - 2) - 1)), assert sum(n - 1) == ((n - 1) == 0 ? 0 : (n - 1) + sum((n - 1) - 1)), assert sum(n) == (n == 0 ? 0 : n + sum(n - 1)) first (tried: the program verifies)
                | assert sum(n - 2) == ((n - 2) == 0 ? 0 : (n - 2) + sum((n - 2) - 1))
                | assert sum(n - 1) == ((n - 1) == 0 ? 0 : (n - 1) + sum((n - 1) - 1))
                | assert sum(n) == (n == 0 ? 0 : n + sum(n - 1))
        "#]],
    );
}

#[test]
fn a_sequence_is_taken_apart() {
    check(
        "\
function sum(s: Seq[Int]): Int
{ |s| == 0 ? 0 : sum(s[..|s| - 1]) + s[|s| - 1] }
method compute(s: Seq[Int]) returns (r: Int)
  ensures r == sum(s)
{
  r := 0
  var i: Int := 0
  while (i < |s|)
    invariant 0 <= i && i <= |s|
    invariant r == sum(s[..i])
  {
    r := r + s[i]
    i := i + 1
  }
  assert s[..i] == s
}
",
        expect![[r#"
            Loop invariant r == sum(s[..i]) might not be preserved. Assertion r == sum(s[..i]) might not hold.
              assert s[..i] == s[..i - 1] ++ Seq(s[i - 1]) at the end of the loop's body (tried: the program verifies)
                | assert s[..i] == s[..i - 1] ++ Seq(s[i - 1])
        "#]],
    );
}

#[test]
fn a_witness_is_named() {
    check(
        "function p(n: Int): Bool\nmethod m(k: Int)\n  requires forall i: Int :: {p(i)} i > k ==> p(i)\n{\n  var j: Int := k + 1\n  assert exists i: Int :: {p(i)} p(i)\n}\n",
        expect![[r#"
            Assert might fail. Assertion exists i: Int :: {p(i)} p(i) might not hold.
              assert p(j) first (tried: the program verifies)
                | assert p(j)
        "#]],
    );
}

#[test]
fn a_quantifier_is_instantiated() {
    check(
        "function p(n: Int): Bool\nfunction q(n: Int): Bool\nmethod m(k: Int)\n  requires forall i: Int :: {p(i)} p(i) || q(i)\n  requires forall i: Int :: {p(i)} p(i) ==> q(i)\n{\n  assert q(k)\n}\n",
        expect![[r#"
            Assert might fail. Assertion q(k) might not hold.
              assert p(k) || q(k) first (tried: the program verifies)
                | assert p(k) || q(k)
        "#]],
    );
}

#[test]
fn a_fold_comes_too_early() {
    check(
        &format!(
            "{LIST}method m(x: Ref)\n  requires list(x)\n  ensures list(x)\n{{\n  unfold list(x)\n  fold list(x)\n  x.val := 3\n  x.val := 4\n}}\n"
        ),
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access x.val.
              move fold list(x) from line 9 after line 11 (tried: the program verifies)
              unfold list(x) first, and fold list(x) at the end (tried: the program verifies)
        "#]],
    );
}

#[test]
fn another_instance_is_held() {
    check(
        &format!("{LIST}method m(x: Ref, y: Ref)\n  requires list(x)\n{{\n  unfold list(y)\n  x.val := 3\n}}\n"),
        expect![[r#"
            Unfolding list(y) might fail. There might be insufficient permission to access list(y).
              write unfold list(x) for unfold list(y) (tried: the program verifies)
                | unfold list(x)
        "#]],
    );
}

#[test]
fn another_instance_is_needed() {
    check(
        "field f: Int\npredicate above(x: Ref, n: Int) { acc(x.f) && x.f >= n }\nmethod m(x: Ref, n: Int)\n  requires above(x, n)\n  ensures above(x, n + 1)\n{\n  unfold above(x, n)\n  x.f := x.f + 1\n  fold above(x, n)\n}\n",
        expect![[r#"
            Postcondition of m might not hold. There might be insufficient permission to access above(x, n + 1).
              write fold above(x, n + 1) for fold above(x, n) on line 9 (tried: the program verifies)
                | fold above(x, n + 1)
        "#]],
    );
}

#[test]
fn a_loop_goes_too_far() {
    check(
        "method m(s: Seq[Int]) returns (r: Int)\n{\n  var i: Int := 0\n  while (i <= |s|)\n    invariant 0 <= i\n  {\n    r := s[i]\n    i := i + 1\n  }\n}\n",
        expect![[r#"
            Assignment might fail. Index i might exceed the length of the sequence.
              write i < |s| in the condition of the loop on line 4 (tried: the program verifies)
                | while (i < |s|)
        "#]],
    );
}

#[test]
fn a_condition_comes_too_late() {
    check(
        "method m(s: Seq[Int], i: Int) returns (r: Int)\n  requires 0 <= i\n{\n  if (s[i] > 0 && i < |s|) {\n    r := 1\n  }\n}\n",
        expect![[r#"
            Conditional statement might fail. Index i might exceed the length of the sequence.
              write i < |s| && s[i] > 0 in this order (tried: the program verifies)
                | if (i < |s| && s[i] > 0) {
        "#]],
    );
}

#[test]
fn a_quantifier_goes_too_far() {
    check(
        "method m(s: Seq[Int])\n  requires forall i: Int :: 0 <= i && i <= |s| ==> s[i] > 0\n{\n}\n",
        expect![[r#"
        Contract might not be well-formed. Index i might exceed the length of the sequence.
          write i < |s| in the quantifier (tried: the program verifies)
            | requires forall i: Int :: 0 <= i && i < |s| ==> s[i] > 0
    "#]],
    );
}

#[test]
fn permission_is_there_in_one_case() {
    check(
        "field f: Int\nmethod m(x: Ref)\n  requires x != null ==> acc(x.f)\n{\n  x.f := 1\n}\n",
        expect![[r#"
        Assignment might fail. There might be insufficient permission to access x.f.
          execute this statement only if x != null (tried: the program verifies)
            | if (x != null) {
            | x.f := 1
            | }
          add x == null ==> acc(x.f) beside x != null ==> acc(x.f) (tried: the program verifies)
            | requires (x != null ==> acc(x.f)) && (x == null ==> acc(x.f))
          write acc(x.f) for x != null ==> acc(x.f) (tried: the program verifies)
            | requires acc(x.f)
    "#]],
    );
}

#[test]
fn a_branch_needs_permission() {
    check(
        "field f: Int\nmethod m(x: Ref)\n{\n  if (x != null) {\n    x.f := 1\n  }\n}\nmethod n()\n{\n  m(null)\n}\n",
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access x.f.
              add requires x != null ==> acc(x.f) to m (tried: the program verifies)
                | requires x != null ==> acc(x.f)
              add requires acc(x.f) to m (tried: the error is gone, but this breaks the caller n)
                | requires acc(x.f)
        "#]],
    );
}

#[test]
fn an_earlier_value_is_meant() {
    check(
        "field f: Int\nmethod m(x: Ref)\n  requires acc(x.f)\n  ensures acc(x.f) && x.f == x.f + 1\n{\n  x.f := x.f + 1\n}\n",
        expect![[r#"
            Postcondition of m might not hold. Assertion x.f == x.f + 1 might not hold.
              write old(x.f) for x.f on line 4 (tried: the program verifies)
                | ensures acc(x.f) && x.f == old(x.f) + 1
        "#]],
    );
}

#[test]
fn another_variable_is_meant() {
    check(
        "field f: Int\nmethod inc(x: Ref)\n  requires acc(x.f)\n  ensures acc(x.f) && x.f == old(x.f) + 1\n{\n  x.f := x.f + 1\n}\nmethod m(a: Ref, b: Ref)\n  requires acc(a.f) && acc(b.f)\n  ensures acc(a.f) && acc(b.f) && a.f == old(a.f) && b.f == old(b.f) + 1\n{\n  inc(a)\n}\n",
        expect![[r#"
            Postcondition of m might not hold. Assertion a.f == old(a.f) might not hold.
              write b for a in the call on line 12 (tried: the program verifies)
                | inc(b)
        "#]],
    );
}

#[test]
fn a_predicate_lacks_a_field() {
    check(
        "field f: Int\nfield g: Int\npredicate P(x: Ref) { acc(x.f) }\nmethod m(x: Ref)\n  requires P(x)\n{\n  unfold P(x)\n  x.g := 1\n}\n",
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access x.g.
              add requires acc(x.g) to m (tried: the program verifies)
                | requires acc(x.g)
              add requires acc(x.g) to m, and ensures acc(x.g) (tried: the program verifies)
                | requires acc(x.g)
                | ensures acc(x.g)
              add acc(x.g) to the body of P (tried: the program verifies)
                | predicate P(x: Ref) { acc(x.g) && acc(x.f) }
        "#]],
    );
}

/// The callee's postcondition is too weak.
#[test]
fn a_call_forgets_a_value() {
    check(
        "field f: Int\nmethod inc(x: Ref)\n  requires acc(x.f)\n  ensures acc(x.f)\n{\n  x.f := x.f + 1\n}\nmethod m(a: Ref)\n  requires acc(a.f)\n{\n  a.f := 3\n  inc(a)\n  assert a.f == 4\n}\n",
        expect![[r#"
            Assert might fail. Assertion a.f == 4 might not hold.
              add ensures x.f == old(x.f) + 1 to inc (tried: the program verifies)
                | ensures x.f == old(x.f) + 1
        "#]],
    );
}

#[test]
fn an_element_is_in_range() {
    check(
        "field f: Int\nmethod m(s: Seq[Ref])\n  requires forall i: Int, j: Int :: 0 <= i && i < |s| && 0 <= j && j < |s| && i != j ==> s[i] != s[j]\n  requires forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].f)\n{\n  s[0].f := 3\n}\n",
        expect![[r#"
            Assignment might fail. Index 0 might exceed the length of the sequence.
              add requires 0 < |s| to m (tried: the program verifies)
                | requires 0 < |s|
        "#]],
    );
}

#[test]
fn all_of_the_elements_permission_is_needed() {
    check(
        "field f: Int\nmethod m(s: Seq[Ref])\n  requires forall i: Int, j: Int :: 0 <= i && i < |s| && 0 <= j && j < |s| && i != j ==> s[i] != s[j]\n  requires |s| > 2 && (forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].f, 1/2))\n{\n  s[0].f := 3\n}\n",
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access s[0].f.
              write acc(s[i].f) for a part of it on line 4 (tried: the program verifies)
                | requires |s| > 2 && (forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].f))
        "#]],
    );
}

#[test]
fn a_loop_and_the_contract_lack_permission() {
    check(
        "field f: Int\nmethod m(x: Ref, n: Int)\n{\n  var i: Int := 0\n  while (i < n)\n  {\n    x.f := i\n    i := i + 1\n  }\n}\n",
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access x.f.
              add requires acc(x.f) to m, and invariant acc(x.f) to the loop (tried: the program verifies)
                | requires acc(x.f)
                | invariant acc(x.f)
        "#]],
    );
}
