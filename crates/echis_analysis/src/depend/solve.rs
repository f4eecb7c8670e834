//! The cores of many checks, found together: searches advance in rounds, and each round is one conversation with the
//! solver. A core that proved a goal once proves it wherever the same facts hold.

use crate::depend::blame::{Blame, Facts};
use crate::depend::kind::Construct;
use crate::depend::member::{Counts, Via};
use crate::depend::question::{Goal, Key, Question, Scope, Symbols};
use crate::depend::shrink::{Effort, Search};
use echis_proof::{Because, CheckId, Core, Explainer, NodeId, Replayed, Step};
use echis_term::TermId;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// The core of one check.
#[derive(Clone, Debug)]
pub struct Found {
    pub keys: Vec<Key>,
    pub via: Via,
    /// The facts contradict each other, whatever the goal.
    pub vacuous: bool,
}

impl Found {
    fn nothing() -> Self {
        Found { keys: Vec::new(), via: Via::Proof, vacuous: false }
    }
}

/// Facts are tried in growing circles around the goal: most proofs need few and near ones.
const SCOPES: [Scope; 3] = [Scope::Near(2), Scope::Also(6), Scope::All];
/// The circle in which other proofs are looked for, and whether assumptions follow from others.
const WIDE: usize = 1;
/// The effort for a first answer within a circle, and the least for later ones.
const FIRST: u64 = 300_000;
const LEAST: u64 = 20_000;
/// Later answers may take so many times what the first proof took.
const FACTOR: u64 = 3;
/// How many answers beyond the first two for each check `fast` may ask for in a member, and for each check.
const EXTRA: usize = 30;
const EXTRA_EACH: f64 = 0.5;

pub struct Solving<'a> {
    facts: Facts<'a>,
    explainer: &'a mut dyn Explainer,
    effort: Effort,
    cores: HashMap<CheckId, Rc<Found>>,
    /// By goal, what proved it.
    known: HashMap<TermId, Vec<Known>>,
    symbols: Symbols,
    /// Written assumptions that follow from what was known before them. They are not to blame where others do.
    redundant: HashSet<NodeId>,
    /// Answers that were asked for to find better proofs than the first ones.
    extra: usize,
    pub counts: Counts,
}

struct Known {
    always: Vec<TermId>,
    parts: Vec<(Key, Vec<TermId>)>,
    found: Rc<Found>,
}

/// A search under way.
struct Task {
    check: Option<CheckId>,
    at: NodeId,
    scope: usize,
    question: Question,
    search: Search,
    bound: u64,
}

