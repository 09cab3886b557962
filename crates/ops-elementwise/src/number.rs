//! Arithmetic that real and complex numbers share, with TensorFlow's conventions: integers wrap.

use downpour_tensor::{Complex64, Complex128, Element, RealNumber, bf16, f16};

/// Real or complex: what arithmetic rows are written in.
pub(crate) trait Number: Element {
    fn plus(self, other: Self) -> Self;
    fn minus(self, other: Self) -> Self;
    fn times(self, other: Self) -> Self;
    fn negated(self) -> Self;
    /// The complex conjugate; a real number is its own.
    fn conjugate(self) -> Self;
    fn is_zero_value(self) -> bool;
    fn one() -> Self;
}

/// Numbers that can be divided without an error: floats and complex.
pub(crate) trait Field: Number {
    fn over(self, other: Self) -> Self;
    fn from_f64(value: f64) -> Self;
}

macro_rules! real_numbers {
    ($($t:ty, $negated:expr;)*) => {$(
        impl Number for $t {
            #[inline(always)] fn plus(self, other: Self) -> Self { self.add_w(other) }
            #[inline(always)] fn minus(self, other: Self) -> Self { self.sub_w(other) }
            #[inline(always)] fn times(self, other: Self) -> Self { self.mul_w(other) }
            #[inline(always)] fn negated(self) -> Self { $negated(self) }
            #[inline(always)] fn conjugate(self) -> Self { self }
            #[inline(always)] fn is_zero_value(self) -> bool { self == 0 as $t }
            #[inline(always)] fn one() -> Self { 1 as $t }
        }
    )*};
}
real_numbers! {
    f32, |v: f32| -v; f64, |v: f64| -v;
    i8, i8::wrapping_neg; i16, i16::wrapping_neg; i32, i32::wrapping_neg; i64, i64::wrapping_neg;
    u8, u8::wrapping_neg; u16, u16::wrapping_neg; u32, u32::wrapping_neg; u64, u64::wrapping_neg;
}

/// The 16-bit floats, for compositions that round after each step.
macro_rules! small_floats {
    ($($t:ident),*) => {$(
        impl Number for $t {
            #[inline(always)] fn plus(self, other: Self) -> Self { self + other }
            #[inline(always)] fn minus(self, other: Self) -> Self { self - other }
            #[inline(always)] fn times(self, other: Self) -> Self { self * other }
            #[inline(always)] fn negated(self) -> Self { -self }
            #[inline(always)] fn conjugate(self) -> Self { self }
            #[inline(always)] fn is_zero_value(self) -> bool { self == $t::ZERO }
            #[inline(always)] fn one() -> Self { $t::ONE }
        }
        impl Field for $t {
            #[inline(always)] fn over(self, other: Self) -> Self { self / other }
            #[inline(always)] fn from_f64(value: f64) -> Self { $t::from_f64(value) }
        }
    )*};
}
small_floats!(f16, bf16);

macro_rules! complex_numbers {
    ($($t:ident, $part:ty;)*) => {$(
        impl Number for $t {
            #[inline(always)] fn plus(self, other: Self) -> Self { self + other }
            #[inline(always)] fn minus(self, other: Self) -> Self { self - other }
            #[inline(always)] fn times(self, other: Self) -> Self { self * other }
            #[inline(always)] fn negated(self) -> Self { -self }
            #[inline(always)] fn conjugate(self) -> Self { self.conj() }
            #[inline(always)] fn is_zero_value(self) -> bool { self.re == 0.0 && self.im == 0.0 }
            #[inline(always)] fn one() -> Self { $t::new(1.0, 0.0) }
        }
        impl Field for $t {
            /// Smith's method: scaling by the larger part avoids overflow of the squares.
            #[inline(always)]
            fn over(self, other: Self) -> Self {
                if other.re.abs() >= other.im.abs() {
                    let r = if other.im == 0.0 { 0.0 } else { other.im / other.re };
                    let d = other.re + other.im * r;
                    $t::new((self.re + self.im * r) / d, (self.im - self.re * r) / d)
                } else {
                    let r = other.re / other.im;
                    let d = other.re * r + other.im;
                    $t::new((self.re * r + self.im) / d, (self.im * r - self.re) / d)
                }
            }
            #[inline(always)] fn from_f64(value: f64) -> Self { $t::new(value as $part, 0.0) }
        }
    )*};
}
complex_numbers! { Complex64, f32; Complex128, f64; }

macro_rules! float_fields {
    ($($t:ty),*) => {$(
        impl Field for $t {
            #[inline(always)] fn over(self, other: Self) -> Self { self / other }
            #[inline(always)] fn from_f64(value: f64) -> Self { value as $t }
        }
    )*};
}
float_fields!(f32, f64);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complex_division_survives_large_parts() {
        let big = Complex64::new(1e30, 1e30);
        assert_eq!(big.over(big), Complex64::new(1.0, 0.0));
        assert_eq!(
            Complex128::new(1.0, 2.0).over(Complex128::new(0.0, 2.0)),
            Complex128::new(1.0, -0.5)
        );
    }

    #[test]
    fn integers_wrap() {
        assert_eq!(i8::MIN.negated(), i8::MIN);
        assert_eq!(250u8.plus(10), 4);
    }
}
