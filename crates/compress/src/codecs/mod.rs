//! The codecs, a file each. An encoder gets checked float values; a decoder gets bytes that may be forged and a tensor's
//! worth of memory that is already bounded.

pub(crate) mod bfloat16;
mod bits;
pub(crate) mod float16;
pub(crate) mod ids;
pub(crate) mod int8;
pub(crate) mod lossless;
pub(crate) mod one_bit;
pub(crate) mod planes;
pub(crate) mod power_sgd;
pub(crate) mod top_k;

use bytes::Bytes;
use downpour_tensor::{Buffer, Result};

/// A payload of this many bytes from the pool, written by `fill`.
pub(crate) fn payload(bytes: usize, fill: impl FnOnce(&mut [u8])) -> Result<Bytes> {
    let mut buffer = Buffer::allocate(bytes)?;
    fill(buffer.as_mut().unwrap_or(&mut []));
    Ok(buffer.to_bytes())
}
