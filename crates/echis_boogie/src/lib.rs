//! The Boogie language: from text to a program in which names are resolved and expressions have types. Translations build
//! the tree themselves (`build`), and any tree can be printed (`print`).
//!
//! The language is that of Boogie 3, without concurrency (CIVL): declarations about other threads are omitted, with a
//! warning. Error messages are Boogie's own, at the positions where Boogie reports them.

pub mod ast;
pub mod attributes;
pub mod build;
mod check;
mod concurrent;
pub mod dafny;
mod error;
pub mod float;
mod labels;
mod lex;
mod modifies;
mod parse;
mod preprocess;
pub mod print;
pub mod program;
mod resolve;
pub mod types;
mod unify;
pub mod walk;

pub use program::{Options, Program};

use echis_base::{Diagnostic, FileId, Key, Name, Renumbering};
use std::collections::BTreeSet;

/// The result of checking a text.
pub struct Checked {
    /// `Some` only if there are no errors.
    pub program: Option<Program>,
    pub errors: Vec<Diagnostic>,
    /// For each text.
    pub renumberings: Vec<Vec<Renumbering>>,
    /// Warnings about omitted parts of the program.
    pub unsupported: Vec<Diagnostic>,
    /// Whether the program uses the library, which then is the file after the given ones.
    pub library: bool,
}

/// Declarations that programs may use without declaring them.
pub const LIBRARY: &str = include_str!("../library/base.bpl");

/// The tree of a text, with the errors in its syntax.
pub fn parse(file: FileId, text: &str) -> (ast::File, Vec<Diagnostic>) {
    let prepared = preprocess::prepare(file, 0, text);
    let (tree, found) = parse::parse(ast::File::default(), file, &prepared.text);
    (tree, prepared.errors.into_iter().chain(found).collect())
}

/// Parses, resolves and checks a text. The first stage with errors is the last one. A program that uses names of the
/// library without declaring them gets its declarations, with positions in the file after the given one.
pub fn check_program(file: FileId, text: &str) -> Checked {
    check_texts(file, &[text], Options::default())
}

/// Checks a program consisting of several texts, whose file ids start at the given one.
pub fn check_texts(first: FileId, texts: &[&str], options: Options) -> Checked {
    let file = |position: usize| FileId::new(first.index() + position);
    let prepared: Vec<_> =
        texts.iter().enumerate().map(|(position, text)| preprocess::prepare(file(position), position, text)).collect();
    let parsed = || {
        let (mut tree, mut errors) = (ast::File::default(), Vec::new());
        for (position, prepared) in prepared.iter().enumerate() {
            let (next, found) = parse::parse(tree, file(position), &prepared.text);
            tree = next;
            errors.extend(found);
        }
        tree.leave_out_yield_procedures();
        (tree, errors)
    };
    let (tree, found) = parsed();
    let errors = prepared.iter().flat_map(|prepared| prepared.errors.clone()).chain(found).collect();
    let renumberings = prepared.iter().map(|prepared| prepared.renumberings.clone()).collect();
    let mut checked = Checked { program: None, errors, unsupported: Vec::new(), renumberings, library: false };
    if !checked.errors.is_empty() {
        return checked;
    }
    let mut resolved = resolve::resolve(tree);
    if !resolved.missing.is_empty() {
        let (tree, declares) = with_library(parsed().0, file(texts.len()), &resolved.missing);
        if declares {
            checked.library = true;
            resolved = resolve::resolve(tree);
        }
    }
    checked.errors = resolved.errors;
    checked.unsupported = resolved.program.tree.concurrent().collect();
    if checked.errors.is_empty() {
        let mut program = resolved.program;
        program.options = options;
        if options.infer_modifies {
            modifies::infer(&mut program);
        }
        // Dafny prints a single text.
        if let [text] = texts {
            program.places = dafny::Places::read(text);
        }
        checked.errors = check::check(&mut program);
        checked.program = checked.errors.is_empty().then_some(program);
    }
    checked
}

