//! Lossless: any bytes by LZ4 (fast) or Zstandard (small); what does not get smaller is stored.
//!
//! The payload is the method (1 byte: 0 stored, 1 LZ4, 2 Zstandard) and its output.

use std::borrow::Cow;

use bytes::{BufMut, Bytes, BytesMut};
use downpour_tensor::{Result, Status, Tensor};

use crate::reader::Reader;
use crate::{Codec, Encoded};

/// Which general compressor is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lossless {
    /// LZ4: several hundred megabytes a second, for fast networks.
    #[default]
    Lz4,
    /// Zstandard: smaller, for slow networks and files.
    Zstd {
        /// From 1 (fast) to 22 (small); 3 is its makers' choice.
        level: i32,
    },
}

const STORED: u8 = 0;
const LZ4: u8 = 1;
const ZSTD: u8 = 2;

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
