//! Inverse transforms that give fewer samples than coefficients: images at half, a quarter, an eighth of their size.

use std::num::Wrapping;

fn fixed(v: i32) -> Wrapping<i32> {
    Wrapping(v)
}

fn sample(v: Wrapping<i32>, shift: usize) -> u8 {
    (((v + fixed(1 << (shift - 1))).0 >> shift).saturating_add(128)).clamp(0, 255) as u8
}

/// Multiplies the odd coefficients 1, 3, 5 and 7 with four constants and adds them up.
fn odd(values: [Wrapping<i32>; 4], constants: [i32; 4]) -> Wrapping<i32> {
    values.into_iter().zip(constants).map(|(v, c)| v * fixed(c)).sum()
}

fn dequantized<'a>(
    coefficients: &'a [i16; 64],
    table: &'a [i16; 64],
) -> impl Fn(usize) -> Wrapping<i32> + 'a {
    |i| fixed(coefficients[i].wrapping_mul(table[i]) as i32)
}

/// Returns sums from which four samples follow by rounding: of coefficients 0, 2, 6 and the odd ones.
fn four(at: impl Fn(usize) -> Wrapping<i32>) -> [Wrapping<i32>; 4] {
    let mean = at(0) << 14;
    let even = at(2) * fixed(15137) - at(6) * fixed(6270);
    let values = [at(1), at(3), at(5), at(7)];
    let inner = odd(values, [8697, -17799, 11893, -1730]);
    let outer = odd(values, [20995, 7373, -4926, -4176]);
    let (high, low) = (mean + even, mean - even);
    [high + outer, low + inner, low - inner, high - outer]
}

/// Gives 4 x 4 samples.
pub(super) fn half(coefficients: &[i16; 64], table: &[i16; 64], out: &mut [u8], stride: usize) {
    let at = dequantized(coefficients, table);
    let mut columns = [[fixed(0); 8]; 4];
    for x in [0, 1, 2, 3, 5, 6, 7] {
        let sums = four(|row| at(row * 8 + x));
        for (row, sum) in sums.into_iter().enumerate() {
            columns[row][x] = fixed((sum + fixed(1 << 11)).0 >> 12);
        }
    }
    for (y, row) in columns.iter().enumerate() {
        let sums = four(|x| row[x]);
        for (to, sum) in out[y * stride..][..4].iter_mut().zip(sums) {
            *to = sample(sum, 19);
        }
    }
}

/// Returns sums from which two samples follow by rounding.
fn two(at: impl Fn(usize) -> Wrapping<i32>) -> [Wrapping<i32>; 2] {
    let mean = at(0) << 15;
    let odd = odd([at(1), at(3), at(5), at(7)], [29692, -10426, 6967, -5906]);
    [mean + odd, mean - odd]
}

/// Gives 2 x 2 samples.
pub(super) fn quarter(coefficients: &[i16; 64], table: &[i16; 64], out: &mut [u8], stride: usize) {
    let at = dequantized(coefficients, table);
    let mut columns = [[fixed(0); 8]; 2];
    for x in [0, 1, 3, 5, 7] {
        let sums = two(|row| at(row * 8 + x));
        for (row, sum) in sums.into_iter().enumerate() {
            columns[row][x] = fixed((sum + fixed(1 << 12)).0 >> 13);
        }
    }
    for (y, row) in columns.iter().enumerate() {
        let sums = two(|x| row[x]);
        for (to, sum) in out[y * stride..][..2].iter_mut().zip(sums) {
            *to = sample(sum, 20);
        }
    }
}

/// Gives one sample.
pub(super) fn eighth(coefficients: &[i16; 64], table: &[i16; 64], out: &mut [u8], _stride: usize) {
    out[0] = sample(dequantized(coefficients, table)(0), 3);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_fills_the_block() {
        let mut block = [0i16; 64];
        block[0] = 80;
        let mut samples = [0u8; 16];
        half(&block, &[2; 64], &mut samples, 4);
        assert_eq!(samples, [148; 16]);
        quarter(&block, &[2; 64], &mut samples, 4);
        assert_eq!(samples[..2], [148; 2]);
        eighth(&block, &[2; 64], &mut samples, 4);
        assert_eq!(samples[0], 148);
    }

    #[test]
    fn extreme_coefficients_wrap() {
        for transform in [half, quarter, eighth] {
            transform(&[i16::MIN; 64], &[i16::MAX; 64], &mut [0; 64], 8);
        }
    }
}
