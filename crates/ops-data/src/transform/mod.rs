//! Operations that make a dataset of another.

mod assert_cardinality;
mod batch;
mod cache;
mod choose_fastest;
mod choose_fastest_branch;
mod concatenate;
mod dense_to_sparse_batch;
mod directed_interleave;
mod filter;
mod flat_map;
mod global_shuffle;
mod ignore_errors;
mod index_flat_map;
mod interleave;
mod limit;
mod map;
mod non_serializable;
mod optimize;
mod options;
mod padded_batch;
mod parallel_map;
mod parse_example;
mod prefetch;
mod rebatch;
mod rebatch_v2;
mod repeat;
mod sampling;
mod shard;
mod shuffle;
mod shuffled_access;
mod sleep;
mod take_while;
mod threading;
mod unbatch;
mod weighted_flat_map;
mod zip;

use downpour_runtime::Registry;
use downpour_tensor::Result;

pub(crate) fn register(registry: &mut Registry) -> Result<()> {
    assert_cardinality::register(registry)?;
    batch::register(registry)?;
    cache::register(registry)?;
    choose_fastest::register(registry)?;
    choose_fastest_branch::register(registry)?;
    concatenate::register(registry)?;
    dense_to_sparse_batch::register(registry)?;
    directed_interleave::register(registry)?;
    filter::register(registry)?;
    flat_map::register(registry)?;
    global_shuffle::register(registry)?;
    ignore_errors::register(registry)?;
    index_flat_map::register(registry)?;
    interleave::register(registry)?;
    limit::register(registry)?;
    map::register(registry)?;
    non_serializable::register(registry)?;
    optimize::register(registry)?;
    options::register(registry)?;
    padded_batch::register(registry)?;
    parallel_map::register(registry)?;
    parse_example::register(registry)?;
    prefetch::register(registry)?;
    rebatch::register(registry)?;
    rebatch_v2::register(registry)?;
    repeat::register(registry)?;
    sampling::register(registry)?;
    shard::register(registry)?;
    shuffle::register(registry)?;
    sleep::register(registry)?;
    take_while::register(registry)?;
    threading::register(registry)?;
    unbatch::register(registry)?;
    weighted_flat_map::register(registry)?;
    zip::register(registry)
}
