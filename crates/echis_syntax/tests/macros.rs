//! Macro expansion, shown by printing the expanded program.

mod common;

use common::parse_text;
use echis_syntax::print_program;
use expect_test::{Expect, expect};

fn check(program: &str, expected: Expect) {
    let parsed = parse_text("file.vpr", program);
    assert_eq!(parsed.errors(), Vec::<String>::new());
    expected.assert_eq(&print_program(&parsed.program));
}

#[test]
fn bodies_and_arguments_stay_grouped() {
    check(
        "define sum(a, b) a + b\nmethod m() { assert 2 * sum(1, 2 == 3 ? 4 : 5) == sum(sum(1, 2), 3) }",
        expect![[r#"
            method m()
            {
              assert 2 * (1 + (2 == 3 ? 4 : 5)) == 1 + 2 + 3
            }
        "#]],
    );
}

#[test]
fn variables_of_a_macro_are_renamed_when_they_clash() {
    check(
        "define swap(a, b) { var t: Int := a; a := b; b := t }\nmethod m() { var t: Int := 1; var u: Int := 2; swap(t, u) swap(u, t) }",
        expect![[r#"
            method m()
            {
              var t: Int := 1
              var u: Int := 2
              var t$0: Int := t
              t := u
              u := t$0
              var t$1: Int := u
              u := t
              t := t$1
            }
        "#]],
    );
}

#[test]
fn variables_that_do_not_clash_are_visible_behind_the_use() {
    check(
        "define decl { var t: Int := 5 }\nmethod m() { decl; assert t == 5 }",
        expect![[r#"
            method m()
            {
              var t: Int := 5
              assert t == 5
            }
        "#]],
    );
}

#[test]
fn free_names_mean_what_they_mean_at_the_use() {
    check(
        "define next x + 1\nmethod m() { var x: Int := 1; assert next == 2 }",
        expect![[r#"
            method m()
            {
              var x: Int := 1
              assert x + 1 == 2
            }
        "#]],
    );
}

#[test]
fn bound_variables_do_not_capture() {
    check(
        "define every(p) (forall x: Int :: p)\nmethod m(x: Int) { assert every(x == x) && every(every(let y == (x) in y == x)) }",
        expect![[r#"
            method m(x: Int)
            {
              assert (forall x$0: Int :: x == x) && (forall x$1: Int :: forall x$2: Int :: let y == (x) in y == x)
            }
        "#]],
    );
}

#[test]
fn a_binder_hides_a_parameter() {
    check(
        "define both(i) i == i && forall i: Int :: i == i\nmethod m(j: Int) { assert both(j) }",
        expect![[r#"
            method m(j: Int)
            {
              assert j == j && (forall i: Int :: i == i)
            }
        "#]],
    );
}

#[test]
fn parameters_may_be_names() {
    check(
        "define jump(l) { goto l; label l }\ndefine apply_(f, x) f(x)\nfunction g(x: Int): Int\nmethod m() { jump(there) assert old[there](apply_(g, 1)) == 1 }",
        expect![[r#"
            function g(x: Int): Int

            method m()
            {
              goto there
              label there
              assert old[there](g(1)) == 1
            }
        "#]],
    );
}

#[test]
fn labels_are_renamed_too() {
    check(
        "define again(c) { label head; if (c) { goto head } }\nmethod m(b: Bool) { again(b) again(!b) }",
        expect![[r#"
            method m(b: Bool)
            {
              label head
              if (b) {
                goto head
              }
              label head$0
              if (!b) {
                goto head$0
              }
            }
        "#]],
    );
}

#[test]
fn macros_may_be_targets_and_locations() {
    check(
        "field f: Int\npredicate P(x: Ref)\ndefine at(x) x.f\ndefine inst(x) P(x)\nmethod m(y: Ref) requires acc(at(y)) && acc(inst(y), 1/2) { at(y) := perm(at(y)) > none ? 1 : 2 fold inst(y) }",
        expect![[r#"
            field f: Int

            predicate P(x: Ref)

            method m(y: Ref)
              requires acc(y.f) && acc(P(y), 1 / 2)
            {
              y.f := perm(y.f) > none ? 1 : 2
              fold P(y)
            }
        "#]],
    );
}

#[test]
fn local_macros_are_known_in_the_whole_method_and_hide_global_ones() {
    check(
        "define n 1\nmethod m() { assert n == 2 if (true) { define n 2 } }\nmethod o() { assert n == 1 }",
        expect![[r#"
            method m()
            {
              assert 2 == 2
              if (true) {
              }
            }

            method o()
            {
              assert 1 == 1
            }
        "#]],
    );
}

#[test]
fn what_a_macro_makes_of_a_location_can_be_printed() {
    let program = "define inst(x) @a() P(x)\ndefine wand(x) @b() (P(x) --* P(x))\npredicate P(x: Ref)\nmethod m(y: Ref) { inhale acc(inst(y)) && perm(wand(y)) > none && unfolding inst(y) in true fold inst(y) }";
    let parsed = parse_text("file.vpr", program);
    assert_eq!(parsed.errors(), Vec::<String>::new());
    let printed = print_program(&parsed.program);
    let again = parse_text("file.vpr", &printed);
    assert_eq!(again.errors(), Vec::<String>::new(), "{printed}");
    assert_eq!(print_program(&again.program), printed);
}

#[test]
fn a_use_inside_a_macro_means_what_that_macro_binds() {
    check(
        "define inner(target) { target := local }
         define outer(target) { var local: Int; inner(target) }
         define shift(x) x + bound
         define all forall bound: Int :: shift(bound) > bound
         method m(bound: Int) { var a: Int; { outer(a) } { outer(a) } assert all }",
        expect![[r#"
            method m(bound: Int)
            {
              var a: Int;
              {
                var local: Int
                a := local
              };
              {
                var local$0: Int
                a := local$0
              }
              assert forall bound$0: Int :: bound$0 + bound$0 > bound$0
            }
        "#]],
    );
}
