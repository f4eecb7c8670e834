//! The jobs that the protocol thread sends to the verification thread.

use echis::{Buffers, Cancel, Checked};
use lsp_server::{Message, RequestId};
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize};

/// Identifies one state of a document and its imports.
pub(crate) type Generation = u64;

/// A snapshot of a document that is a valid program.
pub(crate) struct Job {
    pub uri: String,
    pub path: String,
    pub version: Option<i64>,
    pub generation: Generation,
    pub buffers: Buffers,
    pub checked: Arc<Checked>,
    /// Diagnostics of the front end.
    pub front: Vec<Value>,
    pub asked: Asked,
}

/// A request that needs proofs.
pub(crate) struct Ask {
    pub id: RequestId,
    pub method: String,
    pub params: Value,
    pub job: Arc<Job>,
    pub cancel: Cancel,
}

/// Viper-IDE's options for a verification, and its progress.
#[derive(Default)]
pub(crate) struct Asked {
    pub manually: AtomicBool,
    /// Whether to ignore the results of earlier runs.
    pub fresh: bool,
    pub members: AtomicUsize,
    pub done: AtomicUsize,
}

impl Asked {
    pub fn new(fresh: bool) -> Self {
        Asked { fresh, ..Asked::default() }
    }
}

/// A sink for messages to the editor.
pub(crate) trait Outbox: Send + Sync + 'static {
    fn send(&self, message: Message);
}

impl<F: Fn(Message) + Send + Sync + 'static> Outbox for F {
    fn send(&self, message: Message) {
        self(message);
    }
}
