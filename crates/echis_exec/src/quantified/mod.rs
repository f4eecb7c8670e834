//! Quantified permissions.
//!
//! If a resource occurs under a quantifier in a member, all its chunks there are quantified. The permission of such a
//! chunk is a term over the resource's canonical variables ([`keys`]), so it can be asked for at any location by
//! substitution. The values are a map from locations to values, or for one location (a singleton) just its value.
//!
//! A quantified access is evaluated to an [`extent`](extent::Extent). Seen from a location, what it covers is told by
//! [inverse functions](inverse). What several chunks together know about values is a [summary](summary).

mod around;
mod bounds;
mod consume;
mod extent;
mod forperm;
mod havoc;
mod inverse;
mod keys;
mod lookup;
mod names;
mod order;
mod patterns;
mod perms;
mod produce;
mod recover;
mod seen;
mod single;
mod summary;
mod write;

use crate::state::Resource;
use echis_term::{SortId, SymbolId};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

/// What is shared about quantified resources in one member.
#[derive(Default)]
pub(crate) struct Maps {
    keys: BTreeMap<Resource, Rc<keys::Keys>>,
    /// The variables that quantified accesses are renamed to, by sort and position: accesses that differ only in the
    /// names of their variables become the same terms.
    variables: HashMap<(SortId, usize), SymbolId>,
    inverses: HashMap<inverse::Covered, inverse::Known>,
    summaries: summary::Summaries,
    /// Above 0 while the snapshot of what is consumed will be looked at.
    pub keep_snapshots: u32,
}

impl Maps {
    /// The canonical variables of a resource that was met, for whoever looks at its chunks.
    pub fn variables_of(&self, resource: Resource) -> Vec<SymbolId> {
        self.keys.get(&resource).map_or_else(Vec::new, |keys| keys.vars.to_vec())
    }
}
