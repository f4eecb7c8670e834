//! Quantified permissions.
//!
//! If a resource occurs under a quantifier in a member, all its chunks there are quantified. The permission of such a
//! chunk is a term over the resource's canonical variables ([`keys`]), so it can be instantiated at any location by
//! substitution. The values are a map from locations to values or, for a singleton, just its value.
//!
//! A quantified access is evaluated to a [`QuantifiedAccess`](access::QuantifiedAccess). [Inverse functions](inverse)
//! tell which locations it covers. The values known from several chunks together form a [summary](summary).

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

/// Shared data about quantified resources in one member.
#[derive(Default)]
pub(crate) struct Maps {
    /// The variables to which those of quantified accesses are renamed, by sort and position: accesses that differ
    /// only in variable names become the same terms.
    pub variables: FastMap<(SortId, usize), SymbolId>,
    inverses: FastMap<inverse::Covered, inverse::Introduced>,
    summaries: summary::Summaries,
}
