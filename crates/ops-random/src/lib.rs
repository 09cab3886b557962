//! Random numbers, bit-equal to TensorFlow for equal seeds.

mod binomial;
mod bounded_normal;
mod candidates;
mod distorted_box;
mod distributions;
mod elementary;
mod fill;
mod gamma;
mod gamma_grad;
mod generator;
mod index_shuffle;
mod key_counter;
mod kmeans;
mod multinomial;
mod philox;
mod poisson;
mod rng_skip;
mod samples;
mod seed_generator;
mod shuffle;
mod sobol;
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
    kmeans::register(registry)?;
    shuffle::register(registry)?;
    index_shuffle::register(registry)?;
    gamma::register(registry)?;
    gamma_grad::register(registry)?;
    poisson::register(registry)?;
    binomial::register(registry)?;
    multinomial::register(registry)?;
    bounded_normal::register(registry)?;
    candidates::register(registry)?;
    distorted_box::register(registry)?;
    seed_generator::register(registry)?;
    sobol::register(registry)
}

#[cfg(test)]
mod bit_equality;
