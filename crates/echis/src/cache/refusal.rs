//! Why a cache cannot be shared.

use std::fmt;

/// The environment variable with the key.
pub const KEY_VARIABLE: &str = "ECHIS_CACHE_KEY";

/// Why a cache cannot be shared; each says what to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotShared {
    /// Neither a key nor a trust setting was given.
    NoTrust,
    /// What is at this place is no cache, with the reason where one is known.
    Unusable {
        /// Where it would be.
        place: String,
        /// What the system says.
        reason: Option<String>,
    },
    /// Addresses of this kind mean nothing here.
    Scheme(String),
    /// This build has no object stores.
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
