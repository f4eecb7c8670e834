//! Declared and inferred types.

use super::{accepts, check, findings, types_of};
use echis_program::program::Type;
use expect_test::expect;

#[test]
fn written_types() {
    check(
        "domain D[T] { }
method m(x: D, y: D[Int, Int], z: Seq[E]) { var a: D[D[Bool]] }",
        expect![[r#"
            error 2.13--2.14 expected 1 type argument of `D`, found 0
            error 2.19--2.30 expected 1 type argument of `D`, found 2
            error 2.39--2.40 expected a type, found `E`, which is not declared here
        "#]],
    );
    check(
        "domain D[T] { function f(x: T[Int]): Int }",
        expect![[r#"
        error 1.29--1.35 expected 0 type arguments of `T`, found 1
    "#]],
    );
}

#[test]
fn operators_say_what_they_expect() {
    check(
        "method m(p: Perm, i: Int, b: Bool, s: Set[Int], q: Seq[Int]) {
  assert p + i == p
  assert p % 2 == 1
  assert s[0] == 1
  assert q[b] == 1
  assert b in s
  assert b ? 1 : p
  assert |i| == 0
  assert s ++ q == q
  assert i < i < b
  assert i
}",
        expect![[r#"
            error 2.14--2.15 expected Perm, found Int
            error 3.10--3.11 expected Int, found Perm
            error 4.10--4.11 expected Seq[_] or Map[_, _], found Set[Int]
            error 5.12--5.13 expected Int, found Bool
            error 6.15--6.16 expected Set[Bool] or Seq[Bool] or Multiset[Bool] or Map[Bool, _], found Set[Int]
            error 7.18--7.19 expected Int, found Perm
            error 8.11--8.12 expected Seq[_] or Set[_] or Multiset[_] or Map[_, _], found Int
            error 9.10--9.11 expected Seq[_], found Set[Int]
            error 10.18--10.19 expected Int, found Bool
            error 11.10--11.11 expected Bool or an assertion, found Int
        "#]],
    );
    accepts(
        "method m(p: Perm, i: Int) { var q: Perm := i * p; q := p * i; q := i / i; q := p / i; q := p / p; q := -p }",
    );
    check(
        "field f: Rational
method m(x: Ref) requires acc(x.f) { x.f := 1/2; assert 1/2 == x.f; assert x.f == 1/2 }",
        expect![[r#"
            error 2.45--2.48 expected Rational, found Perm or Int
            error 2.83--2.86 expected Rational, found Perm or Int
        "#]],
    );
    check(
        "method m(s: Multiset[Int]) { assert 1 in s
 assert (1 in s) == 2
 assert 1 in s in s }",
        expect![[r#"
            error 1.37--1.43 expected Bool or an assertion, found Int
            error 3.19--3.20 expected Set[Multiset[Int]] or Seq[Multiset[Int]] or Multiset[Multiset[Int]] or Map[Multiset[Int], _], found Multiset[Int]
        "#]],
    );
}

#[test]
fn division_is_a_fraction_unless_an_integer_is_meant() {
    let kinds = |text| types_of(text, "7/2");
    assert_eq!(kinds("method m() { var a: Int := 7/2 }"), [Type::Int]);
    assert_eq!(kinds("method m() { var a: Perm := 7/2 }"), [Type::Perm]);
    assert_eq!(kinds("method m() { assert 7/2 == 3 && 3 == 7/2 }"), [Type::Int, Type::Int]);
    assert_eq!(kinds("method m() { assert 7/2 == 7/2 }"), [Type::Perm, Type::Perm]);
    assert_eq!(kinds("method m() { assert 7/2 + 1/2 < 3/2 }"), [Type::Perm]);
    assert_eq!(kinds("method m() { assert 0 < 7/2 < 4 }"), [Type::Int]);
    assert_eq!(kinds("function f(i: Int): Int method m() { assert f(7/2) == 3 }"), [Type::Int]);
    assert_eq!(kinds("method m(b: Bool) { assert (b ? 7/2 : 7/2) == 3 }"), [Type::Int, Type::Int]);
    assert_eq!(kinds("method m() { assert let x == (7/2) in x == 3 }"), [Type::Int]);
    assert_eq!(kinds("method m() { assert let x == (7/2) in x == write }"), [Type::Perm]);
    assert_eq!(kinds("method m() { assert Seq(7/2, 1)[0] == old(7/2) }"), [Type::Int, Type::Int]);
}

#[test]
fn empty_literals_take_part_in_inference() {
    let seq = |element| Type::Seq(Box::new(element));
    let kinds = |text| types_of(text, "Seq()");
    assert_eq!(kinds("method m() { assert Seq() ++ Seq(true) == Seq() }"), [seq(Type::Bool), seq(Type::Bool)]);
    assert_eq!(kinds("method m(b: Bool) { var s: Seq[Ref] := b ? Seq() : Seq(null) }"), [seq(Type::Ref)]);
    assert_eq!(kinds("method m() { assert |Seq(Seq(), Seq(none))| == 2 }"), [seq(Type::Perm)]);
    assert_eq!(kinds("method m() { assert let s == (Seq()) in forall i: Int :: i in s ==> i > 0 }"), [seq(Type::Int)]);
    assert_eq!(kinds("method m() { assert |Seq()| == 0 }"), [seq(Type::Int)]);
}

#[test]
fn an_axiom_stays_generic_in_the_parameter_of_its_domain() {
    let domain = "domain D[T] { function c(): D[T] function size(d: D[T]): Int axiom { size(c()) == 0 } }";
    let domain_of = |args| Type::Domain(echis_base::Key::new(0), args);
    assert_eq!(types_of(domain, "c()"), [domain_of(vec![Type::Parameter(0)])]);
    let method = format!("{domain} method m() {{ assert size((c(): D[Bool])) == 0 }}");
    assert_eq!(types_of(&method, "c(): D[Bool]"), [domain_of(vec![Type::Bool])]);
    check(
        &format!("{domain}\nmethod m() {{ assert size(c()) == 0 }}"),
        expect![[r#"
        warning 2.26--2.29 expected the context to decide this type argument, found nothing that does: it is `Int`
    "#]],
    );
    check(
        "method m() { assert |Set()| == 0 }",
        expect![[r#"
        warning 1.22--1.27 expected the context to decide this type argument, found nothing that does: it is `Int`
    "#]],
    );
}

#[test]
fn types_of_absurd_size_are_refused() {
    let nested = format!("{}1{}", "Seq(".repeat(5000), ")".repeat(5000));
    assert!(findings(&format!("method m() {{ assert {nested} == {nested} }}")).contains("nested too deeply"));
    let doubled: String = (0..60).map(|n| format!("let a{} == (Map(a{n} := a{n})) in ", n + 1)).collect();
    assert!(findings(&format!("method m(a0: Int) {{ assert {doubled} true }}")).contains("too large"));
}

#[test]
fn an_unknown_type_differs_from_all_others() {
    check(
        "method m(x: foo, y: foo) { assert x == y
           var z: Int := x }",
        expect![[r#"
            error 1.13--1.16 expected a type, found `foo`, which is not declared here
            error 1.21--1.24 expected a type, found `foo`, which is not declared here
            error 2.26--2.27 expected Int, found the unknown type `foo`
        "#]],
    );
}

#[test]
fn each_comparison_of_a_chain_is_judged() {
    check(
        "method m(i: Int, s: Set[Int], t: Set[Set[Int]]) { assert i in s in t
           assert i in t in s }",
        expect![[r#"
            error 2.24--2.25 expected Set[Int] or Seq[Int] or Multiset[Int] or Map[Int, _], found Set[Set[Int]]
            error 2.29--2.30 expected Set[Set[Set[Int]]] or Seq[Set[Set[Int]]] or Multiset[Set[Set[Int]]] or Map[Set[Set[Int]], _], found Set[Int]
        "#]],
    );
}
