//! A solver session synchronised to one node of a proof tree.
//!
//! Invariants: `trail` is the path from the root to the node of the last question, so a node's position in it is its
//! depth; the solver has asserted exactly the facts of `trail[..sent]`, those from `levels[i]` on above the `i`-th
//! push; axioms are asserted below the first push. Where levels begin depends only on the path, not on earlier
//! questions.

mod attempt;
mod cases;
mod doubt;
mod instances;
mod ladder;
mod lifecycle;
mod modeling;
mod naming;

pub use attempt::{Attempt, Attempted};
use doubt::Doubts;
pub use ladder::Elsewhere;
use ladder::Open;
use naming::FactNames;

use crate::backend::{Backend, Fault};
use crate::encode::{write_assertion, write_negation};
use crate::limits::FACTS_PER_LEVEL;
use crate::names::{self, Style};
use crate::reply::{self, Answer, Instantiated};
use crate::settings::{Limit, Settings};
use crate::theories::{self, Vocabulary};
use echis_base::FastMap;
use echis_proof::{Bound, GaveUp, NodeId, ProofTree, Property, Prover, Step, Verdict};
use echis_term::{Op, TermId, TermKind, Terms};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::{Duration, Instant};

/// The state of the solver process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ProcessState {
    /// Not started, or broken.
    Absent,
    /// It received the options, and has not responded yet.
    Greeted,
    /// It received facts.
    Used,
    /// It has the usual options, and received something other than the facts of the trail.
    Astray,
}

pub struct Session<B> {
    backend: B,
    settings: Settings,
    solver: ProcessState,
    vocabulary: Vocabulary,
    /// The lengths of the vocabulary's texts that the solver has received.
    declared: usize,
    axiomatised: usize,
    trail: Vec<NodeId>,
    /// Number of occurrences of each proposition among the facts of the trail; conjunctions are split.
    facts: FastMap<TermId, u32>,
    sent: usize,
    levels: Vec<usize>,
    /// The last limit sent to the solver.
    rlimit: u32,
    /// Commands to be sent with the next question.
    script: String,
    statistics: Statistics,
    /// Whether the caller needs effort counts.
    counted: bool,
    /// Whether the solver is asked for its effort, as for all obligations, whose attempts share a limit.
    counting: bool,
    /// Whether the current question is an obligation.
    is_obligation: bool,
    /// The effort of the last answer.
    effort: u64,
    /// Whether this solver or an earlier one has answered a question.
    answered: bool,
    /// Whether arithmetic was incomplete for the last question.
    lacks_arithmetic: bool,
    /// Whether quantifiers of this tree are instantiated more eagerly than usual.
    eager: bool,
    /// The limit for this tree's obligations, if not the usual one.
    own_bound: Option<Limit>,
    /// The remaining limit of the current obligation, if the question is known to be one.
    open: Option<Open>,
    /// Whether another engine verified this tree's obligations, once asked.
    elsewhere: Option<bool>,
    /// Effort spent on this tree's obligations without success, in the solver's units.
    in_vain: u64,
    /// Effort spent on its other questions that reached their limits.
    doubts: Doubts,
    /// Number of its obligations that a new solver failed to prove, too.
    afresh_in_vain: u32,
    /// The attempts to prove obligations, by method.
    attempted: BTreeMap<Attempt, Attempted>,
    /// Instance counts of quantifiers by name, if counted.
    instances: Instances,
    /// Number of names given to watched terms: declarations outlive their questions.
    watched: usize,
    /// Where facts have names, so that proofs tell which they use.
    names: Option<FactNames>,
}

pub type Instances = BTreeMap<String, Instantiated>;

/// Statistics for profiles. They do not affect verdicts.
#[derive(Clone, Copy, Default, Debug)]
pub struct Statistics {
    /// Questions that the solver answered.
    pub asked: u64,
    /// Questions answered without the solver.
    pub trivial: u64,
    pub restarts: u64,
    pub solver_time: Duration,
    /// Number of bytes sent.
    pub bytes: u64,
}

const UNLIMITED: u32 = 0;

