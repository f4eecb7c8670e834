//! Settings for verification.

use crate::verify::cancel::Cancel;
use crate::verify::pattern::Pattern;
use crate::verify::shard::Share;
use echis_findings::counterexample::View;
use echis_proof::{Injectivity, Options};

/// The engine that verifies Viper programs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum EngineChoice {
    /// Symbolic execution.
    #[default]
    Symbolic,
    /// Verification conditions of a Boogie program.
    Conditions,
    /// Both, checking each other.
    Both,
}

/// The lifetime of members' proof trees.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Trees {
    /// Dropped when the member is finished. Queries about proofs execute members again.
    #[default]
    Dropped,
    /// Built for explanations, and dropped once explained.
    Explained,
    /// Built for explanations, and kept as long as the verification: no query executes a member again.
    Kept,
}

/// The kind of program that is verified.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Subject {
    /// The program that was given.
    #[default]
    Given,
    /// A variant created by an analysis, to see whether something is needed.
    Variation,
}

/// Settings for verification.
#[derive(Clone)]
pub struct Settings {
    /// The number of workers, each with a solver of its own.
    pub jobs: usize,
    /// Stop a member after this many errors; 0 finds all.
    pub errors: usize,
    /// Whether paths continue with care after failures; see [`Options::recovers`].
    pub recovers: bool,
    /// Members to report on; `None` for all.
    pub members: Option<Pattern>,
    /// The subset of these that this run verifies, while other runs verify the rest.
    pub share: Option<Share>,
    /// The engine for Viper programs, when they are only verified.
    pub engine: EngineChoice,
    /// The lifetime of proof trees.
    pub trees: Trees,
    /// Whether packaged wands and derived goals are checked again, as a test of the engine.
    pub recheck: bool,
    /// Whether inhaled quantified permissions are checked to be injective.
    pub injectivity: Injectivity,
    /// Whether failures have counterexamples, and how these show values.
    pub counterexample: Option<View>,
    /// Whether solver statistics are reported for each member.
    pub measure: bool,
    /// Whether members are verified even if their verdicts are known.
    pub fresh: bool,
    /// Whether the program is the given one.
    pub subject: Subject,
    /// Cancels the work.
    pub cancel: Cancel,
}

impl Settings {
    /// The options passed to an engine.
    pub(crate) fn options(&self) -> Options {
        let Settings { errors, recovers, recheck, injectivity, .. } = *self;
        // Counterexamples are also computed from kept trees.
        let step_heaps = self.counterexample == Some(View::Trace) || self.trees == Trees::Kept;
        Options { errors, recovers, recheck, injectivity, step_heaps }
    }
    /// Whether trees are built for explanations.
    pub(crate) fn explains(&self) -> bool {
        self.trees != Trees::Dropped
    }
    /// The settings for a changed program of which only the verdicts matter.
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
            recovers: true,
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
