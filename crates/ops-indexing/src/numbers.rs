//! Numbers that can be added: the real and complex element types.

use downpour_tensor::{Complex64, Complex128, Element, RealNumber, bf16, f16};

/// Arithmetic that wraps for integers.
pub(crate) trait Number: Element {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    /// The complex conjugate; the number itself if it is real.
    fn conjugate(self) -> Self;
}

macro_rules! real_numbers {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            #[inline(always)]
            fn plus(self, other: Self) -> Self { self.add_w(other) }
            #[inline(always)]
            fn minus(self, other: Self) -> Self { self.sub_w(other) }
            #[inline(always)]
            fn times(self, other: Self) -> Self { self.mul_w(other) }
            #[inline(always)]
            fn conjugate(self) -> Self { self }
        }
    )*};
}
real_numbers!(f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! complex_numbers {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            #[inline(always)]
            fn plus(self, other: Self) -> Self { self + other }
            #[inline(always)]
            fn minus(self, other: Self) -> Self { self - other }
            #[inline(always)]
            fn times(self, other: Self) -> Self { self * other }
            #[inline(always)]
            fn conjugate(self) -> Self { self.conj() }
        }
    )*};
}
complex_numbers!(Complex64, Complex128);

/// Runs the body with `T` the dtype's number type; a dtype that is no number is UNIMPLEMENTED.
macro_rules! dispatch_number {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {
        downpour_tensor::dispatch_over!($dtype, $op, $t => $body,
            Float: f32, Double: f64, Half: downpour_tensor::f16, BFloat16: downpour_tensor::bf16,
            Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            UInt8: u8, UInt16: u16, UInt32: u32, UInt64: u64,
            Complex64: downpour_tensor::Complex64, Complex128: downpour_tensor::Complex128)
    };
}
pub(crate) use dispatch_number;
