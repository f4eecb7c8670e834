//! What a proof by another engine may rest on.
//!
//! Where an obligation was proved by another engine and no proof from the facts of its path is found, all that engine can have
//! used counts. The facts of the path are not enough, since the engines do not state the same. The other one states every
//! axiom that shares a symbol with the member, or has none, at all types of the program; the contracts and definitions of all
//! functions, also of those that were not verified, of which this engine withholds what failed; what its own member does,
//! as a whole; and the contracts of the methods that are called. All of these are named. What is left is not for anyone to
//! leave out: declarations, the bodies of predicates, and the bodies of other methods, which no proof of this member sees.

use crate::blame::Facts;
use crate::kind::Construct;
use crate::nodes::{UserId, UserNode};
use crate::owner::Owner;
use echis_program::program::MethodId;
use echis_program::reach::{Member, reach};
use std::collections::BTreeSet;

impl Facts<'_> {
    /// The nodes that the other engine reads for this member; none if it proved nothing here.
    pub(super) fn read_elsewhere(&self) -> Vec<UserId> {
        let Some(owner) = self.owner().filter(|_| self.tree.proved_elsewhere) else { return Vec::new() };
        let called: BTreeSet<MethodId> = match owner {
            Owner::Method(method) => reach(self.program, Member::Method(method)).methods,
            Owner::Function(_) | Owner::Domain(_) => BTreeSet::new(),
        };
        let is_read = |node: &UserNode| match node.owner {
            Owner::Domain(_) | Owner::Function(_) => true,
            Owner::Method(_) if node.owner == owner => true,
            Owner::Method(method) => {
                called.contains(&method) && matches!(node.construct, Construct::Precondition | Construct::Postcondition)
            }
        };
        let nodes = self.nodes.all.iter().filter(|(_, node)| node.assumption.is_some() && is_read(node));
        nodes.map(|(user, _)| user).collect()
    }
}
