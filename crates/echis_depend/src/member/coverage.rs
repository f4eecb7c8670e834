//! Coverage mode: finds what the goals of a member need together. A property is explained once if no solver is
//! needed; for the same property on other paths, and for everything else, only additional needs are sought, if any
//! are possible.
//!
//! The resulting edges suffice to tell which nodes goals need, transitively. They are not complete.

use super::{Analysis, Blame, Facts, MemberNeeds, Needs, Via};
use crate::cores::{CheckCore, CoreContext};
use crate::nodes::UserId;
use crate::rank::GroupKey;
use crate::skipped_paths::{Influence, Unfollowed, all_exclusion_needs, close_exclusions, unreachable_nodes};
use echis_proof::{CheckId, NodeId, Premise};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

type Demands = BTreeMap<UserId, BTreeSet<Premise>>;

/// The nodes known to be needed, and those to be processed.
#[derive(Default)]
struct WorkList {
    users: BTreeSet<UserId>,
    /// Groups of engine facts that expand to nothing else.
    groups: HashSet<GroupKey>,
    /// Nodes whose demands have been processed or are pending.
    seen: BTreeSet<UserId>,
    /// Nodes whose demands are yet to be processed.
    pending: Vec<UserId>,
    /// Deferred checks, each with the node that demands it, if any. Earlier results may help with them.
    deferred: BTreeSet<(CheckId, Option<UserId>)>,
}

impl WorkList {
    /// Whether a group is already known to be needed.
    fn has(&self, facts: Facts, key: &GroupKey) -> bool {
        let all = |users: &[UserId]| users.iter().all(|user| self.users.contains(user));
        match key {
            GroupKey::Users(users) => all(users),
            GroupKey::Fact(_) => self.groups.contains(key),
            GroupKey::Grant(node) => match facts.blame(*node) {
                Blame::Shown(users) => all(&users),
                Blame::Free => true,
                Blame::Hidden => self.groups.contains(key),
            },
        }
    }
    /// Adds the needs of one node, or of all goals. A node that needs only itself is not needed.
    fn add(&mut self, needs: &Needs, of: Option<UserId>) {
        for on in needs.keys().filter(|on| Some(**on) != of) {
            if self.users.insert(*on) && self.seen.insert(*on) {
                self.pending.push(*on);
            }
        }
    }
}

