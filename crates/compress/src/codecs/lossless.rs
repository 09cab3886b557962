//! Lossless: any bytes by LZ4 (fast) or Zstandard (small); what does not get smaller is stored.
//!
//! The payload is the method (1 byte: 0 stored, 1 LZ4, 2 Zstandard) and its output.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use bytes::{BufMut, Bytes, BytesMut};
use downpour_tensor::{Result, Status, Tensor};
use serde::{Deserialize, Serialize};

use crate::reader::Reader;
use crate::{Codec, Encoded};

/// Which general compressor is used, written `lz4`, `zstd` or `zstd:9`, in files (serde) as well.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Lossless {
    /// LZ4: several hundred megabytes a second, for fast networks.
    #[default]
    Lz4,
    /// Zstandard: smaller, for slow networks and files.
    Zstd {
        /// From 1 (fast) to 22 (small); 3 is its makers' choice. Others are brought into this range.
        level: i32,
    },
}

impl FromStr for Lossless {
    type Err = Status;

    fn from_str(text: &str) -> Result<Lossless> {
        let level = match text {
            "lz4" => return Ok(Lossless::Lz4),
            "zstd" => Some(3),
            _ => text.strip_prefix("zstd:").and_then(|level| level.parse().ok()),
        };
        match level.filter(|level| (1..=22).contains(level)) {
            Some(level) => Ok(Lossless::Zstd { level }),
            None => Err(Status::invalid_argument(format!(
                "unknown lossless compression {text:?}; use lz4, zstd, or zstd:LEVEL with a level from 1 to 22"
            ))),
        }
    }
}

impl fmt::Display for Lossless {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lossless::Lz4 => f.write_str("lz4"),
            Lossless::Zstd { level } => write!(f, "zstd:{level}"),
        }
    }
}

impl TryFrom<String> for Lossless {
    type Error = Status;

    fn try_from(text: String) -> Result<Lossless> {
        text.parse()
    }
}

impl From<Lossless> for String {
    fn from(setting: Lossless) -> String {
        setting.to_string()
    }
}

const STORED: u8 = 0;
const LZ4: u8 = 1;
const ZSTD: u8 = 2;

/// How many bytes one byte of LZ4 can stand for at most: each further byte of a length adds 255.
const LZ4_RATIO: usize = 255;
/// The same for Zstandard: a block of 128 KB takes four bytes or more.
const ZSTD_RATIO: usize = (128 << 10) / 4;

/// The fewest bytes that so many can have become by a method.
pub(crate) fn least(method: Option<&u8>, bytes: usize) -> usize {
    match method {
        Some(&LZ4) => bytes / LZ4_RATIO,
        Some(&ZSTD) => bytes / ZSTD_RATIO,
        _ => bytes,
    }
}

/// The bytes made smaller, and the method that did it.
pub(crate) fn squeeze(bytes: &[u8], how: Lossless) -> Result<(u8, Cow<'_, [u8]>)> {
    let (method, smaller) = match how {
        Lossless::Lz4 => (LZ4, lz4_flex::block::compress(bytes)),
        Lossless::Zstd { level } => {
            let smaller = zstd::bulk::compress(bytes, level.clamp(1, 22))
                .map_err(|e| Status::internal(format!("Zstandard could not compress: {e}")))?;
            (ZSTD, smaller)
        }
    };
    if smaller.len() < bytes.len() {
        return Ok((method, Cow::Owned(smaller)));
    }
    Ok((STORED, Cow::Borrowed(bytes)))
}

/// Fills `out` from everything that is left; it must be exactly that much.
pub(crate) fn expand(reader: &mut Reader<'_>, method: u8, out: &mut [u8]) -> Result<()> {
    let bytes = reader.take_rest();
    let written = match method {
        STORED if bytes.len() == out.len() => {
            out.copy_from_slice(bytes);
            Ok(out.len())
        }
        STORED => Ok(bytes.len()),
        LZ4 => lz4_flex::block::decompress_into(bytes, out).map_err(|e| e.to_string()),
        ZSTD => zstd::bulk::decompress_to_buffer(bytes, out).map_err(|e| e.to_string()),
        other => return Err(reader.error(format!("its method is {other}"))),
    };
    match written {
        Ok(written) if written == out.len() => Ok(()),
        Ok(written) => {
            Err(reader.error(format!("it has {written} bytes where {} belong", out.len())))
        }
        Err(why) => Err(reader.error(why)),
    }
}

/// A tensor of plain elements, any bytes, without loss.
///
/// ```
/// use downpour_compress::{Lossless, decode, encode_lossless};
/// use downpour_tensor::Tensor;
/// let labels = Tensor::from_vec([1000], vec![3u8; 1000])?;
/// let small = encode_lossless(&labels, Lossless::Zstd { level: 3 })?;
/// assert!(small.wire_len() < 100);
/// assert_eq!(decode(&small)?.bytes(), labels.bytes());
/// # Ok::<(), downpour_tensor::Status>(())
/// ```
pub fn encode_lossless(tensor: &Tensor, how: Lossless) -> Result<Encoded> {
    let bytes = tensor.bytes().ok_or_else(|| {
        Status::invalid_argument(format!("{} tensors have no bytes to compress", tensor.dtype()))
    })?;
    let (method, smaller) = squeeze(bytes, how)?;
    let mut out = BytesMut::with_capacity(1 + smaller.len());
    out.put_u8(method);
    out.put_slice(&smaller);
    Ok(Encoded::new(Codec::Lossless, tensor.dtype(), tensor.shape().clone(), Bytes::from(out)))
}

pub(crate) fn decode(bytes: &[u8], out: &mut [u8]) -> Result<()> {
    let mut reader = Reader::new("lossless", bytes);
    let method = reader.take_u8("method")?;
    expand(&mut reader, method, out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for (text, setting) in [
            ("lz4", Lossless::Lz4),
            ("zstd", Lossless::Zstd { level: 3 }),
            ("zstd:22", Lossless::Zstd { level: 22 }),
        ] {
            assert_eq!(text.parse::<Lossless>().unwrap(), setting);
            assert_eq!(setting.to_string().parse::<Lossless>().unwrap(), setting);
            let json = serde_json::to_string(&setting).unwrap();
            assert_eq!(serde_json::from_str::<Lossless>(&json).unwrap(), setting);
        }
        for text in ["", "gzip", "lz4:1", "zstd:", "zstd:0", "zstd:23"] {
            assert!(text.parse::<Lossless>().is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_not_what_it_says_is_refused() {
        let mut out = [0; 4];
        for bytes in
            [&[][..], &[0, 1, 2], &[0, 1, 2, 3, 4, 5], &[1, 255, 255], &[2, 9, 9], &[3, 0, 0, 0, 0]]
        {
            assert!(decode(bytes, &mut out).is_err());
        }
        assert!(decode(&[0, 1, 2, 3, 4], &mut out).is_ok());
        assert_eq!(out, [1, 2, 3, 4]);
    }
}
