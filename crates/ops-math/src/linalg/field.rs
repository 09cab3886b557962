//! The numbers linear algebra computes with: every type is widened to 64-bit reals or complex numbers.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

use downpour_tensor::{Complex64, Complex128, Element, bf16, f16};

/// f64 or Complex128.
pub(super) trait Field:
    Copy
    + Send
    + Sync
    + PartialEq
    + Debug
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    const ZERO: Self;
    const ONE: Self;
    fn of(value: f64) -> Self;
    fn conjugate(self) -> Self;
    fn magnitude(self) -> f64;
    fn real_part(self) -> f64;
    fn to_complex(self) -> Complex128;
    /// The complex number in this field: reals drop the imaginary part.
    fn of_complex(value: Complex128) -> Self;

    fn scaled(self, factor: f64) -> Self {
        self * Self::of(factor)
    }

    /// The number of magnitude one that points the same way; one for zero.
    fn phase(self) -> Self {
        let size = self.magnitude();
        if size == 0.0 { Self::ONE } else { self.scaled(1.0 / size) }
    }
}

impl Field for f64 {
    const ZERO: f64 = 0.0;
    const ONE: f64 = 1.0;
    fn of(value: f64) -> f64 {
        value
    }
    fn conjugate(self) -> f64 {
        self
    }
    fn magnitude(self) -> f64 {
        self.abs()
    }
    fn real_part(self) -> f64 {
        self
    }
    fn to_complex(self) -> Complex128 {
        Complex128::new(self, 0.0)
    }
    fn of_complex(value: Complex128) -> f64 {
        value.re
    }
}

impl Field for Complex128 {
    const ZERO: Complex128 = Complex128::new(0.0, 0.0);
    const ONE: Complex128 = Complex128::new(1.0, 0.0);
    fn of(value: f64) -> Complex128 {
        Complex128::new(value, 0.0)
    }
    fn conjugate(self) -> Complex128 {
        self.conj()
    }
    fn magnitude(self) -> f64 {
        self.norm()
    }
    fn real_part(self) -> f64 {
        self.re
    }
    fn to_complex(self) -> Complex128 {
        self
    }
    fn of_complex(value: Complex128) -> Complex128 {
        value
    }
}

/// An element type with the field it is computed in.
pub(super) trait LinalgElement: Element {
    type Wide: Field;
    fn widen(self) -> Self::Wide;
    fn narrow(wide: Self::Wide) -> Self;
}

macro_rules! linalg_elements {
    ($($ty:ty, $wide:ty, $widen:expr, $narrow:expr;)*) => {$(
        impl LinalgElement for $ty {
            type Wide = $wide;
            fn widen(self) -> $wide { $widen(self) }
            fn narrow(wide: $wide) -> $ty { $narrow(wide) }
        }
    )*};
}
linalg_elements! {
    f32, f64, f64::from, |v| v as f32;
    f64, f64, |v| v, |v| v;
    f16, f64, f16::to_f64, f16::from_f64;
    bf16, f64, bf16::to_f64, bf16::from_f64;
    Complex64, Complex128, |v: Complex64| Complex128::new(v.re.into(), v.im.into()),
        |v: Complex128| Complex64::new(v.re as f32, v.im as f32);
    Complex128, Complex128, |v| v, |v| v;
}

/// Floats and complex numbers (`LinalgElement`).
macro_rules! dispatch_linalg {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {
        downpour_tensor::dispatch_over!($dtype, $op, $t => $body,
            Float: f32, Double: f64, Half: downpour_tensor::f16, BFloat16: downpour_tensor::bf16,
            Complex64: downpour_tensor::Complex64, Complex128: downpour_tensor::Complex128)
    };
}
pub(super) use dispatch_linalg;
