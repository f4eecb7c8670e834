//! The dependencies within one member, from its proof tree.

use crate::depend::blame::{Blame, Facts};
use crate::depend::nodes::UserId;
use crate::depend::question::{Key, Question, Scope, Symbols, user_rank};
use crate::depend::shrink::{Budget, Effort, shrink};
use echis_proof::{CheckId, Core, Explainer, NodeId, Premise, Role, Step};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

/// What one member's proofs need.
#[derive(Clone, Default, Debug)]
pub struct MemberNeeds {
    /// For each node that demands something here, what that takes. The flag: only because something cannot be reached.
    pub needs: BTreeMap<UserId, BTreeMap<UserId, Via>>,
    /// Nodes that demand something that could not be proved.
    pub failed: BTreeSet<UserId>,
    /// Nodes all of whose proofs are vacuous: the facts contradict each other.
    pub vacuous: BTreeSet<UserId>,
    pub statistics: Counts,
}

/// How a dependency comes about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Via {
    Proof,
    /// Only the proof that some path cannot be taken needs it.
    Infeasibility,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Counts {
    pub checks: usize,
    /// Proofs that could not be found again: all facts of their paths are blamed.
    pub lost: usize,
}

/// How many questions `fast` asks a member beyond the first two for each check.
const FAST: usize = 1200;

type Users = BTreeMap<UserId, Via>;

/// The core of one check.
#[derive(Clone, Debug)]
struct Found {
    keys: Vec<Key>,
    via: Via,
    vacuous: bool,
}

pub struct Analysis<'a> {
    facts: Facts<'a>,
    explainer: &'a mut dyn Explainer,
    effort: Effort,
    budget: Budget,
    cores: HashMap<CheckId, Rc<Found>>,
    expanded: HashMap<Premise, Rc<Users>>,
    symbols: Symbols,
    counts: Counts,
}

