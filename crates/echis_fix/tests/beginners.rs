//! Mistakes of people who learn Viper: what an expert would do about them.

mod shown;

use expect_test::expect;
use shown::check;

const LIST: &str = "\
field next: Ref
field val: Int
predicate list(x: Ref) { x != null ==> acc(x.val) && acc(x.next) && list(x.next) }
";

#[test]
fn a_read_needs_no_parentheses_around_unfolding() {
    check(
        &format!(
            "{LIST}method first(x: Ref) returns (v: Int)\n  requires list(x) && x != null\n  ensures list(x)\n{{\n  v := x.val\n}}\n"
        ),
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access x.val.
              write unfolding list(x) in x.val (tried: the program verifies)
                | v := unfolding list(x) in x.val
              unfold list(x) first, and fold list(x) at the end (tried: the program verifies)
                | unfold list(x)
                | fold list(x)
              unfold list(x) first, and fold it again afterwards (tried: the program verifies)
                | unfold list(x)
                | fold list(x)
        "#]],
    );
}

/// The predicate has to be unfolded in the loop, and the loop has to keep it.
#[test]
fn a_loop_walks_along_a_list() {
    check(
        &format!(
            "{LIST}method walk(x: Ref)\n  requires list(x)\n{{\n  var c: Ref := x\n  while (c != null)\n  {{\n    c := c.next\n  }}\n}}\n"
        ),
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access c.next.
              unfold list(c) first, and add invariant list(c) to the loop on line 8 (tried: the program verifies)
                | invariant list(c)
                | unfold list(c)
        "#]],
    );
}

