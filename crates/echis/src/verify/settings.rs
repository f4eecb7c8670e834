//! How to verify.

use crate::verify::cancel::Cancel;
use crate::verify::pattern::Pattern;
use crate::verify::shard::Share;
use echis_findings::counterexample::View;
use echis_proof::{Injectivity, Options};

/// Which engine verifies Viper programs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum EngineChoice {
    /// Symbolic execution.
    #[default]
    Symbolic,
    /// Verification conditions of a Boogie program.
    Conditions,
    /// Both, each as a check of the other.
    Both,
}

/// What becomes of the proof trees of members.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Trees {
    /// They are dropped when the member is done. Questions about proofs execute members again.
    #[default]
    Dropped,
    /// They are made to be explained, and dropped when they are.
    Explained,
    /// They are made to be explained, and kept as long as the verification is: no question executes a member again.
    Kept,
}

/// Which program is verified.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Subject {
    /// The program that was given.
    #[default]
    Given,
    /// One that an analysis made, to see whether something is needed.
    Variation,
}

/// How to verify.
#[derive(Clone)]
pub struct Settings {
    /// The number of workers, each with a solver of its own.
    pub jobs: usize,
    /// Stop a member after this many errors; 0 finds all.
    pub errors: usize,
    /// Members to report on; all where there is none.
    pub members: Option<Pattern>,
    /// Which of these this run verifies, where other runs verify the rest.
    pub share: Option<Share>,
    /// What verifies Viper programs, where they are only verified.
    pub engine: EngineChoice,
    /// What becomes of proof trees.
    pub trees: Trees,
    /// Whether packaged wands and what was derived are checked once more, as a test of the engine.
    pub recheck: bool,
    /// Whether what is inhaled is checked to cover each location once.
    pub injectivity: Injectivity,
    /// Whether failures come with counterexamples, and how these show values.
    pub counterexample: Option<View>,
    /// Whether it is told what the solver did for each member.
    pub measure: bool,
    /// Whether members are verified even if their verdicts are known.
    pub fresh: bool,
    /// Whether the program is the one that was given.
    pub subject: Subject,
    /// Ends the work.
    pub cancel: Cancel,
}

impl Settings {
    /// What is asked of an engine.
    pub(crate) fn options(&self) -> Options {
        let Settings { errors, recheck, injectivity, .. } = *self;
        // Counterexamples are also read off trees that are kept.
        let step_heaps = self.counterexample == Some(View::Trace) || self.trees == Trees::Kept;
        Options { errors, recheck, injectivity, step_heaps }
    }
    /// Whether trees are made to be explained.
    pub(crate) fn explains(&self) -> bool {
        self.trees != Trees::Dropped
    }
    /// How a changed program is verified, of which only the verdicts matter.
    pub(crate) fn for_variation(&self) -> Self {
        Settings {
            members: None,
            share: None,
            trees: Trees::Dropped,
            counterexample: None,
            measure: false,
            subject: Subject::Variation,
            ..self.clone()
        }
    }
    /// Whether a member is to be reported on.
    pub fn is_selected(&self, member: &str) -> bool {
        self.members.as_ref().is_none_or(|pattern| pattern.matches(member))
    }
    /// The defaults of the command line, with one worker.
    pub fn new(cancel: Cancel) -> Self {
        Settings {
            jobs: 1,
            errors: 0,
            members: None,
            share: None,
            engine: EngineChoice::Symbolic,
            trees: Trees::Dropped,
            recheck: false,
            injectivity: Injectivity::Checked,
            counterexample: None,
            measure: false,
            fresh: false,
            subject: Subject::Given,
            cancel,
        }
    }
}

/// The defaults of the command line: a worker for each processor, all errors of all members, no time limit.
impl Default for Settings {
    fn default() -> Self {
        let jobs = std::thread::available_parallelism().map_or(1, |jobs| jobs.get());
        Settings { jobs, ..Settings::new(Cancel::never()) }
    }
}
