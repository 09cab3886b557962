//! Numbers that follow from a seed.

/// SplitMix64.
#[derive(Clone)]
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        let mut random = Random(seed.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1));
        random.next();
        random
    }

    /// A stream of its own.
    pub fn fork(&mut self) -> Random {
        Random::new(self.next())
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Less than `end`, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    /// From `first` to `last`.
    pub fn between(&mut self, first: u64, last: u64) -> u64 {
        first + self.below(last - first + 1)
    }

    /// In so many of a thousand cases.
    pub fn chance(&mut self, of_thousand: u64) -> bool {
        self.below(1000) < of_thousand
    }

    pub fn millis(&mut self, first: u64, last: u64) -> std::time::Duration {
        std::time::Duration::from_millis(self.between(first, last))
    }
}
