//! Philox 4x32-10, the counter-based generator behind every random operation.
//!
//! The i-th block of four numbers depends only on key and counter + i, so any thread can compute any
//! part of an output, and the result does not depend on how the work was divided.

use downpour_tensor::{Result, Status, Tensor};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Philox {
    counter: [u32; 4],
    key: [u32; 2],
}

impl Philox {
    /// From an operation's two seeds.
    pub fn new(seed: u64, seed2: u64) -> Philox {
        Philox {
            counter: [0, 0, seed2 as u32, (seed2 >> 32) as u32],
            key: [seed as u32, (seed >> 32) as u32],
        }
    }

    /// From a key and a counter in 64-bit words, as tensors hold them.
    pub fn from_words(counter: [u64; 2], key: u64) -> Philox {
        let [c0, c1] = counter;
        Philox {
            counter: [c0 as u32, (c0 >> 32) as u32, c1 as u32, (c1 >> 32) as u32],
            key: [key as u32, (key >> 32) as u32],
        }
    }

    /// From the seed of a stateless operation, two numbers either of which may be weak: one block
    /// of the generator under a fixed key mixes them.
    pub fn from_seed(seed: &Tensor) -> Result<Philox> {
        if seed.dims() != [2] {
            return Err(Status::invalid_argument(format!(
                "seed must have shape [2], not {}",
                seed.shape()
            )));
        }
        use downpour_tensor::DataType::{Int32, Int64};
        if !matches!(seed.dtype(), Int32 | Int64) {
            return Err(Status::invalid_argument(format!("Invalid seed type: {}", seed.dtype())));
        }
        let words = seed.to_i64_vec()?;
        let words = [words[0] as u64, words[1] as u64];
        let mixed = Philox::from_words(words, 0x0246_1e29_3ec8_f720).next();
        Ok(Philox { counter: [0, 0, mixed[2], mixed[3]], key: [mixed[0], mixed[1]] })
    }

    pub fn counter_words(&self) -> [u64; 2] {
        let c = self.counter.map(u64::from);
        [c[0] | c[1] << 32, c[2] | c[3] << 32]
    }

    pub fn key_word(&self) -> u64 {
        u64::from(self.key[0]) | u64::from(self.key[1]) << 32
    }

    /// Passes over `count` blocks.
    pub fn skip(&mut self, count: u64) {
        let [low, high] = self.counter_words();
        let (low, carry) = low.overflowing_add(count);
        let counter = [low, high.wrapping_add(u64::from(carry))];
        *self = Philox::from_words(counter, self.key_word());
    }

    pub fn skipped(mut self, count: u64) -> Philox {
        self.skip(count);
        self
    }

    /// The next block of four numbers.
    #[inline]
    pub fn next(&mut self) -> [u32; 4] {
        let mut x = self.counter;
        let mut key = self.key;
        for round in 0..10 {
            if round > 0 {
                key = [key[0].wrapping_add(0x9E37_79B9), key[1].wrapping_add(0xBB67_AE85)];
            }
            let a = 0xD251_1F53u64 * u64::from(x[0]);
            let b = 0xCD9E_8D57u64 * u64::from(x[2]);
            x = [
                (b >> 32) as u32 ^ x[1] ^ key[0],
                b as u32,
                (a >> 32) as u32 ^ x[3] ^ key[1],
                a as u32,
            ];
        }
        let [low, high] = self.counter_words();
        let (low, carry) = low.overflowing_add(1);
        let high = high.wrapping_add(u64::from(carry));
        self.counter = [low as u32, (low >> 32) as u32, high as u32, (high >> 32) as u32];
        x
    }
}

/// Takes the numbers of a generator one at a time.
pub(crate) struct Singles {
    philox: Philox,
    block: [u32; 4],
    used: usize,
}

impl Singles {
    pub fn new(philox: Philox) -> Singles {
        Singles { philox, block: [0; 4], used: 4 }
    }

    #[inline]
    pub fn next(&mut self) -> u32 {
        if self.used == 4 {
            self.block = self.philox.next();
            self.used = 0;
        }
        self.used += 1;
        self.block[self.used - 1]
    }

    pub fn next64(&mut self) -> u64 {
        let low = u64::from(self.next());
        low | u64::from(self.next()) << 32
    }

    /// Uniform in [0, 1).
    pub fn float(&mut self) -> f32 {
        unit_float(self.next())
    }

    /// Uniform in [0, 1).
    pub fn double(&mut self) -> f64 {
        let high = self.next();
        unit_double(high, self.next())
    }

    /// Uniform in 0..n, without bias.
    pub fn below(&mut self, n: u32) -> u32 {
        let rejected = if n.is_power_of_two() { 0 } else { (u32::MAX % n) + 1 };
        loop {
            let value = self.next();
            if value >= rejected {
                return value % n;
            }
        }
    }

    /// Uniform in 0..n, without bias.
    pub fn below64(&mut self, n: u64) -> u64 {
        let rejected = if n.is_power_of_two() { 0 } else { (u64::MAX % n) + 1 };
        loop {
            let value = self.next64();
            if value >= rejected {
                return value % n;
            }
        }
    }
}

/// 23 random bits as the mantissa of a number in [1, 2), less one.
#[inline(always)]
pub(crate) fn unit_float(bits: u32) -> f32 {
    f32::from_bits(127 << 23 | bits & 0x007f_ffff) - 1.0
}

/// 52 random bits as the mantissa of a number in [1, 2), less one.
#[inline(always)]
pub(crate) fn unit_double(high: u32, low: u32) -> f64 {
    let mantissa = u64::from(high & 0x000f_ffff) << 32 | u64::from(low);
    f64::from_bits(1023 << 52 | mantissa) - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The known-answer tests of the generator's authors.
    #[test]
    fn known_answers() {
        let mut zero = Philox::from_words([0, 0], 0);
        assert_eq!(zero.next(), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        let mut ones = Philox::from_words([u64::MAX, u64::MAX], u64::MAX);
        assert_eq!(ones.next(), [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]);
        assert_eq!(ones.counter_words(), [0, 0]);
    }

    #[test]
    fn skipping_equals_drawing() {
        let mut a = Philox::new(3, u64::MAX);
        a.skip(u64::MAX - 1);
        let mut b = a;
        for _ in 0..5 {
            a.next();
        }
        b.skip(5);
        assert_eq!(a, b);
    }

    #[test]
    fn bounds_that_are_no_powers_of_two_reject() {
        let mut singles = Singles::new(Philox::new(1, 2));
        assert!((0..1000).all(|_| singles.below(7) < 7 && singles.below64(1 << 40) < 1 << 40));
    }
}
