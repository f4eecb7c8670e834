//! Viper programs by symbolic execution.

use crate::cache::answers::Answers;
use crate::cache::{Recall, known};
use crate::checked::Checked;
use crate::language::conditions::{Conditions, as_other};
use crate::verify::callees::{FailedMember, run_callees};
use crate::verify::cores::{Cores, Supposed, settled};
use crate::verify::interpretations::refused;
use crate::verify::members::{Plan, Progress, Reached, Verified, selected, selects, verify_planned};
use crate::verify::part::restrict;
use crate::verify::profile::Meter;
use crate::verify::results::{Concluded, Digest, conclude, finding, gather};
use crate::verify::run::{Kept, Run};
use crate::verify::settings::{Settings, Subject, Trees};
use crate::verify::verifier::Verifier;
use echis_base::Name;
use echis_exec::Engine;
use echis_findings::diagnose::Place;
use echis_program::program::Program;
use echis_proof::{Failure, MemberId, Outcome, Verifier as _};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Verifies the selected members, except those whose verdicts are known.
pub(crate) fn verify(
    checked: &Checked,
    program: &Program,
    settings: &Settings,
    verifier: &Verifier,
    progress: &dyn Progress,
) -> Run {
    let (start, solvers) = (Instant::now(), verifier.solvers());
    let engine = Engine::new(program);
    if settings.subject == Subject::Given {
        let refused = refused(program, solvers, settings);
        if !refused.is_empty() || !selects(&engine, settings) {
            return Run::unverified(checked.result_with(&refused));
        }
    }
    let (settings, part) = restrict(&engine, settings, checked.name(), |id| program.syntax.span(id));
    let settings = &settings;
    let recall = recall(&engine, program, settings, verifier);
    let cores = recall.as_ref().and_then(|recall| recall.cache).filter(|cache| cache.has_cores());
    let cores = cores.map(|cache| Cores::new(cache, program, &engine, settings, solvers));
    // Cores are computed from the kept trees.
    let trees = if cores.is_some() { Trees::Kept } else { settings.trees };
    let settings = &Settings { trees, ..settings.clone() };
    let kept: Mutex<BTreeMap<MemberId, Kept>> = Mutex::default();
    let conditions = Conditions::new(program, settings, solvers);
    let sources = checked.sources();
    let keep = |id: MemberId, mut outcome: Outcome, mut meter: Meter<'_>, answers: Answers| {
        let member = &engine.members()[id];
        if let Some(recall) = &recall {
            recall.note(id, member, &outcome, answers);
        }
        let place = Place { program, sources, member: &member.name };
        let proofs = meter.take_proofs();
        let profile = settings.measure.then(|| meter.profile(place, member.kind, &outcome));
        let mut digest = Digest { profile, ..Digest::viper(place, &mut outcome, settings.counterexample) };
        let failed = FailedMember { place, id, failures: &outcome.failures };
        run_callees(&engine, &failed, (settings, solvers), &mut digest.findings);
        if trees == Trees::Kept {
            let tree = Kept { outcome: Mutex::new(outcome), proofs };
            kept.lock().unwrap_or_else(PoisonError::into_inner).insert(id, tree);
        }
        digest
    };
    let span = |id| program.syntax.span(id);
    let words = |member: &Name, failure: &Failure| finding(Place { program, sources, member }, failure);
    let tell = |member: &Name, failure: &Failure| {
        if !failure.cascade {
            progress.error_found(checked.name(), sources, &words(member, failure));
        }
    };
    let finish = |verified| {
        let concluded = conclude(verified, span, words);
        concluded.tell(checked, progress);
        concluded
    };
    let recalled = |id: MemberId, failures: Vec<Failure>, checks| {
        let member = engine.members()[id].clone();
        let findings = failures.iter().map(|failure| words(&member.name, failure)).collect();
        let result = Ok(Digest::recalled(findings, checks));
        let reached = Reached::default();
        let verified = Verified { member, time: Duration::ZERO, result, found: Vec::new(), reached };
        let mut concluded = conclude(verified, span, words);
        concluded.member.cached = true;
        concluded.tell(checked, progress);
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
        let mut plan = Plan::new(&engine, wanted).asking(as_other(&conditions));
        if let Some(recall) = &recall {
            plan.remembered = plan.unreported().filter_map(|id| Some((id, recall.answers(id)?))).collect();
            if !plan.is_empty() {
                solvers.warm_up();
            }
        }
        let meter = || Meter::new(program, settings, &tell);
        verify_planned(plan, settings, solvers, progress, meter, keep, finish)
    };
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
    let kept = std::mem::take(&mut *kept.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some(cores) = &cores {
        cores.learn(verified(&members, false), &kept, settings, solvers);
    }
    let mut result = checked.result();
    gather(members.clone(), &mut result);
    (result.part, result.time) = (part, result.time + start.elapsed());
    Run { result, members, kept }
}

/// The sources of known verdicts, if they are to be used.
pub(crate) fn recall<'a>(
    engine: &Engine<'_>,
    program: &Program,
    settings: &Settings,
    verifier: &'a Verifier,
) -> Option<Recall<'a>> {
    let cache = verifier.cache().map(|cache| &**cache).filter(|_| settings.subject == Subject::Given);
    let memory = verifier.memory();
    let is_wanted = !settings.fresh && !settings.measure && settings.trees != Trees::Explained;
    if !is_wanted || (cache.is_none() && memory.is_none()) {
        return None;
    }
    let known = known(program, engine.views(), &settings.options(), verifier.solvers().identity());
    Some(Recall { cache, memory, known, counterexamples: settings.counterexample.is_some() })
}
