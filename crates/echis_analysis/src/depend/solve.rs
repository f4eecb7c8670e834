//! The cores of many checks. Searches stand in line: each asks something, goes to the end, and hears the answer when it
//! comes to the front, so the solver always has something to do while others think. A core that proved a goal once
//! proves it wherever the same facts hold.

mod closed;
mod easy;
mod known;
mod together;

use crate::depend::blame::Facts;
use crate::depend::manner::{Account, Definition, Manner};
use crate::depend::needs::Counts;
use crate::depend::path::Path;
use crate::depend::prover::Prover;
use crate::depend::question::{Goal, Key, Question, Scope};
use crate::depend::shrink::{Effort, Search};
use crate::depend::via::Via;
use closed::Closed;
use echis_base::FastMap;
use echis_proof::{Check, CheckId, Core, Explainer, NodeId, OriginId, Property, Question as Probe, Replayed, Role};
use echis_term::TermId;
use known::{Known, found};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// The core of one check.
#[derive(Clone, Debug)]
pub struct Found {
    pub keys: Vec<Key>,
    pub via: Via,
    /// The facts contradict each other, whatever the goal.
    pub vacuous: bool,
    /// Less may do: it was not found out within the bounds.
    pub coarse: bool,
}

impl Found {
    fn nothing() -> Self {
        Found { keys: Vec::new(), via: Via::Value, vacuous: false, coarse: false }
    }
}

/// A tree, and somebody to ask about it.
pub struct Cx<'a, 'e> {
    pub facts: Facts<'a>,
    pub explainer: &'e mut dyn Explainer,
}

/// What was solved, and somebody to ask more.
pub struct Asking<'s> {
    pub solving: &'s mut Solving,
    pub explainer: &'s mut dyn Explainer,
}

impl Asking<'_> {
    pub fn core(&self, check: CheckId) -> Rc<Found> {
        self.solving.core(check)
    }
    pub fn single_out(&mut self, facts: Facts, check: CheckId) -> Option<HashSet<TermId>> {
        self.solving.single_out(&mut Cx { facts, explainer: &mut *self.explainer }, check)
    }
}

/// Facts are tried in circles around the goal: most proofs need few and near ones. Other proofs are looked for in the wide
/// one.
const NEAR: Scope = Scope::Near(2);
const WIDE: Scope = Scope::Also(6);
const FROM_NEAR: &[Scope] = &[NEAR, WIDE, Scope::All];
const FROM_WIDE: &[Scope] = &[WIDE, NEAR, Scope::All];
pub struct Solving {
    manner: Manner,
    effort: Effort,
    /// Whether it matters only what executions do.
    executions: bool,
    cores: HashMap<CheckId, Rc<Found>>,
    /// Checks that a solver was asked about, or has to be.
    hard: HashSet<CheckId>,
    /// Checks that may not matter: a solver would have to be asked about them, or the same was checked elsewhere.
    aside: HashSet<CheckId>,
    /// What was checked, wherever that was.
    things: HashSet<Thing>,
    /// How often a solver was asked in vain for other proofs since the last time it found one.
    disappointed: usize,
    /// The same where there was a proof of anything.
    doubtful: usize,
    /// By goal, what proved it.
    known: FastMap<TermId, Vec<Known>>,
    path: Path,
    /// For proofs that need no solver.
    prover: Prover,
    /// Whether facts follow from what was known before them.
    judged: FastMap<NodeId, bool>,
    line: VecDeque<Task>,
    /// Goals of searches in line, and the checks with the same goal, to which the answer may apply.
    same: HashMap<TermId, Vec<CheckId>>,
    /// What proofs took when they were first found.
    took: HashMap<(NodeId, TermId), Took>,
    /// What it took to look for better proofs than the first ones.
    extra: u64,
    closed: Closed,
    pub counts: Counts,
}

/// What it took to prove something when it was first proved.
#[derive(Clone, Copy, Default)]
struct Took {
    effort: u64,
    underived: bool,
}

/// What is checked, wherever it is.
pub type Thing = (Option<Property>, Option<(OriginId, Probe)>);

