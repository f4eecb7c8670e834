//! The exact range of each expression, statement and member of a program, as `range text`.

mod common;

use common::parse_text;
use echis_base::Span;
use echis_syntax::ast::MemberKind;
use echis_syntax::{for_each_expr, for_each_stmt};
use expect_test::{Expect, expect};

/// The ranges of a method's statements and of all expressions in them.
fn check(program: &str, expected: Expect) {
    let parsed = parse_text("file.vpr", program);
    assert_eq!(parsed.errors(), Vec::<String>::new());
    let text = |span: Span| {
        let position = parsed.sources.position(span);
        let exact = &parsed.sources.file(span.file).text[span.start as usize..span.end as usize];
        format!("{}--{} {}", position.start, position.end, exact.replace('\n', "⏎"))
    };
    let mut lines = Vec::new();
    for member in &parsed.program.members {
        let mut roots = Vec::new();
        member.for_each_expr(|root| roots.push(root));
        if let MemberKind::Method(method) = &member.kind {
            for_each_stmt(method.body.as_ref().expect("methods have bodies"), |stmt| {
                lines.push(format!("stmt {}", text(stmt.span)));
                if let Some(place) = stmt.macro_use {
                    lines.push(format!("  used at {}", text(place)));
                }
                stmt.for_each_expr(|root| roots.push(root));
            });
        }
        for root in roots {
            for_each_expr(&parsed.program.exprs, root, |id| {
                let expr = &parsed.program.exprs[id];
                lines.push(format!("expr {}", text(expr.span)));
                if let Some(place) = expr.macro_span {
                    lines.push(format!("  from {}", text(place)));
                }
            });
        }
    }
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn redundant_parentheses_belong_to_no_node() {
    check(
        "method m(a: Int) { assert (\n a == 1) }",
        expect![[r#"
            stmt 1.20--2.9 assert (⏎ a == 1)
            expr 2.2--2.8 a == 1
            expr 2.2--2.3 a
            expr 2.7--2.8 1
        "#]],
    );
}

#[test]
fn right_grouping_levels_start_at_the_parenthesis_of_their_left_operand() {
    check(
        "method m(a: Bool) { assert ((a)) && (a) ==> (a) }",
        expect![[r#"
            stmt 1.21--1.48 assert ((a)) && (a) ==> (a)
            expr 1.28--1.48 ((a)) && (a) ==> (a)
            expr 1.28--1.40 ((a)) && (a)
            expr 1.30--1.31 a
            expr 1.38--1.39 a
            expr 1.46--1.47 a
        "#]],
    );
}

#[test]
fn left_grouping_levels_start_at_their_left_operand_itself() {
    check(
        "method m(a: Int) { x := (a) + (a) * 2 < (a) ; x := (a).f[(1)] }",
        expect![[r#"
            stmt 1.20--1.44 x := (a) + (a) * 2 < (a)
            stmt 1.47--1.62 x := (a).f[(1)]
            expr 1.20--1.21 x
            expr 1.26--1.44 a) + (a) * 2 < (a)
            expr 1.26--1.38 a) + (a) * 2
            expr 1.26--1.27 a
            expr 1.32--1.38 a) * 2
            expr 1.32--1.33 a
            expr 1.37--1.38 2
            expr 1.42--1.43 a
            expr 1.47--1.48 x
            expr 1.53--1.62 a).f[(1)]
            expr 1.53--1.57 a).f
            expr 1.53--1.54 a
            expr 1.59--1.60 1
        "#]],
    );
}

#[test]
fn annotations_belong_to_their_node() {
    check(
        "method m(a: Int) { @x() @y() assert @z() (a > 0) }",
        expect![[r#"
            stmt 1.20--1.49 @x() @y() assert @z() (a > 0)
            expr 1.37--1.49 @z() (a > 0)
            expr 1.43--1.44 a
            expr 1.47--1.48 0
        "#]],
    );
}

#[test]
fn a_node_ends_before_comments_and_semicolons() {
    check(
        "method m(a: Int) {\n  var x: Int := a + 1 /* c */ ;\n  while (a > 0) // c\n    invariant a > 1 // d\n  { } // e\n}",
        expect![[r#"
            stmt 2.3--2.22 var x: Int := a + 1
            stmt 3.3--5.6 while (a > 0) // c⏎    invariant a > 1 // d⏎  { }
            expr 2.17--2.22 a + 1
            expr 2.17--2.18 a
            expr 2.21--2.22 1
            expr 3.10--3.15 a > 0
            expr 3.10--3.11 a
            expr 3.14--3.15 0
            expr 4.15--4.20 a > 1
            expr 4.15--4.16 a
            expr 4.19--4.20 1
        "#]],
    );
}

#[test]
fn nodes_of_an_expression_macro_have_the_range_of_the_use() {
    check(
        "define inner(x) x + 1\ndefine outer(x) inner(x) > 0\nmethod m(a: Int) { assert outer(a * 2) }",
        expect![[r#"
            stmt 3.20--3.39 assert outer(a * 2)
            expr 3.27--3.39 outer(a * 2)
              from 2.17--2.29 inner(x) > 0
            expr 3.27--3.39 outer(a * 2)
              from 1.17--1.22 x + 1
            expr 3.33--3.38 a * 2
            expr 3.33--3.34 a
            expr 3.37--3.38 2
            expr 3.27--3.39 outer(a * 2)
              from 1.21--1.22 1
            expr 3.27--3.39 outer(a * 2)
              from 2.28--2.29 0
        "#]],
    );
}

#[test]
fn statements_of_a_macro_keep_their_range_and_know_the_use() {
    check(
        "define chk(x) {\n  if (true) { assert x > 0 }\n}\nmethod m() { chk(7) }",
        expect![[r#"
            stmt 2.3--2.29 if (true) { assert x > 0 }
              used at 4.14--4.20 chk(7)
            stmt 2.15--2.27 assert x > 0
              used at 4.14--4.20 chk(7)
            expr 2.7--2.11 true
            expr 2.22--2.27 x > 0
            expr 4.18--4.19 7
            expr 2.26--2.27 0
        "#]],
    );
}
