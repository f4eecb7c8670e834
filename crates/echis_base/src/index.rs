//! Tables with typed keys: things that refer to each other live in tables under their own key type.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A key into an [`IndexVec`]. Declare one with [`key!`](crate::key).
pub trait Key: Copy + Eq + Ord + std::hash::Hash + fmt::Debug {
    fn new(index: usize) -> Self;
    fn index(self) -> usize;
}

/// Declares a key type: `key!(NodeId, "n")` prints as `n12`, as it does in dumps.
#[macro_export]
macro_rules! key {
    ($(#[$meta:meta])* $name:ident, $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $crate::Key for $name {
            fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("a table holds fewer than 2^32 entries"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

/// A vector indexed by `K`.
pub struct IndexVec<K, T> {
    items: Vec<T>,
    key: PhantomData<fn(K)>,
}

impl<K: Key, T> IndexVec<K, T> {
    pub fn new() -> Self {
        IndexVec { items: Vec::new(), key: PhantomData }
    }
    pub fn push(&mut self, item: T) -> K {
        let key = K::new(self.items.len());
        self.items.push(item);
        key
    }
    pub fn len(&self) -> usize {
        self.items.len()
    }
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
    pub fn get(&self, key: K) -> Option<&T> {
        self.items.get(key.index())
    }
    pub fn next_key(&self) -> K {
        K::new(self.items.len())
    }
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> + use<K, T> {
        (0..self.items.len()).map(K::new)
    }
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &T)> {
        self.items.iter().enumerate().map(|(index, item)| (K::new(index), item))
    }
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (K, &mut T)> {
        self.items.iter_mut().enumerate().map(|(index, item)| (K::new(index), item))
    }
    pub fn values(&self) -> std::slice::Iter<'_, T> {
        self.items.iter()
    }
    /// The entries after the first `n`.
    pub fn since(&self, count: usize) -> &[T] {
        &self.items[count..]
    }
    pub fn extend(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
    }
}

impl<K: Key, T> Default for IndexVec<K, T> {
    fn default() -> Self {
        Self::new()
    }
}
impl<K, T: Clone> Clone for IndexVec<K, T> {
    fn clone(&self) -> Self {
        IndexVec { items: self.items.clone(), key: PhantomData }
    }
}
impl<K, T: PartialEq> PartialEq for IndexVec<K, T> {
    fn eq(&self, other: &Self) -> bool {
        self.items == other.items
    }
}
impl<K: Key, T: fmt::Debug> fmt::Debug for IndexVec<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}
impl<K: Key, T> Index<K> for IndexVec<K, T> {
    type Output = T;
    fn index(&self, key: K) -> &T {
        &self.items[key.index()]
    }
}
impl<K: Key, T> IndexMut<K> for IndexVec<K, T> {
    fn index_mut(&mut self, key: K) -> &mut T {
        &mut self.items[key.index()]
    }
}
impl<K: Key, T> FromIterator<T> for IndexVec<K, T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        IndexVec { items: items.into_iter().collect(), key: PhantomData }
    }
}

/// Facts about the entries of a table that are computed later. Each entry is written at most once unless
/// [`SideTable::replace`] is used.
#[derive(Clone, Debug)]
pub struct SideTable<K, T> {
    items: Vec<Option<T>>,
    key: PhantomData<fn(K)>,
}

impl<K: Key, T> SideTable<K, T> {
    pub fn new() -> Self {
        SideTable { items: Vec::new(), key: PhantomData }
    }
    /// Panics if the entry was already written: a second write is a bug in Echis.
    pub fn set(&mut self, key: K, item: T) {
        assert!(self.get(key).is_none(), "entry {key:?} is written twice");
        self.replace(key, item);
    }
    pub fn replace(&mut self, key: K, item: T) {
        if self.items.len() <= key.index() {
            self.items.resize_with(key.index() + 1, || None);
        }
        self.items[key.index()] = Some(item);
    }
    pub fn get(&self, key: K) -> Option<&T> {
        self.items.get(key.index())?.as_ref()
    }
    pub fn iter(&self) -> impl Iterator<Item = (K, &T)> {
        self.items.iter().enumerate().filter_map(|(index, item)| Some((K::new(index), item.as_ref()?)))
    }
}

impl<K: Key, T> Default for SideTable<K, T> {
    fn default() -> Self {
        Self::new()
    }
}
