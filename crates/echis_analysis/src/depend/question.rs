//! A check as a question about groups of facts: what it takes to prove it again.

use crate::depend::blame::{Blame, Facts};
use crate::depend::kind::{Assumption, Construct};
use crate::depend::nodes::{Nodes, UserId};
use crate::depend::shrink::{Effort, Preference};
use echis_base::{FastMap, FastSet};
use echis_proof::{Because, CheckId, Labelled, NodeId, Premise, Rule, Step};
use echis_term::{Op, SymbolId, SymbolKind, TermId, TermKind, Terms};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Facts that stand or fall together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Key {
    /// All facts that these nodes answer for together.
    Users(Vec<UserId>),
    /// One fact of the engine's own.
    Fact(NodeId),
    /// That a grant of permission counts.
    Grant(NodeId),
}

#[derive(Debug)]
pub struct Question {
    pub always: Vec<TermId>,
    pub groups: Vec<Group>,
    pub goal: TermId,
}

#[derive(Clone, Debug)]
pub struct Group {
    pub key: Key,
    pub facts: Vec<TermId>,
    /// Whether some of it closes the path.
    pub dead: bool,
    /// Those with the lowest are done without first, if possible.
    pub rank: u32,
}

/// What is to be proved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Goal {
    Check(CheckId),
    Fact(TermId),
    Contradiction,
}

/// Which facts of the path a question speaks of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Those that share symbols with the goal, directly or through so many others, and say something new.
    Near(usize),
    /// The same with those that follow from others.
    Also(usize),
    All,
}

/// The symbols of terms, found once.
#[derive(Default)]
pub struct Symbols(FastMap<TermId, Rc<[SymbolId]>>);

impl Symbols {
    fn of(&mut self, terms: &Terms, term: TermId) -> Rc<[SymbolId]> {
        if let Some(known) = self.0.get(&term) {
            return known.clone();
        }
        let mut symbols = Vec::new();
        terms.for_each_subterm(term, |part| {
            if let TermKind::App(symbol, _) = terms.kind(part)
                && terms.symbol(*symbol).kind == SymbolKind::Function
            {
                symbols.push(*symbol);
            }
        });
        symbols.sort();
        symbols.dedup();
        let symbols: Rc<[SymbolId]> = symbols.into();
        self.0.insert(term, symbols.clone());
        symbols
    }
}

/// One fact of a path, or a grant that a label stands for.
struct Stated {
    node: NodeId,
    term: TermId,
    is_label: bool,
}

