//! Derivatives of the logarithm of the gamma function, and Hurwitz's zeta function.

use std::f64::consts::PI;

use super::polynomial;

/// The derivative of log gamma; NaN at zero and the negative integers.
pub(crate) fn digamma(x: f64) -> f64 {
    if x.is_nan() || x == f64::INFINITY {
        return x;
    }
    if x <= 0.0 {
        if x == x.floor() || x == f64::NEG_INFINITY {
            return f64::NAN;
        }
        // Reflection; the tangent of the distance to the nearest integer loses no digits.
        let distance = x - x.round();
        let cotangent = if distance.abs() == 0.5 { 0.0 } else { 1.0 / (PI * distance).tan() };
        return digamma(1.0 - x) - PI * cotangent;
    }
    let (mut s, mut below) = (x, 0.0);
    while s < 10.0 {
        below += 1.0 / s;
        s += 1.0;
    }
    // Bernoulli numbers B(2k) / 2k, highest first.
    const SERIES: [f64; 8] = [
        -0.443_259_803_921_568_6,
        1.0 / 12.0,
        -0.021_092_796_092_796_094,
        1.0 / 132.0,
        -1.0 / 240.0,
        1.0 / 252.0,
        -1.0 / 120.0,
        1.0 / 12.0,
    ];
    let z = 1.0 / (s * s);
    s.ln() - 0.5 / s - z * polynomial(z, &SERIES) - below
}

/// The sum of (k + q)^-x over k >= 0, by Euler and Maclaurin.
pub(crate) fn zeta(x: f64, q: f64) -> f64 {
    // (2k)! / B(2k)
    const DENOMINATORS: [f64; 12] = [
        12.0,
        -720.0,
        30240.0,
        -1209600.0,
        47900160.0,
        -1.307674368e12 / 691.0,
        7.47242496e10,
        -1.067062284288e16 / 3617.0,
        5.109094217170944e18 / 43867.0,
        -8.028576626982912e20 / 174611.0,
        1.5511210043330986e23 / 854513.0,
        -1.6938241367317437e27 / 236364091.0,
    ];
    if x == 1.0 {
        return f64::INFINITY;
    }
    if x < 1.0 || x.is_nan() || q.is_nan() {
        return f64::NAN;
    }
    if q <= 0.0 {
        if q == q.floor() {
            let even = (0.5 * x).round_ties_even() == 0.5 * x;
            return if even { f64::INFINITY } else { f64::NAN };
        }
        if x != x.floor() {
            return f64::NAN;
        }
    }
    // The terms up to k + q > 9; from far below zero the start would be the whole work, and the
    // largest terms are those around zero anyway.
    const REACH: f64 = 100_000.0;
    let (mut a, mut sum) = (q, q.powf(-x));
    if q < -REACH {
        a = q - q.floor() - REACH;
        sum += a.powf(-x);
    }
    let mut b = 0.0;
    let mut i = 0;
    while i < 9 || a <= 9.0 {
        i += 1;
        a += 1.0;
        b = a.powf(-x);
        sum += b;
        if (b / sum).abs() < f64::EPSILON / 2.0 {
            return sum;
        }
    }
    if b == 0.0 {
        return sum;
    }
    let w = a;
    sum += b * w / (x - 1.0) - 0.5 * b;
    let (mut factor, mut k) = (1.0, 0.0);
    for denominator in DENOMINATORS {
        factor *= x + k;
        b /= w;
        let term = factor * b / denominator;
        sum += term;
        if (term / sum).abs() < f64::EPSILON / 2.0 {
            break;
        }
        k += 1.0;
        factor *= x + k;
        b /= w;
        k += 1.0;
    }
    sum
}

/// The n-th derivative of digamma, for whole n.
pub(crate) fn polygamma(n: f64, x: f64) -> f64 {
    if n.floor() != n || n < 0.0 {
        return f64::NAN;
    }
    if n == 0.0 {
        return digamma(x);
    }
    let factorial = libm::lgamma(n + 1.0).exp();
    let sign = if (n + 1.0) % 2.0 == 0.0 { 1.0 } else { -1.0 };
    sign * factorial * zeta(n + 1.0, x)
}
