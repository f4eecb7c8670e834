//! Replaying checks to learn what their proofs need.
//!
//! A replay states each group of facts behind a label and asks with assumptions, so that one statement of a question
//! serves many answers, and sends many questions at once. It has a solver of its own, so that nothing of it touches the
//! session that gives verdicts: options outlive a reset. What one tree needs is popped before the next, which costs
//! nothing where a reset takes as long as a new process. Every answer is bounded in the solver's own count, so two runs
//! agree.

use crate::backend::{Backend, Fault};
use crate::encode::{write_assertion, write_labelled};
use crate::names::Style;
use crate::settings::{OPTIONS, PRELUDE, Settings};
use crate::theories::Vocabulary;
use echis_proof::{Core, Explainer, Replayed};
use echis_term::Terms;
use std::fmt::Write;
use std::time::{Duration, Instant};

pub struct Replay<B> {
    backend: B,
    settings: Settings,
    running: bool,
    /// Whether the solver's answer to the options is still to be read.
    greeted: bool,
    /// Whether the solver still knows another tree.
    stale: bool,
    vocabulary: Vocabulary,
    /// How much of the vocabulary's texts the solver has been told.
    declared: usize,
    axiomatised: usize,
    /// The number of labels that are declared.
    labels: usize,
    statistics: ReplayStatistics,
}

/// Counts for profiles. They play no part in answers.
#[derive(Clone, Copy, Default, Debug)]
pub struct ReplayStatistics {
    pub questions: u64,
    pub answers: u64,
    pub batches: u64,
    pub bytes: u64,
    pub time: Duration,
}

/// The solver drops from a core what it can while it still has the proof at hand. Declarations go with their scope.
const CORES: &str = "\
(set-option :produce-unsat-cores true)
(set-option :smt.core.minimize true)
(set-option :global-decls false)
";
/// From one tree to the next.
const NEXT: &str = "(set-option :rlimit 0)\n(pop)\n(push)\n";
/// The label of the negated goal.
const GOAL: &str = "goal!";
/// As many answers are awaited at once.
const BATCH: usize = 100;

