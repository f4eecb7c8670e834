//! Sorts, symbols and hash-consed terms, with a simplifier in the constructors.

mod arithmetic;
mod build;
mod error;
mod evaluate;
mod growth;
mod identified;
mod import;
mod operators;
mod role;
mod scope;
mod sexp;
mod sort;
mod store;
mod term;
mod text;
mod transcript;
mod walk;

pub use dashu::{Integer, Rational};
pub use error::TextError;
pub use evaluate::{Value, ValueRef, evaluate};
pub use growth::{TermCount, TermGrowth};
pub use identified::Identified;
pub use import::Import;
pub use operators::{Op, Operator, Shape, Text};
pub use role::{FreshRole, Made, Mark, QuantifierRole, SymbolKind, SymbolRole, WandNote};
pub use scope::Scope;
pub use sexp::{Sexp, quoted};
pub use sort::{Sort, SortId};
pub use store::Terms;
pub use term::{Quant, Quantifier, Symbol, SymbolId, Term, TermId, TermKind};
pub use transcript::{Reader, Writer};
