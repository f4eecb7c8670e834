//! The dependencies within one member, from its proof tree.

mod together;

use crate::depend::blame::{Blame, Facts};
use crate::depend::execution::{Definition, Parts, Recorder};
use crate::depend::nodes::UserId;
use crate::depend::question::{Key, user_rank};
use crate::depend::shrink::Effort;
use crate::depend::solve::{Asking, Cx, Found, Solving, Thing, thing};
use echis_proof::{CheckId, Explainer, NodeId, Premise, Question, Role};
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
    /// The same fact by fact, if that was asked for.
    pub parts: Option<Parts>,
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
    /// Those that needed no solver.
    pub easy: usize,
    /// Proofs that could not be found again: all facts of their paths are blamed.
    pub lost: usize,
    /// What proofs took in verification, and what replaying them took, in the solver's units.
    pub verified: u64,
    pub replayed: u64,
}

type Users = BTreeMap<UserId, Via>;

pub struct Analysis<'a> {
    facts: Facts<'a>,
    explainer: &'a mut dyn Explainer,
    solving: Solving,
    effort: Effort,
    expanded: HashMap<Premise, Rc<Users>>,
}

impl<'a> Analysis<'a> {
    /// Goes on from what was solved before.
    pub fn new(facts: Facts<'a>, explainer: &'a mut dyn Explainer, effort: Effort, solving: Solving) -> Self {
        Analysis { facts, explainer, solving, effort, expanded: HashMap::new() }
    }
    /// All dependencies of all nodes, or of those that are wanted.
    pub fn run(mut self, definition: Definition, wanted: impl Fn(UserId) -> bool) -> MemberNeeds {
        let mut result = MemberNeeds::default();
        let mut demands = self.demands(&mut result);
        demands.retain(|user, _| wanted(*user));
        self.solve_all(demands.values().flatten().copied().collect());
        let closed = self.closed();
        if !closed.is_empty() {
            let unreached = self.facts.own_assertions().filter(|user| !demands.contains_key(user) && wanted(*user));
            result.needs.extend(unreached.map(|user| (user, closed.clone())));
        }
        let mut recorder = (definition == Definition::Execution).then(|| Recorder::new(self.facts));
        for (user, demand) in demands {
            let mut users = self.expand_all(&demand);
            if self.effort != Effort::Off {
                let before = users.clone();
                users = self.jointly(&demand, users);
                if let Some(recorder) = recorder.as_mut().filter(|_| users != before) {
                    recorder.forget();
                }
            }
            if let Some(recorder) = &mut recorder {
                let mut asking = Asking { solving: &mut self.solving, explainer: &mut *self.explainer };
                recorder.record(&mut asking, user);
            }
            for (on, via) in &closed {
                add(&mut users, *on, *via);
            }
            if self.is_vacuous(&demand) {
                result.vacuous.insert(user);
            }
            result.needs.insert(user, users);
        }
        result.parts = recorder.map(|recorder| recorder.finish(closed));
        result.statistics = self.solving.counts;
        result
    }
    /// Whether all that is demanded is shown by contradictions.
    fn is_vacuous(&self, demand: &BTreeSet<Premise>) -> bool {
        let mut checks =
            demand.iter().filter_map(check_of).filter(|check| !self.solving.is_trivial(&self.facts, *check)).peekable();
        checks.peek().is_some() && checks.all(|check| self.solving.core(check).vacuous)
    }
    /// Solves the checks that the premises come down to, in waves: cores name facts of the engine's own, which rest on
    /// further checks.
    fn solve_all(&mut self, premises: Vec<Premise>) {
        let mut seen: BTreeSet<Premise> = BTreeSet::new();
        let mut pending = premises;
        loop {
            let wave = self.facts.checks_behind(std::mem::take(&mut pending), &mut seen);
            if wave.is_empty() {
                return;
            }
            let mut cx = Cx { facts: self.facts, explainer: &mut *self.explainer };
            self.solving.solve_checks(&mut cx, &wave);
            for check in wave {
                pending.extend(self.rests_of(check));
            }
        }
    }
    /// What the facts of the engine's own in a core rest on.
    fn rests_of(&self, check: CheckId) -> Vec<Premise> {
        self.solving.core(check).keys.iter().flat_map(|key| self.rests_of_key(key)).collect()
    }
    fn rests_of_key(&self, key: &Key) -> Vec<Premise> {
        match key {
            Key::Users(_) => Vec::new(),
            Key::Fact(node) => self.facts.unlabelled_premises(*node),
            Key::Grant(node) => vec![Premise::Fact(*node)],
        }
    }
    /// For each node what it demands: obligations, and premises of what it states.
    fn demands(&self, result: &mut MemberNeeds) -> BTreeMap<UserId, BTreeSet<Premise>> {
        let tree = self.facts.tree;
        let mut demands: BTreeMap<UserId, BTreeSet<Premise>> = BTreeMap::new();
        for id in tree.checks.keys() {
            let Some(user) = self.facts.demander(id) else { continue };
            if self.facts.is_proved(id) {
                demands.entry(user).or_default().insert(Premise::Check(id));
            } else {
                result.failed.insert(user);
            }
        }
        for id in tree.nodes.keys() {
            if let Some(user) = self.facts.giver(id) {
                demands.entry(user).or_default().extend(self.facts.premises(id).iter().copied());
            }
        }
        demands
    }
    /// Why paths are closed that were not followed: what excludes the first case that cannot be, if that was asked. Where
    /// it was not, all that the path knows may be the reason.
    fn reasons_of_closed(&self) -> (BTreeSet<Premise>, Vec<NodeId>) {
        let facts = self.facts;
        let exclusions = facts.exclusions();
        let (mut reasons, mut others) = (BTreeSet::new(), Vec::new());
        for at in &facts.tree.closed {
            match facts.first_dead(*at).and_then(|dead| Some((dead, facts.excluded_by(dead, &exclusions)?))) {
                Some((dead, check)) => reasons.extend([Premise::Fact(dead), Premise::Check(check)]),
                None => others.push(*at),
            }
        }
        (reasons, others)
    }
    /// What keeps the paths closed that were not followed.
    fn closed(&mut self) -> Users {
        let (reasons, others) = self.reasons_of_closed();
        self.solve_all(reasons.iter().copied().collect());
        let mut users = Users::new();
        for user in self.expand_all(&reasons).keys() {
            add(&mut users, *user, Via::Infeasibility);
        }
        for at in others {
            let mut cx = Cx { facts: self.facts, explainer: &mut *self.explainer };
            let found = self.solving.contradiction(&mut cx, at);
            self.solve_all(found.keys.iter().flat_map(|key| self.rests_of_key(key)).collect());
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
        let found = self.solving.core(check);
        let mut users = Users::new();
        let apart = self.facts.tree.checks[check].role == Role::Probe(Question::Apart);
        let facts = self.facts;
        for key in found.keys.iter().filter(|key| !apart || facts.is_believed(key)) {
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

/// All checks of a node together.
impl Analysis<'_> {
    /// Drops nodes without which all proofs still go through, each perhaps in another way than the one found first.
    fn jointly(&mut self, demand: &BTreeSet<Premise>, mut users: Users) -> Users {
        let mut checks = self.involved(demand);
        checks.retain(|check| self.solving.is_settled(&self.facts, *check));
        if checks.len() < 2 || users.len() < 2 {
            return users;
        }
        let forced = self.forced(demand, &checks);
        let mut order: Vec<UserId> = users.keys().copied().filter(|user| !forced.contains(user)).collect();
        order.sort_by_key(|user| (user_rank(self.facts.nodes, *user), *user));
        let mut optional = self.optional(&checks);
        for dropped in order {
            if !self.solving.may_improve() || self.solving.is_impatient() {
                break;
            }
            if !users.contains_key(&dropped) || self.effort == Effort::Fast && !optional.contains(&dropped) {
                continue;
            }
            if self.do_without(&checks, &users, dropped) {
                self.expanded.clear();
                let again = demand.iter().copied().collect();
                self.solve_all(again);
                users = self.expand_all(demand);
                optional = self.optional(&checks);
            }
        }
        users
    }
    /// Nodes that some proofs of a thing use and others of the same thing do not.
    fn optional(&self, checks: &[CheckId]) -> BTreeSet<UserId> {
        let mut things: BTreeMap<Thing, (usize, BTreeMap<UserId, usize>)> = BTreeMap::new();
        for check in checks.iter().filter(|check| !self.solving.is_trivial(&self.facts, **check)) {
            let (proofs, uses) = things.entry(thing(&self.facts.tree.checks[*check])).or_default();
            *proofs += 1;
            let found = self.solving.core(*check);
            let used = found.keys.iter().filter_map(|key| if let Key::Users(users) = key { Some(users) } else { None });
            for user in used.flatten().copied().collect::<BTreeSet<UserId>>() {
                *uses.entry(user).or_default() += 1;
            }
        }
        let things = things.into_values();
        things
            .flat_map(|(proofs, uses)| uses.into_iter().filter(move |(_, used)| *used < proofs))
            .map(|(user, _)| user)
            .collect()
    }
    /// The checks that a demand comes down to before anything is shown.
    fn involved(&self, demand: &BTreeSet<Premise>) -> Vec<CheckId> {
        let mut seen: BTreeSet<Premise> = BTreeSet::new();
        let mut wave = self.facts.checks_behind(demand.iter().copied().collect(), &mut seen);
        let mut checks = BTreeSet::new();
        while !wave.is_empty() {
            let rests = wave.iter().flat_map(|check| self.rests_of(*check)).collect();
            checks.append(&mut wave);
            wave = self.facts.checks_behind(rests, &mut seen);
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
        let kept = |user: &UserId| *user != dropped && users.contains_key(user);
        let uses =
            |found: &Found| found.keys.iter().any(|key| matches!(key, Key::Users(users) if users.contains(&dropped)));
        let affected: BTreeSet<CheckId> =
            checks.iter().copied().filter(|check| uses(&self.solving.core(*check))).collect();
        let mut allowed: HashMap<Key, bool> = HashMap::new();
        for check in &affected {
            for key in self.solving.keys_near(&self.facts, *check) {
                let fine = match &key {
                    Key::Users(users) => users.iter().all(kept),
                    key => self.known_expansion(key).is_some_and(|users| users.keys().all(kept)),
                };
                allowed.insert(key, fine);
            }
        }
        let mut cx = Cx { facts: self.facts, explainer: &mut *self.explainer };
        self.solving.solve_within(&mut cx, &affected, &|key| allowed.get(key).copied().unwrap_or(false))
    }
    /// What a group of the engine's own comes down to, if that has been found out: finding out may be expensive.
    fn known_expansion(&self, key: &Key) -> Option<Users> {
        if let Key::Users(_) = key {
            return None;
        }
        let mut users = Users::new();
        for premise in self.rests_of_key(key) {
            for (user, via) in self.expanded.get(&premise)?.iter() {
                add(&mut users, *user, *via);
            }
        }
        Some(users)
    }
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
