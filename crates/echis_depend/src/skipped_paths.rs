//! Dead paths that were not followed to the end. There may be very many of them; what each could affect is computed
//! from the program text instead.
//!
//! A proof found on a feasible path also works on a path that leaves it at a case distinction and comes back, unless
//! it mentions something that the other side changes, or uses something that only this side states. A proof that does
//! either rests on the infeasibility of the other side, and so does everything on that side. No path is enumerated
//! for this. The answer may be larger than needed, since the other side may prove the same, and is marked as such.

mod influence;

pub use influence::Influence;

use crate::blame::Facts;
use crate::needs::{MemberNeeds, Needs, add};
use crate::nodes::UserId;
use crate::via::Via;
use echis_base::SyntaxId;
use echis_proof::{NodeId, Premise, Step};
use influence::Syntax;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A side of a case distinction that was skipped on some paths.
#[derive(Debug)]
pub struct Unfollowed {
    /// The reasons why it is infeasible on these paths, where that was asked.
    pub reasons: BTreeSet<Premise>,
    /// Unreachable nodes, where it was not asked.
    pub unexplained: BTreeSet<NodeId>,
    pub influence: Influence,
    /// The nodes needed to exclude it.
    pub users: Needs,
}

/// A case distinction in the text, and the skipped side.
type BranchSide = (SyntaxId, Option<SyntaxId>, Option<bool>);

impl<'a> Facts<'a> {
    /// All skipped sides, grouped by case distinction.
    pub fn unfollowed(&self) -> Vec<Unfollowed> {
        if self.tree.closed.is_empty() {
            return Vec::new();
        }
        let (exclusions, taken) = (self.exclusions(), self.taken_sides());
        let syntax = Syntax::new(*self);
        let mut sides: BTreeMap<Option<BranchSide>, Unfollowed> = BTreeMap::new();
        for at in &self.tree.closed {
            let dead = self.first_dead(*at);
            let place = dead.and_then(|dead| self.place(dead, &syntax, &taken));
            let side = sides.entry(place).or_insert_with(|| {
                let influence = place
                    .map_or(Influence::Everything, |(clause, site, positive)| syntax.influence(clause, site, positive));
                Unfollowed { reasons: BTreeSet::new(), unexplained: BTreeSet::new(), influence, users: Needs::new() }
            });
            match dead.and_then(|dead| Some((dead, self.excluded_by(dead, &exclusions)?))) {
                Some((dead, check)) => side.reasons.extend([Premise::Fact(dead), Premise::Check(check)]),
                None => drop(side.unexplained.insert(dead.unwrap_or(*at))),
            }
        }
        sides.into_values().collect()
    }
    /// By the node before a case distinction and its condition: whether the feasible side is the negative one.
    fn taken_sides(&self) -> HashMap<(NodeId, SyntaxId), bool> {
        let nodes = self.tree.nodes.values();
        let sides = nodes.filter_map(|node| match node.step {
            Step::Split { negated, .. } => Some(((node.parent?, self.tree.origins[node.origin].clause), negated)),
            _ => None,
        });
        sides.collect()
    }
    /// The case distinction, or statement of a proof script, at which a path was first known to be dead.
    fn place(&self, dead: NodeId, syntax: &Syntax, taken: &HashMap<(NodeId, SyntaxId), bool>) -> Option<BranchSide> {
        let origin = self.tree.origin_of(dead);
        let parent = self.tree.nodes[dead].parent?;
        if origin.part != echis_proof::Part::Guard && syntax.package_around(origin.clause, origin.site).is_none() {
            return None;
        }
        Some((origin.clause, origin.site, taken.get(&(parent, origin.clause)).copied()))
    }
}

impl Unfollowed {
    pub fn affects(&self, facts: &Facts, user: UserId, needs: &Needs) -> bool {
        match &self.influence {
            Influence::Everything => true,
            Influence::Side(side) => {
                side.inside.contains(&user)
                    || side.is_behind(facts.nodes, user)
                        && (side.marked.contains(&user) || needs.keys().any(|on| side.marked.contains(on)))
            }
        }
    }
}