impl Question {
    pub fn new(
        facts: &Facts,
        symbols: &mut Symbols,
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
        // What was said last of a label counts.
        let mut labels: BTreeMap<TermId, NodeId> = BTreeMap::new();
        let mut note = |labelled: Option<&Labelled>| {
            for (label, grant) in labelled.into_iter().flat_map(|labelled| &labelled.labels) {
                labels.entry(*label).or_insert(*grant);
            }
        };
        let mut stated: Vec<Stated> = Vec::with_capacity(64);
        for node in tree.path(at) {
            let Some(term) = facts.replayed(node).filter(|term| !tree.terms.is_true(*term)) else { continue };
            note(tree.labelled_facts.get(node));
            stated.push(Stated { node, term, is_label: false });
        }
        note(check.and_then(|check| tree.labelled_goals.get(check)));
        stated.reverse();
        stated.extend(labels.iter().map(|(label, grant)| Stated { node: *grant, term: *label, is_label: true }));
        if let Scope::Near(_) = scope {
            let says_nothing = |node: &NodeId| redundant.get(node).is_some_and(|redundant| *redundant);
            stated.retain(|fact| !says_nothing(&fact.node) && !facts.is_lemma(fact.node));
        }
        if let Scope::Near(steps) | Scope::Also(steps) = scope {
            stated = near(&tree.terms, symbols, stated, goal, steps);
        }
        let mut always = Vec::new();
        let mut groups: BTreeMap<Key, Group> = BTreeMap::new();
        for Stated { node, term, is_label } in stated {
            let blame = if is_label { Blame::Hidden } else { facts.blame(node) };
            let labelled = || !is_label && tree.labelled_facts.get(node).is_some();
            let key = match blame {
                Blame::Free => None,
                Blame::Shown(users) => Some(Key::Users(users)),
                Blame::Hidden if labelled() && facts.unlabelled_premises(node).is_empty() => None,
                Blame::Hidden if labels.contains_key(&term) => Some(Key::Grant(node)),
                Blame::Hidden => Some(Key::Fact(node)),
            };
            let Some(key) = key else {
                always.push(term);
                continue;
            };
            let dead = facts.is_dead(node);
            let rank = rank(facts, &key, dead);
            let group = groups.entry(key.clone()).or_insert(Group { key, facts: Vec::new(), dead, rank });
            group.dead |= dead;
            group.rank = group.rank.min(rank);
            if !group.facts.contains(&term) {
                group.facts.push(term);
            }
        }
        Question { always, groups: groups.into_values().collect(), goal }
    }
    /// The same about some groups.
    pub fn only(&self, groups: &[usize]) -> Question {
        let groups = groups.iter().map(|group| self.groups[*group].clone()).collect();
        Question { always: self.always.clone(), groups, goal: self.goal }
    }
    /// The groups that state the goal itself, or each conjunct of it: no solver is needed.
    pub fn stated(&self, terms: &Terms, effort: Effort) -> Option<Vec<usize>> {
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
            // What drags much along is not taken where other facts may do.
            if self.is_heavy(best.0, effort) {
                return None;
            }
            groups.push(best.0);
        }
        groups.sort_unstable();
        groups.dedup();
        Some(groups)
    }
    /// Of facts the older go first, of grants and what has to be believed the younger: what came later was not needed
    /// before.
    fn age(&self, group: usize) -> usize {
        match (&self.groups[group].key, self.groups[group].rank) {
            (Key::Grant(_), _) | (_, 4) => self.groups.len() - group,
            _ => group,
        }
    }
    fn weight(&self, group: usize) -> usize {
        match (&self.groups[group].key, self.groups[group].rank) {
            (Key::Fact(_), 0) => 18,
            (Key::Fact(_), _) => 15,
            (Key::Grant(_), _) if self.brings_a_loop(group) => 25,
            (Key::Grant(_), _) => 12,
            (Key::Users(_), 2) => 30,
            (Key::Users(_), 3) => 25,
            (Key::Users(_), 4) => 20,
            (Key::Users(_), 5 | 6) => 2,
            (Key::Users(_), _) => 1,
        }
    }
    /// Permission from an invariant drags the loop along.
    pub fn brings_a_loop(&self, group: usize) -> bool {
        matches!((&self.groups[group].key, self.groups[group].rank), (Key::Grant(_), 3))
    }
    pub fn terms_of_groups(&self) -> Vec<Vec<TermId>> {
        self.groups.iter().map(|group| group.facts.clone()).collect()
    }
}

impl Preference for Question {
    fn order(&self, groups: &[usize]) -> Vec<usize> {
        let mut order = groups.to_vec();
        order.sort_by_key(|group| (self.groups[*group].rank, self.age(*group)));
        order
    }
    fn cost(&self, groups: &[usize]) -> usize {
        groups.iter().map(|group| self.weight(*group) * 10_000 + *group).sum()
    }
    fn is_heavy(&self, group: usize, effort: Effort) -> bool {
        let grants = || self.groups.iter().filter(|group| matches!(group.key, Key::Grant(_))).count();
        match self.groups[group].key {
            // Other ways than through these are hardly ever found.
            _ if effort != Effort::Full => self.brings_a_loop(group) && grants() > 1,
            Key::Grant(_) => grants() > 1,
            Key::Fact(_) => self.groups[group].rank == 0,
            Key::Users(_) => self.groups[group].rank <= 2,
        }
    }
}

