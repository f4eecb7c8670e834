//! Limits of effort.

/// Maximum size of a fraction, in bits of numerator and denominator. Facts with larger numbers are ignored, which
/// derives less and never more.
pub const MOST_BITS: usize = 512;
