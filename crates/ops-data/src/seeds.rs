//! Generators of seeds: where the seeds of a shuffle's or a random dataset's iterations come from.
//!
//! All iterations of a dataset share its generator, so its place is part of where each of them stands.

mod operations;

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::sync::Arc;

use downpour_data::State;
use downpour_runtime::{OpContext, Resource};
use downpour_tensor::{Code, Philox, Result, Status};
use parking_lot::Mutex;

pub(crate) use operations::register;

/// Gives two seeds for each iteration: the same ones, or others each time.
pub(crate) struct SeedGenerator {
    renews: bool,
    place: Mutex<Place>,
}

struct Place {
    seeds: [u64; 2],
    numbers: Philox,
    drawn: u64,
}

impl Place {
    fn new(seeds: [u64; 2], drawn: u64) -> Place {
        let mut numbers = Philox::new(seeds[0], seeds[1]);
        numbers.skip(drawn);
        Place { seeds, numbers, drawn }
    }
}

impl SeedGenerator {
    /// Returns the generator of a program's seeds; two zeros stand for any. If it renews them, each iteration has others.
    pub fn new(seed: i64, seed2: i64, renews: bool) -> SeedGenerator {
        let seeds = match (seed, seed2) {
            (0, 0) => [RandomState::new().hash_one(0), RandomState::new().hash_one(1)],
            _ => [seed as u64, seed2 as u64],
        };
        SeedGenerator { renews, place: Mutex::new(Place::new(seeds, 0)) }
    }

    /// Whether each iteration has other seeds.
    pub fn renews(&self) -> bool {
        self.renews
    }

    /// Returns the seeds of the next iteration.
    pub fn draw(&self) -> [u64; 2] {
        let mut place = self.place.lock();
        if !self.renews {
            return place.seeds;
        }
        place.drawn += 2;
        let first = place.numbers.next_u32();
        [first.into(), place.numbers.next_u32().into()]
    }

    /// Returns the seeds that those of the iterations are made from.
    pub fn base(&self) -> (u64, u64) {
        let [seed, seed2] = self.place.lock().seeds;
        (seed, seed2)
    }

    /// Returns the seeds and how many numbers were drawn.
    pub fn state(&self) -> [u64; 3] {
        let place = self.place.lock();
        [place.seeds[0], place.seeds[1], place.drawn]
    }

    /// Goes on from a state.
    pub fn restore(&self, [seed, seed2, drawn]: [u64; 3]) {
        *self.place.lock() = Place::new([seed, seed2], drawn);
    }
}

impl SeedGenerator {
    /// Goes on from the next of the states that iterations share.
    pub fn restore_shared(&self, states: &mut std::slice::Iter<'_, State>) -> Result<()> {
        let missing = || Status::data_loss("a saved dataset position has too few seeds");
        self.restore(states.next().ok_or_else(missing)?.expect()?);
        Ok(())
    }
}

impl Resource for SeedGenerator {
    fn describe(&self) -> String {
        format!("generator of seeds, {} numbers drawn", self.place.lock().drawn)
    }
}

/// Returns the generator whose handle is input `i`, or the one that `make` makes if there is none.
pub(crate) fn input_or(
    cx: &OpContext<'_>,
    i: usize,
    make: impl FnOnce() -> SeedGenerator,
) -> Result<Arc<SeedGenerator>> {
    match cx.resource::<SeedGenerator>(i) {
        Err(error) if error.code() == Code::NotFound => Ok(Arc::new(make())),
        found => found,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_restored_generator_goes_on() {
        let generator = SeedGenerator::new(1, 2, true);
        let first = generator.draw();
        let state = generator.state();
        let rest = [generator.draw(), generator.draw()];
        assert_ne!(first, rest[0]);
        generator.restore(state);
        assert_eq!([generator.draw(), generator.draw()], rest);
        let another = SeedGenerator::new(0, 0, true);
        another.restore(state);
        assert_eq!(another.draw(), rest[0]);
    }

    #[test]
    fn seeds_that_are_not_renewed_stay() {
        let generator = SeedGenerator::new(0, 5, false);
        assert_eq!([generator.draw(), generator.draw()], [[0, 5], [0, 5]]);
        let [any, other] = [SeedGenerator::new(0, 0, false), SeedGenerator::new(0, 0, false)];
        assert_ne!(any.draw(), other.draw());
        assert_eq!(any.draw(), any.draw());
    }
}