impl Facts<'_> {
    /// Whether what is behind a group is written as an assumption. Of what keeps a location apart from one whose value
    /// is forgotten, only that is shown: permission to the other one, or its making, goes with the statement that
    /// forgets, on which nothing rests.
    pub fn is_believed(&self, key: &Key) -> bool {
        let explicit = |user: &UserId| self.nodes.all[*user].assumption == Some(Assumption::Explicit);
        matches!(key, Key::Users(users) if users.iter().all(explicit))
    }
    /// The checks that premises come down to, whatever their cores are, but for those behind what was seen before.
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
    /// Premises of a fact that no label stands for.
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

/// Symbols in this many facts, and in this share of them, say little about what belongs together.
const COMMON: usize = 24;
const COMMON_SHARE: usize = 3;

fn near(terms: &Terms, symbols: &mut Symbols, stated: Vec<Stated>, goal: TermId, steps: usize) -> Vec<Stated> {
    let start = symbols.of(terms, goal);
    if start.is_empty() {
        return stated;
    }
    let of: Vec<Rc<[SymbolId]>> = stated.iter().map(|fact| symbols.of(terms, fact.term)).collect();
    let mut counts: FastMap<SymbolId, usize> = FastMap::default();
    for symbol in of.iter().flat_map(|symbols| symbols.iter()) {
        *counts.entry(*symbol).or_default() += 1;
    }
    let is_common = |symbol: &SymbolId| {
        let count = counts.get(symbol).copied().unwrap_or_default();
        count > COMMON && count * COMMON_SHARE > stated.len()
    };
    let mut kept = vec![false; stated.len()];
    let mut reached: FastSet<SymbolId> = start.iter().copied().collect();
    let mut newest = reached.clone();
    for _ in 0..steps {
        let mut next: FastSet<SymbolId> = FastSet::default();
        for (kept, symbols) in kept.iter_mut().zip(&of).filter(|(kept, _)| !**kept) {
            *kept = symbols.iter().any(|symbol| newest.contains(symbol));
            if *kept {
                next.extend(symbols.iter().filter(|symbol| reached.insert(**symbol)));
            }
        }
        // What many facts speak of leads everywhere, unless the goal speaks of it.
        next.retain(|symbol| !is_common(symbol));
        newest = next;
        if newest.is_empty() {
            break;
        }
    }
    // Facts without symbols of their own, such as a false one, may matter to anything.
    let kept = stated.into_iter().zip(&of).zip(kept).filter(|((_, of), kept)| *kept || of.is_empty());
    kept.map(|((fact, _), _)| fact).collect()
}

/// What is dropped first: what drags much along, then what has to be believed, then what is far away.
fn rank(facts: &Facts, key: &Key, dead: bool) -> u32 {
    match key {
        Key::Fact(node) => match &facts.tree.nodes[facts.source(*node)].step {
            Step::Assume { because: Because::Rule(Rule::Lemma | Rule::NonAliasing), .. } => 0,
            _ => 1,
        },
        Key::Grant(node) => match facts.blame(*node) {
            Blame::Shown(users) if users.iter().any(|user| user_rank(facts.nodes, *user) == 2) => 3,
            _ => 5,
        },
        Key::Users(_) if dead => 2,
        Key::Users(users) => users.iter().map(|user| user_rank(facts.nodes, *user)).min().unwrap_or(9),
    }
}

pub fn user_rank(nodes: &Nodes, user: UserId) -> u32 {
    let node = &nodes.all[user];
    match (node.construct, node.assumption) {
        (Construct::Invariant, _) => 2,
        (Construct::Call | Construct::Rewrite, _) => 3,
        (_, Some(Assumption::Explicit)) => 4,
        (Construct::Condition, _) => 5,
        (Construct::Assignment | Construct::Havoc, _) => 6,
        (Construct::FunctionBody | Construct::Postcondition, _) => 7,
        (Construct::Axiom, _) => 8,
        _ => 9,
    }
}
