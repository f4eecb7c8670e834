//! Trigger inference for quantifiers without triggers.

mod common;

use common::{checked, lowered};
use expect_test::{Expect, expect};

/// Checks the warnings and the assumptions of a method after inference.
fn check(formulas: &str, expected: Expect) {
    let text = format!(
        "field f: Int
         domain D {{ function loc(i: Int): Ref function pair(a: Int, b: Int): Int }}
         function g(x: Int): Int
         function h(x: Int, b: Bool): Int
         method m(s: Set[Ref], q: Seq[Int], n: Int) {{
           {formulas}
         }}"
    );
    let warnings = checked(&text).findings;
    let lines: Vec<String> = lowered(&text)
        .lines()
        .map(|line| line.trim().to_owned() + "\n")
        .filter(|line| line.starts_with("assume") || line.starts_with("inhale"))
        .collect();
    expected.assert_eq(&(warnings + &lines.concat()));
}

#[test]
fn terms_that_cover_all_variables() {
    check(
        "assume forall i: Int :: 0 <= i && i < |q| ==> q[i] > g(i)
         assume forall i: Int, j: Int :: i < j ==> q[i] < q[j]
         assume forall i: Int, j: Int :: pair(i, j) == g(i) + g(j)
         assume forall r: Ref :: r in s ==> r != null
         assume exists i: Int :: g(i) == 3",
        expect![[r#"
            assume (forall i'x6: Int :: {? q[i'x6] } {? g(i'x6) } (((0 <= i'x6) && (i'x6 < |q|)) ==> (q[i'x6] > g(i'x6))))
            assume (forall i'x7: Int, j'x8: Int :: {? q[i'x7], q[j'x8] } ((i'x7 < j'x8) ==> (q[i'x7] < q[j'x8])))
            assume (forall i'x9: Int, j'x10: Int :: {? pair(i'x9, j'x10) } {? g(i'x9), g(j'x10) } (pair(i'x9, j'x10) == (g(i'x9) + g(j'x10))))
            assume (forall r: Ref :: {? (r in s) } ((r in s) ==> (r != null)))
            assume (exists i'x12: Int :: {? g(i'x12) } (g(i'x12) == 3))
        "#]],
    );
}

#[test]
fn larger_terms_are_preferred() {
    check(
        "assume forall i: Int :: g(g(i)) == g(i)",
        expect![[r#"
        assume (forall i: Int :: {? g(g(i)) } (g(g(i)) == g(i)))
    "#]],
    );
}

#[test]
fn forbidden_parts_become_variables() {
    check(
        "assume forall i: Int :: h(i, i > 0) == 1",
        expect![[r#"
        assume (forall i: Int, y@7: Bool :: {? h(i, y@7) } (h(i, (i > 0)) == 1))
    "#]],
    );
}

#[test]
fn sums_are_solved() {
    check(
        "assume forall i: Int :: g(i + 1) == i
         assume forall i: Int :: g(n - i) == i
         assume forall i: Int, j: Int :: q[i + 1] == q[j - 1]
         inhale forall i: Int :: 0 <= i && i < n ==> acc(loc(i + n).f)",
        expect![[r#"
            assume (forall i'x13: Int :: {? g(i'x13) } (g(i'x13) == (i'x13 - 1)))
            assume (forall i'x16: Int :: {? g(i'x16) } (g(i'x16) == (n - i'x16)))
            assume (forall i'x21: Int, j'x22: Int :: {? q[i'x21], q[j'x22] } (q[i'x21] == q[j'x22]))
            inhale (forall i'x24: Int :: {? loc(i'x24) } ((0 <= (i'x24 - n)) && ((i'x24 - n) < n)) ==> acc(loc(i'x24).f, write))
        "#]],
    );
}

#[test]
fn old_and_let_are_kept_in_mind() {
    check(
        "assume forall i: Int :: old(q[i]) == 1
         assume forall i: Int :: (let k == (g(i)) in g(k) == 2)",
        expect![[r#"
            assume (forall i'x6: Int :: {? old(q[i'x6]) } (old(q[i'x6]) == 1))
            assume (forall i'x7: Int :: {? g(g(i'x7)) } (let k == (g(i'x7)) in (g(k) == 2)))
        "#]],
    );
}

#[test]
fn inner_variables_are_out_of_reach() {
    check(
        "assume forall i: Int :: g(i) == 1 && (forall j: Int :: pair(i, j) == 2)
         assume forall i: Int :: forall j: Int :: pair(i, j) == 2",
        expect![[r#"
            assume (forall i'x6: Int :: {? g(i'x6) } ((g(i'x6) == 1) && (forall j'x7: Int :: {? pair(i'x6, j'x7) } (pair(i'x6, j'x7) == 2))))
            assume (forall i'x8: Int, j'x9: Int :: {? pair(i'x8, j'x9) } (pair(i'x8, j'x9) == 2))
        "#]],
    );
}

#[test]
fn locations_are_the_last_resort() {
    check(
        "inhale forall r: Ref :: acc(r.f, 1/2)
         assume forall r: Ref :: r != null ==> r.f > 0",
        expect![[r#"
            inhale (forall r'x6: Ref :: {? r'x6.f } true ==> acc(r'x6.f, (1 / 2)))
            assume (forall r'x7: Ref :: {? r'x7.f } ((r'x7 != null) ==> (r'x7.f > 0)))
        "#]],
    );
}

#[test]
fn nothing_found() {
    check(
        "assume forall i: Int :: i == i
         assume forall i: Int :: g(2 * i) == 0
         assume forall i: Int, j: Int :: g(i + j) == 0",
        expect![[r#"
            verifier.warning 6.19--6.42 No triggers were given or found for this quantifier.
            verifier.warning 7.17--7.47 No triggers were given or found for this quantifier.
            verifier.warning 8.17--8.55 No triggers were given or found for this quantifier.
            assume (forall i'x6: Int :: (i'x6 == i'x6))
            assume (forall i'x7: Int :: (g((2 * i'x7)) == 0))
            assume (forall i'x8: Int, j: Int :: (g((i'x8 + j)) == 0))
        "#]],
    );
}

#[test]
fn written_triggers_stay() {
    check(
        "assume forall i: Int :: { g(i) } { q[i] } g(i) == q[i]",
        expect![[r#"
        assume (forall i: Int :: { g(i) } { q[i] } (g(i) == q[i]))
    "#]],
    );
}
