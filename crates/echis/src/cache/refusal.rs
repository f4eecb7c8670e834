//! Why a cache cannot be shared.

use std::fmt;

/// The environment variable with the key.
pub const KEY_VARIABLE: &str = "ECHIS_CACHE_KEY";

/// Why a cache cannot be shared; each message says what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotShared {
    /// Neither a key nor a trust option was given.
    NoTrust,
    /// The location is not a usable cache.
    Unusable {
        /// The location.
        place: String,
        /// The system's error message, if there is one.
        reason: Option<String>,
    },
    /// The URL scheme is not supported.
    Scheme(String),
    /// This build does not support object stores.
    NoObjectStores(String),
}

impl fmt::Display for NotShared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotShared::NoTrust => write!(
                f,
                "everyone who can write to a shared cache decides what counts as verified: set {KEY_VARIABLE} to a secret of those \
                 who share it, so that entries are signed, or say --trust-cache"
            ),
            NotShared::Unusable { place, reason: None } => write!(f, "{place} cannot be used as a cache"),
            NotShared::Unusable { place, reason: Some(reason) } => {
                write!(f, "{place} cannot be used as a cache: {reason}")
            }
            NotShared::Scheme(scheme) => write!(
                f,
                "{scheme}://… cannot be shared: give a folder (file:///… or its path), which may be mounted, or an object \
                 store (s3://…, gs://…, az://…)"
            ),
            NotShared::NoObjectStores(scheme) => write!(
                f,
                "this Echis was built without object stores, so {scheme}://… cannot be shared: build it with `--features \
                 object-store`, or give a folder, which may be mounted"
            ),
        }
    }
}

impl std::error::Error for NotShared {}
