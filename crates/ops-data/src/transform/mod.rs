//! Operations that make a dataset of another.

mod batch;
mod cache;
mod concatenate;
mod filter;
mod flat_map;
mod global_shuffle;
mod ignore_errors;
mod index_flat_map;
mod interleave;
mod limit;
mod map;
mod options;
mod padded_batch;
mod parallel_map;
mod prefetch;
mod repeat;
mod sampling;
mod shard;
mod shuffle;
mod shuffled_access;
mod take_while;
mod unbatch;
mod weighted_flat_map;
mod zip;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    batch::register(registry)?;
    cache::register(registry)?;
    concatenate::register(registry)?;
    filter::register(registry)?;
    flat_map::register(registry)?;
    global_shuffle::register(registry)?;
    ignore_errors::register(registry)?;
    index_flat_map::register(registry)?;
    interleave::register(registry)?;
    limit::register(registry)?;
    map::register(registry)?;
    options::register(registry)?;
    padded_batch::register(registry)?;
    parallel_map::register(registry)?;
    prefetch::register(registry)?;
    repeat::register(registry)?;
    sampling::register(registry)?;
    shard::register(registry)?;
    shuffle::register(registry)?;
    take_while::register(registry)?;
    unbatch::register(registry)?;
    weighted_flat_map::register(registry)?;
    zip::register(registry)
}