impl<B: Backend> Replay<B> {
    pub fn new(backend: B, settings: Settings) -> Self {
        Replay {
            backend,
            settings,
            running: false,
            greeted: false,
            stale: false,
            vocabulary: Vocabulary::new(Style::Numbered),
            declared: 0,
            axiomatised: 0,
            labels: 0,
            statistics: ReplayStatistics::default(),
        }
    }
    /// Starts the solver, so that it is there when the first question comes. Leaves faults to that question.
    pub fn start(&mut self) {
        if !self.running {
            let _ = self.restart();
        }
    }
    /// Forgets everything, for a new tree.
    pub fn begin(&mut self) {
        self.stale = self.declared > 0 || self.labels > 0;
        self.vocabulary = Vocabulary::new(Style::Numbered);
        self.statistics = ReplayStatistics::default();
        self.forget();
    }
    pub fn statistics(&self) -> ReplayStatistics {
        self.statistics
    }
    fn forget(&mut self) {
        self.declared = 0;
        self.axiomatised = 0;
        self.labels = 0;
    }
    fn restart(&mut self) -> Result<(), Fault> {
        self.forget();
        self.running = false;
        self.stale = false;
        self.backend.restart()?;
        let goal = format!("(declare-const {GOAL} Bool)\n");
        self.backend.send(&[OPTIONS, CORES, PRELUDE, &goal, "(push)\n"].concat())?;
        self.greeted = true;
        self.running = true;
        Ok(())
    }
    fn batch(&mut self, terms: &Terms, questions: &[Replayed<'_>]) -> Result<Vec<Vec<Option<Core>>>, Fault> {
        if !self.running {
            self.restart()?;
        }
        if std::mem::take(&mut self.greeted) {
            // Solvers of other versions may say something about options they do not have; that is read away.
            self.backend.receive(self.settings.start)?;
        }
        let mut script = String::from(if std::mem::take(&mut self.stale) { NEXT } else { "" });
        script.push_str(&self.vocabulary_for(terms, questions));
        for question in questions {
            self.state(terms, question, &mut script);
        }
        self.statistics.bytes += script.len() as u64;
        self.backend.send(&script)?;
        let lines = self.backend.receive(self.settings.full.clock)?;
        read(&lines, questions)
    }
    /// What the solver has to be told at the base before the questions.
    fn vocabulary_for(&mut self, terms: &Terms, questions: &[Replayed<'_>]) -> String {
        let mut labels = self.labels;
        for question in questions {
            let facts = question.always.iter().chain(question.groups.iter().flatten()).chain([&question.goal]);
            facts.for_each(|fact| self.vocabulary.require(terms, *fact));
            labels = labels.max(question.groups.len());
        }
        let mut script = self.vocabulary.declarations[self.declared..].to_string();
        self.declared = self.vocabulary.declarations.len();
        script.push_str(&self.vocabulary.axioms[self.axiomatised..]);
        self.axiomatised = self.vocabulary.axioms.len();
        for label in self.labels..labels {
            let _ = writeln!(script, "(declare-const g!{label} Bool)");
        }
        self.labels = labels;
        script
    }
    fn state(&self, terms: &Terms, question: &Replayed<'_>, script: &mut String) {
        let style = Style::Numbered;
        // A push takes the limit of the moment as the bound of all that happens until its pop.
        script.push_str("(set-option :rlimit 0)\n(push)\n");
        for fact in question.always {
            write_assertion(terms, style, *fact, script);
        }
        for (index, group) in question.groups.iter().enumerate() {
            for fact in group {
                write_labelled(terms, style, &format!("g!{index}"), false, *fact, script);
            }
        }
        write_labelled(terms, style, GOAL, true, question.goal, script);
        let bound = question.bound.min(u64::from(self.settings.full.rlimit));
        let _ = writeln!(script, "(set-option :rlimit {bound})");
        for groups in &question.asks {
            let _ = write!(script, "(get-info :rlimit)\n(check-sat-assuming ({GOAL}");
            for group in groups {
                let _ = write!(script, " g!{group}");
            }
            script.push_str("))\n(get-info :rlimit)\n(get-unsat-core)\n");
        }
        script.push_str("(pop)\n");
    }
}

impl<B: Backend> Explainer for Replay<B> {
    /// A solver that breaks is restarted once.
    fn ask(&mut self, terms: &Terms, questions: &[Replayed<'_>]) -> Vec<Vec<Option<Core>>> {
        let start = Instant::now();
        let mut answers = Vec::new();
        let mut rest = questions;
        while !rest.is_empty() {
            let mut sum = 0;
            let length = rest.iter().take_while(|question| {
                sum += question.asks.len();
                sum <= BATCH
            });
            let length = length.count().max(1);
            let (now, later) = rest.split_at(length);
            rest = later;
            let mut answer = self.batch(terms, now);
            if answer.is_err() {
                self.running = false;
                answer = self.batch(terms, now);
            }
            self.running &= answer.is_ok();
            self.statistics.batches += 1;
            self.statistics.questions += now.len() as u64;
            self.statistics.answers += now.iter().map(|question| question.asks.len() as u64).sum::<u64>();
            let nothing = |question: &Replayed<'_>| vec![None; question.asks.len()];
            answers.extend(answer.unwrap_or_else(|_| now.iter().map(nothing).collect()));
        }
        self.statistics.time += start.elapsed();
        answers
    }
}

/// The answers in the order of what was asked. Each is a count, a verdict, a count, and a core or an error.
fn read(lines: &[String], questions: &[Replayed<'_>]) -> Result<Vec<Vec<Option<Core>>>, Fault> {
    let mut flat: Vec<Option<Core>> = Vec::new();
    let mut before = 0;
    let mut proved = None;
    let mut effort = 0;
    for line in lines {
        match line.as_str() {
            "unsat" => proved = Some(true),
            "sat" | "unknown" => proved = Some(false),
            line if line.starts_with("(:rlimit") => {
                let count = line.trim_start_matches("(:rlimit").trim_matches([' ', ')']).parse::<u64>().unwrap_or(0);
                match proved {
                    None => before = count,
                    Some(_) => effort = count.saturating_sub(before),
                }
            }
            line if line.starts_with('(') => {
                let Some(verdict) = proved.take() else { return Err(Fault::Garbage(line.chars().take(200).collect())) };
                flat.push((verdict && !line.starts_with("(error")).then(|| read_core(line, effort)));
            }
            _ => {}
        }
    }
    let mut flat = flat.into_iter();
    let answers: Vec<Vec<Option<Core>>> =
        questions.iter().map(|question| flat.by_ref().take(question.asks.len()).collect()).collect();
    let complete = answers.iter().zip(questions).all(|(answers, question)| answers.len() == question.asks.len());
    if complete { Ok(answers) } else { Err(Fault::Garbage("answers are missing".into())) }
}

/// `(g!3 goal! g!7)`
fn read_core(line: &str, effort: u64) -> Core {
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
    Core { groups, uses_goal, effort }
}
