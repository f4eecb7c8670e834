//! A shared cache in an object store: Amazon S3, Google Cloud Storage, Azure, or a compatible service. Location and
//! credentials come from the environment variables that the vendors' own tools read (`AWS_ACCESS_KEY_ID`,
//! `AWS_ENDPOINT`, `GOOGLE_SERVICE_ACCOUNT`, `AZURE_STORAGE_ACCOUNT_NAME`, …).
//!
//! The crate is asynchronous, but each request is awaited immediately. A store that does not answer in time is not
//! used for the rest of the run.

use super::folder::{opened, sealed};
use super::refusal::NotShared;
use object_store::path::Path;
use object_store::{Error, ObjectStore, ObjectStoreExt, parse_url_opts};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};
use tokio::time::timeout;
use url::Url;

const PATIENCE: Duration = Duration::from_secs(10);

pub(super) struct Objects {
    runtime: Runtime,
    store: Box<dyn ObjectStore>,
    root: Path,
    /// Whether it failed to answer.
    lost: AtomicBool,
}

impl Objects {
    /// Fails if the store is unusable, so that this is reported at the start rather than after hours.
    pub fn open(url: &str) -> Result<Self, NotShared> {
        let wrong = |error: &dyn std::fmt::Display| NotShared::Unusable {
            place: url.to_string(),
            reason: Some(error.to_string()),
        };
        let parsed = Url::parse(url).map_err(|error| wrong(&error))?;
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| wrong(&error))?;
        let told =
            std::env::vars_os().filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
        let told = told.map(|(name, value)| (name.to_ascii_lowercase(), value));
        let (store, root) = parse_url_opts(&parsed, told).map_err(|error| wrong(&error))?;
        let objects = Objects { runtime, store, root, lost: AtomicBool::new(false) };
        match objects.ask(objects.store.get(&objects.place(&[0; 32]))) {
            Some(Ok(_) | Err(Error::NotFound { .. })) => Ok(objects),
            Some(Err(error)) => Err(wrong(&error)),
            None => Err(wrong(&"there is no answer")),
        }
    }

    pub fn read(&self, key: &[u8; 32]) -> Option<Vec<u8>> {
        let place = self.place(key);
        let bytes = self.ask(async { self.store.get(&place).await?.bytes().await })?;
        opened(key, &bytes.ok()?)
    }

    /// Write errors are ignored.
    pub fn write(&self, key: &[u8; 32], body: &[u8]) {
        let _ = self.ask(self.store.put(&self.place(key), sealed(key, body).into()));
    }

    fn place(&self, key: &[u8; 32]) -> Path {
        let name: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
        self.root.clone().join(&name[..2]).join(&name[2..])
    }

    fn ask<T>(&self, question: impl Future<Output = Result<T, Error>>) -> Option<Result<T, Error>> {
        if self.lost.load(Ordering::Relaxed) {
            return None;
        }
        let answer = self.runtime.block_on(async { timeout(PATIENCE, question).await.ok() });
        if !matches!(answer, Some(Ok(_) | Err(Error::NotFound { .. }))) {
            self.lost.store(true, Ordering::Relaxed);
        }
        answer
    }
}
