//! Printed terms can be parsed, and then print identically.

use super::{Reader, Writer};
use crate::error::TextError;
use crate::sexp::Sexp;

/// Parses symbols and terms, prints the last term with its dependencies, and parses that again.
fn round_trip(text: &str) -> Result<String, TextError> {
    let written = write(text)?;
    assert_eq!(write(&written)?, written, "it does not read back");
    Ok(written)
}

fn write(text: &str) -> Result<String, TextError> {
    let mut reader = Reader::default();
    let mut root = None;
    for line in Sexp::read_all(text)? {
        if !reader.line(&line)? {
            root = Some(reader.term(&line)?);
        }
    }
    let root = root.ok_or(TextError::Shape("there is no term"))?;
    let writer = Writer::new(&reader.terms, &[root]);
    Ok(format!("{}{}", writer.preamble(), writer.term(root)))
}

#[test]
fn terms_read_back() {
    let text = "\
(symbol x@0 (fresh x 0) () Int)
(symbol f (uninterpreted f) (Int Ref) (Seq Int))
(symbol |(_ int2bv 8)| (interpreted |(_ int2bv 8)|) (Int) (Interpreted |(_ BitVec 8)|))
(symbol i?0 (variable i 0) () Int)
(%And (%forall (written q) _ (i?0) (((f i?0 (%Null)))) (%Lt i?0 (%SeqLength (f i?0 (%Null))))) (%Eq (|(_ int2bv 8)| x@0) (|(_ int2bv 8)| -5)) (%Eq ((%Unwrap Int) ((%Wrap Int) 5)) ((%Unwrap Int) (%Unit))) (%Lt 1/2p 3/1p))";
    assert_eq!(round_trip(text).unwrap(), text);
}

#[test]
fn large_terms_that_occur_often_get_a_line() {
    let text = "\
(symbol x (uninterpreted x) () Int)
(term %t3 (%Add x (%Add x (%Add x (%Add x 1)))))
(%Eq (%Mul %t3 %t3) 2)";
    let written = round_trip(text).unwrap();
    assert_eq!(written.matches("%Add").count(), 4, "{written}");
}

#[test]
fn what_does_not_fit_is_refused() {
    for wrong in [
        "(%SeqIndex 1 2)",
        "(g 1)",
        "y",
        "(%Foo 1)",
        "()",
        "((%Wrap Integer) 1)",
        "(%forall (written q) _ (i) () true)",
        "(%forall unheard _ () () true)",
    ] {
        assert!(write(wrong).is_err(), "{wrong}");
    }
}

/// Names are generated from roles and may be ambiguous: a variable may be named like a symbol of the engine.
#[test]
fn roles_read_back() {
    let roles = [
        "(function f)",
        "(limited f)",
        "(precondition f)",
        "(domain-function g <Int,Ref>)",
        "(domain-function g ||)",
        "(trigger P)",
        "(predicate-instance P)",
        "(mark built Tree)",
        "(mark paid f)",
        "(mark seen f)",
        "(wand-applied)",
        "(wand-note takes f)",
        "(boogie-constant c)",
        "(boogie-function h <int>)",
        "(revealed h)",
        "(uninterpreted x)",
        "(fresh recovered 0)",
        "(made recovered 0)",
        "(interpreted bvadd)",
        "(select)",
        "(store)",
        "(constructor |Cons of List|)",
        "(selector |Cons.head.0 of List| |Cons of List| |0|)",
        "(tester |Cons of List|)",
        "(compared)",
    ];
    for role in roles {
        let text = format!("(symbol x {role} (Int) Bool)\n(x 1)");
        let written = round_trip(&text).unwrap();
        assert!(written.contains(role), "{role} is written {written}");
    }
    for wrong in ["(recovered 0)", "(made x 0)", "(fresh x y)", "(mark f)", "()", "x"] {
        assert!(write(&format!("(symbol x {wrong} (Int) Bool)\n(x 1)")).is_err(), "{wrong}");
    }
}
