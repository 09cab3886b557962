//! The elementary functions of each number type.

use downpour_tensor::{Complex64, Complex128, bf16, f16};

use super::{exponential, hyperbolic, logarithm};
use crate::number::Field;

/// Functions that complex numbers have too.
pub(crate) trait Function: Field {
    fn exp(self) -> Self;
    fn exp_m1(self) -> Self;
    fn log(self) -> Self;
    fn log_1p(self) -> Self;
    fn sqrt(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn tan(self) -> Self;
    fn asin(self) -> Self;
    fn acos(self) -> Self;
    fn atan(self) -> Self;
    fn sinh(self) -> Self;
    fn cosh(self) -> Self;
    fn tanh(self) -> Self;
    fn asinh(self) -> Self;
    fn acosh(self) -> Self;
    fn atanh(self) -> Self;
    fn sigmoid(self) -> Self;
    fn power(self, exponent: Self) -> Self;
}

/// Logarithms, which the 16-bit floats have too: rounded from float.
pub(crate) trait Logarithm: Field {
    fn natural_log(self) -> Self;
    fn natural_log_1p(self) -> Self;
}

macro_rules! logarithms {
    ($($t:ident)*) => {$(
        impl Logarithm for $t {
            #[inline(always)] fn natural_log(self) -> Self { Function::log(self) }
            #[inline(always)] fn natural_log_1p(self) -> Self { Function::log_1p(self) }
        }
    )*};
}
logarithms!(f32 f64 Complex64 Complex128);

macro_rules! small_logarithms {
    ($($t:ident)*) => {$(
        impl Logarithm for $t {
            fn natural_log(self) -> Self { $t::from_f32(logarithm::log(self.to_f32())) }
            fn natural_log_1p(self) -> Self { $t::from_f32(logarithm::log1p(self.to_f32())) }
        }
    )*};
}
small_logarithms!(f16 bf16);

/// Functions of real numbers only, evaluated in double precision for both float types.
pub(crate) trait RealFunction: Function + PartialOrd {
    fn through_f64(self, f: impl Fn(f64) -> f64) -> Self;
    fn through_f64_2(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self;
}

macro_rules! real_functions {
    ($t:ty, $exp:expr, $log:expr, $log1p:expr, $tanh:expr, $sigmoid:expr) => {
        impl Function for $t {
            #[inline(always)]
            fn exp(self) -> Self {
                $exp(self)
            }
            #[inline(always)]
            fn exp_m1(self) -> Self {
                <$t>::exp_m1(self)
            }
            #[inline(always)]
            fn log(self) -> Self {
                $log(self)
            }
            #[inline(always)]
            fn log_1p(self) -> Self {
                $log1p(self)
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                <$t>::sqrt(self)
            }
            #[inline(always)]
            fn sin(self) -> Self {
                <$t>::sin(self)
            }
            #[inline(always)]
            fn cos(self) -> Self {
                <$t>::cos(self)
            }
            #[inline(always)]
            fn tan(self) -> Self {
                <$t>::tan(self)
            }
            #[inline(always)]
            fn asin(self) -> Self {
                <$t>::asin(self)
            }
            #[inline(always)]
            fn acos(self) -> Self {
                <$t>::acos(self)
            }
            #[inline(always)]
            fn atan(self) -> Self {
                <$t>::atan(self)
            }
            #[inline(always)]
            fn sinh(self) -> Self {
                <$t>::sinh(self)
            }
            #[inline(always)]
            fn cosh(self) -> Self {
                <$t>::cosh(self)
            }
            #[inline(always)]
            fn tanh(self) -> Self {
                $tanh(self)
            }
            #[inline(always)]
            fn asinh(self) -> Self {
                libm::asinh(self as f64) as $t
            }
            #[inline(always)]
            fn acosh(self) -> Self {
                libm::acosh(self as f64) as $t
            }
            #[inline(always)]
            fn atanh(self) -> Self {
                libm::atanh(self as f64) as $t
            }
            #[inline(always)]
            fn sigmoid(self) -> Self {
                $sigmoid(self)
            }
            #[inline(always)]
            fn power(self, exponent: Self) -> Self {
                <$t>::powf(self, exponent)
            }
        }
        impl RealFunction for $t {
            #[inline(always)]
            fn through_f64(self, f: impl Fn(f64) -> f64) -> Self {
                f(self as f64) as $t
            }
            #[inline(always)]
            fn through_f64_2(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
                f(self as f64, other as f64) as $t
            }
        }
    };
}

real_functions!(
    f32,
    exponential::exp,
    logarithm::log,
    logarithm::log1p,
    hyperbolic::tanh,
    hyperbolic::sigmoid
);
real_functions!(f64, f64::exp, f64::ln, f64::ln_1p, f64::tanh, sigmoid_f64);

#[inline(always)]
fn sigmoid_f64(x: f64) -> f64 {
    let e = (-x.abs()).exp();
    if x < 0.0 { e / (1.0 + e) } else { 1.0 / (1.0 + e) }
}
