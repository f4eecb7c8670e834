//! The verification thread: verifies the latest text after a pause, until a newer one arrives, and explains its proofs
//! when idle. Also answers requests that need proofs.

use crate::document_state::{DocumentStore, Verdict};
use crate::job::{Ask, Generation, Job, Outbox};
use crate::progress::WorkDone;
use crate::proofs::{self, Stage};
use crate::viper_ide::Told;
use crate::worker::Worker;
use crate::{Explain, ServerSettings, Trigger, finding_diagnostic};
use echis::{Cancel, Finding, MemberResult, Progress, SourceMap, Stopped, silence_panics};
use lsp_server::{ErrorCode, Message, RequestId, Response};
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

/// The pause in typing before a document is verified, and before its proofs are explained.
const PAUSE: Duration = Duration::from_millis(80);
const IDLE: Duration = Duration::from_millis(600);
const FOREVER: Duration = Duration::from_secs(3600);

enum Order {
    Verify(Arc<Job>, Cancel),
    Ask(Ask),
    /// Re-checks the queue, since waiting jobs may have been cancelled.
    Look,
}

pub(crate) struct Verifying {
    orders: Option<Sender<Order>>,
    pub known: Arc<DocumentStore>,
    /// The current state of each document with its cancellation token. No job if the document is not a valid program.
    current: BTreeMap<String, (Generation, Option<Arc<Job>>, Cancel)>,
    generations: Generation,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Verifying {
    pub fn start<S: Outbox>(outbox: S, settings: ServerSettings) -> Self {
        silence_panics();
        let (orders, heard) = channel();
        let known = Arc::new(DocumentStore::default());
        let worker = Worker { settings, known: known.clone(), outbox, refreshed: AtomicU64::new(0) };
        let thread = std::thread::Builder::new().name("verifying".into()).stack_size(echis::STACK);
        let thread = thread.spawn(move || worker.work(&heard)).ok();
        Verifying { orders: Some(orders), known, current: BTreeMap::new(), generations: 0, thread }
    }
    /// Starts a new generation of a document and cancels work on the previous one.
    pub fn next(&mut self, uri: &str) -> Generation {
        self.generations += 1;
        let now = (self.generations, None, Cancel::never());
        if let Some((_, _, before)) = self.current.insert(uri.to_string(), now) {
            before.cancel();
        }
        self.order(Order::Look);
        self.generations
    }
    /// Queues the document for verification, unless the client triggers it.
    pub fn send(&mut self, job: Job, trigger: Trigger) {
        let job = Arc::new(job);
        let Some((_, current, cancel)) = self.current.get_mut(&job.uri) else { return };
        *current = Some(job.clone());
        let order = Order::Verify(job, cancel.clone());
        if trigger == Trigger::Pause {
            self.order(order);
        }
    }
    /// Verifies a document on the client's request. Returns `false` if it is not a valid program.
    pub fn verify(&self, uri: &str, manually: bool) -> bool {
        let Some((_, Some(job), cancel)) = self.current.get(uri) else { return false };
        job.asked.manually.store(manually, Ordering::Relaxed);
        self.order(Order::Verify(job.clone(), cancel.clone()));
        true
    }
    pub fn forget(&mut self, uri: &str) {
        if let Some((_, _, cancel)) = self.current.remove(uri) {
            cancel.cancel();
        }
        self.known.documents().remove(uri);
        self.order(Order::Look);
    }
    /// Queues a request, which is answered asynchronously. Returns `false` if the document is not a valid program.
    pub fn ask(&self, id: RequestId, method: &str, params: Value, uri: &str) -> bool {
        let Some((_, Some(job), cancel)) = self.current.get(uri) else { return false };
        let (job, cancel) = (job.clone(), cancel.clone());
        self.order(Order::Ask(Ask { id, method: method.to_string(), params, job, cancel }));
        true
    }
    /// Cancels all work on a document.
    pub fn cancel(&mut self, uri: &str) -> bool {
        let running = self.current.get(uri).is_some_and(|(_, job, cancel)| job.is_some() && !cancel.is_cancelled());
        if let Some((_, _, cancel)) = self.current.get(uri) {
            cancel.cancel();
        }
        running
    }
    pub fn generation(&self, uri: &str) -> Generation {
        self.current.get(uri).map_or(0, |(generation, _, _)| *generation)
    }
    pub fn is_program(&self, uri: &str) -> bool {
        self.current.get(uri).is_some_and(|(_, job, _)| job.is_some())
    }
    fn order(&self, order: Order) {
        if let Some(orders) = &self.orders {
            let _ = orders.send(order);
        }
    }
    pub fn stop(&mut self) {
        self.current.values().for_each(|(_, _, cancel)| cancel.cancel());
        self.orders = None;
        self.thread.take().into_iter().for_each(|thread| drop(thread.join()));
    }
}

impl<O: Outbox> Worker<O> {
    fn work(&self, heard: &Receiver<Order>) {
        let mut waiting: BTreeMap<String, (Arc<Job>, Cancel)> = BTreeMap::new();
        let mut idle: VecDeque<(Arc<Job>, Cancel, Stage)> = VecDeque::new();
        loop {
            waiting.retain(|_, (_, cancel)| !cancel.is_cancelled());
            idle.retain(|(_, cancel, _)| !cancel.is_cancelled());
            let pause = match (waiting.is_empty(), idle.front()) {
                (false, _) => PAUSE,
                (true, Some((_, _, Stage::Examples))) => IDLE,
                (true, Some(_)) => Duration::from_millis(20),
                (true, None) => FOREVER,
            };
            match heard.recv_timeout(pause) {
                Ok(Order::Verify(job, cancel)) => drop(waiting.insert(job.uri.clone(), (job, cancel))),
                Ok(Order::Ask(ask)) => self.answer(ask),
                Ok(Order::Look) => {}
                Err(RecvTimeoutError::Timeout) => match waiting.pop_first() {
                    Some((_, (job, cancel))) => {
                        self.verify(&job, &cancel);
                        if self.settings.explain == Explain::Idle {
                            idle.push_back((job, cancel, Stage::Examples));
                        }
                    }
                    None => {
                        let Some((job, cancel, stage)) = idle.pop_front() else { continue };
                        proofs::explain(self, &job, &cancel, stage);
                        self.refresh();
                        idle.extend(stage.next().map(|stage| (job, cancel, stage)));
                    }
                },
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }

    fn answer(&self, ask: Ask) {
        let ask = Ask { cancel: self.limited(&ask.cancel), ..ask };
        let found = proofs::answer(self, &ask);
        let response = match found {
            _ if ask.cancel.is_cancelled() => {
                let message = "the text was changed before the answer was known".to_string();
                Response::new_err(ask.id, ErrorCode::ContentModified as i32, message)
            }
            Ok(found) => Response::new_ok(ask.id, found),
            Err(refusal) => Response::new_err(ask.id, ErrorCode::RequestFailed as i32, refusal.to_string()),
        };
        self.outbox.send(Message::Response(response));
    }

    fn verify(&self, job: &Job, cancel: &Cancel) {
        if cancel.is_cancelled() {
            return;
        }
        let Ok(verifier) = self.verifier() else { return };
        let settings = self.settings_for(job, &self.limited(cancel));
        self.status(job, "verifying", None);
        let ide = Told { outbox: &self.outbox, job, trigger: self.settings.trigger };
        let work = WorkDone::new(&self.outbox, job, self.settings.shows_progress);
        let told = Telling { job, cancel, worker: self, ide: &ide, work: &work };
        let verification = Arc::new(verifier.verify(&job.checked, &settings, &told));
        let result = verification.result();
        work.end(if cancel.is_cancelled() { "cancelled" } else { result.verdict.name() });
        if cancel.is_cancelled() {
            ide.cancelled();
            return self.status(job, "cancelled", None);
        }
        self.known.keep(job, &verification, cancel);
        // Drop the results of deleted members.
        if let Some(found) = self.known.documents().get_mut(&job.uri) {
            found.members.retain(|name, _| result.members.iter().any(|member| *member.name == **name));
        }
        self.publish(job);
        self.refresh();
        self.status(job, result.verdict.name(), Some(result.time));
        let timed_out = result.stopped.iter().any(|stopped| matches!(stopped, Stopped::TimeOut { .. }));
        ide.end(result.verdict, timed_out, result.time);
    }
}

/// Publishes the result of each member as soon as it is verified.
struct Telling<'a, O> {
    job: &'a Job,
    cancel: &'a Cancel,
    worker: &'a Worker<O>,
    ide: &'a Told<'a, O>,
    work: &'a WorkDone<'a, O>,
}

impl<O: Outbox> Progress for Telling<'_, O> {
    fn begin(&self, members: usize) {
        self.ide.begin(members);
        self.work.begin(members);
    }
    fn member_done(&self, name: &str) {
        self.ide.member();
        self.work.member(name);
    }
    fn member_verified(
        &self,
        _: &str,
        sources: &SourceMap,
        member: &MemberResult,
        errors: &[Finding],
        stopped: Option<&Stopped>,
    ) {
        if self.cancel.is_cancelled() || stopped.is_some() {
            return;
        }
        let Job { uri, path, generation, .. } = self.job;
        let shown = errors.iter().filter(|finding| !finding.cascade);
        let findings: Vec<Value> = shown.map(|finding| finding_diagnostic(uri, sources, finding)).collect();
        let how = if member.cached { "known".to_string() } else { format!("{:.2} s", member.time.as_secs_f64()) };
        let text = self.job.buffers.texts.get(path).map(|text| crate::text::Text::of(path, text));
        let line = text.as_ref().map_or(0, |text| line_of(text, &member.name));
        let title = format!("{} ({how})", member.verdict.name());
        let mut verdict = Verdict { generation: *generation, findings, title, line };
        let is_news = {
            let mut documents = self.worker.known.documents();
            let members = &mut documents.entry(uri.clone()).or_default().members;
            let before = members.remove(&*member.name);
            if let Some(other) = before.as_ref().filter(|before| before.generation == *generation) {
                verdict = verdict.with(other);
            }
            members.insert(member.name.to_string(), verdict.clone());
            before.is_none_or(|before| before.findings != verdict.findings || before.line != line)
        };
        // Results from the cache are published only at the end.
        if is_news && !member.cached {
            self.worker.publish(self.job);
        }
    }
}

fn line_of(text: &crate::text::Text, member: &str) -> usize {
    let members = crate::outline::members(text);
    let found = members.iter().find(|declared| declared.name(text) == member);
    found.map_or(0, |declared| text.place(text.words[declared.name].start).0)
}
