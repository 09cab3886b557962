//! Arithmetic that kernels of sums and products share: real numbers wrap or round, complex ones too.

use downpour_tensor::{Complex64, Complex128, Element, bf16, f16};

/// A value that can be summed and multiplied.
pub(crate) trait Arithmetic: Copy + Send + Sync + PartialEq + 'static {
    const ZERO: Self;
    const ONE: Self;
    fn add(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn conjugate(self) -> Self;
    fn square_root(self) -> Self;
    /// Division by a number of elements (never zero for integers).
    fn divide_by_count(self, count: usize) -> Self;
}

macro_rules! integers {
    ($($ty:ty),*) => {$(
        impl Arithmetic for $ty {
            const ZERO: Self = 0;
            const ONE: Self = 1;
            #[inline(always)] fn add(self, o: Self) -> Self { self.wrapping_add(o) }
            #[inline(always)] fn mul(self, o: Self) -> Self { self.wrapping_mul(o) }
            #[inline(always)] fn conjugate(self) -> Self { self }
            #[inline(always)] fn square_root(self) -> Self { (self as f64).sqrt() as $ty }
            #[inline(always)] fn divide_by_count(self, count: usize) -> Self {
                self.checked_div(count as $ty).unwrap_or(0)
            }
        }
    )*};
}
integers!(i8, i16, i32, i64, u8, u16, u32, u64);

macro_rules! floats {
    ($($ty:ty),*) => {$(
        impl Arithmetic for $ty {
            const ZERO: Self = 0.0;
            const ONE: Self = 1.0;
            #[inline(always)] fn add(self, o: Self) -> Self { self + o }
            #[inline(always)] fn mul(self, o: Self) -> Self { self * o }
            #[inline(always)] fn conjugate(self) -> Self { self }
            #[inline(always)] fn square_root(self) -> Self { self.sqrt() }
            #[inline(always)] fn divide_by_count(self, count: usize) -> Self { self / count as $ty }
        }
    )*};
}
floats!(f32, f64);

macro_rules! complex {
    ($($ty:ty, $real:ty;)*) => {$(
        impl Arithmetic for $ty {
            const ZERO: Self = <$ty>::new(0.0, 0.0);
            const ONE: Self = <$ty>::new(1.0, 0.0);
            #[inline(always)] fn add(self, o: Self) -> Self { self + o }
            #[inline(always)] fn mul(self, o: Self) -> Self { self * o }
            #[inline(always)] fn conjugate(self) -> Self { self.conj() }
            #[inline(always)] fn square_root(self) -> Self { self.sqrt() }
            #[inline(always)] fn divide_by_count(self, count: usize) -> Self {
                self / count as $real
            }
        }
    )*};
}
complex! { Complex64, f32; Complex128, f64; }

/// An element type with the type its sums are kept in.
pub(crate) trait Number: Element {
    /// Sums and products: float32 for the half types, the type itself for others.
    type Wide: Arithmetic;
    /// Sums that a mean divides: 64 bits for the smaller integers.
    type Long: Arithmetic;
    fn widen(self) -> Self::Wide;
    fn narrow(wide: Self::Wide) -> Self;
    fn lengthen(self) -> Self::Long;
    fn shorten(long: Self::Long) -> Self;
    /// What a mean of nothing is: not a number where the type has one.
    fn empty_mean() -> Self;
}

macro_rules! numbers {
    ($($ty:ty, $long:ty, $shorten:expr, $empty:expr;)*) => {$(
        impl Number for $ty {
            type Wide = $ty;
            type Long = $long;
            #[inline(always)] fn widen(self) -> $ty { self }
            #[inline(always)] fn narrow(wide: $ty) -> Self { wide }
            #[inline(always)] fn lengthen(self) -> $long { self.into() }
            #[inline(always)] fn shorten(long: $long) -> Self { $shorten(long) }
            fn empty_mean() -> Self { $empty }
        }
    )*};
}
numbers! {
    i8, i64, |v| v as i8, 0;
    i16, i64, |v| v as i16, 0;
    i32, i64, |v| v as i32, 0;
    i64, i64, |v| v, 0;
    u8, u64, |v| v as u8, 0;
    u16, u64, |v| v as u16, 0;
    u32, u64, |v| v as u32, 0;
    u64, u64, |v| v, 0;
    f32, f32, |v| v, f32::NAN;
    f64, f64, |v| v, f64::NAN;
    Complex64, Complex64, |v| v, Complex64::ZERO;
    Complex128, Complex128, |v| v, Complex128::ZERO;
}

macro_rules! half_numbers {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            type Wide = f32;
            type Long = f32;
            #[inline(always)] fn widen(self) -> f32 { self.to_f32() }
            #[inline(always)] fn narrow(wide: f32) -> Self { <$ty>::from_f32(wide) }
            #[inline(always)] fn lengthen(self) -> f32 { self.to_f32() }
            #[inline(always)] fn shorten(long: f32) -> Self { <$ty>::from_f32(long) }
            fn empty_mean() -> Self { <$ty>::NAN }
        }
    )*};
}
half_numbers!(f16, bf16);

/// Real and complex numbers (`Number`).
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