impl<B: Backend> Session<B> {
    pub fn new(backend: B, settings: Settings) -> Self {
        let style = settings.style();
        Session {
            backend,
            settings,
            solver: ProcessState::Absent,
            vocabulary: Vocabulary::new(style),
            declared: 0,
            axiomatised: 0,
            trail: Vec::new(),
            facts: FastMap::default(),
            sent: 0,
            levels: Vec::new(),
            rlimit: UNLIMITED,
            script: String::new(),
            statistics: Statistics::default(),
            counted: false,
            counting: false,
            is_obligation: false,
            effort: 0,
            answered: false,
            lacks_arithmetic: false,
            eager: false,
            own_bound: None,
            open: None,
            elsewhere: None,
            in_vain: 0,
            doubts: Doubts::default(),
            afresh_in_vain: 0,
            attempted: BTreeMap::new(),
            instances: Instances::new(),
            watched: 0,
            names: None,
        }
    }
    /// Resets for a new tree. Verdicts do not depend on earlier uses of the session.
    pub fn begin(&mut self) {
        self.vocabulary = Vocabulary::new(self.settings.style());
        self.eager = false;
        self.own_bound = None;
        self.open = None;
        self.elsewhere = None;
        self.in_vain = 0;
        self.doubts = Doubts::default();
        self.afresh_in_vain = 0;
        self.attempted.clear();
        self.instances.clear();
        self.trail.clear();
        self.facts.clear();
        self.forget_solver_state();
        if matches!(self.solver, ProcessState::Used | ProcessState::Astray) {
            let _ = self.greet(&self.settings.dialect.reset(), "");
        }
    }
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }
    /// Whether the process has proved to be a solver.
    pub fn has_answered(&self) -> bool {
        self.answered
    }
    /// The effort of the last answer, in the solver's units; 0 if not counted.
    pub fn last_effort(&self) -> u64 {
        if self.counted { self.effort } else { 0 }
    }
    pub fn count_effort(&mut self, counted: bool) {
        self.counted = counted;
    }
    /// The attempts to prove this tree's obligations, by method, with their effort.
    pub fn attempted(&self) -> &BTreeMap<Attempt, Attempted> {
        &self.attempted
    }
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    fn forget_solver_state(&mut self) {
        self.declared = 0;
        self.axiomatised = 0;
        self.sent = 0;
        self.levels.clear();
        self.rlimit = UNLIMITED;
        self.script.clear();
        self.names.iter_mut().for_each(FactNames::forget);
    }
}

impl<B: Backend> Prover for Session<B> {
    fn check(&mut self, tree: &ProofTree, at: NodeId, goal: TermId, bound: Bound) -> Verdict {
        self.check_with(tree, at, goal, bound, &mut |_| None)
    }
    fn instantiate_eagerly(&mut self) {
        self.eager = true;
        self.greet_again();
    }
    fn bound(&mut self, rlimit: u32) {
        self.own_bound = Some(Limit::of(rlimit));
    }
    fn obliged(&mut self, property: Property) {
        self.open_obligation(property);
    }
    fn tried(&mut self) {
        self.open = None;
    }
}

impl<B: Backend> Session<B> {
    /// Answers a question. `elsewhere` may establish obligations that are hard to prove.
    pub fn check_with(
        &mut self,
        tree: &ProofTree,
        at: NodeId,
        goal: TermId,
        bound: Bound,
        elsewhere: &mut Elsewhere<'_>,
    ) -> Verdict {
        self.move_to(tree, at);
        self.effort = 0;
        self.is_obligation = matches!(bound, Bound::Full | Bound::Again);
        self.counting = self.counted || self.is_obligation;
        if self.is_known(&tree.terms, goal) {
            self.statistics.trivial += 1;
            return Verdict::Proved;
        }
        match bound {
            Bound::Full => self.insist(tree, goal, elsewhere),
            Bound::Brief | Bound::Quick | Bound::Patient | Bound::Again => self.wonder(tree, goal, bound),
        }
    }
    /// Asks, replacing a solver that breaks once.
    fn settle(&mut self, tree: &ProofTree, goal: TermId, limit: Limit) -> Verdict {
        let mut answer = self.ask(tree, goal, limit);
        if matches!(answer, Err(Answer::Broken(_))) {
            answer = self.ask(tree, goal, limit);
        }
        match answer {
            Ok(verdict) => verdict,
            Err(Answer::Refused(text)) => {
                // The solver may have kept part of what was sent.
                self.solver = ProcessState::Absent;
                Verdict::Unknown(GaveUp::Solver(format!("the solver refused our text: {text}")))
            }
            Err(Answer::Broken(fault)) => Verdict::Unknown(GaveUp::Solver(fault.to_string())),
        }
    }
}

