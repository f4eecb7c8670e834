//! Printed programs parse back to the same tree.

use echis_base::{FileId, Key};
use echis_boogie::ast::{Decl, File};
use std::path::Path;

/// The tree of a program, without places.
fn tree(text: &str) -> (File, String) {
    let (tree, errors) = echis_boogie::parse(FileId::new(0), text);
    assert!(errors.is_empty(), "{errors:?} in\n{text}");
    let mut described = String::new();
    for decl in &tree.decls {
        described += &format!("{decl:?}\n");
    }
    for (id, expr) in tree.exprs.iter() {
        described += &format!("{id:?} {:?}\n", expr.kind);
    }
    let mut plain = String::new();
    let mut rest = &*described;
    while let Some((before, behind)) = rest.split_once("Span {") {
        plain += before;
        rest = behind.split_once('}').map_or("", |(_, behind)| behind);
    }
    (tree, plain + rest)
}

#[track_caller]
fn check(text: &str) {
    let (parsed, expected) = tree(text);
    if parsed.decls.iter().any(|decl| matches!(decl, Decl::Concurrent(_))) {
        // What it says was not kept.
        return;
    }
    let printed = echis_boogie::print::program(&parsed);
    assert_eq!(tree(&printed).1, expected, "\n{text}\nis printed as\n{printed}");
}

#[test]
fn programs_keep_their_trees() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/boogie");
    let mut programs: Vec<_> = std::fs::read_dir(folder).expect("the programs are there").flatten().collect();
    programs.sort_by_key(|entry| entry.path());
    let mut count = 0;
    for entry in programs {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == "bpl") {
            check(&std::fs::read_to_string(&path).expect("a program can be read"));
            count += 1;
        }
    }
    assert!(count > 0);
    check(echis_boogie::LIBRARY);
}

#[test]
fn operators_keep_their_operands() {
    let operators = ["<==>", "==>", "&&", "||", "==", "<", "++", "+", "-", "*", "div", "/", "**"];
    for outer in operators {
        for inner in operators {
            check(&format!("axiom (x {inner} y) {outer} z;"));
            check(&format!("axiom x {outer} (y {inner} z);"));
        }
        for operand in ["-x", "!x", "x is C", "(if x then y else z)", "(x: int)", "m[x]", "s->f", "(var y := x; y)"] {
            check(&format!("axiom ({operand}) {outer} z;"));
            check(&format!("axiom z {outer} ({operand});"));
            check(&format!("axiom -({operand}) {outer} !({operand});"));
            check(&format!("axiom ({operand})[x] {outer} ({operand})->f;"));
        }
        check(&format!("axiom -(x {outer} y) is C;"));
        check(&format!("axiom (if x {outer} y then (y {outer} z): int else (if x then y else z));"));
    }
    check("axiom -(-0x1.8e0f24e8) == - 0x1.0e0f24e8;");
}

#[test]
fn literals_keep_their_values() {
    for literal in [
        "0",
        "12",
        "0.0",
        "1.5",
        "2e3",
        "12.5e-3",
        "100.25",
        "0.001",
        "7bv8",
        "0x1.8e0f24e8",
        "0NaN24e8",
        "0-oo53e11",
        "RNE",
        "\"a\\\"b\\\\\"",
        "true",
    ] {
        check(&format!("axiom f({literal});"));
    }
}

#[test]
fn declarations_keep_their_parts() {
    for decl in [
        "type {:builtin \"A\"} T a b; type S = [int]T int (T int bool); type U a = <b>[a, b](T a b);",
        "datatype D<a> { A(), B(x: a, {:k 1} y: int) }",
        "const {:a 1, \"b\", x + y} unique a, b: T int ([int]bool) uses { hideable axiom {:b} a == b; axiom true; }",
        "revealed function {:inline} f<a>({:p} x: a, y: [a]int) returns ({:r} z: bool) { true } uses { axiom true; }",
        "function f(int, bool): real; function \\assert(x: int): int { \\if(x) }",
        "axiom (forall<a> {:w} x, y: a :: {:weight 3} {f(x), y} {g(x, y)} {:nopats h(x)} x == y);",
        "axiom (lambda x: int :: x)[1] == (exists x: int :: (var y, z := 1, x; {:k} y == z)) [1 := 2][3:1];",
        "var {:a} x: int where x > 0, y: bool;",
        "pure procedure {:p 1} P<a>(x: a, y: int where y > 0) returns (z: int);
           requires {:a} x == x; requires z; free ensures old(y) == z; modifies m, n; measure {:m} x, y;",
        "implementation {:i} P(x: int) returns (y: int) { }",
        "yield procedure {:layer 1} P() { }",
        "procedure P() {
           var a, b: int;
           l: \\var: a, m[1][2, 3]->f[4] := {:q} 1, 2; C(a, b) := {:r} x; havoc a, b; goto l, \\var;
           assert {:msg \"x\"} a == b; assume {:b} true; measure 1, 2;
           call a, b := P(1, 2); free call {:c} Q(); hide *; reveal f; push; pop;
           if {:d} (*) { return; } else if (a > 0) { } else { k: while (a > 1) { break k; } }
           while (a > 0) free invariant {:i} true; invariant false; measure a; { break; }
           while (*) { }
           x := |{ var c: int; c := 1; return {:k} c == 1; }|;
         }",
    ] {
        check(decl);
    }
}
