//! Where assertions, calls, ADTs and triggers are allowed.

use super::{accepts, check, findings};
use expect_test::expect;

#[test]
fn assertions_are_not_values() {
    check(
        "field f: Int
predicate P(x: Ref) { acc(x.f) }
function g(b: Bool): Bool
method m(x: Ref, b: Bool) {
  inhale acc(x.f) || b
  inhale acc(x.f) ==> b
  inhale b == P(x)
  inhale g(P(x))
  inhale exists y: Ref :: acc(y.f)
  inhale old(acc(x.f))
  inhale Seq(P(x)) == Seq(P(x))
  refute P(x)
  var c: Bool := acc(x.f)
}",
        expect![[r#"
            error 5.10--5.18 expected Bool, found an assertion
            error 6.10--6.18 expected Bool, found an assertion
            error 7.15--7.19 expected Bool, found a predicate access
            error 8.12--8.16 expected Bool, found a predicate access
            error 9.27--9.35 expected Bool, found an assertion
            error 10.14--10.22 expected a value, found an assertion
            error 11.14--11.18 expected a value, found a predicate access
            error 11.27--11.31 expected a value, found a predicate access
            error 12.10--12.14 expected Bool, found a predicate access
            error 13.18--13.26 expected Bool, found an assertion
        "#]],
    );
    accepts(
        "field f: Int predicate P(x: Ref) { acc(x.f) } method m(x: Ref, b: Bool) { inhale b ? acc(x.f) : true; inhale b ==> [P(x), b]; inhale P(x) --* acc(x.f); inhale let y == (x) in acc(y.f); inhale forall y: Ref :: y == x ==> acc(y.f, 1/2); inhale asserting (acc(x.f)) in b }",
    );
}

#[test]
fn calls() {
    check(
        "predicate P(x: Int)
predicate Q(x: Int) { true }
method n(x: Int) returns (y: Int)
method m() { unfold P(1, 2); inhale P(true); fold acc(Q(1), 1)
  var a: Int; var b: Bool
  n(1); a := n(1, 2); a := n(true); b := n(1); a, b := n(1); a, b := 1 }",
        expect![[r#"
            error 4.21--4.22 expected a predicate with a body, found `P`, which is abstract
            error 4.21--4.28 expected 1 argument, found 2
            error 4.39--4.43 expected Int, found Bool
            error 4.61--4.62 expected Perm, found Int
            error 6.3--6.7 expected 1 target for the results of `n`, found 0
            error 6.14--6.21 expected 1 argument, found 2
            error 6.30--6.34 expected Int, found Bool
            error 6.37--6.38 expected a target of type Int, found Bool
            error 6.48--6.60 expected 1 target for the results of `n`, found 2
            error 6.62--6.71 expected a method call to give values to 2 targets, found none
        "#]],
    );
    check(
        "field f: Int
method n() returns (a: Int, b: Int)
method m(x: Ref, y: Ref) { x.f, y.f := n() }",
        expect![[r#"
            error 3.28--3.43 expected targets with different fields, found `f` twice
        "#]],
    );
    check(
        "field f: Int
method m(x: Ref) { var y: Ref; x := y; y := new(g); var i: Int := new(f); x.f := new(*); y := y + new(f) }",
        expect![[r#"
            error 2.32--2.33 expected a variable that can be assigned, found `x`, which cannot
            error 2.37--2.38 expected a target that can take this value, found none
            error 2.49--2.50 expected a field, found `g`, which is not declared here
            error 2.57--2.58 expected a target of type Ref, found Int
            error 2.75--2.78 expected a target of type Ref, found Int
            error 2.99--2.105 expected an expression, found `new`, which may only be a whole right-hand side
        "#]],
    );
}

#[test]
fn adts() {
    accepts(
        "adt List[T] { Nil() Cons(value: T, tail: List[T]) } method m(l: List[Int]) { assert l.isNil || l.isCons; assert l.isCons ==> l == Cons(l.value, l.tail); assert Cons(1, Nil()).tail == Nil() }",
    );
    check(
        "adt List[T] { Nil() Cons(value: T, tail: List[T]) }
adt Tree { Leaf() Node(left: Tree) }
method m(l: List[Int]) {
  assert l.isLeaf
  assert l.left == l
  assert l.nothing
  assert l.value
  l.value := 1
  assert Cons(true, l) == l
  assert Cons(1) == l
}",
        expect![[r#"
            error 4.10--4.18 expected Tree, found List[Int]
            error 5.10--5.16 expected an ADT with a constructor argument `left`, found List[Int]
            error 6.12--6.19 expected a field, destructor or discriminator, found `nothing`, which is not declared here
            error 7.10--7.17 expected Bool or an assertion, found Int
            error 8.5--8.10 expected a field, found `value`, which is a destructor
            error 8.14--8.15 expected a target that can take this value, found none
            error 9.10--9.23 expected List[Bool], found List[Int]
            error 10.10--10.17 expected 2 arguments, found 1
        "#]],
    );
    accepts("import <adt/derives.vpr> adt A { B(x: Int) } derives { contains without x }");
    check(
        "import <adt/derives.vpr>
adt A { B(x: Int) } derives { contains without y }",
        expect![[r#"
            error 2.48--2.49 expected an argument of a constructor of `A`, found `y`, which is none
        "#]],
    );
    accepts("adt A { B(x: Int) } derives { contains without y }");
}

#[test]
fn special_places() {
    check(
        "field f: Int
method m(x: Ref) requires perm(x.f) == write
  ensures [perm(x.f) == write, true]
{ while (true) invariant perm(x.f) == write { } label l invariant perm(x.f) == write }",
        expect![[r#"
            error 2.27--2.36 expected a contract without `perm` and `forperm` outside of inhale-exhale pairs, found one
            error 4.26--4.35 expected a contract without `perm` and `forperm` outside of inhale-exhale pairs, found one
        "#]],
    );
    check(
        "field f: Int
function g(x: Ref): Int requires acc(x.f) --* acc(x.f)
  ensures [true, perm(x.f) == write]
predicate P(x: Ref) { acc(x.f) --* acc(x.f) }",
        expect![[r#"
            error 2.34--2.55 expected a function precondition without magic wands, found one
            error 3.18--3.27 expected no `perm` or `forperm` in a function postcondition, found one
            error 4.23--4.44 expected a predicate body without magic wands, found one
        "#]],
    );
    check(
        "method m() returns (r: Int) ensures result == 1 { }
function f(): Int requires result > 0
  ensures result > 0",
        expect![[r#"
            error 1.37--1.43 expected `result` only in postconditions of functions, found it elsewhere
            error 2.28--2.34 expected `result` only in postconditions of functions, found it elsewhere
        "#]],
    );
    check(
        "function h(i: Int): Int requires i > 0
function g(): Int decreases _
domain D { axiom { h(1) == g() } }",
        expect![[r#"
            error 3.20--3.21 expected a function without precondition in an axiom, found `h`, which has one
        "#]],
    );
    check(
        "field f: Int
method m(x: Ref) { apply acc(x.f)
 package acc(x.f)
 quasihavoc acc(x.f)
 quasihavocall y: Ref :: y == x ==> y.f }",
        expect![[r#"
            error 2.26--2.34 expected a magic wand, found an assertion
            error 3.10--3.18 expected a magic wand, found an assertion
            error 4.2--4.21 expected a field access, predicate access or wand to havoc, found another expression
        "#]],
    );
    check(
        "field f: Int
method m(x: Ref) { assert forperm r: Ref [r.f] :: perm(r.f) > none }",
        expect![[r#"
            error 2.51--2.60 expected no `perm` or `forperm` in the body of `forperm`, found one
        "#]],
    );
}

#[test]
fn shapes_of_triggers() {
    check(
        "function f(x: Int): Int
method m(s: Seq[Int]) {
 assume forall x: Int :: {f(x + 1)} f(x) == 1
 assume forall x: Int :: {x} f(x) == 1
 assume forall x: Int :: {f(x)} {s[x], f(x) == 1} f(x) == 1
 assume forall x: Int :: {f(-x)} f(x) == 1 }",
        expect![[r#"
            error 3.26--3.36 expected applications, accesses and collection operators without arithmetic, comparisons or connectives as a trigger, found another expression
            error 4.26--4.29 expected applications, accesses and collection operators without arithmetic, comparisons or connectives as a trigger, found another expression
            error 5.33--5.50 expected applications, accesses and collection operators without arithmetic, comparisons or connectives as a trigger, found another expression
            error 6.26--6.33 expected applications, accesses and collection operators without arithmetic, comparisons or connectives as a trigger, found another expression
        "#]],
    );
    accepts(
        "field f: Int predicate P(x: Ref) function g(x: Ref): Int method m(s: Set[Ref]) { assume forall x: Ref :: {g(x)} {x in s} {old(x.f)} {P(x)} {|Seq(x)|} g(x) == 1 }",
    );
    check(
        "adt A { B(x: Int) }
method m() { assume forall a: A :: {a.isB} a.isB
 assume forall a: A :: {a.x} a.x == 1 }",
        expect![[r#"
            error 2.36--2.43 expected applications, accesses and collection operators without arithmetic, comparisons or connectives as a trigger, found another expression
        "#]],
    );
    check("domain F interpretation (SMTLIB: \"Int\") { function add(a: F, b: F): F interpretation \"+\" function g(a: F): F }
method m() { assume forall a: F :: {add(a, a)} true
 assume forall a: F :: {g(add(a, a))} true }", expect![[r#"
     error 2.36--2.47 expected applications, accesses and collection operators without arithmetic, comparisons or connectives as a trigger, found another expression
 "#]]);
}

#[test]
fn shapes_of_forperm() {
    check(
        "field f: Ref
predicate P(x: Ref, i: Int)
method m(x: Ref) {
 assert forperm r: Ref [r.f.f] :: true
 assert forperm r: Ref [x.f] :: true
 assert forperm r: Ref, i: Int [P(r, i + 1)] :: true
 assert forperm r: Ref, i: Int [P(r, i)] :: true
 assert forperm r: Ref [acc(r.f) --* acc(x.f)] :: true
}",
        expect![[r#"
            error 4.25--4.28 expected each bound variable of `forperm` to be an argument by itself, found it inside another expression
            error 5.9--5.37 expected `r` to be an argument of the resource, found no use of it
            error 6.38--6.43 expected each bound variable of `forperm` to be an argument by itself, found it inside another expression
        "#]],
    );
    accepts("field f: Ref predicate P(x: Ref, i: Int) method m(x: Ref) { assert forperm r: Ref [P(r, 3)] :: true }");
}

#[test]
fn deep_trees_use_no_stack() {
    let deep = 100_000;
    let nested =
        |open: &str, inner: &str, close: &str, count| format!("{}{inner}{}", open.repeat(count), close.repeat(count));
    for body in [
        format!("assert true{}", " && true".repeat(deep)),
        format!("assert 1{} == 1", " + 1".repeat(deep)),
        format!("assert 1/2{} == 1", " + 1/2".repeat(deep)),
        format!("assert {}", nested("!", "true", "", 5_000)),
        format!("assert {} == 1", nested("|Seq(", "1", ")|", 2_000)),
    ] {
        let found = findings(&format!("method m() {{ {body} }}"));
        assert!(found.is_empty(), "{}", &found[..found.len().min(200)]);
    }
}

#[test]
fn terms_of_wands_in_triggers() {
    check(
        "field f: Int
         method m(y: Ref) {
           inhale forall x: Ref :: {acc(x.f) && acc(y.f) --* x.f == 1} acc(x.f) && acc(y.f) --* x.f == 1
           inhale forall x: Ref :: {acc(x.f) --* acc(y.f, 1/2)} acc(x.f) --* acc(y.f, 1/2) }",
        expect![[r#"
            error 4.36--4.64 expected applications, accesses and collection operators without arithmetic, comparisons or connectives as a trigger, found another expression
        "#]],
    );
}