#[test]
fn a_binary_search_keeps_its_bounds() {
    check(
        "\
method search(s: Seq[Int], key: Int) returns (at: Int)
  ensures at >= 0 ==> at < |s| && s[at] == key
{
  var lo: Int := 0
  var hi: Int := |s|
  at := -1
  while (lo < hi && at == -1)
    invariant at >= 0 ==> at < |s| && s[at] == key
  {
    var mid: Int := (lo + hi) \\ 2
    if (s[mid] < key) { lo := mid + 1 } elseif (s[mid] > key) { hi := mid } else { at := mid }
  }
}
",
        expect![[r#"
            Conditional statement might fail. Index mid might exceed the length of the sequence.
              add invariant 0 <= lo, invariant hi <= |s| to the loop on line 7 (tried: the program verifies)
                | invariant 0 <= lo
                | invariant hi <= |s|
        "#]],
    );
}

#[test]
fn a_maximum_is_that_of_what_was_seen() {
    check(
        "\
method max(s: Seq[Int]) returns (m: Int)
  requires |s| > 0
  ensures forall j: Int :: 0 <= j && j < |s| ==> s[j] <= m
{
  var i: Int := 1
  m := s[0]
  while (i < |s|)
    invariant 1 <= i && i <= |s|
  {
    if (s[i] > m) { m := s[i] }
    i := i + 1
  }
}
",
        expect![[r#"
            Postcondition of max might not hold. Assertion forall j: Int :: 0 <= j && j < |s| ==> s[j] <= m might not hold.
              add invariant forall j: Int :: 0 <= j && j < i ==> s[j] <= m to the loop on line 7 (tried: the program verifies)
                | invariant forall j: Int :: 0 <= j && j < i ==> s[j] <= m
        "#]],
    );
}

/// A counter stays in range if the end of the loop does.
#[test]
fn the_end_of_a_loop_is_bounded() {
    check(
        "\
method total(s: Seq[Int], n: Int) returns (t: Int)
{
  var k: Int := 0
  t := 0
  while (k < n)
    invariant 0 <= k
  {
    t := t + s[k]
    k := k + 1
  }
}
",
        expect![[r#"
            Assignment might fail. Index k might exceed the length of the sequence.
              add requires n <= |s| to total (tried: the program verifies)
                | requires n <= |s|
        "#]],
    );
}

/// The postcondition `i < |s|` would hold only because execution goes on as if the index were in range.
#[test]
fn both_bounds_of_an_index_are_required() {
    check(
        "\
method get(s: Seq[Int], i: Int) returns (v: Int)
  ensures v == s[i]
{
  v := s[i]
}
method user(s: Seq[Int]) returns (v: Int)
{
  v := get(s, 0)
}
",
        expect![[r#"
            Contract might not be well-formed. Index i might exceed the length of the sequence.
              add requires i < |s|, requires 0 <= i to get (tried: the error is gone, but this breaks the caller user)
                | requires i < |s|
                | requires 0 <= i
        "#]],
    );
}

#[test]
fn permission_is_named_by_its_macro() {
    check(
        "\
field val: Int
define cells(s, n) forall i: Int :: 0 <= i && i < n ==> acc(s[i].val)
method clear(s: Seq[Ref], n: Int)
  requires 0 < n && n <= |s|
  requires forall i: Int, j: Int :: 0 <= i && i < j && j < |s| ==> s[i] != s[j]
  requires cells(s, n)
  ensures cells(s, n)
{
  var k: Int := 0
  while (k < n)
    invariant 0 <= k && k <= n
  {
    s[k].val := 0
    k := k + 1
  }
}
",
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access s[k].val.
              add invariant cells(s, n) to the loop on line 10 (tried: the program verifies)
                | invariant cells(s, n)
        "#]],
    );
}

#[test]
fn what_was_unfolded_is_folded_for_a_quantified_predicate() {
    check(
        "\
field f: Int
predicate P(x: Ref) { acc(x.f) }
method m(s: Set[Ref], x: Ref)
  requires (forall r: Ref :: r in s ==> P(r)) && x in s
  ensures forall r: Ref :: r in s ==> P(r)
{
  unfold P(x)
  x.f := 2
}
",
        expect![[r#"
            Postcondition of m might not hold. There might be insufficient permission to access P(r).
              fold P(x) at the end (tried: the program verifies)
                | fold P(x)
        "#]],
    );
}

#[test]
fn the_call_is_the_one_whose_result_is_asserted() {
    check(
        "\
method twice(n: Int) returns (m: Int)
{
  m := n + n
}
method client()
{
  var a: Int
  var b: Int
  a := twice(1)
  b := twice(2)
  assert a == 2
}
",
        expect![[r#"
            Assert might fail. Assertion a == 2 might not hold.
              add ensures m == n + n to twice (tried: the program verifies)
                | ensures m == n + n
        "#]],
    );
}

/// Behind a loop that never ends everything holds.
#[test]
fn no_loop_is_made_endless() {
    check(
        "\
method count(s: Seq[Int]) returns (n: Int)
  ensures n == 3
{
  var todo: Seq[Int] := s
  n := 0
  while (|todo| > 0)
  {
    todo := todo[1..]
    n := n + 1
  }
}
",
        expect![[r#"
            Postcondition of count might not hold. Assertion n == 3 might not hold.
        "#]],
    );
}

/// Annotations have parentheses, too.
#[test]
fn permission_is_required_of_an_annotated_method() {
    check(
        "\
field f: Int
predicate P(x: Ref) { acc(x.f) }
@note(\"a (method\")
method m(x: Ref, y: Ref)
  requires @note(\"it\")(P(y))
{
  x.f := 1
}
",
        expect![[r#"
            Assignment might fail. There might be insufficient permission to access x.f.
              add requires acc(x.f) to m (tried: the program verifies)
                | requires acc(x.f)
              add requires acc(x.f) to m, and ensures acc(x.f) (tried: the program verifies)
                | requires acc(x.f)
                | ensures acc(x.f)
        "#]],
    );
}

#[test]
fn a_part_of_a_predicate_is_folded_again() {
    check(
        "\
field f: Int
predicate P(x: Ref) { acc(x.f) }
method m(x: Ref) returns (v: Int)
  requires acc(P(x), 1/2)
  ensures acc(P(x), 1/2)
{
  unfold acc(P(x), 1/2)
  v := x.f
}
",
        expect![[r#"
            Postcondition of m might not hold. There might be insufficient permission to access P(x).
              fold acc(P(x), 1/2) at the end (tried: the program verifies)
                | fold acc(P(x), 1/2)
        "#]],
    );
}

/// What a macro says of one parameter is needed of another one.
#[test]
fn permission_is_that_of_a_similar_parameter() {
    check(
        "\
field f: Int
domain Cells {
  function cell(c: Cells, i: Int): Ref
  function index(r: Ref): Int
  axiom { forall c: Cells, i: Int :: {cell(c, i)} index(cell(c, i)) == i }
}
define readable(c) (forall i: Int :: {cell(c, i)} 0 <= i ==> acc(cell(c, i).f, 1/2))
function same(c: Cells, d: Cells): Bool
  requires readable(c)
{
  forall i: Int :: {cell(d, i)} 0 <= i ==> cell(d, i).f > 0
}
",
        expect![[r#"
            Function same might not be well-formed. There might be insufficient permission to access cell(d, i).f.
              add requires readable(d) to same (tried: the program verifies)
                | requires readable(d)
        "#]],
    );
}
