//! The secret that the tasks of a cluster share.
//!
//! Whoever reaches a port could join training as a worker, have servers hold their updates, or speak for another task on a
//! link. A task that has a key takes Downpour's own protocols only from whoever shows the same key first: [`OPENING`] and
//! the key, before the protocol's own first bytes. Nothing is answered, so a connection opens as quickly as without.
//!
//! gRPC needs no key, as TensorFlow's clients and tasks have none. The key crosses the network as it is: it keeps out
//! who can connect, not who can listen.

use std::fmt;
use std::io;

use downpour_tensor::{Result, Status};

/// The environment variable that has the key.
pub const VARIABLE: &str = "DOWNPOUR_CLUSTER_KEY";

/// The first bytes of a connection that shows a key: none of the port's protocols begins with the first of them.
pub(crate) const OPENING: [u8; 8] = *b"key_0001";

const BYTES: usize = 32;

/// Bytes that come before the protocol's own where a key is shown.
pub(crate) const OPENING_BYTES: usize = OPENING.len() + BYTES;

/// A secret that all tasks of a cluster have.
#[derive(Clone, PartialEq, Eq)]
pub struct ClusterKey([u8; BYTES]);

impl ClusterKey {
    /// Returns a new key that nobody can guess.
    pub fn random() -> Result<ClusterKey> {
        let mut key = [0; BYTES];
        getrandom::fill(&mut key).map_err(|e| {
            Status::unavailable(format!("the system gives no random numbers for a key: {e}"))
        })?;
        Ok(ClusterKey(key))
    }

    /// Reads a key from 64 hexadecimal digits.
    pub fn parse(text: &str) -> Result<ClusterKey> {
        let digits: Option<Vec<u8>> =
            text.trim().chars().map(|digit| digit.to_digit(16).map(|d| d as u8)).collect();
        let digits = digits.filter(|digits| digits.len() == 2 * BYTES).ok_or_else(|| {
            Status::invalid_argument(format!(
                "{VARIABLE} is not a key: a key has {} hexadecimal digits, as `openssl rand -hex {BYTES}` prints them",
                2 * BYTES
            ))
        })?;
        let mut key = [0; BYTES];
        for (byte, pair) in key.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = pair[0] << 4 | pair[1];
        }
        Ok(ClusterKey(key))
    }

    /// Returns the key of this process's environment, if there is one.
    pub fn from_environment() -> Result<Option<ClusterKey>> {
        match std::env::var(VARIABLE) {
            Ok(text) if !text.trim().is_empty() => ClusterKey::parse(&text).map(Some),
            Ok(_) | Err(std::env::VarError::NotPresent) => Ok(None),
            Err(std::env::VarError::NotUnicode(_)) => ClusterKey::parse("").map(Some),
        }
    }

    /// Returns the key as text, for the environment of other tasks.
    pub fn to_hex(&self) -> String {
        self.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the first bytes of a connection that shows this key.
    pub(crate) fn opening(&self) -> [u8; OPENING_BYTES] {
        let mut bytes = [0; OPENING_BYTES];
        bytes[..OPENING.len()].copy_from_slice(&OPENING);
        bytes[OPENING.len()..].copy_from_slice(&self.0);
        bytes
    }
}

/// Checks what a connection has shown; `shown` is its opening, if it had one. A task without a key takes everybody.
pub(crate) fn check(own: Option<&ClusterKey>, shown: Option<&[u8]>) -> io::Result<()> {
    let refuse = |what: &str| {
        let message = format!("{what}; all tasks of a cluster need the same {VARIABLE}");
        Err(io::Error::new(io::ErrorKind::PermissionDenied, message))
    };
    if shown.is_some_and(|shown| shown.len() != OPENING_BYTES || !shown.starts_with(&OPENING)) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidData,
            "it speaks neither gRPC nor one of Downpour's protocols",
        ));
    }
    match (own, shown) {
        (None, _) => Ok(()),
        (Some(_), None) => refuse("it has not shown the cluster's key"),
        (Some(own), Some(shown)) => match same(&own.opening(), shown) {
            true => Ok(()),
            false => refuse("it has shown another key than this cluster's"),
        },
    }
}

/// Compares all bytes, so that the time it takes does not tell how many are right.
fn same(left: &[u8], right: &[u8]) -> bool {
    let pairs = left.iter().zip(right);
    left.len() == right.len()
        && std::hint::black_box(pairs.fold(0, |all, (a, b)| all | (a ^ b))) == 0
}

/// A key is not for logs.
impl fmt::Debug for ClusterKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClusterKey")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_the_same_as_text() {
        let key = ClusterKey::random().unwrap();
        assert_eq!(ClusterKey::parse(&key.to_hex()).unwrap(), key);
        assert_ne!(ClusterKey::random().unwrap(), key);
        assert_eq!(format!("{key:?}"), "ClusterKey");
        for wrong in ["", "12", &"g".repeat(64), &"1".repeat(63), &"é".repeat(64)] {
            assert!(ClusterKey::parse(wrong).unwrap_err().message().contains(VARIABLE));
        }
    }

    #[test]
    fn only_the_same_key_is_taken() {
        let (own, other) = (ClusterKey::random().unwrap(), ClusterKey::random().unwrap());
        check(Some(&own), Some(&own.opening())).unwrap();
        check(None, Some(&own.opening())).unwrap();
        check(None, None).unwrap();
        for shown in [None, Some(other.opening())] {
            let refused = check(Some(&own), shown.as_ref().map(|shown| &shown[..])).unwrap_err();
            assert_eq!(refused.kind(), io::ErrorKind::PermissionDenied);
        }
        let broken = check(None, Some(b"kindly open")).unwrap_err();
        assert_eq!(broken.kind(), io::ErrorKind::InvalidData);
    }
}
