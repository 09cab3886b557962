//! float16: IEEE half precision, rounded to nearest even.
//!
//! Half precision ends at 65504 and knows little below 6e-5, where most gradients are. So a tensor is first multiplied by
//! the power of two that brings its largest finite magnitude into [2¹⁴, 2¹⁵), and divided by it after decoding. Powers of two cost
//! no precision: nothing overflows but what rounds up at the very end of float32's own range, and values down to 2⁻³⁸ of the largest survive. Infinities and NaN stay what they are.
//!
//! The payload is the exponent of that power (8 bytes, signed) and two bytes per element.

use bytes::Bytes;
use downpour_tensor::{Result, f16};

use super::payload;
use crate::float::Float;
use crate::reader::Reader;

/// The largest magnitude is brought to at least two to this power, and less than twice that.
const TARGET: i32 = 14;

/// What is scaled and rounded to float16 and back.
pub(crate) trait ToFloat16: Float {
    /// Exponents whose power of two, and one over it, are normal numbers.
    const MAX_EXPONENT: i32;
    fn power_of_two(exponent: i32) -> Self;
    /// The exponent of a finite value; subnormal ones have a lower one than this says, which only wastes range.
    fn exponent(self) -> i32;
    fn narrow(values: &[Self], scale: Self, out: &mut [[u8; 2]]);
    fn widen(bytes: &[[u8; 2]], scale: Self, out: &mut [Self]);
}

impl ToFloat16 for f32 {
    const MAX_EXPONENT: i32 = 126;
    fn power_of_two(exponent: i32) -> f32 {
        f32::from_bits(((exponent + 127) as u32) << 23)
    }
    fn exponent(self) -> i32 {
        (self.key() >> 23) as i32 - 127
    }
    fn narrow(values: &[f32], scale: f32, out: &mut [[u8; 2]]) {
        narrow_f32(values, scale, out);
    }
    fn widen(bytes: &[[u8; 2]], scale: f32, out: &mut [f32]) {
        widen_f32(bytes, scale, out);
    }
}

impl ToFloat16 for f64 {
    const MAX_EXPONENT: i32 = 1022;
    fn power_of_two(exponent: i32) -> f64 {
        f64::from_bits(((exponent + 1023) as u64) << 52)
    }
    fn exponent(self) -> i32 {
        (self.key() >> 52) as i32 - 1023
    }
    fn narrow(values: &[f64], scale: f64, out: &mut [[u8; 2]]) {
        for (out, &value) in out.iter_mut().zip(values) {
            *out = f16::from_f64(value * scale).to_le_bytes();
        }
    }
    fn widen(bytes: &[[u8; 2]], scale: f64, out: &mut [f64]) {
        for (out, &bytes) in out.iter_mut().zip(bytes) {
            *out = f16::from_le_bytes(bytes).to_f64() * scale;
        }
    }
}

wide! {
    fn largest_finite<T: Float>(values: &[T]) -> T {
        // Magnitudes are compared as integers: a maximum of floats would not vectorize, because of NaN.
        let mut largest = T::Key::default();
        for &value in values {
            let key = value.key();
            largest = largest.max(if key < T::INFINITE { key } else { T::Key::default() });
        }
        T::from_key(largest)
    }
}

wide! {
    fn narrow_f32(values: &[f32], scale: f32, out: &mut [[u8; 2]]) {
        for (out, &value) in out.iter_mut().zip(values) {
            *out = half_bits((value * scale).to_bits()).to_le_bytes();
        }
    }
}

/// The nearest half, without branches, so that it vectorizes.
#[inline(always)]
fn half_bits(bits: u32) -> u16 {
    const INFINITY: u32 = 0x7f80_0000;
    /// 65536: from here on a half is infinite.
    const OVERFLOW: u32 = 0x4780_0000;
    /// 2⁻¹⁴: below this a half is subnormal.
    const NORMAL: u32 = 0x3880_0000;
    let magnitude = bits & 0x7fff_ffff;
    let special = if magnitude > INFINITY { 0x7e00 } else { 0x7c00 };
    // Adding one half pushes the bits a subnormal half has no place for out at the right end, with rounding.
    let shifted = f32::from_bits(magnitude) + 0.5;
    let subnormal = shifted.to_bits().wrapping_sub(0.5f32.to_bits());
    let odd = magnitude >> 13 & 1;
    let normal = magnitude.wrapping_sub(112 << 23).wrapping_add(0xfff + odd) >> 13;
    let small = if magnitude < NORMAL { subnormal } else { normal };
    let half = if magnitude >= OVERFLOW { special } else { small };
    (half | bits >> 16 & 0x8000) as u16
}

