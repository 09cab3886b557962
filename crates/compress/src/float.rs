//! float32 and float64 behind one trait, so that each codec is written once.

use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

use downpour_tensor::Element;

/// Sums over many values are kept in this many lanes, so that they vectorize and come out the same on every processor.
pub(crate) const LANES: usize = 16;

/// A value whose bits order magnitudes: without the sign, larger bits are a larger magnitude, and everything from
/// [`Float::INFINITE`] on is not finite.
pub(crate) trait Float:
    Element
    + PartialOrd
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
    /// An unsigned integer of the same width.
    type Key: Copy + Ord + Default + Send + Sync + 'static;
    /// Its bytes, little-endian.
    type Raw: Copy + Default;
    const ZERO: Self;
    /// The key of infinity.
    const INFINITE: Self::Key;

    /// The bits of the magnitude.
    fn key(self) -> Self::Key;
    /// The magnitude with these bits.
    fn from_key(key: Self::Key) -> Self;
    fn from_f64(value: f64) -> Self;
    fn to_f64(self) -> f64;
    fn is_finite(self) -> bool;
    fn from_i8(value: i8) -> Self;
    /// Rounds a value between -127 and 127 to the nearest integer, as a float and as a byte.
    fn round_to_i8(self) -> (Self, i8);
    fn to_raw(self) -> Self::Raw;
    fn from_raw(raw: Self::Raw) -> Self;
    /// Bytes as values; what is left over after the last whole value is dropped.
    fn raw_slice(bytes: &[u8]) -> &[Self::Raw];
    fn raw_slice_mut(bytes: &mut [u8]) -> &mut [Self::Raw];
}

macro_rules! float {
    ($ty:ident, $key:ident, $size:literal, $fraction:literal) => {
        impl Float for $ty {
            type Key = $key;
            type Raw = [u8; $size];
            const ZERO: Self = 0.0;
            const INFINITE: $key = $ty::INFINITY.to_bits();

            #[inline(always)]
            fn key(self) -> $key {
                self.to_bits() & ($key::MAX >> 1)
            }
            #[inline(always)]
            fn from_key(key: $key) -> Self {
                $ty::from_bits(key)
            }
            #[inline(always)]
            fn from_f64(value: f64) -> Self {
                value as $ty
            }
            #[inline(always)]
            fn to_f64(self) -> f64 {
                self as f64
            }
            #[inline(always)]
            fn is_finite(self) -> bool {
                $ty::is_finite(self)
            }
            #[inline(always)]
            fn from_i8(value: i8) -> Self {
                value as $ty
            }
            #[inline(always)]
            fn round_to_i8(self) -> (Self, i8) {
                // Added to this number, a small one is rounded to an integer that stands in the lowest bits.
                const SHIFT: $ty = (((1 as $key) << $fraction) as $ty) * 1.5;
                let shifted = self + SHIFT;
                (shifted - SHIFT, shifted.to_bits() as i8)
            }
            #[inline(always)]
            fn to_raw(self) -> [u8; $size] {
                self.to_le_bytes()
            }
            #[inline(always)]
            fn from_raw(raw: [u8; $size]) -> Self {
                $ty::from_le_bytes(raw)
            }
            #[inline(always)]
            fn raw_slice(bytes: &[u8]) -> &[[u8; $size]] {
                bytes.as_chunks().0
            }
            #[inline(always)]
            fn raw_slice_mut(bytes: &mut [u8]) -> &mut [[u8; $size]] {
                bytes.as_chunks_mut().0
            }
        }
    };
}

float!(f32, u32, 4, 23);
float!(f64, u64, 8, 52);

/// Writes values as bytes.
pub(crate) fn write<T: Float>(values: &[T], bytes: &mut [u8]) {
    for (raw, value) in T::raw_slice_mut(bytes).iter_mut().zip(values) {
        *raw = value.to_raw();
    }
}

/// Reads values from bytes.
pub(crate) fn read<T: Float>(bytes: &[u8], values: &mut [T]) {
    for (value, raw) in values.iter_mut().zip(T::raw_slice(bytes)) {
        *value = T::from_raw(*raw);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_takes_the_even_neighbour() {
        for (value, rounded) in
            [(0.5, 0), (1.5, 2), (-0.5, 0), (-2.5, -2), (126.7, 127), (-127.0, -127)]
        {
            assert_eq!((value as f32).round_to_i8(), (rounded as f32, rounded));
            assert_eq!(f64::round_to_i8(value), (rounded as f64, rounded));
        }
    }

    #[test]
    fn keys_order_magnitudes() {
        assert!((-3.0f32).key() > 2.0f32.key());
        assert!(f32::MAX.key() < f32::INFINITE && f32::NAN.key() > f32::INFINITE);
        assert!(f64::MAX.key() < f64::INFINITE && (-f64::INFINITY).key() == f64::INFINITE);
    }
}