impl Analysis<'_> {
    /// Finds what goals need. For other nodes with demands, only what no goal needs is sought in addition.
    pub fn run_coverage(mut self) -> MemberNeeds {
        let mut result = MemberNeeds::default();
        let demands = self.demands(&mut result);
        let mut sides = self.facts.unfollowed();
        result.dead = unreachable_nodes(&self.facts, &sides);
        let reasons = sides.iter().flat_map(|side| &side.reasons);
        self.solve_all(demands.values().flatten().chain(reasons).copied().collect());
        let is_goal = |user: &UserId| self.facts.nodes.is_goal(self.facts.program, *user);
        let goals: Vec<UserId> = demands.keys().copied().filter(is_goal).collect();
        for goal in &goals {
            let users = self.expand_all(&demands[goal]);
            self.minimize_needs(&demands[goal], users, &Needs::new());
        }
        let mut list = WorkList { seen: goals.iter().copied().collect(), pending: goals, ..WorkList::default() };
        self.drain(&mut list, &demands);
        let mut open: BTreeSet<usize> = (0..sides.len()).collect();
        while let Some(index) = self.next_relevant_side(&sides, &open, &list, &demands) {
            open.remove(&index);
            let users = self.exclude(&mut list, &demands, &sides[index]);
            sides[index].users = users.into_keys().map(|user| (user, Via::Infeasibility)).collect();
        }
        // Sides that matter to no goal have not been explained.
        sides.retain(|side| !side.users.is_empty());
        // Needs of other nodes do not count as known, even if several nodes share them.
        let others = demands.iter().filter(|(user, _)| !list.seen.contains(user));
        let mut deferred: BTreeSet<_> = others.flat_map(|(_, demand)| self.deferred_behind(demand, None)).collect();
        while let Some((check, _)) = deferred.pop_first() {
            let found = self.solve_deferred(&mut list, check);
            deferred.extend(self.solve_premises_of(&found, None));
        }
        for (user, demand) in demands {
            if self.is_vacuous(&demand) {
                result.vacuous.insert(user);
            }
            let users = self.expand_all(&demand);
            result.needs.insert(user, users);
        }
        close_exclusions(&self.facts, &mut sides);
        let excluding = all_exclusion_needs(&self.facts, &sides, &result);
        self.add_exclusion_needs(&mut result, excluding);
        result.indispensable = self.indispensable();
        result.statistics = self.search.allowance.counts;
        result
    }
    /// An unfollowed side that matters to something needed, and whose infeasibility is not explained yet.
    fn next_relevant_side(
        &mut self,
        sides: &[Unfollowed],
        open: &BTreeSet<usize>,
        list: &WorkList,
        demands: &Demands,
    ) -> Option<usize> {
        let own: BTreeSet<UserId> = self.facts.own_assertions().collect();
        let nothing = BTreeSet::new();
        for user in list.seen.iter().chain(&own) {
            let seen = list.seen.contains(user);
            let needs = self.expand_all(demands.get(user).unwrap_or(&nothing));
            let matters = |side: &Unfollowed| match &side.influence {
                Influence::Side(side) if !seen => !demands.contains_key(user) && side.inside.contains(user),
                Influence::Everything | Influence::Side(_) => side.affects(&self.facts, *user, &needs),
            };
            if let Some(index) = open.iter().find(|index| matters(&sides[**index])) {
                return Some(*index);
            }
        }
        // The proof that excludes one side may need that of another.
        let users: Needs = sides.iter().flat_map(|side| side.users.clone()).collect();
        let marked = |index: &usize| match &sides[*index].influence {
            Influence::Side(side) => users.keys().any(|user| side.marked.contains(user)),
            Influence::Everything => true,
        };
        open.iter().copied().find(marked)
    }
    /// Finds what excluding a side needs.
    fn exclude(&mut self, list: &mut WorkList, demands: &Demands, side: &Unfollowed) -> Needs {
        list.add(&self.expand_all(&side.reasons), None);
        list.deferred.extend(self.deferred_behind(&side.reasons, None));
        self.drain(list, demands);
        let mut users = Needs::new();
        for at in &side.unexplained {
            let found = self.solve_given(list, None, *at);
            list.deferred.extend(self.solve_premises_of(&found, None));
            let needed: Needs = self.expand_core(&found);
            list.add(&needed, None);
            self.drain(list, demands);
            // Now the premises of the groups of engine facts are known.
            users.extend(self.expand_core(&found));
        }
        users.extend(self.expand_all(&side.reasons));
        users
    }
    /// Processes everything pending, and what it adds.
    fn drain(&mut self, list: &mut WorkList, demands: &Demands) {
        loop {
            while let Some(user) = list.pending.pop() {
                let Some(demand) = demands.get(&user) else { continue };
                list.add(&self.expand_all(demand), Some(user));
                list.deferred.extend(self.deferred_behind(demand, Some(user)));
            }
            let Some((check, user)) = list.deferred.pop_first() else { return };
            let found = self.solve_deferred(list, check);
            list.deferred.extend(self.solve_premises_of(&found, user));
            let users = self.expand(Premise::Check(check));
            list.add(&users, user);
        }
    }
    fn solve_deferred(&mut self, list: &mut WorkList, check: CheckId) -> Rc<CheckCore> {
        if self.search.is_solved(&self.facts, check) {
            return self.search.core(check);
        }
        let found = self.solve_given(list, Some(check), self.facts.tree.checks[check].at);
        if !found.keys.is_empty() {
            // Earlier expansions may contain the check.
            self.expansion.forget();
        }
        found
    }
    /// Finds what a proof needs in addition.
    fn solve_given(&mut self, list: &mut WorkList, check: Option<CheckId>, at: NodeId) -> Rc<CheckCore> {
        let of_function = self.facts.is_of_function();
        if !of_function && self.path_is_known(list, check, at) {
            return self.search.solve_with_nothing(check);
        }
        let mut cx = CoreContext { facts: self.facts, explainer: &mut *self.explainer };
        self.search.solve_given(&mut cx, check, at, &|key| list.has(self.facts, key))
    }
    /// Whether everything on the path that could be needed is known already, directly or because it follows from the
    /// rest.
    fn path_is_known(&mut self, list: &mut WorkList, check: Option<CheckId>, at: NodeId) -> bool {
        let mut keys = self.search.keys_on_path(&self.facts, check, at);
        keys.retain(|key| !list.has(self.facts, key));
        if keys.iter().any(|key| matches!(key, GroupKey::Users(_))) {
            return false;
        }
        keys.iter().all(|key| match key {
            GroupKey::Fact(node) if self.facts.is_lemma(*node) => true,
            key if self.is_known(list, key) => list.groups.insert(key.clone()),
            _ => false,
        })
    }
    /// Whether a group expands to nodes that are already known.
    fn is_known(&mut self, list: &WorkList, key: &GroupKey) -> bool {
        let rests: BTreeSet<Premise> = self.premises_of_group(key).into_iter().collect();
        self.solve_all(rests.iter().copied().collect());
        self.deferred_behind(&rests, None).is_empty()
            && self.expand_all(&rests).keys().all(|user| list.users.contains(user))
    }
    /// Solves the premises of a proof's groups where that is easy. Returns the other checks behind them.
    fn solve_premises_of(&mut self, found: &CheckCore, user: Option<UserId>) -> BTreeSet<(CheckId, Option<UserId>)> {
        let rests: BTreeSet<Premise> = found.keys.iter().flat_map(|key| self.premises_of_group(key)).collect();
        self.solve_all(rests.iter().copied().collect());
        self.deferred_behind(&rests, user)
    }
    /// The unsolved checks behind premises.
    fn deferred_behind(
        &self,
        premises: &BTreeSet<Premise>,
        user: Option<UserId>,
    ) -> BTreeSet<(CheckId, Option<UserId>)> {
        let checks = self.checks_of(premises).into_iter();
        checks.filter(|check| !self.search.is_solved(&self.facts, *check)).map(|check| (check, user)).collect()
    }
}
