//! Proofs in the editor: what assertions rest on, what proofs do not cover, and values with which they fail.

mod answers;
mod hierarchy;
mod show;

pub(crate) use answers::answer;
pub(crate) use show::{highlights, hints, hover, rests};

use crate::actions;
use crate::found::Proofs;
use crate::job::{Job, Outbox};
use crate::refusal::Refusal;
use crate::worker::Worker;
use echis::depend::{Attribution, DependencyOptions, Minimization};
use echis::{
    Cancel, Confirmation, Covered, Dependencies, FileResult, Pattern, Settings, Silent, Solvers, View, cover,
    dependencies,
};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// What is computed when the server is idle, in this order.
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
        Stage::Dependencies => drop(depend(worker, job, &cancel)),
        Stage::Coverage => drop(covered(worker, job, &cancel)),
    }
}

/// Settings and solvers for one of the analyses. Half of the workers, since the user may be typing meanwhile.
fn prepared<O>(worker: &Worker<O>, job: &Job, cancel: &Cancel) -> Result<(Settings, Solvers), Refusal>
where
    O: Outbox,
{
    let settings = worker.settings_for(job, cancel);
    let settings = Settings { jobs: settings.jobs.div_ceil(2), ..settings };
    Ok((settings, Solvers::locate(None, None, cancel)?))
}

/// Keeps what was found, unless the document has become another one.
fn keep<O: Outbox>(worker: &Worker<O>, job: &Job, cancel: &Cancel, keep: impl FnOnce(&mut Proofs)) {
    let mut documents = worker.known.documents();
    let Some(found) = documents.get_mut(&job.uri).filter(|_| !cancel.is_cancelled()) else { return };
    if found.proofs.generation != job.generation {
        found.proofs = Proofs { generation: job.generation, ..Proofs::default() };
    }
    keep(&mut found.proofs);
}

pub(super) fn depend<O: Outbox>(worker: &Worker<O>, job: &Job, cancel: &Cancel) -> Result<Arc<Dependencies>, Refusal> {
    if let Some(known) = worker.known.proofs(&job.uri, job.generation).and_then(|proofs| proofs.dependencies) {
        return Ok(known);
    }
    let (settings, solvers) = prepared(worker, job, cancel)?;
    let options = DependencyOptions { attribution: Attribution::PerNode, ..Minimization::Fast.into() };
    let found = dependencies(Path::new(&job.path), &settings, &solvers, &Silent, options, |_, _| true);
    let found = Arc::new(found.map_err(|_| Refusal::Invalid)?);
    if cancel.is_over() {
        return Err(Refusal::Over);
    }
    keep(worker, job, cancel, |proofs| proofs.dependencies = Some(found.clone()));
    Ok(found)
}

pub(super) fn covered<O: Outbox>(worker: &Worker<O>, job: &Job, cancel: &Cancel) -> Result<Arc<Covered>, Refusal> {
    if let Some(known) = worker.known.proofs(&job.uri, job.generation).and_then(|proofs| proofs.covered) {
        return Ok(known);
    }
    let (settings, solvers) = prepared(worker, job, cancel)?;
    let found = cover(Path::new(&job.path), &settings, &solvers, &Silent, Confirmation::Run);
    let found = Arc::new(found.map_err(|_| Refusal::Invalid)?);
    if cancel.is_cancelled() {
        return Err(Refusal::Over);
    }
    keep(worker, job, cancel, |proofs| proofs.covered = Some(found.clone()));
    tell_coverage(worker, job, cancel, &found);
    Ok(found)
}

/// What no proof needs, as hints that editors show faintly, each with the change that takes it away and the one that
/// silences it.
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

/// What failed, with values. Without a failure nothing is asked.
pub(super) fn examples<O: Outbox>(worker: &Worker<O>, job: &Job, cancel: &Cancel) -> Result<Arc<FileResult>, Refusal> {
    if let Some(known) = worker.known.proofs(&job.uri, job.generation).and_then(|proofs| proofs.examples) {
        return Ok(known);
    }
    let failed: Vec<String> = {
        let documents = worker.known.documents();
        let found = documents.get(&job.uri);
        let members = found.into_iter().flat_map(|found| &found.members);
        let now = members.filter(|(_, verdict)| verdict.generation == job.generation);
        now.filter(|(_, verdict)| !verdict.findings.is_empty()).map(|(name, _)| name.clone()).collect()
    };
    let (settings, solvers) = prepared(worker, job, cancel)?;
    let members = (!failed.is_empty()).then(|| Pattern::any_of(failed.iter().map(|name| &**name)));
    let settings = Settings { counterexample: Some(View::Trace), members, ..settings };
    let found = Arc::new(echis::verify(Path::new(&job.path), &settings, &solvers, &Silent));
    if cancel.is_over() {
        return Err(Refusal::Over);
    }
    keep(worker, job, cancel, |proofs| proofs.examples = Some(found.clone()));
    Ok(found)
}