/// Resolves and checks a program that was built.
pub fn check_tree(tree: ast::File) -> Result<Program, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    for decl in &tree.decls {
        if let ast::Decl::Procedure(ast::Procedure { body: Some(body), .. }) = decl {
            labels::check(&body.stmts, &mut errors);
        }
    }
    let resolved = resolve::resolve(tree);
    errors.extend(resolved.errors);
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut program = resolved.program;
    let errors = check::check(&mut program);
    if errors.is_empty() { Ok(program) } else { Err(errors) }
}

/// The tree with those declarations of the library that it does not replace by its own, and whether the library has
/// anything that is missing.
fn with_library(tree: ast::File, after: FileId, missing: &BTreeSet<Name>) -> (ast::File, bool) {
    let own = tree.decls.len();
    let (mut tree, errors) = parse::parse(tree, after, LIBRARY);
    debug_assert!(errors.is_empty(), "the library is a program");
    let name = |decl: &ast::Decl| resolve::decl::named(decl).map(|(space, name, _)| (space, name.name.clone()));
    let taken: BTreeSet<_> = tree.decls[..own].iter().filter_map(name).collect();
    let declares = |decl: &ast::Decl| match decl {
        ast::Decl::Datatype(datatype) => {
            missing.contains(&datatype.name.name)
                || datatype.constructors.iter().any(|(constructor, _)| missing.contains(&constructor.name))
        }
        other => name(other).is_some_and(|(_, name)| missing.contains(&name)),
    };
    let found = tree.decls[own..].iter().any(declares);
    let mut position = 0;
    tree.decls.retain(|decl| {
        position += 1;
        position <= own || name(decl).is_none_or(|name| !taken.contains(&name))
    });
    (tree, found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use echis_base::SourceMap;

    /// The error messages for a program, in order of detection.
    fn messages(text: &str) -> Vec<String> {
        let checked = check_program(SourceMap::default().next_file(), text);
        checked.errors.into_iter().map(|error| error.message).collect()
    }

    #[test]
    fn triggers_are_applications() {
        let cases = [
            ("{ x == y }", "equality is not allowed in triggers"),
            ("{ f(x) && f(y) }", "boolean operators are not allowed in triggers"),
            ("{ !f(x), f(y) }", "boolean operators are not allowed in triggers"),
            ("{ x < y }", "arithmetic comparisons are not allowed in triggers"),
            ("{ f(x), (forall z: int :: f(y)) }", "quantifiers are not allowed in triggers"),
            ("{ f(x), y }", "a matching pattern must be more than just a variable by itself: y"),
        ];
        for (trigger, message) in cases {
            let text = format!("function f(x: int): bool; axiom (forall x, y: int :: {trigger} f(x) || f(y));");
            assert_eq!(messages(&text), [message], "{trigger}");
        }
        let fine = "function f(x: int): bool; axiom (forall x, y: int :: { f(x + y) } { f(x), f(y) } f(x) == f(y));";
        assert!(messages(fine).is_empty());
    }

    #[test]
    fn triggers_mention_type_parameters_that_variables_do_not() {
        let function = "function any<a>(x: int): a; function holds<a>(x: a): bool;";
        let wrong = format!("{function} axiom (forall<a> x: int :: {{ holds(x) }} holds(any(x): a));");
        let message = "trigger does not mention a, which does not occur in variables types either";
        assert_eq!(messages(&wrong), [message]);
        let right = format!("{function} axiom (forall<a> x: int :: {{ any(x): a }} holds(any(x): a));");
        assert!(messages(&right).is_empty());
    }

    #[test]
    fn datatypes_have_finitely_many_instances() {
        let refused = |text: &str| !messages(text).is_empty();
        assert_eq!(
            messages("datatype Nested<a> { Flat(a: a), Deep(inner: Nested (Nested a)) }"),
            ["Datatype declarations contain themselves at ever larger types: Nested"]
        );
        assert!(refused("datatype One<a> { A(), B(two: Two [int]a) } datatype Two<a> { C(one: One a) }"));
        assert!(!refused("datatype List<a> { Nil(), Cons(head: a, tail: List a) }"));
        assert!(!refused(
            "datatype Tree<a> { Node(value: a, children: List (Tree a)) } datatype List<a> { Nil(), Cons(head: a, tail: List a) }"
        ));
        assert!(!refused("datatype Swapped<a, b> { End(a: a, b: b), More(other: Swapped b a) }"));
    }

    #[test]
    fn assumption_variables_become_false_once() {
        let assigned = |statements: &str| {
            messages(&format!("procedure P(b: bool) {{ var {{:assumption}} a: bool; {statements} }}"))
        };
        assert!(assigned("a := a && b;").is_empty());
        let form = "RHS of assignment to assumption variable a must match expression \"a && <boolean expression>\"";
        assert_eq!(assigned("a := b;"), [form]);
        assert_eq!(assigned("a := b && a;"), [form]);
        let again = "assumption variable may not be assigned to more than once";
        assert_eq!(assigned("a := a && b; a := a && !b;"), [again]);
        let declared = "procedure P() { var {:assumption} a: int; }";
        assert_eq!(messages(declared), ["assumption variable must be of type 'bool'"]);
        let constrained = "procedure P() { var {:assumption} a: bool where a; }";
        assert_eq!(messages(constrained), ["assumption variable may not be declared with a where clause"]);
    }

    #[test]
    fn declarations_that_cannot_be_meant_are_refused() {
        let cases = [
            ("type bv16;", "type name: bv16 is registered for bitvectors"),
            ("function {:inline} f(): int;", "Function with :inline attribute must have a body"),
            ("function {:define} f(): int;", "Function with :define attribute must have a body"),
            ("procedure Q(); pure procedure P() { call Q(); }", "pure procedure may only call a pure procedure"),
        ];
        for (text, message) in cases {
            assert_eq!(messages(text), [message], "{text}");
        }
        assert!(messages("type bvx; pure procedure Q(); pure procedure P() { call Q(); }").is_empty());
    }

    /// A missing token counts as read, and errors within the next two tokens are suppressed.
    #[test]
    fn syntax_errors_are_those_of_boogie() {
        let cases: [(&str, &[&str]); 7] = [
            ("procedure P() { assert true assert false; }", &["\";\" expected"]),
            ("procedure P() { var x: int x := 1; assert x = 1; }", &["\";\" expected", "\";\" expected"]),
            ("procedure P() { assert; x := 1; } procedure", &["invalid AtomExpression", "invalid Ident"]),
            ("function f(x: int) { x }", &["invalid Function"]),
            ("const c: ;", &["invalid Type"]),
            ("procedure P(x: int { }", &["\")\" expected"]),
            ("axiom (forall :: true);", &["invalid QuantifierBody"]),
        ];
        for (text, expected) in cases {
            assert_eq!(messages(text), expected, "{text}");
        }
    }

    #[test]
    fn operators_of_floating_point_numbers_keep_formats_apart() {
        let typed = |expression: &str| {
            let params = "x: float24e8, y: float53e11, m: rmode, s: string, r: regex";
            messages(&format!("procedure P({params}) {{ assert {expression}; }}"))
        };
        for fine in ["x + x == x / x", "x <= x && x > x", "m == RNE", "s != \"a\"", "r == r"] {
            assert!(typed(fine).is_empty(), "{fine}");
        }
        let wrong = [
            ("x == y", "invalid argument types (float24e8 and float53e11) to binary operator =="),
            ("x == 1", "invalid argument types (float24e8 and int) to binary operator =="),
            ("-x == x", "invalid argument type (float24e8) to unary operator -"),
            ("m < m", "invalid argument types (rmode and rmode) to binary operator <"),
            ("s == r", "invalid argument types (string and regex) to binary operator =="),
        ];
        for (expression, message) in wrong {
            assert_eq!(typed(expression), [message], "{expression}");
        }
        assert_eq!(messages("var x: float24e8 int;"), ["float types must not be applied to arguments: float24e8"]);
    }

    #[test]
    fn quotes_behind_backslashes_belong_to_a_text() {
        assert!(messages(r#"procedure {:a "and\\" a\"gain\""} P() { assert {:b "x\\"} true; }"#).is_empty());
    }
}
