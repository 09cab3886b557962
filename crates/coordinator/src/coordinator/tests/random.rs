//! Randomness from a seed, and a word on how to repeat it when a test fails.

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// Runs a test for many seeds (DOWNPOUR_SEEDS says for how many), or for the one in DOWNPOUR_SEED.
pub fn for_seeds(count: u64, test: &str, run: impl Fn(u64)) {
    let number = |name| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let count = number("DOWNPOUR_SEEDS").unwrap_or(count);
    let seeds = number("DOWNPOUR_SEED").map_or(0..count, |seed| seed..seed + 1);
    for seed in seeds {
        let told = Told { seed, test };
        run(seed);
        drop(told);
    }
}

struct Told<'a> {
    seed: u64,
    test: &'a str,
}

impl Drop for Told<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "failed with seed {}; repeat: DOWNPOUR_SEED={} cargo test -p downpour-coordinator {}",
                self.seed, self.seed, self.test
            );
        }
    }
}
