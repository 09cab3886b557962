//! Natural logarithms in float.

/// Within 1.5 units in the last place, denormal arguments included.
///
/// x = m 2^e with m between sqrt(1/2) and sqrt(2); log m is a polynomial in m - 1.
#[inline(always)]
pub(crate) fn log(x: f32) -> f32 {
    let tiny = x < f32::MIN_POSITIVE;
    let scaled = if tiny { x * 8_388_608.0 } else { x };
    let bits = scaled.to_bits() as i32;
    let below = (bits & 0x007f_ffff) < 0x0035_04f3;
    let exponent = (bits >> 23).wrapping_sub(126).wrapping_sub(below as i32);
    let exponent = exponent.wrapping_sub(if tiny { 23 } else { 0 }) as f32;
    // The mantissa in [0.5, 1), doubled where it lies below sqrt(1/2).
    let mantissa = f32::from_bits((bits & 0x007f_ffff) as u32 | 0x3f00_0000);
    let m = if below { mantissa + mantissa } else { mantissa } - 1.0;
    let z = m * m;
    let mut p = 7.037_683_6e-2f32;
    p = p * m - 1.151_461e-1;
    p = p * m + 1.167_699_9e-1;
    p = p * m - 1.242_014_1e-1;
    p = p * m + 1.424_932_3e-1;
    p = p * m - 1.666_805_8e-1;
    p = p * m + 2.000_071_5e-1;
    p = p * m - 2.499_999_4e-1;
    p = p * m + 3.333_333e-1;
    let mut y = p * m * z;
    y += exponent * -2.121_944_4e-4;
    y -= 0.5 * z;
    let finite = m + y + exponent * 0.693_359_4;
    let positive = if x == f32::INFINITY { f32::INFINITY } else { finite };
    let with_zero = if x == 0.0 { f32::NEG_INFINITY } else { positive };
    if x >= 0.0 { with_zero } else { f32::NAN }
}

/// log(1 + x), accurate also where x is small.
///
/// The rounding error of u = 1 + x is divided out: log(u) x / (u - 1).
#[inline(always)]
pub(crate) fn log1p(x: f32) -> f32 {
    let u = 1.0 + x;
    let small = u == 1.0;
    let log_u = log(u);
    let corrected = log_u * (x / (u - 1.0));
    if small {
        x
    } else if u == f32::INFINITY {
        u
    } else {
        corrected
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_double_precision() {
        let mut bits = 1u32;
        while bits < 0x7f80_0000 {
            let x = f32::from_bits(bits);
            let expected = (x as f64).ln();
            let error = (log(x) as f64 - expected).abs();
            assert!(error <= 1.8e-7 * expected.abs().max(1e-7), "log({x}) = {}", log(x));
            bits += 100_003;
        }
        for x in [1e-9f32, -1e-5, 0.3, -0.7, 5.0, 1e20] {
            let expected = (x as f64).ln_1p();
            assert!((log1p(x) as f64 - expected).abs() <= 3e-7 * expected.abs(), "log1p({x})");
        }
    }

    #[test]
    fn special_values() {
        assert_eq!(log(1.0), 0.0);
        assert_eq!(log(0.0), f32::NEG_INFINITY);
        assert_eq!(log(f32::INFINITY), f32::INFINITY);
        assert!(log(-1.0).is_nan() && log(f32::NAN).is_nan());
        assert_eq!(log1p(-1.0), f32::NEG_INFINITY);
        assert_eq!(log1p(f32::INFINITY), f32::INFINITY);
        assert!(log1p(-2.0).is_nan());
    }
}
