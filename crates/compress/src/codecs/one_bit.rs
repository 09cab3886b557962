//! one-bit: the sign of each value, and per block of 1,024 the mean of those below zero and of the others.
//!
//! The payload is the two means per block (in the tensor's dtype), then a bit per element, lowest bit first; a set bit means
//! the second mean. With error feedback this is 1-bit SGD (Seide et al. 2014), with blocks in place of columns.

use bytes::Bytes;
use downpour_tensor::Result;

use super::payload;
use crate::feedback::{BLOCK, block_maxima};
use crate::float::{Float, LANES};
use crate::reader::Reader;

/// The payload, and the error left in `residual`; nothing for values that are not finite.
pub(crate) fn encode<T: Float>(gradient: &[T], residual: &mut [T]) -> Result<Option<Bytes>> {
    if block_maxima(gradient, residual).is_none() {
        return Ok(None);
    }
    let means = gradient.len().div_ceil(BLOCK) * 2 * size_of::<T>();
    let bytes = payload(means + gradient.len().div_ceil(8), |out| {
        let (means, bits) = out.split_at_mut(means);
        quantize(gradient, residual, means, bits);
    })?;
    Ok(Some(bytes))
}

wide! {
    fn quantize<T: Float>(gradient: &[T], residual: &mut [T], means: &mut [u8], bits: &mut [u8]) {
        let blocks = gradient.chunks(BLOCK).zip(residual.chunks_mut(BLOCK)).zip(bits.chunks_mut(BLOCK / 8));
        for (means, ((gradient, residual), bits)) in
            T::raw_slice_mut(means).chunks_exact_mut(2).zip(blocks)
        {
            let (mut below, mut above) = ([T::ZERO; LANES], [T::ZERO; LANES]);
            for (gradient, residual) in gradient.chunks(LANES).zip(residual.chunks_mut(LANES)) {
                for (((r, &g), below), above) in
                    residual.iter_mut().zip(gradient).zip(&mut below).zip(&mut above)
                {
                    let sum = *r + g;
                    *r = sum;
                    *below += if sum < T::ZERO { sum } else { T::ZERO };
                    *above += if sum < T::ZERO { T::ZERO } else { sum };
                }
            }
            let ones = pack_signs(residual, bits);
            let low = mean(&below, residual.len() - ones);
            let high = mean(&above, ones);
            for r in residual {
                *r -= if *r < T::ZERO { low } else { high };
            }
            means[0] = low.to_raw();
            means[1] = high.to_raw();
        }
    }
}

/// Writes a bit per value that is not below zero and counts them.
#[inline(always)]
fn pack_signs<T: Float>(values: &[T], bits: &mut [u8]) -> usize {
    let mut ones = 0;
    for (byte, values) in bits.iter_mut().zip(values.chunks(8)) {
        let mut flags = [0u8; 8];
        for (flag, &value) in flags.iter_mut().zip(values) {
            *flag = (value >= T::ZERO) as u8;
        }
        // Moves the lowest bits of eight bytes side by side: byte i lands at bit 56 + i, and no two products meet.
        *byte = (u64::from_le_bytes(flags).wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
        ones += byte.count_ones() as usize;
    }
    ones
}

#[inline(always)]
fn mean<T: Float>(lanes: &[T; LANES], count: usize) -> T {
    let mut sum = T::ZERO;
    for &lane in lanes {
        sum += lane;
    }
    let mean = sum / T::from_f64(count.max(1) as f64);
    // Values near the end of the range can add up to infinity; they are sent later, when others have been.
    if mean.is_finite() { mean } else { T::ZERO }
}

wide! {
    fn expand<T: Float>(means: &[u8], bits: &[u8], out: &mut [T]) {
        let blocks = out.chunks_mut(BLOCK).zip(bits.chunks(BLOCK / 8));
        for (means, (out, bits)) in T::raw_slice(means).chunks_exact(2).zip(blocks) {
            let (low, high) = (T::from_raw(means[0]), T::from_raw(means[1]));
            let (whole, last) = out.as_chunks_mut::<8>();
            for (out, &byte) in whole.iter_mut().zip(bits) {
                for (i, out) in out.iter_mut().enumerate() {
                    *out = if byte >> i & 1 == 1 { high } else { low };
                }
            }
            for (i, out) in last.iter_mut().enumerate() {
                *out = if bits[bits.len() - 1] >> i & 1 == 1 { high } else { low };
            }
        }
    }
}

pub(crate) fn decode<T: Float>(bytes: &[u8], out: &mut [T]) -> Result<()> {
    let mut reader = Reader::new("one-bit", bytes);
    let means = reader.take_values(out.len().div_ceil(BLOCK), 2 * size_of::<T>(), "means")?;
    let bits = reader.take(out.len().div_ceil(8), "bits")?;
    if !T::raw_slice(means).iter().all(|&mean| T::from_raw(mean).is_finite()) {
        return Err(reader.error("a mean is not finite"));
    }
    reader.finish()?;
    expand(means, bits, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_means_and_signs() {
        let gradient = [1.0f32, -2.0, 3.0, -4.0, 2.0, -0.0, 0.0, -3.0, 9.0];
        let mut residual = [0f32; 9];
        let bytes = encode(&gradient, &mut residual).unwrap().unwrap();
        let mut back = [0f32; 9];
        decode(&bytes, &mut back).unwrap();
        assert_eq!(back, [2.5, -3.0, 2.5, -3.0, 2.5, 2.5, 2.5, -3.0, 2.5]);
        assert_eq!(residual, [-1.5, 1.0, 0.5, -1.0, -0.5, -2.5, -2.5, 0.0, 6.5]);
        assert_eq!(bytes.len(), 8 + 2);
        assert_eq!(bytes[8], 0b0111_0101);
    }

    #[test]
    fn blocks_have_their_own_means() {
        let gradient: Vec<f64> = (0..2 * BLOCK + 5).map(|i| (i / BLOCK) as f64 + 1.0).collect();
        let mut residual = vec![0f64; gradient.len()];
        let mut back = residual.clone();
        decode(&encode(&gradient, &mut residual).unwrap().unwrap(), &mut back).unwrap();
        assert_eq!(back, gradient);
    }

    #[test]
    fn huge_values_wait_instead_of_becoming_infinite() {
        let mut residual = vec![0f32; 64];
        let bytes = encode(&[3e38f32; 64], &mut residual).unwrap().unwrap();
        let mut back = vec![1f32; 64];
        decode(&bytes, &mut back).unwrap();
        assert_eq!(back, [0.0; 64]);
        assert_eq!(residual, [3e38; 64]);
    }
}
