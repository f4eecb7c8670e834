//! A check as a question over groups of facts, so that it can be proved again.

use crate::blame::{Blame, Facts};
use crate::kind::Assumption;
use crate::minimize::{GroupWeights, Minimization};
use crate::nodes::UserId;
use crate::path::{Label, Path, PathFact};
use crate::policy::Policy;
use crate::rank::{GroupKey, Rank};
use echis_base::FastMap;
use echis_derive::Preference;
use echis_proof::{CheckId, Labelled, NodeId, Premise};
use echis_term::{Op, TermId, Terms};
use std::collections::{BTreeMap, BTreeSet, HashSet};

#[derive(Debug)]
pub struct CoreQuestion {
    pub always: Vec<TermId>,
    pub groups: Vec<Group>,
    pub goal: TermId,
}

#[derive(Clone, Debug)]
pub struct Group {
    pub key: GroupKey,
    pub facts: Vec<TermId>,
    /// Whether one of its facts closes the path.
    pub dead: bool,
    /// Groups with the lowest rank are dropped first, if possible.
    pub rank: Rank,
    /// Its weight when cores are compared.
    pub weight: usize,
}

/// The goal of a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    Check(CheckId),
    Fact(TermId),
    Contradiction,
}

/// The facts of the path that a question includes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Non-redundant facts that share symbols with the goal, directly or through few others.
    Near,
    /// Facts within a larger distance, including redundant ones.
    Wide,
    All,
}

