//! The cores of many checks. Finders are tried from the cheapest on; what they cannot find is asked of a solver
//! (`asked`). An [`Allowance`] limits the total effort.

mod allowance;
mod asked;
mod closed;
mod derived;
mod named;
mod remembered;

use crate::blame::Facts;
use crate::minimize::{Minimization, Minimizer};
use crate::options::{Definition, DependencyOptions};
use crate::path::Path;
use crate::prover::Prover;
use crate::question::{CoreQuestion, Goal, Scope};
use crate::rank::GroupKey;
use crate::via::Via;
use allowance::Allowance;
use closed::ClosedPaths;
use echis_base::FastMap;
use echis_derive::Answer;
use echis_proof::{Check, CheckId, Core, Explainer, NodeId, OriginId, ProofCore, Property, Question as Probe, Role};
use echis_term::TermId;
use remembered::{CachedCore, check_core};
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::rc::Rc;

/// The core of one check.
#[derive(Clone, Debug)]
pub struct CheckCore {
    pub keys: Vec<GroupKey>,
    pub via: Via,
    /// The facts contradict each other, independent of the goal.
    pub vacuous: bool,
    /// The core may not be minimal: a limit was reached.
    pub coarse: bool,
}

impl CheckCore {
    fn empty() -> Self {
        CheckCore { keys: Vec::new(), via: Via::Value, vacuous: false, coarse: false }
    }
}

/// A tree, with the explainer that answers questions about it.
pub struct CoreContext<'a, 'e> {
    pub facts: Facts<'a>,
    pub explainer: &'e mut dyn Explainer,
}

/// The solved cores, with the explainer for further questions.
pub struct CoreOracle<'s> {
    pub search: &'s mut CoreSearch,
    pub explainer: &'s mut dyn Explainer,
}

impl CoreOracle<'_> {
    pub fn core(&self, check: CheckId) -> Rc<CheckCore> {
        self.search.core(check)
    }
    pub fn single_out(&mut self, facts: Facts, check: CheckId) -> Option<HashSet<TermId>> {
        self.search.single_out(&mut CoreContext { facts, explainer: &mut *self.explainer }, check)
    }
}

/// The scopes in which facts are tried. Most proofs need only a few facts near the goal. Alternative proofs are
/// searched in the wide scope.
const FROM_NEAR: &[Scope] = &[Scope::Near, Scope::Wide, Scope::All];
const FROM_WIDE: &[Scope] = &[Scope::Wide, Scope::Near, Scope::All];
/// For hard proofs.
const FROM_ALL: &[Scope] = &[Scope::All, Scope::Wide];

/// Looks for the core of a task's question, within limits and without a solver.
type Finder = fn(&mut CoreSearch, &Facts, &mut Task) -> Answer<Rc<CheckCore>>;

/// Cheapest first.
const FINDERS: &[Finder] =
    &[CoreSearch::stated, CoreSearch::remembered, CoreSearch::derived, CoreSearch::named, CoreSearch::closed];
/// The reason why a path is dead is not stated anywhere, and is not proved by another contradiction.
const FINDERS_OF_CONTRADICTIONS: &[Finder] = &[CoreSearch::remembered, CoreSearch::derived];

pub struct CoreSearch {
    options: DependencyOptions,
    minimization: Minimization,
    pub allowance: Allowance,
    /// Whether only the needs of executions matter.
    executions: bool,
    cores: HashMap<CheckId, Rc<CheckCore>>,
    /// Checks that were sent to a solver, or have to be.
    hard: HashSet<CheckId>,
    /// By goal, the cores that proved it.
    cached: FastMap<TermId, Vec<CachedCore>>,
    path: Path,
    /// For proofs that need no solver.
    prover: Prover,
    /// Whether a fact follows from the facts before it.
    redundant: FastMap<NodeId, bool>,
    queue: VecDeque<Task>,
    /// The goals of queued searches, and the checks with the same goal that may reuse the answer.
    waiting: HashMap<TermId, Vec<CheckId>>,
    /// The cost of proofs when they were first found.
    costs: HashMap<(NodeId, TermId), FirstProof>,
    closed: ClosedPaths,
}

/// The first proof of a goal.
#[derive(Clone, Default)]
pub struct FirstProof {
    /// Its effort, in the solver's units.
    pub effort: u64,
    /// Whether derivation without the solver had failed.
    pub underived: bool,
    /// The facts that it used, if the solver reported them.
    pub core: Option<ProofCore>,
}

/// The subject of a check, independent of its path.
pub type CheckSubject = (Option<Property>, Option<(OriginId, Probe)>);

pub fn subject(check: &Check) -> CheckSubject {
    match check.role {
        Role::Obligation(property) => (Some(property), None),
        Role::Probe(question) => (None, Some((check.origin, question))),
    }
}

