//! A cache that several people and machines share: a folder on whatever file system they have in common, or an object
//! store.
//!
//! Whoever can write there could claim that a wrong program is verified. So each entry is signed with a key that those
//! have who share, and what is not signed is no entry; without a key somebody has to say that everybody is trusted.

use super::Key;
use super::folder::Folder;
use super::refusal::{KEY_VARIABLE, NotShared};
use sha2::{Digest, Sha256};
use std::path::PathBuf;

/// Why what others wrote is believed.
#[derive(Clone, PartialEq, Eq)]
pub enum Trust {
    /// It is signed with this key.
    Signed(Vec<u8>),
    /// Somebody said so.
    Everybody,
}

impl Trust {
    /// What the environment and the command line say.
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
    place: Place,
    trust: Trust,
}

enum Place {
    Folder(Folder),
    #[cfg(feature = "object-store")]
    Objects(super::objects::Objects),
}

const SIGNATURE: usize = 32;

impl Shared {
    /// At `file:///folder`, the path of a folder, or in an object store.
    pub fn open(url: &str, trust: Trust) -> Result<Self, NotShared> {
        let path = match (url.split_once("://"), url.strip_prefix("file:")) {
            (Some(("file", path)), _) | (None, Some(path)) => path,
            (Some((scheme, _)), _) => return Ok(Shared { place: objects(scheme, url)?, trust }),
            (None, None) => url,
        };
        let folder = Folder::shared(PathBuf::from(path))
            .ok_or_else(|| NotShared::Unusable { place: path.to_string(), reason: None })?;
        Ok(Shared { place: Place::Folder(folder), trust })
    }
    /// Whether what is read was written by somebody who has the key.
    pub fn is_signed(&self) -> bool {
        matches!(self.trust, Trust::Signed(_))
    }
    pub fn read(&self, key: &Key) -> Option<Vec<u8>> {
        let bytes = match &self.place {
            Place::Folder(folder) => folder.read(key)?,
            #[cfg(feature = "object-store")]
            Place::Objects(objects) => objects.read(key)?,
        };
        let (signature, body) = bytes.split_at_checked(SIGNATURE)?;
        (self.trust == Trust::Everybody || signature == self.sign(key, body)).then(|| body.to_vec())
    }
    pub fn write(&self, key: &Key, body: &[u8]) {
        let signed = [&self.sign(key, body)[..], body].concat();
        match &self.place {
            Place::Folder(folder) => folder.write(key, &signed),
            #[cfg(feature = "object-store")]
            Place::Objects(objects) => objects.write(key, &signed),
        }
    }
    /// HMAC with SHA-256 of the entry's key and body; zeros where there is no key.
    fn sign(&self, key: &Key, body: &[u8]) -> [u8; SIGNATURE] {
        let Trust::Signed(secret) = &self.trust else { return [0; SIGNATURE] };
        hmac(secret, &[key, body])
    }
}

/// Object stores that can be shared.
const STORES: [&str; 3] = ["s3", "gs", "az"];

#[cfg_attr(not(feature = "object-store"), expect(unused_variables, reason = "the whole address is for stores"))]
fn objects(scheme: &str, url: &str) -> Result<Place, NotShared> {
    if !STORES.contains(&scheme) {
        return Err(NotShared::Scheme(scheme.to_string()));
    }
    #[cfg(feature = "object-store")]
    return super::objects::Objects::open(url).map(Place::Objects);
    #[cfg(not(feature = "object-store"))]
    Err(NotShared::NoObjectStores(scheme.to_string()))
}

fn hmac(secret: &[u8], message: &[&[u8]]) -> [u8; SIGNATURE] {
    const BLOCK: usize = 64;
    let mut block = [0; BLOCK];
    match secret.len() > BLOCK {
        true => block[..SIGNATURE].copy_from_slice(&Sha256::digest(secret)),
        false => block[..secret.len()].copy_from_slice(secret),
    }
    let keyed = |pad: u8| Sha256::new().chain_update(block.map(|byte| byte ^ pad));
    let inner = message.iter().fold(keyed(0x36), |hasher, part| hasher.chain_update(part)).finalize();
    keyed(0x5c).chain_update(inner).finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_the_standard_ones() {
        // The second test case of RFC 4231.
        let signed = hmac(b"Jefe", &[b"what do ya want ", b"for nothing?"]);
        let text: String = signed.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(text, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

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
        let refused = |url| Shared::open(url, Trust::Everybody).err();
        assert!(refused("ftp://bucket").is_some_and(|error| error.to_string().contains("mounted")));
        if cfg!(not(feature = "object-store")) {
            assert!(refused("s3://bucket").is_some_and(|error| error.to_string().contains("--features object-store")));
        }
        let _ = std::fs::remove_dir_all(folder);
    }
}