pub fn thing(check: &Check) -> Thing {
    match check.role {
        Role::Obligation(property) => (Some(property), None),
        Role::Probe(question) => (None, Some((check.origin, question))),
    }
}

/// A search under way.
struct Task {
    check: Option<CheckId>,
    at: NodeId,
    /// Where to look if it fails.
    scopes: &'static [Scope],
    question: Question,
    search: Search,
    bound: u64,
    /// Whether there is a proof of anything, and one of this is looked for.
    doubts: bool,
    /// Whether derivations may have missed proofs.
    missed: bool,
}

impl Solving {
    pub fn new(manner: Manner) -> Self {
        Solving {
            manner,
            effort: manner.effort,
            executions: manner.definition == Definition::Execution,
            cores: HashMap::new(),
            hard: HashSet::new(),
            aside: HashSet::new(),
            things: HashSet::new(),
            disappointed: 0,
            doubtful: 0,
            known: FastMap::default(),
            path: Path::new(manner.policy),
            prover: Prover::new(manner.policy),
            judged: FastMap::default(),
            line: VecDeque::new(),
            same: HashMap::new(),
            took: HashMap::new(),
            extra: 0,
            closed: Closed::default(),
            counts: Counts::default(),
        }
    }
    /// From the start, but for what proofs took when they were first found.
    pub fn anew(self) -> Self {
        let counts = Counts { verified: self.counts.verified, ..Counts::default() };
        Solving { took: self.took, counts, ..Solving::new(self.manner) }
    }
    /// A proof was found, and took so much, perhaps after it could not be derived.
    pub fn note_effort(&mut self, at: NodeId, goal: TermId, effort: u64, underived: bool) {
        self.took.insert((at, goal), Took { effort, underived });
        self.counts.verified += effort;
    }
    /// Whether better proofs than the first ones may still be looked for.
    pub fn may_improve(&self) -> bool {
        let most = self.manner.policy.improving + self.counts.verified / self.manner.policy.improving_share;
        self.effort == Effort::Full || self.effort == Effort::Fast && self.extra < most
    }
    /// Whether less may do for some check.
    pub fn has_coarse(&self) -> bool {
        self.counts.lost > 0 || self.cores.values().any(|found| found.coarse)
    }
    /// Whether other proofs were looked for in vain too often.
    pub fn is_impatient(&self) -> bool {
        self.effort == Effort::Fast && self.disappointed >= self.manner.policy.patience
    }
    /// A solver that is told too little searches longer than one that is told too much. Where something near closes the
    /// path, the near facts come first: others may close it in other ways.
    fn begins_wide(&self, task: &Task) -> bool {
        let dead = task.question.groups.iter().any(|group| group.dead);
        self.effort != Effort::Full && !dead && !task.search.is_improving()
    }
    fn gives_up(&self) -> bool {
        self.effort != Effort::Full
            && self.counts.replayed
                > self.manner.policy.replaying + self.manner.policy.replaying_factor * self.counts.verified
    }
    fn patience(&self, check: CheckId) -> usize {
        if self.manner.account == Account::Each && self.hard.contains(&check) { self.manner.policy.patience } else { 0 }
    }
    pub fn is_trivial(&self, facts: &Facts, check: CheckId) -> bool {
        facts.tree.terms.is_true(facts.tree.checks[check].goal) && facts.tree.labelled_goals.get(check).is_none()
    }
    /// The core of a check that was solved; nothing for one that needs no proof.
    pub fn core(&self, check: CheckId) -> Rc<Found> {
        self.cores.get(&check).cloned().unwrap_or_else(|| Rc::new(Found::nothing()))
    }
    /// The groups that a check's proof may use.
    pub fn keys_near(&mut self, facts: &Facts, check: CheckId) -> Vec<Key> {
        let scope = self.scope_of_others(check);
        let question = self.question(facts, facts.tree.checks[check].at, Goal::Check(check), scope);
        question.groups.into_iter().map(|group| group.key).collect()
    }
    /// Where other proofs of a check are looked for. A contradiction may be far from what the goal speaks of.
    fn scope_of_others(&self, check: CheckId) -> Scope {
        if self.core(check).vacuous { Scope::All } else { WIDE }
    }
    fn question(&mut self, facts: &Facts, at: NodeId, goal: Goal, scope: Scope) -> Question {
        self.judge(facts, at);
        Question::new(facts, &mut self.path, &self.judged, at, goal, scope)
    }
}

