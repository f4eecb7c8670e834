//! Replaying a check to learn what its proof needs.
//!
//! A replay states each group of facts behind a label and asks with assumptions, so that one statement of the question
//! serves many answers. Nothing of it touches the session that gives verdicts. The effort of later answers is bounded
//! by what the first proof took, in the solver's own count, so two runs agree.

use crate::backend::{Backend, Fault};
use crate::encode::{write_assertion, write_labelled};
use crate::names::Style;
use crate::settings::{OPTIONS, PRELUDE, Settings};
use crate::theories::Vocabulary;
use echis_proof::{Core, Explainer};
use echis_term::{TermId, Terms};
use std::fmt::Write;
use std::time::Duration;

pub struct Replay<B> {
    backend: B,
    settings: Settings,
    running: bool,
    vocabulary: Vocabulary,
    /// How much of the vocabulary's texts the solver has been told.
    declared: usize,
    axiomatised: usize,
    /// The number of labels that are declared.
    labels: usize,
    /// The text of the question.
    question: String,
    groups: usize,
    /// Whether the solver has been told the question.
    told: bool,
    /// What the first proof of the question took.
    spent: Option<u64>,
    statistics: ReplayStatistics,
}

/// Counts for profiles. They play no part in answers.
#[derive(Clone, Copy, Default, Debug)]
pub struct ReplayStatistics {
    pub posed: u64,
    pub asked: u64,
    pub time: Duration,
}

/// The effort of an answer after the first proof: so many times what that took, and at least this much.
const FACTOR: u64 = 3;
const LEAST: u64 = 20_000;
/// The label of the negated goal.
const GOAL: &str = "goal!";

impl<B: Backend> Replay<B> {
    pub fn new(backend: B, settings: Settings) -> Self {
        Replay {
            backend,
            settings,
            running: false,
            vocabulary: Vocabulary::new(Style::Numbered),
            declared: 0,
            axiomatised: 0,
            labels: 0,
            question: String::new(),
            groups: 0,
            told: false,
            spent: None,
            statistics: ReplayStatistics::default(),
        }
    }
    /// Forgets everything, for a new tree.
    pub fn begin(&mut self) {
        self.vocabulary = Vocabulary::new(Style::Numbered);
        self.question.clear();
        self.forget();
        if self.running {
            self.running = self.greet("(reset)\n").is_ok();
        }
    }
    pub fn statistics(&self) -> ReplayStatistics {
        self.statistics
    }
    fn forget(&mut self) {
        self.declared = 0;
        self.axiomatised = 0;
        self.labels = 0;
        self.told = false;
    }
    /// Starts the solver, so that it is there when the first question comes; faults are left to that question.
    pub fn start(&mut self) {
        if !self.running {
            let _ = self.restart();
        }
    }
    fn restart(&mut self) -> Result<(), Fault> {
        self.forget();
        self.running = false;
        self.backend.restart()?;
        self.greet("")?;
        self.running = true;
        Ok(())
    }
    fn greet(&mut self, first: &str) -> Result<(), Fault> {
        let goal = format!("(declare-const {GOAL} Bool)\n");
        self.backend.send(&[first, OPTIONS, "(set-option :produce-unsat-cores true)\n", PRELUDE, &goal].concat())?;
        self.backend.receive(self.settings.start).map(drop)
    }
    fn tell(&mut self, script: &mut String) {
        if self.told {
            return;
        }
        script.push_str(&self.vocabulary.declarations[self.declared..]);
        self.declared = self.vocabulary.declarations.len();
        script.push_str(&self.vocabulary.axioms[self.axiomatised..]);
        self.axiomatised = self.vocabulary.axioms.len();
        while self.labels < self.groups {
            let _ = writeln!(script, "(declare-const {} Bool)", label(self.labels));
            self.labels += 1;
        }
        // A push takes the limit of the moment as the bound of all that happens until its pop.
        script.push_str("(set-option :rlimit 0)\n(push)\n");
        script.push_str(&self.question);
        self.told = true;
    }
    fn answer(&mut self, groups: &[usize]) -> Result<Option<Core>, Fault> {
        if !self.running {
            self.restart()?;
        }
        let mut script = String::new();
        self.tell(&mut script);
        let limit = match self.spent {
            Some(spent) => (spent * FACTOR).max(LEAST).min(u64::from(self.settings.full.rlimit)),
            None => u64::from(self.settings.full.rlimit),
        };
        let _ = write!(script, "(set-option :rlimit {limit})\n(get-info :rlimit)\n(check-sat-assuming ({GOAL}");
        for group in groups {
            script.push(' ');
            script.push_str(&label(*group));
        }
        script.push_str("))\n(get-info :rlimit)\n(get-unsat-core)\n");
        self.backend.send(&script)?;
        let lines = self.backend.receive(self.settings.full.clock)?;
        self.read(&lines)
    }
    fn read(&mut self, lines: &[String]) -> Result<Option<Core>, Fault> {
        let mut proved = None;
        let mut counts: Vec<u64> = Vec::new();
        let mut core: Option<Core> = None;
        for line in lines {
            match line.as_str() {
                "unsat" => proved = Some(true),
                "sat" | "unknown" => proved = Some(false),
                line if line.starts_with("(:rlimit") => {
                    counts.extend(line.trim_start_matches("(:rlimit").trim_matches([' ', ')']).parse::<u64>().ok());
                }
                line if proved == Some(true) && line.starts_with('(') && !line.starts_with("(error") => {
                    core = Some(read_core(line));
                }
                _ => {}
            }
        }
        let proved = proved.ok_or_else(|| Fault::Garbage(lines.first().cloned().unwrap_or_default()))?;
        if !proved {
            return Ok(None);
        }
        if let (None, [before, after, ..]) = (self.spent, counts.as_slice()) {
            self.spent = Some(after.saturating_sub(*before));
        }
        core.map(Some).ok_or_else(|| Fault::Garbage("a proof without a core".into()))
    }
}

