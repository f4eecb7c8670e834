//! A part of the members of each program, so that several machines verify it together.
//!
//! The parts are a function of the program and the number of parts alone, so machines need not agree on anything else;
//! whoever joins their reports sees whether a member is in none.

use crate::checked::check_file;
use crate::verify::settings::Settings;
use echis_base::Name;
use echis_exec::Engine;
use echis_proof::Verifier;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// One part of several, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    pub index: usize,
    pub count: usize,
}

/// A text that names no part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NoShard(String);

impl std::fmt::Display for NoShard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` is not a part such as 2/8", self.0)
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

/// What each member cost at another time, by its name.
pub type Costs = BTreeMap<String, f64>;

/// The members of a program that are in this part, and the others. None: it is no program, which everybody tells.
pub fn shard(path: &Path, settings: &Settings, shard: Shard, costs: &Costs) -> Option<(BTreeSet<Name>, Vec<Name>)> {
    let program = check_file(path, &*settings.loader).program?;
    let engine = Engine::new(&program);
    let members: Vec<(Name, f64)> = engine
        .members()
        .values()
        .filter(|member| settings.is_selected(&member.name))
        .map(|member| {
            let span = program.syntax.span(member.id);
            let length = f64::from(span.end - span.start);
            (member.name.clone(), costs.get(&*member.name).copied().unwrap_or(length / 100.0))
        })
        .collect();
    let mine = part(&path.to_string_lossy(), &members, shard);
    let others = members.into_iter().map(|(name, _)| name).filter(|name| !mine.contains(name)).collect();
    Some((mine, others))
}

/// The dearest first, each to the part that has least so far. Files begin at different parts, so that the many with one
/// member are not all in the first.
fn part(path: &str, members: &[(Name, f64)], shard: Shard) -> BTreeSet<Name> {
    let digest = |text: &str| <[u8; 32]>::from(Sha256::digest(text));
    let mut order: Vec<&(Name, f64)> = members.iter().collect();
    order.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| digest(&a.0).cmp(&digest(&b.0))));
    let first = usize::from(u16::from_le_bytes([digest(path)[0], digest(path)[1]])) % shard.count;
    let mut loads = vec![0.0f64; shard.count];
    let mut mine = BTreeSet::new();
    for (name, cost) in order {
        let lightest = (0..shard.count).map(|index| (index + first) % shard.count);
        let lightest = lightest.min_by(|a, b| loads[*a].total_cmp(&loads[*b])).unwrap_or(0);
        loads[lightest] += cost.max(f64::MIN_POSITIVE);
        if lightest + 1 == shard.index {
            mine.insert(name.clone());
        }
    }
    mine
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_member_is_in_one_part_and_parts_weigh_the_same() {
        let members: Vec<(Name, f64)> =
            (0..40u32).map(|number| (Name::from(format!("m{number}").as_str()), f64::from(number % 7 + 1))).collect();
        let parts: Vec<BTreeSet<Name>> =
            (1..=8).map(|index| part("a.vpr", &members, Shard { index, count: 8 })).collect();
        assert_eq!(parts.iter().map(BTreeSet::len).sum::<usize>(), 40);
        assert_eq!(parts.iter().flatten().collect::<BTreeSet<_>>().len(), 40);
        let weight = |part: &BTreeSet<Name>| -> f64 {
            members.iter().filter(|(name, _)| part.contains(name)).map(|(_, cost)| cost).sum()
        };
        let weights: Vec<f64> = parts.iter().map(weight).collect();
        let (most, least) = (weights.iter().copied().fold(0.0, f64::max), weights.iter().copied().fold(99.0, f64::min));
        assert!(most - least <= 2.0, "{weights:?}");
    }

    #[test]
    fn parts_are_written_as_fractions() {
        assert_eq!("2/8".parse(), Ok(Shard { index: 2, count: 8 }));
        for wrong in ["0/8", "9/8", "1", "a/b", "1/0"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
