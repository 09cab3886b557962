//! The forward cosine transform and quantization of libjpeg, to the last bit.

/// Turns the samples of a block, less 128, into coefficients, eight times too large.
pub(super) fn transform(block: &mut [i32; 64]) {
    for row in block.chunks_exact_mut(8) {
        pass(row, 1, |sum| sum << 2, 11);
    }
    for x in 0..8 {
        pass(&mut block[x..], 8, |sum| (sum + 2) >> 2, 15);
    }
}

/// Transforms eight values, `stride` apart. `scale` is for the sums of whole numbers, `shift` for those with 13 bits
/// behind the point.
fn pass(values: &mut [i32], stride: usize, scale: impl Fn(i32) -> i32, shift: u32) {
    let v: [i32; 8] = std::array::from_fn(|i| values[i * stride]);
    let [s0, s1, s2, s3] = std::array::from_fn(|i| v[i] + v[7 - i]);
    let [t7, t6, t5, t4] = std::array::from_fn(|i| v[i] - v[7 - i]);
    let mut put = |i: usize, value: i32| values[i * stride] = value;
    let round = |value: i32| (value + (1 << (shift - 1))) >> shift;

    let (t10, t13, t11, t12) = (s0 + s3, s0 - s3, s1 + s2, s1 - s2);
    put(0, scale(t10 + t11));
    put(4, scale(t10 - t11));
    let z1 = (t12 + t13) * 4433;
    put(2, round(z1 + t13 * 6270));
    put(6, round(z1 - t12 * 15137));

    let (z1, z2, z3, z4) = (t4 + t7, t5 + t6, t4 + t6, t5 + t7);
    let z5 = (z3 + z4) * 9633;
    let (z1, z2) = (z1 * -7373, z2 * -20995);
    let (z3, z4) = (z3 * -16069 + z5, z4 * -3196 + z5);
    put(7, round(t4 * 2446 + z1 + z3));
    put(5, round(t5 * 16819 + z2 + z4));
    put(3, round(t6 * 25172 + z2 + z3));
    put(1, round(t7 * 12299 + z1 + z4));
}

/// Divides by a quantization step with rounding, as libjpeg-turbo does it: by a product.
#[derive(Clone, Copy)]
pub(super) struct Quantizer {
    reciprocal: u32,
    correction: u32,
    shift: u32,
}

impl Quantizer {
    /// For coefficients that are eight times too large.
    pub fn new(step: u16) -> Quantizer {
        let divisor = (step as u32).max(1) * 8;
        let shift = 16 + divisor.ilog2();
        let (whole, rest) = ((1u32 << shift) / divisor, (1u32 << shift) % divisor);
        let half = divisor / 2;
        let (reciprocal, correction, shift) = if rest == 0 {
            (whole / 2, half, shift - 1)
        } else if rest <= half {
            (whole, half + 1, shift)
        } else {
            (whole + 1, half, shift)
        };
        Quantizer { reciprocal, correction, shift }
    }

    pub fn quantize(self, value: i32) -> i16 {
        let size = value.unsigned_abs() + self.correction;
        let size = ((size as u64 * self.reciprocal as u64) >> self.shift) as i16;
        if value < 0 { -size } else { size }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flat_block_has_only_a_mean() {
        let mut block = [-28; 64];
        transform(&mut block);
        assert_eq!(block[0], -28 * 64);
        assert!(block[1..].iter().all(|&v| v == 0));
    }

    #[test]
    fn quantizing_rounds_to_the_nearest() {
        for step in 1..=255u16 {
            let quantizer = Quantizer::new(step);
            let divisor = step as i32 * 8;
            for value in -8192..=8191i32 {
                let exact = (value.abs() + divisor / 2) / divisor * value.signum();
                assert_eq!(quantizer.quantize(value) as i32, exact, "{value} / {divisor}");
            }
        }
    }
}
