//! Special functions in double precision, from which every float type's kernel rounds.
//!
//! Rational and Chebyshev approximations carry the coefficients of Moshier's Cephes library.

mod bessel;
mod exponential_integral;
mod fresnel;
mod gamma;
mod incomplete_beta;
mod incomplete_gamma;
mod integrals;
mod normal;

pub(crate) use bessel::{i0, i0e, i1, i1e, j0, j1, k0, k0e, k1, k1e, y0, y1};
pub(crate) use exponential_integral::expint;
pub(crate) use fresnel::{fresnel_cos, fresnel_sin};
pub(crate) use gamma::{digamma, polygamma, zeta};
pub(crate) use incomplete_beta::betainc;
pub(crate) use incomplete_gamma::{igamma, igamma_grad_a, igammac};
pub(crate) use integrals::{dawsn, spence};
pub(crate) use normal::{erfinv, ndtri};

/// A polynomial, its highest coefficient first.
fn polynomial(x: f64, coefficients: &[f64]) -> f64 {
    coefficients.iter().fold(0.0, |sum, c| sum * x + c)
}

fn ratio(x: f64, numerator: &[f64], denominator: &[f64]) -> f64 {
    polynomial(x, numerator) / polynomial(x, denominator)
}

/// A Chebyshev series in x / 2, its highest coefficient first, the constant term halved.
fn chebyshev(x: f64, coefficients: &[f64]) -> f64 {
    let (mut b0, mut b1, mut b2) = (0.0, 0.0, 0.0);
    for c in coefficients {
        b2 = b1;
        b1 = b0;
        b0 = x * b1 - b2 + c;
    }
    0.5 * (b0 - b2)
}

#[cfg(test)]
mod tests;
