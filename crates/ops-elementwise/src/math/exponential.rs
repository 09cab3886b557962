//! e to the power of x in float.

/// Adding and subtracting this rounds a float of magnitude below 2^22 to the nearest integer, and
/// leaves that integer in the low bits.
const ROUNDER: f32 = 12_582_912.0;

/// 2^n for n in -126..=127, without a table.
#[inline(always)]
fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) as u32) << 23)
}

/// Within 1.5 units in the last place; overflows to infinity and underflows gradually to zero.
///
/// x = n ln 2 + r with |r| <= ln 2 / 2; e^r is a polynomial; 2^n is applied in two steps because n
/// reaches beyond the exponents a float has.
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    // Comparisons in this direction let NaN through.
    let x = if x > 89.0 { 89.0 } else { x };
    let x = if x < -105.0 { -105.0 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + ROUNDER;
    let n = (shifted.to_bits() as i32).wrapping_sub(ROUNDER.to_bits() as i32);
    let whole = shifted - ROUNDER;
    // ln 2 in two parts, the first with so few bits that its product with n is exact.
    let r = x - whole * 0.693_359_4;
    let r = r - whole * -2.121_944_4e-4;
    let mut p = 1.987_569_1e-4f32;
    p = p * r + 1.398_199_9e-3;
    p = p * r + 8.333_452e-3;
    p = p * r + 4.166_579_6e-2;
    p = p * r + 1.666_666_5e-1;
    p = p * r + 0.5;
    let y = (p * (r * r) + r) + 1.0;
    let half = n >> 1;
    y * power_of_two(half) * power_of_two(n.wrapping_sub(half))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_double_precision() {
        let mut x = -103.0f32;
        while x < 88.7 {
            let expected = (x as f64).exp();
            let error = (exp(x) as f64 - expected).abs();
            let unit = (expected * 1.2e-7).max(1.5e-45);
            assert!(error <= 1.5 * unit, "exp({x}) = {} but {expected}", exp(x));
            x += 0.0137;
        }
    }

    #[test]
    fn special_values() {
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(exp(f32::INFINITY), f32::INFINITY);
        assert_eq!(exp(88.8), f32::INFINITY);
        assert_eq!(exp(f32::NEG_INFINITY), 0.0);
        assert_eq!(exp(-200.0), 0.0);
        assert!(exp(f32::NAN).is_nan());
    }
}