/// A search in progress.
struct Task {
    check: Option<CheckId>,
    at: NodeId,
    /// The scopes to try next if this one fails.
    scopes: &'static [Scope],
    question: CoreQuestion,
    minimizer: Minimizer,
    bound: u64,
    /// Effort reserved for better proofs.
    promised: u64,
    /// Whether the facts are known to be contradictory, and a non-vacuous proof is sought.
    seeks_nonvacuous: bool,
    /// Whether derivations may have missed proofs.
    incomplete: bool,
}

impl CoreSearch {
    pub fn new(options: DependencyOptions) -> Self {
        CoreSearch {
            options,
            minimization: options.minimization,
            allowance: Allowance::new(options.minimization, options.policy),
            executions: options.definition == Definition::Execution,
            cores: HashMap::new(),
            hard: HashSet::new(),
            cached: FastMap::default(),
            path: Path::new(options.policy),
            prover: Prover::new(options.policy),
            redundant: FastMap::default(),
            queue: VecDeque::new(),
            waiting: HashMap::new(),
            costs: HashMap::new(),
            closed: ClosedPaths::default(),
        }
    }
    /// A fresh search that keeps the costs of first proofs.
    pub fn restarted(self) -> Self {
        CoreSearch { allowance: self.allowance.renewed(), costs: self.costs, ..CoreSearch::new(self.options) }
    }
    /// Records a proof.
    pub fn note_proof(&mut self, at: NodeId, goal: TermId, proof: FirstProof) {
        let counts = &mut self.allowance.counts;
        counts.verified += proof.effort;
        counts.largest = counts.largest.max(proof.effort);
        self.costs.insert((at, goal), proof);
    }
    /// Whether some core may not be minimal.
    pub fn has_coarse(&self) -> bool {
        self.allowance.counts.lost > 0 || self.cores.values().any(|found| found.coarse)
    }
    /// Whether to start with the wide scope: a solver given too few facts searches longer than one given too many. If
    /// a near fact closes the path, the near facts come first, since others may close it in other ways.
    fn begins_wide(&self, task: &Task) -> bool {
        let dead = task.question.groups.iter().any(|group| group.dead);
        self.minimization != Minimization::Full && !dead && !task.minimizer.is_improving()
    }
    fn patience(&self, check: CheckId) -> usize {
        if self.hard.contains(&check) { self.allowance.policy.patience } else { 0 }
    }
    pub fn is_trivial(&self, facts: &Facts, check: CheckId) -> bool {
        facts.tree.terms.is_true(facts.tree.checks[check].goal) && facts.tree.labelled_goals.get(check).is_none()
    }
    /// Whether nothing remains to be solved for a check.
    pub fn is_solved(&self, facts: &Facts, check: CheckId) -> bool {
        self.cores.contains_key(&check) || self.is_trivial(facts, check)
    }
    /// The core of a solved check; empty if it needs no proof.
    pub fn core(&self, check: CheckId) -> Rc<CheckCore> {
        self.cores.get(&check).cloned().unwrap_or_else(|| Rc::new(CheckCore::empty()))
    }
    /// The groups that a check's proof may use.
    pub fn keys_near(&mut self, facts: &Facts, check: CheckId) -> Vec<GroupKey> {
        let scope = self.scope_of_others(check);
        let question = self.question(facts, facts.tree.checks[check].at, Goal::Check(check), scope);
        question.groups.into_iter().map(|group| group.key).collect()
    }
    /// The scope for alternative proofs of a check. A contradiction may be far from the goal's symbols.
    fn scope_of_others(&self, check: CheckId) -> Scope {
        if self.core(check).vacuous { Scope::All } else { Scope::Wide }
    }
    fn question(&mut self, facts: &Facts, at: NodeId, goal: Goal, scope: Scope) -> CoreQuestion {
        self.judge_redundancy(facts, at);
        CoreQuestion::new(facts, &mut self.path, &self.redundant, at, goal, scope)
    }
}

