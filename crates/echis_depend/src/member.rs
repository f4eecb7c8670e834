//! The dependencies within one member, from its proof tree.

mod elsewhere;

use crate::blame::{Blame, Facts};
use crate::cores::{CheckCore, CheckSubject, CoreContext, CoreOracle, CoreSearch, subject};
use crate::execution::{self, Recorder};
use crate::expansion::{Expansion, NodeLeaves};
use crate::kind::Construct;
use crate::minimize::Minimization;
use crate::needs::{Coarse, MemberNeeds, Needs, add};
use crate::nodes::UserId;
use crate::options::Definition;
use crate::owner::Owner;
use crate::rank::{GroupKey, Rank};
use crate::skipped_paths::{Unfollowed, all_exclusion_needs, close_exclusions, exclusion_needs, unreachable_nodes};
use crate::via::Via;
use echis_proof::{CheckId, ErrorKind, Explainer, Premise, Role};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::rc::Rc;

pub struct Analysis<'a> {
    facts: Facts<'a>,
    explainer: &'a mut dyn Explainer,
    search: CoreSearch,
    minimization: Minimization,
    expansion: Expansion<'a, NodeLeaves<'a>>,
    /// The bodies of functions.
    bodies: BTreeMap<Owner, UserId>,
}

impl<'a> Analysis<'a> {
    /// Continues from an earlier search.
    pub fn new(
        facts: Facts<'a>,
        explainer: &'a mut dyn Explainer,
        minimization: Minimization,
        search: CoreSearch,
    ) -> Self {
        let expansion = Expansion::new(facts, NodeLeaves(facts));
        let bodies = facts.nodes.all.iter().filter(|(_, node)| node.construct == Construct::FunctionBody);
        let bodies = bodies.map(|(user, node)| (node.owner, user)).collect();
        Analysis { facts, explainer, search, minimization, expansion, bodies }
    }
    /// All dependencies of the wanted nodes.
    pub fn run(mut self, definition: Definition, wanted: impl Fn(UserId) -> bool) -> MemberNeeds {
        let mut result = MemberNeeds::default();
        let mut demands = self.demands(&mut result);
        demands.retain(|user, _| wanted(*user));
        self.solve_all(demands.values().flatten().copied().collect());
        let sides = self.unfollowed();
        result.dead = unreachable_nodes(&self.facts, &sides);
        let read_elsewhere = self.facts.read_elsewhere();
        let mut recorder = (definition == Definition::Execution).then(|| Recorder::new(self.facts));
        for (user, demand) in demands {
            let mut users = self.expand_all(&demand);
            if self.minimization != Minimization::Off {
                let before = users.clone();
                let excluding = exclusion_needs(&self.facts, &sides, user, &Needs::new(), true);
                users = self.minimize_needs(&demand, users, &excluding);
                if let Some(recorder) = recorder.as_mut().filter(|_| users != before) {
                    recorder.forget();
                }
            }
            if let Some(recorder) = &mut recorder {
                let mut oracle = CoreOracle { search: &mut self.search, explainer: &mut *self.explainer };
                recorder.record(&mut oracle, user);
            }
            if self.is_vacuous(&demand) {
                result.vacuous.insert(user);
            }
            if self.is_coarse(&demand) {
                result.coarse.insert(user, Coarse::Lost);
                for on in read_elsewhere.iter().filter(|on| **on != user) {
                    add(&mut users, *on, Via::Value);
                }
            }
            result.needs.insert(user, users);
        }
        result.fact_graph = recorder.as_ref().map(execution::fact_graph);
        let mut excluding = all_exclusion_needs(&self.facts, &sides, &result);
        excluding.retain(|user, _| wanted(*user));
        self.add_exclusion_needs(&mut result, excluding);
        if let Some(fact_graph) = &mut result.fact_graph {
            let lost = result.coarse.iter().filter(|(_, why)| **why == Coarse::Lost);
            for (user, on) in lost.flat_map(|(user, _)| read_elsewhere.iter().map(move |on| (*user, *on))) {
                if on != user {
                    add(fact_graph.closed.entry(user).or_default(), on, Via::Value);
                }
            }
        }
        result.flow = self.facts.flow();
        result.statistics = self.search.allowance.counts;
        result.proofs = self.search.proofs();
        result
    }
    /// Adds the reasons why unfollowed paths are infeasible, to the nodes they matter to.
    fn add_exclusion_needs(&self, result: &mut MemberNeeds, excluding: BTreeMap<UserId, Needs>) {
        if let Some(fact_graph) = &mut result.fact_graph {
            // In the fact graph, dependents of a node depend on its facts, not on these additional needs.
            for user in result.needs.keys() {
                let behind = reachable(&result.needs, *user).into_iter().filter_map(|on| excluding.get(&on));
                let users: Needs = behind.flatten().map(|(on, via)| (*on, *via)).collect();
                if !users.is_empty() {
                    fact_graph.closed.insert(*user, users);
                }
            }
            let unreached = excluding.iter().filter(|(user, _)| !result.needs.contains_key(user));
            fact_graph.closed.extend(unreached.map(|(user, users)| (*user, users.clone())));
        }
        for (user, users) in excluding {
            result.coarse.entry(user).or_insert(Coarse::Unfollowed);
            let needs = result.needs.entry(user).or_default();
            users.into_iter().for_each(|(on, via)| add(needs, on, via));
        }
    }
    /// Whether a demand may have smaller needs.
    fn is_coarse(&self, demand: &BTreeSet<Premise>) -> bool {
        let proved = |check: &CheckId| self.facts.is_proved(*check);
        self.search.has_coarse() && {
            let involved = self.checks_of(demand);
            involved.iter().filter(|check| proved(check)).any(|check| self.search.core(*check).coarse)
        }
    }
    /// Whether everything demanded is proved by contradictions.
    fn is_vacuous(&self, demand: &BTreeSet<Premise>) -> bool {
        // That a contract is well-formed does not prove it.
        let shows = |check: &CheckId| match self.facts.tree.checks[*check].role {
            Role::Obligation(property) => property.error != ErrorKind::ContractNotWellformed,
            Role::Probe(_) => true,
        };
        let checks = demand.iter().filter_map(check_of).filter(|check| !self.search.is_trivial(&self.facts, *check));
        let mut checks = checks.filter(shows).peekable();
        checks.peek().is_some() && checks.all(|check| self.search.core(check).vacuous)
    }
    /// Solves the checks that the premises expand to, in waves: cores contain engine facts, which rest on further
    /// checks.
    fn solve_all(&mut self, premises: Vec<Premise>) {
        let mut seen: BTreeSet<Premise> = BTreeSet::new();
        let mut pending = premises;
        loop {
            let wave = self.facts.checks_behind(std::mem::take(&mut pending), &mut seen);
            if wave.is_empty() {
                return;
            }
            let mut cx = CoreContext { facts: self.facts, explainer: &mut *self.explainer };
            self.search.solve_checks(&mut cx, &wave);
            for check in wave {
                pending.extend(self.premises_of_core(check));
            }
        }
    }
    /// The premises of the engine facts in a core.
    fn premises_of_core(&self, check: CheckId) -> Vec<Premise> {
        self.search.core(check).keys.iter().flat_map(|key| self.premises_of_group(key)).collect()
    }
    fn premises_of_group(&self, key: &GroupKey) -> Vec<Premise> {
        match key {
            GroupKey::Users(_) => Vec::new(),
            GroupKey::Fact(node) => self.facts.unlabelled_premises(*node),
            GroupKey::Grant(node) => vec![Premise::Fact(*node)],
        }
    }
    /// The demands of each node: its obligations, and the premises of the facts it states.
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
                demands.entry(user).or_default().extend(self.facts.demanded_premises(id));
            }
        }
        demands
    }
    /// The sides of case distinctions that were not followed everywhere, with the reasons why they are infeasible.
    fn unfollowed(&mut self) -> Vec<Unfollowed> {
        let mut sides = self.facts.unfollowed();
        self.solve_all(sides.iter().flat_map(|side| side.reasons.iter().copied()).collect());
        for side in &mut sides {
            let mut users: BTreeSet<UserId> = self.expand_all(&side.reasons).into_keys().collect();
            for at in &side.unexplained {
                let mut cx = CoreContext { facts: self.facts, explainer: &mut *self.explainer };
                let found = self.search.contradiction(&mut cx, *at);
                self.solve_all(found.keys.iter().flat_map(|key| self.premises_of_group(key)).collect());
                users.extend(self.expand_core(&found).into_keys());
            }
            side.users = users.into_iter().map(|user| (user, Via::Infeasibility)).collect();
        }
        close_exclusions(&self.facts, &mut sides);
        sides
    }
    fn expand_all<'p>(&mut self, premises: impl IntoIterator<Item = &'p Premise>) -> Needs {
        let mut users = Needs::new();
        for premise in premises {
            for (user, via) in self.expand(*premise).iter() {
                add(&mut users, *user, *via);
            }
        }
        users
    }
    /// Expands a premise to nodes.
    fn expand(&mut self, premise: Premise) -> Rc<Needs> {
        let mut oracle = CoreOracle { search: &mut self.search, explainer: &mut *self.explainer };
        self.expansion.premise(&mut oracle, premise, None)
    }
    /// Expands the groups of a core to nodes.
    fn expand_core(&mut self, core: &CheckCore) -> Needs {
        let mut oracle = CoreOracle { search: &mut self.search, explainer: &mut *self.explainer };
        core.keys.iter().flat_map(|key| self.expansion.group(&mut oracle, None, key, None)).collect()
    }
}

