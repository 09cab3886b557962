//! int8: 255 evenly spaced values per block of 1,024, between minus and plus the block's largest magnitude.
//!
//! The payload is a scale per block (in the tensor's dtype), then a signed byte per element; the value is byte times scale.
//! A block whose scale would be subnormal is sent as zeros and waits in the residual.

use bytes::Bytes;
use downpour_tensor::Result;

use super::payload;
use crate::feedback::{BLOCK, block_maxima};
use crate::float::Float;
use crate::reader::Reader;

/// The payload, and the error left in `residual`; nothing for values that are not finite.
pub(crate) fn encode<T: Float>(gradient: &[T], residual: &mut [T]) -> Result<Option<Bytes>> {
    let Some(maxima) = block_maxima(gradient, residual) else { return Ok(None) };
    let blocks = gradient.len().div_ceil(BLOCK);
    let bytes = payload(blocks * size_of::<T>() + gradient.len(), |out| {
        let (scales, levels) = out.split_at_mut(blocks * size_of::<T>());
        quantize(gradient, residual, &maxima, scales, levels);
    })?;
    Ok(Some(bytes))
}

wide! {
    fn quantize<T: Float>(
        gradient: &[T], residual: &mut [T], maxima: &[T::Key], scales: &mut [u8], levels: &mut [u8],
    ) {
        let blocks = gradient.chunks(BLOCK).zip(residual.chunks_mut(BLOCK)).zip(levels.chunks_mut(BLOCK));
        let scales = T::raw_slice_mut(scales).iter_mut().zip(maxima);
        for ((scale_out, &largest), ((gradient, residual), levels)) in scales.zip(blocks) {
            let (largest, steps) = (T::from_key(largest), T::from_f64(127.0));
            let mut scale = largest / steps;
            let mut inverse = steps / largest;
            if !inverse.is_finite() {
                (scale, inverse) = (T::ZERO, T::ZERO);
            }
            *scale_out = scale.to_raw();
            for ((level, r), &g) in levels.iter_mut().zip(residual).zip(gradient) {
                let sum = *r + g;
                let (rounded, byte) = (sum * inverse).round_to_i8();
                *level = byte as u8;
                *r = sum - rounded * scale;
            }
        }
    }
}

wide! {
    fn expand<T: Float>(scales: &[u8], levels: &[u8], out: &mut [T]) {
        let blocks = out.chunks_mut(BLOCK).zip(levels.chunks(BLOCK));
        for (&scale, (out, levels)) in T::raw_slice(scales).iter().zip(blocks) {
            let scale = T::from_raw(scale);
            for (out, &level) in out.iter_mut().zip(levels) {
                *out = T::from_i8(level as i8) * scale;
            }
        }
    }
}

pub(crate) fn decode<T: Float>(bytes: &[u8], out: &mut [T]) -> Result<()> {
    let mut reader = Reader::new("int8", bytes);
    let scales = reader.take_values(out.len().div_ceil(BLOCK), size_of::<T>(), "scales")?;
    let levels = reader.take(out.len(), "levels")?;
    if !T::raw_slice(scales).iter().all(|&scale| T::from_raw(scale).is_finite()) {
        return Err(reader.error("a scale is not finite"));
    }
    reader.finish()?;
    expand(scales, levels, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_is_at_most_half_a_step() {
        let gradient: Vec<f32> =
            (0..3000).map(|i| (i as f32 * 0.7).sin() * (i as f32 + 1.0)).collect();
        let mut residual = vec![0f32; 3000];
        let bytes = encode(&gradient, &mut residual).unwrap().unwrap();
        assert_eq!(bytes.len(), 3 * 4 + 3000);
        let mut back = vec![0f32; 3000];
        decode(&bytes, &mut back).unwrap();
        for ((gradient, back), residual) in
            gradient.chunks(BLOCK).zip(back.chunks(BLOCK)).zip(residual.chunks(BLOCK))
        {
            let largest = gradient.iter().fold(0f32, |a, v| a.max(v.abs()));
            for i in 0..gradient.len() {
                assert!((gradient[i] - back[i]).abs() <= largest / 254.0 * 1.001);
                assert!((back[i] + residual[i] - gradient[i]).abs() <= largest * 2e-7);
            }
        }
    }

    #[test]
    fn what_is_too_small_for_a_scale_waits() {
        let mut residual = vec![0f32; 2];
        let bytes = encode(&[1e-40f32, 0.0], &mut residual).unwrap().unwrap();
        assert_eq!(&bytes[..], [0; 6]);
        assert_eq!(residual, [1e-40, 0.0]);
    }

    #[test]
    fn values_that_are_not_finite_leave_the_residual_alone() {
        let mut residual = vec![0.5f32; 2];
        assert!(encode(&[f32::NAN, 1.0], &mut residual).unwrap().is_none());
        assert!(encode(&[f32::INFINITY, 1.0], &mut residual).unwrap().is_none());
        assert_eq!(residual, [0.5; 2]);
    }

    #[test]
    fn a_forged_scale_is_refused() {
        let mut bytes = f32::NAN.to_le_bytes().to_vec();
        bytes.push(1);
        assert!(decode(&bytes, &mut [0f32]).is_err());
        assert!(decode(&bytes[..4], &mut [0f32]).is_err());
    }
}
