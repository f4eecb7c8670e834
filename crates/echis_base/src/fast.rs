//! Maps for small keys of our own making. Nobody chooses such keys to make them collide, so a hash that takes one
//! multiplication a word is good enough.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

pub type FastMap<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;
pub type FastSet<K> = HashSet<K, BuildHasherDefault<Mixer>>;

#[derive(Clone, Copy, Default, Debug)]
pub struct Mixer(u64);

/// Odd, with bits all over.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        bytes.chunks(8).for_each(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        });
    }
    fn write_u8(&mut self, value: u8) {
        self.write_u64(u64::from(value));
    }
    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(FACTOR);
    }
    fn write_usize(&mut self, value: usize) {
        self.write_u64(value as u64);
    }
    /// Tables look at the highest and the lowest bits; the lowest are mixed least.
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_do_not_collide() {
        let hash = |words: &[usize]| {
            let mut mixer = Mixer::default();
            words.iter().for_each(|word| mixer.write_usize(*word));
            mixer.finish()
        };
        let pairs = || (0..100).flat_map(|a| (0..100).map(move |b| [a, b]));
        let whole: HashSet<u64> = pairs().map(|pair| hash(&pair)).collect();
        assert_eq!(whole.len(), 10_000);
        let low: HashSet<u64> = pairs().map(|pair| hash(&pair) & 0x3fff).collect();
        assert!(low.len() > 6_000, "{} of about 7,600", low.len());
    }
}
