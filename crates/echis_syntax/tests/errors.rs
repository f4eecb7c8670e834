//! Syntax error messages: what was expected, what was found, and where. All errors of a file are reported in one run.

mod common;

use common::parse_text;
use expect_test::{Expect, expect};

fn check(program: &str, expected: Expect) {
    let parsed = parse_text("file.vpr", program);
    let mut text = String::new();
    for diagnostic in &parsed.diagnostics {
        let position = parsed.sources.position(diagnostic.span.expect("has a range"));
        text += &format!("{} {}--{}: {}\n", diagnostic.id, position.start, position.end, diagnostic.message);
        for related in &diagnostic.related {
            let position = parsed.sources.position(related.span);
            text += &format!("  {}--{}: {}\n", position.start, position.end, related.message);
        }
    }
    expected.assert_eq(&text);
}

#[test]
fn each_broken_member_gives_its_error() {
    check(
        "method a() { assert }\nmethod fine() { assert true }\nfunction b(): { 1 }\nmethod c() { x = 1 }",
        expect![[r#"
            parser.error 1.21--1.21: expected an expression, found `}`
            parser.error 3.15--3.15: expected a type, found `{`
            parser.error 4.16--4.16: expected a statement or `}`, found `=` (assignment is `:=`, equality is `==`)
        "#]],
    );
}

#[test]
fn annotated_statements_behind_an_error_are_skipped() {
    check(
        "method a() {\n  assert\n  @x() assume true\n  @y() { }\n}\n@z() method b() { ;; }",
        expect![[r#"
            parser.error 3.8--3.8: expected an expression, found the reserved word `assume`
            parser.error 6.19--6.19: expected a statement or `}`, found `;`
        "#]],
    );
}

#[test]
fn reserved_words_are_no_names() {
    check(
        "method m() { var lhs: Int }",
        expect![[r#"
            parser.error 1.18--1.18: expected an identifier, found the reserved word `lhs`
        "#]],
    );
}

#[test]
fn forms_that_look_right_in_other_languages() {
    check(
        "method a(b: Bool) { if (b) { } else if (!b) { } }\nmethod c(x: Int) ensures true requires true\nmethod d() { s[0] := 1 }\nmethod e(x: Ref) { x.f }\nmethod f() { x := Seq[Int](1) }\nmethod g() { assert let x == 1 in x == 1 }\nmethod h() { assert perm((x.f --* y.f)) == none }\nmethod i() { unfold (P(x)) }\nmethod j() { inhale acc(x) }",
        expect![[r#"
            parser.error 1.37--1.37: expected `{` (a further condition is `elseif`), found the reserved word `if`
            parser.error 2.31--2.31: expected no further precondition (each `requires` stands before all `ensures`), found the reserved word `requires`
            parser.error 3.15--3.15: expected a variable or a field access to the left of `:=`
            parser.error 4.21--4.21: expected `:=` behind a field access, found `}`
            parser.error 5.30--5.30: expected `()`: only an empty literal has a type, elements give it otherwise
            parser.error 6.30--6.30: expected `(`, found the number `1`
            parser.error 7.39--7.39: expected `--*`, for what stands before is neither a field access nor a predicate instance, found `)`
            parser.error 8.21--8.21: expected a predicate instance, found `(`
            parser.error 9.25--9.25: expected a field access or a predicate instance
        "#]],
    );
}

#[test]
fn lexical_errors() {
    check(
        "method m() { } /* abc",
        expect![[r#"
        parser.error 1.16--1.16: expected a declaration (such as `method` or `function`), found a comment that is never closed
    "#]],
    );
    check(
        "method m() { @bar(\"\") assert true }",
        expect![[r#"
        parser.error 1.20--1.20: expected at least one character in the string, found `"`
    "#]],
    );
    check(
        "@ a() method m()",
        expect![[r#"
        parser.error 1.2--1.2: expected the name of an annotation directly behind `@`
    "#]],
    );
    check(
        "method m() { assert é }",
        expect![[r#"
        parser.error 1.21--1.21: expected an expression, found the character `é`
    "#]],
    );
}

#[test]
fn warnings() {
    check(
        "field f: Rational\nfunction g(x: Int): Int\ndefine unused(a, b) a\nmethod m() { assert g (1) == unused(1, 2) }",
        expect![[r#"
            parser.warning 1.10--1.18: `Rational` is deprecated: use `Perm`
            parser.warning 4.21--4.24: `g` is applied with a space before `(`
            parser.warning 3.1--3.22: the macro `unused` does not use its parameter `b`
        "#]],
    );
}

#[test]
fn macro_errors() {
    check(
        "define one(x) x\ndefine none_ 1\ndefine act() { assert true }\nmethod m(y: Ref) {\n  assert one(1, 2)\n  assert one\n  none_()\n  one(1)\n  assert act()\n  inhale acc(one(1))\n  one(1) := 2\n  m(y) := 3\n  var t: none_\n}",
        expect![[r#"
            parser.error 5.10--5.19: the macro `one` needs 1 argument, found 2
              1.1--1.16: the macro is defined here
            parser.error 6.10--6.13: the macro `one` needs 1 argument, found none
              1.1--1.16: the macro is defined here
            parser.error 7.3--7.8: the macro `none_` has no parameters, so it is used without `()`
              2.1--2.15: the macro is defined here
            parser.error 8.3--8.9: expected a statement, found the expression macro `one`
              1.1--1.16: the macro is defined here
            parser.error 9.10--9.15: expected an expression, found the statement macro `act`
              3.1--3.29: the macro is defined here
            parser.error 10.10--10.21: expected a location (a field access or predicate instance) here, found another expression after macros are expanded
            parser.error 11.7--11.8: expected a variable, a field access, or a macro for one to the left of `:=`
            parser.error 12.3--12.7: expected a variable, a field access, or a macro for one to the left of `:=`
            parser.error 13.10--13.15: expected a type, found the macro `none_`
              2.1--2.15: the macro is defined here
        "#]],
    );
}

#[test]
fn macro_declaration_errors() {
    check(
        "define a b\ndefine b a\ndefine m 1\ndefine twice 1\ndefine twice 2\ndefine same(x) x\ndefine same(x) x\nmethod m() { assert a == 1 }\nmethod n() { assert b == 1 }\nmethod o() { package true --* true { define p 1 } }\nmethod q() { lab(3) }\ndefine lab(l) { label l }",
        expect![[r#"
            parser.error 3.1--3.11: the macro `m` has the name of another declaration
              8.8--8.9: declared here
            parser.error 5.1--5.15: another macro is named `twice` already
              4.1--4.15: declared here
            parser.error 1.1--1.11: the macro `a` uses itself, so it cannot be expanded
            parser.error 2.1--2.11: the macro `b` uses itself, so it cannot be expanded
            parser.error 10.38--10.48: expected no `define` here: macros cannot be defined in the proof script of a wand
            parser.error 11.14--11.20: the macro `lab` uses its parameter `l` as a name, so the argument must be an identifier
              12.1--12.26: the macro is defined here
        "#]],
    );
}
