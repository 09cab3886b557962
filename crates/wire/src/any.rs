//! `google.protobuf.Any`: a message of a type that only its receiver knows.
//!
//! Ours instead of prost's because this one shares the payload's memory when decoded: the bytes
//! of a `RecvBufResponse` travel in an `Any`.

use bytes::Bytes;
use prost::{DecodeError, Message, Name};

/// An encoded message together with the name of its type.
#[derive(Clone, PartialEq, Eq, Hash, Message)]
pub struct Any {
    /// `type.googleapis.com/` and the full name; only what follows the last slash counts.
    #[prost(string, tag = "1")]
    pub type_url: String,
    /// The encoded message.
    #[prost(bytes = "bytes", tag = "2")]
    pub value: Bytes,
}

impl Any {
    /// Encodes `message` and names its type.
    pub fn pack<M: Name>(message: &M) -> Self {
        Self { type_url: M::type_url(), value: message.encode_to_vec().into() }
    }

    /// Decodes the message if it is of type `M`.
    pub fn unpack<M: Name + Default>(&self) -> Result<M, UnpackError> {
        let name = self.type_url.rsplit('/').next().unwrap_or_default();
        if name != M::full_name() {
            return Err(UnpackError::OtherType {
                expected: M::full_name(),
                found: self.type_url.clone(),
            });
        }
        Ok(M::decode(self.value.clone())?)
    }
}

/// Why an [`Any`] could not be unpacked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum UnpackError {
    /// It holds another message.
    #[error("expected a message of type {expected}, found `{found}`")]
    OtherType {
        /// Full name of the message asked for.
        expected: String,
        /// The type URL it came with.
        found: String,
    },
    /// Its bytes are not an encoding of the message it names.
    #[error(transparent)]
    Malformed(#[from] DecodeError),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::{RecvBufRespExtra, VersionDef};

    fn packed() -> Any {
        Any::pack(&RecvBufRespExtra { tensor_content: vec![Bytes::from_static(b"abc")] })
    }

    #[test]
    fn type_url_is_the_one_tensorflow_writes() {
        assert_eq!(packed().type_url, "type.googleapis.com/tensorflow.RecvBufRespExtra");
    }

    #[test]
    fn unpacking_shares_the_payload() {
        let encoded = Bytes::from(packed().encode_to_vec());
        let any = Any::decode(encoded.clone()).unwrap();
        let extra: RecvBufRespExtra = any.unpack().unwrap();
        assert_eq!(extra.tensor_content[0], "abc");
        assert!(encoded.as_ptr_range().contains(&extra.tensor_content[0].as_ptr()));
    }

    #[test]
    fn another_type_is_refused() {
        let error = packed().unpack::<VersionDef>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "expected a message of type tensorflow.VersionDef, \
             found `type.googleapis.com/tensorflow.RecvBufRespExtra`"
        );
    }
}
