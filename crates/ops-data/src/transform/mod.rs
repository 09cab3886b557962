//! Operations that make a dataset of another.

mod batch;
mod cache;
mod concatenate;
mod filter;
mod flat_map;
mod ignore_errors;
mod interleave;
mod limit;
mod map;
mod memory_cache;
mod options;
mod padded_batch;
mod parallel_map;
mod prefetch;
mod repeat;
mod shard;
mod shuffle;
mod take_while;
mod unbatch;
mod zip;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    batch::register(registry)?;
    cache::register(registry)?;
    concatenate::register(registry)?;
    filter::register(registry)?;
    flat_map::register(registry)?;
    ignore_errors::register(registry)?;
    interleave::register(registry)?;
    limit::register(registry)?;
    map::register(registry)?;
    memory_cache::register(registry)?;
    options::register(registry)?;
    padded_batch::register(registry)?;
    parallel_map::register(registry)?;
    prefetch::register(registry)?;
    repeat::register(registry)?;
    shard::register(registry)?;
    shuffle::register(registry)?;
    take_while::register(registry)?;
    unbatch::register(registry)?;
    zip::register(registry)
}
