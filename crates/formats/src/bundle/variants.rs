//! How a variant tensor lies in a data file: for each value its length as a varint, its message, and a checksum of all
//! that came before.

use downpour_tensor::{Bytes, Result, Status, Variant};
use downpour_wire::{decode_variant, encode_variant};

use crate::checksum::{mask, unmask};
use crate::table::{read_varint, write_varint};

/// Returns the bytes and their (unmasked) checksum, which counts each length as eight bytes.
pub fn encode(values: &[Variant]) -> Result<(Vec<u8>, u32)> {
    let (mut out, mut crc) = (Vec::new(), 0);
    for value in values {
        let message = encode_variant(value)?;
        let length = message.len() as u64;
        write_varint(&mut out, length);
        out.extend_from_slice(&message);
        crc = crc32c::crc32c_append(crc, &length.to_le_bytes());
        crc = crc32c::crc32c_append(crc, &message);
        let sum = mask(crc).to_le_bytes();
        out.extend_from_slice(&sum);
        crc = crc32c::crc32c_append(crc, &sum);
    }
    Ok((out, crc))
}

/// Reads `count` values and verifies the checksums.
pub fn decode(bytes: &Bytes, count: usize, stored: u32) -> Result<Vec<Variant>> {
    let bad = |what: &str| Status::data_loss(format!("a variant tensor has {what}"));
    let (mut rest, mut crc, mut values) = (&bytes[..], 0, Vec::new());
    // Each value takes five bytes at least, so a forged count runs out of bytes first.
    for _ in 0..count {
        let length = read_varint(&mut rest).ok_or_else(|| bad("too few values"))?;
        let size = usize::try_from(length).map_err(|_| bad("an impossible length"))?;
        let (message, tail) = rest.split_at_checked(size).ok_or_else(|| bad("a short value"))?;
        let (sum, tail) = tail.split_first_chunk::<4>().ok_or_else(|| bad("no checksum"))?;
        crc = crc32c::crc32c_append(crc, &length.to_le_bytes());
        crc = crc32c::crc32c_append(crc, message);
        if unmask(u32::from_le_bytes(*sum)) != crc {
            return Err(bad("a wrong checksum"));
        }
        crc = crc32c::crc32c_append(crc, sum);
        values.push(decode_variant(bytes.slice_ref(message))?);
        rest = tail;
    }
    match rest.is_empty() && unmask(stored) == crc {
        true => Ok(values),
        false => Err(bad("a wrong checksum")),
    }
}

#[cfg(test)]
mod tests {
    use downpour_tensor::{Tensor, VariantValue};

    use super::*;

    #[derive(Debug)]
    struct Pair(Vec<Tensor>);

    impl VariantValue for Pair {
        fn type_name(&self) -> &str {
            "variants test pair"
        }

        fn as_any(&self) -> &dyn std::any::Any {
            self
        }

        fn inner_depth(&self) -> usize {
            0
        }

        fn encode(&self) -> Result<(Vec<u8>, Vec<Tensor>)> {
            Ok((vec![7], self.0.clone()))
        }
    }

    #[test]
    fn variants_survive_and_damage_is_noticed() {
        downpour_wire::register_variant_decoder("variants test pair", |metadata, tensors| {
            assert_eq!(metadata, [7]);
            Variant::new(Pair(tensors))
        });
        let pair = Pair(vec![Tensor::scalar(3i64), Tensor::string("four")]);
        let values = [Variant::new(pair).unwrap(), Variant::empty()];
        let (written, crc) = encode(&values).unwrap();
        let bytes = Bytes::from(written.clone());
        let read = decode(&bytes, 2, mask(crc)).unwrap();
        let Pair(tensors) = read[0].get().unwrap();
        assert_eq!(tensors[0].to_scalar::<i64>().unwrap(), 3);
        assert!(read[1].is_empty());
        assert!(decode(&bytes, 1, mask(crc)).is_err());
        assert!(decode(&bytes, 3, mask(crc)).is_err());
        for place in 0..written.len() {
            let mut damaged = written.clone();
            damaged[place] ^= 1;
            assert!(decode(&damaged.into(), 2, mask(crc)).is_err(), "byte {place}");
        }
    }
}
