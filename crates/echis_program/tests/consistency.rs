//! Errors of the consistency phase, with their positions.

mod common;

use common::checked;
use expect_test::{Expect, expect};

fn check(text: &str, expected: Expect) {
    let text = format!("field f: Int\npredicate P(x: Ref) {{ acc(x.f) }}\n{text}");
    expected.assert_eq(&checked(&text).findings);
}

#[test]
fn clauses() {
    check(
        "method m(x: Ref) requires acc(x.f) && old(x.f) == 1",
        expect![[r#"
        consistency.error 3.27--3.52 `old` is not allowed in a precondition.
    "#]],
    );
    check(
        "method m() returns (r: Int) requires r > 0 && r == 2",
        expect![[r#"
        consistency.error 3.38--3.39 The result `r` is not allowed in a precondition.
        consistency.error 3.47--3.48 The result `r` is not allowed in a precondition.
    "#]],
    );
    check(
        "method m(x: Ref) ensures true && old[l](true) { label l }",
        expect![[r#"
        consistency.error 3.26--3.46 `old[l]` is not allowed in a postcondition.
    "#]],
    );
    check(
        "function g(x: Ref): Int requires acc(x.f) ensures old(x.f) == 1 { 1 + old(x.f) }",
        expect![[r#"
        consistency.error 3.51--3.64 `old` is not allowed in the postcondition of a function.
        consistency.error 3.67--3.79 `old` is not allowed in the body of a function.
    "#]],
    );
    check(
        "function g(): Int { result }",
        expect![[r#"
        consistency.error 3.21--3.27 `result` is not allowed in the body of a function.
    "#]],
    );
    check(
        "function g(x: Ref): Perm requires acc(x.f) { none + perm(x.f) }",
        expect![[r#"
        consistency.error 3.46--3.62 `perm` is not allowed in the body of a function.
    "#]],
    );
    check(
        "predicate Q(x: Ref) { acc(x.f) && perm(x.f) == old(write) }",
        expect![[r#"
        consistency.error 3.23--3.58 `old` is not allowed in a predicate.
        consistency.error 3.23--3.58 `perm` is not allowed in a predicate.
    "#]],
    );
    check(
        "domain D { function r(): Ref axiom { true && r().f == 1 } }",
        expect![[r#"
        consistency.error 3.38--3.56 An axiom cannot speak of the heap.
    "#]],
    );
    check(
        "domain D { function b(): Bool axiom { asserting (b()) in b() } }",
        expect![[r#"
        consistency.error 3.39--3.61 `asserting` is not allowed in an axiom.
    "#]],
    );
}

#[test]
fn permissions_in_postconditions_of_functions() {
    check(
        "function g(x: Ref): Int ensures asserting (acc(x.f)) in true",
        expect![[r#"
        consistency.error 3.33--3.61 The postcondition of a function cannot speak of permissions.
    "#]],
    );
    check(
        "function g(x: Ref): Int ensures applying (acc(x.f) --* true) in true",
        expect![[r#"
        consistency.error 3.33--3.69 The postcondition of a function cannot speak of permissions.
    "#]],
    );
    check("function g(x: Ref): Int ensures applying (true --* true) in true", expect![[r""]]);
    check("function g(x: Ref): Int requires P(x) ensures unfolding P(x) in x.f > 0", expect![[r""]]);
}

#[test]
fn clauses_that_decrease() {
    check(
        "method m(x: Ref) decreases old(x.f)",
        expect![[r#"
        consistency.error 3.28--3.36 `old` is not allowed in a `decreases` clause.
    "#]],
    );
    check(
        "function g(i: Int): Int decreases i if old(true)",
        expect![[r#"
        consistency.error 3.35--3.49 `old` is not allowed in a `decreases` clause.
    "#]],
    );
}

#[test]
fn pure_parts() {
    check(
        "method m(x: Ref) {
           assert unfolding P(x) in acc(x.f)
           assert asserting (acc(x.f)) in acc(x.f)
           assert applying (true --* acc(x.f)) in acc(x.f)
           inhale let z == (acc(x.f)) in true
         }",
        expect![[r#"
            consistency.error 4.37--4.45 Only pure expressions are allowed here.
            consistency.error 5.43--5.51 Only pure expressions are allowed here.
            consistency.error 6.51--6.59 Only pure expressions are allowed here.
            consistency.error 7.29--7.37 The value of `let` must be pure.
        "#]],
    );
}

#[test]
fn wildcards() {
    check(
        "method m(x: Ref, b: Bool) {
           inhale acc(x.f, wildcard)
           inhale acc(x.f, b ? wildcard : none)
           assert perm(x.f) > wildcard
           fold acc(P(x), 2 * wildcard)
         }
         function g(x: Ref, b: Bool): Int requires acc(x.f, b ? wildcard : none) { 1 }",
        expect![[r#"
            consistency.error 5.28--5.47 `wildcard` must be the whole amount.
            consistency.error 6.31--6.39 `wildcard` can only be the amount of an access.
            consistency.error 7.27--7.39 `wildcard` must be the whole amount.
        "#]],
    );
}

#[test]
fn wands_and_scripts() {
    check(
        "method k() returns (i: Int)
         method m(x: Ref, b: Bool) {
           var i: Int
           package acc(x.f) --* acc(x.f) && old[lhs](x.f) == 1 {
             var j: Int := 1
             assert old[lhs](true)
             j := 2
             i := 3
             x.f := 4
             var y: Ref := new(f)
             while (b) { x.f := 5 }
             if (b) { var l: Int; l := 2 }
             i := k()
             package true --* true { j := 1 }
           }
           assert old[lhs](true)
           inhale old[lhs](true) --* true
           inhale true --* unfolding P(x) in acc(x.f)
         }",
        expect![[r#"
            consistency.error 10.14--10.20 `i` is not declared at the top of the proof script, so it cannot be assigned in it.
            consistency.error 11.14--11.22 A proof script cannot assign to fields.
            consistency.error 12.14--12.34 A proof script cannot make objects.
            consistency.error 13.14--13.36 A proof script cannot loop.
            consistency.error 14.35--14.41 `l` is not declared at the top of the proof script, so it cannot be assigned in it.
            consistency.error 15.14--15.22 `i` is not declared at the top of the proof script, so it cannot be assigned in it.
            consistency.error 16.38--16.44 `j` is not declared at the top of the proof script, so it cannot be assigned in it.
            consistency.error 18.19--18.33 `old[lhs]` is only allowed in a wand or its proof script.
            consistency.error 19.19--19.33 `old[lhs]` is not allowed on the left of a wand.
            consistency.error 20.46--20.54 Only pure expressions are allowed here.
        "#]],
    );
}

#[test]
fn labels_and_targets() {
    check(
        "method k() returns (a: Int, b: Int)
         method m(b: Bool) {
           var x: Int
           goto nowhere
           assert old[nowhere](b)
           label l
           if (b) { label l }
           x, x := k()
         }",
        expect![[r#"
            consistency.error 6.12--6.24 There is no label `nowhere` in this method.
            consistency.error 7.19--7.34 There is no label `nowhere` in this method.
            consistency.error 9.21--9.28 The label `l` is declared twice.
            consistency.error 10.12--10.23 The variable `x` is a target twice.
        "#]],
    );
}

#[test]
fn triggers() {
    check(
        "function g(x: Int): Int
         method m() {
           assume forall x: Int, y: Int :: { g(x) } g(x) == y
           assume forall x: Int :: { g(x), g(3) } g(x) == 1
           assume exists x: Int :: {} g(x) == 1
         }",
        expect![[r#"
            consistency.error 5.34--5.35 The trigger does not mention the quantified variable `y`.
            consistency.error 6.44--6.48 The trigger term mentions no quantified variable.
            consistency.error 7.26--7.27 The trigger does not mention the quantified variable `x`.
        "#]],
    );
}

#[test]
fn domains() {
    check(
        "domain D { axiom a { true } axiom a { true } function b(): Int axiom b { true } axiom P { true } }",
        expect![[r#"
        consistency.error 3.29--3.45 The name `a` is used twice.
        consistency.error 3.46--3.63 The name `b` is used twice.
        consistency.error 3.81--3.97 The name `P` is used twice.
    "#]],
    );
    check(
        "domain D { unique function a(i: Int): D }",
        expect![[r#"
        consistency.error 3.12--3.40 A unique function has no parameters.
    "#]],
    );
    check(
        "domain D interpretation (Boogie: \"int\") { }",
        expect![[r#"
        consistency.error 3.1--3.44 The domain `D` has no SMTLIB interpretation.
    "#]],
    );
    check(
        "domain D[T] interpretation (SMTLIB: \"Int\") { }",
        expect![[r#"
        consistency.error 3.1--3.47 A domain with an interpretation has no type parameters.
    "#]],
    );
    check(
        "adt A { }",
        expect![[r#"
        consistency.error 3.1--3.10 The ADT `A` has no constructors.
    "#]],
    );
}

#[test]
fn data_types_without_values() {
    let check = |text: &str, expected: Expect| {
        let errors = checked(text).findings;
        let names: Vec<&str> = errors.lines().filter_map(|line| line.split(" has no values").next()).collect();
        expected.assert_eq(&names.join("\n"));
    };
    check("adt R { RR(r: R) }", expect!["consistency.error 1.1--1.19 The ADT `R`"]);
    check(
        "adt A { AA(b: B) }\nadt B { BB(a: A) BC(i: Int, b: B) }",
        expect![[r#"
            consistency.error 1.1--1.19 The ADT `A`
            consistency.error 2.1--2.36 The ADT `B`"#]],
    );
    check("adt T[E] { N(e: E, t: T[E]) }", expect!["consistency.error 1.1--1.30 The ADT `T`"]);
    check("adt P[E] { PP(e: E) }\nadt R { RR(p: P[R]) }", expect!["consistency.error 2.1--2.22 The ADT `R`"]);
    // Collections may be empty, domains are inhabited, and one base constructor is enough.
    check("adt T { N(s: Seq[T], m: Map[T, T]) }\nadt L { E() C(l: L) }", expect![""]);
    check("domain D[E] { }\nadt T { N(d: D[T]) }\nadt P[E] { Q() }\nadt R { RR(p: P[R]) }", expect![""]);
}

#[test]
fn functions_in_their_own_contracts() {
    check(
        "function g(i: Int): Bool requires g(i - 1)",
        expect![[r#"
        consistency.error 3.1--3.43 The precondition of `g` depends on the function itself.
    "#]],
    );
    check(
        "function g(i: Int): Bool requires h(i)\nfunction h(i: Int): Bool { g(i) }",
        expect![[r#"
        consistency.error 3.1--3.39 The precondition of `g` depends on the function itself.
    "#]],
    );
    check(
        "function g(i: Int): Int decreases h(i) { 1 }\nfunction h(i: Int): Int { g(i) }",
        expect![[r#"
        consistency.error 3.1--3.45 The precondition of `g` depends on the function itself.
    "#]],
    );
    check(
        "function g(i: Int): Int ensures g(i) > 0",
        expect![[r#"
        consistency.error 3.33--3.37 The postcondition of `g` refers to the function itself. Use `result`.
    "#]],
    );
    check(
        "function g(i: Int): Int ensures h(i) > 0 { h(i) }\nfunction h(i: Int): Int { g(i) }",
        expect![[r#"
        consistency.error 3.33--3.37 The postcondition of `g` applies `h`, which needs a `decreases` clause to be well-founded.
    "#]],
    );
    check("function g(i: Int): Int ensures g(i - 1) > 0 decreases i { i }", expect![[r""]]);
}

#[test]
fn decreases_clauses() {
    check(
        "function g(i: Int): Int decreases i decreases i decreases _ if i > 0 decreases _ decreases * decreases * { i }",
        expect![[r#"
        consistency.error 3.35--3.36 There is more than one `decreases` tuple here.
        consistency.error 3.59--3.69 There is more than one `decreases` wildcard here.
        consistency.error 3.92--3.93 There is more than one `decreases` star here.
    "#]],
    );
    check(
        "function g(x: Ref): Int requires acc(x.f) decreases acc(x.f) { 1 }",
        expect![[r#"
        consistency.error 3.53--3.61 A `decreases` clause must be pure.
    "#]],
    );
    check(
        "function g(b: Bool): Bool decreases b ? [true, true] : b { b }",
        expect![[r#"
        consistency.error 3.41--3.53 Wands and inhale-exhale assertions cannot be termination measures.
    "#]],
    );
}

#[test]
fn predicate_instances_need_their_import() {
    check(
        "method m(x: Ref) requires P(x) { assert #P(x) == #P(x) }",
        expect![[r#"
        consistency.error nowhere `#P(..)` needs `import <predicateinstance/pi.vpr>`.
    "#]],
    );
    check(
        "import <predicateinstance/pi.vpr>\nmethod m(x: Ref) requires P(x) { assert #P(x) == #P(x) }",
        expect![[r""]],
    );
}

#[test]
fn one_field_twice_is_an_error_of_the_translation() {
    check(
        "method k() returns (a: Int, b: Int)\nmethod m(x: Ref, y: Ref) { x.f, y.f := k() }",
        expect![[r#"
        typechecker.error 4.28--4.43 expected targets with different fields, found `f` twice
    "#]],
    );
}

#[test]
fn legal_but_hardly_meant() {
    check(
        "function g(x: Ref): Int requires acc(x.f, 1/2) && acc(x.f) && acc(x.f, wildcard) && acc(x.f, none) { 1 }
         import <decreases/declaration.vpr>
         domain Mine { axiom { forall i: Int :: { bounded(i) } bounded(i) } }",
        expect![[r#"
            typechecker.warning 3.43--3.46 In a function every positive amount means the same: that the location may be read. Write `wildcard`.
            typechecker.warning 5.10--5.78 A domain that orders this type should be named `IntWellFoundedOrder`.
        "#]],
    );
}
