//! The four element types of sparse matrices.

use std::ops::{Add, AddAssign, Div, Mul, Sub};

use downpour_tensor::{Complex64, Complex128, Element};

/// A real or complex number.
pub(crate) trait Number:
    Element
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + AddAssign
{
    const ONE: Self;
    /// Returns the complex conjugate; a real number is its own.
    fn conjugate(self) -> Self;
    /// Returns the number without its imaginary part.
    fn real_part(self) -> Self;
    /// Returns the square root of the real part.
    fn root_of_real_part(self) -> Self;
    /// Returns true if the real part is zero or negative; not for NaN.
    fn is_not_positive(self) -> bool;
}

macro_rules! real {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            const ONE: Self = 1.0;
            fn conjugate(self) -> Self { self }
            fn real_part(self) -> Self { self }
            fn root_of_real_part(self) -> Self { self.sqrt() }
            fn is_not_positive(self) -> bool { self <= 0.0 }
        }
    )*};
}

macro_rules! complex {
    ($($ty:ty),*) => {$(
        impl Number for $ty {
            const ONE: Self = <$ty>::new(1.0, 0.0);
            fn conjugate(self) -> Self { self.conj() }
            fn real_part(self) -> Self { <$ty>::new(self.re, 0.0) }
            fn root_of_real_part(self) -> Self { <$ty>::new(self.re.sqrt(), 0.0) }
            fn is_not_positive(self) -> bool { self.re <= 0.0 }
        }
    )*};
}

real!(f32, f64);
complex!(Complex64, Complex128);

/// Runs a body with the element type of a matrix as a type parameter.
macro_rules! dispatch_number {
    ($dtype:expr, $op:expr, $t:ident => $body:expr) => {
        downpour_tensor::dispatch_over!($dtype, $op, $t => $body,
            Float: f32, Double: f64,
            Complex64: downpour_tensor::Complex64, Complex128: downpour_tensor::Complex128)
    };
}

pub(crate) use dispatch_number;
