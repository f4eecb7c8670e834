//! The lowering of each surface construct.

mod common;

use common::{checked, lowered};
use echis_program::program::{ExprKind, StmtKind};
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&lowered(text));
}

/// The lines of the lowered program that contain a word.
fn check_lines(text: &str, word: &str, expected: Expect) {
    let lowered = lowered(text);
    let lines: Vec<&str> = lowered.lines().map(str::trim).filter(|line| line.contains(word)).collect();
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn chained_comparisons_compare_neighbours() {
    check_lines(
        "method m(a: Int, b: Int) { assert a < b <= 3 < 4 }",
        "assert",
        expect![[r#"
        assert (((a < b) && (b <= 3)) && (3 < 4))
    "#]],
    );
}

#[test]
fn bound_variables_of_a_repeated_operand_are_new() {
    check_lines(
        "method m(a: Int) { assert a < (let x == (a) in x) < 4 }",
        "assert",
        expect![[r#"
        assert ((a < (let x'x1 == (a) in x'x1)) && ((let x'x2 == (a) in x'x2) < 4))
    "#]],
    );
}

#[test]
fn operators_follow_the_types() {
    check(
        "method m(i: Int, p: Perm, s: Seq[Int], t: Set[Int], u: Multiset[Int], v: Map[Int, Bool]) {
           assert i * p == p * i && p / i == i / i && i / i == 3 && p / p == p
           assert 1 in s && 1 in t && 1 in u == 1 && 1 in v && v[1] && s[1] == s[1..2][0]
           assert |s| + |t| + |u| + |v| == 0 && domain(v) == t && (u union u) == u && (t subset t)
           assert Map(1 := true, 2 := false) == v[3 := true] && s[0 := 1] == Seq() && [0..3) ++ s == Seq(1, 2)
         }",
        expect![[r#"
            method m(i: Int, p: Perm, s: Seq[Int], t: Set[Int], u: Multiset[Int], v: Map[Int, Bool]) returns () // cycle 0
            {
              assert (((i * p) == (i * p)) && (((p / i) == (i / i)) && (((i \ i) == 3) && ((p / p) == p))))
              assert ((1 in s) && ((1 in t) && (((1 in u) == 1) && ((1 in v) && (v[1] && (s[1] == s[..2][1..][0]))))))
              assert (((((|s| + |t|) + |u|) + |v|) == 0) && ((domain(v) == t) && (((u union u) == u) && (t subset t))))
              assert ((Map(1 := true, 2 := false) == v[3 := true]) && ((s[0 := 1] == Seq[Int]()) && (([0..3) ++ s) == Seq(1, 2))))
            }
        "#]],
    );
}

#[test]
fn accesses_have_amounts_and_predicate_calls_are_accesses() {
    check(
        "field f: Int
         predicate P(x: Ref) { acc(x.f) }
         method m(x: Ref) requires P(x) && acc(x.f, 1/2) {
           unfold P(x)
           fold acc(P(x), 1/2)
           assert unfolding P(x) in perm(P(x)) > none
         }",
        expect![[r#"
            field f: Int
            predicate P(x'x0: Ref)
            { acc(x'x0.f, write) }
            method m(x'x1: Ref) returns () // cycle 0
              requires (acc(P(x'x1), write) && acc(x'x1.f, (1 / 2)))
            {
              unfold acc(P(x'x1), write)
              fold acc(P(x'x1), (1 / 2))
              assert (unfolding acc(P(x'x1), write) in (perm(P(x'x1)) > none))
            }
        "#]],
    );
}

#[test]
fn statements() {
    check(
        "field f: Int
         field g: Ref
         method k(a: Int) returns (r: Int, s: Int)
         method m(x: Ref, b: Bool) {
           var i: Int := 3
           var j: Int, l: Int := k(i)
           x.f, i := k(1)
           x.g := new(*)
           x.g := new()
           if (b) { i := 1 } elseif (i > 2) { i := 2 } else { i := 3 }
           while (i < 4) invariant i < 5 decreases 4 - i { var t: Int; i := i + 1 }
           label here invariant b
           goto here
           package acc(x.f) --* acc(x.f) && old[lhs](x.f) == x.f { assert true }
           apply acc(x.f) --* acc(x.f) && old[lhs](x.f) == x.f
           quasihavoc b ==> x.f
           quasihavocall r: Ref :: r == x ==> r.f
           refute i == 0
           { var inner: Int }
         }",
        expect![[r#"
            field f: Int
            field g: Ref
            domain WellFoundedOrder[T] {
              function decreasing(T, T): Bool
              function bounded(T): Bool
            }
            domain IntWellFoundedOrder {
              axiom { (forall a'x17: Int, b'x18: Int :: { decreasing[Int](a'x17, b'x18) } ((a'x17 < b'x18) ==> decreasing[Int](a'x17, b'x18))) }
              axiom { (forall a'x19: Int :: { bounded[Int](a'x19) } ((0 <= a'x19) ==> bounded[Int](a'x19))) }
            }
            // termination: decreasing, bounded
            method k(a'x0: Int) returns (r'x1: Int, s: Int) // cycle 1
            method m(x: Ref, b'x4: Bool) returns () // cycle 0
            {
              // locals i: Int, j: Int, l: Int, receiver@11: Ref, result@12: Int, receiver@13: Ref, result@14: Ref, receiver@15: Ref, result@16: Ref
              var i: Int
              i := 3
              var j: Int
              var l: Int
              j, l := k(i)
              receiver@11 := x
              result@12, i := k(1)
              receiver@11.f := result@12
              receiver@13 := x
              result@14 := new(f, g)
              receiver@13.g := result@14
              receiver@15 := x
              result@16 := new()
              receiver@15.g := result@16
              if (b'x4) {
                i := 1
              }
              else {
                if ((i > 2)) {
                  i := 2
                }
                else {
                  i := 3
                }
              }
              while ((i < 4))
                invariant (i < 5)
                decreases (4 - i)
              {
                // locals t: Int
                var t: Int
                i := (i + 1)
              }
              label here
                invariant b'x4
              goto here
              package (acc(x.f, write) --* (acc(x.f, write) && (old[lhs](x.f) == x.f))) {
                assert true
              }
              apply (acc(x.f, write) --* (acc(x.f, write) && (old[lhs](x.f) == x.f)))
              quasihavoc b'x4 ==> x.f
              quasihavocall r'x9: Ref :: (r'x9 == x) ==> r'x9.f
              refute (i == 0)
              {
                // locals inner: Int
                var inner: Int
              }
            }
        "#]],
    );
}

#[test]
fn quantified_permissions_are_canonical() {
    check_lines(
        "field f: Int
         field g: Ref
         predicate P(x: Ref)
         method m(s: Set[Ref], t: Set[Ref], b: Bool) {
           inhale forall x: Ref :: acc(x.f)
           inhale forall x: Ref :: x in s ==> P(x)
           inhale forall x: Ref :: x in s ==> acc(x.f) && acc(x.g) && x.f > 0
           inhale forall x: Ref :: x in s ==> b ==> (x in t ? acc(x.f, 1/2) : acc(x.g))
           inhale forall x: Ref :: { x in s } x in s ==> (forall y: Ref :: { y in t } y in t ==> acc(y.f))
           inhale forall x: Ref :: x in s ==> (let y == (x) in y != null ==> acc(y.f))
           inhale forall x: Ref :: x in s ==> [acc(x.f), acc(x.g)]
           inhale forall x: Ref :: x in s ==> (acc(x.f) --* acc(x.g))
         }",
        "inhale",
        expect![[r#"
            inhale (forall x'x4: Ref :: {? x'x4.f } true ==> acc(x'x4.f, write))
            inhale (forall x'x5: Ref :: {? (x'x5 in s) } (x'x5 in s) ==> acc(P(x'x5), write))
            inhale (((forall x'x14: Ref :: {? (x'x14 in s) } (x'x14 in s) ==> acc(x'x14.f, write)) && (forall x'x15: Ref :: {? (x'x15 in s) } (x'x15 in s) ==> acc(x'x15.g, write))) && (forall x'x16: Ref :: {? (x'x16 in s) } ((x'x16 in s) ==> (x'x16.f > 0))))
            inhale ((forall x'x17: Ref :: {? (x'x17 in s) } {? (x'x17 in t) } (((x'x17 in s) && b) && (x'x17 in t)) ==> acc(x'x17.f, (1 / 2))) && (forall x'x18: Ref :: {? (x'x18 in s) } {? (x'x18 in t) } (((x'x18 in s) && b) && !(x'x18 in t)) ==> acc(x'x18.g, write)))
            inhale (forall x'x8: Ref, y'x9: Ref :: { (x'x8 in s), (y'x9 in t) } ((x'x8 in s) && (y'x9 in t)) ==> acc(y'x9.f, write))
            inhale (forall x'x19: Ref :: {? (x'x19 in s) } (((x'x19 in s) && (let y'x20 == (x'x19) in true)) && (x'x19 != null)) ==> acc(x'x19.f, write))
            inhale ([(forall x'x21: Ref :: {? (x'x21 in s) } (x'x21 in s) ==> acc(x'x21.f, write)), true] && [true, (forall x'x22: Ref :: {? (x'x22 in s) } (x'x22 in s) ==> acc(x'x22.g, write))])
            inhale (forall x'x13: Ref :: {? (x'x13 in s) } (x'x13 in s) ==> acc((acc(x'x13.f, write) --* acc(x'x13.g, write)), write))
        "#]],
    );
}

#[test]
fn assume_speaks_about_permissions_that_are_held() {
    check_lines(
        "field f: Int
         predicate P(x: Ref, i: Int)
         method m(x: Ref, y: Ref, s: Set[Ref], b: Bool) {
           assume acc(x.f)
           assume acc(x.f, 1/2) && b && acc(y.f, wildcard) && x.f == 1
           assume (b ==> acc(x.f, 1/2)) && acc(y.f, 1/3)
           assume P(x, 1) && (b ? P(y, 2) : true)
           assume (let z == (x) in acc(z.f)) && acc(y.f)
           assume forall z: Ref :: z in s ==> acc(z.f, 1/2)
           assume (forall z: Ref :: z in s ==> acc(z.f, 1/2)) && acc(x.f, 1/4)
           assume [acc(x.f), false]
         }",
        "assume",
        expect![[r#"
            assume (perm(x'x2.f) >= write)
            assume (perm(x'x2.f) >= (1 / 2))
            assume b
            assume (perm(y.f) > ((x'x2 == y) ? (1 / 2) : none))
            assume (x'x2.f == 1)
            assume (b ==> (perm(x'x2.f) >= (1 / 2)))
            assume (perm(y.f) >= ((1 / 3) + ((b && (x'x2 == y)) ? (1 / 2) : none)))
            assume (perm(P(x'x2, 1)) >= write)
            assume (b ? (perm(P(y, 2)) >= (write + (((x'x2 == y) && (1 == 2)) ? write : none))) : true)
            assume (let z'x6 == (x'x2) in (perm(z'x6.f) >= write))
            assume (perm(y.f) >= (write + ((x'x2 == y) ? write : none)))
            assume (forall z'x7: Ref :: {? (z'x7 in s) } ((z'x7 in s) ==> (perm(z'x7.f) >= (1 / 2))))
            assume (forall z'x8: Ref :: {? (z'x8 in s) } ((z'x8 in s) ==> (perm(z'x8.f) >= (1 / 2))))
            assume (perm(x'x2.f) >= (1 / 4))
            assume (forall z'x9: Ref :: {? (z'x9 in s) } (perm(x'x2.f) >= ((1 / 4) + (((z'x9 in s) && (z'x9 == x'x2)) ? (1 / 2) : none))))
            assume (perm(x'x2.f) >= write)
        "#]],
    );
}

#[test]
fn assume_looks_inside_of_unfolding() {
    check_lines(
        "field f: Int
         field p: Perm
         predicate P(x: Ref) { acc(x.p) }
         method m(x: Ref, y: Ref, z: Ref) {
           assume unfolding P(x) in acc(y.f, 1/2) && acc(z.f, x.p)
           assume (unfolding P(x) in x.p > none ==> acc(y.f, x.p)) && acc(z.f)
           assume forall r: Ref :: r == x ==> unfolding P(r) in acc(r.f)
         }",
        "assume",
        expect![[r#"
            assume (unfolding acc(P(x'x1), write) in ((perm(y.f) >= (1 / 2)) && (perm(z.f) >= (x'x1.p + ((y == z) ? (1 / 2) : none)))))
            assume (unfolding acc(P(x'x1), write) in ((x'x1.p > none) ==> (perm(y.f) >= x'x1.p)))
            assume (perm(z.f) >= (write + (((unfolding acc(P(x'x1), write) in (x'x1.p > none)) && (y == z)) ? (unfolding acc(P(x'x1), write) in x'x1.p) : none)))
            assume (forall r: Ref :: ((r == x'x1) ==> (unfolding acc(P(r), write) in (perm(r.f) >= write))))
        "#]],
    );
}

#[test]
fn adts_are_domains() {
    check(
        "adt List[T] { Nil() Cons(value: T, tail: List[T]) }
         method m(l: List[Int]) { assert l.isCons ==> l == Cons(l.value, l.tail) }",
        expect![[r#"
            domain List[T] {
              function Nil(): List[T]
              function Cons(T, List[T]): List[T]
              function List.value(List[T]): T
              function List.tail(List[T]): List[T]
              function List#tag(List[T]): Int
              axiom { (forall a0'x1: T, a1'x2: List[T] :: { Cons[T](a0'x1, a1'x2) } (a0'x1 == List.value[T](Cons[T](a0'x1, a1'x2)))) }
              axiom { (forall a0'x3: T, a1'x4: List[T] :: { Cons[T](a0'x3, a1'x4) } (a1'x4 == List.tail[T](Cons[T](a0'x3, a1'x4)))) }
              axiom { (List#tag[T](Nil[T]()) == 1) }
              axiom { (forall a0'x5: T, a1'x6: List[T] :: { Cons[T](a0'x5, a1'x6) } (List#tag[T](Cons[T](a0'x5, a1'x6)) == 0)) }
              axiom { (forall t: List[T] :: { List#tag[T](t) } { List.value[T](t) } { List.tail[T](t) } ((t == Nil[T]()) || (t == Cons[T](List.value[T](t), List.tail[T](t))))) }
              // constructor Nil: tag 1
              // constructor Cons: tag 0
            }
            method m(l: List[Int]) returns () // cycle 0
            {
              assert ((List#tag[Int](l) == 0) ==> (l == Cons[Int](List.value[Int](l), List.tail[Int](l))))
            }
        "#]],
    );
}

#[test]
fn derived_containment() {
    check(
        "import <adt/derives.vpr>
         adt Tree { Leaf() Node(left: Tree, item: Int) } derives { contains without item }
         method m(t: Tree, u: Tree) { assert contains(t, u) }",
        expect![[r#"
            domain Tree {
              function Leaf(): Tree
              function Node(Tree, Int): Tree
              function Tree.left(Tree): Tree
              function Tree.item(Tree): Int
              function Tree#tag(Tree): Int
              axiom { (forall a0'x2: Tree, a1'x3: Int :: { Node(a0'x2, a1'x3) } (a0'x2 == Tree.left(Node(a0'x2, a1'x3)))) }
              axiom { (forall a0'x4: Tree, a1'x5: Int :: { Node(a0'x4, a1'x5) } (a1'x5 == Tree.item(Node(a0'x4, a1'x5)))) }
              axiom { (Tree#tag(Leaf()) == 0) }
              axiom { (forall a0'x6: Tree, a1'x7: Int :: { Node(a0'x6, a1'x7) } (Tree#tag(Node(a0'x6, a1'x7)) == 1)) }
              axiom { (forall t'x8: Tree :: { Tree#tag(t'x8) } { Tree.left(t'x8) } { Tree.item(t'x8) } ((t'x8 == Leaf()) || (t'x8 == Node(Tree.left(t'x8), Tree.item(t'x8))))) }
              axiom { (forall a0'x9: Tree, a1'x10: Int :: { Node(a0'x9, a1'x10) } contains[Tree, Tree](a0'x9, Node(a0'x9, a1'x10))) }
              // constructor Leaf: tag 0
              // constructor Node: tag 1
            }
            domain ContainsDomain[$A, $B] {
              function contains($A, $B): Bool
            }
            domain ContainsTransitivityDomain {
              axiom { (forall a: Tree, b: Tree, c: Tree :: { contains[Tree, Tree](a, b), contains[Tree, Tree](b, c) } ((contains[Tree, Tree](a, b) && contains[Tree, Tree](b, c)) ==> contains[Tree, Tree](a, c))) }
            }
            method m(t'x0: Tree, u: Tree) returns () // cycle 0
            {
              assert contains[Tree, Tree](t'x0, u)
            }
        "#]],
    );
}

#[test]
fn containment_is_not_derived_without_the_import() {
    let text = lowered("adt Tree { Leaf() Node(left: Tree) } derives { contains }");
    assert!(!text.contains("contains"), "{text}");
}

#[test]
fn mutually_recursive_adts_are_ordered() {
    check_lines(
        "adt Tree { Node(kids: Forest) }
         adt Forest { Empty() More(first: Tree, rest: Forest) }
         function size(t: Tree): Int decreases t { 1 }",
        "decreasing",
        expect![[r#"
            function decreasing(T, T): Bool
            axiom { (forall a1'x5: Forest, b1'x4: Tree :: { Node(More(b1'x4, a1'x5)) } decreasing[Tree](b1'x4, Node(More(b1'x4, a1'x5)))) }
            axiom { (forall a'x6: Tree, b'x7: Tree, c'x8: Tree :: { decreasing[Tree](a'x6, b'x7), decreasing[Tree](b'x7, c'x8) } ((decreasing[Tree](a'x6, b'x7) && decreasing[Tree](b'x7, c'x8)) ==> decreasing[Tree](a'x6, c'x8))) }
            axiom { (forall a1'x18: Forest, b1'x17: Forest :: { More(Node(b1'x17), a1'x18) } decreasing[Forest](b1'x17, More(Node(b1'x17), a1'x18))) }
            axiom { (forall a0'x20: Tree, b0: Forest :: { More(a0'x20, b0) } decreasing[Forest](b0, More(a0'x20, b0))) }
            axiom { (forall a'x21: Forest, b'x22: Forest, c'x23: Forest :: { decreasing[Forest](a'x21, b'x22), decreasing[Forest](b'x22, c'x23) } ((decreasing[Forest](a'x21, b'x22) && decreasing[Forest](b'x22, c'x23)) ==> decreasing[Forest](a'x21, c'x23))) }
            // termination: decreasing, bounded
        "#]],
    );
}

#[test]
fn orders_come_with_the_measures() {
    check(
        "predicate P(x: Ref)
         function a(i: Int, s: Seq[Int]): Int decreases i, s if i > 0 decreases _ { i }
         function b(x: Ref): Int requires P(x) decreases P(x) { 1 }
         function c(): Int decreases * { c() }
         method m(p: Perm) decreases p",
        expect![[r#"
            domain WellFoundedOrder[T] {
              function decreasing(T, T): Bool
              function bounded(T): Bool
            }
            domain IntWellFoundedOrder {
              axiom { (forall a'x5: Int, b'x6: Int :: { decreasing[Int](a'x5, b'x6) } ((a'x5 < b'x6) ==> decreasing[Int](a'x5, b'x6))) }
              axiom { (forall a'x7: Int :: { bounded[Int](a'x7) } ((0 <= a'x7) ==> bounded[Int](a'x7))) }
            }
            domain PermWellFoundedOrder {
              axiom { (forall a'x8: Perm, b'x9: Perm :: { decreasing[Perm](a'x8, b'x9) } ((a'x8 <= (b'x9 - write)) ==> decreasing[Perm](a'x8, b'x9))) }
              axiom { (forall a'x10: Perm :: { bounded[Perm](a'x10) } ((none <= a'x10) ==> bounded[Perm](a'x10))) }
            }
            domain PredicateInstancesNestedRelation {
              function nestedPredicates(PredicateInstance, PredicateInstance): Bool
              axiom { (forall a'x11: PredicateInstance, b'x12: PredicateInstance, c: PredicateInstance :: { nestedPredicates(a'x11, b'x12), nestedPredicates(b'x12, c) } ((nestedPredicates(a'x11, b'x12) && nestedPredicates(b'x12, c)) ==> nestedPredicates(a'x11, c))) }
              axiom { (forall a'x14: PredicateInstance :: { nestedPredicates(a'x14, a'x14) } !nestedPredicates(a'x14, a'x14)) }
            }
            domain PredicateInstancesWellFoundedOrder {
              axiom { (forall a'x15: PredicateInstance, b'x16: PredicateInstance :: { decreasing[PredicateInstance](a'x15, b'x16) } (decreasing[PredicateInstance](a'x15, b'x16) == nestedPredicates(a'x15, b'x16))) }
              axiom { (forall a'x17: PredicateInstance :: { bounded[PredicateInstance](a'x17) } bounded[PredicateInstance](a'x17)) }
            }
            domain SeqWellFoundedOrder[S] {
              axiom { (forall a'x18: Seq[S], b'x19: Seq[S] :: { decreasing[Seq[S]](a'x18, b'x19) } ((|a'x18| < |b'x19|) ==> decreasing[Seq[S]](a'x18, b'x19))) }
              axiom { (forall a'x20: Seq[S] :: { bounded[Seq[S]](a'x20) } bounded[Seq[S]](a'x20)) }
            }
            // termination: decreasing, bounded, nestedPredicates
            function a(i: Int, s: Seq[Int]): Int // height 2
              decreases i, s if (i > 0)
              decreases _
            { i }
            function b(x'x2: Ref): Int // height 1
              requires acc(P(x'x2), write)
              decreases #P(x'x2)
            { 1 }
            function c(): Int // height 0, recursive
              decreases *
            { c() }
            predicate P(x'x3: Ref)
            method m(p: Perm) returns () // cycle 0
              decreases p
        "#]],
    );
}

#[test]
fn declared_orders_are_used() {
    let text = "import <decreases/int.vpr>
                function a(i: Int): Int decreases i { i }";
    let lowered = lowered(text);
    assert_eq!(lowered.matches("domain IntWellFoundedOrder").count(), 1, "{lowered}");
    assert_eq!(lowered.matches("domain WellFoundedOrder").count(), 1, "{lowered}");
}

#[test]
fn callees_are_higher() {
    check_lines(
        "function top(i: Int): Int requires pre(i) { even(i) ? 1 : 2 }
         function pre(i: Int): Bool
         function even(i: Int): Bool { i == 0 || odd(i - 1) }
         function odd(i: Int): Bool { i != 0 && even(i - 1) }
         function fac(i: Int): Int { i <= 0 ? 1 : i * fac(i - 1) }
         method a() { b() }
         method b() { a() }
         method c() { b() }",
        "//",
        expect![[r#"
            function top(i'x0: Int): Int // height 1
            function pre(i'x1: Int): Bool // height 3
            function even(i'x2: Int): Bool // height 2, recursive
            function odd(i'x3: Int): Bool // height 2, recursive
            function fac(i'x4: Int): Int // height 0, recursive
            method a() returns () // cycle 1
            method b() returns () // cycle 1
            method c() returns () // cycle 0
        "#]],
    );
}

#[test]
fn opaque_and_reveal() {
    check(
        "@opaque() function f(i: Int): Int { i }
         method m() { assert @reveal() f(1) == f(1) }",
        expect![[r#"
            function f(i: Int): Int // height 0, opaque
            { i }
            method m() returns () // cycle 0
            {
              assert (@reveal() f(1) == f(1))
            }
        "#]],
    );
}

#[test]
fn nodes_lead_back_to_the_text() {
    let text = "method k() returns (r: Int)\nfield f: Int\n@member(\"a\")\nmethod m(x: Ref)\n  requires @pre(\"1\", \"2\") (x != null)\n{\n  @stmt() assert\n    @left() true && x == x\n  x.f := k()\n}";
    let checked = checked(text);
    let program = checked.program.expect("the program is fine");
    let method = program.methods.values().nth(1).expect("there are two methods");
    let syntax = &program.syntax;
    assert_eq!(syntax.annotation(method.id, "member").map(<[_]>::len), Some(1));
    let pre = program.expr(method.pre[0]);
    assert_eq!(syntax.annotation(pre.id, "pre").map(<[_]>::len), Some(2));
    let body = &method.body.as_ref().expect("it has a body").stmts;
    assert!(syntax.annotation(body[0].id, "stmt").is_some());
    let StmtKind::Assert(asserted) = body[0].kind else { panic!("{:?}", body[0]) };
    assert_eq!(checked.sources.text(syntax.span(program.expr(asserted).id)), "@left() true && x == x");
    let ExprKind::Binary(_, left, _) = *program.kind(asserted) else { panic!("a conjunction") };
    assert!(syntax.annotation(program.expr(left).id, "left").is_some());
    let places: Vec<&str> = body[1..].iter().map(|stmt| checked.sources.text(syntax.span(stmt.id))).collect();
    assert_eq!(places, ["x", "x.f := k()", "x.f"]);
    assert_eq!(syntax.node(body[1].id).cause, Some(body[2].id));
}

#[test]
fn depth_costs_no_stack() {
    let conjunction = vec!["b"; 30_000].join(" && ");
    let nested = format!("{}acc(x.f)", "b ==> ".repeat(2_000));
    let accesses = vec!["acc(x.f, 1/2)"; 1_000].join(" && ");
    let chain = vec!["i"; 3_000].join(" < ");
    let elseifs = "elseif (b) { } ".repeat(3_000);
    let text = format!(
        "field f: Int
         method m(x: Ref, b: Bool, i: Int) requires {conjunction} {{
           assume {conjunction}
           assert {chain}
           inhale forall r: Ref :: {nested}
           inhale forall r: Ref :: r == x ==> {accesses}
           if (b) {{ }} {elseifs}
         }}"
    );
    assert!(lowered(&text).len() > 100_000);
}