impl<B: Backend> Session<B> {
    /// The solver's error message if it rejects the goal.
    pub fn refusal(&mut self, tree: &ProofTree, goal: TermId) -> Option<String> {
        self.move_to(tree, tree.root());
        let answer = self.ask(tree, goal, self.settings.limit(Bound::Brief));
        let Err(Answer::Refused(text)) = answer else { return None };
        self.solver = ProcessState::Absent;
        Some(text)
    }
}

/// The logical side: which facts hold.
impl<B: Backend> Session<B> {
    fn move_to(&mut self, tree: &ProofTree, at: NodeId) {
        let mut missing = Vec::new();
        let mut node = at;
        while self.trail.get(tree.nodes[node].depth as usize) != Some(&node) {
            missing.push(node);
            match tree.nodes[node].parent {
                Some(parent) => node = parent,
                None => break,
            }
        }
        let common = tree.nodes[at].depth as usize + 1 - missing.len();
        for node in self.trail.split_off(common) {
            for_each_fact(tree, node, |fact| {
                if let Some(count) = self.facts.get_mut(&fact) {
                    *count -= 1;
                }
            });
        }
        self.pop_to(common);
        for node in missing.into_iter().rev() {
            for_each_fact(tree, node, |fact| *self.facts.entry(fact).or_insert(0) += 1);
            self.trail.push(node);
        }
    }
    /// Answers without the solver, if the goal is true or among the facts.
    fn is_known(&self, terms: &Terms, goal: TermId) -> bool {
        let stated = |term: TermId| self.facts.get(&term).is_some_and(|count| *count > 0);
        match terms.as_op(goal) {
            Some((Op::And, parts)) => stated(goal) || parts.iter().all(|part| stated(*part)),
            _ => terms.is_true(goal) || stated(goal),
        }
    }
}

