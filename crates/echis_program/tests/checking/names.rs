//! Scoping rules and duplicate declarations.

use super::{accepts, check};
use expect_test::expect;

#[test]
fn siblings_may_share_a_name() {
    accepts("method m() { { var x: Int } { var x: Bool } }");
    accepts("method m() requires forall i: Int :: i == i { var i: Int }");
    accepts("domain D { function f(m: Int): Int axiom { forall x: Int :: f(x) == x } } method m() { var x: Int }");
    accepts("adt A { B(x: Int) } adt C { D(x: Int) } method m() { var x: Int }");
}

#[test]
fn nothing_shadows() {
    check(
        "field f: Int
         method m(x: Int) { var y: Int
           { var y: Int; y := 1 }
           { var z: Int } var z: Int; z := 1
           assert exists i: Int, i: Int :: i == 1
           var f: Int }",
        expect![[r#"
            error 3.18--3.19 expected a new name, found `y`, which already names a variable of the same member
            error 3.26--3.27 expected one variable `y`, found several: the name is ambiguous
            error 3.31--3.32 expected a target that can take this value, found none
            error 4.31--4.32 expected a new name, found `z`, which already names a variable of the same member
            error 5.34--5.35 expected a new name, found `i`, which already names a variable of the same member
            error 5.44--5.45 expected one variable `i`, found several: the name is ambiguous
            error 6.16--6.17 expected a new name, found `f`, which already names a field
        "#]],
    );
}

#[test]
fn labels_and_type_parameters_share_the_namespace() {
    check(
        "method m() { var l: Int; label l }",
        expect![[r#"
        error 1.32--1.33 expected a new name, found `l`, which already names a variable of the same method
    "#]],
    );
    check(
        "method m() { label l; var l: Int }",
        expect![[r#"
        error 1.27--1.28 expected a new name, found `l`, which already names a label of the same method
    "#]],
    );
    check(
        "domain T { }
domain D[T] { function f(x: T): T }",
        expect![[r#"
            error 2.10--2.11 expected a new name, found `T`, which already names a type
            error 2.29--2.30 expected one meaning of `T`, found several: it is ambiguous
            error 2.33--2.34 expected one meaning of `T`, found several: it is ambiguous
        "#]],
    );
    check(
        "domain D[T, T] { function f(x: T): T }",
        expect![[r#"
        error 1.32--1.33 expected one meaning of `T`, found several: it is ambiguous
        error 1.36--1.37 expected one meaning of `T`, found several: it is ambiguous
    "#]],
    );
    accepts("domain D[T] { function f(): D[T] } domain E[T] { function g(x: T): D[T] }");
}

#[test]
fn globals_are_unique() {
    check(
        "method m() {}
function m(): Int
method n() { m() }",
        expect![[r#"
            error 2.10--2.11 expected a new name, found `m`, which already names a method
        "#]],
    );
    check(
        "domain D { function D(): Int }",
        expect![[r#"
        error 1.21--1.22 expected a new name, found `D`, which already names a type
    "#]],
    );
    check(
        "adt A { B(x: Int) B(x: Int) }",
        expect![[r#"
        error 1.19--1.20 expected a new name, found `B`, which already names a constructor
        error 1.21--1.22 expected a new name, found `x`, which already names an argument of a constructor of the same ADT
    "#]],
    );
    check(
        "field x: Int
adt A { B(x: Int) }",
        expect![[r#"
            error 2.11--2.12 expected a new name, found `x`, which already names a field
        "#]],
    );
    check(
        "adt A { B(x: Int) }
field isB: Int
method m(a: A) { assert a.isB && undeclared }",
        expect![[r#"
            error 1.9--1.10 expected `isB` to be free for the discriminator of `B`, found a field of that name
            error 3.34--3.44 expected a variable, found `undeclared`, which is not declared here
        "#]],
    );
}

#[test]
fn names_of_the_wrong_kind() {
    check(
        "field f: Int
function g(): Int
method n() returns (a: Int)
method m(x: Ref) { var y: Int; y := n() + 1; y := g; g(); assert f > 0; assert x.g == 1 }",
        expect![[r#"
            error 4.37--4.38 expected a function or predicate, found `n`, which is a method
            error 4.51--4.52 expected a variable, found `g`, which is a function
            error 4.54--4.55 expected a method, found `g`, which is a function
            error 4.66--4.67 expected a variable, found `f`, which is a field
            error 4.82--4.83 expected a field, found `g`, which is a function
        "#]],
    );
    check(
        "predicate P(x: P)
method m(y: Unknown[Int]) { x }",
        expect![[r#"
            error 1.16--1.17 expected a type, found `P`, which is a predicate
            error 2.13--2.25 expected a type, found `Unknown`, which is not declared here
            error 2.29--2.30 expected a statement, found an expression
        "#]],
    );
}

#[test]
fn an_error_in_a_macro_is_at_its_use() {
    check(
        "define twice(x) x + x\nmethod m() { var a: Int := twice(true) }",
        expect![[r#"
        error 2.34--2.38 expected Perm or Int, found Bool
    "#]],
    );
}

#[test]
fn the_later_of_two_equal_names_is_wrong() {
    check(
        "function f(h: Int): Int
         function g(g: Int): Int
         function h(n: Int): Int
         domain D[T] { function T(x: T): Int }",
        expect![[r#"
            error 2.21--2.22 expected a new name, found `g`, which already names a function
            error 3.19--3.20 expected a new name, found `h`, which already names a variable
            error 4.33--4.34 expected a new name, found `T`, which already names a type parameter
        "#]],
    );
    check(
        "adt A { B(value: Int) } function value(): Int",
        expect![[r#"
        error 1.34--1.39 expected a new name, found `value`, which already names a constructor argument
    "#]],
    );
}

#[test]
fn a_label_is_in_the_way_only_in_its_own_scope() {
    accepts("method m() { label l; { var l: Int } }");
    accepts("method m() { { var l: Int } label l }");
    check(
        "method m() { { label l } var l: Int }",
        expect![[r#"
        error 1.30--1.31 expected a new name, found `l`, which already names a label of the same method
    "#]],
    );
    check(
        "method m() { var l: Int; { label l } }",
        expect![[r#"
        error 1.34--1.35 expected a new name, found `l`, which already names a variable of the same method
    "#]],
    );
}

#[test]
fn one_mistake_is_reported_once() {
    check(
        "method n(x: Int) returns (y: Int)
         method m() {
           assert nothing.place == 1
           nothing.place := 1
           assert p(p(true))
           n(nothing, nothing)
           var a: Int, b: Int := nothing
           assert let x == (let x == (1) in x) in x == 1
         }",
        expect![[r#"
            error 3.19--3.26 expected a variable, found `nothing`, which is not declared here
            error 4.20--4.25 expected a field, found `place`, which is not declared here
            error 4.29--4.30 expected a target that can take this value, found none
            error 5.21--5.22 expected a function or predicate, found `p`, which is not declared here
            error 6.12--6.31 expected 1 argument, found 2
            error 7.12--7.41 expected a method call to give values to 2 targets, found none
            error 8.23--8.24 expected a new name, found `x`, which already names a variable of the same member
        "#]],
    );
}
