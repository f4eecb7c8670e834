//! Finds assumptions that some obligation cannot be proved without. Coverage then need not verify the program without
//! them, which takes far longer than the question here.
//!
//! The obligation is asked again without one assumption and without everything known to rest on it. An obligation
//! that exists only because of the assumption shows nothing: it disappears with the assumption. A negative answer may
//! also mean that the solver gave up, so the result only saves trials and is never reported.

use super::{Analysis, GroupKey};
use crate::cores::CoreContext;
use crate::kind::Construct;
use crate::nodes::UserId;
use echis_proof::{CheckId, Role};
use std::collections::{BTreeMap, BTreeSet, HashMap};

impl Analysis<'_> {
    pub(super) fn indispensable(&mut self) -> BTreeSet<UserId> {
        let facts = self.facts;
        let obligations = facts.tree.checks.iter().filter(|(_, check)| matches!(check.role, Role::Obligation(_)));
        let mut checks: Vec<CheckId> = obligations.map(|(id, _)| id).collect();
        checks.retain(|check| facts.is_proved(*check) && self.search.is_solved(&facts, *check));
        checks.sort_by_key(|check| (self.search.effort(&facts, *check), *check));
        let mut found = BTreeSet::new();
        let mut asked: BTreeMap<UserId, usize> = BTreeMap::new();
        for check in checks {
            if self.search.allowance.is_spent_on_doubts() {
                break;
            }
            let mut users = self.doubtful(check);
            users.retain(|user| {
                let times = asked.entry(*user).or_default();
                *times += 1;
                !found.contains(user) && *times <= self.search.allowance.policy.doubts
            });
            if users.is_empty() {
                continue;
            }
            // Groups whose dependencies are unknown are left out: computing these may be expensive.
            let mut resting: HashMap<GroupKey, BTreeSet<UserId>> = HashMap::new();
            for key in self.search.keys_near(&facts, check) {
                let on = match &key {
                    GroupKey::Users(users) => Some(users.iter().copied().collect()),
                    key => self.known_expansion(key).map(|needs| needs.into_keys().collect()),
                };
                resting.extend(on.map(|on| (key, on)));
            }
            let mut cx = CoreContext { facts, explainer: &mut *self.explainer };
            found.extend(self.search.unprovable_without(&mut cx, check, &users, &resting));
        }
        found
    }
    /// Assumptions that a check's proof uses and that could be removed from the program while keeping the check.
    fn doubtful(&self, check: CheckId) -> Vec<UserId> {
        let own = self.facts.users(self.facts.tree.origins[self.facts.tree.checks[check].origin]);
        let core = self.search.core(check);
        let users = core.keys.iter().flat_map(|key| match key {
            GroupKey::Users(users) => &users[..],
            GroupKey::Fact(_) | GroupKey::Grant(_) => &[],
        });
        let can_go = |user: &UserId| {
            use Construct::{Axiom, Inhale, Invariant, Precondition};
            matches!(self.facts.nodes.all[*user].construct, Precondition | Invariant | Inhale | Axiom)
        };
        users.copied().filter(|user| can_go(user) && !own.contains(user)).collect()
    }
}
