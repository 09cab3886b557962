//! Random numbers, bit-equal to TensorFlow for equal seeds.

mod distributions;
mod elementary;
mod fill;
mod generator;
mod index_shuffle;
mod key_counter;
mod philox;
mod rng_skip;
mod shuffle;
mod source;
mod uniform_int;

use downpour_runtime::Registry;
use downpour_tensor::Result;

/// Adds this family's operations.
pub fn register(registry: &mut Registry) -> Result<()> {
    elementary::register(registry)?;
    uniform_int::register(registry)?;
    key_counter::register(registry)?;
    rng_skip::register(registry)?;
    shuffle::register(registry)?;
    index_shuffle::register(registry)
}

#[cfg(test)]
mod bit_equality;
