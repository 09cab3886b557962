//! The arithmetic optimizer rules are written in.
//!
//! Half-precision types round after every operation, as TensorFlow's do, so one generic body serves
//! all types.

use std::ops::{Add, Div, Mul, Neg, Sub};

use downpour_tensor::{Complex64, Complex128, Element, bf16, f16};

/// Real and complex floating-point numbers.
pub(crate) trait Number:
    Element
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    fn of(value: f32) -> Self;
    fn sqrt(self) -> Self;

    #[inline(always)]
    fn one() -> Self {
        Self::of(1.0)
    }
    #[inline(always)]
    fn square(self) -> Self {
        self * self
    }
    #[inline(always)]
    fn rsqrt(self) -> Self {
        Self::one() / self.sqrt()
    }
}

/// Numbers with an order.
pub(crate) trait Real: Number + PartialOrd {
    fn zero() -> Self {
        Self::of(0.0)
    }
    fn abs(self) -> Self;
    fn exp(self) -> Self;
    fn pow(self, exponent: Self) -> Self;

    /// -1, 0 or 1; not a number stays itself.
    fn sign(self) -> Self {
        if self > Self::zero() {
            Self::one()
        } else if self < Self::zero() {
            -Self::one()
        } else {
            self
        }
    }
    fn max(self, other: Self) -> Self {
        if self < other { other } else { self }
    }
}

macro_rules! native {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            #[inline(always)] fn of(value: f32) -> Self { value as $ty }
            #[inline(always)] fn sqrt(self) -> Self { <$ty>::sqrt(self) }
        }
        impl Real for $ty {
            #[inline(always)] fn abs(self) -> Self { <$ty>::abs(self) }
            #[inline(always)] fn exp(self) -> Self { <$ty>::exp(self) }
            #[inline(always)] fn pow(self, exponent: Self) -> Self { self.powf(exponent) }
        }
    )*};
}
native!(f32, f64);

macro_rules! narrow {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            #[inline(always)] fn of(value: f32) -> Self { <$ty>::from_f32(value) }
            #[inline(always)] fn sqrt(self) -> Self { <$ty>::from_f32(self.to_f32().sqrt()) }
            #[inline(always)] fn rsqrt(self) -> Self { <$ty>::from_f32(1.0 / self.to_f32().sqrt()) }
        }
        impl Real for $ty {
            #[inline(always)] fn abs(self) -> Self { if self.is_sign_negative() { -self } else { self } }
            #[inline(always)] fn exp(self) -> Self { <$ty>::from_f32(self.to_f32().exp()) }
            #[inline(always)] fn pow(self, exponent: Self) -> Self {
                <$ty>::from_f32(self.to_f32().powf(exponent.to_f32()))
            }
        }
    )*};
}
narrow!(f16, bf16);

impl Number for Complex64 {
    #[inline(always)]
    fn of(value: f32) -> Self {
        Complex64::new(value, 0.0)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Complex64::sqrt(self)
    }
}

impl Number for Complex128 {
    #[inline(always)]
    fn of(value: f32) -> Self {
        Complex128::new(value as f64, 0.0)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Complex128::sqrt(self)
    }
}

/// Runs `$body` with `$t` standing for one of the floating-point or complex types.
macro_rules! dispatch_number {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {
        downpour_tensor::dispatch_over!($dtype, $op, $t => $body,
            Float: f32, Double: f64, Half: downpour_tensor::f16, BFloat16: downpour_tensor::bf16,
            Complex64: downpour_tensor::Complex64, Complex128: downpour_tensor::Complex128)
    };
}
pub(crate) use dispatch_number;
