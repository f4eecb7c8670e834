//! What is written reads back to terms that are written the same.

use super::{Reader, Writer};
use crate::error::TextError;
use crate::sexp::Sexp;

/// Reads symbols and terms, writes the last term with all it needs, and reads that again.
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
(symbol x@0 function x@0 () Int)
(symbol f function f (Int Ref) (Seq Int))
(symbol |(_ int2bv 8)| interpreted |(_ int2bv 8)| (Int) (Interpreted |(_ BitVec 8)|))
(symbol i bound i () Int)
(%And (%forall q _ (i) (((f i (%Null)))) (%Lt i (%SeqLength (f i (%Null))))) (%Eq (|(_ int2bv 8)| x@0) (|(_ int2bv 8)| -5)) (%Eq ((%Unwrap Int) ((%Wrap Int) 5)) ((%Unwrap Int) (%Unit))) (%Lt 1/2p 3/1p))";
    assert_eq!(round_trip(text).unwrap(), text);
}

#[test]
fn large_terms_that_occur_often_get_a_line() {
    let text = "\
(symbol x function x () Int)
(term %t3 (%Add x (%Add x (%Add x (%Add x 1)))))
(%Eq (%Mul %t3 %t3) 2)";
    let written = round_trip(text).unwrap();
    assert_eq!(written.matches("%Add").count(), 4, "{written}");
}

#[test]
fn what_does_not_fit_is_refused() {
    for wrong in ["(%SeqIndex 1 2)", "(g 1)", "y", "(%Foo 1)", "()", "((%Wrap Integer) 1)", "(%forall q _ (i) () true)"]
    {
        assert!(write(wrong).is_err(), "{wrong}");
    }
}
