//! Selects the members that this run verifies when a program is split among several runs.

use echis_proof::MemberId;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The members that a run verifies, while others verify the rest.
#[derive(Clone, Debug)]
pub struct Share {
    pub(crate) kind: Kind,
    /// These members of the current program; `None` until it is known.
    pub(crate) members: Option<Arc<BTreeSet<MemberId>>>,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Shard(Shard, Arc<Costs>),
    At(Arc<BTreeSet<usize>>),
}

impl Share {
    /// One of several parts with about equal cost.
    pub fn shard(shard: Shard, costs: Costs) -> Self {
        Share { kind: Kind::Shard(shard, Arc::new(costs)), members: None }
    }
    /// Members by their position among the selected ones, in source order.
    pub fn at(positions: BTreeSet<usize>) -> Self {
        Share { kind: Kind::At(Arc::new(positions)), members: None }
    }
    pub(crate) fn contains(&self, member: MemberId) -> bool {
        self.members.as_ref().is_none_or(|members| members.contains(&member))
    }
}

/// One part of several, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The number of the part, starting at 1.
    pub index: usize,
    /// The number of parts.
    pub count: usize,
}

/// The error for a text that does not name a part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoShard(String);

impl std::fmt::Display for NoShard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is not a part: write K/N, such as 2/8", self.0)
    }
}

impl std::error::Error for NoShard {}

impl std::str::FromStr for Shard {
    type Err = NoShard;
    fn from_str(text: &str) -> Result<Self, NoShard> {
        let parts = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match parts {
            Some((index, count)) if 1 <= index && index <= count => Ok(Shard { index, count }),
            _ => Err(NoShard(text.to_string())),
        }
    }
}

/// The cost of each member in an earlier run, by name.
pub type Costs = BTreeMap<String, f64>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_written_as_fractions() {
        assert_eq!("2/8".parse(), Ok(Shard { index: 2, count: 8 }));
        for wrong in ["0/8", "9/8", "1", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
