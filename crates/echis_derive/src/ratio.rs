//! Small fractions. What does not fit is no number any more, and nothing follows from it.

use echis_term::Rational;
use std::ops::{Add, Div, Mul, Neg};

/// In lowest terms, with a positive denominator; a denominator of zero stands for what does not fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ratio {
    above: i64,
    below: i64,
}

impl Default for Ratio {
    fn default() -> Self {
        Ratio::ZERO
    }
}

impl Ratio {
    pub const ZERO: Ratio = Ratio { above: 0, below: 1 };
    pub const ONE: Ratio = Ratio { above: 1, below: 1 };
    pub const MINUS_ONE: Ratio = Ratio { above: -1, below: 1 };
    const NONE: Ratio = Ratio { above: 0, below: 0 };

    fn new(above: i128, below: i128) -> Self {
        if below == 1 {
            return i64::try_from(above).map_or(Ratio::NONE, Ratio::from);
        }
        let divisor = gcd(above.unsigned_abs(), below.unsigned_abs()) as i128;
        if below == 0 {
            return Ratio::NONE;
        }
        let sign = if below < 0 { -1 } else { 1 };
        match (i64::try_from(sign * above / divisor), i64::try_from(sign * below / divisor)) {
            (Ok(above), Ok(below)) => Ratio { above, below },
            _ => Ratio::NONE,
        }
    }
    pub fn fits(self) -> bool {
        self.below != 0
    }
    pub fn is_zero(self) -> bool {
        self == Ratio::ZERO
    }
    pub fn is_positive(self) -> bool {
        self.above > 0
    }
}

impl From<i64> for Ratio {
    fn from(value: i64) -> Self {
        Ratio { above: value, below: 1 }
    }
}

impl From<&Rational> for Ratio {
    fn from(value: &Rational) -> Self {
        match (i64::try_from(value.numerator()), i64::try_from(value.denominator())) {
            (Ok(above), Ok(below)) => Ratio { above, below },
            _ => Ratio::NONE,
        }
    }
}

impl Add for Ratio {
    type Output = Ratio;
    fn add(self, other: Ratio) -> Ratio {
        let [a, b, c, d] = [self.above, self.below, other.above, other.below].map(i128::from);
        Ratio::new(a * d + c * b, b * d)
    }
}

impl Mul for Ratio {
    type Output = Ratio;
    fn mul(self, other: Ratio) -> Ratio {
        let [a, b, c, d] = [self.above, self.below, other.above, other.below].map(i128::from);
        Ratio::new(a * c, b * d)
    }
}

impl Div for Ratio {
    type Output = Ratio;
    fn div(self, other: Ratio) -> Ratio {
        let [a, b, c, d] = [self.above, self.below, other.above, other.below].map(i128::from);
        // What does not fit must not come back as a number.
        match (c, d) {
            (_, 0) => Ratio::NONE,
            (1 | -1, 1) => Ratio::new(c * a, b),
            _ => Ratio::new(a * d, b * c),
        }
    }
}

impl Neg for Ratio {
    type Output = Ratio;
    fn neg(self) -> Ratio {
        Ratio::new(-i128::from(self.above), i128::from(self.below))
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_added_multiplied_and_divided() {
        let half = Ratio::new(1, 2);
        let third = Ratio::new(-2, -6);
        assert_eq!(half + third, Ratio::new(5, 6));
        assert_eq!(half * third, Ratio::new(1, 6));
        assert_eq!(half / third, Ratio::new(3, 2));
        assert_eq!(-half + half, Ratio::ZERO);
        assert_eq!(Ratio::from(&(Rational::from(3) / Rational::from(-6))), -half);
    }

    #[test]
    fn what_does_not_fit_stays_that_way() {
        let large = Ratio::new(i64::MAX.into(), 1);
        let none = large + large;
        assert!(!none.fits());
        for result in [none + half(), none * half(), none / half(), half() / none, -none, half() / Ratio::ZERO] {
            assert!(!result.fits());
            assert!(!result.is_zero() && !result.is_positive());
        }
    }
    fn half() -> Ratio {
        Ratio::new(1, 2)
    }
}