/// Solving checks individually.
impl CoreSearch {
    /// Starts solving a check. Its core is available when the queue is empty, at the latest. A failed check may rest
    /// on anything on its path.
    pub fn begin(&mut self, cx: &mut CoreContext, check: CheckId) {
        if self.is_solved(&cx.facts, check) {
            return;
        }
        if !cx.facts.is_proved(check) {
            let found = self.blame_path(&cx.facts, Goal::Check(check), cx.facts.tree.checks[check].at);
            self.cores.insert(check, found);
            return;
        }
        self.allowance.counts.checks += 1;
        self.resume(cx, check);
    }
    fn resume(&mut self, cx: &mut CoreContext, check: CheckId) {
        let mut task = self.task(&cx.facts, Some(check), cx.facts.tree.checks[check].at, FROM_NEAR, &|_| true);
        if let Some(found) = self.find(&cx.facts, &mut task, FINDERS) {
            self.cores.insert(check, found);
        } else if let Some(waiting) = self.waiting.get_mut(&task.question.goal) {
            // A check with the same goal is solved first; its core may be reused.
            waiting.push(check);
        } else if let Some(dead) = self.abandoned_path(&cx.facts, task.at) {
            let found = self.closing_core(cx, dead);
            self.cores.insert(check, found);
        } else if self.allowance.is_spent() {
            let found = self.blame_path(&cx.facts, Goal::Check(check), task.at);
            self.cores.insert(check, found);
        } else {
            self.waiting.insert(task.question.goal, Vec::new());
            if self.begins_wide(&task) {
                let seeks_nonvacuous = task.seeks_nonvacuous;
                let hard = self.allowance.is_hard(self.effort(&cx.facts, check));
                let scopes: &'static [Scope] = match (seeks_nonvacuous, hard) {
                    (true, _) => &[Scope::Wide],
                    (false, true) => FROM_ALL,
                    (false, false) => FROM_WIDE,
                };
                let narrow = if seeks_nonvacuous { None } else { self.narrow_task(&cx.facts, check, scopes) };
                task = narrow.unwrap_or_else(|| {
                    let whole = self.task(&cx.facts, Some(check), task.at, scopes, &|_| true);
                    Task { seeks_nonvacuous, ..whole }
                });
            }
            while self.queue.len() >= self.allowance.queue_length() {
                self.step(cx);
            }
            self.send(cx, task);
        }
    }
    /// Receives one answer and continues with it.
    fn step(&mut self, cx: &mut CoreContext) {
        let Some(task) = self.next(cx) else { return };
        let found = self.conclude(&cx.facts, &task);
        if task.seeks_nonvacuous {
            self.allowance.note_nonvacuous(found.vacuous);
        }
        if let Some(check) = task.check {
            self.cores.insert(check, found);
            self.hard.insert(check);
        }
        for waiting in self.waiting.remove(&task.question.goal).unwrap_or_default() {
            self.resume(cx, waiting);
        }
    }
    pub fn solve_checks(&mut self, cx: &mut CoreContext, checks: &BTreeSet<CheckId>) {
        for check in checks {
            self.begin(cx, *check);
        }
        self.finish(cx);
    }
    /// Waits for all answers.
    pub fn finish(&mut self, cx: &mut CoreContext) {
        while !self.queue.is_empty() {
            self.step(cx);
        }
    }
    /// Whether all the checks can be proved from allowed groups. If so, their cores are replaced.
    pub fn solve_within(
        &mut self,
        cx: &mut CoreContext,
        checks: &BTreeSet<CheckId>,
        allowed: &dyn Fn(&GroupKey) -> bool,
    ) -> bool {
        let mut derived: Vec<(CheckId, CoreQuestion, Core)> = Vec::new();
        let mut tasks = VecDeque::new();
        for check in checks {
            if let Some((question, core)) = self.derive_within(&cx.facts, *check, allowed) {
                derived.push((*check, question, core));
            } else if self.allowance.is_impatient_after(self.patience(*check)) {
                return false;
            } else {
                let at = cx.facts.tree.checks[*check].at;
                let scopes: &[Scope] = if self.core(*check).vacuous { &[Scope::All] } else { &[Scope::Wide] };
                tasks.push_back(self.task(&cx.facts, Some(*check), at, scopes, allowed));
            }
        }
        // If one of them cannot be proved, often none can.
        let first: Vec<Task> = tasks.pop_front().into_iter().collect();
        let mut all = Vec::new();
        for tasks in [first, tasks.into()] {
            let (replayed, asked) = (self.allowance.counts.replayed, tasks.len());
            let done = self.complete(cx, tasks);
            self.allowance.note_others(self.allowance.counts.replayed - replayed, asked);
            if done.iter().any(|task| task.minimizer.core().is_none()) {
                self.allowance.note_success(false);
                return false;
            }
            all.extend(done);
        }
        self.allowance.note_success(true);
        for (check, question, core) in &derived {
            let found = self.remember(&cx.facts, cx.facts.tree.checks[*check].at, question, core);
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

/// Solving without a solver.
impl CoreSearch {
    fn find(&mut self, facts: &Facts, task: &mut Task, finders: &[Finder]) -> Option<Rc<CheckCore>> {
        for finder in finders {
            match finder(self, facts, task) {
                Answer::Proved(found) => return Some(found),
                Answer::NoProof => {}
                Answer::GaveUp => task.incomplete = true,
            }
        }
        None
    }
    /// The groups that state the goal itself.
    fn stated(&mut self, facts: &Facts, task: &mut Task) -> Answer<Rc<CheckCore>> {
        match task.question.stated(&facts.tree.terms, self.minimization) {
            Some(groups) => {
                let core = Core { groups, uses_goal: true, effort: 0 };
                Answer::Proved(Rc::new(check_core(facts, &task.question, &core)))
            }
            None => Answer::NoProof,
        }
    }
}
