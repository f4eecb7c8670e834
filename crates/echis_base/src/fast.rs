//! Maps for small internal keys, with the fast hash of rustc. An adversary cannot choose these keys. Maps keyed by
//! names from programs use the standard library.

pub use rustc_hash::{FxHashMap as FastMap, FxHashSet as FastSet, FxHasher as FastHasher};
