//! Quantified permissions.
//!
//! If a resource occurs under a quantifier in a member, all its chunks there are quantified. The permission of such a
//! chunk is a term over the resource's canonical variables ([`keys`]), so it can be asked for at any location by
//! substitution. The values are a map from locations to values, or for one location (a singleton) just its value.
//!
//! A quantified access is evaluated to an [`QuantifiedAccess`](access::QuantifiedAccess). Seen from a location, what it covers is told by
//! [inverse functions](inverse). What several chunks together know about values is a [summary](summary).

pub(crate) mod access;
pub(crate) mod bounds;
pub(crate) mod consume;
pub(crate) mod havoc;
pub(crate) mod inverse;
pub(crate) mod lookup;
pub(crate) mod lookup_marks;
pub(crate) mod names;
pub(crate) mod order;
pub(crate) mod package;
pub(crate) mod perms;
pub(crate) mod produce;
pub(crate) mod recover;
pub(crate) mod single;
pub(crate) mod summary;
pub(crate) mod write;

use echis_base::FastMap;
use echis_term::{SortId, SymbolId};

/// What is shared about quantified resources in one member.
#[derive(Default)]
pub(crate) struct Maps {
    /// The variables that quantified accesses are renamed to, by sort and position: accesses that differ only in the
    /// names of their variables become the same terms.
    pub variables: FastMap<(SortId, usize), SymbolId>,
    inverses: FastMap<inverse::Covered, inverse::Introduced>,
    summaries: summary::Summaries,
}