/// Checks one by one.
impl Solving {
    /// Starts on a check. The core is there when the line is empty, at the latest. What failed may rest on anything there.
    pub fn begin(&mut self, cx: &mut Cx, check: CheckId) {
        if self.is_settled(&cx.facts, check) || self.aside.contains(&check) {
            return;
        }
        if !cx.facts.is_proved(check) {
            let found = self.lose(&cx.facts, Goal::Check(check), cx.facts.tree.checks[check].at);
            self.cores.insert(check, found);
            return;
        }
        if self.manner.account == Account::Together && !self.things.insert(thing(&cx.facts.tree.checks[check])) {
            self.aside.insert(check);
            return;
        }
        self.counts.checks += 1;
        self.resume(cx, check);
    }
    fn resume(&mut self, cx: &mut Cx, check: CheckId) {
        let mut task = self.task(&cx.facts, Some(check), cx.facts.tree.checks[check].at, FROM_NEAR, &|_| true);
        if let Some(stated) = task.question.stated(&cx.facts.tree.terms, self.effort) {
            let core = Core { groups: stated, uses_goal: true, effort: 0 };
            self.cores.insert(check, Rc::new(found(&cx.facts, &task.question, &core)));
        } else if let Some(found) = self.known_core(&task.question) {
            self.cores.insert(check, found);
        } else if let Some(core) = self.easily(&cx.facts, &mut task) {
            self.counts.easy += 1;
            let found = self.remember(&cx.facts, &task.question, &core);
            self.cores.insert(check, found);
        } else if let Some(found) = self.closed_elsewhere(&cx.facts, &mut task) {
            self.counts.easy += 1;
            self.cores.insert(check, found);
        } else if let Some(waiting) = self.same.get_mut(&task.question.goal) {
            // One with the same goal goes ahead; its core may do for this one.
            waiting.push(check);
        } else if self.manner.account == Account::Together {
            self.aside.insert(check);
            self.hard.insert(check);
        } else if let Some(dead) = self.left_closed(&cx.facts, task.at) {
            let found = self.closure(cx, dead);
            self.cores.insert(check, found);
        } else if self.gives_up() {
            let found = self.lose(&cx.facts, Goal::Check(check), task.at);
            self.cores.insert(check, found);
        } else {
            self.same.insert(task.question.goal, Vec::new());
            if self.begins_wide(&task) {
                let doubts = task.doubts;
                let scopes = if doubts { &[WIDE] } else { FROM_WIDE };
                task = Task { doubts, ..self.task(&cx.facts, Some(check), task.at, scopes, &|_| true) };
            }
            while self.line.len() >= self.manner.policy.line {
                self.step(cx);
            }
            self.send(cx, task);
        }
    }
    /// Hears one answer and goes on from it.
    fn step(&mut self, cx: &mut Cx) {
        let Some(task) = self.next(cx) else { return };
        let found = self.conclude(&cx.facts, &task);
        if task.doubts {
            self.doubtful = if found.vacuous { self.doubtful + 1 } else { 0 };
        }
        if let Some(check) = task.check {
            self.cores.insert(check, found);
            self.hard.insert(check);
        }
        for waiting in self.same.remove(&task.question.goal).unwrap_or_default() {
            self.resume(cx, waiting);
        }
    }
    pub fn solve_checks(&mut self, cx: &mut Cx, checks: &BTreeSet<CheckId>) {
        for check in checks {
            self.begin(cx, *check);
        }
        self.finish(cx);
    }
    /// Waits for all answers.
    pub fn finish(&mut self, cx: &mut Cx) {
        while !self.line.is_empty() {
            self.step(cx);
        }
    }
    /// Whether all the checks can be proved from allowed groups. If so their cores are replaced.
    pub fn solve_within(&mut self, cx: &mut Cx, checks: &BTreeSet<CheckId>, allowed: &dyn Fn(&Key) -> bool) -> bool {
        let mut easy: Vec<(CheckId, Question, Core)> = Vec::new();
        let mut tasks = VecDeque::new();
        for check in checks {
            if let Some((question, core)) = self.easily_within(&cx.facts, *check, allowed) {
                easy.push((*check, question, core));
            } else if self.effort == Effort::Fast && self.disappointed >= self.patience(*check) {
                return false;
            } else {
                let at = cx.facts.tree.checks[*check].at;
                let scopes: &[Scope] = if self.core(*check).vacuous { &[Scope::All] } else { &[WIDE] };
                tasks.push_back(self.task(&cx.facts, Some(*check), at, scopes, allowed));
            }
        }
        // Where one cannot be proved, often none can.
        let first: Vec<Task> = tasks.pop_front().into_iter().collect();
        let mut all = Vec::new();
        for tasks in [first, tasks.into()] {
            let (replayed, asked) = (self.counts.replayed, tasks.len() as u64);
            let done = self.complete(cx, tasks);
            self.extra += self.counts.replayed - replayed + self.manner.policy.answer_cost * asked;
            if done.iter().any(|task| task.search.core().is_none()) {
                self.disappointed += 1;
                return false;
            }
            all.extend(done);
        }
        self.disappointed = 0;
        for (check, question, core) in &easy {
            let found = self.remember(&cx.facts, question, core);
            self.cores.insert(*check, found);
        }
        for task in &all {
            let found = self.conclude(&cx.facts, task);
            if let Some(check) = task.check {
                self.cores.insert(check, found);
            }
        }
        true
    }
}

