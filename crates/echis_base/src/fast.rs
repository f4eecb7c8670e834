//! Maps for small keys of our own making. No adversary chooses such keys, so the quick hash of the Rust compiler
//! is good enough. Names from programs are for the maps of the standard library.

pub use rustc_hash::{FxHashMap as FastMap, FxHashSet as FastSet, FxHasher as FastHasher};
