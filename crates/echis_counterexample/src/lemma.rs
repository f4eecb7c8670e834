//! A lemma learned from a model that the replay refuted.

use super::value::Value;
use echis_term::{SymbolId, TermId};

#[derive(Clone, Debug)]
pub enum Lemma {
    /// A quantified fact, and values for which it is false.
    Instance { fact: TermId, values: Vec<(SymbolId, Value)> },
    /// A quantified fact, and terms whose values make it false.
    At { fact: TermId, terms: Vec<(SymbolId, TermId)> },
    /// The value of a term, given those of its subterms.
    Point { term: TermId, parts: Vec<Value>, value: Value },
}