impl CoreQuestion {
    pub fn new(
        facts: &Facts,
        path: &mut Path,
        redundant: &FastMap<NodeId, bool>,
        at: NodeId,
        goal: Goal,
        scope: Scope,
    ) -> Self {
        let tree = facts.tree;
        let (goal, check) = match goal {
            Goal::Check(check) => {
                let labelled = tree.labelled_goals.get(check).map(|labelled| labelled.term);
                (labelled.unwrap_or(tree.checks[check].goal), Some(check))
            }
            Goal::Fact(fact) => (fact, None),
            Goal::Contradiction => (tree.terms.literal(false), None),
        };
        path.go_to(facts, redundant, at);
        CoreQuestion::within(facts, path, goal, check, |path, grants| match scope {
            Scope::All => (path.facts(), grants),
            Scope::Wide => path.relevant(&tree.terms, goal, &grants, path.policy.wide, false),
            Scope::Near => {
                let says_nothing = |node: &NodeId| redundant.get(node).is_some_and(|redundant| *redundant);
                let mut grants = grants;
                grants.retain(|(_, grant)| !says_nothing(grant) && !facts.is_lemma(*grant));
                path.relevant(&tree.terms, goal, &grants, path.policy.near, true)
            }
        })
    }
    /// A check with these facts of its path, and grants with these labels. `None`: some of the facts are not told to replays.
    pub fn of_facts(
        facts: &Facts,
        path: &mut Path,
        redundant: &FastMap<NodeId, bool>,
        check: CheckId,
        used: &HashSet<NodeId>,
        labels: &HashSet<TermId>,
    ) -> Option<Self> {
        let tree = facts.tree;
        let labelled = tree.labelled_goals.get(check).map(|labelled| labelled.term);
        let goal = labelled.unwrap_or(tree.checks[check].goal);
        path.go_to(facts, redundant, tree.checks[check].at);
        let mut found = 0;
        let question = CoreQuestion::within(facts, path, goal, Some(check), |path, mut grants| {
            let mut told = path.facts();
            told.retain(|fact| used.contains(&fact.node));
            found = told.len();
            grants.retain(|(label, _)| labels.contains(label));
            (told, grants)
        });
        (found == used.len()).then_some(question)
    }
    /// A question with what is selected of the facts and labels of the present path.
    fn within(
        facts: &Facts,
        path: &mut Path,
        goal: TermId,
        check: Option<CheckId>,
        select: impl FnOnce(&mut Path, Vec<Label>) -> (Vec<&PathFact>, Vec<Label>),
    ) -> Self {
        let tree = facts.tree;
        let policy = path.policy;
        let mut labels = path.labels();
        for (label, grant) in
            check.and_then(|check| tree.labelled_goals.get(check)).iter().flat_map(|goal| &goal.labels)
        {
            labels.entry(*label).or_insert(*grant);
        }
        let grants: Vec<Label> = labels.iter().map(|(label, grant)| (*label, *grant)).collect();
        let (stated, grants) = select(path, grants);
        let demander = check.and_then(|check| facts.demander(check));
        let mut always = Vec::new();
        let mut groups: BTreeMap<GroupKey, Group> = BTreeMap::new();
        let grants = grants.into_iter().map(|(label, grant)| (grant, label, Some(GroupKey::Grant(grant))));
        let stated = stated.into_iter().map(|fact| {
            let PathFact { node, term, .. } = *fact;
            let labelled = || tree.labelled_facts.get(node).is_some();
            let key = match &fact.blame {
                Blame::Free => None,
                // An application made only to state the demand is no reason for it.
                Blame::Shown(_) if demander.is_some_and(|user| facts.is_application_by(node, user)) => None,
                Blame::Shown(users) => Some(GroupKey::Users(users.clone())),
                Blame::Hidden if labelled() && facts.unlabelled_premises(node).is_empty() => None,
                Blame::Hidden if labels.contains_key(&term) => Some(GroupKey::Grant(node)),
                Blame::Hidden => Some(GroupKey::Fact(node)),
            };
            (node, term, key)
        });
        for (node, term, key) in stated.chain(grants) {
            let Some(key) = key else {
                always.push(term);
                continue;
            };
            let dead = facts.is_dead(node);
            let rank = Rank::new(facts, &key, dead);
            let group = groups.entry(key.clone()).or_insert(Group { key, facts: Vec::new(), dead, rank, weight: 0 });
            group.dead |= dead;
            group.rank = group.rank.min(rank);
            if !group.facts.contains(&term) {
                group.facts.push(term);
            }
        }
        let mut groups: Vec<Group> = groups.into_values().collect();
        groups.iter_mut().for_each(|group| group.weight = weight(&policy, group));
        CoreQuestion { always, groups, goal }
    }
    /// The question restricted to some groups.
    pub fn only(&self, groups: &[usize]) -> CoreQuestion {
        let groups = groups.iter().map(|group| self.groups[*group].clone()).collect();
        CoreQuestion { always: self.always.clone(), groups, goal: self.goal }
    }
    /// The groups that state the goal itself, or each conjunct of it: no solver is needed.
    pub fn stated(&self, terms: &Terms, minimization: Minimization) -> Option<Vec<usize>> {
        let parts: Vec<TermId> = match terms.as_op(self.goal) {
            Some((Op::And, parts)) => parts.to_vec(),
            _ => vec![self.goal],
        };
        if terms.is_false(self.goal) {
            return None;
        }
        let mut groups = Vec::new();
        for part in parts {
            if self.always.contains(&part) {
                continue;
            }
            let best = self
                .groups
                .iter()
                .enumerate()
                .filter(|(_, group)| !group.dead && group.facts.contains(&part))
                .min_by_key(|(index, _)| self.cost(&[*index]))?;
            // Groups with many dependencies are avoided if other facts may suffice.
            if self.is_heavy(best.0, minimization) {
                return None;
            }
            groups.push(best.0);
        }
        groups.sort_unstable();
        groups.dedup();
        Some(groups)
    }
    /// A group that states `false`.
    pub fn falsehood(&self, terms: &Terms) -> Option<usize> {
        self.groups.iter().position(|group| group.facts.iter().any(|fact| terms.is_false(*fact)))
    }
    /// The number of axioms in the question.
    pub fn axioms(&self) -> u64 {
        self.groups.iter().filter(|group| group.rank == Rank::Axiom).count() as u64
    }
    /// Orders groups of the same rank: older facts are dropped first, but for grants and explicit assumptions the
    /// younger ones: what came later was not needed before.
    pub fn age(&self, group: usize) -> usize {
        match (&self.groups[group].key, self.groups[group].rank) {
            (GroupKey::Grant(_), _) | (_, Rank::Believed) => self.groups.len() - group,
            _ => group,
        }
    }
    /// Whether the group is permission from an invariant, which brings in the loop.
    pub fn brings_a_loop(&self, group: usize) -> bool {
        self.groups[group].brings_a_loop()
    }
    pub fn terms_of_groups(&self) -> Vec<Vec<TermId>> {
        self.groups.iter().map(|group| group.facts.clone()).collect()
    }
}

