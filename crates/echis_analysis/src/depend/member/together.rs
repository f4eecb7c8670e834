//! What the goals of a member need together. What is checked is explained once where no solver is needed; of the same on
//! other paths, and of all else, it is asked only what it needs besides, if there is anything left that it could.
//!
//! The edges that come out are enough to tell which nodes goals need, directly or not. They are not all there are.

use super::{Analysis, Blame, Facts, MemberNeeds, Needs, Via};
use crate::depend::nodes::UserId;
use crate::depend::rank::Key;
use crate::depend::solve::{Cx, Found};
use crate::depend::unfollowed::{Influence, Unfollowed, all_besides, never_reached, settle};
use echis_proof::{CheckId, NodeId, Premise};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;

type Demands = BTreeMap<UserId, BTreeSet<Premise>>;

/// What is known to be needed.
#[derive(Default)]
struct Known {
    users: BTreeSet<UserId>,
    /// Groups of the engine's own that come down to nothing else.
    groups: HashSet<Key>,
    /// Nodes whose demands are seen to.
    seen: BTreeSet<UserId>,
    /// Nodes whose demands are to be seen to.
    pending: Vec<UserId>,
    /// Checks that were put aside, each with the node that demands it, if it is one. What comes first may help later.
    aside: BTreeSet<(CheckId, Option<UserId>)>,
}

impl Known {
    /// Whether a group is known to be needed without looking further.
    fn has(&self, facts: Facts, key: &Key) -> bool {
        let all = |users: &[UserId]| users.iter().all(|user| self.users.contains(user));
        match key {
            Key::Users(users) => all(users),
            Key::Fact(_) => self.groups.contains(key),
            Key::Grant(node) => match facts.blame(*node) {
                Blame::Shown(users) => all(&users),
                Blame::Free => true,
                Blame::Hidden => self.groups.contains(key),
            },
        }
    }
    /// What a node, or nobody in particular, needs. That it needs itself makes nobody need it.
    fn add(&mut self, needs: &Needs, of: Option<UserId>) {
        for on in needs.keys().filter(|on| Some(**on) != of) {
            if self.users.insert(*on) && self.seen.insert(*on) {
                self.pending.push(*on);
            }
        }
    }
}

