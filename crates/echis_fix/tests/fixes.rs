//! Programs with an error, and the fixes found. Each fix was verified.

mod shown;

use expect_test::expect;
use shown::check;

const LIST: &str = "\
field next: Ref
field val: Int
predicate list(x: Ref) { acc(x.val) && acc(x.next) && (x.next != null ==> list(x.next)) }
";

#[test]
fn a_predicate_is_unfolded() {
    check(
        &format!("{LIST}method set(x: Ref)\n  requires list(x)\n{{\n  x.val := 3\n}}\n"),
        expect![[r#"
        Assignment might fail. There might be insufficient permission to access x.val.
          unfold list(x) first (tried: the program verifies)
            | unfold list(x)
          unfold list(x) first, and fold it again afterwards (tried: the program verifies)
            | unfold list(x)
            | fold list(x)
    "#]],
    );
}

#[test]
fn a_predicate_is_unfolded_and_folded_again() {
    check(
        &format!("{LIST}method set(x: Ref)\n  requires list(x)\n  ensures list(x)\n{{\n  x.val := 3\n}}\n"),
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access x.val.
              unfold list(x) first, and fold list(x) at the end (tried: the program verifies)
                | unfold list(x)
                | fold list(x)
              unfold list(x) first, and fold it again afterwards (tried: the program verifies)
                | unfold list(x)
                | fold list(x)
        "#]],
    );
}

#[test]
fn a_predicate_is_folded_at_the_end() {
    check(
        &format!(
            "{LIST}method set(x: Ref)\n  requires list(x)\n  ensures list(x)\n{{\n  unfold list(x)\n  x.val := 3\n}}\n"
        ),
        expect![[r#"
            Postcondition of set might not hold. There might be insufficient permission to access list(x).
              fold list(x) at the end (tried: the program verifies)
                | fold list(x)
        "#]],
    );
}

#[test]
fn a_function_unfolds_what_it_reads() {
    check(
        &format!("{LIST}function first(x: Ref): Int\n  requires list(x)\n{{ x.val }}\n"),
        expect![[r#"
        Function first might not be well-formed. There might be insufficient permission to access x.val.
          write unfolding list(x) in x.val (tried: the program verifies)
            | { unfolding list(x) in x.val }
    "#]],
    );
}

/// Adding permission to the precondition would exceed the full permission.
#[test]
fn a_precondition_never_becomes_contradictory() {
    check(
        "field f: Int\nmethod m(x: Ref)\n  requires acc(x.f, 1/2)\n{\n  x.f := 1\n}\n",
        expect![[r#"
        Assignment might fail. There might be insufficient permission to access x.f.
          write acc(x.f) for acc(x.f, 1/2) (tried: the program verifies)
            | requires acc(x.f)
    "#]],
    );
}

#[test]
fn permission_is_required() {
    check(
        "field f: Int\nmethod m(x: Ref)\n{\n  x.f := 1\n}\n",
        expect![[r#"
        Assignment might fail. There might be insufficient permission to access x.f.
          add requires acc(x.f) to m (tried: the program verifies)
            | requires acc(x.f)
    "#]],
    );
}

/// Fixes that add a precondition name the callers that do not satisfy it.
#[test]
fn broken_callers_are_named() {
    check(
        "field f: Int\nmethod m(x: Ref)\n{\n  x.f := 1\n}\nmethod n(x: Ref)\n{\n  m(x)\n}\n",
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access x.f.
              add requires acc(x.f) to m (tried: the error is gone, but this breaks the caller n)
                | requires acc(x.f)
        "#]],
    );
}

#[test]
fn a_loop_keeps_permission() {
    check(
        "\
field f: Int
method m(x: Ref, n: Int)
  requires acc(x.f) && n >= 0
{
  var i: Int := 0
  while (i < n)
    invariant i <= n
  {
    x.f := i
    i := i + 1
  }
}
",
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access x.f.
              add invariant acc(x.f) to the loop on line 6 (tried: the program verifies)
                | invariant acc(x.f)
        "#]],
    );
}

#[test]
fn a_loop_invariant_is_found() {
    check(
        "\
method sum(n: Int) returns (s: Int)
  requires n >= 0
  ensures s == n * (n + 1) \\ 2
{
  var i: Int := 0
  s := 0
  while (i < n)
    invariant s == i * (i + 1) \\ 2
  {
    i := i + 1
    s := s + i
  }
}
",
        expect![[r#"
            Postcondition of sum might not hold. Assertion s == n * (n + 1) \ 2 might not hold.
              add invariant i <= n to the loop on line 7 (tried: the program verifies)
                | invariant i <= n
        "#]],
    );
}

#[test]
fn an_invariant_is_weakened() {
    check(
        "method m(n: Int)\n  requires n > 0\n{\n  var i: Int := 0\n  while (i < n)\n    invariant i < n\n  {\n    i := i + 1\n  }\n}\n",
        expect![[r#"
            Loop invariant i < n might not be preserved. Assertion i < n might not hold.
              write i <= n in the invariant (tried: the program verifies)
                | invariant i <= n
        "#]],
    );
}

#[test]
fn a_precondition_is_propagated() {
    check(
        "method callee(n: Int)\n  requires n > 3\n{\n}\nmethod caller(k: Int)\n{\n  callee(k)\n}\n",
        expect![[r#"
        The precondition of method callee might not hold. Assertion k > 3 might not hold.
          add requires k > 3 to caller (tried: the program verifies)
            | requires k > 3
    "#]],
    );
}

#[test]
fn a_divisor_is_not_zero() {
    check(
        "method m(a: Int, b: Int) returns (c: Int)\n{\n  c := a \\ b\n}\n",
        expect![[r#"
        Assignment might fail. Divisor b might be zero.
          add requires b != 0 to m (tried: the program verifies)
            | requires b != 0
    "#]],
    );
}

#[test]
fn an_index_is_in_bounds() {
    check(
        "method m(s: Seq[Int], i: Int) returns (c: Int)\n  requires 0 <= i\n{\n  c := s[i]\n}\n",
        expect![[r#"
        Assignment might fail. Index i might exceed the length of the sequence.
          add requires i < |s| to m (tried: the program verifies)
            | requires i < |s|
    "#]],
    );
}

#[test]
fn a_measure_decreases() {
    check(
        "import <decreases/int.vpr>\nfunction f(a: Int, n: Int): Int\n  decreases a\n{ n <= 0 ? 0 : f(a, n - 1) }\n",
        expect![[r#"
            Function f might not terminate here. Termination measure a might not decrease or might not be bounded.
              write decreases n (tried: the program verifies)
                | decreases n
              write decreases a, n (tried: the program verifies)
                | decreases a, n
        "#]],
    );
}

#[test]
fn a_wand_is_applied() {
    check(
        "field f: Int\nfield g: Int\nmethod m(x: Ref)\n  requires acc(x.g) && (acc(x.g) --* acc(x.f))\n{\n  x.f := 1\n}\n",
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access x.f.
              apply acc(x.g) --* acc(x.f) first (tried: the program verifies)
                | apply acc(x.g) --* acc(x.f)
        "#]],
    );
}

#[test]
fn an_opaque_function_is_revealed() {
    check(
        "@opaque()\nfunction more(n: Int): Int { n + 5 }\nmethod m(n: Int)\n{\n  assert more(n) == n + 5\n}\n",
        expect![[r#"
            Assert might fail. Assertion more(n) == n + 5 might not hold.
              reveal more(n) on line 5 (tried: the program verifies)
                | assert @reveal() more(n) == n + 5
        "#]],
    );
}

/// No fix is offered if there is none: no satisfiable precondition implies `false`.
#[test]
fn nothing_is_offered_for_what_is_false() {
    check(
        "method m(a: Int)\n{\n  assert a < a\n}\n",
        expect![[r#"
        Assert might fail. Assertion a < a might not hold.
    "#]],
    );
}

/// Requiring the assertion itself would prove nothing.
#[test]
fn what_is_asserted_is_not_required() {
    check(
        "method m(a: Int, b: Int)\n{\n  assert a * a * b < 7\n}\n",
        expect![[r#"
        Assert might fail. Assertion a * a * b < 7 might not hold.
    "#]],
    );
}

/// A postcondition of a method without a body would be trusted.
#[test]
fn methods_without_bodies_are_left_alone() {
    check(
        "method away() returns (r: Int)\nmethod m()\n{\n  var r: Int\n  r := away()\n  assert r > 0\n}\n",
        expect![[r#"
            Assert might fail. Assertion r > 0 might not hold.
        "#]],
    );
}

#[test]
fn a_callee_returns_what_it_took() {
    check(
        "field f: Int\nmethod callee(a: Ref)\n  requires acc(a.f)\n{\n}\nmethod m(x: Ref)\n  requires acc(x.f)\n{\n  callee(x)\n  x.f := 1\n}\n",
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access x.f.
              add ensures acc(a.f) to callee (tried: the program verifies)
                | ensures acc(a.f)
        "#]],
    );
}

#[test]
fn what_breaks_callers_comes_last() {
    check(
        "field f: Int\nmethod m(x: Ref, n: Int)\n  requires n >= 0\n{\n  var i: Int := 0\n  while (i < n)\n  {\n    i := i + 1\n  }\n  assert i == n\n}\nmethod c(x: Ref)\n{\n  m(x, 3)\n}\n",
        expect![[r#"
            Assert might fail. Assertion i == n might not hold.
              add invariant i <= n to the loop on line 6 (tried: the program verifies)
                | invariant i <= n
        "#]],
    );
}

#[test]
fn elements_are_different() {
    check(
        "field f: Int\nmethod m(s: Seq[Ref])\n  requires forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].f)\n  ensures forall i: Int :: 0 <= i && i < |s| ==> acc(s[i].f)\n{\n}\n",
        expect![[r#"
            Contract might not be well-formed. Quantified resource s[i].f might not be injective.
              add requires forall i: Int, j: Int :: 0 <= i && i < |s| && 0 <= j && j < |s| && i != j ==> s[i] != s[j] to m (tried: the program verifies)
                | requires forall i: Int, j: Int :: 0 <= i && i < |s| && 0 <= j && j < |s| && i != j ==> s[i] != s[j]
        "#]],
    );
}

#[test]
fn permission_to_all_elements_is_required() {
    check(
        "field f: Int\nfunction sum(s: Seq[Ref], i: Int): Int\n  requires 0 <= i && i <= |s|\n  requires forall a: Int, b: Int :: 0 <= a && a < |s| && 0 <= b && b < |s| && a != b ==> s[a] != s[b]\n{\n  i == |s| ? 0 : s[i].f + sum(s, i + 1)\n}\n",
        expect![[r#"
            Function sum might not be well-formed. There might be insufficient permission to access s[i].f.
              add requires (forall j: Int :: 0 <= j && j < |s| ==> acc(s[j].f, wildcard)) to sum (tried: the program verifies)
                | requires (forall j: Int :: 0 <= j && j < |s| ==> acc(s[j].f, wildcard))
              add requires (forall j: Int :: i <= j && j < |s| ==> acc(s[j].f, wildcard)) to sum (tried: the program verifies)
                | requires (forall j: Int :: i <= j && j < |s| ==> acc(s[j].f, wildcard))
        "#]],
    );
}

#[test]
fn a_trigger_is_added() {
    check(
        "field f: Int\ndomain Array {\n  function slot(a: Array, i: Int): Ref\n  function of(r: Ref): Array\n  function index(r: Ref): Int\n  axiom { forall a: Array, i: Int :: of(slot(a, i)) == a && index(slot(a, i)) == i }\n}\nmethod m(a: Array)\n  requires forall i: Int :: 0 <= i && i < 10 ==> acc(slot(a, i).f)\n{\n}\n",
        expect![[r#"
            Contract might not be well-formed. Quantified resource slot(a, i).f might not be injective.
              add the trigger {slot(a, i)} to the quantifier on line 6 (tried: the program verifies)
                | axiom { forall a: Array, i: Int :: {slot(a, i)} of(slot(a, i)) == a && index(slot(a, i)) == i }
        "#]],
    );
}

#[test]
fn a_boolean_function_is_required() {
    check(
        "function even(n: Int): Bool\n{ n % 2 == 0 }\nmethod half(n: Int) returns (h: Int)\n  ensures h + h == n\n{\n  h := n \\ 2\n  assert even(n) ==> n == 2 * (n \\ 2)\n}\n",
        expect![[r#"
            Postcondition of half might not hold. Assertion h + h == n might not hold.
              add requires even(n) to half (tried: the program verifies)
                | requires even(n)
        "#]],
    );
}

/// The indexed variable was assigned a parameter.
#[test]
fn conditions_are_followed_back_to_parameters() {
    check(
        "method m(s: Seq[Int]) returns (c: Int)\n{\n  var t: Seq[Int] := s\n  c := t[2]\n}\n",
        expect![[r#"
        Assignment might fail. Index 2 might exceed the length of the sequence.
          add requires 2 < |s| to m (tried: the program verifies)
            | requires 2 < |s|
    "#]],
    );
}

#[test]
fn a_contract_without_a_value_gets_permission() {
    check(
        "field f: Int\nmethod inc(x: Ref)\n  requires acc(x.f)\n  ensures x.f == old(x.f) + 1\n{\n  x.f := x.f + 1\n}\n",
        expect![[r#"
            Contract might not be well-formed. There might be insufficient permission to access x.f.
              add ensures acc(x.f) to inc (tried: the program verifies)
                | ensures acc(x.f)
        "#]],
    );
}

#[test]
fn a_loop_forgets_what_its_invariant_does_not_say() {
    check(
        "field f: Int\nmethod m(x: Ref, y: Ref, n: Int)\n  requires acc(x.f) && acc(y.f)\n  ensures acc(x.f) && acc(y.f) && y.f == old(y.f)\n{\n  var i: Int := 0\n  while (i < n)\n    invariant acc(x.f) && acc(y.f)\n  {\n    x.f := i\n    i := i + 1\n  }\n}\n",
        expect![[r#"
            Postcondition of m might not hold. Assertion y.f == old(y.f) might not hold.
              add invariant y.f == old(y.f) to the loop on line 7, which says nothing about y.f (tried: the program verifies)
                | invariant y.f == old(y.f)
        "#]],
    );
}

/// The clause is a macro, followed by a measure.
#[test]
fn clauses_are_added_beside_macros() {
    check(
        "define root(r, n) (r * r <= n && n < (r + 1) * (r + 1))\nmethod sqrt(n: Int) returns (r: Int)\n  requires n >= 0\n  ensures root(r, n)\n{\n  r := 0\n  while ((r + 1) * (r + 1) <= n)\n    decreases n - r\n  {\n    r := r + 1\n  }\n}\n",
        expect![[r#"
            Postcondition of sqrt might not hold. Assertion r * r <= n (in root(r, n)) might not hold.
              add invariant r * r <= n to the loop on line 7 (tried: the program verifies)
                | invariant r * r <= n
        "#]],
    );
}

#[test]
fn a_predicate_is_looked_into() {
    check(
        "field f: Int\npredicate P(x: Ref) { acc(x.f) && x != null }\nmethod m(x: Ref)\n  requires P(x)\n{\n  assert x != null\n}\n",
        expect![[r#"
            Assert might fail. Assertion x != null might not hold.
              unfold and fold P(x) first (tried: the program verifies)
                | unfold P(x)
                | fold P(x)
              unfold P(x) first (tried: the program verifies)
                | unfold P(x)
        "#]],
    );
}