impl Group {
    fn brings_a_loop(&self) -> bool {
        matches!((&self.key, self.rank), (GroupKey::Grant(_), Rank::Call))
    }
}

fn weight(policy: &Policy, group: &Group) -> usize {
    match (&group.key, group.rank) {
        (GroupKey::Fact(_), Rank::Lemma) => policy.weight_lemma,
        (GroupKey::Fact(_), _) => policy.weight_own,
        (GroupKey::Grant(_), _) if group.brings_a_loop() => policy.weight_loop_grant,
        (GroupKey::Grant(_), _) => policy.weight_grant,
        (GroupKey::Users(_), Rank::Invariant) => policy.weight_invariant,
        (GroupKey::Users(_), Rank::Call) => policy.weight_call,
        (GroupKey::Users(_), Rank::Believed) => policy.weight_believed,
        (GroupKey::Users(_), Rank::Condition | Rank::Assignment) => policy.weight_code,
        (GroupKey::Users(_), _) => policy.weight_other,
    }
}

impl GroupWeights for CoreQuestion {
    fn is_heavy(&self, group: usize, minimization: Minimization) -> bool {
        let grants = || self.groups.iter().filter(|group| matches!(group.key, GroupKey::Grant(_))).count();
        match self.groups[group].key {
            // Alternatives to other groups are hardly ever found.
            _ if minimization != Minimization::Full => self.brings_a_loop(group) && grants() > 1,
            GroupKey::Grant(_) => grants() > 1,
            GroupKey::Fact(_) => self.groups[group].rank == Rank::Lemma,
            GroupKey::Users(_) => self.groups[group].rank <= Rank::Invariant,
        }
    }
}

impl Facts<'_> {
    /// Whether a group consists of explicit assumptions. For the difference between a location and one whose value is
    /// forgotten, only such groups are shown: permission to the other location, or its creation, disappears with the
    /// forgetting statement, on which nothing rests.
    pub fn is_believed(&self, key: &GroupKey) -> bool {
        let explicit = |user: &UserId| self.nodes.all[*user].assumption == Some(Assumption::Explicit);
        matches!(key, GroupKey::Users(users) if users.iter().all(explicit))
    }
    /// The checks that premises expand to, regardless of their cores, except those behind premises seen before.
    pub fn checks_behind(&self, mut pending: Vec<Premise>, seen: &mut BTreeSet<Premise>) -> BTreeSet<CheckId> {
        let mut checks = BTreeSet::new();
        while let Some(premise) = pending.pop() {
            if !seen.insert(premise) {
                continue;
            }
            match premise {
                Premise::Check(check) => {
                    checks.insert(check);
                    pending.extend(self.unlabelled_premises_of_check(check));
                }
                Premise::Fact(node) if self.blame(node) == Blame::Hidden => pending.extend(self.premises(node)),
                Premise::Fact(_) => {}
            }
        }
        checks
    }
    /// Premises of a fact that are not represented by labels.
    pub fn unlabelled_premises(&self, node: NodeId) -> Vec<Premise> {
        without_labels(self.premises(node), self.tree.labelled_facts.get(node))
    }
    pub fn unlabelled_premises_of_check(&self, check: CheckId) -> Vec<Premise> {
        without_labels(&self.tree.checks[check].premises, self.tree.labelled_goals.get(check))
    }
}

fn without_labels(premises: &[Premise], labelled: Option<&Labelled>) -> Vec<Premise> {
    let has_label = |premise: &Premise| match (premise, labelled) {
        (Premise::Fact(grant), Some(labelled)) => labelled.labels.iter().any(|(_, labelled)| labelled == grant),
        _ => false,
    };
    premises.iter().copied().filter(|premise| !has_label(premise)).collect()
}
