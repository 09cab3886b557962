//! An order of the numbers below a bound that needs no table.
//!
//! A Feistel network permutes the numbers of some bits; a number that comes out too large goes in again until it does
//! not, which permutes the smaller ones among themselves. Fewer than four rounds go round on average.

use crate::random::mix;

const ROUNDS: u64 = 4;

pub struct Permutation {
    key: u64,
    count: u64,
    /// Of each half.
    bits: u32,
}

impl Permutation {
    pub fn new(key: u64, count: u64) -> Permutation {
        let needed = u64::BITS - count.saturating_sub(1).leading_zeros();
        Permutation { key, count, bits: needed.div_ceil(2).max(1) }
    }

    /// Where a number below the bound comes to stand.
    pub fn of(&self, number: u64) -> u64 {
        let mut number = number;
        loop {
            number = self.network(number);
            if number < self.count || self.count == 0 {
                return number;
            }
        }
    }

    fn network(&self, number: u64) -> u64 {
        let mask = (1u64 << self.bits) - 1;
        let (mut left, mut right) = (number >> self.bits & mask, number & mask);
        for round in 0..ROUNDS {
            (left, right) = (right, left ^ (mix(self.key ^ round << 56, right) & mask));
        }
        left << self.bits | right
    }
}