impl<'a> Analysis<'a> {
    pub fn new(facts: Facts<'a>, explainer: &'a mut dyn Explainer, effort: Effort) -> Self {
        Analysis {
            facts,
            explainer,
            effort,
            budget: Budget(FAST),
            cores: HashMap::new(),
            expanded: HashMap::new(),
            symbols: Symbols::default(),
            counts: Counts::default(),
        }
    }
    /// All dependencies of all nodes, or of those that are wanted.
    pub fn run(mut self, wanted: impl Fn(UserId) -> bool) -> MemberNeeds {
        let mut result = MemberNeeds::default();
        let demands = self.demands(&mut result);
        let closed = self.closed();
        for (user, demand) in demands {
            if !wanted(user) {
                continue;
            }
            let mut users = self.expand_all(&demand);
            if self.effort != Effort::Off {
                users = self.jointly(&demand, users);
            }
            for (on, via) in &closed {
                add(&mut users, *on, *via);
            }
            let checks: Vec<CheckId> = demand.iter().filter_map(check_of).collect();
            let proved: Vec<CheckId> = checks.into_iter().filter(|check| !self.is_trivial(*check)).collect();
            if !proved.is_empty() && proved.iter().all(|check| self.core(*check).vacuous) {
                result.vacuous.insert(user);
            }
            result.needs.insert(user, users);
        }
        result.statistics = self.counts;
        result
    }
    /// For each node what it demands: obligations, and premises of what it states.
    fn demands(&self, result: &mut MemberNeeds) -> BTreeMap<UserId, BTreeSet<Premise>> {
        let tree = self.facts.tree;
        let mut demands: BTreeMap<UserId, BTreeSet<Premise>> = BTreeMap::new();
        for (id, check) in tree.checks.iter() {
            let Role::Obligation(property) = &check.role else { continue };
            let origin = tree.origins[check.origin];
            let user = self.facts.responsible(origin).or_else(|| self.facts.nodes.find(self.facts.program, property.at));
            let Some(user) = user else { continue };
            if tree.verdicts.get(id).is_some_and(|verdict| verdict.is_proved()) {
                demands.entry(user).or_default().insert(Premise::Check(id));
            } else {
                result.failed.insert(user);
            }
        }
        for (id, node) in tree.nodes.iter() {
            let (Step::Assume { premises, .. } | Step::Dead { premises, .. }) = &node.step else { continue };
            if premises.is_empty() || self.facts.source(id) != id {
                continue;
            }
            if let (Blame::Shown(_), Some(user)) = (self.facts.blame(id), self.facts.responsible(tree.origin_of(id))) {
                demands.entry(user).or_default().extend(premises.iter().copied());
            }
        }
        demands
    }
    /// What keeps the paths closed that were not followed.
    fn closed(&mut self) -> Users {
        let mut users = Users::new();
        for at in self.facts.tree.closed.clone() {
            let found = self.find(at, None, |_| true);
            for key in &found.keys {
                for user in self.expand_key(key).keys() {
                    add(&mut users, *user, Via::Infeasibility);
                }
            }
        }
        users
    }
    fn expand_all<'p>(&mut self, premises: impl IntoIterator<Item = &'p Premise>) -> Users {
        let mut users = Users::new();
        for premise in premises {
            for (user, via) in self.expand(*premise).iter() {
                add(&mut users, *user, *via);
            }
        }
        users
    }
    /// The nodes that a premise comes down to.
    fn expand(&mut self, premise: Premise) -> Rc<Users> {
        if let Some(known) = self.expanded.get(&premise) {
            return known.clone();
        }
        let users = stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || match premise {
            Premise::Fact(node) => self.expand_fact(node),
            Premise::Check(check) => self.expand_check(check),
        });
        let users = Rc::new(users);
        self.expanded.insert(premise, users.clone());
        users
    }
    fn expand_fact(&mut self, node: NodeId) -> Users {
        match self.facts.blame(node) {
            Blame::Free => Users::new(),
            Blame::Shown(users) => users.into_iter().map(|user| (user, Via::Proof)).collect(),
            Blame::Hidden => self.expand_all(self.facts.premises(node)),
        }
    }
    fn expand_check(&mut self, check: CheckId) -> Users {
        let found = self.core(check);
        let mut users = Users::new();
        for key in &found.keys {
            for (user, via) in self.expand_key(key) {
                add(&mut users, user, via.max(found.via));
            }
        }
        for premise in self.facts.unlabelled_premises_of_check(check) {
            for (user, via) in self.expand(premise).iter() {
                add(&mut users, *user, *via);
            }
        }
        users
    }
    fn expand_key(&mut self, key: &Key) -> Users {
        match key {
            Key::Users(users) => users.iter().map(|user| (*user, Via::Proof)).collect(),
            Key::Fact(node) => {
                let premises = self.facts.unlabelled_premises(*node);
                self.expand_all(&premises)
            }
            Key::Grant(node) => (*self.expand(Premise::Fact(*node))).clone(),
        }
    }
}

