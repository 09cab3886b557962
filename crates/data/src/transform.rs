//! What turns datasets into datasets.

pub mod batch;
pub mod cache;
pub mod enumerate;
pub mod ignore_errors;
pub mod interleave;
pub mod limit;
pub mod map;
pub mod padding;
pub mod parallel;
pub mod prefetch;
pub(crate) mod random_keys;
pub mod repeat;
pub mod shard;
pub mod shuffle;
pub mod take_while;
pub mod zip;
