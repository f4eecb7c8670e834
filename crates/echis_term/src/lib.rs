//! Sorts, symbols and hash-consed terms, with a simplifier in the constructors.

mod arithmetic;
mod build;
mod error;
mod growth;
mod import;
mod scope;
mod sexp;
mod store;
mod term;
mod text;
mod transcript;
mod walk;

pub use dashu::{Integer, Rational};
pub use error::TextError;
pub use growth::{TermCount, TermGrowth};
pub use import::Import;
pub use scope::Scope;
pub use sexp::{Sexp, quoted};
pub use store::Terms;
pub use term::{Op, Quant, Quantifier, Sort, SortId, Symbol, SymbolId, SymbolKind, Term, TermId, TermKind};
pub use transcript::{Reader, Writer};