/// Cores.
impl Analysis<'_> {
    fn is_trivial(&self, check: CheckId) -> bool {
        self.facts.tree.terms.is_true(self.facts.tree.checks[check].goal)
            && self.facts.tree.labelled_goals.get(check).is_none()
    }
    fn core(&mut self, check: CheckId) -> Rc<Found> {
        if let Some(known) = self.cores.get(&check) {
            return known.clone();
        }
        let found = if self.is_trivial(check) {
            Found { keys: Vec::new(), via: Via::Proof, vacuous: false }
        } else {
            self.counts.checks += 1;
            self.find(self.facts.tree.checks[check].at, Some(check), |_| true)
        };
        let found = Rc::new(found);
        self.cores.insert(check, found.clone());
        found
    }
    /// The core of a check, or of the contradiction at a node, using allowed facts only.
    fn find(&mut self, at: NodeId, check: Option<CheckId>, allowed: impl Fn(&Key) -> bool) -> Found {
        for scope in [Scope::Connected, Scope::All] {
            let question = Question::new(&self.facts, &mut self.symbols, at, check, scope);
            if let Some(found) = self.solve(&question, &allowed) {
                return found;
            }
        }
        // The proof was found once and cannot be found again: everything on the path counts.
        self.counts.lost += 1;
        let question = Question::new(&self.facts, &mut self.symbols, at, check, Scope::All);
        let keys = question.groups.into_iter().map(|group| group.key).filter(|key| allowed(key)).collect();
        Found { keys, via: Via::Proof, vacuous: false }
    }
    fn solve(&mut self, question: &Question, allowed: &dyn Fn(&Key) -> bool) -> Option<Found> {
        let terms = &self.facts.tree.terms;
        let all: Vec<usize> =
            (0..question.groups.len()).filter(|group| allowed(&question.groups[*group].key)).collect();
        if let Some(stated) = question.stated(terms)
            && stated.iter().all(|group| all.contains(group))
        {
            return Some(found(question, &Core { groups: stated, uses_goal: true }, true));
        }
        self.explainer.pose(terms, &question.always, &question.terms_of_groups(), question.goal);
        let order = |groups: &[usize]| question.order(groups);
        let core = shrink(self.explainer, &all, order, self.effort, &mut self.budget)?;
        let core = self.improve(question, &all, core);
        let has_goal = !terms.is_false(question.goal);
        if core.uses_goal || !has_goal || self.effort == Effort::Off {
            return Some(found(question, &core, has_goal));
        }
        // The facts contradict each other. Perhaps the goal has a proof of its own as well.
        for group in question.order(&core.groups) {
            if self.effort == Effort::Fast && !self.budget.take() {
                break;
            }
            let without: Vec<usize> = all.iter().copied().filter(|kept| *kept != group).collect();
            if let Some(other) = shrink(self.explainer, &without, order, self.effort, &mut self.budget)
                && other.uses_goal
            {
                return Some(found(question, &other, has_goal));
            }
        }
        Some(found(question, &core, has_goal))
    }
}

/// Better cores.
impl Analysis<'_> {
    /// A solver names the first proof it finds. Looks for one that does without what is believed or drags much along.
    fn improve(&mut self, question: &Question, all: &[usize], mut core: Core) -> Core {
        if self.effort == Effort::Off {
            return core;
        }
        let order = |groups: &[usize]| question.order(groups);
        let mut avoided: Vec<usize> = Vec::new();
        let mut pending = question.order(&core.groups);
        while let Some(group) = (!pending.is_empty()).then(|| pending.remove(0)) {
            if question.weight(group) < Question::HEAVY || !core.groups.contains(&group) {
                continue;
            }
            if self.effort == Effort::Fast && !self.budget.take() {
                break;
            }
            let without: Vec<usize> =
                all.iter().copied().filter(|kept| *kept != group && !avoided.contains(kept)).collect();
            if let Some(other) = shrink(self.explainer, &without, order, self.effort, &mut self.budget)
                && other.uses_goal >= core.uses_goal
                && question.cost(&other.groups) < question.cost(&core.groups)
            {
                avoided.push(group);
                pending = question.order(&other.groups);
                core = other;
            }
        }
        core
    }
}

