//! Which seeds a test runs.

use std::collections::BTreeMap;
use std::ops::Range;

use parking_lot::Mutex;

/// The seeds of one run of a test.
///
/// `DOWNPOUR_SEED=17` runs one, `DOWNPOUR_SEEDS=10000` so many, from `DOWNPOUR_FIRST_SEED` on.
#[derive(Clone, Debug)]
pub struct Seeds {
    range: Range<u64>,
    usual: u64,
}

impl Seeds {
    /// Returns the seeds that the environment asks for, or the first `usual` ones.
    pub fn from_environment(usual: u64) -> Seeds {
        let number = |name| std::env::var(name).ok()?.parse::<u64>().ok();
        let range = match number("DOWNPOUR_SEED") {
            Some(one) => one..one + 1,
            None => {
                let first = number("DOWNPOUR_FIRST_SEED").unwrap_or(0);
                first..first + number("DOWNPOUR_SEEDS").unwrap_or(usual)
            }
        };
        Seeds { range, usual }
    }

    /// Runs a test for each seed. A panic is preceded by the command that repeats its seed.
    pub fn run(&self, package: &str, test: &str, mut one: impl FnMut(u64)) {
        for seed in self.range.clone() {
            let repeat = Repeat { seed, package, test };
            one(seed);
            drop(repeat);
        }
    }

    /// Runs a test for each seed, so many at the same time, and hands their results on in order.
    pub fn run_together<T: Send>(
        &self,
        together: usize,
        one: impl Fn(u64) -> T + Sync,
        mut each: impl FnMut(u64, T),
    ) {
        let next = Mutex::new(self.range.clone());
        let results = Mutex::new(BTreeMap::new());
        let work = || {
            loop {
                let Some(seed) = next.lock().next() else { return };
                let result = one(seed);
                results.lock().insert(seed, result);
            }
        };
        std::thread::scope(|threads| (0..together).for_each(|_| drop(threads.spawn(work))));
        results.into_inner().into_iter().for_each(|(seed, result)| each(seed, result));
    }

    /// Returns whether there are enough of them to expect that every kind of fault has occurred.
    pub fn are_many(&self) -> bool {
        self.range.end - self.range.start >= self.usual
    }
}

/// Says how a seed is run again if its test panics.
struct Repeat<'a> {
    seed: u64,
    package: &'a str,
    test: &'a str,
}

impl Drop for Repeat<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let Repeat { seed, package, test } = self;
            eprintln!("to see it again: DOWNPOUR_SEED={seed} cargo test -p {package} {test}");
        }
    }
}
