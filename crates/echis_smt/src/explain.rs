//! Replays checks to find out what their proofs need.
//!
//! A replay states each fact once, under a label, and asks with the labels of the facts that may be used:
//! neighbouring checks share most facts, so little has to be sent for each. Questions are sent without waiting for
//! answers: the solver works on them while the caller continues. The solver is separate, so that verdicts are
//! unaffected. It is reset between trees, because answers depend on earlier questions, and which trees a solver sees
//! depends on timing; nothing waits for the reset. Every answer has a resource limit, so two runs agree.

use crate::backend::{Backend, Fault};
use crate::dialect::Dialect;
use crate::encode::{write_assertion, write_labelled};
use crate::limits::{CHAPTER_FACTS, CHAPTER_SHARE, OWN_CHAPTER, SHORT_ANSWER, SHORT_CLOCK};
use crate::names::Style;
use crate::reply;
use crate::settings::{PRELUDE, Settings};
use crate::theories::Vocabulary;
use echis_base::{FastMap, FastSet, Key};
use echis_proof::{Core, Explainer, Replayed, Replies};
use echis_term::{TermId, Terms};
use std::collections::VecDeque;
use std::fmt::Write;
use std::ops::Add;
use std::time::{Duration, Instant};

pub struct Replay<B> {
    backend: B,
    settings: Settings,
    state: ReplayState,
    /// Whether the solver's response to the options is still unread.
    greeted: bool,
    /// Whether the solver has received anything about this tree.
    used: bool,
    /// Whether quantifiers of this tree are instantiated more eagerly than usual.
    eager: bool,
    vocabulary: Vocabulary,
    /// The lengths of the vocabulary's texts that the solver has received below all facts, and in total.
    base: Told,
    told: Told,
    /// Facts that hold in all questions about this tree.
    given: Given,
    /// The chapters that are not withdrawn, the current one last; earlier ones still have open questions.
    chapters: VecDeque<Chapter>,
    /// Unanswered questions, oldest first.
    open: VecDeque<Open>,
    /// Commands to send before anything else.
    unsent: String,
    statistics: ReplayStatistics,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Told {
    declarations: usize,
    axioms: usize,
}

/// Facts without labels, below all chapters.
#[derive(Default)]
struct Given {
    facts: FastSet<TermId>,
    script: String,
    /// How much of the script the solver has been told.
    told: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ReplayState {
    Absent,
    Running,
    /// It broke twice: this tree is not explained any further.
    Lost,
}

/// A group of facts stated together. Unused facts are cheap, but not free.
#[derive(Default)]
struct Chapter {
    number: usize,
    facts: FastSet<TermId>,
    goals: FastSet<TermId>,
    /// The commands that state them, to be sent again if the solver breaks.
    script: String,
}

struct Open {
    chapter: usize,
    script: String,
    asked: Vec<Asked>,
    named: bool,
    /// The time limit for the answers: some of the solver's work is not counted.
    clock: Duration,
}

/// The premises that one answer may use: the assumed groups, and for each of their facts the group that states it.
struct Asked {
    groups: Vec<usize>,
    group_of: FastMap<TermId, usize>,
}

/// Statistics for profiles. They do not affect answers.
#[derive(Clone, Copy, Default, Debug)]
pub struct ReplayStatistics {
    pub questions: u64,
    pub answers: u64,
    pub bytes: u64,
    /// The time spent waiting for answers.
    pub time: Duration,
}

impl Add for ReplayStatistics {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        ReplayStatistics {
            questions: self.questions + other.questions,
            answers: self.answers + other.answers,
            bytes: self.bytes + other.bytes,
            time: self.time + other.time,
        }
    }
}

/// Enters a chapter.
const ENTER: &str = "(push)\n";
/// Makes the solver process what it received, so that this does not count as an answer's effort.
const TAKE_IN: &str = "(push)\n(pop)\n";

impl<B: Backend> Replay<B> {
    pub fn new(backend: B, settings: Settings) -> Self {
        Replay {
            backend,
            settings,
            state: ReplayState::Absent,
            greeted: false,
            used: false,
            eager: false,
            vocabulary: Vocabulary::new(Style::Numbered),
            base: Told::default(),
            told: Told::default(),
            given: Given::default(),
            chapters: VecDeque::from([Chapter::default()]),
            open: VecDeque::new(),
            unsent: String::new(),
            statistics: ReplayStatistics::default(),
        }
    }
    /// Resets for a new tree.
    pub fn begin(&mut self) {
        let was_eager = std::mem::take(&mut self.eager);
        if !self.open.is_empty() || self.state == ReplayState::Lost {
            // These answers are no longer needed.
            self.open.clear();
            self.state = ReplayState::Absent;
        }
        self.vocabulary = Vocabulary::new(Style::Numbered);
        self.statistics = ReplayStatistics::default();
        self.chapters = VecDeque::from([Chapter::default()]);
        self.given = Given::default();
        self.forget();
        if self.used || was_eager {
            self.greet_again();
        }
    }
    /// Instantiates quantifiers of this tree more eagerly than usual.
    pub fn instantiate_eagerly(&mut self) {
        self.eager = true;
        self.greet_again();
    }
    /// Resets the solver and sends the options, which count only if they precede all declarations. Each message has an
    /// answer, which must be read before that to the next one.
    fn greet_again(&mut self) {
        if self.state != ReplayState::Running {
            return;
        }
        let is_heard = !std::mem::take(&mut self.greeted) || self.backend.receive(self.settings.start).is_ok();
        self.forget();
        if !is_heard || self.greet("(reset)\n").is_err() {
            self.state = ReplayState::Absent;
        }
    }
    /// Releases the solver while nothing is asked.
    pub fn rest(&mut self) {
        if self.state == ReplayState::Running && self.open.is_empty() {
            self.state = ReplayState::Absent;
            self.used = false;
            // A process with an outstanding answer cannot be reused.
            if std::mem::take(&mut self.greeted) && self.backend.receive(self.settings.start).is_err() {
                return;
            }
            self.backend.rest();
        }
    }
    pub fn statistics(&self) -> ReplayStatistics {
        self.statistics
    }
    fn forget(&mut self) {
        self.base = Told::default();
        self.told = Told::default();
        self.given.told = 0;
        self.unsent.clear();
    }
    fn restart(&mut self) -> Result<(), Fault> {
        self.forget();
        self.state = ReplayState::Absent;
        self.backend.restart()?;
        self.greeted = false;
        self.greet("")
    }
    fn greet(&mut self, first: &str) -> Result<(), Fault> {
        let Dialect { options, cores, scoped, .. } = self.settings.dialect;
        let eager = if self.eager { self.settings.dialect.eager } else { "" };
        self.backend.send(&[first, options, cores, scoped, eager, PRELUDE, "(push)\n(push)\n"].concat())?;
        self.used = false;
        self.greeted = true;
        self.state = ReplayState::Running;
        Ok(())
    }
    /// Declarations and axioms that were added since.
    fn vocabulary(&mut self, since: Told) -> String {
        let declarations = &self.vocabulary.declarations[since.declarations..];
        let axioms = &self.vocabulary.axioms[since.axioms..];
        self.told = Told { declarations: self.vocabulary.declarations.len(), axioms: self.vocabulary.axioms.len() };
        [declarations, axioms].concat()
    }
    fn chapter(&mut self) -> &mut Chapter {
        if self.chapters.is_empty() {
            self.chapters.push_back(Chapter::default());
        }
        let last = self.chapters.len() - 1;
        &mut self.chapters[last]
    }
    /// Leaves a chapter.
    fn leave(&self) -> String {
        self.settings.dialect.bound(0) + "(pop)\n"
    }
    /// Begins a new chapter, below which the whole vocabulary is stated.
    fn turn(&mut self) -> String {
        let number = self.chapter().number + 1;
        self.chapters.push_back(Chapter { number, ..Chapter::default() });
        [&self.leave(), &*self.foundation(), ENTER].concat()
    }
    /// What stands below chapters and has not been told there.
    fn foundation(&mut self) -> String {
        let vocabulary = self.vocabulary(self.base);
        self.base = self.told;
        let given = &self.given.script[self.given.told..];
        let foundation = [&vocabulary, given].concat();
        self.given.told = self.given.script.len();
        foundation
    }
    fn tell(&mut self, script: &str) {
        self.statistics.bytes += script.len() as u64;
        self.used = true;
        if self.state == ReplayState::Running && self.backend.send(script).is_err() {
            // The missing answer will reveal the fault.
            self.state = ReplayState::Absent;
        }
    }
    /// Restarts with all unanswered questions.
    fn recover(&mut self) -> Result<(), Fault> {
        self.restart()?;
        self.used = true;
        let leave = self.leave();
        let script = &mut [&leave, &*self.foundation(), ENTER].concat();
        for chapter in &self.chapters {
            script.push_str(&leave);
            script.push_str(ENTER);
            script.push_str(&chapter.script);
            for open in self.open.iter().filter(|open| open.chapter == chapter.number) {
                script.push_str(&open.script);
                self.backend.send(&std::mem::take(script))?;
            }
        }
        // Text after the last open question is sent with the next one.
        self.unsent = std::mem::take(script);
        Ok(())
    }
    fn answer(&mut self) -> Result<Replies, Fault> {
        if std::mem::take(&mut self.greeted) {
            // Other versions may respond to options they do not know; that is discarded.
            self.backend.receive(self.settings.start)?;
        }
        let Some(open) = self.open.front() else { return Ok(Replies::default()) };
        read(self.settings.dialect, &self.backend.receive(open.clock)?, open)
    }
}

impl<B: Backend> Explainer for Replay<B> {
    fn given(&mut self, terms: &Terms, facts: &[TermId]) {
        for fact in facts {
            if self.given.facts.insert(*fact) {
                self.vocabulary.require(terms, *fact);
                write_assertion(terms, Style::Numbered, *fact, &mut self.given.script);
            }
        }
    }
    fn send(&mut self, terms: &Terms, question: &Replayed<'_>) {
        if self.state == ReplayState::Absent && self.open.is_empty() && self.restart().is_err() {
            self.state = ReplayState::Lost;
        }
        let given = std::mem::take(&mut self.given.facts);
        let is_new = |fact: &TermId| !given.contains(fact);
        let facts = || question.always.iter().chain(question.groups.iter().flatten()).copied().filter(is_new);
        facts().chain([question.goal]).for_each(|fact| self.vocabulary.require(terms, fact));
        let mut script = std::mem::take(&mut self.unsent);
        let most = CHAPTER_FACTS.max(CHAPTER_SHARE * facts().count());
        let is_founded = self.base != Told::default() && self.given.told == self.given.script.len();
        if !is_founded || self.chapter().facts.len() > most || question.bound > OWN_CHAPTER {
            script.push_str(&self.turn());
        }
        script.push_str(&self.vocabulary(self.told));
        let chapter = self.chapter();
        let number = chapter.number;
        script.push_str(&chapter.state(terms, facts(), question.goal));
        let (asking, asked) = ask(self.settings.dialect, question, &given, self.settings.full.rlimit);
        self.given.facts = given;
        script.push_str(&asking);
        self.statistics.questions += 1;
        self.statistics.answers += question.asks.len() as u64;
        self.tell(&script);
        let clock = if question.bound <= SHORT_ANSWER { SHORT_CLOCK } else { self.settings.full.clock };
        let named = question.named && !self.settings.dialect.ask_core.is_empty();
        self.open.push_back(Open { chapter: number, script: asking, asked, named, clock });
    }
    /// Restarts a solver that breaks once. One that hangs would hang again.
    fn receive(&mut self) -> Replies {
        let start = Instant::now();
        let mut replies = None;
        let mut hung = false;
        if self.state == ReplayState::Running {
            let answer = self.answer();
            hung = matches!(answer, Err(Fault::Hung(_)));
            replies = answer.ok();
        }
        if replies.is_none() && !hung && self.state != ReplayState::Lost {
            replies = self.recover().and_then(|()| self.answer()).ok();
        }
        if replies.is_none() {
            self.state = ReplayState::Lost;
        }
        let asked = self.open.pop_front().map_or(0, |open| open.asked.len());
        let oldest = self.open.front().map_or(usize::MAX, |open| open.chapter);
        while self.chapters.len() > 1 && self.chapters[0].number < oldest {
            self.chapters.pop_front();
        }
        self.statistics.time += start.elapsed();
        replies.unwrap_or_else(|| Replies { cores: vec![None; asked], effort: 0 })
    }
}

impl Chapter {
    /// States new facts and the negated goal.
    fn state(&mut self, terms: &Terms, facts: impl Iterator<Item = TermId>, goal: TermId) -> String {
        let mut script = String::new();
        let style = Style::Numbered;
        for fact in facts {
            if self.facts.insert(fact) {
                let _ = writeln!(script, "(declare-const {} Bool)", label(fact));
                write_labelled(terms, style, &label(fact), false, fact, &mut script);
            }
        }
        if self.goals.insert(goal) {
            let _ = writeln!(script, "(declare-const {} Bool)", refuted(goal));
            write_labelled(terms, style, &refuted(goal), true, goal, &mut script);
        }
        self.script.push_str(&script);
        script
    }
}

/// The label of a fact or of a negated goal.
fn label(fact: TermId) -> String {
    format!("f!{}", fact.index())
}
fn refuted(goal: TermId) -> String {
    format!("n!{}", goal.index())
}

/// Commands for a count, and for each list of groups a verdict, its core if wanted, and a count.
fn ask(dialect: &Dialect, question: &Replayed<'_>, given: &FastSet<TermId>, most: u32) -> (String, Vec<Asked>) {
    let bound = question.bound.min(u64::from(most));
    let count = dialect.ask_count();
    let mut script = [TAKE_IN, &dialect.bound(bound), &count].concat();
    let mut asked = Vec::new();
    for groups in &question.asks {
        let mut group_of: FastMap<TermId, usize> = FastMap::default();
        let _ = write!(script, "(check-sat-assuming ({}", refuted(question.goal));
        let mut told: FastSet<TermId> = FastSet::default();
        let is_new = |fact: &&TermId| !given.contains(fact);
        for fact in question.always.iter().filter(is_new).filter(|fact| told.insert(**fact)) {
            let _ = write!(script, " {}", label(*fact));
        }
        for group in groups {
            for fact in question.groups[*group].iter().filter(is_new).filter(|fact| told.insert(**fact)) {
                let _ = write!(script, " {}", label(*fact));
                group_of.insert(*fact, *group);
            }
        }
        script.push_str("))\n");
        script.push_str(if question.named { dialect.ask_core } else { "" });
        script.push_str(&count);
        asked.push(Asked { groups: groups.clone(), group_of });
    }
    script.push_str(&dialect.bound(0));
    (script, asked)
}

/// Parses the answers to [`ask`].
fn read(dialect: &Dialect, lines: &[String], open: &Open) -> Result<Replies, Fault> {
    let garbage = |line: &str| Fault::Garbage(line.chars().take(200).collect());
    let mut replies = Replies::default();
    let mut before: Option<u64> = None;
    let mut proved = None;
    let mut named = None;
    for line in lines {
        let Some(count) = dialect.count(line) else {
            match line.as_str() {
                "unsat" => proved = Some(true),
                "sat" | "unknown" => proved = Some(false),
                line if reply::asks_too_much(line) => {}
                line if line.starts_with("(error") => return Err(garbage(line)),
                line if line.starts_with('(') => named = Some(line),
                _ => {}
            }
            continue;
        };
        if let Some(before) = before {
            let verdict = proved.take().ok_or_else(|| garbage(line))?;
            let asked = open.asked.get(replies.cores.len()).ok_or_else(|| garbage(line))?;
            let core = if open.named { named.take().map(|line| asked.core(line)) } else { Some(asked.all()) };
            let effort = count.saturating_sub(before);
            replies.effort += effort;
            replies.cores.push(core.filter(|_| verdict).map(|core| Core { effort, ..core }));
        }
        before = Some(count);
    }
    if replies.cores.len() == open.asked.len() {
        Ok(replies)
    } else {
        Err(Fault::Garbage("answers are missing".into()))
    }
}

impl Asked {
    /// `(f!13 n!7 f!5)`
    fn core(&self, line: &str) -> Core {
        let mut groups: Vec<usize> = Vec::new();
        let mut uses_goal = false;
        for name in line.trim_matches(['(', ')']).split_whitespace() {
            match name.strip_prefix("f!").and_then(|number| number.parse().ok()) {
                Some(fact) => groups.extend(self.group_of.get(&TermId::new(fact))),
                None => uses_goal |= name.starts_with("n!"),
            }
        }
        groups.sort_unstable();
        groups.dedup();
        Core { groups, uses_goal, effort: 0 }
    }
    fn all(&self) -> Core {
        let mut groups = self.groups.clone();
        groups.sort_unstable();
        groups.dedup();
        Core { groups, uses_goal: true, effort: 0 }
    }
}
