//! The generator a node keeps: seeded by its attributes, moved on by every run.

use std::hash::{BuildHasher, Hasher, RandomState};

use downpour_graph::Attrs;
use downpour_tensor::Result;
use parking_lot::Mutex;

use crate::philox::Philox;

pub(crate) struct Generator(Mutex<Philox>);

impl Generator {
    /// From the attributes `seed` and `seed2`; both zero means a seed nobody can foresee.
    pub fn new(attrs: &Attrs) -> Result<Generator> {
        let (mut seed, mut seed2) = (attrs.int("seed")? as u64, attrs.int("seed2")? as u64);
        if seed == 0 && seed2 == 0 {
            (seed, seed2) = (entropy(), entropy());
        }
        Ok(Generator(Mutex::new(Philox::new(seed, seed2))))
    }

    /// A generator for the next `blocks` blocks, which nobody else will get.
    pub fn reserve(&self, blocks: u64) -> Philox {
        let mut state = self.0.lock();
        let reserved = *state;
        state.skip(blocks);
        reserved
    }
}

/// 64 unforeseeable bits: the standard library keys its hashers from the operating system.
pub(crate) fn entropy() -> u64 {
    RandomState::new().build_hasher().finish()
}
