//! A random order of numbers in which each can be found without making the order, the one TensorFlow has for a seed.
//!
//! A Feistel network over just enough bits for the largest number permutes those bits; values beyond the largest number
//! are permuted again until one fits, which keeps the whole a permutation.

/// A permutation of the numbers up to a largest one.
#[derive(Debug, Clone)]
pub struct Permutation {
    largest: u64,
    /// Bits of each half that the network works on.
    half: u32,
    keys: Vec<u64>,
}

impl Permutation {
    /// Returns the permutation of `0..=largest` that a seed names. `rounds` is at least 4 and even: the network works on
    /// two halves in turn.
    pub fn new(seed: [u32; 3], largest: u64, rounds: usize) -> Permutation {
        let bits = (largest.max(1) as f64).log2().ceil() as u32;
        let half = ((bits + bits % 2).max(16) / 2).min(32);
        Permutation { largest, half, keys: round_keys(seed, half, rounds) }
    }

    /// Returns where a number goes, which is at most the largest.
    pub fn place(&self, number: u64) -> u64 {
        if self.largest == 0 {
            return 0;
        }
        let mut value = number;
        loop {
            value = encrypt(value, self.half, &self.keys);
            if value <= self.largest {
                return value;
            }
        }
    }
}

fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

fn rotate_left(x: u64, by: u32, bits: u32) -> u64 {
    ((x << by) | (x >> (bits - by))) & mask(bits)
}

fn rotate_right(x: u64, by: u32, bits: u32) -> u64 {
    ((x >> by) | (x << (bits - by))) & mask(bits)
}

fn round_keys(seed: [u32; 3], bits: u32, rounds: usize) -> Vec<u64> {
    let constant = 0xffff_fffc & mask(bits);
    let mut sequence = 0x7369_f885_192c_0ef5 & mask(bits);
    let mut keys: Vec<u64> = seed.iter().map(|&s| u64::from(s) & mask(bits)).collect();
    for i in 3..rounds {
        let last = keys[i - 1];
        keys.push(
            constant
                ^ (sequence & 1)
                ^ keys[i - 3]
                ^ rotate_right(last, 3, bits)
                ^ rotate_right(last, 4, bits),
        );
        sequence >>= 1;
    }
    keys
}

/// Two rounds at a time; the halves change places by taking turns.
fn encrypt(value: u64, bits: u32, keys: &[u64]) -> u64 {
    let mix = |x: u64| {
        (rotate_left(x, 1, bits) & rotate_left(x, 8 % bits, bits)) ^ rotate_left(x, 2, bits)
    };
    let mut left = (value >> bits) & mask(bits);
    let mut right = value & mask(bits);
    for pair in keys.chunks_exact(2) {
        left ^= mix(right) ^ pair[0];
        right ^= mix(left) ^ pair[1];
    }
    left << bits | right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_gets_a_place_of_its_own() {
        for rounds in [4, 8] {
            for largest in [0u64, 1, 2, 99, 256] {
                let order = Permutation::new([1, 2, 3], largest, rounds);
                let mut places: Vec<u64> = (0..=largest).map(|n| order.place(n)).collect();
                places.sort_unstable();
                assert_eq!(places, (0..=largest).collect::<Vec<_>>());
            }
        }
        let order = Permutation::new([7, 8, 9], u64::MAX, 8);
        assert_ne!(order.place(u64::MAX), order.place(0));
    }
}
