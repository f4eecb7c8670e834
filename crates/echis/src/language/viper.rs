//! One file from its path to the result of verifying it.

use crate::cache::answers::Answers;
use crate::cache::whole::{self, Recalled, recall};
use crate::cache::{self, Recall};
use crate::checked::result::{broken, front_result};
use crate::checked::{Front, check_file, name};
use crate::defect::guarded;
use crate::verify::conclude::{Concluded, Digest, conclude, finding, gather};
use crate::verify::cores::{Cores, Supposed, settled};
use crate::verify::interpretations::understood;
use crate::verify::measure::Meter;
use crate::verify::members::{Plan, Progress, Verified, selected, selects, verify_planned};
use crate::verify::part::restrict;
use crate::verify::settings::Settings;
use crate::verify::solvers::Solvers;
use echis_base::Name;
use echis_exec::Engine;
use echis_findings::diagnose::Place;
use echis_findings::{FileResult, FileVerdict};
use echis_proof::{Failure, MemberId, Outcome, Verifier};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, Instant};

/// Verifies a Viper program by symbolic execution.
pub(crate) fn verify(path: &Path, settings: &Settings, solvers: &Solvers, progress: &dyn Progress) -> FileResult {
    let start = Instant::now();
    // Where verdicts may be known, a solver may not be needed.
    if settings.cache.is_none() {
        solvers.warm_up();
    }
    if let Some(result) = known(path, settings, solvers, progress, start) {
        return result;
    }
    let mut front = match guarded(|| check_file(path, &*settings.loader)) {
        Ok(front) => understood(front, solvers, &settings.cancel),
        Err(ended) => return broken(path, ended, start),
    };
    let Some(program) = front.program.take() else { return front_result(front, start) };
    let engine = Engine::new(&program);
    if !selects(&engine, settings) {
        return front_result(front, start);
    }
    let (settings, part) = restrict(&engine, settings, &front.path, |id| program.syntax.span(id));
    let settings = &settings;
    let recall = settings.cache.as_deref().filter(|_| !settings.measure && !settings.explain).map(|cache| {
        let known = cache::known(&program, engine.views(), &settings.options(), &solvers.identity());
        Recall { cache, known, counterexamples: settings.counterexample.is_some() }
    });
    let keep = |id: MemberId, outcome: Outcome, meter: Meter<'_>, answers: Answers| {
        if let Some(recall) = &recall {
            recall.note(id, &engine.members()[id], &outcome, answers);
        }
        let member = &engine.members()[id];
        let place = Place { program: &program, sources: &front.sources, member: &member.name };
        let profile = settings.measure.then(|| meter.profile(place, member.kind, &outcome));
        Digest { profile, ..Digest::viper(place, outcome, settings.counterexample) }
    };
    let place = |span| program.syntax.span(span);
    let words = |member: &Name, failure: &Failure| {
        finding(Place { program: &program, sources: &front.sources, member }, failure)
    };
    let finish = |verified| {
        let concluded = conclude(verified, place, words);
        concluded.tell(&front, progress);
        concluded
    };
    let recalled = |id: MemberId, failures: Vec<Failure>, checks| {
        let member = engine.members()[id].clone();
        let findings = failures.iter().map(|failure| words(&member.name, failure)).collect();
        let result = Ok(Digest::recalled(findings, checks));
        let mut concluded =
            conclude(Verified { member, time: Duration::ZERO, result, found: Vec::new() }, place, words);
        concluded.member.cached = true;
        concluded.tell(&front, progress);
        concluded
    };
    let mut wanted = selected(&engine, settings);
    let mut members = Vec::new();
    if let Some(recall) = &recall {
        for id in wanted.clone() {
            let Some((checks, failures)) = recall.verdict(id) else { continue };
            members.push(recalled(id, failures, checks));
            wanted.remove(&id);
        }
    }
    let run = |wanted: BTreeSet<MemberId>| {
        let mut plan = Plan::new(&engine, wanted);
        if let Some(recall) = &recall {
            plan.remembered = plan.unreported().filter_map(|id| Some((id, recall.answers(id)?))).collect();
            if !plan.is_empty() {
                solvers.warm_up();
            }
        }
        let meter = || Meter::new(&program, settings.measure);
        verify_planned(&engine, plan, settings, solvers, progress, meter, keep, finish)
    };
    let cores = recall.as_ref().filter(|recall| recall.cache.has_cores());
    let cores = cores.map(|recall| Cores::new(recall.cache, &program, &engine, settings, solvers));
    let supposed: BTreeMap<MemberId, Supposed> = match &cores {
        Some(cores) => wanted.iter().filter_map(|id| Some((*id, cores.suppose(*id)?))).collect(),
        None => BTreeMap::new(),
    };
    wanted.retain(|id| !supposed.contains_key(id));
    members.extend(run(wanted));
    let verified = |members: &[Concluded], cached: bool| {
        let good = members.iter().filter(|found| found.is_verified() && (cached || !found.member.cached));
        let names: BTreeSet<&Name> = good.map(|found| &found.member.name).collect();
        let ids = engine.members().iter().filter(|(_, member)| names.contains(&member.name));
        ids.map(|(id, _)| id).collect::<BTreeSet<MemberId>>()
    };
    let (holding, open) = settled(supposed, &verified(&members, true));
    for (id, Supposed { checks, .. }) in holding {
        members.push(recalled(id, Vec::new(), checks));
    }
    if !open.is_empty() {
        members.extend(run(open));
    }
    if let Some(cores) = &cores {
        cores.learn(verified(&members, false), settings, solvers);
    }
    let mut result = front_result(front, start);
    gather(members, &mut result);
    if let Some(cache) = settings.cache.as_ref().filter(|_| wants_verdicts(settings)) {
        whole::note(cache, cache::context(&settings.options(), &solvers.identity()), path, &result);
    }
    result.time = start.elapsed();
    result.part = part;
    result
}

/// A program that was verified as it is.
fn known(
    path: &Path,
    settings: &Settings,
    solvers: &Solvers,
    progress: &dyn Progress,
    start: Instant,
) -> Option<FileResult> {
    let cache = settings.cache.as_ref().filter(|_| wants_verdicts(settings))?;
    let context = cache::context(&settings.options(), &solvers.identity());
    let Recalled { sources, members, warnings } = recall(cache, context, path, &*settings.loader)?;
    let front = Front { path: name(path), sources, program: None, diagnostics: Vec::new() };
    for member in &members {
        progress.member_verified(&front.path, &front.sources, member, &[], None);
    }
    let result = front_result(front, start);
    Some(FileResult { verdict: FileVerdict::Verified, members, warnings, ..result })
}

/// Whether the settings ask for all members and for nothing but verdicts.
fn wants_verdicts(settings: &Settings) -> bool {
    settings.members.is_none() && settings.share.is_none() && !settings.measure && !settings.explain
}
