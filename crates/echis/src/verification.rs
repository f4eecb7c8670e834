//! A verified program as a value. It holds the results of verification and caches the answer to every query.

mod memo;

pub(crate) use memo::Question;

use crate::cache::{context, programs};
use crate::checked::Checked;
use crate::language::engines;
use crate::source::Source;
use crate::verify::cancel::Cancel;
use crate::verify::members::{Progress, Silent};
use crate::verify::results::Concluded;
use crate::verify::run::{Kept, Run};
use crate::verify::settings::{Settings, Trees};
use crate::verify::verifier::Verifier;
use echis_findings::profile::MemberProfile;
use echis_findings::{FileResult, FileVerdict, Finding};
use echis_proof::MemberId;
use memo::Memo;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// A verified program, its results, and cached answers to queries about its proofs.
pub struct Verification {
    verifier: Verifier,
    checked: Arc<Checked>,
    settings: Settings,
    result: Arc<FileResult>,
    members: Vec<Concluded>,
    kept: BTreeMap<MemberId, Kept>,
    memo: Memo,
    /// The number of workers that answer queries, and when they stop.
    bounds: Mutex<(usize, Cancel)>,
}

impl Verifier {
    /// Reads and checks a program, starting a solver meanwhile if one will be needed.
    pub fn check(&self, source: Source) -> Arc<Checked> {
        if self.cache().is_none() {
            self.solvers().warm_up();
        }
        Arc::new(Checked::new(source))
    }
    /// Verifies a program, its members in parallel. `progress` is notified of each finished member.
    pub fn verify(&self, checked: &Arc<Checked>, settings: &Settings, progress: &dyn Progress) -> Verification {
        let run = engines::verify(checked, settings, self, progress);
        Verification::new(self.clone(), checked.clone(), settings.clone(), run)
    }
    /// Verifies a program, returning only the result. A program that is in the cache is not even parsed.
    pub fn verify_source(&self, source: Source, settings: &Settings, progress: &dyn Progress) -> FileResult {
        let start = Instant::now();
        let is_asked = settings.members.is_none()
            && settings.share.is_none()
            && !settings.measure
            && !settings.fresh
            && settings.trees == Trees::Dropped
            && settings.engine == Default::default()
            && !source.is_boogie();
        let cache = self.cache().filter(|_| is_asked);
        let whole = cache.map(|cache| (cache, context(&settings.options(), self.solvers().identity())));
        if let Some((cache, context)) = whole
            && let Some(known) = programs::recall(cache, context, &source)
        {
            for member in &known.members {
                progress.member_verified(&known.path, &known.sources, member, &[], None);
            }
            return FileResult { time: start.elapsed(), ..known };
        }
        let checked = self.check(source);
        let result = engines::verify(&checked, settings, self, progress).result;
        if let Some((cache, context)) = whole {
            programs::note(cache, context, checked.source(), &result);
        }
        result
    }
}

impl Verification {
    pub(crate) fn new(verifier: Verifier, checked: Arc<Checked>, settings: Settings, run: Run) -> Self {
        let Run { result, members, kept } = run;
        let kept = if settings.trees == Trees::Kept { kept } else { BTreeMap::new() };
        let bounds = Mutex::new((settings.jobs, settings.cancel.clone()));
        Verification {
            verifier,
            checked,
            settings,
            result: Arc::new(result),
            members,
            kept,
            memo: Memo::default(),
            bounds,
        }
    }
    /// The program.
    pub fn checked(&self) -> &Arc<Checked> {
        &self.checked
    }
    /// The result of verification.
    pub fn result(&self) -> &Arc<FileResult> {
        &self.result
    }
    /// Whether all selected members are verified.
    pub fn is_verified(&self) -> bool {
        self.result.verdict == FileVerdict::Verified
    }
    /// The failures, in text order.
    pub fn failures(&self) -> &[Finding] {
        &self.result.errors
    }
    /// Statistics of the solver for each member, if requested by the settings.
    pub fn profile(&self) -> Option<&[MemberProfile]> {
        self.result.profile.as_deref()
    }
    /// Verifies another text in place of this one, with the same settings. A verifier with memory executes only the
    /// members that the edit affects.
    pub fn edit(&self, text: impl Into<Arc<str>>, progress: &dyn Progress) -> Verification {
        let checked = self.verifier.check(self.checked.source().clone().with_text(text));
        self.verifier.verify(&checked, &self.settings, progress)
    }
    /// Sets the number of workers for queries, and when they stop. Unfinished answers are not kept.
    pub fn bound_questions(&self, jobs: usize, cancel: Cancel) {
        *self.bounds.lock().unwrap_or_else(PoisonError::into_inner) = (jobs, cancel);
    }

    /// The settings for answering queries.
    pub(crate) fn settings(&self) -> Settings {
        let (jobs, cancel) = self.bounds.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Settings { jobs, cancel, ..self.settings.clone() }
    }
    pub(crate) fn verifier(&self) -> &Verifier {
        &self.verifier
    }
    pub(crate) fn members(&self) -> &[Concluded] {
        &self.members
    }
    pub(crate) fn kept(&self, id: MemberId) -> Option<&Kept> {
        self.kept.get(&id)
    }
    /// Answers a query, computing the answer on first use.
    pub(crate) fn ask<Q: Question>(&self, question: Q, answer: impl FnOnce() -> Q::Answer) -> Arc<Q::Answer> {
        let cancel = self.settings().cancel;
        self.memo.answer(question, answer, || !cancel.is_over())
    }
    /// The answer to a query, if already computed.
    pub(crate) fn answered<Q: Question>(&self, question: &Q) -> Option<Arc<Q::Answer>> {
        self.memo.answered(question)
    }
    /// Stores an answer that was found during verification.
    pub(crate) fn note<Q: Question>(&self, question: Q, answer: Q::Answer) {
        self.memo.answer(question, || answer, || true);
    }
    /// Verifies another text in place of the program's own.
    pub(crate) fn variation(&self, text: String, settings: &Settings, verifier: &Verifier) -> FileResult {
        engines::verify(&self.checked.with_text(text), settings, verifier, &Silent).result
    }
}
