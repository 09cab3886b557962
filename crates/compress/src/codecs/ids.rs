//! ids: integers such as rows of a table, sorted or not, without loss.
//!
//! The payload is the form (1 byte: 0 the ids, 1 the differences from one to the next), the method of [`lossless`](super::lossless)
//! (1 byte), the length of the text (8 bytes) and the text squeezed by that method. The text is a variable-length number per
//! id: seven bits a byte, lowest first, signs in the lowest bit. The form is the one whose text is shorter.

use bytes::{BufMut, BytesMut};
use downpour_tensor::{DataType, Result, Status, Tensor};

use super::lossless::{Lossless, expand, squeeze};
use crate::reader::Reader;
use crate::{Codec, Encoded};

const PLAIN: u8 = 0;
const DIFFERENCES: u8 = 1;

/// Small magnitudes of either sign as small numbers.
fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

fn text_len(value: i64) -> usize {
    (64 - (zigzag(value) | 1).leading_zeros() as usize).div_ceil(7)
}

fn put(out: &mut Vec<u8>, value: i64) {
    let mut rest = zigzag(value);
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// The next number of a text and what follows it.
fn get(text: &[u8]) -> Option<(i64, &[u8])> {
    let mut value = 0u64;
    for (i, &byte) in text.iter().enumerate().take(10) {
        let part = (byte & 0x7f) as u64;
        if i == 9 && part > 1 {
            return None;
        }
        value |= part << (7 * i);
        if byte < 0x80 {
            return Some((unzigzag(value), &text[i + 1..]));
        }
    }
    None
}

/// int32 or int64 ids, sorted or not, without loss.
///
/// ```
/// use downpour_compress::{Lossless, decode, encode_ids};
/// use downpour_tensor::Tensor;
/// let rows = Tensor::from_vec([1000], (0..1000).map(|i| 5_000_000_000 + 3 * i).collect::<Vec<i64>>())?;
/// let small = encode_ids(&rows, Lossless::Lz4)?;
/// assert!(small.wire_len() * 50 < rows.byte_len());
/// assert_eq!(decode(&small)?.as_slice::<i64>()?, rows.as_slice::<i64>()?);
/// # Ok::<(), downpour_tensor::Status>(())
/// ```
pub fn encode_ids(ids: &Tensor, how: Lossless) -> Result<Encoded> {
    let values = match ids.dtype() {
        DataType::Int32 | DataType::Int64 => ids.to_i64_vec()?,
        other => {
            return Err(Status::invalid_argument(format!(
                "ids are int32 or int64, not {other}; encode_lossless takes any type"
            )));
        }
    };
    let differences = || {
        let before = std::iter::once(0).chain(values.iter().copied());
        values.iter().zip(before).map(|(&value, before)| value.wrapping_sub(before))
    };
    let plain_len: usize = values.iter().map(|&value| text_len(value)).sum();
    let differences_len: usize = differences().map(text_len).sum();
    let mut text = Vec::with_capacity(plain_len.min(differences_len));
    let form = if differences_len < plain_len { DIFFERENCES } else { PLAIN };
    match form {
        DIFFERENCES => differences().for_each(|value| put(&mut text, value)),
        _ => values.iter().for_each(|&value| put(&mut text, value)),
    }
    let (method, smaller) = squeeze(&text, how)?;
    let mut out = BytesMut::with_capacity(10 + smaller.len());
    out.put_slice(&[form, method]);
    out.put_u64_le(text.len() as u64);
    out.put_slice(&smaller);
    Ok(Encoded::new(Codec::Ids, ids.dtype(), ids.shape().clone(), out.freeze()))
}

pub(crate) fn decode<T: TryFrom<i64>>(bytes: &[u8], out: &mut [T]) -> Result<()> {
    let mut reader = Reader::new("ids", bytes);
    let form = reader.take_u8("form")?;
    let method = reader.take_u8("method")?;
    if form > DIFFERENCES {
        return Err(reader.error(format!("its form is {form}")));
    }
    let length = reader.take_count("length")?;
    // Every id takes from one to ten bytes of text, so the text is bounded by the tensor, which was bounded before.
    if length < out.len() || length / 10 > out.len() {
        return Err(reader.error(format!("{length} bytes cannot be {} ids", out.len())));
    }
    let mut text = vec![0; length];
    expand(&mut reader, method, &mut text)?;
    let mut rest = &text[..];
    let mut before = 0i64;
    for out in out {
        let Some((value, after)) = get(rest) else {
            return Err(reader.error("an id has no end"));
        };
        rest = after;
        before = if form == DIFFERENCES { before.wrapping_add(value) } else { value };
        *out = T::try_from(before)
            .map_err(|_| reader.error(format!("the id {before} is too large for its dtype")))?;
    }
    if !rest.is_empty() {
        return Err(reader.error(format!("{} bytes follow its last id", rest.len())));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn round_trip(ids: &Tensor, how: Lossless) -> Tensor {
        crate::decode(&Encoded::parse(encode_ids(ids, how).unwrap().to_bytes()).unwrap()).unwrap()
    }

    proptest! {
        #[test]
        fn ids_come_back(mut ids: Vec<i64>, narrow in 0u32..64, sorted: bool, zstd: bool) {
            ids.iter_mut().for_each(|id| *id >>= narrow);
            if sorted {
                ids.sort_unstable();
            }
            let how = if zstd { Lossless::Zstd { level: 3 } } else { Lossless::Lz4 };
            let tensor = Tensor::vector(&ids).unwrap();
            let back = round_trip(&tensor, how);
            prop_assert_eq!(back.as_slice::<i64>().unwrap(), &ids[..]);
            let narrow: Vec<i32> = ids.iter().map(|id| *id as i32).collect();
            let tensor = Tensor::vector(&narrow).unwrap();
            let back = round_trip(&tensor, how);
            prop_assert_eq!(back.as_slice::<i32>().unwrap(), &narrow[..]);
        }
    }

    #[test]
    fn numbers_that_are_too_long_are_refused() {
        assert_eq!(get(&[0xff; 11]), None);
        assert_eq!(get(&[0x80, 0x80]), None);
        let mut longest = Vec::new();
        put(&mut longest, i64::MIN);
        assert_eq!(get(&longest), Some((i64::MIN, &[][..])));
        *longest.last_mut().unwrap() = 2;
        assert_eq!(get(&longest), None);
        let wide = encode_ids(&Tensor::vector(&[1i64 << 40]).unwrap(), Lossless::Lz4).unwrap();
        assert!(decode(wide.payload(), &mut [0i32]).is_err());
    }

    #[test]
    fn a_forged_length_allocates_nothing() {
        let mut payload = vec![PLAIN, 1];
        payload.extend_from_slice(&u64::MAX.to_le_bytes());
        assert!(decode(&payload, &mut [0i64; 4]).is_err());
    }
}
