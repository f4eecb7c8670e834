//! Proofs in the editor: dependencies, coverage and counterexamples.

mod answers;
mod hierarchy;
mod show;

pub(crate) use answers::answer;
pub(crate) use show::{highlights, hints, hover, rests};

use crate::actions;
use crate::job::{Job, Outbox};
use crate::refusal::Refusal;
use crate::worker::Worker;
use echis::depend::{Attribution, Callers, Definition, DependencyOptions, Minimization, Policy};
use echis::{Cancel, Confirmation, Covered, Dependencies, Explained, FileResult, View};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;

/// The options for dependencies in the editor: those of each assertion.
pub(crate) const OPTIONS: DependencyOptions = DependencyOptions {
    minimization: Minimization::Fast,
    definition: Definition::Verification,
    attribution: Attribution::PerNode,
    callers: Callers::Apart,
    policy: Policy::USUAL,
};

/// The view of counterexample values in the editor.
pub(crate) const SHOWN: View = View::Trace;

/// Work done when the server is idle, in this order. The coverage of Boogie programs is derived from their
/// dependencies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    Examples,
    Dependencies,
    Coverage,
}

impl Stage {
    pub fn next(self) -> Option<Stage> {
        match self {
            Stage::Examples => Some(Stage::Dependencies),
            Stage::Dependencies => Some(Stage::Coverage),
            Stage::Coverage => None,
        }
    }
}

/// Time limit for work that was not requested.
const UNASKED: Duration = Duration::from_secs(60);

pub(crate) fn explain<O: Outbox>(worker: &Worker<O>, job: &Job, cancel: &Cancel, stage: Stage) {
    let cancel = cancel.within(UNASKED);
    match stage {
        Stage::Examples => drop(examples(worker, job, &cancel)),
        Stage::Dependencies if job.checked.source().is_boogie() => drop(explained(worker, job, &cancel)),
        Stage::Coverage if job.checked.source().is_boogie() => {}
        Stage::Dependencies => drop(depend(worker, job, &cancel)),
        Stage::Coverage => drop(covered(worker, job, &cancel)),
    }
}

pub(super) fn depend<O: Outbox>(worker: &Worker<O>, job: &Job, cancel: &Cancel) -> Result<Arc<Dependencies>, Refusal> {
    let verification = worker.verified(job, cancel)?;
    if let Some(known) = verification.known_dependencies(OPTIONS) {
        return Ok(known);
    }
    let found = verification.dependencies(OPTIONS).map_err(|_| Refusal::Invalid)?;
    if cancel.is_over() { Err(Refusal::Over) } else { Ok(found) }
}

/// The dependencies of a program in any language.
pub(super) fn explained<O: Outbox>(worker: &Worker<O>, job: &Job, cancel: &Cancel) -> Result<Explained, Refusal> {
    if !job.checked.source().is_boogie() {
        return depend(worker, job, cancel).map(Explained::Viper);
    }
    let found = worker.verified(job, cancel)?.explanation(OPTIONS).map_err(|_| Refusal::Invalid)?;
    if cancel.is_over() { Err(Refusal::Over) } else { Ok(found) }
}

pub(super) fn covered<O: Outbox>(worker: &Worker<O>, job: &Job, cancel: &Cancel) -> Result<Arc<Covered>, Refusal> {
    let verification = worker.verified(job, cancel)?;
    if let Some(known) = verification.known_coverage(Confirmation::Run) {
        return Ok(known);
    }
    let found = verification.coverage(Confirmation::Run).map_err(|_| Refusal::Invalid)?;
    if cancel.is_cancelled() {
        return Err(Refusal::Over);
    }
    tell_coverage(worker, job, cancel, &found);
    Ok(found)
}

/// The verification result with counterexamples.
pub(super) fn examples<O: Outbox>(worker: &Worker<O>, job: &Job, cancel: &Cancel) -> Result<Arc<FileResult>, Refusal> {
    let verification = worker.verified(job, cancel)?;
    if let Some(known) = verification.known_counterexamples(SHOWN) {
        return Ok(known);
    }
    let found = verification.counterexamples(SHOWN);
    if cancel.is_over() { Err(Refusal::Over) } else { Ok(found) }
}

/// Publishes what no proof needs as faint hints, each with code actions to remove or silence it.
fn tell_coverage<O: Outbox>(worker: &Worker<O>, job: &Job, cancel: &Cancel, covered: &Covered) {
    let sources = &covered.found.result.sources;
    let hints: Vec<Value> = covered
        .coverage
        .warnings
        .iter()
        .map(|warning| {
            let mut hint = crate::diagnostic(&job.uri, sources, &warning.diagnostic);
            hint["severity"] = json!(4);
            hint["tags"] = json!([1]);
            hint
        })
        .collect();
    let offers = actions::of_coverage(job, covered);
    {
        let mut documents = worker.known.documents();
        let Some(found) = documents.get_mut(&job.uri).filter(|_| !cancel.is_cancelled()) else { return };
        found.hints = hints;
        found.offers.extend(offers);
    }
    worker.publish(job);
}
