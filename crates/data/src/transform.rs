//! What turns datasets into datasets.

pub mod at_least;
pub mod batch;
pub mod cache;
pub mod enumerate;
pub mod filter_parallel;
pub mod group;
pub mod ignore_errors;
pub mod interleave;
pub mod limit;
pub mod map;
pub mod padding;
pub mod parallel;
pub mod prefetch;
pub(crate) mod random_keys;
pub mod repeat;
pub mod scan;
pub mod shard;
pub mod shuffle;
pub mod take_while;
pub mod unique;
pub mod until_error;
pub mod window;
pub mod zip;