impl<B: Backend> Explainer for Replay<B> {
    fn pose(&mut self, terms: &Terms, always: &[TermId], groups: &[Vec<TermId>], goal: TermId) {
        if self.told && self.running {
            self.running =
                self.backend.send("(pop)\n").and_then(|()| self.backend.receive(self.settings.start)).is_ok();
        }
        self.told = false;
        self.spent = None;
        self.statistics.posed += 1;
        self.question.clear();
        self.groups = groups.len();
        let style = Style::Numbered;
        for fact in always {
            self.vocabulary.require(terms, *fact);
            write_assertion(terms, style, *fact, &mut self.question);
        }
        for (index, group) in groups.iter().enumerate() {
            let label = label(index);
            for fact in group {
                self.vocabulary.require(terms, *fact);
                write_labelled(terms, style, &label, false, *fact, &mut self.question);
            }
        }
        self.vocabulary.require(terms, goal);
        write_labelled(terms, style, GOAL, true, goal, &mut self.question);
    }
    /// A solver that breaks is restarted once.
    fn ask(&mut self, groups: &[usize]) -> Option<Core> {
        let start = std::time::Instant::now();
        self.statistics.asked += 1;
        let mut answer = self.answer(groups);
        if answer.is_err() {
            self.running = false;
            answer = self.answer(groups);
        }
        self.running &= answer.is_ok();
        self.statistics.time += start.elapsed();
        answer.ok().flatten()
    }
}

fn label(group: usize) -> String {
    format!("g!{group}")
}

/// `(g!3 goal! g!7)`
fn read_core(line: &str) -> Core {
    let mut groups: Vec<usize> = Vec::new();
    let mut uses_goal = false;
    for name in line.trim_matches(['(', ')']).split_whitespace() {
        match name.strip_prefix("g!").and_then(|number| number.parse().ok()) {
            Some(group) => groups.push(group),
            None => uses_goal |= name == GOAL,
        }
    }
    groups.sort_unstable();
    groups.dedup();
    Core { groups, uses_goal }
}