/// All checks of a node together.
impl Analysis<'_> {
    /// Drops nodes without which all proofs still go through, each perhaps in another way than the one found first.
    fn jointly(&mut self, demand: &BTreeSet<Premise>, mut users: Users) -> Users {
        let checks = self.involved(demand);
        if checks.len() < 2 || users.len() < 2 {
            return users;
        }
        let forced = self.forced(demand, &checks);
        let mut order: Vec<UserId> = users.keys().copied().filter(|user| !forced.contains(user)).collect();
        order.sort_by_key(|user| (user_rank(self.facts.nodes, *user), *user));
        for dropped in order {
            if !users.contains_key(&dropped) {
                continue;
            }
            if self.effort == Effort::Fast && self.budget.is_spent() {
                break;
            }
            if self.do_without(&checks, &users, dropped) {
                self.expanded.clear();
                users = self.expand_all(demand);
            }
        }
        users
    }
    /// The checks that a demand comes down to before anything is shown.
    fn involved(&mut self, demand: &BTreeSet<Premise>) -> Vec<CheckId> {
        let mut seen: BTreeSet<Premise> = BTreeSet::new();
        let mut pending: Vec<Premise> = demand.iter().copied().collect();
        let mut checks = BTreeSet::new();
        while let Some(premise) = pending.pop() {
            if !seen.insert(premise) {
                continue;
            }
            match premise {
                Premise::Check(check) => {
                    checks.insert(check);
                    pending.extend(self.facts.unlabelled_premises_of_check(check));
                    for key in &self.core(check).keys {
                        match key {
                            Key::Users(_) => {}
                            Key::Fact(node) => pending.extend(self.facts.unlabelled_premises(*node)),
                            Key::Grant(node) => pending.push(Premise::Fact(*node)),
                        }
                    }
                }
                Premise::Fact(node) => {
                    if self.facts.blame(node) == Blame::Hidden {
                        pending.extend(self.facts.premises(node));
                    }
                }
            }
        }
        checks.into_iter().collect()
    }
    /// Nodes that are needed whatever cores are found.
    fn forced(&mut self, demand: &BTreeSet<Premise>, checks: &[CheckId]) -> BTreeSet<UserId> {
        let mut premises: Vec<Premise> = demand.iter().copied().collect();
        for check in checks {
            premises.extend(self.facts.unlabelled_premises_of_check(*check));
        }
        let mut forced = BTreeSet::new();
        let mut seen = BTreeSet::new();
        while let Some(premise) = premises.pop() {
            let Premise::Fact(node) = premise else { continue };
            if !seen.insert(node) {
                continue;
            }
            match self.facts.blame(node) {
                Blame::Shown(users) => forced.extend(users),
                Blame::Hidden => premises.extend(self.facts.premises(node)),
                Blame::Free => {}
            }
        }
        forced
    }
    /// Whether all checks can be proved without one node and with no other new one. If so, their cores are replaced.
    fn do_without(&mut self, checks: &[CheckId], users: &Users, dropped: UserId) -> bool {
        let mut replaced = Vec::new();
        for &check in checks {
            let found = self.core(check);
            let affected = found.keys.iter().any(|key| matches!(key, Key::Users(users) if users.contains(&dropped)));
            if !affected {
                continue;
            }
            let at = self.facts.tree.checks[check].at;
            let question = Question::new(&self.facts, &mut self.symbols, at, Some(check), Scope::Connected);
            let mut allowed = BTreeSet::new();
            for group in &question.groups {
                let kept = |user: &UserId| *user != dropped && users.contains_key(user);
                let fine = match &group.key {
                    Key::Users(users) => users.iter().all(kept),
                    key => self.known_expansion(key).is_some_and(|users| users.keys().all(kept)),
                };
                if fine {
                    allowed.insert(group.key.clone());
                }
            }
            match self.solve(&question, &|key| allowed.contains(key)) {
                Some(found) => replaced.push((check, found)),
                None => return false,
            }
        }
        for (check, found) in replaced {
            self.cores.insert(check, Rc::new(found));
        }
        true
    }
    /// What a group of the engine's own comes down to, if that has been found out: finding out may be expensive.
    fn known_expansion(&self, key: &Key) -> Option<Users> {
        let premises = match key {
            Key::Fact(node) => self.facts.unlabelled_premises(*node),
            Key::Grant(node) => vec![Premise::Fact(*node)],
            Key::Users(_) => return None,
        };
        let mut users = Users::new();
        for premise in premises {
            for (user, via) in self.expanded.get(&premise)?.iter() {
                add(&mut users, *user, *via);
            }
        }
        Some(users)
    }
}

fn found(question: &Question, core: &Core, has_goal: bool) -> Found {
    let dead = core.groups.iter().any(|group| question.groups[*group].dead);
    let vacuous = has_goal && !core.uses_goal;
    let via = if dead && (vacuous || !has_goal) || vacuous { Via::Infeasibility } else { Via::Proof };
    Found { keys: core.groups.iter().map(|group| question.groups[*group].key.clone()).collect(), via, vacuous }
}

/// A dependency that some proof needs is one, whatever else needs it.
fn add(users: &mut Users, user: UserId, via: Via) {
    users.entry(user).and_modify(|known| *known = (*known).min(via)).or_insert(via);
}

fn check_of(premise: &Premise) -> Option<CheckId> {
    match premise {
        Premise::Check(check) => Some(*check),
        Premise::Fact(_) => None,
    }
}
