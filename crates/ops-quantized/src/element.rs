//! The five quantized types.

use downpour_tensor::{DataType, Element, QInt8, QInt16, QInt32, QUInt8, QUInt16};

/// A quantized type: an integer of `BITS` bits.
pub(crate) trait Quantized: Element {
    const BITS: u32;
    const LOWEST: i64;
    const HIGHEST: i64;
    fn to_i64(self) -> i64;
    /// Returns the low bits of an integer.
    fn truncated(value: i64) -> Self;

    /// Returns the nearest value of this type.
    fn clamped(value: i64) -> Self {
        Self::truncated(value.clamp(Self::LOWEST, Self::HIGHEST))
    }

    fn to_f32(self) -> f32 {
        self.to_i64() as f32
    }
}

macro_rules! quantized {
    ($($ty:ident($inner:ty)),*) => {$(
        impl Quantized for $ty {
            const BITS: u32 = <$inner>::BITS;
            const LOWEST: i64 = <$inner>::MIN as i64;
            const HIGHEST: i64 = <$inner>::MAX as i64;
            fn to_i64(self) -> i64 { i64::from(self.0) }
            fn truncated(value: i64) -> Self { $ty(value as $inner) }
        }
    )*};
}

quantized! { QInt8(i8), QUInt8(u8), QInt16(i16), QUInt16(u16), QInt32(i32) }

/// All of them, as signatures list them.
pub(crate) const TYPES: &str = "{qint8, quint8, qint32, qint16, quint16}";

/// Returns true if these types of inputs and outputs are those that a kernel is made for.
pub(crate) fn are(dtypes: &[DataType], expected: &[DataType]) -> bool {
    dtypes == expected
}

/// Runs a body with a quantized type as a type parameter.
macro_rules! dispatch_quantized {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {
        downpour_tensor::dispatch_over!($dtype, $op, $t => $body,
            QInt8: downpour_tensor::QInt8, QUInt8: downpour_tensor::QUInt8,
            QInt16: downpour_tensor::QInt16, QUInt16: downpour_tensor::QUInt16,
            QInt32: downpour_tensor::QInt32)
    };
}

pub(crate) use dispatch_quantized;
