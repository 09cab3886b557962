//! The inverse cosine transforms of libjpeg, to the last bit: the accurate one and the fast one.
//!
//! Each works on the eight columns of a block side by side, and then on its rows, which a transposition turned into
//! columns. The fast one uses 16 bits, as libjpeg does where it uses vector instructions.

use std::num::Wrapping;

/// Turns a block of dequantized coefficients into samples, `stride` apart.
pub(super) type Inverse = fn(&[i16; 64], &[i16; 64], &mut [u8], usize);

/// Returns what the coefficients are multiplied with for `accurate`.
pub(super) fn accurate_table(quantization: &[u16; 64]) -> [i16; 64] {
    quantization.map(|q| q as i16)
}

/// The scale factors of the fast transform, 14 bits behind the point.
const FAST_SCALES: [u32; 64] = {
    const AXIS: [u32; 8] = [16384, 22725, 21407, 19266, 16384, 12873, 8867, 4520];
    const ROWS: [[u32; 8]; 8] = [
        AXIS,
        [22725, 31521, 29692, 26722, 22725, 17855, 12299, 6270],
        [21407, 29692, 27969, 25172, 21407, 16819, 11585, 5906],
        [19266, 26722, 25172, 22654, 19266, 15137, 10426, 5315],
        AXIS,
        [12873, 17855, 16819, 15137, 12873, 10114, 6967, 3552],
        [8867, 12299, 11585, 10426, 8867, 6967, 4799, 2446],
        [4520, 6270, 5906, 5315, 4520, 3552, 2446, 1247],
    ];
    let mut scales = [0; 64];
    let mut i = 0;
    while i < 64 {
        scales[i] = ROWS[i / 8][i % 8];
        i += 1;
    }
    scales
};

/// Returns what the coefficients are multiplied with for `fast`.
pub(super) fn fast_table(quantization: &[u16; 64]) -> [i16; 64] {
    std::array::from_fn(|i| ((quantization[i] as u32 * FAST_SCALES[i] + (1 << 11)) >> 12) as i16)
}

fn dequantize(coefficients: &[i16; 64], table: &[i16; 64]) -> [i16; 64] {
    std::array::from_fn(|i| coefficients[i].wrapping_mul(table[i]))
}

/// Returns the coefficient of the mean if it is the only one.
fn only_mean(block: &[i16; 64]) -> Option<i16> {
    block[1..].iter().fold(0, |any, &c| any | c).eq(&0).then_some(block[0])
}

pub(super) fn store_constant(value: i32, out: &mut [u8], stride: usize) {
    let sample = (value + 128).clamp(0, 255) as u8;
    for row in 0..8 {
        out[row * stride..][..8].fill(sample);
    }
}

fn transposed<T: Copy>(block: &[T; 64]) -> [T; 64] {
    std::array::from_fn(|i| block[i % 8 * 8 + i / 8])
}

/// The accurate transform, with 13 bits behind the point.
pub(super) fn accurate(coefficients: &[i16; 64], table: &[i16; 64], out: &mut [u8], stride: usize) {
    let block = dequantize(coefficients, table);
    if let Some(mean) = only_mean(&block) {
        return store_constant((mean as i32 * 4 + 16) >> 5, out, stride);
    }
    let columns = accurate_pass::<11>(&block);
    let rows = accurate_pass::<18>(&transposed(&columns));
    let samples = transposed(&rows);
    for row in 0..8 {
        for (to, &v) in out[row * stride..][..8].iter_mut().zip(&samples[row * 8..][..8]) {
            *to = (v as i32 + 128).clamp(0, 255) as u8;
        }
    }
}

fn accurate_pass<const SHIFT: usize>(input: &[i16; 64]) -> [i16; 64] {
    let mut out = [0; 64];
    for x in 0..8 {
        let at = |row: usize| Wrapping(input[row * 8 + x] as i32);
        let fixed = Wrapping::<i32>;
        let (z2, z3) = (at(2), at(6));
        let z1 = (z2 + z3) * fixed(4433);
        let (even2, even3) = (z1 - z3 * fixed(15137), z1 + z2 * fixed(6270));
        let (sum, difference) = ((at(0) + at(4)) << 13, (at(0) - at(4)) << 13);
        let even = [sum + even3, difference + even2, difference - even2, sum - even3];

        let [t0, t1, t2, t3] = [at(7), at(5), at(3), at(1)];
        let z5 = (t0 + t2 + t1 + t3) * fixed(9633);
        let (z1, z2) = ((t0 + t3) * fixed(-7373), (t1 + t2) * fixed(-20995));
        let (z3, z4) = ((t0 + t2) * fixed(-16069) + z5, (t1 + t3) * fixed(-3196) + z5);
        let odd = [
            t3 * fixed(12299) + z1 + z4,
            t2 * fixed(25172) + z2 + z3,
            t1 * fixed(16819) + z2 + z4,
            t0 * fixed(2446) + z1 + z3,
        ];
        for i in 0..4 {
            let round = |v: Wrapping<i32>| {
                let v = (v + fixed(1 << (SHIFT - 1))).0 >> SHIFT;
                v.clamp(i16::MIN as i32, i16::MAX as i32) as i16
            };
            out[i * 8 + x] = round(even[i] + odd[i]);
            out[(7 - i) * 8 + x] = round(even[i] - odd[i]);
        }
    }
    out
}

