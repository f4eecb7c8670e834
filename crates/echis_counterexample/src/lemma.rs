//! What a model teaches that does not stand the replay.

use super::value::Value;
use echis_term::{SymbolId, TermId};

#[derive(Clone, Debug)]
pub enum Lemma {
    /// A quantified fact, and values for which it is false.
    Instance { fact: TermId, values: Vec<(SymbolId, Value)> },
    /// The same for terms that have these values: what is false for `i` is false for whatever `i` is.
    At { fact: TermId, terms: Vec<(SymbolId, TermId)> },
    /// What a term is, if its parts are what they are.
    Point { term: TermId, parts: Vec<Value>, value: Value },
}
