//! Cutting removes parts of a program from its text and leaves the rest as written.

use echis_base::{FileId, Key, SourceFile, Span, apply};
use echis_syntax::{Pieces, cut};
use expect_test::{Expect, expect};

/// Removes the parts between `‹` and `›`.
fn check(marked: &str, expect: Expect) {
    check_with(Pieces::default(), marked, expect);
}

fn check_with(mut pieces: Pieces, marked: &str, expect: Expect) {
    let (mut text, mut open, mut spans) = (String::new(), Vec::new(), Vec::new());
    for c in marked.chars() {
        match c {
            '‹' => open.push(text.len() as u32),
            '›' => spans.push((open.pop().expect("it was opened"), text.len() as u32)),
            c => text.push(c),
        }
    }
    let file = FileId::new(0);
    for (start, end) in spans {
        pieces.add(Span::new(file, start, end), false);
    }
    let source = SourceFile::new("test.vpr", text.clone());
    let edits = cut(file, &source, &pieces, &[&text]);
    expect.assert_eq(&apply(&edits, &text).expect("the edits are apart"));
}

#[test]
fn statements_go_with_their_lines_and_comments_stay() {
    check(
        "method m(x: Int)\n{\n  // before\n  assume ‹x > 0›;\n  assert ‹x > 1› // why\n  var y: Int\n  ‹y := 1›; y := 2\n}\n",
        expect![[r#"
            method m(x: Int)
            {
              // before
              // why
              var y: Int
              y := 2
            }
        "#]],
    );
}

#[test]
fn an_initialiser_goes_and_the_variable_stays() {
    check(
        "method m()\n{\n  ‹var y: Int, z: Int := n()›\n}\n",
        expect![[r#"
            method m()
            {
              var y: Int, z: Int
            }
        "#]],
    );
}

#[test]
fn conjuncts_go_one_by_one_whatever_parentheses_stand_around_them() {
    check(
        "method m(a: Bool, b: Bool, c: Bool)\n  requires (‹a› && (b)) && ‹c›\n  requires ((‹a› && (‹b›)))\n  ensures a && // first\n    ‹b›\n",
        expect![[r#"
            method m(a: Bool, b: Bool, c: Bool)
              requires ((b))
              ensures a
        "#]],
    );
}

#[test]
fn conditions_become_choices() {
    check(
        "method m(a: Bool, choice: Int)\n{\n  if (‹a›) { } elseif (a) { }\n  while (‹a && a›)\n    invariant ‹a›\n  {\n    goto l\n  }\n  label l\n}\n",
        expect![[r#"
            method m(a: Bool, choice: Int)
            {
              var choice__1: Bool
              if (choice__1) { } elseif (a) { }
              var choice__2: Bool
              while (choice__2)
              {
                goto l
                var choice__3: Bool; choice__2 := choice__3
              }
              label l
            }
        "#]],
    );
}

#[test]
fn bodies_of_functions_axioms_and_measures_go() {
    check(
        "function f(x: Int): Int\n  decreases x\n  ensures result > 0\n{ ‹x + 1› }\n\ndomain D {\n  function g(): Int\n  ‹axiom a { g() > 0 }›\n  axiom { g() > 1 }\n}\n",
        expect![[r#"
            function f(x: Int): Int
              ensures result > 0

            domain D {
              function g(): Int
              axiom { g() > 1 }
            }
        "#]],
    );
}

#[test]
fn a_claim_to_end_without_a_measure_is_one_word() {
    check(
        "function f(x: Int): Int\n  requires ‹x > 0›\n  decreases\n  ensures result == g(x)\n{ ‹x + 1› }\n",
        expect![[r#"
            function f(x: Int): Int
              decreases _
              ensures result == g(x)
        "#]],
    );
}

/// Cutting a part that closes parentheses also removes the opening ones, which precede its reported range.
#[test]
fn parentheses_at_the_start_go_with_their_piece() {
    check(
        "function f(x: Int): Int { (‹x + 1) * 2› }\nmethod m(x: Int)\n  requires (‹x) > 0›\n  requires (‹x) > 1› && ((‹x) > 2›) && x > 3\n{\n  if ((‹x) > (4)›) { }\n}\n",
        expect![[r#"
            function f(x: Int): Int
            method m(x: Int)
              requires x > 3
            {
              var choice_1: Bool
              if (choice_1) { }
            }
        "#]],
    );
}

#[test]
fn a_postcondition_that_speaks_of_its_function_keeps_the_claim_that_it_ends() {
    check(
        "function f(x: Int): Int\n  decreases x\n  ensures forall y: Int :: f(y) == result\n{ ‹x + 1› }\n",
        expect![[r#"
            function f(x: Int): Int
              decreases _
              ensures forall y: Int :: f(y) == result
        "#]],
    );
}

#[test]
fn a_macro_loses_what_none_of_its_uses_needs() {
    check(
        "define both(x) {\n  assert ‹x > 0›\n  assert x > 1\n}\nmethod m(x: Int)\n{\n  both(x)\n}\n",
        expect![[r#"
            define both(x) {
              assert x > 1
            }
            method m(x: Int)
            {
              both(x)
            }
        "#]],
    );
}

#[test]
fn measures_that_guide_unrolling_stay_where_they_demand_nothing() {
    let mut pieces = Pieces::default();
    pieces.keep_measures();
    check_with(
        pieces,
        "function f(x: Int): Int\n  decreases x\n  ensures f(x) > 0\n{ x + 1 }\n\nfunction g(x: Int): Int\n  decreases x\n{ ‹x + 1› }\n\nfunction h(x: Ref): Int\n  requires ‹acc(x.v)›\n  decreases x.v\n{ 1 }\n\nmethod m(x: Int)\n  decreases x\n",
        expect![[r#"
            function f(x: Int): Int
              decreases x if false
              decreases _
              ensures f(x) > 0
            { x + 1 }

            function g(x: Int): Int

            function h(x: Ref): Int
            { 1 }

            method m(x: Int)
        "#]],
    );
}
