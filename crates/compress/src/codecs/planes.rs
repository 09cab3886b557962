//! planes: floating-point numbers without loss, their bytes sorted by place and squeezed.
//!
//! Neighbouring gradients share signs and exponents but hardly a byte of their fractions. So all first bytes come first, then
//! all second ones, and so on: what repeats stands together. The payload is the method of [`lossless`](super::lossless)
//! (1 byte) and the sorted bytes squeezed by it.

use bytes::{BufMut, Bytes, BytesMut};
use downpour_tensor::{Result, Tensor};

use super::lossless::{Lossless, expand, squeeze};
use crate::reader::Reader;

/// The payload, or nothing where it would not be smaller than the tensor.
pub fn encode(tensor: &Tensor, how: Lossless) -> Result<Option<Bytes>> {
    let Some(bytes) = tensor.bytes() else { return Ok(None) };
    let width = tensor.dtype().size();
    let mut sorted = Vec::with_capacity(bytes.len());
    for place in 0..width {
        sorted.extend(bytes.iter().skip(place).step_by(width));
    }
    let (method, smaller) = squeeze(&sorted, how)?;
    if smaller.len() + 1 >= bytes.len() {
        return Ok(None);
    }
    let mut out = BytesMut::with_capacity(1 + smaller.len());
    out.put_u8(method);
    out.put_slice(&smaller);
    Ok(Some(out.freeze()))
}

/// Fills `out`, whose elements have `width` bytes each.
pub fn decode(payload: &[u8], out: &mut [u8], width: usize) -> Result<()> {
    let mut reader = Reader::new("planes", payload);
    let method = reader.take_u8("method")?;
    let mut sorted = vec![0; out.len()];
    expand(&mut reader, method, &mut sorted)?;
    for (place, plane) in sorted.chunks_exact((out.len() / width).max(1)).enumerate() {
        for (out, byte) in out.iter_mut().skip(place).step_by(width).zip(plane) {
            *out = *byte;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Codec, Encoded};
    use proptest::prelude::*;

    fn round_trip(tensor: &Tensor, how: Lossless) -> Option<Tensor> {
        let payload = encode(tensor, how).unwrap()?;
        assert!(payload.len() < tensor.byte_len());
        let encoded =
            Encoded::new(Codec::Planes, tensor.dtype(), tensor.shape().clone(), payload).to_bytes();
        Some(crate::decode(&Encoded::parse(encoded).unwrap()).unwrap())
    }

    proptest! {
        #[test]
        fn every_bit_comes_back(bits: Vec<u32>, doubles: Vec<u64>, zstd: bool) {
            let how = if zstd { Lossless::Zstd { level: 1 } } else { Lossless::Lz4 };
            // Some of both kinds: what repeats becomes smaller, what does not passes.
            let floats: Vec<f32> = bits.iter().cycle().take(bits.len() * 9).map(|b| f32::from_bits(*b)).collect();
            let floats = Tensor::vector(&floats).unwrap();
            if let Some(back) = round_trip(&floats, how) {
                prop_assert_eq!(back.bytes(), floats.bytes());
            }
            let doubles: Vec<f64> = doubles.iter().map(|b| f64::from_bits(*b)).collect();
            let doubles = Tensor::vector(&doubles).unwrap();
            if let Some(back) = round_trip(&doubles, how) {
                prop_assert_eq!(back.bytes(), doubles.bytes());
            }
        }

        #[test]
        fn forged_payloads_are_refused_or_decoded(payload: Vec<u8>, elements in 0usize..64) {
            let _ = decode(&payload, &mut vec![0; elements * 4], 4);
        }
    }

    #[test]
    fn gradients_become_smaller_and_noise_does_not() {
        let smooth: Vec<f32> = (0..4096).map(|i| 1e-3 * (1.0 + i as f32 * 1e-4)).collect();
        for how in [Lossless::Lz4, Lossless::Zstd { level: 3 }] {
            let tensor = Tensor::vector(&smooth).unwrap();
            let payload = encode(&tensor, how).unwrap().unwrap();
            assert!(payload.len() * 4 < tensor.byte_len() * 3, "{how}: {}", payload.len());
            assert_eq!(round_trip(&tensor, how).unwrap().bytes(), tensor.bytes());
        }
        let mut state = 1u64;
        let mut random = || {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            f32::from_bits((state >> 32) as u32)
        };
        let noise: Vec<f32> = (0..4096).map(|_| random()).collect();
        assert!(encode(&Tensor::vector(&noise).unwrap(), Lossless::Lz4).unwrap().is_none());
    }
}
