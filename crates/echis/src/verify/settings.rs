//! How to verify.

use crate::cache::Cache;
use crate::source::files::Files;
use crate::verify::cancel::Cancel;
use crate::verify::pattern::Pattern;
use crate::verify::share::Share;
use echis_findings::counterexample::View;
use echis_proof::{Injectivity, Options};
use echis_syntax::Loader;
use std::path::PathBuf;
use std::sync::Arc;

/// Which engine verifies Viper programs.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum EngineChoice {
    #[default]
    Symbolic,
    Conditions,
    /// Both, each as a check of the other.
    Both,
}

/// How to verify.
#[derive(Clone)]
pub struct Settings {
    pub jobs: usize,
    /// Stop a member after this many errors; 0 finds all.
    pub errors: usize,
    /// Members to report on; all where there is none.
    pub members: Option<Pattern>,
    /// Which of these this run verifies, where other runs verify the rest.
    pub share: Option<Share>,
    /// What verifies Viper programs, where they are only verified.
    pub engine: EngineChoice,
    /// Whether proofs are explained next: then what is easily derived is not asked, and solvers are kept for replays.
    pub explain: bool,
    /// Whether packaged wands and what was derived are checked once more, as a test of the engine.
    pub recheck: bool,
    /// Whether what is inhaled is checked to cover each location once.
    pub injectivity: Injectivity,
    /// Whether failures come with counterexamples, and how these show values.
    pub counterexample: Option<View>,
    /// Whether it is told what the solver did for each member.
    pub measure: bool,
    /// Verdicts of another time, for whoever verifies only.
    pub cache: Option<Arc<Cache>>,
    /// Files that are one program with the one that is verified, where that is a Boogie program.
    pub beside: Vec<PathBuf>,
    /// Where programs come from.
    pub loader: Arc<dyn Loader + Send + Sync>,
    pub cancel: Cancel,
}

impl Settings {
    /// What is asked of an engine.
    pub(crate) fn options(&self) -> Options {
        let Settings { errors, recheck, injectivity, .. } = *self;
        Options { errors, recheck, injectivity }
    }
    pub fn is_selected(&self, member: &str) -> bool {
        self.members.as_ref().is_none_or(|pattern| pattern.matches(member))
    }
    /// One worker, all errors, all members.
    pub fn new(cancel: Cancel) -> Self {
        Settings {
            jobs: 1,
            errors: 0,
            members: None,
            share: None,
            engine: EngineChoice::Symbolic,
            explain: false,
            recheck: false,
            injectivity: Injectivity::Checked,
            counterexample: None,
            measure: false,
            cache: None,
            beside: Vec::new(),
            loader: Arc::new(Files),
            cancel,
        }
    }
}
