//! Verification progress, for editors that show it.

use crate::job::{Job, Outbox};
use lsp_server::{Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Progress of one verification.
pub(crate) struct WorkDone<'a, O> {
    outbox: &'a O,
    token: String,
    title: String,
    shown: bool,
    all: AtomicUsize,
    done: AtomicUsize,
}

impl<'a, O: Outbox> WorkDone<'a, O> {
    pub fn new(outbox: &'a O, job: &Job, shown: bool) -> Self {
        let name = job.path.rsplit('/').next().unwrap_or_default();
        let token = format!("echis-{}", job.generation);
        let (all, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        WorkDone { outbox, token, title: format!("Verifying {name}"), shown, all, done }
    }
    pub fn begin(&self, members: usize) {
        self.all.store(members, Ordering::Relaxed);
        if self.shown {
            let id = RequestId::from(format!("progress-{}", self.token));
            let create = Request::new(id, "window/workDoneProgress/create".into(), json!({ "token": self.token }));
            self.outbox.send(Message::Request(create));
        }
        self.say(json!({ "kind": "begin", "title": self.title, "percentage": 0 }));
    }
    pub fn member(&self, name: &str) {
        let (done, all) = (self.done.fetch_add(1, Ordering::Relaxed) + 1, self.all.load(Ordering::Relaxed).max(1));
        let message = format!("{done} of {all}: {name}");
        self.say(json!({ "kind": "report", "message": message, "percentage": (100 * done / all).min(100) }));
    }
    pub fn end(&self, verdict: &str) {
        // If no progress began, none is ended.
        if self.all.load(Ordering::Relaxed) > 0 {
            self.say(json!({ "kind": "end", "message": verdict }));
        }
    }
    fn say(&self, value: Value) {
        if self.shown {
            let params = json!({ "token": self.token, "value": value });
            self.outbox.send(Message::Notification(Notification::new("$/progress".into(), params)));
        }
    }
}
