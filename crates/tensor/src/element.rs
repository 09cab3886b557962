//! The Rust types tensor elements have, and their link to `DataType`.

use bytemuck::{Pod, Zeroable};
use num_traits::FromPrimitive;

pub use half::{bf16, f16};

use crate::DataType;

pub type Complex64 = num_complex::Complex<f32>;
pub type Complex128 = num_complex::Complex<f64>;

/// A Rust type whose values lie plainly in a tensor's buffer.
///
/// # Safety
/// `DTYPE.size()` must equal `size_of::<Self>()`, alignment must be at most 64, all-zero bytes must
/// be a valid value, and every byte pattern a buffer of this type can hold must be valid. (For
/// `bool` the tensor type keeps the last promise: bytes from outside are normalised to 0 and 1.)
pub unsafe trait Element:
    Copy + Send + Sync + PartialEq + Default + std::fmt::Debug + 'static
{
    const DTYPE: DataType;
}

macro_rules! elements {
    ($($ty:ty => $dtype:ident),* $(,)?) => {$(
        // SAFETY: the size equals `DataType::size` (checked by a test below); all listed types are
        // plain old data, except bool, whose buffers hold only 0 and 1 (see `Tensor::from_bytes`).
        unsafe impl Element for $ty {
            const DTYPE: DataType = DataType::$dtype;
        }
    )*};
}

macro_rules! quantized {
    ($($name:ident($inner:ty)),* $(,)?) => {$(
        /// A quantized value: the same bits as the integer, a type of its own.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Pod, Zeroable)]
        #[repr(transparent)]
        pub struct $name(pub $inner);
    )*};
}

quantized! { QInt8(i8), QUInt8(u8), QInt16(i16), QUInt16(u16), QInt32(i32) }

elements! {
    f32 => Float, f64 => Double, f16 => Half, bf16 => BFloat16,
    i8 => Int8, i16 => Int16, i32 => Int32, i64 => Int64,
    u8 => UInt8, u16 => UInt16, u32 => UInt32, u64 => UInt64,
    bool => Bool, Complex64 => Complex64, Complex128 => Complex128,
    QInt8 => QInt8, QUInt8 => QUInt8, QInt16 => QInt16, QUInt16 => QUInt16, QInt32 => QInt32,
}

/// Real numbers: what ordering, conversion and ordinary arithmetic kernels are generic over.
///
/// Integer arithmetic in kernels wraps, as TensorFlow's does; use `wrapping` below rather than `+`.
pub trait RealNumber:
    Element
    + PartialOrd
    + FromPrimitive
    + num_traits::Num
    + num_traits::NumCast
    + num_traits::Bounded
    + std::ops::AddAssign
{
    const IS_INTEGER: bool;
    /// Addition, subtraction and multiplication that wrap for integers and round for floats.
    fn add_w(self, other: Self) -> Self;
    fn sub_w(self, other: Self) -> Self;
    fn mul_w(self, other: Self) -> Self;
    /// Conversion to `f64` (lossy for large 64-bit integers).
    fn to_f64_lossy(self) -> f64;
    /// Conversion from `f64`: rounds for floats, truncates and saturates for integers.
    fn from_f64_lossy(v: f64) -> Self;
    fn is_nan_value(self) -> bool;
}

macro_rules! real_integers {
    ($($ty:ty),*) => {$(
        impl RealNumber for $ty {
            const IS_INTEGER: bool = true;
            #[inline(always)] fn add_w(self, o: Self) -> Self { self.wrapping_add(o) }
            #[inline(always)] fn sub_w(self, o: Self) -> Self { self.wrapping_sub(o) }
            #[inline(always)] fn mul_w(self, o: Self) -> Self { self.wrapping_mul(o) }
            #[inline(always)] fn to_f64_lossy(self) -> f64 { self as f64 }
            #[inline(always)] fn from_f64_lossy(v: f64) -> Self { v as $ty }
            #[inline(always)] fn is_nan_value(self) -> bool { false }
        }
    )*};
}
real_integers!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! real_floats {
    ($($ty:ty, $to:expr, $from:expr;)*) => {$(
        impl RealNumber for $ty {
            const IS_INTEGER: bool = false;
            #[inline(always)] fn add_w(self, o: Self) -> Self { self + o }
            #[inline(always)] fn sub_w(self, o: Self) -> Self { self - o }
            #[inline(always)] fn mul_w(self, o: Self) -> Self { self * o }
            #[inline(always)] fn to_f64_lossy(self) -> f64 { $to(self) }
            #[inline(always)] fn from_f64_lossy(v: f64) -> Self { $from(v) }
            #[inline(always)] fn is_nan_value(self) -> bool { self.is_nan() }
        }
    )*};
}
real_floats! {
    f32, |v| v as f64, |v| v as f32;
    f64, |v| v, |v| v;
    f16, f16::to_f64, f16::from_f64;
    bf16, bf16::to_f64, bf16::from_f64;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<T: Element>() {
        assert_eq!(T::DTYPE.size(), size_of::<T>());
        assert!(align_of::<T>() <= 64);
    }

    #[test]
    fn sizes_match_the_table() {
        check::<f32>();
        check::<f64>();
        check::<f16>();
        check::<bf16>();
        check::<i8>();
        check::<i16>();
        check::<i32>();
        check::<i64>();
        check::<u8>();
        check::<u16>();
        check::<u32>();
        check::<u64>();
        check::<bool>();
        check::<Complex64>();
        check::<Complex128>();
        check::<QInt8>();
        check::<QUInt8>();
        check::<QInt16>();
        check::<QUInt16>();
        check::<QInt32>();
    }
}