/// The additional needs of a node with the given needs: the reasons why the sides that matter to it are infeasible.
pub fn exclusion_needs(facts: &Facts, sides: &[Unfollowed], user: UserId, needs: &Needs, reached: bool) -> Needs {
    let (mut excluding, mut all) = (Needs::new(), needs.clone());
    let mut left: Vec<&Unfollowed> = sides.iter().collect();
    // The proof that excludes one side may need that of another.
    loop {
        let matters = |side: &&Unfollowed| match &side.influence {
            // A node that no path reached and no side contains has no demands.
            Influence::Side(side) if !reached => side.inside.contains(&user),
            _ => side.affects(facts, user, &all),
        };
        let (found, others): (Vec<&Unfollowed>, Vec<&Unfollowed>) = left.into_iter().partition(matters);
        if found.is_empty() {
            return excluding;
        }
        for (on, via) in found.iter().flat_map(|side| &side.users) {
            add(&mut all, *on, *via);
            add(&mut excluding, *on, *via);
        }
        left = others;
    }
}

/// The exclusion needs of all nodes of the member, including those that no path reached.
pub fn all_exclusion_needs(facts: &Facts, sides: &[Unfollowed], result: &MemberNeeds) -> BTreeMap<UserId, Needs> {
    if sides.is_empty() {
        return BTreeMap::new();
    }
    let own = facts.own_assertions();
    let unreached = own.filter(|user| !result.needs.contains_key(user) && !result.failed.contains(user));
    let nothing = Needs::new();
    let asserted = result.needs.iter().map(|(user, needs)| (*user, exclusion_needs(facts, sides, *user, needs, true)));
    let unreached = unreached.map(|user| (user, exclusion_needs(facts, sides, user, &nothing, false)));
    asserted.chain(unreached).filter(|(_, excluding)| !excluding.is_empty()).collect()
}

/// The nodes of the member that are reached only by dead paths.
pub fn unreachable_nodes(facts: &Facts, sides: &[Unfollowed]) -> BTreeSet<UserId> {
    let (tree, owner) = (facts.tree, facts.owner());
    let (mut reached, mut others) = (BTreeSet::new(), BTreeSet::new());
    let mut closed: HashMap<NodeId, bool> = HashMap::new();
    let origins = tree.nodes.iter().map(|(id, node)| {
        let is_closed = facts.is_dead(id) || node.parent.is_some_and(|parent| closed[&parent]);
        closed.insert(id, is_closed);
        (node.origin, is_closed)
    });
    let mut origins: BTreeSet<_> = origins.collect();
    origins.extend(tree.checks.values().map(|check| (check.origin, closed[&check.at])));
    for (origin, is_closed) in origins {
        let users = facts.users(tree.origins[origin]).into_iter();
        let own = users.filter(|user| Some(facts.nodes.all[*user].owner) == owner);
        if is_closed { others.extend(own) } else { reached.extend(own) }
    }
    for side in sides {
        if let Influence::Side(side) = &side.influence {
            others.extend(&side.inside);
        }
    }
    others.difference(&reached).copied().collect()
}

/// Adds to each side's reasons those of the sides that matter to them.
pub fn close_exclusions(facts: &Facts, sides: &mut [Unfollowed]) {
    loop {
        let mut changed = false;
        for index in 0..sides.len() {
            let more: Needs = sides
                .iter()
                .filter(|other| match (&other.influence, &sides[index].influence) {
                    (Influence::Side(other), Influence::Side(side)) => {
                        let behind = side.inside.iter().chain(&side.marked).any(|on| other.is_behind(facts.nodes, *on));
                        behind && sides[index].users.keys().any(|on| other.marked.contains(on))
                    }
                    _ => false,
                })
                .flat_map(|other| other.users.clone())
                .collect();
            let users = &mut sides[index].users;
            let before = users.len();
            more.into_keys().for_each(|on| add(users, on, Via::Infeasibility));
            changed |= users.len() > before;
        }
        if !changed {
            return;
        }
    }
}