/// Searches in line.
impl Solving {
    fn task(
        &mut self,
        facts: &Facts,
        check: Option<CheckId>,
        at: NodeId,
        scopes: &'static [Scope],
        allowed: &dyn Fn(&Key) -> bool,
    ) -> Task {
        let goal = check.map_or(Goal::Contradiction, Goal::Check);
        let (scope, scopes) = scopes.split_first().map_or((Scope::All, scopes), |(first, rest)| (*first, rest));
        let question = self.question(facts, at, goal, scope);
        let all: Vec<usize> =
            (0..question.groups.len()).filter(|group| allowed(&question.groups[*group].key)).collect();
        let effort = if self.may_improve() { self.effort } else { Effort::Off };
        let hint = check.and_then(|_| self.hint(&question));
        let search = Search::new(all, hint, effort, &self.manner.policy);
        // Another proof that takes longer than the first is hardly worth it, unless somebody wants the smallest set.
        let again = self.effort != Effort::Full && check.is_some_and(|check| self.cores.contains_key(&check));
        let first = if again {
            self.manner.policy.least_answer
        } else {
            self.manner.policy.first_answer + self.manner.policy.answer_per_axiom * question.axioms()
        };
        let bound = (self.took(facts, check).effort * self.manner.policy.answer_factor).max(first);
        let bound = match (scope, self.effort) {
            (Scope::All, Effort::Full) => u64::MAX,
            (Scope::All, _) => bound * self.manner.policy.answer_factor,
            _ => bound,
        };
        Task { check, at, scopes, question, search, bound, doubts: false, missed: true }
    }
    /// What it took to prove a check when it was first proved, if that is known.
    fn took(&self, facts: &Facts, check: Option<CheckId>) -> Took {
        let check = check.map(|check| &facts.tree.checks[check]);
        check.and_then(|check| self.took.get(&(check.at, check.goal))).copied().unwrap_or_default()
    }
    /// Whether it is not worth trying to do without a solver.
    fn is_hard(&self, facts: &Facts, check: Option<CheckId>) -> bool {
        let Took { effort, underived } = self.took(facts, check);
        underived || effort > self.manner.policy.hard
    }
    fn send(&mut self, cx: &mut Cx, task: Task) {
        let asks = task.search.asks(&task.question);
        // Groups that nothing is asked about need not be told.
        let used: HashSet<usize> = asks.iter().flatten().copied().collect();
        let mut groups = task.question.terms_of_groups();
        (0..groups.len()).filter(|group| !used.contains(group)).for_each(|group| groups[group].clear());
        let question = Replayed {
            always: &task.question.always,
            groups: &groups,
            goal: task.question.goal,
            asks,
            named: task.search.wants_names(&task.question),
            bound: task.bound,
        };
        cx.explainer.send(&cx.facts.tree.terms, &question);
        self.line.push_back(task);
    }
    /// Hears the answers to the first in line, which goes to the end with its next question or is done.
    fn next(&mut self, cx: &mut Cx) -> Option<Task> {
        let mut task = self.line.pop_front()?;
        let replies = cx.explainer.receive();
        self.counts.replayed += replies.effort;
        self.note_closed(&cx.facts, task.at, &replies);
        if task.search.is_improving() {
            self.extra += replies.effort + self.manner.policy.answer_cost * replies.cores.len() as u64;
        }
        if let Some(effort) = replies.cores.iter().flatten().map(|core| core.effort).max() {
            task.bound = (effort * self.manner.policy.answer_factor).max(self.manner.policy.least_answer);
        }
        task.search.answer(replies.cores, &task.question);
        self.confirm_easily(&cx.facts, &mut task);
        if !self.may_improve() {
            task.search.stop_improving();
        }
        match (task.search.is_done(), task.search.core()) {
            (false, _) => self.send(cx, task),
            (true, None) if !task.scopes.is_empty() && !self.gives_up() => {
                let other = self.task(&cx.facts, task.check, task.at, task.scopes, &|_| true);
                self.send(cx, other);
            }
            (true, _) => return Some(task),
        }
        None
    }
    /// Runs searches of their own to their ends.
    fn complete(&mut self, cx: &mut Cx, tasks: Vec<Task>) -> Vec<Task> {
        self.finish(cx);
        let mut done = Vec::new();
        for task in tasks {
            while self.line.len() >= self.manner.policy.line {
                done.extend(self.next(cx));
            }
            self.send(cx, task);
        }
        while !self.line.is_empty() {
            done.extend(self.next(cx));
        }
        done
    }
    fn conclude(&mut self, facts: &Facts, task: &Task) -> Rc<Found> {
        let Some(core) = task.search.core() else {
            let closed = facts.first_dead(task.at).filter(|_| task.check.is_some());
            let closed = closed.and_then(|dead| self.easily_closed(facts, dead));
            let goal = || task.check.map_or(Goal::Contradiction, Goal::Check);
            return closed.unwrap_or_else(|| self.lose(facts, goal(), task.at));
        };
        self.remember(facts, &task.question, core)
    }
    /// The proof was found once and is not found again: everything on the path counts.
    fn lose(&mut self, facts: &Facts, goal: Goal, at: NodeId) -> Rc<Found> {
        self.counts.lost += 1;
        let question = self.question(facts, at, goal, Scope::All);
        let keys = question.groups.into_iter().map(|group| group.key).collect();
        Rc::new(Found { keys, coarse: true, ..Found::nothing() })
    }
    /// The facts of a check's core that a proof from it needs, each on its own. `None` if that cannot be told.
    fn single_out(&mut self, cx: &mut Cx, check: CheckId) -> Option<HashSet<TermId>> {
        self.finish(cx);
        let found = self.core(check);
        let question = self.question(&cx.facts, cx.facts.tree.checks[check].at, Goal::Check(check), WIDE);
        let core = question.groups.iter().filter(|group| found.keys.contains(&group.key));
        let facts: Vec<Vec<TermId>> = core.flat_map(|group| &group.facts).map(|fact| vec![*fact]).collect();
        let mut ask = |facts_asked: Vec<usize>| {
            let (always, groups, asks) = (&question.always, &facts, vec![facts_asked]);
            let asked = Replayed {
                always,
                groups,
                goal: question.goal,
                asks,
                named: true,
                bound: self.manner.policy.first_answer,
            };
            cx.explainer.send(&cx.facts.tree.terms, &asked);
            cx.explainer.receive().cores.into_iter().next().flatten()
        };
        let needed = ask((0..facts.len()).collect())?.groups;
        // What is proposed is proved again.
        ask(needed.clone())?;
        Some(needed.into_iter().flat_map(|fact| facts[fact].iter().copied()).collect())
    }
}