/// The fast transform, with 8 bits behind the point of its constants.
#[cfg(any(test, not(target_arch = "x86_64")))]
pub(super) fn fast(coefficients: &[i16; 64], table: &[i16; 64], out: &mut [u8], stride: usize) {
    let block = dequantize(coefficients, table);
    if let Some(mean) = only_mean(&block) {
        return store_constant(mean as i32 >> 5, out, stride);
    }
    let columns = fast_pass(&block);
    let rows = fast_pass(&transposed(&columns));
    let samples = transposed(&rows);
    for row in 0..8 {
        for (to, &v) in out[row * stride..][..8].iter_mut().zip(&samples[row * 8..][..8]) {
            *to = ((v >> 5).clamp(-128, 127) + 128) as u8;
        }
    }
}

#[cfg(any(test, not(target_arch = "x86_64")))]
fn fast_pass(input: &[i16; 64]) -> [i16; 64] {
    /// The product with a constant that has 8 bits behind the point.
    fn times(v: Wrapping<i16>, constant: i32) -> Wrapping<i16> {
        Wrapping((((v << 2).0 as i32 * (constant << 6)) >> 16) as i16)
    }
    let mut out = [0; 64];
    for x in 0..8 {
        let at = |row: usize| Wrapping(input[row * 8 + x]);
        let (t10, t11) = (at(0) + at(4), at(0) - at(4));
        let t13 = at(2) + at(6);
        let t12 = times(at(2) - at(6), 362) - t13;
        let even = [t10 + t13, t11 + t12, t11 - t12, t10 - t13];

        let (z13, z10) = (at(5) + at(3), at(5) - at(3));
        let (z11, z12) = (at(1) + at(7), at(1) - at(7));
        let t7 = z11 + z13;
        let t11 = times(z11 - z13, 362);
        let z5 = times(z10 + z12, 473);
        let t10 = times(z12, 277) - z5;
        // 2.613, less one so that the constant has 16 bits.
        let t12 = times(z10, -413) - z10 + z5;
        let t6 = t12 - t7;
        let t5 = t11 - t6;
        let t4 = t10 + t5;
        let odd = [t7, t6, t5, -t4];
        for i in 0..4 {
            out[i * 8 + x] = (even[i] + odd[i]).0;
            out[(7 - i) * 8 + x] = (even[i] - odd[i]).0;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(block: &[i16; 64]) -> Vec<f64> {
        let factor = |k: usize| if k == 0 { 0.5f64.sqrt() } else { 1.0 };
        let cosine = |x: usize, k: usize| {
            ((2 * x + 1) as f64 * k as f64 * std::f64::consts::PI / 16.0).cos() * factor(k) / 2.0
        };
        (0..64)
            .map(|i| {
                (0..64)
                    .map(|k| block[k] as f64 * cosine(i / 8, k / 8) * cosine(i % 8, k % 8))
                    .sum::<f64>()
                    + 128.0
            })
            .collect()
    }

    #[test]
    fn both_are_cosine_transforms() {
        let mut block = [0i16; 64];
        (block[0], block[1], block[8], block[35], block[63]) = (8, -5, 4, 2, -2);
        // The fast one is exact to a few levels, and only where the steps are not too small.
        let steps = [16u16; 64];
        let expected = exact(&block.map(|c| c * 16));
        let mut samples = [0u8; 64];
        accurate(&block, &accurate_table(&steps), &mut samples, 8);
        for (ours, exact) in samples.iter().zip(&expected) {
            assert!((*ours as f64 - exact).abs() < 0.6, "{ours} {exact}");
        }
        fast(&block, &fast_table(&steps), &mut samples, 8);
        for (ours, exact) in samples.iter().zip(&expected) {
            assert!((*ours as f64 - exact).abs() < 3.0, "{ours} {exact}");
        }
    }

    #[test]
    fn extreme_coefficients_wrap() {
        for value in [i16::MIN, i16::MAX] {
            let mut samples = [0u8; 64];
            accurate(&[value; 64], &[i16::MAX; 64], &mut samples, 8);
            fast(&[value; 64], &[i16::MAX; 64], &mut samples, 8);
        }
    }
}
