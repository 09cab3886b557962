//! Numbers that can be added: reals and complex numbers alike.

use downpour_tensor::{Complex64, Complex128, Element, RealNumber, bf16, f16};

pub(crate) trait Sum: Element {
    /// Addition that wraps for integers.
    fn plus(self, other: Self) -> Self;
}

macro_rules! sums {
    ($($real:ty),*; $($complex:ty),*) => {
        $(impl Sum for $real {
            #[inline(always)]
            fn plus(self, other: Self) -> Self { self.add_w(other) }
        })*
        $(impl Sum for $complex {
            #[inline(always)]
            fn plus(self, other: Self) -> Self { self + other }
        })*
    };
}
sums!(f32, f64, f16, bf16, i8, i16, i32, i64, u8, u16, u32, u64; Complex64, Complex128);

/// Every type with `Sum`.
macro_rules! dispatch_sum {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {
        downpour_tensor::dispatch_over!($dtype, $op, $t => $body,
            Float: f32, Double: f64, Half: downpour_tensor::f16, BFloat16: downpour_tensor::bf16,
            Int8: i8, Int16: i16, Int32: i32, Int64: i64,
            UInt8: u8, UInt16: u16, UInt32: u32, UInt64: u64,
            Complex64: downpour_tensor::Complex64, Complex128: downpour_tensor::Complex128)
    };
}
pub(crate) use dispatch_sum;
