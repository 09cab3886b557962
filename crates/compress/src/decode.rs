//! Decoding: from a compressed tensor of any codec to the tensor, with its memory bounded first.

use downpour_tensor::{DataType, Element, Result, Status, Tensor};

use crate::codecs::{bfloat16, float16, ids, int8, lossless, one_bit, planes, power_sgd, top_k};
use crate::{Codec, Encoded};

/// The largest tensor, in bytes, that [`decode`] makes.
pub const DEFAULT_LIMIT: usize = 2 << 30;

/// The tensor, of at most [`DEFAULT_LIMIT`] bytes. Needs no state: what is wrong with a forged message is INVALID_ARGUMENT.
pub fn decode(encoded: &Encoded) -> Result<Tensor> {
    decode_within(encoded, DEFAULT_LIMIT)
}

/// The tensor, of at most `limit` bytes. A few bytes can announce a huge tensor (that is what compression is for), so a
/// receiver says what it is ready to hold; [`Encoded::expect`] is stricter still.
pub fn decode_within(encoded: &Encoded, limit: usize) -> Result<Tensor> {
    let (dtype, shape) = (encoded.dtype(), encoded.shape());
    let bytes = downpour_tensor::checked_elements(shape)?.checked_mul(dtype.size());
    if bytes.is_none_or(|bytes| bytes > limit) {
        return Err(Status::invalid_argument(format!(
            "a compressed tensor says it is {dtype} of shape {shape}, which is more than the {limit} bytes accepted here; \
             send it in parts or raise the limit"
        )));
    }
    let payload = encoded.payload();
    if encoded.codec() == Codec::Raw {
        return Tensor::from_bytes(dtype, shape, payload.clone());
    }
    check_payload(encoded)?;
    let mut tensor = Tensor::new(dtype, shape)?;
    match (encoded.codec(), dtype) {
        (Codec::Lossless, _) => decode_bytes(payload, &mut tensor)?,
        (Codec::Planes, DataType::Float | DataType::Double) => {
            let out = tensor.bytes_mut();
            let out = out.ok_or_else(|| Status::internal("a new tensor has an owner"))?;
            planes::decode(payload, out, dtype.size())?
        }
        (Codec::Ids, DataType::Int32) => ids::decode(payload, values::<i32>(&mut tensor)?)?,
        (Codec::Ids, DataType::Int64) => ids::decode(payload, values::<i64>(&mut tensor)?)?,
        (_, DataType::Float) => decode_float::<f32>(encoded, &mut tensor)?,
        (_, DataType::Double) => decode_float::<f64>(encoded, &mut tensor)?,
        (codec, _) => {
            return Err(Status::invalid_argument(format!(
                "a compressed tensor is broken: {} cannot be {dtype}",
                codec.name()
            )));
        }
    }
    Ok(tensor)
}

/// Refuses a payload that is too short for its tensor, before memory is taken for that. Top-k and PowerSGD need few bytes for
/// any shape: of those a receiver must know the shape ([`Encoded::expect`]).
fn check_payload(encoded: &Encoded) -> Result<()> {
    let elements = encoded.shape().elements();
    let (payload, bytes) =
        (&encoded.payload()[..], elements.saturating_mul(encoded.dtype().size()));
    let least = match encoded.codec() {
        Codec::Raw => bytes,
        Codec::BFloat16 | Codec::Float16 => elements.saturating_mul(2),
        Codec::Int8 => elements,
        Codec::OneBit => elements / 8,
        // Their first bytes are a count.
        Codec::TopK | Codec::PowerSgd => size_of::<u64>(),
        // An id is a byte of text or more.
        Codec::Ids => lossless::least(payload.get(1), elements),
        Codec::Lossless | Codec::Planes => lossless::least(payload.first(), bytes),
    };
    if payload.len() >= least {
        return Ok(());
    }
    Err(Status::invalid_argument(format!(
        "a compressed tensor is broken: {} of shape {} takes {least} bytes or more by {}, and {} came",
        encoded.dtype(),
        encoded.shape(),
        encoded.codec().name(),
        payload.len()
    )))
}

fn decode_float<T: bfloat16::ToBFloat16 + float16::ToFloat16>(
    encoded: &Encoded,
    tensor: &mut Tensor,
) -> Result<()> {
    let payload = encoded.payload();
    let out = values::<T>(tensor)?;
    match encoded.codec() {
        Codec::BFloat16 => bfloat16::decode(payload, out),
        Codec::Float16 => float16::decode(payload, out),
        Codec::Int8 => int8::decode(payload, out),
        Codec::OneBit => one_bit::decode(payload, out),
        Codec::TopK => top_k::decode(payload, out),
        Codec::PowerSgd => power_sgd::decode(payload, encoded.shape(), out),
        other => Err(Status::invalid_argument(format!(
            "a compressed tensor is broken: {} cannot be {}",
            other.name(),
            T::DTYPE
        ))),
    }
}

fn decode_bytes(payload: &[u8], tensor: &mut Tensor) -> Result<()> {
    let booleans = tensor.dtype() == DataType::Bool;
    let out = tensor.bytes_mut().ok_or_else(|| Status::internal("a new tensor has an owner"))?;
    let result = lossless::decode(payload, out);
    if booleans {
        out.iter_mut().for_each(|byte| *byte = (*byte != 0) as u8);
    }
    result
}

fn values<T: Element>(tensor: &mut Tensor) -> Result<&mut [T]> {
    tensor.as_mut_slice().ok_or_else(|| Status::internal("a new tensor has another owner or dtype"))
}
