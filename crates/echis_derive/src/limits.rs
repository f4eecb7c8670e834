//! Bounds of effort.

/// Numerators and denominators with more bits together make proofs too costly. Facts with such numbers are left out, which
/// derives less and never more.
pub const MOST_BITS: usize = 512;
