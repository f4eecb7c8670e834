//! The jobs that the protocol thread gives to the verification thread.

use echis::{Buffers, Cancel, Checked};
use lsp_server::{Message, RequestId};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// Each state of a document, with what it imports, has a number of its own.
pub(crate) type Generation = u64;

/// A document that is a program, as it was at some moment.
pub(crate) struct Job {
    pub uri: String,
    pub path: String,
    pub version: Option<i64>,
    pub generation: Generation,
    pub buffers: Buffers,
    pub checked: Arc<Checked>,
    /// What is known of it without verification.
    pub front: Vec<Value>,
    pub asked: Asked,
}

/// A question that needs proofs.
pub(crate) struct Ask {
    pub id: RequestId,
    pub method: String,
    pub params: Value,
    pub job: Arc<Job>,
    pub cancel: Cancel,
}

/// What Viper-IDE asks for with a verification.
#[derive(Default)]
pub(crate) struct Asked {
    pub manually: AtomicBool,
    /// Whether what is known from earlier runs does not count.
    pub fresh: bool,
    pub members: AtomicUsize,
    pub done: AtomicUsize,
}

impl Asked {
    pub fn new(fresh: bool) -> Self {
        Asked { fresh, ..Asked::default() }
    }
}

/// Where messages to the editor go.
pub(crate) trait Outbox: Send + Sync + 'static {
    fn send(&self, message: Message);
}

impl<F: Fn(Message) + Send + Sync + 'static> Outbox for F {
    fn send(&self, message: Message) {
        self(message);
    }
}
