//! Operations that make a dataset of another.

mod batch;
mod cache;
mod concatenate;
mod filter;
mod flat_map;
mod group_by_reducer;
mod group_by_window;
mod ignore_errors;
mod interleave;
mod legacy_interleave;
mod limit;
mod map;
mod map_and_batch;
mod options;
mod padded_batch;
mod parallel_filter;
mod parallel_map;
mod prefetch;
mod repeat;
mod scan;
mod shard;
mod shuffle;
mod sliding_window;
mod take_while;
mod unbatch;
mod unique;
mod window;
mod zip;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    batch::register(registry)?;
    cache::register(registry)?;
    concatenate::register(registry)?;
    filter::register(registry)?;
    flat_map::register(registry)?;
    group_by_reducer::register(registry)?;
    group_by_window::register(registry)?;
    ignore_errors::register(registry)?;
    interleave::register(registry)?;
    legacy_interleave::register(registry)?;
    limit::register(registry)?;
    map::register(registry)?;
    map_and_batch::register(registry)?;
    options::register(registry)?;
    padded_batch::register(registry)?;
    parallel_filter::register(registry)?;
    parallel_map::register(registry)?;
    prefetch::register(registry)?;
    repeat::register(registry)?;
    scan::register(registry)?;
    shard::register(registry)?;
    shuffle::register(registry)?;
    sliding_window::register(registry)?;
    take_while::register(registry)?;
    unbatch::register(registry)?;
    unique::register(registry)?;
    window::register(registry)?;
    zip::register(registry)
}
