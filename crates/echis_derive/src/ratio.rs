//! Exact fractions. Almost all are small, and small ones are not allocated.

use crate::limits::MOST_BITS;
use echis_term::{Integer, Rational};

/// In lowest terms, with a positive denominator. Values that fit are small.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ratio {
    Small(i64, i64),
    Large(Box<Rational>),
}

impl Default for Ratio {
    fn default() -> Self {
        Ratio::ZERO
    }
}

impl Ratio {
    pub const ZERO: Ratio = Ratio::Small(0, 1);
    pub const ONE: Ratio = Ratio::Small(1, 1);
    pub const MINUS_ONE: Ratio = Ratio::Small(-1, 1);

    /// The denominator must not be zero.
    fn new(above: i128, below: i128) -> Self {
        let divisor = gcd(above.unsigned_abs(), below.unsigned_abs());
        let (above, below) = match i128::try_from(divisor) {
            Ok(divisor) if below < 0 => (-(above / divisor), -(below / divisor)),
            Ok(divisor) => (above / divisor, below / divisor),
            Err(_) => (above, below),
        };
        match (i64::try_from(above), i64::try_from(below)) {
            (Ok(above), Ok(below)) if below > 0 => Ratio::Small(above, below),
            _ => Ratio::Large(Box::new(Rational::from(Integer::from(above)) / Rational::from(Integer::from(below)))),
        }
    }
    fn exact(&self) -> Rational {
        match self {
            Ratio::Small(above, below) => Rational::from(*above) / Rational::from(*below),
            Ratio::Large(value) => (**value).clone(),
        }
    }
    pub fn plus(&self, other: &Ratio) -> Ratio {
        match (self, other) {
            (Ratio::Small(a, 1), Ratio::Small(c, 1)) if a.checked_add(*c).is_some() => Ratio::Small(a + c, 1),
            (Ratio::Small(a, b), Ratio::Small(c, d)) => {
                let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
                Ratio::new(a * d + c * b, b * d)
            }
            _ => Ratio::from(&(self.exact() + other.exact())),
        }
    }
    pub fn times(&self, other: &Ratio) -> Ratio {
        match (self, other) {
            (Ratio::Small(a, b), Ratio::Small(c, d)) => {
                let [a, b, c, d] = [*a, *b, *c, *d].map(i128::from);
                Ratio::new(a * c, b * d)
            }
            _ => Ratio::from(&(self.exact() * other.exact())),
        }
    }
    /// `None` if the divisor is zero.
    pub fn over(&self, other: &Ratio) -> Option<Ratio> {
        match other {
            Ratio::Small(0, _) => None,
            Ratio::Small(c, d) => Some(self.times(&Ratio::new(i128::from(*d), i128::from(*c)))),
            Ratio::Large(_) => Some(Ratio::from(&(self.exact() / other.exact()))),
        }
    }
    pub fn negated(&self) -> Ratio {
        self.times(&Ratio::MINUS_ONE)
    }
    pub fn is_less(&self, other: &Ratio) -> bool {
        other.plus(&self.negated()).is_positive()
    }
    pub fn is_zero(&self) -> bool {
        *self == Ratio::ZERO
    }
    pub fn is_positive(&self) -> bool {
        match self {
            Ratio::Small(above, _) => *above > 0,
            Ratio::Large(value) => **value > Rational::ZERO,
        }
    }
    /// Whether it is small enough for proofs.
    pub fn is_handy(&self) -> bool {
        use dashu::base::BitTest;
        match self {
            Ratio::Small(..) => true,
            Ratio::Large(value) => value.numerator().bit_len() + value.denominator().bit_len() <= MOST_BITS,
        }
    }
}

impl From<i64> for Ratio {
    fn from(value: i64) -> Self {
        Ratio::Small(value, 1)
    }
}

impl From<&Rational> for Ratio {
    fn from(value: &Rational) -> Self {
        match (i64::try_from(value.numerator()), i64::try_from(value.denominator())) {
            (Ok(above), Ok(below)) => Ratio::Small(above, below),
            _ => Ratio::Large(Box::new(value.clone())),
        }
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
        assert_eq!(half.plus(&third), Ratio::new(5, 6));
        assert_eq!(half.times(&third), Ratio::new(1, 6));
        assert_eq!(half.over(&third), Some(Ratio::new(3, 2)));
        assert_eq!(half.over(&Ratio::ZERO), None);
        assert_eq!(half.negated().plus(&half), Ratio::ZERO);
        assert_eq!(Ratio::from(&(Rational::from(3) / Rational::from(-6))), half.negated());
    }

    #[test]
    fn large_numbers_are_exact_and_come_back() {
        for edge in [i64::MAX, i64::MIN, i64::MIN + 1, 9_000_000_000_000_000_000] {
            let number = Ratio::from(edge);
            let double = number.plus(&number);
            assert!(matches!(double, Ratio::Large(_)));
            assert_eq!(double.is_positive(), edge > 0);
            assert_eq!(double.over(&Ratio::from(2)), Some(number.clone()));
            assert_eq!(number.negated().negated(), number);
            assert_eq!(number.negated().is_less(&number), edge > 0);
            assert_eq!(double.times(&double).over(&double), Some(double));
        }
        assert_eq!(Ratio::from(i64::MIN).over(&Ratio::from(i64::MIN)), Some(Ratio::ONE));
        assert!(Ratio::from(i64::MIN).over(&Ratio::from(-1)).is_some_and(|ratio| ratio.is_positive()));
    }
}
