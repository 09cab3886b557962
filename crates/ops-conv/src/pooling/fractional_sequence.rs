//! The random cell borders of fractional pooling, the same numbers TensorFlow draws from a seed.

use std::hash::{BuildHasher, RandomState};

/// The counter-based generator Philox 4x32-10.
pub(super) struct Philox {
    key: [u32; 2],
    counter: u128,
}

impl Philox {
    /// From two seeds, or from the system's randomness when both are zero.
    pub fn new(seed: i64, seed2: i64) -> Philox {
        let (seed, seed2) = match (seed as u64, seed2 as u64) {
            (0, 0) => (RandomState::new().hash_one(0), RandomState::new().hash_one(1)),
            seeds => seeds,
        };
        Philox { key: [seed as u32, (seed >> 32) as u32], counter: (seed2 as u128) << 64 }
    }

    /// The next `count` words; what is left of the last block of four is thrown away.
    fn words(&mut self, count: usize) -> Vec<u32> {
        let mut words = Vec::with_capacity(count + 3);
        while words.len() < count {
            words.extend(self.block());
        }
        words
    }

    fn block(&mut self) -> [u32; 4] {
        let mut c: [u32; 4] = std::array::from_fn(|i| (self.counter >> (32 * i)) as u32);
        let mut key = self.key;
        for _ in 0..10 {
            let first = c[0] as u64 * 0xD251_1F53;
            let second = c[2] as u64 * 0xCD9E_8D57;
            c = [
                (second >> 32) as u32 ^ c[1] ^ key[0],
                second as u32,
                (first >> 32) as u32 ^ c[3] ^ key[1],
                first as u32,
            ];
            key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
        }
        self.counter = self.counter.wrapping_add(1);
        c
    }
}

/// Borders that cut `input` positions into `output` cells whose sizes differ by at most one.
pub(super) fn sequence(input: usize, output: usize, random: &mut Philox, pseudo: bool) -> Vec<i64> {
    if pseudo { pseudo_random(input, output, random) } else { shuffled(input, output, random) }
}

/// Borders at `ceil(alpha * (i + u))` for one random `u`.
fn pseudo_random(input: usize, output: usize, random: &mut Philox) -> Vec<i64> {
    let (length, cells) = (input as f64, output as f64);
    let alpha = length / cells;
    let k = (input / output) as f64;
    // Larger values of u would make the first cell too large or the last one too small.
    let limit = ((k + 2.0) / alpha - 1.0).min((length + 1.0 - k) / alpha - (cells - 1.0));
    let words = random.words(2);
    let mantissa = ((words[0] & 0xF_FFFF) as u64) << 32 | words[1] as u64;
    let u = (f64::from_bits(1023 << 52 | mantissa) - 1.0) * limit;
    let mut borders: Vec<i64> = vec![0];
    borders.extend((1..output).map(|i| (alpha * (i as f64 + u)).ceil() as i64 - 1));
    borders.push(input as i64);
    borders
}

/// Cells of the two sizes in random order.
fn shuffled(input: usize, output: usize, random: &mut Philox) -> Vec<i64> {
    let mut sizes = vec![(input / output) as i64; output];
    sizes[..input % output].iter_mut().for_each(|s| *s += 1);
    let words = random.words(output);
    for (i, word) in words.iter().enumerate().take(output.saturating_sub(1)) {
        let other = i + *word as usize % (output - i);
        sizes.swap(i, other);
    }
    let mut borders = vec![0];
    let mut at = 0;
    borders.extend(sizes.iter().map(|s| {
        at += s;
        at
    }));
    borders
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_cover_the_input_and_differ_by_at_most_one() {
        for pseudo in [false, true] {
            for (input, output) in [(10, 6), (7, 7), (30, 9), (5, 1), (23, 10)] {
                let borders = sequence(input, output, &mut Philox::new(3, 4), pseudo);
                assert_eq!((borders[0], borders[output]), (0, input as i64));
                let small = (input / output) as i64;
                for pair in borders.windows(2) {
                    assert!((small..=small + 1).contains(&(pair[1] - pair[0])), "{borders:?}");
                }
            }
        }
    }

    #[test]
    fn philox_test_vector() {
        // The published vector for zero counter and key.
        let mut random = Philox { key: [0, 0], counter: 0 };
        assert_eq!(random.block(), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
    }
}
