//! `ShardedFilename`. Generated from its definition by `cargo xtask generate-ops`.

#[allow(unused_imports)] // which of these it needs depends on its arguments
use crate::ops::support::*;

/// `ShardedFilename(basename, shard, num_shards) -> (filename)`.
///
/// * `basename`: string
/// * `shard`: int32
/// * `num_shards`: int32
/// * gives `filename`: string
///
/// Gradients do not flow through it.
pub fn sharded_filename(basename: &Output, shard: &Output, num_shards: &Output) -> ForOutput {
    let node = NodeBuilder::new("ShardedFilename").input(basename).input(shard).input(num_shards);
    ForOutput(node)
}
