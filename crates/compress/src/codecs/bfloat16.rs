//! bfloat16: the upper half of a float32, rounded to nearest even. Same range as float32, so nothing overflows that was
//! not at the very edge; NaN stays NaN. The payload is two bytes per element.

use bytes::Bytes;
use downpour_tensor::{Result, bf16};

use super::payload;
use crate::reader::Reader;

/// What rounds to bfloat16 and back.
pub(crate) trait ToBFloat16: Copy {
    fn narrow(values: &[Self], out: &mut [[u8; 2]]);
    fn widen(bytes: &[[u8; 2]], out: &mut [Self]);
}

impl ToBFloat16 for f32 {
    fn narrow(values: &[f32], out: &mut [[u8; 2]]) {
        narrow_f32(values, out);
    }
    fn widen(bytes: &[[u8; 2]], out: &mut [f32]) {
        widen_f32(bytes, out);
    }
}

impl ToBFloat16 for f64 {
    fn narrow(values: &[f64], out: &mut [[u8; 2]]) {
        for (out, &value) in out.iter_mut().zip(values) {
            *out = bf16::from_f64(value).to_le_bytes();
        }
    }
    fn widen(bytes: &[[u8; 2]], out: &mut [f64]) {
        for (out, &bytes) in out.iter_mut().zip(bytes) {
            *out = bf16::from_le_bytes(bytes).to_f64();
        }
    }
}

wide! {
    fn narrow_f32(values: &[f32], out: &mut [[u8; 2]]) {
        for (out, &value) in out.iter_mut().zip(values) {
            let bits = value.to_bits();
            let rounded = bits.wrapping_add(0x7fff + (bits >> 16 & 1));
            // Rounding up could turn a NaN into an infinity: it is made quiet instead.
            let kept = if bits & 0x7fff_ffff > 0x7f80_0000 { bits | 0x0040_0000 } else { rounded };
            *out = ((kept >> 16) as u16).to_le_bytes();
        }
    }
}

wide! {
    fn widen_f32(bytes: &[[u8; 2]], out: &mut [f32]) {
        for (out, &bytes) in out.iter_mut().zip(bytes) {
            *out = f32::from_bits((u16::from_le_bytes(bytes) as u32) << 16);
        }
    }
}

pub(crate) fn encode<T: ToBFloat16>(values: &[T]) -> Result<Bytes> {
    payload(values.len() * 2, |out| T::narrow(values, out.as_chunks_mut().0))
}

pub(crate) fn decode<T: ToBFloat16>(bytes: &[u8], out: &mut [T]) -> Result<()> {
    let mut reader = Reader::new("bfloat16", bytes);
    let values = reader.take_values(out.len(), 2, "values")?;
    reader.finish()?;
    T::widen(values.as_chunks().0, out);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rounds_as_bfloat16_is_defined(bits: u32) {
            let value = f32::from_bits(bits);
            let mut narrow = [[0; 2]];
            narrow_f32(&[value], &mut narrow);
            prop_assert_eq!(bf16::from_le_bytes(narrow[0]).to_bits(), bf16::from_f32(value).to_bits());
        }
    }

    #[test]
    fn every_value_widens() {
        let all: Vec<[u8; 2]> = (0..=u16::MAX).map(u16::to_le_bytes).collect();
        let mut wide = vec![0f32; all.len()];
        widen_f32(&all, &mut wide);
        for (bytes, value) in all.iter().zip(wide) {
            let expected = bf16::from_le_bytes(*bytes).to_f32();
            assert!(value == expected || value.is_nan() && expected.is_nan());
        }
    }
}
