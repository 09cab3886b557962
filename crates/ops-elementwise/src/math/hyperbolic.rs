//! The hyperbolic tangent and the logistic function in float.

use super::exponential::exp;

/// Within 2 units in the last place: an odd polynomial near zero, exponentials elsewhere.
#[inline(always)]
pub(crate) fn tanh(x: f32) -> f32 {
    let a = x.abs();
    let z = x * x;
    let mut p = -5.704_988_7e-3f32;
    p = p * z + 2.063_908_8e-2;
    p = p * z - 5.373_971e-2;
    p = p * z + 1.333_144_2e-1;
    p = p * z - 3.333_328e-1;
    let near = (x + x * z * p).copysign(x);
    let far = (1.0 - 2.0 / (exp(a + a) + 1.0)).copysign(x);
    // NaN fails the comparison and comes out of `far`.
    if a < 0.625 { near } else { far }
}

/// 1 / (1 + e^-x), without losing small results to rounding.
#[inline(always)]
pub(crate) fn sigmoid(x: f32) -> f32 {
    let e = exp(-x.abs());
    let s = 1.0 / (1.0 + e);
    if x < 0.0 { e * s } else { s }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agree_with_double_precision() {
        let mut x = -20.0f32;
        while x < 20.0 {
            let t = (x as f64).tanh();
            assert!((tanh(x) as f64 - t).abs() <= 2.4e-7 * t.abs().max(1e-30), "tanh({x})");
            let s = 1.0 / (1.0 + (-x as f64).exp());
            assert!((sigmoid(x) as f64 - s).abs() <= 3.6e-7 * s, "sigmoid({x})");
            x += 0.00171;
        }
    }

    #[test]
    fn special_values() {
        assert_eq!(tanh(0.0), 0.0);
        assert!(tanh(-0.0).is_sign_negative());
        assert_eq!(tanh(f32::INFINITY), 1.0);
        assert_eq!(tanh(f32::NEG_INFINITY), -1.0);
        assert!(tanh(f32::NAN).is_nan());
        assert_eq!(sigmoid(f32::NEG_INFINITY), 0.0);
        assert_eq!(sigmoid(f32::INFINITY), 1.0);
        assert!(sigmoid(f32::NAN).is_nan());
    }
}