impl Analysis<'_> {
    /// What goals need. Of others that demand something, what no goal needs is looked for as well.
    pub fn run_together(mut self) -> MemberNeeds {
        let mut result = MemberNeeds::default();
        let demands = self.demands(&mut result);
        let mut sides = self.facts.unfollowed();
        result.dead = never_reached(&self.facts, &sides);
        let reasons = sides.iter().flat_map(|side| &side.reasons);
        self.solve_all(demands.values().flatten().chain(reasons).copied().collect());
        let is_goal = |user: &UserId| self.facts.nodes.is_goal(self.facts.program, *user);
        let goals: Vec<UserId> = demands.keys().copied().filter(is_goal).collect();
        for goal in &goals {
            let users = self.expand_all(&demands[goal]);
            self.jointly(&demands[goal], users, &Needs::new());
        }
        let mut known = Known { seen: goals.iter().copied().collect(), pending: goals, ..Known::default() };
        self.see_to(&mut known, &demands);
        let mut open: BTreeSet<usize> = (0..sides.len()).collect();
        while let Some(index) = self.next_to_matter(&sides, &open, &known, &demands) {
            open.remove(&index);
            let users = self.exclude(&mut known, &demands, &sides[index]);
            sides[index].users = users.into_keys().map(|user| (user, Via::Infeasibility)).collect();
        }
        // What matters to no goal was not looked for.
        sides.retain(|side| !side.users.is_empty());
        // What others need is not known to be needed, even if several of them do.
        let others = demands.iter().filter(|(user, _)| !known.seen.contains(user));
        let mut aside: BTreeSet<_> = others.flat_map(|(_, demand)| self.aside_behind(demand, None)).collect();
        while let Some((check, _)) = aside.pop_first() {
            let found = self.settle_check(&mut known, check);
            aside.extend(self.see_to_rests(&found, None));
        }
        for (user, demand) in demands {
            if self.is_vacuous(&demand) {
                result.vacuous.insert(user);
            }
            let users = self.expand_all(&demand);
            result.needs.insert(user, users);
        }
        settle(&self.facts, &mut sides);
        let besides = all_besides(&self.facts, &sides, &result);
        self.add_besides(&mut result, besides);
        result.statistics = self.solving.allowance.counts;
        result
    }
    /// A side that was not followed, of which it is not known yet what excludes it, and that matters to something needed.
    fn next_to_matter(
        &mut self,
        sides: &[Unfollowed],
        open: &BTreeSet<usize>,
        known: &Known,
        demands: &Demands,
    ) -> Option<usize> {
        let own: BTreeSet<UserId> = self.facts.own_assertions().collect();
        let nothing = BTreeSet::new();
        for user in known.seen.iter().chain(&own) {
            let seen = known.seen.contains(user);
            let needs = self.expand_all(demands.get(user).unwrap_or(&nothing));
            let matters = |side: &Unfollowed| match &side.influence {
                Influence::Side(side) if !seen => !demands.contains_key(user) && side.inside.contains(user),
                Influence::Everything | Influence::Side(_) => side.matters_to(&self.facts, *user, &needs),
            };
            if let Some(index) = open.iter().find(|index| matters(&sides[**index])) {
                return Some(*index);
            }
        }
        // What excludes one may need what excludes another.
        let users: Needs = sides.iter().flat_map(|side| side.users.clone()).collect();
        let marked = |index: &usize| match &sides[*index].influence {
            Influence::Side(side) => users.keys().any(|user| side.marked.contains(user)),
            Influence::Everything => true,
        };
        open.iter().copied().find(marked)
    }
    /// What it takes to exclude a side.
    fn exclude(&mut self, known: &mut Known, demands: &Demands, side: &Unfollowed) -> Needs {
        known.add(&self.expand_all(&side.reasons), None);
        known.aside.extend(self.aside_behind(&side.reasons, None));
        self.see_to(known, demands);
        let mut users = Needs::new();
        for at in &side.unexplained {
            let found = self.settle(known, None, *at);
            known.aside.extend(self.see_to_rests(&found, None));
            let needed: Needs = found.keys.iter().flat_map(|key| self.expand_key(key)).collect();
            known.add(&needed, None);
            self.see_to(known, demands);
            // By now what the groups of the engine's own rest on is known.
            users.extend(found.keys.iter().flat_map(|key| self.expand_key(key)));
        }
        users.extend(self.expand_all(&side.reasons));
        users
    }
    /// Sees to all that is pending, and to what comes of it.
    fn see_to(&mut self, known: &mut Known, demands: &Demands) {
        loop {
            while let Some(user) = known.pending.pop() {
                let Some(demand) = demands.get(&user) else { continue };
                known.add(&self.expand_all(demand), Some(user));
                known.aside.extend(self.aside_behind(demand, Some(user)));
            }
            let Some((check, user)) = known.aside.pop_first() else { return };
            let found = self.settle_check(known, check);
            known.aside.extend(self.see_to_rests(&found, user));
            let users = self.expand(Premise::Check(check));
            known.add(&users, user);
        }
    }
    fn settle_check(&mut self, known: &mut Known, check: CheckId) -> Rc<Found> {
        if self.solving.is_settled(&self.facts, check) {
            return self.solving.core(check);
        }
        let found = self.settle(known, Some(check), self.facts.tree.checks[check].at);
        if !found.keys.is_empty() {
            // What was expanded before may contain the check.
            self.expanded.clear();
        }
        found
    }
    /// What a proof needs besides.
    fn settle(&mut self, known: &mut Known, check: Option<CheckId>, at: NodeId) -> Rc<Found> {
        let curious = self.facts.is_of_function();
        if !curious && self.brings_nothing_new(known, check, at) {
            return self.solving.settle_for_nothing(check);
        }
        let mut cx = Cx { facts: self.facts, explainer: &mut *self.explainer };
        self.solving.settle(&mut cx, check, at, &|key| known.has(self.facts, key))
    }
    /// Whether all that could be needed there is known to be. What follows from the rest of the path is.
    fn brings_nothing_new(&mut self, known: &mut Known, check: Option<CheckId>, at: NodeId) -> bool {
        let mut keys = self.solving.keys_on_path(&self.facts, check, at);
        keys.retain(|key| !known.has(self.facts, key));
        if keys.iter().any(|key| matches!(key, Key::Users(_))) {
            return false;
        }
        keys.iter().all(|key| match key {
            Key::Fact(node) if self.facts.is_lemma(*node) => true,
            key if self.is_known(known, key) => known.groups.insert(key.clone()),
            _ => false,
        })
    }
    /// Whether a group comes down to what is known to be needed.
    fn is_known(&mut self, known: &Known, key: &Key) -> bool {
        let rests: BTreeSet<Premise> = self.rests_of_key(key).into_iter().collect();
        self.solve_all(rests.iter().copied().collect());
        self.aside_behind(&rests, None).is_empty()
            && self.expand_all(&rests).keys().all(|user| known.users.contains(user))
    }
    /// What the groups of a proof rest on is solved where that is easy; the other checks behind them.
    fn see_to_rests(&mut self, found: &Found, user: Option<UserId>) -> BTreeSet<(CheckId, Option<UserId>)> {
        let rests: BTreeSet<Premise> = found.keys.iter().flat_map(|key| self.rests_of_key(key)).collect();
        self.solve_all(rests.iter().copied().collect());
        self.aside_behind(&rests, user)
    }
    /// The checks behind premises of which nothing is known.
    fn aside_behind(&self, premises: &BTreeSet<Premise>, user: Option<UserId>) -> BTreeSet<(CheckId, Option<UserId>)> {
        let checks = self.involved(premises).into_iter();
        checks.filter(|check| !self.solving.is_settled(&self.facts, *check)).map(|check| (check, user)).collect()
    }
}
