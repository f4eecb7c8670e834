//! Names and types on minimal programs: text in, findings out.

use echis_base::{Severity, SourceFile, SourceMap};
use echis_program::program::Type;
use echis_syntax::{NoLoader, parse_program};
use expect_test::{Expect, expect};

/// The findings of one program, a line each.
fn findings(text: &str) -> String {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new("test.vpr", text));
    let (program, diagnostics) = parse_program(&mut sources, main, &NoLoader);
    let broken = diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error);
    assert!(broken.is_none(), "the program does not parse: {broken:?}");
    let (_, diagnostics) = echis_program::check(&program);
    let mut lines = String::new();
    for diagnostic in diagnostics {
        let position = sources.position(diagnostic.span.expect("these findings have ranges"));
        let kind = diagnostic.id.strip_prefix("typechecker.").expect("these findings are the type checker's");
        lines.push_str(&format!("{kind} {}--{} {}\n", position.start, position.end, diagnostic.message));
    }
    lines
}

fn check(text: &str, expected: Expect) {
    expected.assert_eq(&findings(text));
}

#[track_caller]
fn accepts(text: &str) {
    assert_eq!(findings(text), "");
}

/// The types of all expressions whose text is `part`, in the order of their keys.
#[track_caller]
fn types_of(text: &str, part: &str) -> Vec<Type> {
    let mut sources = SourceMap::default();
    let main = sources.add(SourceFile::new("test.vpr", text));
    let (program, _) = parse_program(&mut sources, main, &NoLoader);
    let (typed, diagnostics) = echis_program::check(&program);
    assert!(diagnostics.iter().all(|diagnostic| diagnostic.severity == Severity::Warning), "{diagnostics:?}");
    let found = program.exprs.iter().filter(|(_, expr)| sources.text(expr.span) == part);
    found.map(|(id, _)| typed.ty(id).clone()).collect()
}

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
            error 4.82--4.83 expected a field, destructor or discriminator, found `g`, which is a function
        "#]],
    );
    check(
        "predicate P(x: P)
method m(y: Unknown[Int]) { x }",
        expect![[r#"
            error 1.16--1.17 expected a type, found `P`, which is a predicate
            error 2.13--2.25 expected a type, found `Unknown`, which is not declared
            error 2.29--2.30 expected a statement, found an expression
        "#]],
    );
}

#[test]
fn written_types() {
    check(
        "domain D[T] { }
method m(x: D, y: D[Int, Int], z: Seq[E]) { var a: D[D[Bool]] }",
        expect![[r#"
            error 2.13--2.14 expected 1 type argument of `D`, found 0
            error 2.19--2.30 expected 1 type argument of `D`, found 2
            error 2.39--2.40 expected a type, found `E`, which is not declared
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
fn assertions_are_not_values() {
    check(
        "field f: Int
predicate P(x: Ref) { acc(x.f) }
function g(b: Bool): Bool
method m(x: Ref, b: Bool) {
  inhale acc(x.f) || b
  inhale acc(x.f) ==> b
  inhale b == P(x)
  inhale g(P(x))
  inhale exists y: Ref :: acc(y.f)
  inhale old(acc(x.f))
  inhale Seq(P(x)) == Seq(P(x))
  refute P(x)
  var c: Bool := acc(x.f)
}",
        expect![[r#"
            error 5.10--5.18 expected Bool, found an assertion
            error 6.10--6.18 expected Bool, found an assertion
            error 7.15--7.19 expected Bool, found a predicate access
            error 8.12--8.16 expected Bool, found a predicate access
            error 9.27--9.35 expected Bool, found an assertion
            error 10.14--10.22 expected a value, found an assertion
            error 11.14--11.18 expected a value, found a predicate access
            error 11.27--11.31 expected a value, found a predicate access
            error 12.10--12.14 expected Bool, found a predicate access
            error 13.18--13.26 expected Bool, found an assertion
        "#]],
    );
    accepts(
        "field f: Int predicate P(x: Ref) { acc(x.f) } method m(x: Ref, b: Bool) { inhale b ? acc(x.f) : true; inhale b ==> [P(x), b]; inhale P(x) --* acc(x.f); inhale let y == (x) in acc(y.f); inhale forall y: Ref :: y == x ==> acc(y.f, 1/2); inhale asserting (acc(x.f)) in b }",
    );
}

#[test]
fn calls() {
    check(
        "predicate P(x: Int)
predicate Q(x: Int) { true }
method n(x: Int) returns (y: Int)
method m() { unfold P(1, 2); inhale P(true); fold acc(Q(1), 1)
  var a: Int; var b: Bool
  n(1); a := n(1, 2); a := n(true); b := n(1); a, b := n(1); a, b := 1 }",
        expect![[r#"
            error 4.21--4.22 expected a predicate with a body, found `P`, which is abstract
            error 4.21--4.28 expected 1 argument, found 2
            error 4.39--4.43 expected Int, found Bool
            error 4.61--4.62 expected Perm, found Int
            error 6.3--6.7 expected 1 target for the results of `n`, found 0
            error 6.14--6.21 expected 1 argument, found 2
            error 6.30--6.34 expected Int, found Bool
            error 6.37--6.38 expected a target of type Int, found Bool
            error 6.48--6.60 expected 1 target for the results of `n`, found 2
            error 6.62--6.71 expected a method call to give values to 2 targets, found none
        "#]],
    );
    check(
        "field f: Int
method n() returns (a: Int, b: Int)
method m(x: Ref, y: Ref) { x.f, y.f := n() }",
        expect![[r#"
            error 3.28--3.43 expected targets with different fields, found `f` twice
        "#]],
    );
    check(
        "field f: Int
method m(x: Ref) { var y: Ref; x := y; y := new(g); var i: Int := new(f); x.f := new(*); y := y + new(f) }",
        expect![[r#"
            error 2.32--2.33 expected a variable that can be assigned, found `x`, which cannot
            error 2.37--2.38 expected a target that can take this value, found none
            error 2.49--2.50 expected a field, found `g`, which is not declared here
            error 2.57--2.58 expected a target of type Ref, found Int
            error 2.75--2.78 expected a target of type Ref, found Int
            error 2.99--2.105 expected an expression, found `new`, which may only be a whole right-hand side
        "#]],
    );
}

#[test]
fn adts() {
    accepts(
        "adt List[T] { Nil() Cons(value: T, tail: List[T]) } method m(l: List[Int]) { assert l.isNil || l.isCons; assert l.isCons ==> l == Cons(l.value, l.tail); assert Cons(1, Nil()).tail == Nil() }",
    );
    check(
        "adt List[T] { Nil() Cons(value: T, tail: List[T]) }
adt Tree { Leaf() Node(left: Tree) }
method m(l: List[Int]) {
  assert l.isLeaf
  assert l.left == l
  assert l.nothing
  assert l.value
  l.value := 1
  assert Cons(true, l) == l
  assert Cons(1) == l
}",
        expect![[r#"
            error 4.10--4.18 expected Tree, found List[Int]
            error 5.10--5.16 expected an ADT with a constructor argument `left`, found List[Int]
            error 6.12--6.19 expected a field, destructor or discriminator, found `nothing`, which is not declared here
            error 7.10--7.17 expected Bool or an assertion, found Int
            error 8.5--8.10 expected a field, found `value`, which is a destructor
            error 8.14--8.15 expected a target that can take this value, found none
            error 9.10--9.23 expected List[Bool], found List[Int]
            error 10.10--10.17 expected 2 arguments, found 1
        "#]],
    );
    accepts("import <adt/derives.vpr> adt A { B(x: Int) } derives { contains without x }");
    check(
        "import <adt/derives.vpr>
adt A { B(x: Int) } derives { contains without y }",
        expect![[r#"
            error 2.48--2.49 expected an argument of a constructor of `A`, found `y`, which is none
        "#]],
    );
    accepts("adt A { B(x: Int) } derives { contains without y }");
}

#[test]
fn special_places() {
    check(
        "field f: Int
method m(x: Ref) requires perm(x.f) == write
  ensures [perm(x.f) == write, true]
{ while (true) invariant perm(x.f) == write { } label l invariant perm(x.f) == write }",
        expect![[r#"
            error 2.27--2.36 expected a contract without `perm` and `forperm` outside of inhale-exhale pairs, found one
            error 4.26--4.35 expected a contract without `perm` and `forperm` outside of inhale-exhale pairs, found one
        "#]],
    );
    check(
        "field f: Int
function g(x: Ref): Int requires acc(x.f) --* acc(x.f)
  ensures [true, perm(x.f) == write]
predicate P(x: Ref) { acc(x.f) --* acc(x.f) }",
        expect![[r#"
            error 2.34--2.55 expected a function precondition without magic wands, found one
            error 3.18--3.27 expected no `perm` or `forperm` in a function postcondition, found one
            error 4.23--4.44 expected a predicate body without magic wands, found one
        "#]],
    );
    check(
        "method m() returns (r: Int) ensures result == 1 { }
function f(): Int requires result > 0
  ensures result > 0",
        expect![[r#"
            error 1.37--1.43 expected `result` only in postconditions of functions, found it elsewhere
            error 2.28--2.34 expected `result` only in postconditions of functions, found it elsewhere
        "#]],
    );
    check(
        "function h(i: Int): Int requires i > 0
function g(): Int decreases _
domain D { axiom { h(1) == g() } }",
        expect![[r#"
            error 3.20--3.21 expected a function without precondition in an axiom, found `h`, which has one
        "#]],
    );
    check(
        "field f: Int
method m(x: Ref) { apply acc(x.f)
 package acc(x.f)
 quasihavoc acc(x.f)
 quasihavocall y: Ref :: y == x ==> y.f }",
        expect![[r#"
            error 2.26--2.34 expected a magic wand, found an assertion
            error 3.10--3.18 expected a magic wand, found an assertion
            error 4.2--4.21 expected a field access, predicate access or wand to havoc, found another expression
        "#]],
    );
    check(
        "field f: Int
method m(x: Ref) { assert forperm r: Ref [r.f] :: perm(r.f) > none }",
        expect![[r#"
            error 2.51--2.60 expected no `perm` or `forperm` in the body of `forperm`, found one
        "#]],
    );
}

#[test]
fn shapes_of_triggers() {
    check(
        "function f(x: Int): Int
method m(s: Seq[Int]) {
 assume forall x: Int :: {f(x + 1)} f(x) == 1
 assume forall x: Int :: {x} f(x) == 1
 assume forall x: Int :: {f(x)} {s[x], f(x) == 1} f(x) == 1
 assume forall x: Int :: {f(-x)} f(x) == 1 }",
        expect![[r#"
            error 3.26--3.36 expected applications, accesses and collection operators without arithmetic, comparisons or connectives as a trigger, found another expression
            error 4.26--4.29 expected applications, accesses and collection operators without arithmetic, comparisons or connectives as a trigger, found another expression
            error 5.33--5.50 expected applications, accesses and collection operators without arithmetic, comparisons or connectives as a trigger, found another expression
            error 6.26--6.33 expected applications, accesses and collection operators without arithmetic, comparisons or connectives as a trigger, found another expression
        "#]],
    );
    accepts(
        "field f: Int predicate P(x: Ref) function g(x: Ref): Int method m(s: Set[Ref]) { assume forall x: Ref :: {g(x)} {x in s} {old(x.f)} {P(x)} {|Seq(x)|} g(x) == 1 }",
    );
    check(
        "adt A { B(x: Int) }
method m() { assume forall a: A :: {a.isB} a.isB
 assume forall a: A :: {a.x} a.x == 1 }",
        expect![[r#"
            error 2.36--2.43 expected applications, accesses and collection operators without arithmetic, comparisons or connectives as a trigger, found another expression
        "#]],
    );
    check("domain F interpretation (SMTLIB: \"Int\") { function add(a: F, b: F): F interpretation \"+\" function g(a: F): F }
method m() { assume forall a: F :: {add(a, a)} true
 assume forall a: F :: {g(add(a, a))} true }", expect![[r#"
     error 2.36--2.47 expected applications, accesses and collection operators without arithmetic, comparisons or connectives as a trigger, found another expression
 "#]]);
}

#[test]
fn shapes_of_forperm() {
    check(
        "field f: Ref
predicate P(x: Ref, i: Int)
method m(x: Ref) {
 assert forperm r: Ref [r.f.f] :: true
 assert forperm r: Ref [x.f] :: true
 assert forperm r: Ref, i: Int [P(r, i + 1)] :: true
 assert forperm r: Ref, i: Int [P(r, i)] :: true
 assert forperm r: Ref [acc(r.f) --* acc(x.f)] :: true
}",
        expect![[r#"
            error 4.25--4.28 expected each bound variable of `forperm` to be an argument by itself, found it inside another expression
            error 5.9--5.37 expected `r` to be an argument of the resource, found no use of it
            error 6.38--6.43 expected each bound variable of `forperm` to be an argument by itself, found it inside another expression
        "#]],
    );
    accepts("field f: Ref predicate P(x: Ref, i: Int) method m(x: Ref) { assert forperm r: Ref [P(r, 3)] :: true }");
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
fn an_error_in_a_macro_is_at_its_use() {
    check(
        "define twice(x) x + x\nmethod m() { var a: Int := twice(true) }",
        expect![[r#"
        error 2.34--2.38 expected Perm or Int, found Bool
    "#]],
    );
}

#[test]
fn deep_trees_use_no_stack() {
    let deep = 100_000;
    let nested =
        |open: &str, inner: &str, close: &str, count| format!("{}{inner}{}", open.repeat(count), close.repeat(count));
    for body in [
        format!("assert true{}", " && true".repeat(deep)),
        format!("assert 1{} == 1", " + 1".repeat(deep)),
        format!("assert 1/2{} == 1", " + 1/2".repeat(deep)),
        format!("assert {}", nested("!", "true", "", 5_000)),
        format!("assert {} == 1", nested("|Seq(", "1", ")|", 2_000)),
    ] {
        let found = findings(&format!("method m() {{ {body} }}"));
        assert!(found.is_empty(), "{}", &found[..found.len().min(200)]);
    }
}

#[test]
fn types_of_absurd_size_are_refused() {
    let nested = format!("{}1{}", "Seq(".repeat(5000), ")".repeat(5000));
    assert!(findings(&format!("method m() {{ assert {nested} == {nested} }}")).contains("nested too deeply"));
    let doubled: String = (0..60).map(|n| format!("let a{} == (Map(a{n} := a{n})) in ", n + 1)).collect();
    assert!(findings(&format!("method m(a0: Int) {{ assert {doubled} true }}")).contains("too large"));
}