/// The solver's side: what it has received.
impl<B: Backend> Session<B> {
    /// Pops levels until at most the first `length` nodes of the trail are asserted.
    fn pop_to(&mut self, length: usize) {
        let before = self.levels.len();
        while self.sent > length {
            // Everything is asserted above the first push, so a level to pop remains.
            self.sent = self.levels.pop().unwrap_or(0);
        }
        if self.levels.len() < before {
            let _ = writeln!(self.script, "(pop {})", before - self.levels.len());
        }
    }
    fn ask(&mut self, tree: &ProofTree, goal: TermId, limit: Limit) -> Result<Verdict, Answer> {
        let dialect = self.settings.dialect;
        let lines = self.ask_solver(tree, goal, limit).map_err(Answer::Broken);
        self.lacks_arithmetic = lines.as_ref().is_ok_and(|lines| dialect.lacks_arithmetic(lines));
        let answer = lines.and_then(|lines| self.read_verdict(&lines, limit));
        self.answered |= answer.is_ok();
        if matches!(answer, Err(Answer::Broken(_))) {
            self.solver = ProcessState::Absent;
        }
        answer
    }
    /// The verdict of an answer, recording its effort. If an obligation reached its limit, the limit is the reason
    /// for `unknown`, whatever the solver reports. This must not affect other questions, whose effort is counted in
    /// profiles only.
    fn read_verdict(&mut self, lines: &[String], limit: Limit) -> Result<Verdict, Answer> {
        let effort = self.settings.dialect.effort(lines);
        self.effort += effort;
        let verdict = reply::verdict(self.settings.dialect, lines)?;
        // Sending the goal counts, too, before the first count is requested.
        let bound = u64::from(limit.rlimit);
        let reached = self.is_obligation && limit.rlimit != UNLIMITED && effort >= bound - bound / 16;
        Ok(match verdict {
            Verdict::Unknown(GaveUp::Incomplete) if reached => Verdict::Unknown(GaveUp::Resources),
            verdict => verdict,
        })
    }
    fn ask_solver(&mut self, tree: &ProofTree, goal: TermId, limit: Limit) -> Result<Vec<String>, Fault> {
        self.ready()?;
        self.prepare(tree, goal);
        self.set_limit(limit.rlimit);
        if self.names.is_some() {
            return self.ask_named(tree, goal, limit);
        }
        self.question(&tree.terms, goal);
        self.exchange(limit)
    }
    /// Sends the pending script, which ends in a question, and reads the answer.
    fn exchange(&mut self, limit: Limit) -> Result<Vec<String>, Fault> {
        let script = std::mem::take(&mut self.script);
        let started = Instant::now();
        self.backend.send(&script)?;
        if self.solver == ProcessState::Greeted {
            self.await_greeting()?;
        }
        self.solver = ProcessState::Used;
        let lines = self.backend.receive(limit.clock).map(|lines| self.without_instances(lines));
        self.statistics.asked += 1;
        self.statistics.bytes += script.len() as u64;
        self.statistics.solver_time += started.elapsed();
        lines
    }
    /// Asserts the rest of the trail. New axioms belong below everything else, so they require asserting everything
    /// again.
    fn prepare(&mut self, tree: &ProofTree, goal: TermId) {
        for node in &self.trail[self.sent..] {
            if let Some(fact) = tree.fact(*node) {
                self.vocabulary.require(&tree.terms, fact);
            }
        }
        self.vocabulary.require(&tree.terms, goal);
        self.script.push_str(&self.vocabulary.declarations[self.declared..]);
        self.declared = self.vocabulary.declarations.len();
        if self.axiomatised < self.vocabulary.axioms.len() {
            self.pop_to(0);
            self.script.push_str(&self.vocabulary.axioms[self.axiomatised..]);
            self.axiomatised = self.vocabulary.axioms.len();
        }
        for index in self.sent..self.trail.len() {
            let node = self.trail[index];
            if opens_level(tree, node) {
                // A push makes the current limit the bound for everything until its pop.
                self.set_limit(UNLIMITED);
                self.levels.push(index);
                self.script.push_str("(push)\n");
            }
            if let Some(fact) = tree.fact(node).filter(|fact| !tree.terms.is_true(*fact)) {
                let style = self.settings.style();
                match &mut self.names {
                    None => write_assertion(&tree.terms, style, fact, &mut self.script),
                    Some(names) => names.state(&tree.terms, style, node, fact, &mut self.script),
                }
            }
        }
        self.sent = self.trail.len();
    }
    fn set_limit(&mut self, rlimit: u32) {
        if self.rlimit != rlimit {
            self.rlimit = rlimit;
            self.script.push_str(&self.settings.dialect.bound(rlimit.into()));
        }
    }
    fn question(&mut self, terms: &Terms, goal: TermId) {
        const ASK: &str = "(check-sat)\n(get-info :reason-unknown)\n";
        let count = if self.counting { self.settings.dialect.ask_count() } else { String::new() };
        let ask = [&count, ASK, &count].concat();
        if terms.is_false(goal) {
            // Without a separate level, what the solver learns stays until the facts are popped.
            return self.script.push_str(&ask);
        }
        self.script.push_str("(push)\n");
        write_negation(terms, self.settings.style(), goal, &mut self.script);
        self.script.push_str(&ask);
        self.script.push_str("(pop)\n");
    }
}

/// Whether a node opens a level. The root always does, so that only axioms are at the base.
fn opens_level(tree: &ProofTree, node: NodeId) -> bool {
    let node = &tree.nodes[node];
    matches!(node.step, Step::Root | Step::Split { .. }) || node.depth.is_multiple_of(FACTS_PER_LEVEL)
}

fn for_each_fact(tree: &ProofTree, node: NodeId, mut visit: impl FnMut(TermId)) {
    let Some(fact) = tree.fact(node) else { return };
    visit(fact);
    if let Some((Op::And, parts)) = tree.terms.as_op(fact) {
        parts.iter().for_each(|part| visit(*part));
    }
}

fn watch(position: usize) -> String {
    format!("w!{position}")
}

/// The name of an application's symbol or operator, as sent by sessions.
pub fn head(terms: &Terms, term: TermId) -> String {
    let mut head = String::new();
    match terms.kind(term) {
        TermKind::App(symbol, _) => names::write_symbol(terms, Style::Numbered, *symbol, &mut head),
        TermKind::Op(op, args) => theories::write_operator(terms, Style::Numbered, *op, args, &mut head),
        TermKind::Bool(_) | TermKind::Int(_) | TermKind::Perm(_) | TermKind::Quant(_) => {}
    }
    head
}

fn is_answer_to_option(line: &str) -> bool {
    reply::is_harmless(line) || line == "success" || line.starts_with("(error")
}
