//! The interface to the verification thread.

use crate::document_state::DocumentStore;
use crate::job::{Job, Outbox};
use crate::refusal::Refusal;
use crate::text::Text;
use crate::{ServerSettings, published};
use echis::{Cancel, Settings, Silent, Trees, Verification, Verifier};
use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

pub(crate) struct Worker<O> {
    pub settings: ServerSettings,
    pub known: Arc<DocumentStore>,
    pub outbox: O,
    pub refreshed: AtomicU64,
}

impl<O: Outbox> Worker<O> {
    pub fn verifier(&self) -> Result<&Verifier, Refusal> {
        self.settings.verifier.as_ref().map_err(|reason| reason.clone().into())
    }

    /// The settings to verify a document with. Data for requests about its proofs is kept.
    pub fn settings_for(&self, job: &Job, cancel: &Cancel) -> Settings {
        let (jobs, fresh) = (self.settings.jobs, job.asked.fresh);
        Settings { jobs, fresh, trees: Trees::Kept, ..Settings::new(cancel.clone()) }
    }

    /// Adds the server's time limit.
    pub fn limited(&self, cancel: &Cancel) -> Cancel {
        self.settings.limit.map_or_else(|| cancel.clone(), |limit| cancel.within(limit))
    }

    /// The verification of the current document, run if necessary. Requests use half of the workers, since the user
    /// may be typing meanwhile.
    pub fn verified(&self, job: &Job, cancel: &Cancel) -> Result<Arc<Verification>, Refusal> {
        let verification = match self.known.verification(&job.uri, job.generation) {
            Some(known) => known,
            None => {
                let settings = self.settings_for(job, cancel);
                let found = Arc::new(self.verifier()?.verify(&job.checked, &settings, &Silent));
                if cancel.is_over() {
                    return Err(Refusal::Over);
                }
                self.known.keep(job, &found, cancel);
                found
            }
        };
        verification.bound_questions(self.settings.jobs.div_ceil(2), cancel.clone());
        Ok(verification)
    }

    /// Publishes all diagnostics of the document.
    pub fn publish(&self, job: &Job) {
        let Some(text) = job.buffers.texts.get(&job.path) else { return };
        let mut all = job.front.clone();
        all.extend(self.known.findings(&job.uri, &Text::of(&job.path, text)));
        self.outbox.send(published(&job.uri, job.version, all));
    }

    /// Sends the refresh requests that the editor supports.
    pub fn refresh(&self) {
        for method in &self.settings.refreshes {
            let number = self.refreshed.fetch_add(1, Ordering::Relaxed);
            let id = RequestId::from(format!("refresh-{number}"));
            self.outbox.send(Message::Request(Request::new(id, method.clone(), Value::Null)));
        }
    }

    pub fn status(&self, job: &Job, state: &str, time: Option<Duration>) {
        let seconds = time.map(|time| time.as_secs_f64());
        let params = json!({ "uri": job.uri, "version": job.version, "state": state, "time": seconds });
        self.outbox.send(Message::Notification(Notification::new("echis/status".into(), params)));
    }
}
