//! Verifies programs with Echis.

use crate::arena::{Arena, PositionId, Program, Tables};
use crate::result::{JavaException, VerificationError, VerificationResult};
use crate::silicon_counterexample::SiliconCounterexample;
use echis::{
    Cancel, Config, EngineChoice, FileResult, FileVerdict, Finding, Injectivity, Settings, Silent, Source, Stopped,
    View, silicon,
};
use echis_build::Built;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// The verification technique: symbolic execution (Silicon) or verification condition generation (Carbon). Echis
/// implements both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum VerificationBackend {
    Silicon,
    Carbon,
}

/// The error for an unknown back end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UknownBackendError(String);

impl fmt::Display for UknownBackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no back end `{}`: use `Silicon` or `Carbon`", self.0)
    }
}

impl std::error::Error for UknownBackendError {}

impl FromStr for VerificationBackend {
    type Err = UknownBackendError;
    fn from_str(text: &str) -> Result<Self, UknownBackendError> {
        match text.to_lowercase().as_str() {
            "silicon" => Ok(VerificationBackend::Silicon),
            "carbon" => Ok(VerificationBackend::Carbon),
            _ => Err(UknownBackendError(text.to_owned())),
        }
    }
}

impl fmt::Display for VerificationBackend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            VerificationBackend::Silicon => "Silicon",
            VerificationBackend::Carbon => "Carbon",
        })
    }
}

/// Verifies programs of one context.
pub struct Verifier<'a> {
    arena: &'a Arena,
    backend: VerificationBackend,
    solver: Option<PathBuf>,
    /// The maximum number of errors reported per member; 0 means no limit. Silicon's default is 1.
    errors: usize,
    counterexample: Option<View>,
    timeout: Option<Duration>,
    injectivity: Injectivity,
    /// An error in the arguments, because of which nothing is verified.
    refusal: Option<String>,
}

impl<'a> Verifier<'a> {
    pub(crate) fn new(arena: &'a Arena, backend: VerificationBackend, solver: Option<PathBuf>) -> Self {
        let (counterexample, timeout, injectivity, refusal) = (None, None, Injectivity::Checked, None);
        Verifier { arena, backend, solver, errors: 1, counterexample, timeout, injectivity, refusal }
    }

    /// Sets arguments of Silicon, which mean the same as for `echis serve`. Unknown arguments are ignored. Arguments
    /// that Echis rejects, because ignoring them would change what is verified, are reported by
    /// [`verify`](Self::verify).
    pub fn initialize(mut self, args: &[String]) -> Self {
        match silicon::understand(&silicon::known(args)) {
            Ok(asked) => {
                self.errors = asked.errors.unwrap_or(self.errors);
                self.counterexample = asked.counterexample.or(self.counterexample);
                self.injectivity = asked.injectivity.unwrap_or(self.injectivity);
                self.timeout = asked.timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
            }
            Err(refusal) => self.refusal = Some(refusal.to_string()),
        }
        self
    }

    pub fn verify(&mut self, program: Program) -> VerificationResult {
        if let Some(refusal) = &self.refusal {
            return VerificationResult::JavaException(JavaException::new(refusal.clone(), String::new()));
        }
        let tables = self.arena.borrow();
        let built = match tables.lay_out(program) {
            Ok(built) => built,
            Err(problems) => {
                return VerificationResult::ConsistencyErrors(problems.iter().map(ToString::to_string).collect());
            }
        };
        match self.run(&built) {
            Ok(file) => conclude(&file, &built, &tables),
            Err(message) => VerificationResult::JavaException(JavaException::new(message, String::new())),
        }
    }

    fn run(&self, built: &Built<PositionId>) -> Result<FileResult, String> {
        let cancel = self.timeout.map_or_else(Cancel::never, |timeout| Cancel::never().within(timeout));
        let config = Config { solver: self.solver.clone(), stop: cancel.clone(), ..Config::default() };
        let verifier = echis::Verifier::new(config).map_err(|error| error.to_string())?;
        let mut settings = Settings::new(cancel);
        settings.errors = self.errors;
        settings.counterexample = self.counterexample;
        settings.injectivity = self.injectivity;
        settings.jobs = std::thread::available_parallelism().map_or(1, |cores| cores.get());
        settings.engine = match self.backend {
            VerificationBackend::Silicon => EngineChoice::Symbolic,
            VerificationBackend::Carbon => EngineChoice::Conditions,
        };
        Ok(verifier.verify_source(Source::program(built), &settings, &Silent))
    }
}

fn conclude(file: &FileResult, built: &Built<PositionId>, tables: &Tables) -> VerificationResult {
    if file.verdict == FileVerdict::Invalid {
        return VerificationResult::ConsistencyErrors(
            file.errors.iter().map(|error| error.diagnostic.message.clone()).collect(),
        );
    }
    let errors = file.errors.iter().filter(|error| !error.cascade);
    let errors: Vec<VerificationError> = errors.map(|error| verification_error(error, built, tables)).collect();
    match file.verdict {
        FileVerdict::Verified if errors.is_empty() && file.stopped.is_empty() => VerificationResult::Success,
        _ if errors.is_empty() => {
            let stopped: Vec<String> = file.stopped.iter().map(why_stopped).collect();
            VerificationResult::JavaException(JavaException::new(stopped.join("\n"), String::new()))
        }
        _ => VerificationResult::Failure(errors),
    }
}

fn why_stopped(stopped: &Stopped) -> String {
    match stopped {
        Stopped::TimeOut { member, .. } => format!("the time was over before {member} was verified"),
        Stopped::Interrupted { .. } => "verification was interrupted".to_owned(),
        Stopped::Defect { message, .. } => message.clone(),
    }
}

fn verification_error(error: &Finding, built: &Built<PositionId>, tables: &Tables) -> VerificationError {
    let id = |position: &PositionId| tables.positions[*position].id.clone();
    let exact = |span: echis::Span| built.origins.exact(span.start, span.end).and_then(id);
    let around = |span: echis::Span| exact(span).or_else(|| built.origins.around(span.start, span.end).and_then(id));
    let nodes = error.nodes.as_ref();
    let statement = error.diagnostic.span.and_then(|span| {
        let before = u32::try_from(keyword(&error.diagnostic.id)?.len() + 1).ok()?;
        built.origins.exact(span.start.checked_sub(before)?, span.end).and_then(id)
    });
    VerificationError::new(
        error.diagnostic.id.clone(),
        statement.clone().or_else(|| error.diagnostic.span.and_then(around)),
        statement.or_else(|| nodes.and_then(|nodes| exact(nodes.offending.span))),
        nodes.and_then(|nodes| exact(nodes.reason.span)),
        error.diagnostic.message.clone(),
        error.counterexample.as_ref().map(|found| SiliconCounterexample::new(found)),
    )
}

/// The keyword of the statement for an error that Echis reports at the statement's expression. In Silicon, the
/// offending node is the statement, and the expression is the reason's node.
fn keyword(id: &str) -> Option<&'static str> {
    match id.split(':').next()? {
        "assert.failed" => Some("assert"),
        "exhale.failed" => Some("exhale"),
        "inhale.failed" => Some("inhale"),
        "refute.failed" => Some("refute"),
        "fold.failed" => Some("fold"),
        "unfold.failed" => Some("unfold"),
        _ => None,
    }
}