wide! {
    fn widen_f32(bytes: &[[u8; 2]], scale: f32, out: &mut [f32]) {
        // 2¹¹²: the distance between the two exponents' zeros.
        let rebias = f32::from_bits(239 << 23);
        for (out, &bytes) in out.iter_mut().zip(bytes) {
            let half = u16::from_le_bytes(bytes) as u32;
            let magnitude = (half & 0x7fff) << 13;
            let finite = (f32::from_bits(magnitude) * rebias).to_bits();
            let bits = if magnitude >= 0x7c00 << 13 { magnitude | 0x7f80_0000 } else { finite };
            *out = f32::from_bits(bits | (half & 0x8000) << 16) * scale;
        }
    }
}

pub(crate) fn encode<T: ToFloat16>(values: &[T]) -> Result<Bytes> {
    let exponent = TARGET - largest_finite(values).exponent();
    let exponent = exponent.clamp(-T::MAX_EXPONENT, T::MAX_EXPONENT);
    payload(8 + values.len() * 2, |out| {
        let (head, halves) = out.split_at_mut(8);
        head.copy_from_slice(&(exponent as i64).to_le_bytes());
        T::narrow(values, T::power_of_two(exponent), halves.as_chunks_mut().0);
    })
}

pub(crate) fn decode<T: ToFloat16>(bytes: &[u8], out: &mut [T]) -> Result<()> {
    let mut reader = Reader::new("float16", bytes);
    let head = reader.take(8, "exponent")?.first_chunk().copied().unwrap_or_default();
    let exponent = i64::from_le_bytes(head);
    let limit = T::MAX_EXPONENT as i64;
    if !(-limit..=limit).contains(&exponent) {
        return Err(reader.error(format!("its exponent is {exponent}")));
    }
    let values = reader.take_values(out.len(), 2, "values")?;
    reader.finish()?;
    T::widen(values.as_chunks().0, T::power_of_two(-exponent as i32), out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rounds_as_half_is_defined(bits: u32) {
            let expected = f16::from_f32(f32::from_bits(bits));
            let half = f16::from_bits(half_bits(bits));
            prop_assert!(half == expected || half.is_nan() && expected.is_nan());
        }

        #[test]
        fn error_is_relative_to_the_value_or_the_largest(
            values in prop::collection::vec(-1e30f32..1e30, 1..50), power in -250i32..20,
        ) {
            let values: Vec<f32> = values.iter().map(|v| (*v as f64 * (power as f64).exp2()) as f32).collect();
            let mut back = vec![0f32; values.len()];
            decode(&encode(&values).unwrap(), &mut back).unwrap();
            let largest = values.iter().fold(0f32, |a, v| a.max(v.abs()));
            for (value, back) in values.iter().zip(back) {
                let allowed = value.abs() / 2048.0 + largest * (-38f32).exp2() + f32::MIN_POSITIVE;
                prop_assert!((value - back).abs() <= allowed, "{value} {back}");
            }
        }
    }

    #[test]
    fn every_half_widens() {
        let all: Vec<[u8; 2]> = (0..=u16::MAX).map(u16::to_le_bytes).collect();
        let mut wide = vec![0f32; all.len()];
        widen_f32(&all, 1.0, &mut wide);
        for (bytes, value) in all.iter().zip(wide) {
            let half = f16::from_le_bytes(*bytes);
            assert!(value == half.to_f32() || value.is_nan() && half.is_nan());
            if !half.is_nan() {
                assert_eq!(half_bits(value.to_bits()), half.to_bits());
            }
        }
    }

    #[test]
    fn extremes_survive() {
        for values in [[3.4e38f32, 1e30], [1e-45, 0.0], [f32::INFINITY, 1.0], [-3e38, -0.0]] {
            let mut back = [0f32; 2];
            decode(&encode(&values).unwrap(), &mut back).unwrap();
            for (value, back) in values.iter().zip(back) {
                assert!(*value == back || ((value - back) / value).abs() < 5e-4, "{value} {back}");
            }
        }
        let mut back = [0f32; 2];
        decode(&encode(&[f32::NAN, 2.0]).unwrap(), &mut back).unwrap();
        assert!(back[0].is_nan() && back[1] == 2.0);
        let mut back = [0f64; 2];
        decode(&encode(&[1.79e308, 5e-324]).unwrap(), &mut back).unwrap();
        assert!((back[0] / 1.79e308 - 1.0).abs() < 5e-4 && back[1] == 0.0);
    }
}
