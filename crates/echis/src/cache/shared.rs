//! A cache shared by several users and machines: a folder on a common file system, or an object store.
//!
//! Anyone who can write to it could claim that a wrong program is verified. Each entry is therefore signed with a key
//! known to those who share the cache, and unsigned entries are ignored; without a key, the user must explicitly
//! trust everybody.

use super::Key;
use super::folder::Folder;
use super::refusal::{KEY_VARIABLE, NotShared};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use std::path::PathBuf;

/// Why entries written by others are trusted.
#[derive(Clone, PartialEq, Eq)]
pub enum Trust {
    /// They are signed with this key.
    Signed(Vec<u8>),
    /// The user chose to trust everybody.
    Everybody,
}

impl Trust {
    /// The trust given by the environment and the command line.
    pub fn found(everybody: bool) -> Result<Self, NotShared> {
        let key = std::env::var(KEY_VARIABLE).unwrap_or_default();
        match (key.is_empty(), everybody) {
            (false, _) => Ok(Trust::Signed(key.into_bytes())),
            (true, true) => Ok(Trust::Everybody),
            (true, false) => Err(NotShared::NoTrust),
        }
    }
}

pub(super) struct Shared {
    place: Backing,
    trust: Trust,
}

enum Backing {
    Folder(Folder),
    #[cfg(feature = "object-store")]
    Objects(super::objects::Objects),
}

const SIGNATURE: usize = 32;

impl Shared {
    /// Opens a cache at `file:///folder`, at a folder's path, or in an object store.
    pub fn open(url: &str, trust: Trust) -> Result<Self, NotShared> {
        let path = match (url.split_once("://"), url.strip_prefix("file:")) {
            (Some(("file", path)), _) | (None, Some(path)) => path,
            (Some((scheme, _)), _) => return Ok(Shared { place: objects(scheme, url)?, trust }),
            (None, None) => url,
        };
        let folder = Folder::shared(PathBuf::from(path))
            .ok_or_else(|| NotShared::Unusable { place: path.to_string(), reason: None })?;
        Ok(Shared { place: Backing::Folder(folder), trust })
    }
    /// Whether the entry was written with the key.
    pub fn is_signed(&self) -> bool {
        matches!(self.trust, Trust::Signed(_))
    }
    pub fn read(&self, key: &Key) -> Option<Vec<u8>> {
        let bytes = match &self.place {
            Backing::Folder(folder) => folder.read(key)?,
            #[cfg(feature = "object-store")]
            Backing::Objects(objects) => objects.read(key)?,
        };
        let (signature, body) = bytes.split_at_checked(SIGNATURE)?;
        match &self.trust {
            Trust::Everybody => {}
            // Compares in constant time.
            Trust::Signed(secret) => signer(secret, key, body).verify_slice(signature).ok()?,
        }
        Some(body.to_vec())
    }
    pub fn write(&self, key: &Key, body: &[u8]) {
        let signed = [&self.sign(key, body)[..], body].concat();
        match &self.place {
            Backing::Folder(folder) => folder.write(key, &signed),
            #[cfg(feature = "object-store")]
            Backing::Objects(objects) => objects.write(key, &signed),
        }
    }
    /// The HMAC-SHA-256 of the entry's key and body; zeros if there is no key.
    fn sign(&self, key: &Key, body: &[u8]) -> [u8; SIGNATURE] {
        match &self.trust {
            Trust::Everybody => [0; SIGNATURE],
            Trust::Signed(secret) => signer(secret, key, body).finalize().into_bytes().into(),
        }
    }
}

fn signer(secret: &[u8], key: &Key, body: &[u8]) -> Hmac<Sha256> {
    let signer = Hmac::<Sha256>::new_from_slice(secret).expect("a secret may have any length");
    signer.chain_update(key).chain_update(body)
}

/// Object stores that can be shared.
const STORES: [&str; 3] = ["s3", "gs", "az"];

#[cfg_attr(not(feature = "object-store"), expect(unused_variables, reason = "the whole address is for stores"))]
fn objects(scheme: &str, url: &str) -> Result<Backing, NotShared> {
    if !STORES.contains(&scheme) {
        return Err(NotShared::Scheme(scheme.to_string()));
    }
    #[cfg(feature = "object-store")]
    return super::objects::Objects::open(url).map(Backing::Objects);
    #[cfg(not(feature = "object-store"))]
    Err(NotShared::NoObjectStores(scheme.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_wrote_counts_only_if_it_is_signed() {
        let folder = std::env::temp_dir().join(format!("echis-shared-{}", std::process::id()));
        let url = format!("file://{}", folder.display());
        let open = |trust| Shared::open(&url, trust).map_err(|_| ()).expect("it can be made");
        let (ours, theirs) = (open(Trust::Signed(b"ours".to_vec())), open(Trust::Signed(b"theirs".to_vec())));
        let anybody = open(Trust::Everybody);
        let key = [7; 32];
        anybody.write(&key, b"verified");
        assert_eq!((ours.read(&key), anybody.read(&key).as_deref()), (None, Some(&b"verified"[..])));
        theirs.write(&key, b"verified");
        assert_eq!(ours.read(&key), None);
        ours.write(&key, b"verified");
        assert_eq!(ours.read(&key).as_deref(), Some(&b"verified"[..]));
        // A signature is valid for one entry only.
        assert!(signer(b"ours", &key, b"verified").verify_slice(&ours.sign(&[8; 32], b"verified")).is_err());
        assert!(signer(b"ours", &key, b"failed").verify_slice(&ours.sign(&key, b"verified")).is_err());
        let refused = |url| Shared::open(url, Trust::Everybody).err();
        assert!(refused("ftp://bucket").is_some_and(|error| error.to_string().contains("mounted")));
        if cfg!(not(feature = "object-store")) {
            assert!(refused("s3://bucket").is_some_and(|error| error.to_string().contains("--features object-store")));
        }
        let _ = std::fs::remove_dir_all(folder);
    }
}