/// Minimizing over all checks of a node.
impl Analysis<'_> {
    /// Drops nodes without which all proofs still succeed, possibly in another way than the one found first and with
    /// additional dependencies.
    fn minimize_needs(&mut self, demand: &BTreeSet<Premise>, mut users: Needs, excluding: &Needs) -> Needs {
        let mut checks = self.checks_of(demand);
        checks.retain(|check| self.search.is_solved(&self.facts, *check));
        // A core for a single check is small already, but for what promises rest on.
        let single = checks.len() < 2 || users.len() < 2;
        if single && self.minimization != Minimization::Full {
            return users;
        }
        let mut required = self.required(demand, &checks);
        required.extend(excluding.keys());
        let mut order: Vec<UserId> = users.keys().copied().filter(|user| !required.contains(user)).collect();
        order.sort_by_key(|user| (Rank::of(self.facts.nodes, *user), *user));
        let mut optional = self.optional(&checks);
        for dropped in order {
            if !self.search.allowance.may_improve() || self.search.allowance.is_impatient() {
                break;
            }
            let definition = self.definition_behind(dropped);
            let hardly = single || self.minimization == Minimization::Fast && !optional.contains(&dropped);
            if !users.contains_key(&dropped) || hardly && definition.is_none() {
                continue;
            }
            let instead = definition.iter().map(|body| (body, &Via::Value));
            let allowed: Needs =
                users.iter().chain(excluding).chain(instead).map(|(user, via)| (*user, *via)).collect();
            if self.try_without(&checks, &allowed, dropped) {
                self.expansion.forget();
                let again = demand.iter().copied().collect();
                self.solve_all(again);
                users = self.expand_all(demand);
                optional = self.optional(&checks);
            }
        }
        users
    }
    /// The body that a function's postcondition is proved from, for full minimization. A proof that uses it directly
    /// rests on less.
    fn definition_behind(&self, user: UserId) -> Option<UserId> {
        let node = &self.facts.nodes.all[user];
        let is_promise = node.construct == Construct::Postcondition && matches!(node.owner, Owner::Function(_));
        let seeks = self.minimization == Minimization::Full && is_promise;
        self.bodies.get(&node.owner).copied().filter(|_| seeks)
    }
    /// Nodes that only some proofs of the same property use.
    fn optional(&self, checks: &[CheckId]) -> BTreeSet<UserId> {
        let mut subjects: BTreeMap<CheckSubject, (usize, BTreeMap<UserId, usize>)> = BTreeMap::new();
        for check in checks.iter().filter(|check| !self.search.is_trivial(&self.facts, **check)) {
            let (proofs, uses) = subjects.entry(subject(&self.facts.tree.checks[*check])).or_default();
            *proofs += 1;
            let found = self.search.core(*check);
            let used =
                found.keys.iter().filter_map(|key| if let GroupKey::Users(users) = key { Some(users) } else { None });
            for user in used.flatten().copied().collect::<BTreeSet<UserId>>() {
                *uses.entry(user).or_default() += 1;
            }
        }
        let subjects = subjects.into_values();
        subjects
            .flat_map(|(proofs, uses)| uses.into_iter().filter(move |(_, used)| *used < proofs))
            .map(|(user, _)| user)
            .collect()
    }
    /// The checks that a demand expands to before any core is known.
    fn checks_of(&self, demand: &BTreeSet<Premise>) -> Vec<CheckId> {
        let mut seen: BTreeSet<Premise> = BTreeSet::new();
        let mut wave = self.facts.checks_behind(demand.iter().copied().collect(), &mut seen);
        let mut checks = BTreeSet::new();
        while !wave.is_empty() {
            let rests = wave.iter().flat_map(|check| self.premises_of_core(*check)).collect();
            checks.append(&mut wave);
            wave = self.facts.checks_behind(rests, &mut seen);
        }
        checks.into_iter().collect()
    }
    /// Nodes that are needed regardless of the cores.
    fn required(&mut self, demand: &BTreeSet<Premise>, checks: &[CheckId]) -> BTreeSet<UserId> {
        let mut premises: Vec<Premise> = demand.iter().copied().collect();
        for check in checks {
            premises.extend(self.facts.unlabelled_premises_of_check(*check));
        }
        let mut required = BTreeSet::new();
        let mut seen = BTreeSet::new();
        while let Some(premise) = premises.pop() {
            let Premise::Fact(node) = premise else { continue };
            if !seen.insert(node) {
                continue;
            }
            match self.facts.blame(node) {
                Blame::Shown(users) => required.extend(users),
                Blame::Hidden => premises.extend(self.facts.premises(node)),
                Blame::Free => {}
            }
        }
        required
    }
    /// Whether all checks can be proved without one node and with no other new one. If so, their cores are replaced.
    fn try_without(&mut self, checks: &[CheckId], users: &Needs, dropped: UserId) -> bool {
        let kept = |user: &UserId| *user != dropped && users.contains_key(user);
        let uses = |found: &CheckCore| {
            found.keys.iter().any(|key| matches!(key, GroupKey::Users(users) if users.contains(&dropped)))
        };
        let affected: BTreeSet<CheckId> =
            checks.iter().copied().filter(|check| uses(&self.search.core(*check))).collect();
        let mut keys = BTreeSet::new();
        for check in &affected {
            keys.extend(self.search.keys_near(&self.facts, *check));
        }
        if self.minimization == Minimization::Full {
            self.solve_all(keys.iter().flat_map(|key| self.premises_of_group(key)).collect());
        }
        let mut allowed: HashMap<GroupKey, bool> = HashMap::new();
        for key in keys {
            let fine = match &key {
                GroupKey::Users(users) => users.iter().all(kept),
                key => self.expansion_within_reach(key).is_some_and(|users| users.keys().all(kept)),
            };
            allowed.insert(key, fine);
        }
        let mut cx = CoreContext { facts: self.facts, explainer: &mut *self.explainer };
        self.search.solve_within(&mut cx, &affected, &|key| allowed.get(key).copied().unwrap_or(false))
    }
    /// The expansion of a group of engine facts, if it is known: computing it may be expensive, and is done only for
    /// full minimization.
    fn expansion_within_reach(&mut self, key: &GroupKey) -> Option<Needs> {
        if let GroupKey::Users(_) = key {
            return None;
        }
        let mut users = Needs::new();
        for premise in self.premises_of_group(key) {
            let needs = match self.minimization {
                Minimization::Full => self.expand(premise),
                _ => Rc::new(self.expansion.known(premise)?.clone()),
            };
            for (user, via) in needs.iter() {
                add(&mut users, *user, *via);
            }
        }
        Some(users)
    }
}

/// All dependencies of a node within the member, including itself.
fn reachable(needs: &BTreeMap<UserId, Needs>, of: UserId) -> BTreeSet<UserId> {
    let mut seen = BTreeSet::from([of]);
    let mut pending = vec![of];
    while let Some(user) = pending.pop() {
        let on = needs.get(&user).into_iter().flat_map(|users| users.keys().copied());
        pending.extend(on.filter(|on| seen.insert(*on)));
    }
    seen
}

fn check_of(premise: &Premise) -> Option<CheckId> {
    match premise {
        Premise::Check(check) => Some(*check),
        Premise::Fact(_) => None,
    }
}
