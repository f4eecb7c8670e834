//! The values of executions: the semantics of the types.

use echis_program::program::DomainFunctionId;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Value {
    Int(i128),
    Bool(bool),
    Perm(Ratio),
    /// 0 is `null`.
    Ref(u32),
    Seq(Vec<Value>),
    Set(BTreeSet<Value>),
    /// Elements with positive multiplicity.
    Multiset(BTreeMap<Value, i128>),
    Map(BTreeMap<Value, Value>),
    Adt(DomainFunctionId, Vec<Value>),
}

pub const NULL: Value = Value::Ref(0);

/// An exact fraction in lowest terms with a positive denominator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ratio {
    above: i128,
    below: i128,
}

impl Ratio {
    pub const ZERO: Ratio = Ratio { above: 0, below: 1 };
    pub const ONE: Ratio = Ratio { above: 1, below: 1 };

    /// Returns `None` if the denominator is zero or the numbers overflow.
    pub fn new(above: i128, below: i128) -> Option<Self> {
        if below == 0 {
            return None;
        }
        let shared = gcd(above.checked_abs()?, below.checked_abs()?).max(1);
        let sign = if below < 0 { -1 } else { 1 };
        Some(Ratio { above: sign * above / shared, below: sign * below / shared })
    }
    pub fn is_positive(self) -> bool {
        self.above > 0
    }
    pub fn is_negative(self) -> bool {
        self.above < 0
    }
    pub fn add(self, other: Ratio) -> Option<Ratio> {
        let left = self.above.checked_mul(other.below)?;
        let right = other.above.checked_mul(self.below)?;
        Ratio::new(left.checked_add(right)?, self.below.checked_mul(other.below)?)
    }
    pub fn minus(self) -> Ratio {
        Ratio { above: -self.above, below: self.below }
    }
    pub fn sub(self, other: Ratio) -> Option<Ratio> {
        self.add(other.minus())
    }
    pub fn mul(self, other: Ratio) -> Option<Ratio> {
        Ratio::new(self.above.checked_mul(other.above)?, self.below.checked_mul(other.below)?)
    }
    pub fn div(self, other: Ratio) -> Option<Ratio> {
        self.mul(Ratio::new(other.below, other.above)?)
    }
}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        // Amounts are small; executions stop at numbers that would saturate.
        self.above.saturating_mul(other.below).cmp(&other.above.saturating_mul(self.below))
    }
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Division as in SMT-LIB: the remainder is never negative.
pub fn euclidean(left: i128, right: i128) -> Option<(i128, i128)> {
    Some((left.checked_div_euclid(right)?, left.checked_rem_euclid(right)?))
}

impl std::fmt::Display for Value {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let list = |out: &mut std::fmt::Formatter<'_>, items: &mut dyn Iterator<Item = &Value>| {
            items.enumerate().try_for_each(|(index, item)| write!(out, "{}{item}", if index == 0 { "" } else { ", " }))
        };
        match self {
            Value::Int(value) => write!(out, "{value}"),
            Value::Bool(value) => write!(out, "{value}"),
            Value::Perm(value) => write!(out, "{}/{}", value.above, value.below),
            Value::Ref(0) => write!(out, "null"),
            Value::Ref(object) => write!(out, "o{object}"),
            Value::Seq(items) => {
                write!(out, "Seq(")?;
                list(out, &mut items.iter())?;
                write!(out, ")")
            }
            Value::Set(items) => {
                write!(out, "Set(")?;
                list(out, &mut items.iter())?;
                write!(out, ")")
            }
            Value::Multiset(items) => {
                let repeated = items.iter().flat_map(|(item, count)| (0..*count).map(move |_| item));
                write!(out, "Multiset(")?;
                list(out, &mut { repeated })?;
                write!(out, ")")
            }
            Value::Map(entries) => {
                write!(out, "Map(")?;
                for (index, (key, value)) in entries.iter().enumerate() {
                    write!(out, "{}{key} := {value}", if index == 0 { "" } else { ", " })?;
                }
                write!(out, ")")
            }
            Value::Adt(constructor, args) => {
                write!(out, "{constructor:?}(")?;
                list(out, &mut args.iter())?;
                write!(out, ")")
            }
        }
    }
}