impl<'a> Solving<'a> {
    pub fn new(facts: Facts<'a>, explainer: &'a mut dyn Explainer, effort: Effort) -> Self {
        let (cores, known, redundant) = (HashMap::new(), HashMap::new(), HashSet::new());
        let (symbols, counts) = (Symbols::default(), Counts::default());
        let mut solving = Solving { facts, explainer, effort, cores, known, symbols, redundant, extra: 0, counts };
        if effort != Effort::Off {
            solving.find_redundant();
        }
        solving
    }
    /// Asks of every `inhale` and `assume` whether it says something new.
    fn find_redundant(&mut self) {
        let tree = self.facts.tree;
        let mut asked: Vec<(NodeId, Question)> = Vec::new();
        for (id, node) in tree.nodes.iter() {
            let (Step::Assume { fact, because: Because::Written, .. }, Some(parent)) = (&node.step, node.parent) else {
                continue;
            };
            let Blame::Shown(users) = self.facts.blame(id) else { continue };
            let inhaled = users.iter().all(|user| self.facts.nodes.all[*user].construct == Construct::Inhale);
            if !inhaled || tree.terms.is_true(*fact) || tree.terms.is_false(*fact) {
                continue;
            }
            let question = self.question(parent, Goal::Fact(*fact), SCOPES[0]);
            asked.push((id, question));
        }
        let groups: Vec<Vec<Vec<TermId>>> = asked.iter().map(|(_, question)| question.terms_of_groups()).collect();
        let questions: Vec<Replayed<'_>> = asked
            .iter()
            .zip(&groups)
            .map(|((_, question), groups)| Replayed {
                always: &question.always,
                groups,
                goal: question.goal,
                asks: vec![(0..groups.len()).collect()],
                bound: LEAST,
            })
            .collect();
        let answers = self.explainer.ask(&tree.terms, &questions);
        for ((id, _), answer) in asked.iter().zip(answers) {
            if answer.into_iter().flatten().any(|core| core.uses_goal) {
                self.redundant.insert(*id);
            }
        }
    }
    fn question(&mut self, at: NodeId, goal: Goal, scope: Scope) -> Question {
        Question::new(&self.facts, &mut self.symbols, &self.redundant, at, goal, scope)
    }
    /// Whether better proofs than the first ones may still be looked for.
    pub fn may_improve(&self) -> bool {
        let most = EXTRA + (self.counts.checks as f64 * EXTRA_EACH) as usize;
        self.effort == Effort::Full || self.effort == Effort::Fast && self.extra < most
    }
    pub fn is_trivial(&self, check: CheckId) -> bool {
        self.facts.tree.terms.is_true(self.facts.tree.checks[check].goal)
            && self.facts.tree.labelled_goals.get(check).is_none()
    }
    /// The core of a check that was solved; nothing for one that needs no proof.
    pub fn core(&self, check: CheckId) -> Rc<Found> {
        self.cores.get(&check).cloned().unwrap_or_else(|| Rc::new(Found::nothing()))
    }
    /// The groups that a check's proof may use.
    pub fn keys_near(&mut self, check: CheckId) -> Vec<Key> {
        let at = self.facts.tree.checks[check].at;
        let question = self.question(at, Goal::Check(check), SCOPES[WIDE]);
        question.groups.into_iter().map(|group| group.key).collect()
    }
    pub fn solve_checks(&mut self, checks: &BTreeSet<CheckId>) {
        let unsolved =
            |solving: &Self, check: &CheckId| !solving.cores.contains_key(check) && !solving.is_trivial(*check);
        let mut pending: Vec<CheckId> = checks.iter().copied().filter(|check| unsolved(self, check)).collect();
        self.counts.checks += pending.len();
        // Of checks with the same goal one goes ahead; its core may do for the others.
        while !pending.is_empty() {
            let mut goals: HashSet<TermId> = HashSet::new();
            let mut tasks = Vec::new();
            let mut later = Vec::new();
            for check in pending {
                match self.start(check) {
                    Started::Solved => {}
                    Started::Task(task) if goals.insert(task.question.goal) => tasks.push(*task),
                    Started::Task(_) => later.push(check),
                }
            }
            self.run(tasks);
            pending = later;
        }
    }
    fn start(&mut self, check: CheckId) -> Started {
        let task = self.task(Some(check), self.facts.tree.checks[check].at, 0, &|_| true);
        if let Some(stated) = task.question.stated(&self.facts.tree.terms) {
            let core = Core { groups: stated, uses_goal: true, effort: 0 };
            self.cores.insert(check, Rc::new(found(&self.facts, &task.question, &core)));
            return Started::Solved;
        }
        if let Some(found) = self.known_core(&task.question) {
            self.cores.insert(check, found);
            return Started::Solved;
        }
        Started::Task(Box::new(task))
    }
    fn task(&mut self, check: Option<CheckId>, at: NodeId, scope: usize, allowed: &dyn Fn(&Key) -> bool) -> Task {
        let goal = check.map_or(Goal::Contradiction, Goal::Check);
        let question = self.question(at, goal, SCOPES[scope]);
        let all = (0..question.groups.len()).filter(|group| allowed(&question.groups[*group].key)).collect();
        let effort = if self.may_improve() { self.effort } else { Effort::Off };
        let search = Search::new(all, self.hint(&question), effort);
        let bound = if SCOPES[scope] == Scope::All { u64::MAX } else { FIRST };
        Task { check, at, scope, question, search, bound }
    }
    /// A core that proves the goal here as it did elsewhere: all that it used holds here.
    fn known_core(&self, question: &Question) -> Option<Rc<Found>> {
        let always: HashSet<TermId> = question.always.iter().copied().collect();
        let holds = |(key, facts): &(Key, Vec<TermId>)| {
            let group = question.groups.iter().find(|group| group.key == *key);
            group.is_some_and(|group| facts.iter().all(|fact| group.facts.contains(fact)))
        };
        let known = self.known.get(&question.goal)?.iter();
        let mut fitting = known
            .filter(|known| known.parts.iter().all(holds) && known.always.iter().all(|fact| always.contains(fact)));
        fitting.next().map(|known| known.found.clone())
    }
    /// The groups of a core that proved the same goal elsewhere.
    fn hint(&self, question: &Question) -> Option<Vec<usize>> {
        let position = |key: &Key| question.groups.iter().position(|group| group.key == *key);
        let known = self.known.get(&question.goal)?.iter();
        known.filter_map(|known| known.parts.iter().map(|(key, _)| position(key)).collect()).next()
    }
    /// Runs searches to their ends, in wider circles where a proof is not found.
    fn run(&mut self, tasks: Vec<Task>) {
        for task in self.rounds(tasks, &|_| true) {
            let found = self.conclude(&task);
            if let Some(check) = task.check {
                self.cores.insert(check, found);
            }
        }
    }
    fn rounds(&mut self, tasks: Vec<Task>, allowed: &dyn Fn(&Key) -> bool) -> Vec<Task> {
        let mut done = Vec::new();
        let mut active = tasks;
        while !active.is_empty() {
            let asks: Vec<Vec<Vec<usize>>> = active.iter().map(|task| task.search.asks(&task.question)).collect();
            // Groups that nothing is asked about need not be told.
            let groups: Vec<Vec<Vec<TermId>>> = active
                .iter()
                .zip(&asks)
                .map(|(task, asks)| {
                    let mut groups = task.question.terms_of_groups();
                    let used: HashSet<usize> = asks.iter().flatten().copied().collect();
                    (0..groups.len()).filter(|group| !used.contains(group)).for_each(|group| groups[group].clear());
                    groups
                })
                .collect();
            let questions: Vec<Replayed<'_>> = active
                .iter()
                .zip(asks)
                .zip(&groups)
                .map(|((task, asks), groups)| Replayed {
                    always: &task.question.always,
                    groups,
                    goal: task.question.goal,
                    asks,
                    bound: task.bound,
                })
                .collect();
            let answers = self.explainer.ask(&self.facts.tree.terms, &questions);
            let mut still = Vec::new();
            self.extra += questions
                .iter()
                .zip(&active)
                .filter(|(_, task)| task.search.is_improving())
                .map(|(question, _)| question.asks.len())
                .sum::<usize>();
            for (mut task, answers) in std::mem::take(&mut active).into_iter().zip(answers) {
                if let Some(effort) = answers.iter().flatten().map(|core| core.effort).max() {
                    task.bound = (effort * FACTOR).max(LEAST);
                }
                task.search.answer(answers, &task.question);
                match (task.search.is_done(), task.search.core()) {
                    (false, _) => still.push(task),
                    (true, None) if task.scope + 1 < SCOPES.len() => {
                        still.push(self.task(task.check, task.at, task.scope + 1, allowed));
                    }
                    (true, _) => done.push(task),
                }
            }
            active = still;
        }
        done
    }
    fn conclude(&mut self, task: &Task) -> Rc<Found> {
        let Some(core) = task.search.core() else {
            // The proof was found once and cannot be found again: everything on the path counts.
            self.counts.lost += 1;
            let keys = task.question.groups.iter().map(|group| group.key.clone()).collect();
            return Rc::new(Found { keys, ..Found::nothing() });
        };
        let found = Rc::new(found(&self.facts, &task.question, core));
        let parts = core.groups.iter().map(|group| {
            let group = &task.question.groups[*group];
            (group.key.clone(), group.facts.clone())
        });
        let known = Known { always: task.question.always.clone(), parts: parts.collect(), found: found.clone() };
        self.known.entry(task.question.goal).or_default().push(known);
        found
    }
    /// The facts of a check's core that a proof from it needs, each on its own. `None` if that cannot be told.
    pub fn single_out(&mut self, check: CheckId) -> Option<HashSet<TermId>> {
        let found = self.core(check);
        let at = self.facts.tree.checks[check].at;
        let question = self.question(at, Goal::Check(check), SCOPES[WIDE]);
        let core = question.groups.iter().filter(|group| found.keys.contains(&group.key));
        let facts: Vec<Vec<TermId>> = core.flat_map(|group| &group.facts).map(|fact| vec![*fact]).collect();
        let mut ask = |facts_asked: Vec<usize>| {
            let (always, groups, asks) = (&question.always, &facts, vec![facts_asked]);
            let asked = Replayed { always, groups, goal: question.goal, asks, bound: FIRST };
            self.explainer.ask(&self.facts.tree.terms, &[asked]).into_iter().flatten().next().flatten()
        };
        let needed = ask((0..facts.len()).collect())?.groups;
        // What is proposed is proved again.
        ask(needed.clone())?;
        Some(needed.into_iter().flat_map(|fact| facts[fact].iter().copied()).collect())
    }
    /// Why a node cannot be reached.
    pub fn contradiction(&mut self, at: NodeId) -> Rc<Found> {
        let task = self.task(None, at, SCOPES.len() - 1, &|_| true);
        let done = self.rounds(vec![task], &|_| true);
        let found = done.first().map(|task| self.conclude(task));
        found.unwrap_or_else(|| Rc::new(Found::nothing()))
    }
    /// Whether all the checks can be proved from allowed groups. If so their cores are replaced.
    pub fn solve_within(&mut self, checks: &BTreeSet<CheckId>, allowed: &dyn Fn(&Key) -> bool) -> bool {
        let mut tasks = Vec::new();
        for check in checks {
            let mut task = self.task(Some(*check), self.facts.tree.checks[*check].at, WIDE, allowed);
            // There is no wider circle to look at.
            task.scope = SCOPES.len() - 1;
            tasks.push(task);
        }
        self.extra += tasks.len();
        let done = self.rounds(tasks, allowed);
        if done.iter().any(|task| task.search.core().is_none()) {
            return false;
        }
        for task in &done {
            let found = self.conclude(task);
            if let Some(check) = task.check {
                self.cores.insert(check, found);
            }
        }
        true
    }
}

enum Started {
    Solved,
    Task(Box<Task>),
}

fn found(facts: &Facts, question: &Question, core: &Core) -> Found {
    let has_goal = !facts.tree.terms.is_false(question.goal);
    let vacuous = has_goal && !core.uses_goal;
    let dead = core.groups.iter().any(|group| question.groups[*group].dead);
    let via = if vacuous || dead && !has_goal { Via::Infeasibility } else { Via::Proof };
    Found { keys: core.groups.iter().map(|group| question.groups[*group].key.clone()).collect(), via, vacuous }
}
